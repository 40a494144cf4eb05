"""From element groups and section owners to element blocks with node indices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.model import BeamBlock, ElementBlock, MembraneBlock, RodBlock, ShellBlock, SolidBlock
from tisserand.model.materials import Isotropic
from tisserand.readers.abaqus.draft import Draft, ElementGroup
from tisserand.readers.abaqus.element_types import solid_integration
from tisserand.readers.abaqus.initial_stress import stresses_of
from tisserand.readers.abaqus.oriented_shells import against, corner_normals
from tisserand.readers.abaqus.plane_elements import hold_across, refuse_mixed
from tisserand.readers.abaqus.sections import Owner, SectionTable
from tisserand.readers.abaqus.thicknesses import taper_of
from tisserand.readers.meshes.cells import SOLIDS, pieces_of


def structural_blocks(draft: Draft, owners: list[Owner], table: SectionTable) -> list[ElementBlock]:
    """Blocks of solids, shells, beams and rods; split elements get ids after the deck's largest."""
    refuse_mixed(draft)
    blocks: list[ElementBlock] = []
    spare = max((int(group.ids.max()) for group in draft.groups if len(group.ids)), default=0)
    for group in draft.groups:
        kind = group.kind
        if kind.role not in ("solid", "shell", "membrane", "plane", "beam", "rod") or not len(group.ids):
            continue
        statement = kind.statement
        if draft.flavor == "calculix" and kind.role in ("shell", "beam", "plane"):
            what = "plane elements" if kind.role == "plane" else f"{kind.role}s"
            own = f"CalculiX expands {what} into solids; Tisserand keeps them as {what}"
            statement = f"{statement}; {own}" if statement else own
        if draft.flavor == "abaqus" and group.type == "CPE4":
            statement = "integrated at four points; Abaqus takes the mean volume strain"
        draft.record(group.type, "approximated" if statement else "used", statement, len(group.ids))
        owner_of = _owner_of(group, owners)
        for number in np.unique(owner_of):
            rows = np.flatnonzero(owner_of == number)
            nodes = draft.index(group.nodes[rows])
            if kind.order is not None:
                nodes = nodes[:, list(kind.order)]
            pieces = pieces_of(kind.cell, nodes)
            ids = group.ids[rows]
            if len(pieces.parent) != len(rows):
                ids = spare + 1 + np.arange(len(pieces.parent))
                spare += len(pieces.parent)
                _extend_sets(draft, group.ids[rows], pieces.parent, ids)
            blocks += _block(draft, group, owners[number], table, ids, pieces.nodes, rows[pieces.parent])
    return blocks


def _owner_of(group: ElementGroup, owners: list[Owner]) -> IntArray:
    found = np.full(len(group.ids), -1, np.int64)
    for number, owner in enumerate(owners):
        if _fits(group, owner):
            found[np.isin(group.ids, owner.elements)] = number
    bare = found < 0
    if bare.any():
        raise group.keyword.error(
            f"{int(bare.sum())} elements of type {group.type} have no section",
            found=f"element {int(group.ids[np.argmax(bare)])}",
            advice="give their element set a *SOLID SECTION, *SHELL SECTION, *MEMBRANE SECTION or *BEAM SECTION",
        )
    return found


def _fits(group: ElementGroup, owner: Owner) -> bool:
    word = owner.keyword.name.split()[0]
    roles = {
        "SOLID": ("solid", "rod", "plane"),
        "SHELL": ("shell",),
        "MEMBRANE": ("membrane",),
        "BEAM": ("beam",),
        "USER": ("shell",),
    }
    return group.kind.role in roles[word]


def _extend_sets(draft: Draft, old: IntArray, parent: IntArray, new: IntArray) -> None:
    """Sets that contain a split element contain its pieces instead."""
    for name, ids in draft.element_sets.items():
        inside = np.isin(old, ids)
        if inside.any():
            kept = ids[~np.isin(ids, old[inside])]
            draft.element_sets[name] = np.concatenate([kept, new[inside[parent]]])


