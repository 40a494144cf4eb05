"""An OP2 file as ``SupplierModes``: which tables belong together, and their contents."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import FileError
from tisserand.readers.op2.added_vectors import added_vectors
from tisserand.readers.op2.data_blocks import DataBlocks
from tisserand.readers.op2.op2_geometry import read_geometry
from tisserand.readers.op2.tables import (
    LAMA,
    VECTORS,
    Lama,
    Vector,
    effective_masses,
    eigenvalue_tables,
    mass_summary,
    wtmass,
)
from tisserand.readers.op2.tables import vectors as read_vectors
from tisserand.readers.supplier.subcases import chosen_subcase
from tisserand.readers.supplier.supplier_modes import SupplierKind, SupplierModes, kinds_of

#: Matrices larger than this are not kept for information, numbers.
_MOST_KEPT = 4_000_000
#: Eigenvalues of a table and of a heading are one number in single precision; those of rigid-body modes are round-off.
_SAME, _ROUND_OFF = 1e-5, 1e-9
_EIGHT = "modes in words of 8 bytes: this layout was tested on no file of another program; compare with the printed run"


def read_op2(path: Path, subcase: int | None = None) -> SupplierModes:
    """Modes of an OP2 file. Of several solutions (upstream superelements) the last one counts, and the others are named."""
    with DataBlocks(path) as file:
        tables = eigenvalue_tables(file)
        shapes, complex_found = read_vectors(file)
        if not tables and not shapes:
            _refuse(file, complex_found)
        notes = ["complex modes in the same file are not used"] if complex_found else []
        if file.word == 8:
            notes.append(_EIGHT)
        if not file.ended:
            notes.append("the file has no end mark: data blocks after the last one may be missing")
        case = chosen_subcase(path, _cases(tables, shapes), subcase)
        own = [shape for shape in shapes if shape.subcase == case] or shapes
        table = _table(path, tables, own, case, notes)
        own = _last_solution(tables, own, table)
        numbers = _numbers(table, own)
        notes += _left_out(table, own)
        ids, values, scalar = _joined(path, own, numbers, notes)
        eigenvalues, masses = _facts(table, own, numbers)
        effective, rigid = effective_masses(file, len(numbers))
        geometry = read_geometry(file, notes)
        summary = mass_summary(file)
        if summary is None and rigid is not None:
            summary = rigid
            notes.append("no weight table: the rigid mass of the effective-mass output is used")
        kept = {name: m for name, m in file.matrices().items() if m.size <= _MOST_KEPT}
        names = [
            name
            for name in dict.fromkeys(file.names)
            if name in (*LAMA, *VECTORS) or name.startswith(("GEOM", "OGPWG", "EPT", "MPT"))
        ]
        return SupplierModes(
            path=path,
            program=_program(file.label),
            numbers=numbers,
            eigenvalues=eigenvalues,
            kinds=_kinds(file, case, eigenvalues),
            node_ids=ids,
            shapes=values,
            given=np.where(scalar[:, None], np.arange(6) == 0, True),
            scalar=scalar,
            modal_masses=masses,
            geometry=geometry,
            mass=summary,
            effective=effective,
            wtmass=wtmass(file),
            matrices=kept,
            subcase=case or None,
            parts=tuple(names),
            notes=tuple(notes),
        )


def _kinds(file: DataBlocks, case: int, eigenvalues: FloatArray) -> tuple[SupplierKind, ...]:
    hz = np.sqrt(np.maximum(eigenvalues, 0.0)) / (2.0 * np.pi)
    added = added_vectors(file, case, hz)
    return tuple("residual" if own else kind for own, kind in zip(added.tolist(), kinds_of(eigenvalues)))


def holds_modes(path: Path) -> bool:
    """Whether an OP2 file is one of results; one of matrices alone (DMIGOP2, EXTSEOUT) is read as matrices."""
    with DataBlocks(path) as file:
        return not file.names or any(name in (*LAMA, *VECTORS, "OGPWG", "CLAMA") for name in file.names)


def _refuse(file: DataBlocks, complex_found: bool) -> None:
    if complex_found or "CLAMA" in file.names:
        raise FileError(file.path, "the file holds complex modes only", expected="real modes (SOL 103)",
                        advice="ask for the real eigenvalue solution")  # fmt: skip
    names = list(dict.fromkeys(file.names))
    if not names:
        raise FileError(file.path, "the file holds no data blocks", expected="the output of a complete run",
                        advice="the run stopped early; look for its reason in the printed file")  # fmt: skip
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    raise FileError(
        file.path, "the file holds no modes", found="data blocks " + ", ".join(names[:12]) + more,
        expected="an eigenvalue table (LAMA) or eigenvectors (OUGV1, BOPHIG)",
        advice="ask for the OP2 file of a SOL 103 run with PARAM,POST,-1 and VECTOR = ALL",
    )  # fmt: skip


def _cases(tables: list[Lama], shapes: list[Vector]) -> list[int]:
    found = {shape.subcase for shape in shapes} or {table.subcase for table in tables}
    return sorted(found)


def _table(path: Path, tables: list[Lama], shapes: list[Vector], case: int, notes: list[str]) -> Lama | None:
    """The eigenvalue table of the case: the last one whose eigenvalues are those of the shapes' headings, if there are shapes."""
    fitting = [t for t in tables if t.subcase in (case, 0)] or tables
    if not fitting:
        notes.append(
            "no eigenvalue table: eigenvalues are those of the eigenvectors' headings, modal masses are not stated"
        )
        return None
    agreeing = [t for t in fitting if not _stranger(t, _last_solution(tables, shapes, t))]
    if not agreeing:
        number = _stranger(fitting[-1], _last_solution(tables, shapes, fitting[-1]))
        raise FileError(path, "eigenvalues of the table and of the eigenvectors' headings differ", found=f"mode {number}",
                        expected="tables and eigenvectors of one solution", advice="the file mixes runs or subcases")  # fmt: skip
    if len(fitting) > 1:
        notes.append(_several(fitting, agreeing[-1]))
    return agreeing[-1]


