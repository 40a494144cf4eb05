"""The record structure of an OP2 file, checked before decoding: every length is compared with the file.

A file is a sequence of Fortran records (length, bytes, length). A record of one word is a key; a positive key states how many
words the next record has. Words have 4 or 8 bytes, in the byte order of the machine that wrote them.
"""

from __future__ import annotations

import struct
from pathlib import Path

from tisserand.errors import FileError

_WHOLE = "a complete OP2 file"


def check_frame(path: Path) -> bool:
    """Raise an error for a file that is not an OP2 file, was truncated, or has inconsistent lengths.

    A data block ends with a key of zero, and most programs end the file with one more: True where it is there.
    """
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = stream.read(4)
        order = _order(path, head)
        word = struct.unpack(order + "i", head)[0]
        stream.seek(0)
        promised, at = 0, 0
        last: tuple[int | None, int | None] = None, None  # the last two keys; None for a record of data
        while at < size:
            raw = stream.read(4)
            length = struct.unpack(order + "i", raw)[0] if len(raw) == 4 else -1
            if length < 0 or at + length + 8 > size:
                raise FileError(
                    path, "was cut off, or its byte order changes", found=f"a record beyond the end at byte {at}",
                    expected=_WHOLE, advice="copy it again in binary mode",
                )  # fmt: skip
            if promised:
                if length not in (promised * word, (promised + 1) * word):  # strings of a matrix: their row comes first
                    raise _broken(path, at, f"{length} bytes", f"{promised * word} as announced")
                promised, last = 0, (last[1], None)
                stream.seek(length, 1)
            elif length != word:
                raise _broken(path, at, f"{length} bytes", f"a key of {word}")
            else:
                key = struct.unpack(order + ("i" if word == 4 else "q"), stream.read(word))[0]
                if last == (0, 0) and key:  # further zeros are padding
                    raise _second_run(path, at)
                promised, last = max(key, 0), (last[1], key)
            if struct.unpack(order + "i", stream.read(4))[0] != length:
                raise _broken(path, at, "another length after the record", f"{length}")
            at += length + 8
    if promised:
        raise FileError(path, "was cut off: an announced record is missing", expected=_WHOLE)
    if last[1] != 0:
        raise FileError(path, "was cut off: its last data block has no end", expected=_WHOLE)
    return last[0] == 0


def _second_run(path: Path, at: int) -> FileError:
    return FileError(
        path, "holds a second file after its end mark", found=f"more records at byte {at}", expected="one run in one file",
        advice="two OP2 files were joined, or a run was appended to an old file; split them and state the one that is meant",
    )  # fmt: skip


def _order(path: Path, head: bytes) -> str:
    for order in "<>":
        if len(head) == 4 and struct.unpack(order + "i", head)[0] in (4, 8):
            return order
    raise FileError(
        path, "is not an OP2 file", found="no key at its start", expected="binary output of PARAM,POST (OUTPUT2)",
        advice="an F06 or punch file is text; rename it to its own ending",
    )  # fmt: skip


def _broken(path: Path, at: int, found: str, expected: str) -> FileError:
    return FileError(
        path, f"is damaged at byte {at}", found=found, expected=expected, advice="copy it again in binary mode"
    )
