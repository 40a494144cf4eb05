"""The grammar of ``.SID_FEM`` files: nested blocks of ``key = value`` lines, Fortran exponents, omitted entries are zero."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ReadError
from tisserand.files import storable, text_of
from tisserand.stored import refuse_oversize

#: Taylor objects of a body, in the order they are written.
BODY_OBJECTS = ("mdCM", "J", "Ct", "Cr", "Me", "Gr", "Ge", "Oe", "ksigma", "Ke", "De")
NODE_OBJECTS = ("origin", "phi", "psi", "AP", "sigma")
_ENTRY = re.compile(r"(m0|m1|mn)\s*\(\s*([0-9\s,]+)\)\s*=\s*(\S+)", re.IGNORECASE)
_NUMBER = re.compile(r"(order|nrow|ncol|nqn|nq|structure)\s*=\s*(\d{1,9})(?!\d)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Taylor:
    """A matrix that depends on the modal coordinates: m0 (r, c) + sum_q m1 (r, q, c) eta_q.

    Structure 0 zero, 1 diagonal, 2 symmetric, 3 full, 4 unit.
    """

    m0: FloatArray
    m1: FloatArray | None = None
    structure: int = 3

    @property
    def order(self) -> int:
        return 0 if self.m1 is None else 1


@dataclass(frozen=True, eq=False)
class SidNode:
    id: str
    objects: dict[str, Taylor]


@dataclass(frozen=True, eq=False, kw_only=True)
class SidFile:
    """The contents of a SID file."""

    path: Path
    name: str
    comment: str
    mass: float
    mode_names: tuple[str, ...]
    nodes: tuple[SidNode, ...]
    objects: dict[str, Taylor]
    notes: tuple[str, ...] = field(default=())

    @property
    def count(self) -> int:
        return len(self.mode_names)


def fortran_number(text: str) -> float:
    """A Fortran real: D exponents, and exponents without a letter (1.0-101)."""
    text = text.strip().replace("D", "E").replace("d", "e")
    try:
        return float(text)
    except ValueError:
        match = re.fullmatch(r"([-+]?[\d.]+)([-+]\d+)", text)
        if match is None:
            raise
        return float(f"{match.group(1)}e{match.group(2)}")


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path, self.lines, self.at = path, text_of(path).splitlines(), 0

    def error(self, what: str, **facts: object) -> ReadError:
        return ReadError(self.path, self.at, what, **facts)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[str]:
        while self.at < len(self.lines):
            line = self.lines[self.at].strip()
            self.at += 1
            if line:
                yield line
        raise self.error("the file ends inside a block", expected="end part")


def _taylor(reader: _Reader, name: str) -> Taylor:
    sizes: dict[str, int] = {}
    entries: list[tuple[str, list[int], float]] = []
    for line in reader:
        if line.lower() == f"end {name.lower()}":
            break
        if match := _ENTRY.match(line):
            try:
                index = [int(i) - 1 for i in match.group(2).replace(" ", "").split(",")]
                entries.append((match.group(1).lower(), index, fortran_number(match.group(3))))
            except ValueError:
                raise reader.error("not a number", card=name, found=line[:60]) from None
        elif match := _NUMBER.match(line):
            sizes[match.group(1).lower()] = int(match.group(2))
        else:
            raise reader.error("this line belongs to no Taylor object", card=name, found=line)
    missing = [key for key in ("order", "nrow", "ncol", "nq", "structure") if key not in sizes]
    if missing:
        raise reader.error("sizes are missing", card=name, expected=", ".join(missing))
    rows, columns, modes, structure = sizes["nrow"], sizes["ncol"], sizes["nq"], sizes["structure"]
    refuse_oversize(reader.path, f"the object {name}", 8 * rows * columns * (1 + (modes if sizes["order"] > 0 else 0)))
    m0 = np.eye(rows, columns) if structure == 4 else np.zeros((rows, columns))
    m1 = np.zeros((rows, modes, columns)) if sizes["order"] > 0 else None
    for which, index, value in entries:
        target = m0 if which == "m0" else m1
        if target is None or which == "mn":
            raise reader.error("terms above the stated order", card=name, found=which)
        if len(index) != target.ndim or any(not 0 <= i < n for i, n in zip(index, target.shape)):
            raise reader.error("index out of range", card=name, found=[i + 1 for i in index], expected=target.shape)
        target[tuple(index)] = value
        if structure == 2 and which == "m0" and rows == columns:
            target[index[1], index[0]] = value
    return Taylor(m0, m1, structure)


def read_sid(path: str | Path) -> SidFile:
    """Read a ``.SID_FEM`` file."""
    path = Path(path)
    reader = _Reader(path)
    lines = iter(reader)
    head = next(lines)
    match = re.match(r"([0-9]{1,9})\s+([0-9]{1,9})(?![0-9])\s*:?(.*)", head)
    if match is None:
        raise reader.error("the first line is not 'nodes modes :text'", found=head[:60])
    comment, name, mass = match.group(3).strip(), storable(path.stem), float("nan")
    modes: dict[int, str] = {}
    nodes: list[SidNode] = []
    objects: dict[str, Taylor] = {}
    inside: tuple[str, dict[str, Taylor]] | None = None
    for line in lines:
        key, _, value = (part.strip() for part in line.partition("="))
        word = key.lower()
        if word == "end part":
            break
        if word == "new modal":
            name = value or name
        elif word == "mass":
            try:
                mass = fortran_number(value)
            except ValueError:
                raise reader.error("not a number", card="mass", found=value[:60]) from None
        elif word.startswith("ielastq"):
            digits = re.search(r"[0-9]{1,9}", key)
            if digits is None:
                raise reader.error("a mode without a number", found=line[:60])
            modes[int(digits.group())] = value
        elif word == "new node":
            inside = (value, {})
        elif word == "end node" and inside is not None:
            nodes.append(SidNode(*inside))
            inside = None
        elif inside is not None and key in NODE_OBJECTS:
            inside[1][key] = _taylor(reader, key)
        elif key in BODY_OBJECTS:
            objects[key] = _taylor(reader, key)
        elif word in ("part", "refmod", "end refmod", "frame", "end frame", "end modal", "nelastq", "rframe"):
            continue
        else:
            raise reader.error("unknown keyword", found=line[:60])
    if int(match.group(2)) > len(reader.lines):
        raise ReadError(path, 1, "states more modes than the file has lines", found=int(match.group(2)))
    names = tuple(modes.get(i + 1, f"mode {i + 1}") for i in range(int(match.group(2))))
    return SidFile(
        path=path, name=name, comment=comment, mass=mass, mode_names=names, nodes=tuple(nodes), objects=objects
    )
