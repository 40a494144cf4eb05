"""From a mesh and section rules to element blocks: which rule claims which cell, and the cells left over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.declarations.common_values import many
from tisserand.errors import CaseError, nearest
from tisserand.model import BeamBlock, ElementBlock, MembraneBlock, RodBlock, ShellBlock, SolidBlock
from tisserand.model.ledger import CardEntry
from tisserand.readers.case.case_file import AppendageCase
from tisserand.readers.case.section_tables import CELLS_OF, SectionRule
from tisserand.readers.meshes.cells import APPROXIMATIONS, SOLIDS, Pieces, pieces_of, turned_wedges
from tisserand.readers.meshes.mesh_data import Mesh


@dataclass(frozen=True, eq=False)
class MeshElements:
    """Blocks over the rows of ``points`` (those of the mesh, then added ones), ledger lines, and ids per mesh cell."""

    points: FloatArray
    blocks: tuple[ElementBlock, ...]
    entries: tuple[CardEntry, ...]
    notes: tuple[str, ...]
    owners: tuple[tuple[int, IntArray, IntArray], ...]  # (mesh block, rows of its cells, element ids)


def elements_of_mesh(case: AppendageCase, mesh: Mesh, points: FloatArray) -> MeshElements:
    """Give every cell its section. ``points`` are the mesh's points in m."""
    ignored = _ignored(case, mesh)
    claims = _claims(case, mesh, ignored)
    entries = _leftovers(case, mesh, claims, ignored)
    first, spare = mesh.first_cell, sum(len(block) for block in mesh.blocks)
    blocks, owners, notes = [], [], list(mesh.notes)
    for number, (cells, claim) in enumerate(zip(mesh.blocks, claims)):
        for index in np.unique(claim[claim >= 0]):
            rule, rows = case.sections[index], np.flatnonzero(claim == index)
            pieces = pieces_of(cells.kind, cells.nodes[rows])
            ids = first[number] + rows
            if len(pieces.parent) != len(rows):  # split cells need unique ids
                ids = spare + 1 + np.arange(len(pieces.parent))
                spare += len(pieces.parent)
            if cells.kind.startswith("wedge"):
                nodes, count = turned_wedges(pieces.nodes, points)
                pieces = Pieces(nodes, pieces.parent)
                if count:
                    notes.append(f"{count} wedges were turned over so that their base faces the top")
            blocks.append(_block(case, rule, cells.kind, ids, pieces.nodes, points))
            owners.append((number, rows[pieces.parent], ids))
            reason = APPROXIMATIONS.get(cells.kind, "")
            fate = "approximated" if reason else "used"
            text = f"section {rule.name!r}" + (f"; {reason}" if reason else "")
            entries.append(CardEntry(cells.kind, len(rows), fate, text))  # type: ignore[arg-type]
    if not blocks:
        raise case.error("sections", "no cell of the mesh is given a section", expected=_known(mesh))
    return MeshElements(points, tuple(blocks), tuple(entries), tuple(notes), tuple(owners))


def masks_of(mesh: Mesh, group: str | int) -> tuple[BoolArray, ...] | None:
    """Cells of a named or numbered group, one mask per block; None when there is no such group."""
    return mesh.cell_sets.get(str(group))


def _known(mesh: Mesh) -> str:
    return (
        "groups " + ", ".join(repr(name) for name in mesh.cell_sets)
        if mesh.cell_sets
        else "no group name: the mesh has none (leave the key out to take all cells)"
    )


def _unknown_group(case: AppendageCase, mesh: Mesh, key: str, group: str | int) -> CaseError:
    close = nearest(str(group), mesh.cell_sets)
    return case.error(
        key,
        f"the mesh has no group {group!r}",
        expected=_known(mesh),
        advice=f"did you mean {close!r}?" if close else None,
    )


def _ignored(case: AppendageCase, mesh: Mesh) -> tuple[BoolArray, ...]:
    out = tuple(np.zeros(len(block), np.bool_) for block in mesh.blocks)
    for group in many(case.mesh.ignore):
        masks = masks_of(mesh, group)
        if masks is None:
            raise _unknown_group(case, mesh, "mesh.ignore", group)
        out = tuple(a | b for a, b in zip(out, masks))
    return out


