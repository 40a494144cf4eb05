"""From an appendage case to a structural model: on a mesh, or on a deck that carries its own properties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.errors import FileError
from tisserand.model import (
    Analysis,
    Constraint,
    ElementBlock,
    Equation,
    Interpolation,
    Ledger,
    Nodes,
    RigidElement,
    StructuralModel,
    Supports,
)
from tisserand.readers.case.additions import Additions, additions_of
from tisserand.readers.case.case_file import AppendageCase, read_case
from tisserand.readers.case.claimed_cells import MeshElements, elements_of_mesh
from tisserand.readers.case.node_lookup import NodeLookup
from tisserand.readers.meshes import Mesh, read_mesh
from tisserand.units import UnitSystem, unit_system


def model_of_case(case: AppendageCase, *, allow: Sequence[str] = ()) -> StructuralModel:
    """Open the mesh or deck, give its cells their sections, and add what the case adds.

    ``allow`` names cards of a deck that may be dropped.
    """
    from tisserand.readers.registry import FORMATS, format_of

    named = case.mesh.format
    if named is not None and named.lower() not in [entry.name for entry in FORMATS]:
        return _on_mesh(case, named)  # a name that only meshio knows
    found = format_of(case.mesh.file, named)
    _refuse_choices(case, found.name)
    if found.properties:
        return _on_deck(case, allow)
    return _on_mesh(case, named if case.mesh.file.suffix.lower() in found.extensions else found.name)


def _refuse_choices(case: AppendageCase, kind: str) -> None:
    """Refuse choices that the format of the deck does not have."""
    programs = {"nastran": ("nastran", "mystran"), "abaqus": ("abaqus", "calculix")}.get(kind, ())
    known = {"nastran": ("subcase", "spc", "flavor"), "abaqus": ("step", "flavor")}.get(kind, ())
    for name, value in case.mesh.choices.items():
        if name not in known or (name == "flavor" and value not in programs):
            expected = (
                " or ".join(programs) if name == "flavor" and programs else f"a deck that has one, not a {kind} file"
            )
            raise case.error(f"mesh.{name}", "cannot be chosen for this file", found=value, expected=expected)


def _analysis(case: AppendageCase, base: Analysis) -> Analysis:
    wish = case.analysis
    if wish.count is None and wish.fmax_hz is None:
        return base
    return replace(base, count=wish.count, fmin_hz=wish.fmin_hz, fmax_hz=wish.fmax_hz)


def _on_deck(case: AppendageCase, allow: Sequence[str]) -> StructuralModel:
    from tisserand.readers.registry import read_model

    if case.sections or case.materials:
        raise case.error(
            "sections" if case.sections else "materials",
            "the deck states its own sections and materials",
            found=str(case.mesh.file),
            advice="remove them here, or use a mesh format without properties",
        )
    base = read_model(case.mesh.file, case.mesh_units, format=case.mesh.format, allow=tuple(allow), **case.mesh.choices)
    names = {name: base.nodes.indices(ids) for name, ids in base.node_sets.items()}
    places = NodeLookup(case, np.array(base.nodes.ids), np.array(base.nodes.positions), names)
    places.used = _with_elements(base.elements, len(places.ids))
    if base.nodes.scalar is not None:
        places.used &= ~base.nodes.scalar
    next_id = 1 + max((int(block.ids.max()) for block in base.elements if len(block)), default=0)
    extra = additions_of(case, places, next_id)
    nodes = Nodes(
        places.ids,
        places.positions,
        _grown(base.nodes.axes, len(places.ids), np.eye(3)),
        _grown(base.nodes.scalar, len(places.ids), np.False_),
    )
    return base.changed(
        name=case.name,
        nodes=nodes,
        elements=base.elements + extra.blocks,
        constraints=base.constraints + extra.constraints,
        supports=extra.supports if extra.supports else base.supports,
        node_sets={**base.node_sets, **_named(places)},
        interfaces={**base.interfaces, **extra.interfaces},
        analysis=_analysis(case, base.analysis),
        mass_recipe=case.analysis.mass or base.mass_recipe,
        ledger=replace(base.ledger, entries=base.ledger.entries + extra.entries),
        sources=(case.path, *base.sources),
        parts=(),  # what the case adds belongs to no superelement: the joined model is solved whole
    )


def _grown(values: np.ndarray | None, count: int, filler: object) -> np.ndarray | None:
    if values is None:
        return None
    tail = np.broadcast_to(np.asarray(filler, values.dtype), (count - len(values), *values.shape[1:]))
    return np.concatenate([values, tail])


def _with_elements(blocks: Sequence[ElementBlock], count: int) -> BoolArray:
    used = np.zeros(count, np.bool_)
    for block in blocks:
        used[block.nodes[block.nodes >= 0]] = True
    return used


def _named(places: NodeLookup) -> dict[str, IntArray]:
    return {name: places.ids[rows] for name, rows in places.names.items()}


def _on_mesh(case: AppendageCase, format: str | None) -> StructuralModel:
    mesh = read_mesh(case.mesh.file, format, case.mesh.group_by)
    if not case.sections:
        raise case.error("sections", "is missing: a mesh without properties needs at least one section")
    points = mesh.points * case.mesh_units.length
    if case.mesh.merge is not None:
        mesh, points = _merged(mesh, points, case.mesh.merge * case.mesh_units.length)
    made = elements_of_mesh(case, mesh, points)
    names = {name: mesh.nodes_of_set(name) for name in mesh.cell_sets}
    names.update({name: np.asarray(rows) for name, rows in mesh.node_sets.items()})
    names = {name: rows for name, rows in names.items() if len(rows)}
    places = NodeLookup(case, 1 + np.arange(len(made.points)), made.points.copy(), names)
    places.used = _with_elements(made.blocks, len(places.ids))
    next_id = 1 + max(int(block.ids.max()) for block in made.blocks)
    extra = additions_of(case, places, next_id)
    blocks = made.blocks + extra.blocks
    keep, notes = _in_use(blocks, extra, len(places.ids)), list(made.notes)
    if not keep.all():
        notes.append(f"{int((~keep).sum())} points not used by any element, mass, link or support were omitted")
    row = np.where(keep, np.cumsum(keep) - 1, -1)
    if case.mesh.connected:
        _check_connected(case, mesh, made, blocks, extra.constraints, keep)
    sets = {name: places.ids[rows[keep[rows]]] for name, rows in places.names.items() if keep[rows].any()}
    return StructuralModel(
        name=case.name,
        nodes=Nodes(places.ids[keep], places.positions[keep]),
        elements=tuple(_renumbered_block(block, row) for block in blocks),
        sections=tuple(rule.section for rule in case.sections),
        materials=tuple(case.materials.values()),
        constraints=tuple(_renumbered_constraint(constraint, row) for constraint in extra.constraints),
        supports=Supports(row[extra.supports.nodes], extra.supports.fixed),
        node_sets=sets,
        element_sets=_element_sets(mesh, made),
        interfaces=extra.interfaces,
        analysis=_analysis(case, Analysis()),
        mass_recipe=case.analysis.mass or "consistent",
        unit_system=case.units.name,
        ledger=Ledger(str(case.path), made.entries + extra.entries, tuple(notes)),
        sources=(case.path, case.mesh.file),
    )


def _merged(mesh: Mesh, points: FloatArray, distance: float) -> tuple[Mesh, FloatArray]:
    """The mesh with points closer than ``distance`` taken as one (the first of each cluster)."""
    from scipy.spatial import cKDTree

    pairs = cKDTree(points).query_pairs(distance, output_type="ndarray")
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(points), len(points)))
    _, label = connected_components(graph, directed=False)
    _, first = np.unique(label, return_index=True)
    target = first[label]
    blocks = tuple(replace(block, nodes=target[block.nodes]) for block in mesh.blocks)
    sets = {name: np.unique(target[rows]) for name, rows in mesh.node_sets.items()}
    note = f"{int(len(points) - len(first))} coincident points were merged (within {distance:g} m)"
    return replace(mesh, blocks=blocks, node_sets=sets, notes=(*mesh.notes, note)), points


def _rows_of(constraint: Constraint) -> IntArray:
    if isinstance(constraint, RigidElement):
        return np.concatenate([constraint.independent[:, 0], constraint.dependent[:, 0]])
    if isinstance(constraint, Interpolation):
        return np.append(constraint.terms[:, 0], constraint.reference)
    return np.asarray(constraint.terms[:, 0])


def _in_use(blocks: tuple[ElementBlock, ...], extra: Additions, count: int) -> np.ndarray:
    keep = np.zeros(count, np.bool_)
    for block in blocks:
        keep[block.nodes[block.nodes >= 0]] = True
    for constraint in extra.constraints:
        keep[_rows_of(constraint)] = True
    keep[extra.supports.nodes] = True
    return keep


def _renumbered_block(block: ElementBlock, row: IntArray) -> ElementBlock:
    return block.changed(nodes=np.where(block.nodes >= 0, row[block.nodes], -1))


def _renumbered_constraint(constraint: Constraint, row: IntArray) -> Constraint:
    def moved(pairs: IntArray) -> IntArray:
        return np.column_stack([row[pairs[:, 0]], pairs[:, 1]])

    if isinstance(constraint, RigidElement):
        return replace(constraint, independent=moved(constraint.independent), dependent=moved(constraint.dependent))
    if isinstance(constraint, Interpolation):
        return replace(constraint, reference=int(row[constraint.reference]), terms=moved(constraint.terms))
    assert isinstance(constraint, Equation)
    return replace(constraint, terms=moved(constraint.terms))


def _element_sets(mesh: Mesh, made: MeshElements) -> dict[str, IntArray]:
    sets: dict[str, list[IntArray]] = {}
    for number, rows, ids in made.owners:
        for name, masks in mesh.cell_sets.items():
            chosen = masks[number][rows]
            if chosen.any():
                sets.setdefault(name, []).append(ids[chosen])
    return {name: np.concatenate(parts) for name, parts in sets.items()}


def _check_connected(
    case: AppendageCase,
    mesh: Mesh,
    made: MeshElements,
    blocks: tuple[ElementBlock, ...],
    constraints: tuple[Constraint, ...],
    keep: np.ndarray,
) -> None:
    """One structure: every node in use can be reached from every other through elements and links."""
    starts, ends = [], []
    for block in blocks:
        for column in range(1, block.nodes.shape[1]):
            both = (block.nodes[:, 0] >= 0) & (block.nodes[:, column] >= 0)
            starts.append(block.nodes[both, 0])
            ends.append(block.nodes[both, column])
    for constraint in constraints:
        rows = _rows_of(constraint)
        starts.append(np.full(len(rows) - 1, rows[0]))
        ends.append(rows[1:])
    a, b = np.concatenate(starts), np.concatenate(ends)
    graph = coo_array((np.ones(len(a)), (a, b)), shape=(len(keep), len(keep)))
    _, label = connected_components(graph, directed=False)
    pieces = np.unique(label[keep])
    if len(pieces) == 1:
        return
    words = []
    for piece in pieces[:4]:
        inside = label == piece
        sets = [name for name in mesh.cell_sets if inside[mesh.nodes_of_set(name)].all()]
        named = f"{', '.join(sets[:3])} " if sets else ""
        words.append(f"{named}({int((inside & keep).sum())} nodes)")
    raise case.error(
        "mesh",
        f"the mesh is in {len(pieces)} separate pieces",
        found="; ".join(words) + ("; ..." if len(pieces) > 4 else ""),
        advice="join them with mesh.merge, [links] or [springs], or set mesh.connected = false",
    )


def read_case_model(
    path: str | Path, units: str | UnitSystem | None = None, *, allow: Sequence[str] = ()
) -> StructuralModel:
    """The structural model of an appendage case file in one step; a case states its own units."""
    case = read_case(path)
    if units is not None and unit_system(units) != case.units:
        raise case.error(
            "units", "the case states its own units", found=unit_system(units).name, expected=case.units.name
        )
    return model_of_case(case, allow=allow)


def read_mesh_model(
    path: str | Path, units: str | UnitSystem | None = None, *, allow: Sequence[str] = ()
) -> StructuralModel:
    """The structural model of a mesh without properties, through the TOML case of the same name beside it."""
    beside = Path(path).with_suffix(".toml")
    if not beside.exists():
        raise FileError(
            path, "this mesh format carries no materials or sections", expected=f"a case {beside.name} beside it"
        )
    return read_case_model(beside, units, allow=allow)
