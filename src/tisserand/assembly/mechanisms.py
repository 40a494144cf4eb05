"""Strain-free motions other than rigid ones: found by inverse iteration, named by the nodes that move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.element_forces import element_forces
from tisserand.assembly.motion_words import moving_nodes
from tisserand.assembly.singular import loose_directions
from tisserand.assembly.topology import tie_arms
from tisserand.linalg import factorize

#: Small stiffness added to every dof for the factorization, as a share of its own.
_SHIFT = 1e-9
#: A strain energy below this many units of round-off in x'K x is zero.
_ROUNDING = 2e3 * np.finfo(float).eps
#: Motions within this many times that are looked at together: round-off mixes them.
_NEIGHBORS = 1e3
#: Share of other motions that round-off leaves in a unit vector.
_SPILL = 100.0 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class Mechanisms:
    """shapes (d, k): strain-free motions apart from the rigid ones; complete: False if there are more than k."""

    shapes: FloatArray
    complete: bool

    def __len__(self) -> int:
        return int(self.shapes.shape[1])

    def moving_nodes(self, model: AssembledModel, most: int = 10) -> IntArray:
        """Ids of the nodes that move most, strongest first."""
        return moving_nodes(model, self.shapes, most)


def find_mechanisms(model: AssembledModel, held: BoolArray, most: int = 24) -> Mechanisms:
    """Strain-free motions with the given dofs held, excluding rigid-body motion.

    K, scaled to unit diagonal, is factorized with a small shift; a block iterated with its inverse turns into
    the softest shapes. Those whose strain energy is round-off span the null space; vectors in it that are not rigid
    motions and (if the elements are known) strain no element are mechanisms.
    """
    free = np.flatnonzero(~held)
    if not len(free):
        return Mechanisms(np.zeros((model.size, 0)), True)
    K = csr_array(model.stiffness[free][:, free])
    diagonal = K.diagonal()
    size = np.sqrt(np.where(diagonal > 0.0, diagonal, max(float(diagonal.max(initial=0.0)), 1.0)))
    scaled = csr_array(diags_array(1.0 / size) @ K @ diags_array(1.0 / size))
    scaled.sort_indices()
    width = min(len(free), most + 6)
    shifted = csr_array(scaled + diags_array(np.full(len(free), _SHIFT)))
    factor = factorize(shifted, groups=model.dofs.node[free])
    block = np.linalg.qr(np.random.default_rng(0).standard_normal((len(free), width)))[0]
    for _ in range(4):
        block = np.linalg.qr(factor.solve(block))[0]
    _, turn = np.linalg.eigh(np.asarray(block.T @ (scaled @ block)))
    block = block @ turn
    null = strain_free(scaled, block)
    complete = not null.all() or width == len(free)
    elements = element_forces(model) if null.any() else None
    if elements is not None:
        null = strain_free(scaled, block, _NEIGHBORS)
    shapes = np.zeros((model.size, int(null.sum())))
    shapes[free] = block[:, null] / size[:, None]
    if elements is not None:
        shapes = shapes @ elements.unstrained(shapes)
    return Mechanisms(_not_rigid(model, held, shapes), complete)


def strain_free(matrix: csr_array, vectors: FloatArray, units: float = 1.0) -> BoolArray:
    """(k,) True where x'K x of unit vectors is within ``units`` of its round-off; K has a unit diagonal.

    Round-off of the energy |x|'|K||x|, or of the vector.
    """
    absolute = csr_array((np.abs(matrix.data), matrix.indices, matrix.indptr), shape=matrix.shape)
    noise = np.einsum("ik,ik->k", np.abs(vectors), absolute @ np.abs(vectors))
    energy = np.abs(np.einsum("ik,ik->k", vectors, matrix @ vectors))
    return np.asarray(energy <= units * np.maximum(_ROUNDING * noise, _SPILL**2 * len(vectors)))


def _not_rigid(model: AssembledModel, held: BoolArray, null: FloatArray) -> FloatArray:
    """Part of a null space (d, k), zero on held dofs, that is not the rigid motion which the held dofs allow.

    A held dof without stiffness at its node restrains no motion: the node follows by yielding in its loose direction,
    so motions are compared in its other directions only. Translations that the deck itself holds do restrain: a bar
    that swings from its support is a mechanism.
    """
    reach = float(np.ptp(model.nodes.positions, axis=0).max()) or 1.0
    arms = np.zeros(len(model.nodes)) if model.structure is None else tie_arms(model.structure)
    loose = loose_directions(model.stiffness, model.dofs, arms)
    slack = held & loose.mask(len(model.nodes))[model.dofs.node, model.dofs.component]
    slack &= ~(model.dofs.fixed_by(model.supports) & (model.dofs.component < 3))
    rigid = _about_center(model, reach)
    binding = held & ~slack
    if binding.any():
        _, values, rows = np.linalg.svd(rigid[binding], full_matrices=True)
        rank = int((values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)).sum())
        rigid = rigid @ rows[rank:].T
    index = model.dofs.index.reshape(-1, 2, 3)[loose.node, loose.group]
    given = (np.where(index >= 0, slack[index], False)).any(axis=1)
    index, stiff = index[given], loose.stiff[given]
    units = np.where(model.dofs.component >= 3, reach, 1.0)[:, None]
    seen = _compared(units * null, index, stiff)
    left, values, _ = np.linalg.svd(_compared(units * rigid, index, stiff), full_matrices=False)
    left = left[:, values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)]
    basis, triangle = np.linalg.qr(seen)
    _, rest, turn = np.linalg.svd(basis - left @ (left.T @ basis), full_matrices=False)
    own = null @ np.linalg.lstsq(triangle, turn[rest > 1e-6].T, rcond=None)[0]
    common = null @ np.linalg.lstsq(triangle, turn[rest <= 1e-6].T, rcond=None)[0]
    return _at_rest(own, common, units)


def _at_rest(shapes: FloatArray, rigid: FloatArray, units: FloatArray) -> FloatArray:
    """Each shape minus the rigid motion that leaves most of the model at rest: least absolute values by reweighting."""
    if rigid.shape[1] == 0:
        return shapes
    out = shapes.copy()
    for column in out.T:
        shift = np.zeros(rigid.shape[1])
        for _ in range(30):
            left = np.abs(units[:, 0] * (column - rigid @ shift))
            root = units[:, 0] / np.sqrt(np.maximum(left, 1e-9 * max(float(left.max()), 1e-300)))
            shift = np.linalg.lstsq(root[:, None] * rigid, root * column, rcond=None)[0]
        column -= rigid @ shift
    return out


def _compared(motion: FloatArray, index: IntArray, stiff: FloatArray) -> FloatArray:
    """Motions (d, k) with the given groups (p, 3) of dofs projected by (p, 3, 3); -1 marks a missing dof."""
    out = motion.copy()
    padded = np.where((index >= 0)[:, :, None], motion[index], 0.0)
    projected = np.einsum("pij,pjk->pik", stiff, padded)
    there = index >= 0
    out[index[there]] = projected[there]
    return out


def _about_center(model: AssembledModel, reach: float) -> FloatArray:
    """(d, 6) unit motions about the middle of the nodes, rotations over the model's size."""
    S = np.array(model.rigid_body_vectors)
    x, y, z = model.nodes.positions.mean(axis=0)
    T = S[:, :3].copy()
    S[:, 3] += T[:, 1] * z - T[:, 2] * y
    S[:, 4] += T[:, 2] * x - T[:, 0] * z
    S[:, 5] += T[:, 0] * y - T[:, 1] * x
    S[:, 3:] /= reach
    return S