def _claims(case: AppendageCase, mesh: Mesh, ignored: tuple[BoolArray, ...]) -> list[IntArray]:
    """Index of the section rule of every cell, -1 where none."""
    claims = [np.full(len(block), -1, np.int64) for block in mesh.blocks]
    for index, rule in enumerate(case.sections):
        kind = rule.section.family
        wanted = [np.ones(len(block), np.bool_) for block in mesh.blocks]
        if rule.elements:
            wanted = [np.zeros(len(block), np.bool_) for block in mesh.blocks]
            for group in rule.elements:
                masks = masks_of(mesh, group)
                if masks is None:
                    raise _unknown_group(case, mesh, f"{rule.key}.elements", group)
                wanted = [a | b for a, b in zip(wanted, masks)]
        found = 0
        for number, (block, mask) in enumerate(zip(mesh.blocks, wanted)):
            fits = block.kind in (rule.types or CELLS_OF[kind])
            if not fits and mask.any() and rule.elements and not rule.types:
                raise case.error(
                    f"{rule.key}.elements",
                    f"a {kind} section cannot be given to {block.kind} cells",
                    found=f"{int(mask.sum())} {block.kind} cells in {', '.join(map(str, rule.elements))}",
                    expected=" or ".join(CELLS_OF[kind]),
                )
            if not fits:
                continue
            rows = mask & ~ignored[number]
            clash = rows & (claims[number] >= 0)
            if clash.any():
                other = case.sections[int(claims[number][clash][0])]
                raise case.error(
                    rule.key,
                    f"gives a second section to {int(clash.sum())} {block.kind} cells",
                    found=f"already given by {other.key}",
                    advice="name the groups of each with 'elements'",
                )
            claims[number][rows] = index
            found += int(rows.sum())
        if not found:
            raise case.error(f"{rule.key}.elements", "no cell of the mesh is given this section", expected=_known(mesh))
    return claims


def _leftovers(
    case: AppendageCase, mesh: Mesh, claims: list[IntArray], ignored: tuple[BoolArray, ...]
) -> list[CardEntry]:
    """Check that cells without a section only describe boundaries: all their nodes belong to cells that have one."""
    used = np.zeros(len(mesh.points), np.bool_)
    top = max((b.dimension for b, claim in zip(mesh.blocks, claims) if (claim >= 0).any()), default=0)
    for block, claim in zip(mesh.blocks, claims):
        used[block.nodes[claim >= 0]] = True
    entries = []
    for number, (block, claim) in enumerate(zip(mesh.blocks, claims)):
        left = (claim < 0) & ~ignored[number]
        lost = left & ((block.dimension >= top) | ~used[block.nodes].all(axis=1))
        if block.kind == "vertex":
            lost[:] = False
        if lost.any():
            names = [name for name, masks in mesh.cell_sets.items() if (masks[number] & lost).any()]
            raise case.error(
                "sections",
                f"{int(lost.sum())} {block.kind} cells have no section",
                found=f"in group {', '.join(repr(n) for n in names)}" if names else "cells in no group",
                advice="give them a section with 'elements', or list the group in mesh.ignore",
            )
        if left.any():
            entries.append(
                CardEntry(block.kind, int(left.sum()), "skipped", "no section names them: used as sets only")
            )
        if ignored[number].any():
            entries.append(CardEntry(block.kind, int(ignored[number].sum()), "skipped", "listed in mesh.ignore"))
    return entries


def _block(
    case: AppendageCase, rule: SectionRule, kind: str, ids: IntArray, nodes: IntArray, points: FloatArray
) -> ElementBlock:
    m, section = len(ids), np.full(len(ids), rule.section.id - 1)
    family = rule.section.family
    if family == "solid":
        return SolidBlock(ids, nodes, section, SOLIDS[kind][0])  # type: ignore[arg-type]
    if family == "rod":
        return RodBlock(ids, nodes, section)
    along = points[nodes[:, 1]] - points[nodes[:, 0]]
    length = np.linalg.norm(along, axis=1)
    if (length == 0.0).any():
        raise case.error(rule.key, "an element has zero length", found=f"element {int(ids[np.argmin(length)])}")
    along = along / length[:, None]
    if family in ("shell", "membrane"):
        axis = np.broadcast_to(rule.orientation, (m, 3)) if rule.orientation is not None else along
        if rule.orientation is not None:
            last = 2 if nodes.shape[1] in (3, 6) else 3
            normal = np.cross(points[nodes[:, 2]] - points[nodes[:, 0]], points[nodes[:, last]] - points[nodes[:, 1]])
            size = np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
            bad = np.linalg.norm(np.cross(normal / size, axis), axis=1) < 1e-3
            if bad.any():
                raise case.error(
                    f"{rule.key}.orientation",
                    "is normal to an element, so it gives no direction in its plane",
                    found=f"element {int(ids[np.argmax(bad)])}",
                )
        if family == "membrane":
            return MembraneBlock(ids, nodes, section, axis)
        return ShellBlock(ids, nodes, section, axis, np.full(m, rule.offset))
    if rule.orientation is None:  # a section without direction: any perpendicular will do
        helper = np.eye(3)[np.argmin(np.abs(along), axis=1)]
        vectors = np.cross(along, helper)
    else:
        vectors = np.broadcast_to(rule.orientation, (m, 3))
        bad = np.linalg.norm(np.cross(along, vectors), axis=1) < 1e-3
        if bad.any():
            raise case.error(
                f"{rule.key}.orientation", "is parallel to a beam", found=f"element {int(ids[np.argmax(bad)])}"
            )
    offsets = np.broadcast_to(rule.offsets, (m, 2, 3))
    return BeamBlock(ids, nodes, section, vectors, offsets, np.zeros((m, 2, 6), np.bool_), "beam")
