"""Choice among several solutions in one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tisserand.errors import FileError


def chosen_subcase(path: Path, known: Sequence[int], wanted: int | None) -> int:
    """The subcase to read: the stated one, or the only one."""
    if wanted is not None:
        if wanted in known:
            return wanted
        if not (len(known) == 1 and known[0] == 0 and wanted == 1):
            raise FileError(
                path, "the file has no such subcase", found=wanted, expected=", ".join(str(case) for case in known)
            )
    if len(known) > 1:
        raise FileError(
            path,
            "the file holds modes of several subcases",
            found=", ".join(str(case) for case in known),
            advice="state one with --subcase",
        )
    return known[0]
