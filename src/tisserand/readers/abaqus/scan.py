"""Abaqus/CalculiX text to keywords: comments, continuation, case, quoting and INCLUDE."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ReadError
from tisserand.files import text_of
from tisserand.readers.abaqus.parameter_table import TABLE
from tisserand.readers.includes import IncludeBudget

#: Keywords whose INPUT= names results or matrices instead of data lines.
_OTHER_INPUT = ("SUBMODEL", "MATRIX INPUT", "IMPERFECTION", "CORRELATION LENGTH")


@dataclass(eq=False)
class Keyword:
    """One keyword block: ``name`` and parameter names in upper case without blanks; data lines with their numbers."""

    name: str
    options: dict[str, str]
    file: Path
    line: int
    data: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    _: KW_ONLY
    #: File that INPUT= names and how many of the first data lines come from it.
    beside: Path | None = None
    beside_rows: int = 0

    def error(
        self,
        what: str,
        *,
        row: int | None = None,
        found: object = None,
        expected: object = None,
        advice: str | None = None,
    ) -> ReadError:
        """A ``ReadError`` at this keyword or at one of its data rows; raise it yourself."""
        line = self.line if row is None else self.numbers[row]
        file = self.beside if row is not None and row < self.beside_rows and self.beside else self.file
        return ReadError(file, line, what, card=f"*{self.name}", found=found, expected=expected, advice=advice)

    def option(self, name: str) -> str:
        """A parameter that must be present."""
        if not self.options.get(name):
            raise self.error(f"the parameter {name} is missing")
        return self.options[name]

    def label(self, name: str) -> str | None:
        """A parameter that is a name, in the one spelling used for lookups; None when absent."""
        return label(self.options[name]) if self.options.get(name) else None

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Row number and fields of every data line that is not blank."""
        for row, text in enumerate(self.data):
            if text.strip(" ,\t"):
                yield row, fields(text)

    def floats(self, row: int, count: int | None = None, default: float = 0.0) -> FloatArray:
        """Numbers of a data line (blank fields are ``default``), padded to ``count``."""
        items = fields(self.data[row]) if row < len(self.data) else []
        values = [self.number(row, item, default) for item in items]
        return np.array(values + [default] * ((count or 0) - len(values)))

    def number(self, row: int, text: str, default: float = 0.0) -> float:
        """One real number; Fortran's D exponent is accepted."""
        if not text:
            return default
        try:
            value = float(text)
        except ValueError:
            try:
                value = float(text.upper().replace("D", "E"))
            except ValueError:
                raise self.error("a field is not a number", row=row, found=repr(text[:40])) from None
        if not np.isfinite(value):
            raise self.error("a field is not a finite number", row=row, found=repr(text[:40]))
        return value

    def integer(self, row: int, text: str) -> int:
        """One whole number of a size that ids can have."""
        if is_id(text):
            return int(text)
        value = self.number(row, text, np.nan)
        if not np.isfinite(value) or value != np.floor(value) or abs(value) > 1e15:
            raise self.error("a field is not a whole number", row=row, found=repr(text[:40]))
        return int(value)


def is_id(text: str) -> bool:
    """True for a plain whole number of at most fifteen digits."""
    return text.isascii() and text.isdigit() and len(text) <= 15


def label(text: str) -> str:
    """Names are compared without case and quotes."""
    return text.strip().strip('"').strip().upper()


def fields(text: str) -> list[str]:
    """Comma-separated fields, stripped; a trailing comma gives no empty field."""
    items = [item.strip() for item in text.split(",")]
    while items and not items[-1]:
        items.pop()
    return items


def keywords(path: Path) -> tuple[list[Keyword], tuple[Path, ...]]:
    """All keyword blocks of a deck in order, INCLUDEs opened in place, and every file read."""
    found: list[Keyword] = []
    files: list[Path] = []
    _scan(path, found, files, (), IncludeBudget())
    for keyword in found:
        while keyword.data and not keyword.data[-1].strip():
            keyword.data.pop()
            keyword.numbers.pop()
    if not found:
        raise ReadError(path, None, "no keyword was found", expected="lines that start with * such as *NODE")
    return found, tuple(files)


