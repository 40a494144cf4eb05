"""The text of a deck: files read whole, INCLUDEs put in place, every line traced back to its file."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

from tisserand.errors import ReadError
from tisserand.files import existing_file, refuse_binary
from tisserand.readers.includes import IncludeBudget

_INCLUDE = re.compile(rb"(?im)^[ \t]*include(?=[ \t'\"=])[ \t=]*")
_SECTION = re.compile(rb"(?im)^[ \t]*(cend\b|begin[ \t]+(?:bulk|super|aux)|begin[ \t]*$)")


@dataclass(frozen=True)
class Origin:
    """A run of lines: the first one's number in the whole text, its file, and its number there (both from 0)."""

    start: int
    path: Path
    first: int


@dataclass
class SourceText:
    """The whole deck as one byte string with ``\\n`` line ends, where each line came from, and cards made by replication.

    torn: the last line of the deck's own file has no line end. doubt: why the file may have been cut off, as advice.
    """

    path: Path
    _: KW_ONLY
    text: bytes = b""
    origins: list[Origin] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    copies: int = 0
    torn: bool = False
    doubt: str | None = None

    def place(self, line: int) -> tuple[Path, int]:
        """File and line number (from 1) of a line of the whole text (from 0)."""
        at = bisect_right(self.origins, line, key=lambda origin: origin.start) - 1
        origin = self.origins[max(at, 0)]
        return origin.path, line - origin.start + origin.first + 1

    def error(
        self, line: int, what: str, *, card: str | None = None, field: str | int | None = None, **facts: object
    ) -> ReadError:
        """A read error at a line of the whole text."""
        path, number = self.place(line)
        return ReadError(path, number, what, card=card, field=field, **facts)


def load(path: str | Path) -> SourceText:
    """Read a deck and everything it includes."""
    source = SourceText(Path(path))
    pieces: list[bytes] = []
    _Expander(source, pieces).expand(Path(path), (), None)
    source.text = b"".join(pieces)
    return source


def _content(path: Path) -> bytes:
    raw = existing_file(path).read_bytes()
    refuse_binary(path, raw, "Nastran bulk data as text")
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return raw if raw.endswith(b"\n") else raw + b"\n"


def _torn(path: Path) -> bool:
    """Whether the last line of a file has no line end; blanks and the old mark of a file's end do not count."""
    with open(path, "rb") as stream:
        stream.seek(max(path.stat().st_size - 256, 0))
        return not stream.read().rstrip(b" \t\x1a").endswith((b"\n", b"\r"))


def _includes(raw: bytes) -> list[re.Match[bytes]]:
    """INCLUDE statements at the start of a line, in order."""
    upper = raw.upper()
    found = []
    at = upper.find(b"INCLUDE")
    while at >= 0:
        start = raw.rfind(b"\n", 0, at) + 1
        match = _INCLUDE.match(raw, start) if not raw[start:at].strip() else None
        if match:
            found.append(match)
        at = upper.find(b"INCLUDE", at + 7)
    return found


class _Expander:
    """Walks files depth first; knows whether the executive section is still open (its INCLUDEs are DMAP)."""

    def __init__(self, source: SourceText, pieces: list[bytes]) -> None:
        self.source, self.pieces = source, pieces
        self.line = 0
        self.executive = False
        self.budget = IncludeBudget()

    def expand(self, path: Path, parents: tuple[Path, ...], asked: int | None) -> None:
        resolved = Path(os.path.abspath(path))
        if resolved in parents:
            chain = " -> ".join(p.name for p in (*parents, resolved))
            raise self.source.error(
                asked or 0, "circular INCLUDE", card="INCLUDE", found=chain, advice="remove one of these INCLUDE lines"
            )
        self.budget.take(path, len(parents))
        raw = _content(path)
        if not parents:
            self.source.torn = _torn(path)
            first = _SECTION.search(raw, 0, 1 << 20)
            self.executive = first is not None and first.group(1)[:1] in b"cC"
        if path not in self.source.files:
            self.source.files.append(path)
        done, number = 0, 0
        for match in _includes(raw):
            if match.start() < done:
                continue
            number = self._emit(path, raw[done : match.start()], number)
            self._see(raw[done : match.start()])
            name, end = self._file_name(raw, match.end())
            target = self._locate(name, path)
            if target is None:
                if not self.executive:
                    raise self.source.error(
                        self.line,
                        "the included file does not exist or is not a regular file",
                        card="INCLUDE",
                        found=repr(name),
                        advice="looked beside " + " and ".join(dict.fromkeys((path.name, self.source.path.name))),
                    )
                self.source.notes.append(f"executive INCLUDE {name!r} is not there; DMAP does not change the model")
                self._emit(path, b"\n", number)
            else:
                here = self.line
                self.source.origins.append(Origin(here, path, number))
                self.expand(target, (*parents, resolved), here)
            number += raw.count(b"\n", match.start(), end)
            done = end
        self._emit(path, raw[done:], number)
        self._see(raw[done:])

    def _emit(self, path: Path, piece: bytes, number: int) -> int:
        """Append a piece that starts at line ``number`` of its file; return the number after it."""
        self.source.origins.append(Origin(self.line, path, number))
        self.pieces.append(piece)
        lines = piece.count(b"\n")
        self.line += lines
        return number + lines

    def _see(self, piece: bytes) -> None:
        if self.executive and _SECTION.search(piece):
            self.executive = False

    def _file_name(self, raw: bytes, start: int) -> tuple[str, int]:
        """Name after INCLUDE, quoted or bare, possibly broken over lines; and where its last line ends."""
        quote = raw[start : start + 1]
        if quote in (b"'", b'"'):
            close = raw.find(quote, start + 1)
            if close < 0 or close - start > 2000:
                raise self.source.error(self.line, "the quote of the file name is not closed", card="INCLUDE")
            name = b"".join(part.strip() for part in raw[start + 1 : close].split(b"\n"))
            end = raw.find(b"\n", close) + 1
        else:
            end = raw.find(b"\n", start) + 1
            name = raw[start : end - 1].split(b"$")[0].strip().strip(b"'\"")
        if not name:
            raise self.source.error(self.line, "no file name", card="INCLUDE", expected="INCLUDE 'file name'")
        return name.decode("utf-8", "replace"), end

    def _locate(self, name: str, path: Path) -> Path | None:
        """The included file beside the including one or beside the main deck; case ignored as a last resort."""
        plain = Path(name.replace("\\", "/") if os.sep == "/" else name)
        for folder in (path.parent, self.source.path.parent):
            candidate = plain if plain.is_absolute() else folder / plain
            try:
                if candidate.is_file():
                    return candidate
                if candidate.parent.is_dir():
                    for entry in sorted(candidate.parent.iterdir()):
                        if entry.name.lower() == candidate.name.lower() and entry.is_file():
                            return entry
            except (OSError, ValueError):
                return None
        return None
