"""A writer of OP2 files for tests: keys, records, tables and matrices, in words of 4 or 8 bytes of either byte order."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from tisserand.readers.supplier import SupplierModes


class Op2:
    """Bytes of an OP2 file (PARAM,POST,-1)."""

    def __init__(self, word: int = 4, order: str = "<", label: bytes = b"XXXXXXXX") -> None:
        self.word, self.order, self.raw = word, order, bytearray()
        self.integer, self.real = f"{order}i{word}", f"{order}f{word}"
        self.data(self.ints(1, 1, 26))
        self.data(b"".join(self.text(b"NASTRAN FORT TAPE ID CODE - "[i : i + 4]) for i in range(0, 28, 4)))
        self.data(self.name(label))
        self.key(-1)
        self.key(0)

    def ints(self, *values: int) -> bytes:
        return np.array(values, self.integer).tobytes()

    def reals(self, values: np.ndarray) -> bytes:
        return np.asarray(values, self.real).tobytes()

    def text(self, four: bytes) -> bytes:
        return four.ljust(self.word)

    def name(self, letters: bytes) -> bytes:
        letters = letters.ljust(8)
        return self.text(letters[:4]) + self.text(letters[4:8])

    def frame(self, body: bytes) -> None:
        mark = struct.pack(self.order + "i", len(body))
        self.raw += mark + body + mark

    def key(self, value: int) -> None:
        self.frame(self.ints(value))

    def data(self, body: bytes) -> None:
        self.key(len(body) // self.word)
        self.frame(body)

    def _begin(self, name: bytes, trailer: tuple[int, ...]) -> None:
        self.data(self.name(name))
        self.key(-1)
        self.data(self.ints(*trailer))
        self.key(-2)
        self.data(self.ints(0))
        self.data(self.name(name))

    def table(self, name: bytes, records: list[bytes]) -> None:
        self._begin(name, (101, 1, 0, 0, 0, 0, 0))
        for at, record in enumerate(records):
            self.key(-3 - at)
            self.data(self.ints(0))
            self.data(record)
        self.key(-3 - len(records))
        self.data(self.ints(0))
        self.key(0)

    def matrix(self, name: bytes, values: np.ndarray) -> None:
        """Columns as one string of doubles each: the row where it starts, then the numbers."""
        rows, columns = values.shape
        self._begin(name, (101, columns, rows, 2, 2, 0, 10000))
        words = 8 // self.word
        for k in range(columns):
            self.key(-3 - k)
            self.data(self.ints(1))
            self.key(rows * words)
            self.frame(self.ints(1) + np.asarray(values[:, k], self.order + "f8").tobytes())
        self.key(-3 - columns)
        self.data(self.ints(0))
        self.key(0)

    def write(self, path: Path) -> Path:
        self.key(0)
        path.write_bytes(bytes(self.raw))
        return path


def ident(
    file: Op2, *, approach: int, table: int, case: int, mode: int = 0, value: float = 0.0, width: int = 8, form: int = 1
) -> bytes:
    """The 146 words before a result: approach, table code, subcase, mode, eigenvalue, format and width."""
    head = np.zeros(146, file.integer)
    head[0], head[1], head[3], head[4], head[8], head[9] = 10 * approach, table, case, mode, form, width
    raw = bytearray(head.tobytes())
    raw[5 * file.word : 6 * file.word] = file.reals(np.array([value]))
    return bytes(raw)


def op2(path: Path, run: SupplierModes, *, word: int = 4, order: str = "<", cases: tuple[int, ...] = (1,), table: int = 7,
        approach: int = 2, matrices: dict[str, np.ndarray] | None = None, wtmass: float = 1.0,
        names: tuple[bytes, bytes] = (b"LAMA", b"OUGV1"), eigrl: tuple[float, int] | None = None) -> Path:  # fmt: skip
    """A modal run: parameters, geometry with CORD2R axes, weight table, eigenvalues and eigenvectors of each subcase."""
    file = Op2(word, order)
    file.table(
        b"PVT0",
        [file.name(b"POST") + file.ints(1, -1) + file.name(b"WTMASS") + file.ints(2) + file.reals(np.array([wtmass]))],
    )
    file.table(b"GEOM1", _geometry(file, run))
    if eigrl is not None:  # V2 and ND
        card = file.ints(308, 8, 348, 5) + file.reals(np.array([0.0, eigrl[0]])) + file.ints(eigrl[1], *(0,) * 23)
        file.table(b"DYNAMICS", [card])
        file.table(b"CASECC", [file.ints(case, 0, 0, 0, 5, *(0,) * 20) for case in cases])
    if run.mass is not None:
        file.table(b"OGPWG", [file.ints(0, 0, 0, 0) + bytes(142 * word), file.reals(run.mass.matrix.ravel() / wtmass)])
    for name, values in (
        {} if run.effective is None else {"MPFACS": run.effective.participation, "MEFMASS": run.effective.masses}
    ).items():
        file.matrix(name.encode(), values)
    for case in cases:
        rows = b"".join(
            file.ints(int(n), int(n)) + file.reals(np.array([v, np.sqrt(v), np.sqrt(v) / 6.283185307, m, m * v]))
            for n, v, m in zip(run.numbers, run.eigenvalues, run.modal_masses)
        )
        file.table(b"CLAMA" if approach == 9 else names[0], [ident(file, approach=approach, table=6, case=case), rows])
        records = []
        for k, n in enumerate(run.numbers):
            records.append(
                ident(file, approach=approach, table=table, case=case, mode=int(n), value=run.eigenvalues[k])
            )
            records.append(
                b"".join(
                    file.ints(10 * int(node) + 1, 1) + file.reals(row)
                    for node, row in zip(run.node_ids, run.shapes[:, :, k])
                )
            )
        if len(run.node_ids):
            file.table(names[1], records)
    for name, values in (matrices or {}).items():
        file.matrix(name.encode(), values)
    return file.write(path)


def _geometry(file: Op2, run: SupplierModes) -> list[bytes]:
    """GRID cards, and one CORD2R for every node with axes of its own."""
    axes = run.geometry.axes
    systems, grids = [], []
    for at, (node, place) in enumerate(zip(run.geometry.ids, run.geometry.positions)):
        cd = 0
        if axes is not None and not np.array_equal(axes[at], np.eye(3)):
            cd = 100 + at
            points = np.concatenate([place, place + axes[at][2], place + axes[at][0]])
            systems.append(file.ints(cd, 1, 2, 0) + file.reals(points))
        grids.append(file.ints(int(node), 0) + file.reals(place) + file.ints(cd, 0, 0))
    out = [file.ints(4501, 45, 1) + b"".join(grids)]
    return [file.ints(2101, 21, 8) + b"".join(systems), *out] if systems else out