def _scan(
    path: Path, found: list[Keyword], files: list[Path], parents: tuple[Path, ...], budget: IncludeBudget
) -> None:
    budget.take(path, len(parents))
    text = text_of(path)
    if path not in files:
        files.append(path)
    parents = (*parents, path.resolve())
    lines = text.splitlines()
    current = found[-1] if found else None
    i = 0
    while i < len(lines):
        line, start = lines[i], i + 1
        i += 1
        stripped = line.lstrip()
        if stripped.startswith("**"):
            continue
        if not stripped.startswith("*"):
            if current is not None:
                current.data.append(line)
                current.numbers.append(start)
            elif stripped[:1].isdigit():
                raise ReadError(
                    path, start, "data before any keyword", found=repr(line.strip()[:40]), expected="*KEYWORD"
                )
            continue  # text before the first keyword is a remark, as the programs take it
        head = line.strip()
        if not head.strip("* ,"):
            continue  # a lone star separates blocks for the eye
        while head.endswith(",") and i < len(lines) and _goes_on(head, lines[i]):
            head += lines[i].strip()
            i += 1
        current = _keyword(head, path, start)
        if current.name == "INCLUDE":
            _scan(_named_file(current, parents), found, files, parents, budget)
            current = found[-1] if found else None
        else:
            found.append(current)
            if current.options.get("INPUT") and current.name not in _OTHER_INPUT:
                _data_file(current, files, parents, budget)


def _goes_on(head: str, line: str) -> bool:
    """Whether the line after a keyword line that ends in a comma lists more parameters.

    Abaqus goes on there; CalculiX takes the next line as data, as most decks with such a comma mean it.
    """
    items = [item.strip() for item in line.split(",") if item.strip()]
    if not items or line.lstrip().startswith("*"):
        return False
    row = TABLE.get(" ".join(head[1:].partition(",")[0].upper().split()))
    if row is None:
        return not items[0][0].isdigit()
    return all("=" in item or " ".join(item.upper().split()) in row.names for item in items)


def _keyword(head: str, path: Path, line: int) -> Keyword:
    parts = [part.strip() for part in head[1:].split(",")]
    name = " ".join(parts[0].upper().split())
    if not name:
        raise ReadError(path, line, "a keyword line has no keyword", found=repr(head))
    options = {}
    for part in parts[1:]:
        if part:
            key, _, value = part.partition("=")
            options[" ".join(key.upper().split())] = value.strip()
    return Keyword(name, options, path, line)


def _data_file(keyword: Keyword, files: list[Path], parents: tuple[Path, ...], budget: IncludeBudget) -> None:
    """Data lines of the file that INPUT= names; lines below the keyword follow them."""
    target = _named_file(keyword, parents)
    budget.take(target, len(parents))
    if target not in files:
        files.append(target)
    keyword.beside = target
    for number, line in enumerate(text_of(target).splitlines(), 1):
        if line.lstrip().startswith("**"):
            continue
        if line.lstrip().startswith("*"):
            raise ReadError(
                target, number, f"the data file of *{keyword.name} contains a keyword", found=repr(line.strip()[:40]),
                expected="data lines alone", advice="read a file with keywords by *INCLUDE",
            )  # fmt: skip
        keyword.data.append(line)
        keyword.numbers.append(number)
    keyword.beside_rows = len(keyword.data)


def _named_file(keyword: Keyword, parents: tuple[Path, ...]) -> Path:
    """The file of INPUT=, beside the one that names it; it must exist and not be one of those that lead to it."""
    name = keyword.option("INPUT").strip('"')
    try:
        target = (keyword.file.parent / name).resolve()
        there = target.exists()
    except (OSError, ValueError, RuntimeError) as error:
        raise keyword.error("invalid file name", found=repr(name[:60])) from error
    if target in parents:
        if target == parents[-1]:
            raise keyword.error("a file includes itself in a circle", found=target.name)
        chain = " -> ".join(p.name for p in (*parents, target))
        raise keyword.error("*INCLUDE files form a circle", found=chain, advice="remove one of these lines")
    if not there:
        raise keyword.error("the included file does not exist or is not a regular file", found=str(target))
    return target
