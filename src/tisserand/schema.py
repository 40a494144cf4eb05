"""TOML case files: every key is asked for by name, type and range; what was not asked for is refused.

A case file is data: it is parsed by ``tomllib`` and nothing in it can execute code. Every error is a
``CaseError`` whose ``key`` is the full path, such as ``bodies.bus.mass`` or ``supports[2].at``.

    case = read_toml("wing.toml")
    name = case.text("name")
    young = case.table("materials").table("aluminium").number("young", above=0.0)
    case.close()                      # refuses unknown keys here and in every table taken from it
"""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import CaseError, UnknownKeyError
from tisserand.files import text_of

_MISSING: Any = object()
_Choice = TypeVar("_Choice", bound=str)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word closest to a misspelt one, or None when nothing is close."""
    by_lower = {k.lower(): k for k in known}
    close = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    if close:
        return by_lower[close[0]]
    contained = [k for low, k in by_lower.items() if low in word.lower() or word.lower() in low]
    return contained[0] if contained and len(word) > 2 else None


def _kind(value: object) -> str:
    """A TOML value's type in the reader's words, with the value when it is short."""
    names = {
        bool: "the flag",
        int: "the number",
        float: "the number",
        str: "the text",
        list: "a list",
        dict: "a table",
    }
    word = names.get(type(value), f"a {type(value).__name__}")
    text = repr(value)
    if isinstance(value, bool):
        text = text.lower()
    return f"{word} {text}" if not isinstance(value, dict) and len(text) <= 60 else word


class Table:
    """One table of a case file: its values, the file it stands in, and its key path."""

    def __init__(self, values: dict[str, Any], file: Path, key: str = "") -> None:
        self.values, self.file, self.key = values, file, key
        self._asked: set[str] = set()
        self._children: list[Table] = []

    # -- errors ---------------------------------------------------------------------------------------
    def path_of(self, key: str) -> str:
        """Full path of a key of this table."""
        quoted = key if key and all(c.isalnum() or c in "-_[]" for c in key) else f'"{key}"'
        return f"{self.key}.{quoted}" if self.key else quoted

    def error(
        self, key: str, what: str, *, found: object = None, expected: object = None, advice: str | None = None
    ) -> CaseError:
        """A ``CaseError`` at a key of this table (``""`` for the table itself); raise it yourself."""
        path = self.path_of(key) if key else self.key
        return CaseError(self.file, path, what, found=found, expected=expected, advice=advice)

    def unknown(
        self, key: str, name: object, known: Iterable[str], what: str = "unknown name"
    ) -> UnknownKeyError:
        """An error for a name that refers to nothing, with the nearest known one suggested."""
        names = list(known)
        expected = "one of " + ", ".join(names) if names else "none exist"
        close = nearest(str(name), names)
        return self._unknown(key, what, close, found=repr(name), expected=expected)

    def unknown_key(self, key: str, known: Iterable[str]) -> UnknownKeyError:
        """An error for a key of this table that is none of ``known``."""
        names = list(known)
        expected = "one of " + ", ".join(names) if names else "no keys here"
        return self._unknown(key, "unknown key", nearest(key, names), expected=expected)

    def _unknown(self, key: str, what: str, close: str | None, **facts: object) -> UnknownKeyError:
        advice = f"did you mean {close!r}?" if close else None
        return UnknownKeyError(self.file, self.path_of(key), what, **facts, advice=advice)

    def _wrong(self, key: str, expected: str) -> NoReturn:
        raise self.error(key, "has the wrong type or value", found=_kind(self.values[key]), expected=expected)

    # -- taking values ----------------------------------------------------------------------------------
    def has(self, key: str) -> bool:
        """True when the key is present; the key counts as known from then on."""
        self._asked.add(key)
        return key in self.values

    def raw(self, key: str, default: Any = _MISSING) -> Any:
        """The value as TOML gave it; a missing key without default raises, naming a misspelt neighbour."""
        if self.has(key):
            return self.values[key]
        if default is not _MISSING:
            return default
        spare = [other for other in self.values if other not in self._asked]
        close = nearest(key, spare)
        if close and nearest(close, [key]):
            raise self._unknown(close, "unknown key", key)
        raise self.error(key, "is missing")

    def number(
        self,
        key: str,
        default: float = _MISSING,
        *,
        minimum: float | None = None,
        maximum: float | None = None,
        above: float | None = None,
        below: float | None = None,
    ) -> float:
        """A finite number within the limits (``above`` and ``below`` are exclusive)."""
        value = self.raw(key, default)
        return self._number(key, value, minimum, maximum, above, below) if self.has(key) else float(value)

    def maybe_number(self, key: str, **limits: float) -> float | None:
        """A number within the same limits, or None when the key is missing."""
        return self.number(key, **limits) if self.has(key) else None

    def _number(
        self,
        key: str,
        value: Any,
        minimum: float | None = None,
        maximum: float | None = None,
        above: float | None = None,
        below: float | None = None,
    ) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self.error(key, "is not a finite number", found=_kind(value), expected="a number")
        for limit, fails, words in (
            (minimum, minimum is not None and value < minimum, "at least"),
            (maximum, maximum is not None and value > maximum, "at most"),
            (above, above is not None and value <= above, "above"),
            (below, below is not None and value >= below, "below"),
        ):
            if fails:
                raise self.error(key, "is out of range", found=value, expected=f"a number {words} {limit:g}")
        return float(value)

    def integer(
        self, key: str, default: int = _MISSING, *, minimum: int | None = None, maximum: int | None = None
    ) -> int:
        """A whole number within the limits."""
        value = self.raw(key, default)
        if self.has(key):
            if isinstance(value, bool) or not isinstance(value, int):
                self._wrong(key, "a whole number")
            self._number(key, value, minimum, maximum)
        return int(value)

    def maybe_integer(self, key: str, **limits: int) -> int | None:
        """A whole number, or None when the key is missing."""
        return self.integer(key, **limits) if self.has(key) else None

    def text(self, key: str, default: str = _MISSING) -> str:
        """A text that is not empty."""
        value = self.raw(key, default)
        if self.has(key) and (not isinstance(value, str) or not value.strip()):
            self._wrong(key, "a text that is not empty")
        return str(value)

    def maybe_text(self, key: str) -> str | None:
        """A text, or None when the key is missing."""
        return self.text(key) if self.has(key) else None

    def flag(self, key: str, default: bool) -> bool:
        """true or false."""
        value = self.raw(key, default)
        if not isinstance(value, bool):
            self._wrong(key, "true or false")
        return value

    def choice(self, key: str, known: Sequence[_Choice], default: _Choice = _MISSING) -> _Choice:
        """One of the known words (case does not matter)."""
        value = self.raw(key, default)
        if not self.has(key):
            return cast(_Choice, value)
        for word in known:
            if word.lower() == self.text(key).strip().lower():
                return word
        raise self.unknown(key, value, known, "unknown choice")

    def maybe_choice(self, key: str, known: Sequence[_Choice]) -> _Choice | None:
        """One of the known words, or None when the key is missing."""
        return self.choice(key, known) if self.has(key) else None

    def vector(
        self, key: str, length: int | None = None, default: Any = _MISSING, *, minimum: float | None = None
    ) -> FloatArray:
        """Finite numbers in a list of the given length."""
        value = self.raw(key, default)
        if not self.has(key):
            return cast(FloatArray, value)
        if not isinstance(value, list) or (length is not None and len(value) != length):
            raise self.error(
                key,
                "is not a list of numbers of the right length",
                found=_kind(value),
                expected=f"{length} numbers" if length is not None else "a list of numbers",
            )
        return np.array(
            [self._number(f"{key}[{i}]", item, minimum) for i, item in enumerate(value)], dtype=float
        )

    def matrix(self, key: str, rows: int, columns: int, default: Any = _MISSING) -> FloatArray:
        """Rows of numbers."""
        value = self.raw(key, default)
        if not self.has(key):
            return cast(FloatArray, value)
        listed = value if isinstance(value, list) else []
        if len(listed) != rows or any(not isinstance(row, list) or len(row) != columns for row in listed):
            self._wrong(key, f"{rows} rows of {columns} numbers")
        entries = [
            [self._number(f"{key}[{i}][{j}]", x) for j, x in enumerate(r)] for i, r in enumerate(listed)
        ]
        return np.array(entries, dtype=float)

    def words(self, key: str, default: Any = _MISSING) -> tuple[str, ...]:
        """A list of texts; a single text stands for a list of one."""
        value = self.raw(key, default)
        if not self.has(key):
            return tuple(value)
        items = [value] if isinstance(value, str) else value
        if (
            not isinstance(items, list)
            or not items
            or any(not isinstance(item, str) or not item for item in items)
        ):
            self._wrong(key, "a text or a list of texts")
        return tuple(items)

    def path(self, key: str) -> Path:
        """A file path; relative ones start at the case file's folder."""
        return self.file.parent / Path(self.text(key)).expanduser()

    def maybe_path(self, key: str) -> Path | None:
        """A file path, or None when the key is missing."""
        return self.path(key) if self.has(key) else None

    def table(self, key: str, default: Any = _MISSING) -> Table:
        """A table inside this one; ``default={}`` gives an empty one when the key is missing."""
        value = self.raw(key, default)
        if not isinstance(value, dict):
            self._wrong(key, "a table")
        child = Table(value, self.file, self.path_of(key))
        self._children.append(child)
        return child

    def named_tables(self, key: str) -> Iterator[tuple[str, Table]]:
        """The named tables inside a table: ``[materials.steel]`` gives ``("steel", ...)``; maybe none."""
        parent = self.table(key, {})
        for name in parent.values:
            yield name, parent.table(name)

    def list_of_tables(self, key: str) -> list[Table]:
        """An array of tables ``[[key]]``; a single table stands for a list of one; empty when missing."""
        value = self.raw(key, [])
        if isinstance(value, dict) and value and all(isinstance(item, dict) for item in value.values()):
            name = next(iter(value))
            raise self.error(
                key,
                "is a list here",
                found=f"[{self.path_of(key)}.{name}]",
                expected=f"[[{self.path_of(key)}]]",
            )
        items = [value] if isinstance(value, dict) else value
        if not isinstance(items, list) or any(not isinstance(item, dict) for item in items):
            self._wrong(key, "tables")
        children = [Table(item, self.file, f"{self.path_of(key)}[{i}]") for i, item in enumerate(items)]
        self._children.extend(children)
        return children

    def one_of(self, *keys: str) -> str:
        """The single one of these keys that is present."""
        present = [key for key in keys if self.has(key)]
        if len(present) == 1:
            return present[0]
        choice = " or ".join(keys)
        if present:
            raise self.error(present[1], f"excludes {present[0]!r}", expected=f"either {choice}")
        raise self._none_of(keys, choice)

    def _none_of(self, keys: Sequence[str], choice: str) -> CaseError:
        for spare in (k for k in self.values if k not in self._asked):
            close = nearest(spare, keys)
            if close:
                return self._unknown(spare, "unknown key", close)
        return self.error(keys[0], "is missing", expected=choice)

    # -- the end ------------------------------------------------------------------------------------------
    def close(self) -> None:
        """Refuse every key that nobody asked for, here and in the tables taken from here."""
        for key in self.values:
            if key not in self._asked:
                raise self.unknown_key(key, sorted(self._asked))
        for child in self._children:
            child.close()


def read_toml(path: str | Path) -> Table:
    """The root table of a TOML file."""
    file = Path(path)
    text = text_of(file)
    try:
        return Table(tomllib.loads(text), file)
    except tomllib.TOMLDecodeError as error:
        raise CaseError(file, "", f"is not valid TOML: {error}") from error
