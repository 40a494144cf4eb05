"""Data blocks of an OP2 file through pyyeti: raw records of tables, and matrices, with sizes checked first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.readers.op2.framing import check_frame
from tisserand.stored import bounded, parsing, refuse_oversize


@dataclass(frozen=True)
class Record:
    """Bytes of one record and the types of its words: signed integers and reals of 4 or 8 bytes."""

    raw: bytes
    integer: str
    real: str

    @property
    def word(self) -> int:
        return np.dtype(self.integer).itemsize

    def __len__(self) -> int:
        """Number of words."""
        return len(self.raw) // self.word

    def ints(self) -> Any:
        return np.frombuffer(self.raw[: len(self) * self.word], self.integer)

    def reals(self) -> Any:
        return np.frombuffer(self.raw[: len(self) * self.word], self.real)


class DataBlocks:
    """An open OP2 file: names in order, records of tables, matrices; ended: whether it has an end mark."""

    def __init__(self, path: Path) -> None:
        try:
            from pyyeti.nastran import op2
        except ImportError as error:
            raise InputError(
                "reading OP2 files needs pyyeti",
                where=str(path),
                advice="install it with: pip install tisserand[nastran]",
            ) from error
        self.ended = check_frame(path)
        self.path = path
        with self._guarded():
            self._file = op2.OP2(str(path))
        self.label: str = str(getattr(self._file, "_label", None) or "")
        order = {"=": "=", "<": "<", ">": ">"}[self._file._endian]
        size = int(self._file._ibytes)
        self.word, self.integer, self.real = size, f"{order}i{size}", f"{order}f{size}"
        self.names: list[str] = list(self._file.names)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        advice = "it may be damaged; copy it again"
        with parsing(self.path, "is not an OP2 file that can be read", advice=advice), bounded(self.path):
            yield

    def __enter__(self) -> DataBlocks:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.__exit__(None, None, None)

    def tables(self, *names: str) -> Iterator[tuple[int, str, list[Record]]]:
        """Place in the file, name and records of every table of these names, in file order."""
        for place, block in enumerate(self._file.dblist):
            if block.name in names and block.dbtype == 0:
                yield place, block.name, self._records(block)

    def _records(self, block: Any) -> list[Record]:
        out = []
        with self._guarded():
            self._file.set_position(block.start)
            self._file.rdop2nt()
            stream = self._file.file_handle()
            while stream.tell() < block.stop and (raw := self._file.rdop2record("bytes")) is not None:
                out.append(Record(raw, self.integer, self.real))
        return out

    def matrices(self, names: tuple[str, ...] | None = None) -> dict[str, FloatArray]:
        """The last real matrix of each name; complex ones are left out."""
        out: dict[str, FloatArray] = {}
        for block in self._file.dblist:
            if block.dbtype == 0 or (names is not None and block.name not in names):
                continue
            rows, columns = (int(n) for n in block.size)
            refuse_oversize(self.path, f"matrix {block.name}", 8 * max(rows, 0) * max(columns, 0))
            with self._guarded():
                self._file.set_position(block.start)
                self._file.rdop2nt()
                values = np.asarray(self._file.rdop2matrix(block.trailer))
            if not np.iscomplexobj(values):
                out[block.name] = np.asarray(values, dtype=float)
        return out
