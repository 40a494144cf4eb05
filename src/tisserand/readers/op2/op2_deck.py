"""The model that an OP2 file describes (GEOM1, GEOM2, GEOM4, EPT, MPT, PVT0, CASECC), as a deck in free format.

Record layouts: MSC and Siemens, "DMAP Programmer's Guide". A card that is not in the tables below stops the reading, so that no
part of the model is lost; PBARL and PBEAML are there as the PBAR and PBEAM that the program made of them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import FileError, TisserandError
from tisserand.model import StructuralModel
from tisserand.readers.nastran import read_nastran
from tisserand.readers.op2.data_blocks import DataBlocks, Record
from tisserand.readers.op2.tables import parameters
from tisserand.units import UnitSystem

Key = tuple[int, int]
_TABLES = ("GEOM1", "GEOM1S", "GEOM2", "GEOM2S", "GEOM4", "GEOM4S", "EPT", "EPTS", "MPT", "MPTS")
#: Cards without effect on stiffness, mass and boundary: boxes of aerodynamics, USET, temperature tables of materials, plot lines.
_WITHOUT_EFFECT = {(3002, 46), (2010, 20), (703, 7), (5201, 52)}
#: Shapes of sections, which are also there as properties.
_SHAPES = {(9102, 91), (9202, 92)}
#: Bars and beams: the word that states the axes of orientation and offsets.
_FLAGS = {(2408, 24): 7, (5408, 54): 9}
_BLANK = ""


def model_of_op2(
    path: Path, units: str | UnitSystem | None, *, allow: tuple[str, ...] = (), spc: int | None = None
) -> StructuralModel:
    """The structural model that an OP2 file describes, SI; ``units`` is the system of its numbers."""
    text = deck_of_op2(path)
    with tempfile.TemporaryDirectory() as folder:
        deck = Path(folder) / f"{path.stem}.bdf"
        deck.write_text(text)
        try:
            model = read_nastran(deck, units, allow=allow, spc=spc)
        except TisserandError as error:
            raise FileError(path, "the model that the file describes cannot be read", found=str(error).replace(f"{folder}/", ""),
                            advice="state the deck of the run") from error  # fmt: skip
    return replace(model, sources=(path,))


def deck_of_op2(path: Path) -> str:
    """The deck of the last solution as text; raises where the file has no model, parts of it, or cards not known here."""
    lines: list[str] = []
    with DataBlocks(path) as file:
        if sum(1 for _ in file.tables("GEOM1", "GEOM1S")) != 1 or not list(file.tables("EPT", "EPTS")):
            known = ", ".join(dict.fromkeys(file.names))
            raise FileError(path, "does not describe one whole model", found=f"data blocks {known}",
                            expected="GEOM1, GEOM2, EPT and MPT once each", advice="state the deck of the run")  # fmt: skip
        for _, name, records in file.tables(*_TABLES):
            for record in records:
                lines += _cards(path, name, record)
        lines += _parameters(file)
        spc, mpc = _case(file)
        made_for = [f"$ for Simcenter Nastran version {file.label[2:]}"] if file.label.startswith("NX20") else []
    head = [
        *made_for,
        "SOL 103",
        "CEND",
        *([f"SPC = {spc}"] if spc else []),
        *([f"MPC = {mpc}"] if mpc else []),
        "BEGIN BULK",
    ]
    return "\n".join([*head, *lines, "ENDDATA", ""])


def _cards(path: Path, table: str, record: Record) -> Iterator[str]:
    if len(record) <= 3:
        return
    ints, reals = record.ints(), record.reals()
    key = int(ints[0]), int(ints[1])
    if key in _WITHOUT_EFFECT or key in _SHAPES or key[0] == key[1]:
        return
    if key in _LISTS:
        yield from (_line(card) for card in _LISTS[key](ints[3:], reals[3:]))
        return
    if key not in _FIXED:
        raise _unknown(path, table, f"record {key[0]}, {key[1]}")
    words, card = _FIXED[key]
    width = words if isinstance(words, int) else words(record, int(ints[2]))
    if (len(record) - 3) % width:
        raise _unknown(path, table, f"record {key[0]}, {key[1]} of {len(record) - 3} words, not a multiple of {width}")
    rows = range(3, len(record), width)
    if key in _FLAGS and not {int(ints[at + _FLAGS[key]]) for at in rows} <= {0, 1, 2}:
        raise _unknown(path, table, "offsets of bars in element axes")
    for at in rows:
        yield _line(card(ints[at : at + width], reals[at : at + width]))


def _unknown(path: Path, table: str, found: str) -> FileError:
    return FileError(
        path, f"table {table} holds a card that is not known here", found=found,
        expected="bars, beams, rods, shells, springs, point masses, RBE2 and SPC", advice="state the deck of the run",
    )  # fmt: skip


def _line(fields: list[object]) -> str:
    """One card with continuations; reals keep all their digits."""
    words = [_word(field) for field in fields]
    while words and words[-1] == _BLANK:
        words.pop()
    rows = [words[:1] + words[1:9], *([_BLANK, *words[at : at + 8]] for at in range(9, len(words), 8))]
    return "\n".join(",".join(row) for row in rows)


def _word(field: object) -> str:
    if isinstance(field, float):
        return _BLANK if field == 0.0 else repr(field).replace("e", "E") if "." in repr(field) else f"{field:.17E}"
    return str(field)


def _numbers(values: Any) -> list[object]:
    return [float(value) for value in values]


def _id(value: Any) -> object:
    """A grid, coordinate system or material; blank for none."""
    return int(value) if int(value) > 0 else _BLANK


def _pins(value: Any) -> object:
    return int(value) if int(value) else _BLANK


def _wide(record: Record, third: int) -> int:
    return 11 if third > 1 and record.word == 4 else 8


def _grid(i: Any, r: Any) -> list[object]:
    if len(i) == 8:
        places, rest = _numbers(r[2:5]), i[5:8]
    else:  # coordinates of two words each
        places, rest = _numbers(np.frombuffer(i[2:8].tobytes(), i.dtype.str[0] + "f8")), i[8:11]
    return ["GRID", int(i[0]), _id(i[1]), *(value if value else 0.0 for value in places), _id(rest[0]), _pins(rest[1])]


def _system(letter: dict[int, str]) -> Callable[[Any, Any], list[object]]:
    return lambda i, r: [f"CORD2{letter[int(i[1])]}", int(i[0]), _id(i[3]), *(f"{float(v):.9E}" for v in r[4:13])]


def _orientation(i: Any, r: Any, flag: Any) -> list[object]:
    """Vector of a bar and its axes: a grid (2), or three components in the axes of end A (1) or in basic ones (0)."""
    if int(flag) == 2:
        return [int(i[0]), _BLANK, _BLANK, _BLANK]
    return [*(f"{float(v):.9E}" for v in r[:3]), _BLANK if int(flag) == 1 else "BGG"]


def _bar(i: Any, r: Any) -> list[object]:
    ends = [_pins(i[8]), _pins(i[9]), *_numbers(r[10:16])]
    return ["CBAR", *(int(v) for v in i[:4]), *_orientation(i[4:7], r[4:7], i[7]), *ends]


def _beam(i: Any, r: Any) -> list[object]:
    ends = [_pins(i[10]), _pins(i[11]), *_numbers(r[12:18]), _id(i[4]), _id(i[5])]
    return ["CBEAM", *(int(v) for v in i[:4]), *_orientation(i[6:9], r[6:9], i[9]), *ends]


def _point_mass(i: Any, r: Any) -> list[object]:
    return ["CONM2", int(i[0]), int(i[1]), _id(i[2]), float(r[3]), *_numbers(r[4:7]), _BLANK, *_numbers(r[7:13])]


def _pbeam(i: Any, r: Any) -> list[object]:
    """PBEAM: stations in the order A, B, then those between."""
    out: list[object] = ["PBEAM", int(i[0]), int(i[1])]
    stations = [r[5 + 16 * k : 21 + 16 * k] for k in range(11)]
    used = [s for k, s in enumerate(stations) if k == 0 or float(s[1]) > 0.0]
    for k, s in enumerate(used):
        body = [*_numbers(s[2:8])]
        if k:
            out += ["YES", float(s[1])]
        out += [*body, *_numbers(s[8:16])]
    tail = r[181:197]
    return [*out, *(f"{float(v):.9E}" for v in tail[:2]), *_numbers(tail[2:])]


def _shell(count: int, name: str, angle: int) -> Callable[[Any, Any], list[object]]:
    def card(i: Any, r: Any) -> list[object]:
        corners = [int(v) for v in i[2 : 2 + count]]
        return [name, int(i[0]), int(i[1]), *corners, float(r[angle]), float(r[angle + 1])]

    return card


#: Card -> words of one entry, and its fields.
_FIXED: dict[Key, tuple[int | Callable[[Record, int], int], Callable[[Any, Any], list[object]]]] = {
    (4501, 45): (_wide, _grid),
    (2101, 21): (13, _system({1: "R", 2: "C", 3: "S"})),
    (2001, 20): (13, _system({1: "R", 2: "C", 3: "S"})),
    (2201, 22): (13, _system({1: "R", 2: "C", 3: "S"})),
    (2408, 24): (16, _bar),
    (5408, 54): (18, _beam),
    (3001, 30): (4, lambda i, r: ["CROD", *(int(v) for v in i)]),
    (2958, 51): (14, _shell(4, "CQUAD4", 6)),
    (5959, 59): (13, _shell(3, "CTRIA3", 5)),
    (1501, 15): (13, _point_mass),
    (701, 7): (8, lambda i, r: ["CELAS2", int(i[0]), float(r[1]), int(i[2]), _pins(i[4]), _id(i[3]), _pins(i[5]), float(r[6])]),
    (52, 20): (19, lambda i, r: ["PBAR", int(i[0]), int(i[1]), *_numbers(r[2:7]), _BLANK, *_numbers(r[8:19])]),
    (5402, 54): (197, _pbeam),
    (902, 9): (6, lambda i, r: ["PROD", int(i[0]), int(i[1]), *_numbers(r[2:6])]),
    (2302, 23): (11, lambda i, r: ["PSHELL", int(i[0]), _id(i[1]), float(r[2]), _id(i[3]), float(r[4]), _id(i[5]), float(r[6]),
                                   float(r[7]), *_numbers(r[8:10]), _id(i[10])]),
    (103, 1): (12, lambda i, r: ["MAT1", int(i[0]), *_numbers(r[1:8]), *_numbers(r[8:11])]),
    (5501, 55): (4, lambda i, r: ["SPC", int(i[0]), int(i[1]), _pins(i[2]), float(r[3])]),
}  # fmt: skip


def _ended(ints: Any, start: int) -> int:
    """Place of the next -1."""
    at = start
    while at < len(ints) and int(ints[at]) != -1:
        at += 1
    return at


def _spc1(ints: Any, reals: Any) -> Iterator[list[object]]:
    at = 0
    while at + 3 < len(ints):
        sid, components, through = (int(v) for v in ints[at : at + 3])
        if through == 1:
            yield ["SPC1", sid, components, int(ints[at + 3]), "THRU", int(ints[at + 4])]
            at += 5
        else:
            end = _ended(ints, at + 3)
            yield ["SPC1", sid, components, *(int(v) for v in ints[at + 3 : end])]
            at = end + 1


def _sets(name: str) -> Callable[[Any, Any], Iterator[list[object]]]:
    def cards(ints: Any, reals: Any) -> Iterator[list[object]]:
        at = 0
        while at + 1 < len(ints):
            end = _ended(ints, at + 1)
            yield [name, *(int(v) for v in ints[at:end])]
            at = end + 1

    return cards


def _rbe2(ints: Any, reals: Any) -> Iterator[list[object]]:
    """RBE2; some programs write its thermal expansion after the list."""
    at = 0
    while at + 4 < len(ints):
        end = _ended(ints, at + 3)
        yield ["RBE2", *(int(v) for v in ints[at:end])]
        at = end + 1
        if at < len(ints) and (int(ints[at]) == 0 or abs(int(ints[at])) > _MOST_ID):
            at += 1


#: Ids are smaller; a larger word after a list is a real number.
_MOST_ID = 100_000_000
_LISTS: dict[Key, Callable[[Any, Any], Iterator[list[object]]]] = {
    (5481, 58): _spc1,
    (5491, 59): _sets("SPCADD"),
    (6901, 69): _rbe2,
}


def _parameters(file: DataBlocks) -> Iterator[str]:
    """Parameters that matter to stiffness and mass."""
    for name, value in (parameters(file) or {}).items():
        if name in ("COUPMASS", "WTMASS", "K6ROT", "AUTOSPC"):
            yield f"PARAM,{name},{value!r}" if isinstance(value, float) else f"PARAM,{name},{value}"


def _case(file: DataBlocks) -> tuple[int, int]:
    """SPC and MPC sets of the first case: words 3 and 2 of its record."""
    for _, _, records in file.tables("CASECC"):
        if records and len(records[0]) > 3:
            ints = records[0].ints()
            return int(ints[2]), int(ints[1])
    return 0, 0
