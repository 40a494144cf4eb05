"""CalculiX results: shapes and nodes of an FRD file, eigenvalues and effective masses of the DAT file that ccx writes with it.

Layout: Wittig, "CalculiX GraphiX User's Manual", section 11 (text form); columns are fixed, so numbers may touch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import FileError, ReadError
from tisserand.files import text_of
from tisserand.readers.signatures import signature
from tisserand.readers.supplier.supplier_modes import EffectiveMasses, Geometry, SupplierModes

#: FRD element types -> edges between corner nodes, for drawing.
_HEXA = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
_PENTA = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
_TETRA = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
_EDGES = {1: _HEXA, 2: _PENTA, 3: _TETRA, 4: _HEXA, 5: _PENTA, 6: _TETRA, 11: ((0, 1),), 12: ((0, 1),)}
#: Difference of a mode's frequency between the two files, part of the highest one: printed digits.
_SAME_FREQUENCY = 1e-4
_TITLES = {"PARTICIPATIONFACTORS": "participation", "EFFECTIVEMODALMASS": "masses", "EIGENVALUEOUTPUT": "eigenvalues"}


def read_frd(path: Path, subcase: int | None = None) -> SupplierModes:
    """Modes of an FRD file, or of the FRD file that lies with a DAT file; translations only, basic axes, unit modal mass."""
    with path.open("rb") as stream:
        printed = signature(stream.read(1000)) == "ccx dat"
    frd = path.with_suffix(".frd") if printed else path
    if not frd.exists():
        raise FileError(
            path, "the shapes are missing", expected=f"{frd.name} in the same folder", advice="ask for *NODE FILE, U"
        )
    if subcase not in (None, 1):
        raise FileError(path, "CalculiX results have no subcases", found=subcase)
    lines = text_of(frd).splitlines()
    if not any(line.strip() == "9999" for line in lines[-3:]):
        raise FileError(frd, "is no FRD file of CalculiX, or was cut off", found="no line 9999 at its end",
                        expected="a complete FRD file, text form")  # fmt: skip
    ids, positions = _nodes(frd, lines)
    modes = _modes(frd, lines, ids)
    dat = frd.with_suffix(".dat")
    tables = _tables(dat) if dat.exists() else {}
    numbers = [number for number, _, _ in modes]
    hz = np.array([value for _, value, _ in modes])
    eigenvalues = (2.0 * np.pi * hz) ** 2
    stated = tables.get("eigenvalues", {})
    if all(number in stated for number in numbers):
        eigenvalues = np.array([stated[number][0] for number in numbers])
    _refuse_other_run(frd, dat, hz, eigenvalues)
    if any(stated[n][1] and stated[n][3] for n in numbers if n in stated and len(stated[n]) > 3):  # one of both: real
        raise FileError(frd, "the file holds complex modes", expected="real modes (*FREQUENCY)")
    shapes = np.zeros((len(ids), 6, len(numbers)))
    shapes[:, :3] = np.stack([values for _, _, values in modes], axis=2)
    given = np.tile(np.arange(6) < 3, (len(ids), 1))
    return SupplierModes(
        path=frd,
        program="CalculiX",
        numbers=np.array(numbers, np.int64),
        eigenvalues=eigenvalues,
        node_ids=ids,
        shapes=shapes,
        given=given,
        local_axes=False,
        modal_masses=np.ones(len(numbers)),
        geometry=Geometry(ids=ids, positions=positions, lines=_lines(lines)),
        effective=_effective(tables, numbers),
        parts=("nodes, displacements", *(("eigenvalues, participation",) if tables else ())),
        notes=() if tables else (f"{dat.name} is not there: eigenvalues are the frequencies of the shapes' headings",),
    )


def _refuse_other_run(frd: Path, dat: Path, hz: FloatArray, eigenvalues: FloatArray) -> None:
    """Frequencies of the shapes (printed with six digits) must be those of the eigenvalue table."""
    own = np.sqrt(np.maximum(eigenvalues, 0.0)) / (2.0 * np.pi)
    gap = np.abs(own - hz)
    if (gap > _SAME_FREQUENCY * np.maximum(hz.max(), 1e-300)).any():
        worst = int(gap.argmax())
        raise FileError(
            dat, "belongs to another run than the shapes", found=f"{own[worst]:.6g} Hz",
            expected=f"{hz[worst]:.6g} Hz, as in {frd.name}", advice="send both files of one run",
        )  # fmt: skip


def _nodes(path: Path, lines: list[str]) -> tuple[IntArray, FloatArray]:
    starts = [at for at, line in enumerate(lines) if line.startswith("    2C")]
    if not starts:
        raise FileError(
            path, "is not an FRD file of CalculiX that can be read", expected="a block of nodes (2C), text form"
        )
    ids, values = _rows(path, lines, starts[0] + 1)
    return ids, values


def _rows(path: Path, lines: list[str], at: int) -> tuple[IntArray, FloatArray]:
    """Node ids (n,) and three numbers each (n, 3) from fixed columns, to the line ``-3``."""
    ids, values = [], []
    while at < len(lines) and not lines[at].startswith(" -3"):
        line = lines[at]
        if line.startswith(" -1"):
            try:
                ids.append(int(line[3:13]))
                values.append([float(line[13 + 12 * i : 25 + 12 * i]) for i in range(3)])
            except ValueError as error:
                raise ReadError(path, at + 1, "a node's numbers cannot be read", found=repr(line[:60])) from error
        at += 1
    if at >= len(lines) or not ids:
        raise FileError(path, "was cut off: a block has no end", expected="a complete FRD file")
    return np.array(ids, np.int64), np.array(values)


def _modes(path: Path, lines: list[str], ids: IntArray) -> list[tuple[int, float, FloatArray]]:
    """Number, frequency (Hz) and translations (n, 3) of every modal displacement block."""
    out: list[tuple[int, float, FloatArray]] = []
    number, hz, modal = 0, 0.0, False
    for at, line in enumerate(lines):
        if line.startswith("    1PMODE"):
            number = int(line[10:40].strip() or 0) if line[10:40].strip().isdigit() else 0
        elif line.startswith("  100C"):
            modal, hz = "MODAL" in line, _frequency(path, at, line)
        elif line.startswith(" -4  DISPI"):
            raise ReadError(path, at + 1, "complex modes are not read", found="imaginary displacements")
        elif line.startswith(" -4  DISP") and modal:
            nodes, values = _rows(path, lines, at + 1)
            if not np.array_equal(nodes, ids):
                raise ReadError(
                    path, at + 1, "a mode lists other nodes than the mesh", advice="ask for *NODE FILE, U of all nodes"
                )
            out.append((number or len(out) + 1, hz, values))
    if not out:
        raise FileError(path, "the file holds no modes", expected="displacements of a *FREQUENCY step")
    return out


def _frequency(path: Path, at: int, line: str) -> float:
    try:
        return float(line[12:24])
    except ValueError as error:
        raise ReadError(path, at + 1, "a frequency cannot be read", found=repr(line[:40])) from error


def _lines(lines: list[str]) -> IntArray:
    """Edges (e, 2) of the elements between the lines 3C and -3, node ids."""
    out: list[tuple[int, int]] = []
    start = next((at for at, line in enumerate(lines) if line.startswith("    3C")), len(lines))
    kind = 0
    for line in lines[start + 1 :]:
        if line.startswith(" -3"):
            break
        words = line.split()
        if line.startswith(" -1") and len(words) > 2 and words[2].isdigit():
            kind = int(words[2])
        elif line.startswith(" -2") and kind in _EDGES:
            nodes = [int(word) for word in words[1:] if word.isdigit()]
            out += [(nodes[a], nodes[b]) for a, b in _EDGES[kind] if max(a, b) < len(nodes)]
            kind = 0
    return np.unique(np.array(out, np.int64).reshape(-1, 2), axis=0)


def _tables(path: Path) -> dict[str, dict[int, list[float]]]:
    """Rows by mode number of the printed tables; the last step counts."""
    found: dict[str, dict[int, list[float]]] = {}
    name = ""
    for line in text_of(path).splitlines():
        title = line.replace(" ", "")
        if title.isalpha() and title.isupper() and all(len(letter) == 1 for letter in line.split()):
            name = _TITLES.get(title, "")
            if name:
                found[name] = {}
            continue
        words = line.split()
        if name and len(words) >= 5 and words[0].isdigit():
            found[name][int(words[0])] = _numbers(words[1:])
    return found


def _numbers(words: list[str]) -> list[float]:
    try:
        return [float(word) for word in words]
    except ValueError:
        return []


def _effective(tables: dict[str, dict[int, list[float]]], numbers: list[int]) -> EffectiveMasses | None:
    """Participation factors and effective masses (6, k) about the basic origin."""
    parts: dict[str, Any] = {}
    for name in ("participation", "masses"):
        rows = tables.get(name, {})
        if all(len(rows.get(number, [])) == 6 for number in numbers):
            parts[name] = np.array([rows[number] for number in numbers]).T
    return EffectiveMasses(**parts) if parts else None
