"""What one input file may cost. docs/reliability.md lists these numbers; tests/fuzz holds every reader to them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from tisserand.errors import FileError

#: Deflate shrinks nothing by more than 1032; an array stated larger than this times its file is not in it.
EXPANSION = 1100
#: Bytes that any file may expand to, however small it is.
FLOOR = 1 << 26


@cache
def memory_limit() -> int:
    """Most that the arrays of one file may take, bytes: half of the machine's memory, or 4 GiB where that is unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        return 4 << 30


def refuse_oversize(path: Path, what: str, size: int) -> None:
    """Raise when ``size`` bytes are stated that the file cannot hold or this machine cannot take; nothing is allocated yet."""
    held = path.stat().st_size
    if size > max(FLOOR, EXPANSION * held):
        raise FileError(
            path,
            f"claims more data than it can contain in {what}",
            found=f"{size} bytes in a file of {held}",
            advice="the file is damaged or made to exhaust memory",
        )
    if size > memory_limit():
        raise FileError(
            path,
            f"{what} is too large for this machine",
            found=f"{size / 2**30:.1f} GiB",
            expected=f"at most half of the memory, {memory_limit() / 2**30:.1f} GiB",
        )
