"""Rods, bars and beams: CROD CONROD CTUBE CBAR CBEAM with PROD PTUBE PBAR PBARL PBEAM PBEAML BAROR BEAMOR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.model import BeamBlock, Isotropic, RodBlock, RodSection
from tisserand.readers.nastran.book import SectionBook
from tisserand.readers.nastran.cards import BLANK, INTEGER, CardTable, Row
from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.line_properties import bar_sections, beam_sections, isotropic, nonnegative


def read_rods(draft: Draft) -> list[RodBlock]:
    """CROD, CTUBE and CONROD as one block."""
    known = SectionBook(draft, {"PROD": _prod, "PTUBE": _ptube})
    ids, nodes, sections = [], [], []
    for card in ("CROD", "CTUBE"):
        table = draft.bulk.table(card, 4)
        if len(table):
            ids.append(table.integers(0))
            sections.append(draft.section_indices(table, 1, known))
            nodes.append(np.column_stack([draft.node_indices(table, 2), draft.node_indices(table, 3)]))
    made: dict[tuple[bytes, ...], int] = {}
    for row in draft.bulk.rows("CONROD"):
        key = tuple(row.text(k) for k in (3, 4, 5, 7))
        if key not in made:
            material = isotropic(draft, row, 3)
            made[key] = draft.add(_rod_section(draft, row, row.integer(0), material, 4, 5, 7))
        ids.append(np.array([row.integer(0)]))
        nodes.append(np.array([[draft.node(row, 1), draft.node(row, 2)]]))
        sections.append(np.array([made[key]]))
    if not ids:
        return []
    number = np.concatenate(ids)
    order = np.argsort(number, kind="stable")
    return [RodBlock(number[order], np.concatenate(nodes)[order], np.concatenate(sections)[order])]


def _rod_section(
    draft: Draft, row: Row, number: int, material: Isotropic, area: int, torsion: int, mass: int
) -> RodSection:
    units = draft.units
    return RodSection(
        number,
        material,
        nonnegative(row, area) * units.area,
        nonnegative(row, torsion, 0.0) * units.second_moment,
        row.real(mass, 0.0) * draft.mass_factor / units.length,
    )


def _prod(draft: Draft, row: Row, number: int) -> RodSection:
    return _rod_section(draft, row, number, isotropic(draft, row, 1), 2, 3, 5)


def _ptube(draft: Draft, row: Row, number: int) -> RodSection:
    outer, wall = nonnegative(row, 2), row.real(3, 0.0)
    far = row.real(5, 0.0) or outer
    if far != outer:
        draft.approximations["PTUBE"] = "a tapered tube takes the mean of both diameters"
        outer = (outer + far) / 2
    inner = outer - 2 * wall if wall else 0.0
    if not 0.0 <= inner < outer:
        raise row.error(3, "the wall does not fit the diameter", found=wall)
    area = np.pi * (outer**2 - inner**2) / 4
    torsion = np.pi * (outer**4 - inner**4) / 32
    return RodSection(
        number,
        isotropic(draft, row, 1),
        float(area * draft.units.area),
        float(torsion * draft.units.second_moment),
        row.real(4, 0.0) * draft.mass_factor / draft.units.length,
    )


def read_beams(draft: Draft) -> list[BeamBlock]:
    """CBAR and CBEAM as two blocks."""
    blocks = [_beams(draft, "CBAR", bar_sections(draft)), _beams(draft, "CBEAM", beam_sections(draft))]
    return [block for block in blocks if block is not None]


def _beams(draft: Draft, card: str, known: SectionBook) -> BeamBlock | None:
    table = draft.bulk.table(card, 18)
    if not len(table):
        return None
    default = next(iter(draft.bulk.rows("BAROR" if card == "CBAR" else "BEAMOR")), None)
    table = _with_default_property(table, default)
    ids = table.integers(0)
    section = draft.section_indices(table, 1, known)
    a, b = draft.node_indices(table, 2), draft.node_indices(table, 3)
    if draft.nodes.scalar is not None and (draft.nodes.scalar[a] | draft.nodes.scalar[b]).any():
        raise table.error(
            int(np.argmax(draft.nodes.scalar[a] | draft.nodes.scalar[b])), 2, "a beam ends at a scalar point"
        )
    flags = _offset_flags(table, default)
    orientation = _orientation(draft, table, a, flags, default)
    offsets = _offsets(draft, table, a, b, orientation, flags)
    releases = np.stack([_pins(table, 8), _pins(table, 9)], axis=1)
    if card == "CBEAM" and (table.integers(16, 0).any() or table.integers(17, 0).any()):
        draft.approximations["CBEAM"] = "warping points SA and SB are ignored"
    order = np.argsort(ids, kind="stable")
    return BeamBlock(
        ids[order],
        np.column_stack([a, b])[order],
        section[order],
        orientation[order],
        offsets[order],
        releases[order],
        _lumping(draft, card),
    )


def _lumping(draft: Draft, card: str) -> Literal["bar", "beam", "rotary bar"]:
    """Which lumped mass an element has; bars of recent Simcenter Nastran carry the rotary inertia of bending."""
    if card == "CBEAM":
        return "beam"
    if draft.simcenter:
        draft.notes.append(
            "written for Simcenter Nastran, whose lumped bars carry rotary inertia rho I L / 2 at each end"
        )
        return "rotary bar"
    return "bar"


def _with_default_property(table: CardTable, default: Row | None) -> CardTable:
    if default is None or not default.text(1) or not table.blank(1).any():
        return table
    chars = table.chars.copy()
    chars[table.blank(1), 1] = np.frombuffer(default.text(1)[: chars.shape[2]].ljust(chars.shape[2]), np.uint8)
    return CardTable(table.card, chars, table.lines, table.source)


@dataclass(frozen=True)
class _Flags:
    """OFFT by element: is the orientation in end A's axes, are offsets A and B in element axes."""

    local: BoolArray
    own: tuple[BoolArray, BoolArray]


