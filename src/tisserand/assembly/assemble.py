"""``assemble``: element matrices into sparse stiffness, mass and damping over the independent dofs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel, DofTable
from tisserand.assembly.axes import rigid_rows, to_basic, to_node_axes, turned_nodes
from tisserand.assembly.elimination import eliminate
from tisserand.assembly.massprops import MassProperties, mass_properties_from_rigid
from tisserand.assembly.singular import node_singularities, without_any_term
from tisserand.assembly.ties import TieRows, tie_rows
from tisserand.elements.element_data import Prepared, components_of
from tisserand.elements.registry import prepare
from tisserand.errors import ModelError
from tisserand.model import ElementBlock, Ledger, Nodes, StructuralModel
from tisserand.model.structure import MassRecipe
from tisserand.threads import in_order

if TYPE_CHECKING:
    from tisserand.assembly.pattern import Pattern

#: Bytes of element matrices held at a time: they stay in the processor's cache until they are added.
_CHUNK_BYTES = 4 << 20


@checked_arguments
def assemble(model: StructuralModel, mass: MassRecipe | None = None) -> AssembledModel:
    """Stiffness, mass and damping of a structural model, its ties eliminated, and the recovery to all nodes.

    ``mass``: mass recipe; None uses that of the model. Supports are passed on, not applied.
    """
    from tisserand.assembly.pattern import build_pattern  # compiled code: loaded when first needed

    recipe = model.mass_recipe if mass is None else mass
    if not model.elements:
        raise ModelError(
            "the model has no elements", where=model.name, advice="; ".join(model.ledger.assumptions) or None
        )
    ties = tie_rows(model.nodes, model.constraints)
    active = _active_dofs(model, ties)
    pattern = build_pattern(active, [block.nodes for block in model.elements])
    stiffness, inertia, damping = _fill(model, recipe, pattern)
    elimination = eliminate(model.nodes, ties, pattern.dof, pattern.size)
    node, component = np.nonzero(active)
    _refuse_supported_dependents(model, ties)

    keep = np.flatnonzero(~elimination.dependent)
    stiffness, inertia = elimination.reduce(stiffness), elimination.reduce(inertia)
    damping = None if damping is None else elimination.reduce(damping)
    transformation = elimination.transformation
    empty = without_any_term(stiffness, inertia, damping)
    notes = list(_notes_on_empty(model.nodes, node[keep[empty]], component[keep[empty]]))
    if empty.any():
        used = np.flatnonzero(~empty)
        stiffness, inertia = _square(stiffness, used), _square(inertia, used)
        damping = None if damping is None else _square(damping, used)
        transformation, keep = transformation[:, used], keep[used]
    if len(keep) == 0:
        raise ModelError("no element of the model has stiffness or mass", where=model.name)
    dofs = DofTable(node[keep], component[keep], len(model.nodes))
    automatic, more = node_singularities(model, stiffness, inertia, dofs)
    rigid = rigid_rows(model.nodes, dofs.node, dofs.component)
    return AssembledModel(
        stiffness=stiffness,
        mass=inertia,
        dofs=dofs,
        recovery=csr_array(to_basic(model.nodes, node, component) @ transformation),
        rigid_body_vectors=rigid,
        nodes=model.nodes,
        name=model.name,
        damping=damping,
        supports=model.supports,
        structure=model,
        mass_recipe=recipe,
        has_field=has_field(model, recipe),
        unit_system=model.unit_system,
        ledger=_balanced(model.ledger, mass_properties_from_rigid(rigid.T @ (inertia @ rigid))),
        notes=(*notes, *more),
        auto_supports=automatic,
    )


def chunks(model: StructuralModel, block: ElementBlock) -> Iterator[Prepared]:
    """The elements of a block, prepared in chunks whose matrices stay within a fixed amount of memory."""
    for cut in _cuts(model, block):
        yield prepare(model, block if cut == slice(0, len(block)) else block.select(cut))


def _cuts(model: StructuralModel, block: ElementBlock) -> Iterator[slice]:
    width = block.nodes.shape[1] * max(len(components_of(model, block)), 1)
    step = max(1, _CHUNK_BYTES // (16 * width * width))
    for start in range(0, len(block), step):
        yield slice(start, min(start + step, len(block)))


def has_field(model: StructuralModel, recipe: str) -> bool:
    """Whether all mass comes from a displacement field, so that directional mass matrices exist."""
    for block in model.elements:
        if len(block) == 0:
            continue
        first = prepare(model, block.select(slice(0, 1)))
        if not first.massless and first.directional_mass(recipe) is None:
            return False
    return True


def _active_dofs(model: StructuralModel, ties: list[TieRows]) -> BoolArray:
    """(n, 6) True for every dof that an element or a tie refers to."""
    active = np.zeros((len(model.nodes), 6), np.bool_)
    for block in model.elements:
        components = components_of(model, block)
        if components:
            used = np.zeros(len(active) + 1, np.bool_)
            used[block.nodes] = True  # ground (-1) marks the last
            active[np.ix_(used[:-1], np.array(components))] = True
        elif len(block):
            nodes, named = block.nodes, block.components  # type: ignore[attr-defined]
            if named.min() < 0 or named.max() > 5:
                raise ModelError(f"a {block.family} names a component that does not exist", ids=block.ids[:5].tolist())
            real = nodes >= 0
            active[nodes[real], named[real]] = True
    for tie in ties:
        active[tie.dependent[:, 0], tie.dependent[:, 1]] = True
        active[tie.independent[:, 0], tie.independent[:, 1]] = True
    if model.nodes.scalar is not None:
        active[model.nodes.scalar, 1:] = False
    return active


def _fill(model: StructuralModel, recipe: str, pattern: Pattern) -> tuple[csr_array, csr_array, csr_array | None]:
    """Stiffness, mass and damping over the active dofs, node axes.

    Mass that is the same on the three translations is summed once per pair of nodes.
    """
    data: dict[str, FloatArray] = {"stiffness": pattern.empty()}
    turned = turned_nodes(model.nodes)
    pairs: FloatArray | None = None
    blocks = ((cut, block) for block in model.elements for cut in _cuts(model, block))
    for part, matrices_of in in_order(partial(_matrices, model, recipe, *of) for of in blocks):
        once = part.same_mass(recipe) and not turned.any()
        places = pattern.places(part.nodes) if part.named is None else None
        for kind, matrices in matrices_of.items():
            if kind == "mass" and once and places is not None:
                pairs = np.zeros(len(pattern.edges)) if pairs is None else pairs
                step = len(part.components)
                pattern.add_scalars(pairs, places, matrices[:, ::step, ::step])
                continue
            if kind not in data:
                data[kind] = pattern.empty()
            if places is None:
                _add_named(pattern, data[kind], part, matrices)
            else:
                matrices = to_node_axes(matrices, part.nodes, part.components, model.nodes, turned)
                pattern.add(data[kind], part.nodes, places, len(part.components), matrices)
    stiffness = pattern.matrix(data.pop("stiffness"))
    damping = pattern.matrix(data.pop("damping")) if "damping" in data else None
    if pairs is None:
        return stiffness, pattern.matrix(data.pop("mass", pattern.empty())), damping
    mass = pattern.spread(pairs)
    if "mass" in data:
        mass = csr_array(mass + pattern.matrix(data.pop("mass")))
    return stiffness, mass, damping


def _matrices(
    model: StructuralModel, recipe: str, cut: slice, block: ElementBlock
) -> tuple[Prepared, dict[str, FloatArray]]:
    """Some elements of a block with their stiffness, mass and damping, as far as they have them."""
    part = prepare(model, block if cut == slice(0, len(block)) else block.select(cut))
    found = {"stiffness": part.stiffness(), "mass": part.mass(recipe), "damping": part.damping()}
    return part, {kind: matrices for kind, matrices in found.items() if matrices is not None}


def _add_named(pattern: Pattern, data: FloatArray, part: Prepared, matrices: FloatArray) -> None:
    """Matrices between named components, node axes, term by term."""
    dofs = np.where(part.nodes >= 0, pattern.dof[part.nodes, part.named], -1)
    count = dofs.shape[1]
    rows, columns, values = np.repeat(dofs, count, axis=1), np.tile(dofs, (1, count)), matrices.reshape(len(dofs), -1)
    stated = values != 0.0
    pattern.add_terms(data, rows[stated], columns[stated], values[stated])


def _square(matrix: csr_array, keep: IntArray) -> csr_array:
    return csr_array(matrix[keep][:, keep])


def _notes_on_empty(nodes: Nodes, node: IntArray, component: IntArray) -> Iterator[str]:
    if len(node):
        where = nodes.ids[np.unique(node)]
        yield (
            f"{len(node)} dofs at {len(where)} nodes have neither stiffness nor mass and were left out "
            f"(nodes {', '.join(map(str, where[:8]))}{', ...' if len(where) > 8 else ''})"
        )


def _refuse_supported_dependents(model: StructuralModel, ties: list[TieRows]) -> None:
    """A dependent dof cannot be held as well: its motion follows from others."""
    held = np.zeros((len(model.nodes), 6), np.bool_)
    np.logical_or.at(held, model.supports.nodes, model.supports.fixed)
    for tie in ties:
        clash = held[tie.dependent[:, 0], tie.dependent[:, 1]]
        if clash.any():
            node, component = tie.dependent[clash][0]
            raise ModelError(
                f"component {component + 1} of node {model.nodes.ids[node]} is held by a support and "
                f"made dependent by {tie.label}",
                ids=(tie.id,),
                advice="hold an independent node of that element instead",
            )


def _balanced(ledger: Ledger, found: MassProperties) -> Ledger:
    """The ledger with mass (kg), center (m) and inertia about the basic origin (kg m²) as assembled."""
    balance = dict(ledger.balance)
    balance["mass assembled"] = found.mass
    balance.update({f"center {axis} assembled": float(found.center[i]) for i, axis in enumerate("xyz")})
    pairs = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "yz": (1, 2), "zx": (2, 0)}
    c = found.center
    about_origin = found.inertia + found.mass * (np.dot(c, c) * np.eye(3) - np.outer(c, c))
    balance.update({f"inertia {name} assembled": float(about_origin[i]) for name, i in pairs.items()})
    return replace(ledger, balance=balance)
