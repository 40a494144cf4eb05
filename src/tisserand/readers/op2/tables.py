"""Result tables of an OP2 file: eigenvalues (LAMA), eigenvectors (OUG), mass summary (OGPWG), effective masses.

Record layouts: MSC and Siemens, "DMAP Programmer's Guide", data blocks LAMA, OUG and OGPWG.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import FileError
from tisserand.readers.op2.data_blocks import DataBlocks, Record
from tisserand.readers.supplier.supplier_modes import EffectiveMasses, MassSummary, mirrored

LAMA = ("LAMA", "LAMAS", "BLAMA", "LAMA1")
VECTORS = ("OUGV1", "BOUGV1", "BOPHIG", "OUG1", "BOPHIGF", "OPHIG", "OUGV1PAT", "BOPHSA")
EFFECTIVE = ("MPFACS", "MEFMASS", "EFMFACS", "RBMASSS", "RBMASS")
_REAL_MODES, _BUCKLING, _COMPLEX_MODES = 2, 8, 9
_IDENT_WORDS = 50
_PARAMETER_WORDS = {1: 1, 2: 1, 3: 2, 4: 2, 5: 2, 6: 4}


@dataclass(frozen=True, eq=False)
class Lama:
    """An eigenvalue table: place in the file, mode numbers (k,), eigenvalues (k,), generalized masses (k,)."""

    place: int
    subcase: int
    numbers: IntArray
    eigenvalues: FloatArray
    masses: FloatArray


@dataclass(frozen=True, eq=False)
class Vector:
    """One mode shape: ids (n,), kinds (n,) 1 grid or 2 scalar, values (n, 6)."""

    place: int
    subcase: int
    number: int
    eigenvalue: float
    ids: IntArray
    kinds: IntArray
    values: FloatArray


def eigenvalue_tables(file: DataBlocks) -> list[Lama]:
    """Every LAMA in order; rows are mode, order, eigenvalue, radians, cycles, generalized mass and stiffness."""
    out = []
    for place, _, records in file.tables(*LAMA):
        for head, data in zip(records[0::2], records[1::2]):  # one pair for each subcase
            if len(data) % 7 or not len(data):
                continue
            ints, reals = (values.reshape(-1, 7) for values in (data.ints(), data.reals()))
            subcase = int(head.ints()[3]) if len(head) > 3 else 0
            numbers = ints[:, 0].astype(np.int64)
            out.append(Lama(place, subcase, numbers, reals[:, 2].astype(float), reals[:, 5].astype(float)))
    return out


def vectors(file: DataBlocks) -> tuple[list[Vector], bool]:
    """Every real mode shape in order, and whether complex ones are there too; other displacement tables are skipped."""
    out: list[Vector] = []
    complex_found = False
    for place, _, records in file.tables(*VECTORS):
        for ident, data in zip(records[0::2], records[1::2]):
            if len(ident) < _IDENT_WORDS:
                continue
            head = ident.ints()
            approach, table = int(head[0]) // 10, int(head[1])
            complex_found |= approach == _COMPLEX_MODES or (table // 1000 % 2 == 1 and table % 1000 == 7)
            if approach != _REAL_MODES or table % 1000 != 7 or int(head[8]) not in (0, 1) or table // 1000 in (1, 5):
                continue
            if table // 1000 not in (0, 4):
                raise FileError(file.path, "eigenvectors are sorted by node (SORT2)", expected="SORT1",
                                advice="ask for VECTOR(SORT1)")  # fmt: skip
            out.append(_vector(file.path, place, ident, data))
    return out, complex_found


def _vector(path: Path, place: int, ident: Record, data: Record) -> Vector:
    head, reals = ident.ints(), ident.reals()
    width = int(head[9])
    if width != 8 or len(data) % 8:
        raise FileError(path, "an eigenvector has rows of an unknown width", found=f"{width} words", expected=8)
    table = data.ints().reshape(-1, 8)
    return Vector(
        place,
        int(head[3]),
        int(head[4]),
        float(reals[5]),
        (table[:, 0] // 10).astype(np.int64),
        table[:, 1].astype(np.int64),
        data.reals().reshape(-1, 8)[:, 2:].astype(float),
    )


def mass_summary(file: DataBlocks) -> MassSummary | None:
    """MO of the first OGPWG; its reference grid is word 3 of the heading."""
    for _, _, records in file.tables("OGPWG", "OGPWGM"):
        if len(records) >= 2 and len(records[1]) >= 36:
            reference = int(records[0].ints()[2]) if len(records[0]) > 3 else 0
            stated = records[1].reals()[:36].astype(float).reshape(6, 6)
            return MassSummary(matrix=mirrored(file.path, stated), reference_id=max(reference, 0))
    return None


def parameters(file: DataBlocks) -> dict[str, int | float | str] | None:
    """Parameters of the parameter table (PVT0), which lists what differs from its default; None without that table.

    A parameter is a name of two words, a type and its value: one word for integers (1) and reals (2), two for texts (3) and
    doubles (4) and complex numbers (5), four for double complex ones (6). What follows an unknown type is left out.
    """
    for _, _, records in file.tables("PVT0", "PVT"):
        out: dict[str, int | float | str] = {}
        for record in records:
            ints, reals, at, word = record.ints(), record.reals(), 0, record.word
            while at + 3 < len(record):
                name, kind = _letters(record.raw[at * word : (at + 2) * word]), int(ints[at + 2])
                if kind in (1, 2):
                    out[name] = int(ints[at + 3]) if kind == 1 else float(reals[at + 3])
                elif kind == 3:
                    out[name] = _letters(record.raw[(at + 3) * word : (at + 5) * word])
                at += 3 + _PARAMETER_WORDS.get(kind, len(record))
        return out
    return None


def _letters(raw: bytes) -> str:
    return raw.decode("latin-1").replace(" ", "")


def wtmass(file: DataBlocks) -> float | None:
    """PARAM,WTMASS; None without a parameter table."""
    found = parameters(file)
    return None if found is None else float(found.get("WTMASS", 1.0))


def effective_masses(file: DataBlocks, count: int) -> tuple[EffectiveMasses | None, MassSummary | None]:
    """Signed participation factors and effective masses (6, k), and the rigid mass that they belong to.

    MPFACS is phi' M R over the modal mass; a matrix of other size (a direction without mass left out) is not used.
    """
    found = file.matrices(EFFECTIVE)
    sized = {name: values for name, values in found.items() if values.shape == (6, count)}
    rigid = found.get("RBMASSS", found.get("RBMASS"))
    summary = MassSummary(matrix=rigid, whole=False) if rigid is not None and rigid.shape == (6, 6) else None
    if "MPFACS" not in sized and "MEFMASS" not in sized:
        return None, summary
    return EffectiveMasses(
        masses=sized.get("MEFMASS"), participation=sized.get("MPFACS"), fractions=sized.get("EFMFACS")
    ), summary
