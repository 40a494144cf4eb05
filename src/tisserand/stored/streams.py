"""A file that HDF5 writes to without ever seeing a write fail: the library does not survive a disk that fills up under it."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Buffer

Value = TypeVar("Value")


class PatientStream(io.RawIOBase):
    """Passes everything on to a plain stream; after the first error nothing more is written, and ``failure`` holds it.

    Args:
        stream: opened for reading and writing.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self._place, self._end = stream, 0, 0
        self.failure: OSError | None = None

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._place = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._end}[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def write(self, data: Buffer) -> int:
        view = memoryview(data).cast("B")
        self._try(lambda: self._write(view), 0)
        self._place += len(view)
        self._end = max(self._end, self._place)
        return len(view)

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer).cast("B")
        content = self._try(lambda: self._read(len(view)), b"")
        view[: len(content)] = content
        view[len(content) :] = bytes(len(view) - len(content))  # what was never written
        self._place += len(view)
        return len(view)

    def truncate(self, size: int | None = None) -> int:
        self._end = self._place if size is None else size
        return self._try(lambda: self.stream.truncate(self._end), self._end)

    def flush(self) -> None:
        if not self.closed:
            self._try(self.stream.flush, None)

    def _write(self, view: memoryview) -> int:
        self.stream.seek(self._place)
        return self.stream.write(view)

    def _read(self, count: int) -> bytes:
        self.stream.seek(self._place)
        return self.stream.read(count)

    def _try(self, act: Callable[[], Value], otherwise: Value) -> Value:
        """What ``act`` gives; ``otherwise`` once something has failed."""
        if self.failure is None:
            try:
                return act()
            except OSError as error:
                self.failure = error
        return otherwise
