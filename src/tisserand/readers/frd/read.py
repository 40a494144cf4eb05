"""CalculiX results: shapes and nodes of an FRD file, eigenvalues and effective masses of the DAT file that ccx writes with it.

Layout: Wittig, "CalculiX GraphiX User's Manual", section 11 (text form); columns are fixed, so numbers may touch.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import FileError, ReadError
from tisserand.files import text_of
from tisserand.readers.file_marks import signature
from tisserand.readers.frd.dat_tables import DatTables, read_dat
from tisserand.readers.supplier.supplier_modes import Geometry, SupplierModes

#: FRD element types -> edges between corner nodes, for drawing.
_HEXA = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
_PENTA = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
_TETRA = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
_EDGES = {1: _HEXA, 2: _PENTA, 3: _TETRA, 4: _HEXA, 5: _PENTA, 6: _TETRA, 11: ((0, 1),), 12: ((0, 1),)}
#: Difference of a mode's frequency between the two files, part of the highest one: printed digits.
_SAME_FREQUENCY = 1e-4


@dataclass(frozen=True, eq=False)
class _Mode:
    """One modal displacement block: step, number, frequency (Hz), generalized mass, node ids (n,), translations (n, 3)."""

    step: int
    number: int
    hz: float
    mass: float
    ids: IntArray
    values: FloatArray


def read_frd(path: Path, subcase: int | None = None) -> SupplierModes:
    """Modes of an FRD file, or of the FRD file next to a DAT file; translations only, basic axes.

    subcase: number of the *FREQUENCY step, where the file holds several.
    """
    with path.open("rb") as stream:
        printed = signature(stream.read(1000)) == "ccx dat"
    frd = path.with_suffix(".frd") if printed else path
    if not frd.exists():
        raise FileError(
            path, "the shapes are missing", expected=f"{frd.name} in the same folder", advice="ask for *NODE FILE, U"
        )
    lines = text_of(frd).splitlines()
    if not any(line.strip() == "9999" for line in lines[-3:]):
        raise FileError(frd, "is not an FRD file of CalculiX, or was cut off", found="no line 9999 at its end",
                        expected="a complete FRD file, text form")  # fmt: skip
    mesh, positions = _nodes(frd, lines)
    every, complex_found = _modes(frd, lines)
    steps = sorted({mode.step for mode in every})
    step = _step(frd, every, subcase)
    modes = [mode for mode in every if mode.step == step]
    ids = _listed(frd, modes, mesh)
    dat = frd.with_suffix(".dat")
    tables, printed_complex = _printed(dat, every, steps, step) if dat.exists() else (None, False)
    numbers = [mode.number for mode in modes]
    hz = np.array([mode.hz for mode in modes])
    eigenvalues = (2.0 * np.pi * hz) ** 2
    notes = (
        [] if len(steps) < 2 else [f"step {step} is read; modes of steps {', '.join(map(str, steps))} are in the file"]
    )
    if complex_found or printed_complex:
        notes.append("complex modes in the same file are not used")
    if tables is None:
        notes.append(f"{dat.name} is not there: eigenvalues are the frequencies of the shapes' headings")
    else:
        stated = tables.rows["eigenvalues"]
        eigenvalues = np.array([stated[number][0] for number in numbers])
        _refuse_other_run(frd, dat, hz, eigenvalues)
        if any(stated[number][1] and stated[number][3] for number in numbers):  # one of both: real
            raise FileError(frd, "the file holds complex modes", expected="real modes (*FREQUENCY)")
    shapes = np.zeros((len(ids), 6, len(numbers)))
    shapes[:, :3] = np.stack([mode.values for mode in modes], axis=2)
    return SupplierModes(
        path=frd,
        program="CalculiX",
        numbers=np.array(numbers, np.int64),
        eigenvalues=eigenvalues,
        node_ids=ids,
        shapes=shapes,
        given=np.tile(np.arange(6) < 3, (len(ids), 1)),
        local_axes=False,
        modal_masses=np.array([mode.mass for mode in modes]),
        geometry=Geometry(ids=mesh, positions=positions, lines=_lines(lines)),
        effective=None if tables is None else tables.effective(numbers),
        subcase=step if len(steps) > 1 else None,
        parts=("nodes, displacements", *(() if tables is None else ("eigenvalues, participation",))),
        notes=tuple(notes),
    )


def _step(path: Path, modes: list[_Mode], wanted: int | None) -> int:
    """The step to read: the stated one, or the only one."""
    steps = sorted({mode.step for mode in modes})
    words = "; ".join(
        f"step {step}: {len(hz)} modes from {min(hz):.5g} to {max(hz):.5g} Hz"
        for step in steps
        for hz in [[mode.hz for mode in modes if mode.step == step]]
    )
    if wanted is not None and wanted in steps:
        return wanted
    if wanted is not None:
        raise FileError(path, "the file has no modes of this step", found=wanted, expected=words)
    if len(steps) > 1:
        raise FileError(
            path, "the file holds modes of several *FREQUENCY steps", found=words, advice="state one with --step"
        )
    return steps[0]


def _listed(path: Path, modes: list[_Mode], mesh: IntArray) -> IntArray:
    """Node ids of the shapes: the same in every mode, all in the mesh."""
    ids = modes[0].ids
    for mode in modes:
        if not np.array_equal(mode.ids, ids):
            raise FileError(path, "modes list different nodes", found=f"mode {mode.number}",
                            advice="ask for *NODE FILE, U with one set of nodes")  # fmt: skip
    lost = ids[~np.isin(ids, mesh)]
    if len(lost):
        raise FileError(path, "a shape lists a node that the mesh lacks", found=f"node {int(lost[0])}")
    return ids


def _printed(dat: Path, modes: list[_Mode], steps: list[int], step: int) -> tuple[DatTables, bool]:
    """The tables of the step, and whether complex ones are there too; a DAT file of another number of steps is refused."""
    found, complex_found = read_dat(dat, [[mode.number for mode in modes if mode.step == one] for one in steps])
    if len(found) != len(steps):
        raise FileError(dat, "does not fit the shapes", found=f"{len(found)} eigenvalue tables",
                        expected=f"{len(steps)}, one for each *FREQUENCY step", advice="send both files of one run")  # fmt: skip
    return found[steps.index(step)], complex_found


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


def _modes(path: Path, lines: list[str]) -> tuple[list[_Mode], bool]:
    """Every real modal displacement block, and whether complex ones are there too.

    Lines 1PSTEP (the third number is the step), 1PGM and 1PMODE precede it. Steps with imaginary displacements are left out.
    """
    out: list[_Mode] = []
    unreal: dict[int, int] = {}
    step, number, mass, hz, modal = 1, 0, 1.0, 0.0, False
    for at, line in enumerate(lines):
        words = line.split()
        if line.startswith("    1PSTEP"):
            step, number, mass = int(_value(path, at, words[-1])), 0, 1.0
        elif line.startswith("    1PGM"):
            mass = _value(path, at, words[-1])
        elif line.startswith("    1PMODE"):
            number = int(_value(path, at, words[-1]))
        elif line.startswith("  100C"):
            modal, hz = "MODAL" in line, _value(path, at, line[12:24])
        elif line.startswith(" -4  DISPI"):
            unreal.setdefault(step, at + 1)
        elif line.startswith(" -4  DISP") and modal:
            ids, values = _rows(path, lines, at + 1)
            counted = sum(mode.step == step for mode in out) + 1
            out.append(_Mode(step, number or counted, hz, mass, ids, values))
    real = [mode for mode in out if mode.step not in unreal]
    if unreal and not real:
        raise ReadError(path, next(iter(unreal.values())), "complex modes are not read", found="imaginary displacements",
                        expected="real modes (*FREQUENCY without cyclic symmetry)")  # fmt: skip
    if not real:
        raise FileError(path, "the file holds no modes", expected="displacements of a *FREQUENCY step")
    return real, bool(unreal)


def _value(path: Path, at: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise ReadError(path, at + 1, "a number of a heading cannot be read", found=repr(text[:40])) from error
    if not np.isfinite(value):
        raise ReadError(path, at + 1, "a number of a heading is not finite", found=repr(text[:40]))
    return value


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
