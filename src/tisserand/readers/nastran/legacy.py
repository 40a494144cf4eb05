"""Cards of NASTRAN-95 and of early commercial versions as their successors: several on a line, old shells, solids and ties.

The old plates (overlapping triangles) and bricks (overlapping tetrahedra) become today's elements on the same nodes: the
structure is the same, its discretization is not, which the ledger records.
"""

from __future__ import annotations

from collections.abc import Callable

from tisserand.readers.nastran.cards import Bulk, Row

#: Cards that hold a second element in fields 6 to 9.
_TWO = ("CROD", "CTUBE", "CELAS3", "CDAMP3", "CMASS3")
#: Old card -> card of today.
_ELEMENTS = {
    **dict.fromkeys(("CQUAD1", "CQUAD2", "CQDMEM", "CQDMEM1", "CQDMEM2", "CQDPLT"), "CQUAD4"),
    **dict.fromkeys(("CTRIA1", "CTRIA2", "CTRMEM", "CTRPLT", "CTRBSC"), "CTRIA3"),
    **dict.fromkeys(("CHEXA1", "CHEXA2", "CIHEX1", "CIHEX2"), "CHEXA"),
    **dict.fromkeys(("CTRIM6", "CTRPLT1"), "CTRIA6"),
    "CIS2D8": "CQUAD8",
    "CWEDGE": "CPENTA",
    "CRIGD1": "RBE2",
    "CRIGD3": "RBE1",
    "CRIGDR": "RROD",
}
_BY_MATERIAL = ("CHEXA1", "CHEXA2", "CWEDGE")
#: Positions of IHEX2's nodes (round each face) in the order of CHEXA.
_IHEX2 = (0, 2, 4, 6, 12, 14, 16, 18, 1, 3, 5, 7, 8, 9, 10, 11, 13, 15, 17, 19)
#: Positions of CTRIM6's nodes (round the triangle) in the order of CTRIA6.
_TRIM6 = (0, 2, 4, 1, 3, 5)
_BLANK = b""


def modernize(bulk: Bulk, old_tetra: bool) -> dict[str, tuple[int, str, str]]:
    """Rewrite old cards in place; by old card (count, new card, what is approximated).

    old_tetra: CTETRA names a material instead of a property (NASTRAN-95).
    """
    found: dict[str, tuple[int, str, str]] = {}
    for card in _TWO:
        _split(bulk, card)
    _keep_apart(bulk)
    made: set[int] = set()
    for card, new in _ELEMENTS.items():
        if bulk.has(card):
            same = new.startswith("R")
            rows = [_element(row, card, new) for row in bulk.rows(card)]
            _replace(bulk, card, new, rows)
            if card in _BY_MATERIAL:
                made |= {row.integer(1) for row in rows}
            found[card] = (len(rows), new, "" if same else f"an element of early versions, used as {new}")
    if old_tetra and bulk.has("CTETRA"):
        made |= {row.integer(1) for row in bulk.rows("CTETRA")}
    some = next(iter(bulk.rows("CHEXA", "CPENTA", "CTETRA")), None)
    for number in sorted(made):
        assert some is not None
        text = str(number).encode()
        bulk.singles.setdefault("PSOLID", []).append(Row("PSOLID", [text, text], some.line, some.source))
    for card, (new, convert) in _PROPERTIES.items():
        if bulk.has(card):
            rows = [made_row for row in bulk.rows(card) for made_row in convert(row)]
            _replace(bulk, card, new, rows)
            found[card] = (len(rows), new, "")
    if bulk.has("CRIGD2"):
        rows = [pair for row in bulk.rows("CRIGD2") for pair in _rigid_pairs(row)]
        _replace(bulk, "CRIGD2", "RBE2", rows)
        found["CRIGD2"] = (len(rows), "RBE2", "")
    return found