def _block(
    draft: Draft, group: ElementGroup, owner: Owner, table: SectionTable, ids: IntArray, nodes: IntArray, rows: IntArray
) -> list[ElementBlock]:
    """Block of elements that lie in ``rows`` of their group (pieces: in the row of the whole)."""
    m, role = len(ids), group.kind.role
    corners = draft.positions[nodes]
    if role == "solid":
        kind, how = SOLIDS[group.kind.cell][0], solid_integration(group.type, draft.flavor)
        if owner.orientation is None or isinstance(owner.material, Isotropic):
            section = np.full(m, table.solid(owner, how, None))
        else:
            axes = owner.orientation.axes_at(corners.mean(axis=1))
            if owner.orientation.cylindrical:
                words = "material axes are those at the center of each element, not at every integration point"
                draft.record("*ORIENTATION, SYSTEM=CYLINDRICAL", "approximated", words, m)
            section = np.array([table.solid(owner, how, own) for own in axes])
        return [SolidBlock(ids, nodes, section, kind)]  # type: ignore[arg-type]
    if role == "shell":
        section, axis = np.full(m, table.shell(owner)), _material_axis(owner, corners)
        if owner.signed and owner.orientation is not None:
            turned = against(owner.orientation, owner.facing, corners)
            section[turned] = table.shell(owner, turned=True) if turned.any() else 0
        taper = taper_of(draft, owner, ids, nodes)
        offset = np.full(m, owner.offset) if taper is None else owner.offset * taper[:, 0]
        return [ShellBlock(ids, nodes, section, axis, offset, taper)]
    if role == "membrane":
        return [_membranes(draft, owner, table, ids, nodes)]
    if role == "plane":
        section = np.full(m, table.plane(owner, strain=group.type.startswith("CPE")))
        hold_across(draft, group.keyword, nodes)
        return [MembraneBlock(ids, nodes, section, np.broadcast_to([1.0, 0.0, 0.0], (m, 3)))]
    if role == "rod":
        along = corners[:, 1] - corners[:, 0]
        along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
        stress = stresses_of(draft, ids, np.stack([along, along], axis=1))[:, 0]
        return [RodBlock(ids, nodes, _shared(stress, lambda value: table.rod(owner, float(value))))]
    return [_beams(draft, group, owner, table, ids, nodes, rows)]


def _beams(
    draft: Draft, group: ElementGroup, owner: Owner, table: SectionTable, ids: IntArray, nodes: IntArray, rows: IntArray
) -> BeamBlock:
    """Beams whose first section axis is that of their section, or leads from their first node to one of their own."""
    m, corners = len(ids), draft.positions[nodes]
    section = np.full(m, table.beam(owner, group.kind.shear))
    along = corners[:, 1] - corners[:, 0]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    if (length == 0.0).any():
        raise group.keyword.error("a beam has zero length", found=f"element {int(ids[np.argmin(length)])}")
    first = np.repeat(owner.direction[None], m, axis=0)
    aims = group.aims[rows]
    if aimed := np.flatnonzero(aims > 0).tolist():
        start = draft.position(group.nodes[rows[aimed], 0])
        first[aimed] = draft.position(aims[aimed]) - start
    size = np.linalg.norm(first, axis=1, keepdims=True)
    across = np.linalg.norm(np.cross(along / length, first / np.maximum(size, 1e-300)), axis=1)
    if (across < 1e-6).any():
        where = group.keyword if aims[np.argmin(across)] > 0 else owner.keyword
        raise where.error(
            "the direction of the first beam axis is parallel to a beam", found=f"element {int(ids[np.argmin(across)])}"
        )
    z = np.cross(along / length, first)
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    y = np.cross(z, along / length)
    at_y, at_z = table.beside[int(section[0])]
    offsets = np.repeat((at_y * y + at_z * z)[:, None], 2, axis=1)
    return BeamBlock(ids, nodes, section, first, offsets, np.zeros((m, 2, 6), np.bool_), "beam")


def _membranes(draft: Draft, owner: Owner, table: SectionTable, ids: IntArray, nodes: IntArray) -> MembraneBlock:
    """Membranes with the stress that the deck states in their axes."""
    corners = draft.positions[nodes[:, : 3 if nodes.shape[1] in (3, 6) else 4]]
    axis = _material_axis(owner, corners)
    normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, -1] - corners[:, 1])
    normal = normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    first = axis - np.einsum("mi,mi->m", axis, normal)[:, None] * normal
    first = first / np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-300)
    stress = stresses_of(draft, ids, np.stack([first, np.cross(normal, first)], axis=1))
    section = _shared(stress, lambda value: table.membrane(owner, (float(value[0]), float(value[1]), float(value[2]))))
    return MembraneBlock(ids, nodes, section, axis)


def _shared(values: FloatArray, make: Callable[[FloatArray], int]) -> IntArray:
    """(m,) section of every element, one for each distinct stress."""
    distinct, place = np.unique(values, axis=0, return_inverse=True)
    return np.asarray(np.array([make(value) for value in distinct], np.int64)[place.ravel()])


def _material_axis(owner: Owner, corners: FloatArray) -> FloatArray:
    """Material x axis: the orientation's, else global x projected on the shell (z where x is its normal)."""
    if owner.orientation is not None:
        axes = owner.orientation.axes_at(corners.mean(axis=1))
        return np.asarray(axes[:, (owner.facing + 1) % 3])
    normal = corner_normals(corners)
    across = np.abs(normal[:, 0]) > np.cos(np.radians(0.1))
    return np.where(across[:, None], np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]))
