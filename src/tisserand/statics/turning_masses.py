"""Mass that turns with its node, section, fiber or rigid arm: what spin does to it at the second degree of the rotation.

A mass that moves with nodal motion q by N q has the moments int xh N' dm, xh = [1; r]: linear forms over the nodal dofs.
Their work on the second degree of an arm, 1/2 b~b~rho at its end, is its share of the second-degree moments [a; A] of the
body (theory 2, 8.1). Ends of beams that are offset from their nodes are arm ends too; nodal bodies that follow another node
as a whole join that node instead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray, IntArray, skew
from tisserand.assembly.rigid_arms import carried_bodies, rigid_arms
from tisserand.elements.registry import prepare
from tisserand.elements.turned_forces import arm_blocks
from tisserand.model import ElementBlock, NodalBodies, Nodes, StructuralModel
from tisserand.statics.arm_forces import arm_stiffness, loaded_nodes
from tisserand.statics.directional import field_moments, momenta, scattered


def arm_forces(model: StructuralModel, recipe: str, about: FloatArray) -> FloatArray:
    """(n, 6, 4, 3): int (1, r)_p N_d' dm over [u; beta] of all nodes that arms move, r from ``about``, m; basic axes.

    Nodal bodies that join their leaders are not among the mass.
    """
    arms = rigid_arms(model)
    rest = _without_joined(model)
    return field_moments(rest, recipe, about, loaded_nodes(arms, len(model.nodes))).reshape(-1, 6, 4, 3)


def arm_momenta(model: StructuralModel, recipe: str, shapes: FloatArray) -> FloatArray:
    """(n, 6, k): M phi of motions (n, 6, k) at the nodes that arms move, of the same mass; basic axes."""
    return momenta(_without_joined(model), recipe, shapes, loaded_nodes(rigid_arms(model), len(model.nodes)))


def _without_joined(model: StructuralModel) -> StructuralModel:
    return model.changed(elements=tuple(_not_joined(model, block) for block in model.elements))


def _not_joined(model: StructuralModel, block: ElementBlock) -> ElementBlock:
    if block.facts.shape != "body":
        return block
    own: NodalBodies = block.select(carried_bodies(model, cast(NodalBodies, block)).nodes[:, 0] == block.nodes[:, 0])
    return own


def offset_ends(
    model: StructuralModel, recipe: str, about: FloatArray
) -> list[tuple[IntArray, FloatArray, FloatArray]]:
    """Ends of beams on rigid offsets, per block.

    nodes (e,), offsets (e, 3) m, int (1, r)_p N_d' dm over the translations of the ends (e, 3, 4, 3).

    Recipes that put the mass of a beam on its nodes have its offset in the moments about them: nothing is left here.
    """
    return [
        (nodes, offsets, field_moments(apart, recipe, about).reshape(len(nodes), 6, 4, 3)[:, :3])
        for nodes, offsets, apart in _offset_beams(model, recipe)
    ]


def offset_momenta(
    model: StructuralModel, recipe: str, shapes: FloatArray
) -> list[tuple[IntArray, FloatArray, FloatArray]]:
    """The same ends with M phi of motions (n, 6, k) over their translations (e, 3, k)."""
    out = []
    for nodes, offsets, apart in _offset_beams(model, recipe):
        ends = shapes[nodes]
        ends[:, :3] -= skew(offsets) @ ends[:, 3:]
        out.append((nodes, offsets, momenta(apart, recipe, ends)[:, :3]))
    return out


def _offset_beams(model: StructuralModel, recipe: str) -> list[tuple[IntArray, FloatArray, StructuralModel]]:
    """Nodes (e,) and offsets (e, 3) of the ends of beams with offsets, and those beams alone between their ends."""
    if recipe not in ("consistent", "coupled"):
        return []
    out = []
    for whole in cast(tuple[Any, ...], model.elements):
        if not whole.facts.arms or not getattr(whole, whole.facts.arms).any():
            continue
        name = whole.facts.arms
        block = whole.select(np.flatnonzero(getattr(whole, name).any(axis=(1, 2))))
        arms = getattr(block, name)
        m, k = block.nodes.shape
        ends = Nodes(np.arange(1, k * m + 1), (model.nodes.positions[block.nodes] + arms).reshape(-1, 3))
        alone = replace(block, nodes=np.arange(k * m).reshape(m, k), **{name: np.zeros((m, k, 3))})
        apart = StructuralModel(model.name, ends, (alone,), model.sections, mass_recipe=model.mass_recipe)
        out.append((block.nodes.reshape(-1), arms.reshape(-1, 3), apart))
    return out


def turning_softening(model: StructuralModel, recipe: str, spin: FloatArray, about: FloatArray) -> csr_array:
    """(6 n, 6 n) over [u; beta], basic axes: centrifugal stiffness of all that turns, at the second degree of its rotation.

    A piece (first moment s, second moments Pi about a point x, rotation b) has the potential 1/2 [(W x).(B s) + tr(W Pi B)],
    B = b~b~, W = w~w~ (theory 2).
    """
    W = skew(np.asarray(spin, float)) @ skew(np.asarray(spin, float))
    about = np.asarray(about, float)
    n = len(model.nodes)
    total = csr_array((6 * n, 6 * n))
    for block in cast(tuple[Any, ...], model.elements):
        if len(block) == 0:
            continue
        if block.facts.shape == "body":
            bodies = carried_bodies(model, block)
            nodes, s = bodies.nodes[:, 0], bodies.mass[:, None] * bodies.offset
            own = bodies.inertia - bodies.mass[:, None, None] * skew(bodies.offset) @ skew(bodies.offset)
            Pi = 0.5 * np.trace(own, axis1=1, axis2=2)[:, None, None] * np.eye(3) - own
            on_turn = _pieces(W, model.nodes.positions[nodes] - about, s, Pi)
            total = total + scattered(6 * nodes[:, None] + np.arange(3, 6), on_turn, 6 * n)
            continue
        pieces = prepare(model, block).turning_masses(recipe)
        if pieces is not None:
            mu = pieces.moments
            on_turn = _pieces(W, pieces.positions - about, mu[..., 0, 1:], mu[..., 1:, 1:])
            local = np.einsum("mgai,mgab,mgbj->mij", pieces.turn, on_turn, pieces.turn, optimize=True)
            rows = (6 * block.nodes[:, :, None] + np.arange(6)).reshape(len(block), -1)
            total = total + scattered(rows, local, 6 * n)
    arms = rigid_arms(model)
    if len(arms):
        forces = np.einsum("ncad,da->nc", arm_forces(model, recipe, about)[:, :, 1:], W)
        total = total + arm_stiffness(arms, forces)
    for nodes, offsets, forces in offset_ends(model, recipe, about):
        blocks = arm_blocks(np.einsum("ecad,da->ec", forces[:, :, 1:], W), offsets)
        total = total + scattered(6 * nodes[:, None] + np.arange(3, 6), blocks, 6 * n)
    return total


def _pieces(W: FloatArray, x: FloatArray, s: FloatArray, Pi: FloatArray) -> FloatArray:
    """(..., 3, 3) on the rotation: sym(Q) - tr(Q) 1, Q = W x s' + W Pi."""
    Q = (x @ W)[..., :, None] * s[..., None, :] + W @ Pi
    return np.asarray(0.5 * (Q + Q.swapaxes(-1, -2)) - np.trace(Q, axis1=-2, axis2=-1)[..., None, None] * np.eye(3))
