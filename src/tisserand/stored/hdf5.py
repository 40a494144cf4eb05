"""HDF5 files opened with care: the library that reads them loops on damaged heaps and follows links to other files.

Before a reader sees the file, its heaps of texts are walked (a damaged one hangs HDF5), and every link and data set is
inspected: what points outside the file, or states more data than the file can hold, is refused.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tisserand.errors import FileError
from tisserand.files import atomic_path
from tisserand.stored.damage import parsing
from tisserand.stored.limits import refuse_oversize
from tisserand.stored.seal import seal
from tisserand.stored.streams import PatientStream

_HEAP = b"GCOL"
#: Groups and data sets in one file; ours hold hundreds.
_MOST_OBJECTS = 100_000
_DEPTH = 32


@contextmanager
def open_hdf5(path: str | Path, error: type[FileError] = FileError) -> Iterator[Any]:
    """The open file, after the checks; invalid content, found then or while the block reads, raises ``error``.

    Only read inside the block; process the values after it.
    """
    import h5py

    path = Path(path)
    damaged = "the HDF5 file is truncated, damaged or of another layout"
    with parsing(path, damaged, error, advice="write it again from its source"):
        with _refusing_as(error):
            _refuse_endless_heaps(path)
        with h5py.File(path, "r") as file:
            with _refusing_as(error):
                _refuse_strangers(path, file)
            yield file


@contextmanager
def _refusing_as(kind: type[FileError]) -> Iterator[None]:
    """A refusal in the words of the reader that opened the file."""
    try:
        yield
    except FileError as error:
        facts = {"found": error.found, "expected": error.expected, "advice": error.advice}
        raise kind(error.path, error.what, **facts) from None


@contextmanager
def create_hdf5(target: str | Path, *, overwrite: bool = True, track_order: bool = False) -> Iterator[Any]:
    """A new HDF5 file that appears at ``target`` whole or not at all, sealed by a digest of its content.

    Data go to the disk as they are put in, through a stream that keeps the error of a full disk until HDF5 has closed.
    """
    import h5py

    with atomic_path(target, overwrite=overwrite) as temporary, open(temporary, "w+b") as plain:
        stream = PatientStream(plain)
        try:
            with h5py.File(stream, "w", track_order=track_order) as file:
                yield file
                if stream.failure is None:
                    seal(file)
        finally:
            if stream.failure is not None:
                raise stream.failure
        plain.flush()


def _refuse_endless_heaps(path: Path) -> None:
    """Walk every heap of variable-length values; an object that does not end inside its heap stops HDF5 for good."""
    if path.stat().st_size < 16:
        return
    with open(path, "rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        width = _width_of_lengths(data)
        at = data.find(_HEAP)
        while at >= 0:
            if data[at + 4 : at + 8] == b"\x01\0\0\0":
                _walk_heap(path, data, at, width)
            at = data.find(_HEAP, at + 4)


def _width_of_lengths(data: mmap.mmap) -> int:
    """Bytes of a length, as the superblock states them (HDF5 File Format Specification, II.A)."""
    start = data.find(b"\x89HDF\r\n\x1a\n")
    if start < 0 or start + 16 > len(data):
        return 8
    return data[start + 14] if data[start + 8] < 2 else data[start + 10]


def _walk_heap(path: Path, data: mmap.mmap, start: int, width: int) -> None:
    """Header and objects are aligned to 8 bytes: 16 of header, then index, count, length and content of each object (III.E)."""

    def number(at: int, count: int) -> int:
        return int.from_bytes(data[at : at + count], "little")

    size = number(start + 8, width)
    end, at = start + size, start + 16
    sound = size >= 16 and end <= len(data)
    while sound and at + 16 <= end:
        length = number(at + 8, width)
        if number(at, 2) == 0:  # free space: the rest of the heap, its own header included
            sound = length == end - at
            break
        at += 16 + (length + 7) // 8 * 8
        sound = at <= end
    if not sound:
        raise FileError(path, "the HDF5 file is damaged", found=f"a heap of texts at byte {start} that does not fit")


def _refuse_strangers(path: Path, file: Any) -> None:
    """Every link is inside the file, every data set fits it; visited without opening anything twice."""
    import h5py

    total, seen, waiting = 0, set(), [("", file, 0)]
    while waiting:
        where, group, depth = waiting.pop()
        for name in group:
            place = f"{where}/{name}"
            link = group.get(name, getlink=True)
            if isinstance(link, h5py.ExternalLink):
                raise FileError(path, "links to another file are not followed", found=f"{place} -> {link.filename}")
            if isinstance(link, h5py.SoftLink):
                continue  # stays inside the file, where its target is met
            item = group[name]
            address = h5py.h5o.get_info(item.id).addr
            if address in seen:
                continue
            seen.add(address)
            if len(seen) > _MOST_OBJECTS or depth > _DEPTH:
                raise FileError(path, "contains too many groups", found=f"at {place}")
            if isinstance(item, h5py.Group):
                waiting.append((place, item, depth + 1))
            elif isinstance(item, h5py.Dataset):
                if item.external or item.is_virtual:
                    raise FileError(path, "data kept in another file are not read", found=place)
                total += int(item.size or 0) * max(item.dtype.itemsize, 1)
                refuse_oversize(path, place, total)