def _offset_flags(table: CardTable, default: Row | None) -> _Flags:
    """OFFT, three letters; blank is GGG. Integers of old decks (BAROR style) mean the same."""
    standard = default.word(7, "GGG") if default is not None else "GGG"
    blank = table.blank(7)
    words = [standard] * len(table) if not blank.all() else [standard]
    for i in np.flatnonzero(~blank).tolist():
        words[i] = table.text(7)[i].tobytes().decode("latin-1").strip()
    for i, flag in enumerate(words):
        if flag in ("0", "1", "2"):
            words[i] = "GGG"
        elif len(flag) != 3 or flag[0] not in "GB" or set(flag[1:]) - set("GO"):
            raise table.error(
                i, 7, "is not an offset flag", found=repr(flag), expected="GGG, BGG, GGO, GOG, GOO, BGO, BOG or BOO"
            )
    letters = np.array([list(word) for word in words])
    if len(letters) == 1:
        letters = np.broadcast_to(letters, (len(table), 3))
    return _Flags(letters[:, 0] == "G", (letters[:, 1] == "O", letters[:, 2] == "O"))


def _orientation(draft: Draft, table: CardTable, a: IntArray, flags: _Flags, default: Row | None) -> FloatArray:
    """Vector in the element's x-y plane, basic axes: by a point G0 or by components in end A's axes."""
    kinds = np.stack([table.kinds(k) for k in (4, 5, 6)], axis=1)
    empty = (kinds == BLANK).all(axis=1)
    by_point = (kinds[:, 0] == INTEGER) & (kinds[:, 1:] == BLANK).all(axis=1)
    out = np.zeros((len(table), 3))
    local = ~empty & ~by_point
    if local.any():
        part = table.select(local)
        out[local] = np.column_stack([part.reals(k, 0.0) for k in (4, 5, 6)])
    if empty.any():
        row = int(np.argmax(empty))
        if default is None or not any(default.text(k) for k in (4, 5, 6)):
            raise table.error(row, 4, "the orientation vector is blank", expected="a vector or a grid point")
        if default.kind(4) == INTEGER and not default.text(5):
            out[empty] = draft.nodes.positions[draft.node(default, 4)] - draft.nodes.positions[a[empty]]
            empty_local = np.zeros_like(empty)
        else:
            out[empty] = [default.real(k, 0.0) for k in (4, 5, 6)]
            empty_local = empty
    else:
        empty_local = empty
    turned = (local | empty_local) & flags.local
    if draft.nodes.axes is not None and turned.any():
        out[turned] = np.einsum("ni,nij->nj", out[turned], draft.nodes.axes[a[turned]])
    if by_point.any():
        part = table.select(by_point)
        point = draft.node_indices(part, 4)
        out[by_point] = draft.nodes.positions[point] - draft.nodes.positions[a[by_point]]
    bad = ~(np.abs(out).max(axis=1) > 0.0)
    if bad.any():
        raise table.error(int(np.argmax(bad)), 4, "the orientation vector has no length")
    return out


def _offsets(
    draft: Draft, table: CardTable, a: IntArray, b: IntArray, orientation: FloatArray, flags: _Flags
) -> FloatArray:
    """Offsets from nodes to ends in basic axes, m; flag O means element axes."""
    out = np.zeros((len(table), 2, 3))
    for end, node in ((0, a), (1, b)):
        columns = [10 + 3 * end + k for k in range(3)]
        if all(table.blank(k).all() for k in columns):
            continue
        local = np.column_stack([table.reals(k, 0.0) for k in columns]) * draft.units.length
        out[:, end] = np.einsum("ni,nij->nj", local, draft.axes_of(node))
        own = flags.own[end]
        for i in np.flatnonzero(own & (local != 0.0).any(axis=1)):
            x = draft.nodes.positions[b[i]] - draft.nodes.positions[a[i]]
            z = np.cross(x, orientation[i])
            if not (np.linalg.norm(x) > 0.0 and np.linalg.norm(z) > 0.0):
                raise table.error(
                    int(i), 7, "element axes for the offset are undefined (zero length or parallel orientation)"
                )
            x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
            out[i, end] = local[i] @ np.array([x, np.cross(z, x), z])
    return out


def _pins(table: CardTable, column: int) -> BoolArray:
    """Pin flags as (n, 6)."""
    if table.blank(column).all():
        return np.zeros((len(table), 6), np.bool_)
    chars = table.text(column)
    wrong = ~((chars == 32) | ((chars >= 48) & (chars <= 54))).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise table.error(
            row,
            column,
            "is not a set of pin flags",
            expected="digits 1 to 6",
            found=repr(chars[row].tobytes().decode("latin-1").strip()),
        )
    return np.stack([(chars == 48 + digit).any(axis=1) for digit in range(1, 7)], axis=1)