def _keep_apart(bulk: Bulk) -> None:
    """Old plates have one list of property ids per kind; ids that several kinds use are shifted before they become PSHELLs."""
    kinds = [card for card in _PROPERTIES if card != "PIHEX" and bulk.has(card)]
    owned = {card: _identities(bulk, card) for card in kinds}
    taken = {row.integer(0) for row in bulk.rows("PSHELL")}
    step = 10 ** len(str(max((max(ids) for ids in owned.values()), default=0) + max(taken, default=0)))
    for number, card in enumerate(kinds, 1):
        if not owned[card] & taken:
            taken |= owned[card]
            continue
        shift, element = number * step, "C" + card[1:]
        at = (0, 4) if card in _IN_PAIRS else (0,)
        _replace(bulk, card, card, [_shifted(row, at, shift) for row in bulk.rows(card)])
        if bulk.has(element):
            _replace(bulk, element, element, [_shifted(row, (1,), shift) for row in bulk.rows(element)])
        taken |= {identity + shift for identity in owned[card]}


def _identities(bulk: Bulk, card: str) -> set[int]:
    at = (0, 4) if card in _IN_PAIRS else (0,)
    return {row.integer(k) for row in bulk.rows(card) for k in at if row.text(k)}


def _shifted(row: Row, places: tuple[int, ...], shift: int) -> Row:
    """The card with ids moved up; an element without a property id has its own."""
    fields = list(row.fields)
    for k in places:
        if row.text(k) or k == 1:
            fields[k] = str((row.integer(k) if row.text(k) else row.integer(0)) + shift).encode()
    return Row(row.card, fields, row.line, row.source)


def _split(bulk: Bulk, card: str) -> None:
    rows = list(bulk.rows(card))
    if not any(_is_double(row) for row in rows):
        return
    out = []
    for row in rows:
        if _is_double(row):
            out += [Row(card, row.fields[at : at + 4], row.line, row.source) for at in (0, 4)]
        else:
            out.append(row)
    _replace(bulk, card, card, out)


def _is_double(row: Row) -> bool:
    """True where fields 6 to 9 state a second element: an id and a point at least."""
    return len(row.fields) <= 8 and bool(row.text(4)) and bool(row.text(6) or row.text(7))


def _replace(bulk: Bulk, old: str, new: str, rows: list[Row]) -> None:
    bulk.batches.pop(old, None)
    bulk.singles.pop(old, None)
    bulk.singles.setdefault(new, []).extend(rows)


def _element(row: Row, card: str, new: str) -> Row:
    fields = list(row.fields)
    if card == "CIHEX2":
        fields = fields[:2] + [row.text(2 + k) for k in _IHEX2]
    elif card in ("CTRIM6", "CTRPLT1"):
        fields = fields[:2] + [row.text(2 + k) for k in _TRIM6] + [row.text(8)]
    elif card == "CIS2D8":
        fields = [row.text(k) for k in range(10)]
    elif card == "CRIGD1":
        fields = [*fields[:2], b"123456", *fields[2:]]
    elif card == "CRIGDR":
        fields = [*fields[:3], _BLANK, row.text(3)]
    elif card == "CRIGD3":
        fields = [b"UM" if text == b"MSET" else text for text in fields]
    return Row(new, fields, row.line, row.source)


def _rigid_pairs(row: Row) -> list[Row]:
    """CRIGD2: id, reference point, then pairs of dependent point and components."""
    out = []
    for at in range(2, len(row.fields), 2):
        if row.text(at):
            fields = [row.text(0), row.text(1), row.text(at + 1) or b"123456", row.text(at)]
            out.append(Row("RBE2", fields, row.line, row.source))
    return out


def _shell(row: Row, fields: list[bytes]) -> Row:
    return Row("PSHELL", fields, row.line, row.source)


def _homogeneous(row: Row) -> list[Row]:
    """PQUAD2, PTRIA2: id, material, thickness, nonstructural mass; two on a card. Rigid in transverse shear."""
    out = []
    for at in (0, 4):
        if row.text(at):
            number, material, thickness, mass = (row.text(at + k) for k in range(4))
            out.append(_shell(row, [number, material, thickness, material, _BLANK, _BLANK, _BLANK, mass]))
    return out


def _membrane(row: Row) -> list[Row]:
    """PQDMEM, PTRMEM: id, material, thickness, nonstructural mass; two on a card."""
    out = []
    for at in (0, 4):
        if row.text(at):
            number, material, thickness, mass = (row.text(at + k) for k in range(4))
            out.append(_shell(row, [number, material, thickness, _BLANK, _BLANK, _BLANK, _BLANK, mass]))
    return out