def _several(tables: list[Lama], used: Lama) -> str:
    """Which solution is used, and which ones are left out: runs of superelements, or a second run in one file."""

    def words(table: Lama) -> str:
        hz = np.sqrt(np.maximum(table.eigenvalues, 0.0)) / (2.0 * np.pi)
        return f"{len(hz)} modes from {hz.min():.6g} to {hz.max():.6g} Hz"

    left = "; ".join(
        words(table) + (" (the same eigenvalues)" if np.array_equal(table.eigenvalues, used.eigenvalues) else "")
        for table in tables
        if table is not used
    )
    return f"{len(tables)} solutions are in the file: used are the last {words(used)}; left out are {left}"


def _stranger(table: Lama, shapes: list[Vector]) -> int | None:
    """A mode whose heading states another eigenvalue than the table, beyond single precision; headings of zero state none."""
    rows = {int(n): float(v) for n, v in zip(table.numbers, table.eigenvalues)}
    size = float(np.abs(table.eigenvalues).max(initial=0.0))
    for shape in shapes:
        own = rows.get(shape.number)
        if own is None or shape.eigenvalue == 0.0:
            continue
        if abs(own - shape.eigenvalue) > _SAME * max(abs(own), abs(shape.eigenvalue)) + _ROUND_OFF * size:
            return shape.number
    return None


def _last_solution(tables: list[Lama], shapes: list[Vector], table: Lama | None) -> list[Vector]:
    """Shapes written after the table that counts; all of them where none follow it."""
    if table is None or len(tables) < 2:
        return shapes
    after = [shape for shape in shapes if shape.place > table.place]
    return after or shapes


def _numbers(table: Lama | None, shapes: list[Vector]) -> np.ndarray:
    if shapes:
        listed = sorted({shape.number for shape in shapes})
        if table is not None:
            listed = [n for n in listed if n in set(table.numbers.tolist())]
        return np.array(listed, np.int64)
    assert table is not None
    return np.asarray(table.numbers)


def _left_out(table: Lama | None, shapes: list[Vector]) -> list[str]:
    """That modes are listed without a shape, or shapes without an eigenvalue."""
    if table is None or not shapes:
        return []
    listed, shown = set(table.numbers.tolist()), {shape.number for shape in shapes}
    parts = ((listed - shown, "are listed without a shape"), (shown - listed, "have a shape but no row in the table"))
    return [f"modes {', '.join(map(str, sorted(lost)[:8]))} {words} and are left out" for lost, words in parts if lost]


def _facts(table: Lama | None, shapes: list[Vector], numbers: np.ndarray) -> tuple[FloatArray, FloatArray | None]:
    """Eigenvalues (k,) and generalized masses (k,) of the modes."""
    if table is None:
        by_number = {shape.number: shape.eigenvalue for shape in shapes}
        return np.array([by_number[int(n)] for n in numbers]), None
    rows = {int(n): row for row, n in enumerate(table.numbers)}
    keep = [rows[int(n)] for n in numbers]
    masses = table.masses[keep]
    return table.eigenvalues[keep], masses if (masses > 0.0).all() else None


def _joined(
    path: Path, shapes: list[Vector], numbers: np.ndarray, notes: list[str]
) -> tuple[np.ndarray, FloatArray, np.ndarray]:
    """Ids (n,), shapes (n, 6, k) and scalar points (n,); parts of one mode (superelements) are joined by node."""
    if not shapes:
        return np.zeros(0, np.int64), np.zeros((0, 6, len(numbers))), np.zeros(0, np.bool_)
    columns: dict[int, dict[str, np.ndarray]] = {}
    twice: list[int] = []
    for number in numbers.tolist():
        parts = [shape for shape in shapes if shape.number == number]
        ids = np.concatenate([part.ids for part in parts])
        unique, first = np.unique(ids, return_index=True)
        values = np.concatenate([part.values for part in parts])
        if len(unique) < len(ids):
            again = values - values[first][np.searchsorted(unique, ids)]
            if np.abs(again).max() > 1e-5 * max(float(np.abs(values).max()), 1e-300):
                raise FileError(path, "a node has two different motions in one mode", found=f"mode {number}",
                                advice="the file joins several runs; ask for one of them")  # fmt: skip
            twice.append(number)
        kinds = np.concatenate([part.kinds for part in parts])[first]
        columns[number] = {"ids": unique, "values": values[first], "kinds": kinds}
    if twice:
        notes.append(
            f"{len(twice)} modes are in the file twice with equal shapes, such as mode {twice[0]}; they are used once"
        )
    ids = columns[int(numbers[0])]["ids"]
    for number, column in columns.items():
        if not np.array_equal(column["ids"], ids):
            raise FileError(
                path, "modes list different nodes", found=f"mode {number}", advice="the output requests are mixed"
            )
    scalar = columns[int(numbers[0])]["kinds"] != 1
    values = np.stack([columns[int(n)]["values"] for n in numbers], axis=2)
    values[scalar, 1:] = 0.0
    return ids, values, scalar


def _program(label: str) -> str:
    if label.startswith("NX"):
        return f"Simcenter Nastran ({label})"
    return "MSC Nastran or compatible" if label in ("XXXXXXXX", "") else f"Nastran ({label})"
