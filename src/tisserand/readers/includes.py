"""Limits of INCLUDE: a tree of small files that include each other twice would otherwise exhaust memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tisserand.errors import FileError

DEEPEST = 64
MOST_FILES = 10_000
#: Bytes of files that were included before and are included again.
MOST_REPEATED = 1 << 28


@dataclass
class IncludeBudget:
    """Counts the files of one deck as they are opened."""

    opened: int = 0
    repeated: int = 0
    seen: set[Path] = field(default_factory=set)

    def take(self, path: Path, depth: int) -> None:
        """Raise before ``path`` is read, ``depth`` files below the deck itself, when it goes beyond a limit."""
        if depth > DEEPEST:
            raise FileError(
                path, "INCLUDE files are nested too deeply", found=f"{depth} levels", expected=f"at most {DEEPEST}"
            )
        self.opened += 1
        if self.opened > MOST_FILES:
            raise FileError(path, "the deck includes too many files", expected=f"at most {MOST_FILES}")
        place = path.resolve()
        if place in self.seen and path.is_file():
            self.repeated += path.stat().st_size
            if self.repeated > MOST_REPEATED:
                most = f"at most {MOST_REPEATED >> 20} MiB of repetition"
                raise FileError(path, "the deck includes the same files over and over", expected=most)
        self.seen.add(place)