def _sandwich(row: Row) -> list[Row]:
    """PQUAD1, PTRIA1: id, membrane material and thickness, bending material and I, shear material and thickness, mass, z1, z2."""
    return [_general(row, row.text(1), row.real(2, 0.0), 3)]


def _bending(row: Row) -> list[Row]:
    """PQDPLT, PTRPLT: id, bending material and I, shear material and thickness, mass, z1, z2."""
    return [_general(row, _BLANK, 0.0, 1)]


def _general(row: Row, membrane: bytes, thickness: float, at: int) -> Row:
    """PSHELL with 12 I / t³ and ts / t; without a membrane t is that of a solid plate with the same I."""
    bending, inertia = row.text(at), row.real(at + 1, 0.0)
    shear, shear_thickness = row.text(at + 2), row.real(at + 3, 0.0)
    if thickness <= 0.0:
        membrane, thickness = _BLANK, (12.0 * inertia) ** (1.0 / 3.0)
    if thickness <= 0.0 or shear == b"0" or shear_thickness <= 0.0:
        shear = _BLANK
    ratio = 12.0 * inertia / thickness**3 if thickness > 0.0 else 1.0
    if ratio <= 0.0 or bending == b"0":
        bending = _BLANK
    fields = [row.text(0), membrane, repr(thickness).encode(), bending]
    fields += [repr(ratio).encode() if bending else _BLANK, shear if bending else _BLANK]
    fields += [repr(shear_thickness / thickness).encode() if shear and bending else _BLANK]
    return _shell(row, [*fields, *(row.text(at + k) for k in (4, 5, 6))])


def _membrane6(row: Row) -> list[Row]:
    """PTRIM6: id, material, thickness at the corners, nonstructural mass."""
    thickness = repr(_corner_mean(row, 2)).encode()
    return [_shell(row, [row.text(0), row.text(1), thickness, _BLANK, _BLANK, _BLANK, _BLANK, row.text(5)])]


def _bending6(row: Row) -> list[Row]:
    """PTRPLT1: id, bending material, I at the corners, shear material, shear thickness at the corners, mass, z1, z2."""
    inertia, shear = _corner_mean(row, 2), _corner_mean(row, 6)
    fields = [row.text(0), row.text(1), repr(inertia).encode(), row.text(5), repr(shear).encode(), row.text(9)]
    return [_general(Row(row.card, fields, row.line, row.source), _BLANK, 0.0, 1)]


def _corner_mean(row: Row, at: int) -> float:
    """Mean over three corners; a blank or zero repeats the first."""
    first = row.real(at, 0.0)
    return (first + (row.real(at + 1, 0.0) or first) + (row.real(at + 2, 0.0) or first)) / 3.0


def _plane8(row: Row) -> list[Row]:
    """PIS2D8: id, material, thickness."""
    return [_shell(row, [row.text(0), row.text(1), row.text(2)])]


def _brick(row: Row) -> list[Row]:
    """PIHEX: id, material; the rest steers integration and shape checks."""
    return [Row("PSOLID", [row.text(0), row.text(1), row.text(2)], row.line, row.source)]


_PROPERTIES: dict[str, tuple[str, Callable[[Row], list[Row]]]] = {
    **dict.fromkeys(("PQUAD2", "PTRIA2"), ("PSHELL", _homogeneous)),
    **dict.fromkeys(("PQDMEM", "PQDMEM1", "PQDMEM2", "PTRMEM"), ("PSHELL", _membrane)),
    **dict.fromkeys(("PQUAD1", "PTRIA1"), ("PSHELL", _sandwich)),
    **dict.fromkeys(("PQDPLT", "PTRPLT", "PTRBSC"), ("PSHELL", _bending)),
    "PTRIM6": ("PSHELL", _membrane6),
    "PTRPLT1": ("PSHELL", _bending6),
    "PIS2D8": ("PSHELL", _plane8),
    "PIHEX": ("PSOLID", _brick),
}
#: Cards that state two properties.
_IN_PAIRS = ("PQUAD2", "PTRIA2", "PQDMEM", "PQDMEM1", "PQDMEM2", "PTRMEM")
