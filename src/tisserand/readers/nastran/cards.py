"""Cards of one bulk data section, seen one by one (``Row``) or by the column (``CardTable``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.errors import ReadError
from tisserand.readers.nastran import numbers
from tisserand.readers.nastran.deck_text import SourceText
from tisserand.readers.nastran.numbers import BLANK, INTEGER, REAL, WORD, Bytes

_WIDEST_FIELD = 32
_UNSET = object()
_EIGHT_SPACES = np.frombuffer(b" " * 8, np.uint64)[0]


def field_number(index: int) -> int:
    """Nastran's number of a data field: the card name is field 1, fields 10 and 11 are the continuation marks."""
    return index + 2 + 2 * (index // 8)


@dataclass(frozen=True, eq=False)
class Row:
    """One card: its data fields (stripped, upper case) and the line it starts on."""

    card: str
    fields: list[bytes]
    line: int
    source: SourceText

    def __len__(self) -> int:
        return len(self.fields)

    def text(self, index: int) -> bytes:
        return self.fields[index] if index < len(self.fields) else b""

    def word(self, index: int, default: str = "") -> str:
        return self.text(index).decode("latin-1") or default

    def kind(self, index: int) -> int:
        return numbers.kind_of(self.text(index))

    def integer(self, index: int, default: int | object = _UNSET) -> int:
        """Whole number; a blank gives the default, or an error where there is none."""
        text = self.text(index)
        if not text:
            if default is _UNSET:
                raise self.error(index, "is blank", expected="a whole number")
            return default  # type: ignore[return-value]
        value = numbers.integer_of(text)
        if value is None:
            raise self.error(index, "is not a whole number", found=repr(self.word(index)))
        return value

    def real(self, index: int, default: float | object = _UNSET) -> float:
        """Real number; a blank gives the default, or an error where there is none."""
        text = self.text(index)
        if not text:
            if default is _UNSET:
                raise self.error(index, "is blank", expected="a real number")
            return default  # type: ignore[return-value]
        value = numbers.spaced_real_of(text)
        if value is None or not np.isfinite(value):
            what = "is not a number" if value is None else "is too large for a number"
            raise self.error(index, what, found=repr(self.word(index)), expected="a real number")
        return value

    def nothing_from(self, index: int, advice: str | None = None) -> None:
        """Refuse fields from ``index`` on that hold anything but zeros: another program may mean something by them."""
        for at in range(index, len(self.fields)):
            text = self.text(at)
            if text and numbers.spaced_real_of(text) != 0.0:
                raise self.error(at, "has no meaning here", found=repr(self.word(at)), advice=advice)

    def components(self, index: int, default: str | object = _UNSET) -> list[int]:
        """Component digits such as ``123456`` as 0..5; 0 (scalar point) gives component 0."""
        text = self.word(index).replace(" ", "")
        if not text:
            if default is _UNSET:
                raise self.error(index, "is blank", expected="components 1 to 6")
            text = str(default)
        if text == "0":
            return [0]
        if not text.isdigit() or set(text) - set("123456"):
            raise self.error(index, "is not a set of components", found=repr(text), expected="digits 1 to 6, or 0")
        return sorted({int(digit) - 1 for digit in text})

    def identifiers(self, start: int) -> list[int | tuple[int, int]]:
        """Ids from field ``start`` on; ``a THRU b`` comes out as a pair, ``a THRU b BY c`` spelled out."""
        found: list[int | tuple[int, int]] = []
        index = start
        while index < len(self.fields):
            if not self.text(index):
                index += 1
                continue
            first = self.integer(index)
            if self.word(index + 1) == "THRU":
                last = self.integer(index + 2)
                if last < first:
                    raise self.error(index + 2, "THRU counts down", found=f"{first} THRU {last}")
                index += 3
                if self.word(index) == "BY":
                    step = self.integer(index + 1)
                    if step < 1 or (last - first) // step > 1_000_000:
                        raise self.error(index + 1, "is not a usable step", found=step)
                    found.extend(range(first, last + 1, step))
                    index += 2
                else:
                    found.append((first, last))
            else:
                found.append(first)
                index += 1
        return found

    def error(self, index: int | None, what: str, **facts: object) -> ReadError:
        number = None if index is None else field_number(index)
        return self.source.error(self.line, what, card=self.card, field=number, **facts)


@dataclass(frozen=True, eq=False)
class CardTable:
    """All cards of one name: text (n, columns, width) and the line each starts on, in the order of the deck."""

    card: str
    chars: Bytes
    lines: IntArray
    source: SourceText
    _cache: dict[tuple[str, int], tuple[Any, Bytes]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.lines)

    def text(self, column: int) -> Bytes:
        """Characters of a column (n, w); columns that no card reaches are blank."""
        if column < self.chars.shape[1]:
            return self.chars[:, column]
        return np.full((len(self), 1), 32, np.uint8)

    def _integers(self, column: int) -> tuple[IntArray, Bytes]:
        if column >= self.chars.shape[1]:
            return np.zeros(len(self), np.int64), np.zeros(len(self), np.uint8)
        if ("i", column) not in self._cache:
            self._cache["i", column] = numbers.integers(self.chars, column)
        return self._cache["i", column]

    def _reals(self, column: int) -> tuple[FloatArray, Bytes]:
        if column >= self.chars.shape[1]:
            return np.zeros(len(self)), np.zeros(len(self), np.uint8)
        if ("r", column) not in self._cache:
            values, kinds = numbers.reals(self.chars, column)
            for row in np.flatnonzero(kinds == WORD).tolist():  # exponents set apart by blanks
                spaced = numbers.spaced_real_of(self.chars[row, column].tobytes().strip())
                if spaced is not None:
                    values[row], kinds[row] = spaced, REAL
            self._cache["r", column] = values, kinds
        return self._cache["r", column]

    def integers(self, column: int, default: int | None = None) -> IntArray:
        """Whole numbers of a column; blanks take the default or are an error."""
        values, kinds = self._integers(column)
        self._check(column, kinds == WORD, "is not a whole number")
        return np.asarray(self._filled(column, values, kinds == BLANK, default, "a whole number"))

    def reals(self, column: int, default: float | None = None) -> FloatArray:
        """Real numbers of a column; blanks take the default or are an error."""
        values, kinds = self._reals(column)
        self._check(column, kinds == WORD, "is not a number")
        self._check(column, ~np.isfinite(values), "is too large for a number")
        return np.asarray(self._filled(column, values, kinds == BLANK, default, "a real number"))

    def kinds(self, column: int) -> Bytes:
        """BLANK, INTEGER, REAL or WORD for every row."""
        return self._reals(column)[1]

    def blank(self, column: int) -> BoolArray:
        if column >= self.chars.shape[1]:
            return np.ones(len(self), np.bool_)
        if self.chars.shape[2] == 8 and self.chars.strides[2] == 1:
            words = np.ascontiguousarray(self.chars[:, column]).view(np.uint64).reshape(-1)
            return np.asarray(words == _EIGHT_SPACES)
        return np.asarray((self.chars[:, column] == 32).all(axis=1))

    def words(self, column: int) -> list[str]:
        return [cell.tobytes().decode("latin-1").strip() for cell in self.text(column)]

    def select(self, rows: IntArray | BoolArray) -> CardTable:
        return CardTable(self.card, self.chars[rows], self.lines[rows], self.source)

    def error(self, row: int, column: int | None, what: str, **facts: object) -> ReadError:
        number = None if column is None else field_number(column)
        return self.source.error(int(self.lines[row]), what, card=self.card, field=number, **facts)

    def _check(self, column: int, bad: BoolArray, what: str) -> None:
        if bad.any():
            row = int(np.argmax(bad))
            text = self.chars[row, column].tobytes().decode("latin-1").strip()
            raise self.error(row, column, what, found=repr(text))

    def _filled(self, column: int, values: Any, blank: BoolArray, default: float | None, expected: str) -> Any:
        if blank.any():
            if default is None:
                raise self.error(int(np.argmax(blank)), column, "is blank", expected=expected)
            values = np.where(blank, default, values)
        return values


@dataclass
class Bulk:
    """One bulk data section: batches of regular cards and single rows, by card name."""

    source: SourceText
    batches: dict[str, list[tuple[Bytes, IntArray]]] = field(default_factory=dict)
    singles: dict[str, list[Row]] = field(default_factory=dict)
    part: int = 0
    title: str = ""

    def counts(self) -> dict[str, int]:
        """Number of cards of every name."""
        found: dict[str, int] = {}
        for name, batches in self.batches.items():
            found[name] = sum(len(lines) for _, lines in batches)
        for name, rows in self.singles.items():
            found[name] = found.get(name, 0) + len(rows)
        return dict(sorted(found.items()))

    def has(self, card: str) -> bool:
        return card in self.batches or card in self.singles

    def rows(self, *cards: str) -> Iterator[Row]:
        """Cards of these names one by one, each name in deck order."""
        for card in cards:
            found = list(self.singles.get(card, ()))
            for chars, lines in self.batches.get(card, ()):
                for i, line in enumerate(lines.tolist()):
                    fields = [cell.tobytes().strip() for cell in chars[i]]
                    found.append(Row(card, fields, line, self.source))
            yield from sorted(found, key=lambda row: row.line)

    def table(self, card: str, columns: int) -> CardTable:
        """Cards of one name by the column; fields beyond ``columns`` must be blank."""
        allowed = columns
        rows = self.singles.get(card, [])
        batches = self.batches.get(card, [])
        columns = min(columns, max([1, *(len(row.fields) for row in rows), *(c.shape[1] for c, _ in batches)]))
        width = max([8, *(len(f) for row in rows for f in row.fields), *(c.shape[2] for c, _ in batches)])
        if width > _WIDEST_FIELD:
            for row in rows:
                for index, text in enumerate(row.fields):
                    if len(text) > _WIDEST_FIELD:
                        raise row.error(index, "is too long for a number", found=repr(text[:40].decode("latin-1")))
        pieces: list[Bytes] = []
        lines: list[IntArray] = []
        for chars, at in batches:
            pieces.append(_fitted(chars, columns, width))
            lines.append(at)
            extra = (chars[:, allowed:] != 32).any(axis=(1, 2))
            if extra.any():
                index = allowed + int(np.argmax((chars[np.argmax(extra), allowed:] != 32).any(axis=1)))
                raise self.source.error(
                    int(at[np.argmax(extra)]), "has no meaning here", card=card, field=field_number(index)
                )
        if rows:
            for row in rows:
                for index in range(allowed, len(row.fields)):
                    if row.fields[index]:
                        raise row.error(index, "has no meaning here", found=repr(row.word(index)))
            text = b"".join(row.text(j).ljust(width) for row in rows for j in range(columns))
            pieces.append(np.frombuffer(text, np.uint8).reshape(len(rows), columns, width))
            lines.append(np.array([row.line for row in rows], np.int64))
        if not pieces:
            return CardTable(card, np.zeros((0, columns, width), np.uint8), np.zeros(0, np.int64), self.source)
        all_chars = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
        all_lines = lines[0] if len(lines) == 1 else np.concatenate(lines)
        if np.any(np.diff(all_lines) < 0):
            order = np.argsort(all_lines, kind="stable")
            all_chars, all_lines = all_chars[order], all_lines[order]
        return CardTable(card, all_chars, all_lines, self.source)


def _fitted(chars: Bytes, columns: int, width: int) -> Bytes:
    n, have, wide = chars.shape
    if have >= columns and wide == width:
        return chars[:, :columns]
    out = np.full((n, columns, width), 32, np.uint8)
    out[:, : min(have, columns), :wide] = chars[:, :columns]
    return out


__all__ = ["BLANK", "INTEGER", "REAL", "WORD", "Bulk", "CardTable", "Row", "field_number"]
