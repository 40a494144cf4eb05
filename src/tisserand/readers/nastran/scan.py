"""From the lines of a bulk data section to cards.

Regular fixed-field cards are cut out of the byte buffer by the thousand; free-field lines, tabs, comments behind data,
replication and rare cards are taken line by line. Both methods give the same cards.
"""

from __future__ import annotations

import re

import numpy as np

from tisserand.arrays import BoolArray, IntArray
from tisserand.readers.nastran._kernels import cut_fields, split_commas
from tisserand.readers.nastran.cards import Bulk, Row
from tisserand.readers.nastran.continuation import reorder
from tisserand.readers.nastran.deck_text import SourceText
from tisserand.readers.nastran.numbers import SMALLEST_COMPILED, Bytes
from tisserand.readers.nastran.physical import PhysicalLine, joined, split_line
from tisserand.readers.nastran.replicate import line_count, named_replica, replicate

#: Fewer cards of one shape than this are not worth a batch.
SMALLEST_BATCH = 24
#: Lines that continue an equation: text with commas, which fields would misread; equations are not used.
_EQUATIONS = re.compile(rb"(?m)^(DEQATN[^\n]*\n)((?:(?:        |[+*$])[^\n]*\n?)+)")
_SPACES = int.from_bytes(b" " * 8, "little")
_LINE = 72


def scan(source: SourceText, text: bytes, first_line: int, *, smallest_batch: int | None = None) -> Bulk:
    """Cards of a section (upper-case text) that starts at ``first_line`` of the whole deck."""
    bulk = Bulk(source)
    if not text.strip():
        return bulk
    if b"DEQATN" in text:
        text = _EQUATIONS.sub(lambda found: found[1] + b"\n" * found[2].count(b"\n"), text)
    lines = Lines(text)
    lines.number += first_line
    if not len(lines.start):
        return bulk
    head = lines.is_head()
    order = reorder(source, lines, head)
    if order is not None:
        lines.take(order)
        head = head[order]
    first = np.flatnonzero(head)
    extra = np.diff(np.append(first, len(head))) - 1
    slow = np.logical_or.reduceat(lines.slow, first)
    least = SMALLEST_BATCH if smallest_batch is None else smallest_batch
    words = lines.words()
    taken = np.zeros(len(first), np.bool_)
    for word in np.unique(words[first]):
        name = int(word).to_bytes(8, "little").strip()
        large = name.endswith(b"*")
        plain = name.rstrip(b"*").strip()
        if not plain.isalnum():
            continue
        same = (words[first] == word) & ~slow
        for count in np.unique(extra[same]):
            rows = np.flatnonzero(same & (extra == count))
            if len(rows) >= least and lines.uniform(first[rows], int(count), large):
                chars = lines.cut(first[rows], int(count), large)
                bulk.batches.setdefault(plain.decode(), []).append((chars, lines.number[first[rows]]))
                taken[rows] = True
    taken |= _free_field(bulk, lines, first, (extra == 0) & ~taken)
    _one_by_one(bulk, source, lines, first, extra, np.flatnonzero(~taken))
    return bulk


class Lines:
    """Kept lines (no comments, no blanks) of an upper-case text: start, length, number, and which need care."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.bytes: Bytes = np.frombuffer(text + b" " * (_LINE + 8), np.uint8)
        ends = np.flatnonzero(self.bytes[: len(text)] == 10)
        if not len(ends) or ends[-1] != len(text) - 1:
            ends = np.append(ends, len(text))
        start = np.empty(len(ends), np.int64)
        start[0] = 0
        start[1:] = ends[:-1] + 1
        length = ends - start
        keep = (length > 0) & (self.bytes[start] != 36)
        blank_start = np.flatnonzero(keep & (self.bytes[start] == 32))
        if len(blank_start):
            some = np.zeros(len(ends), np.bool_)
            for at in range(0, len(blank_start), 65536):
                part = blank_start[at : at + 65536]
                some[part] = (self.gather(start[part], length[part], 0, _LINE + 8) > 32).any(axis=1)
            keep[blank_start] = some[blank_start]
        # comments behind blanks, and lines of tabs only: judged one by one, where a $ or a tab makes it necessary
        doubtful = np.flatnonzero(keep & ((self.bytes[start] == 32) | (self.bytes[start] == 9)))
        if len(doubtful) and (b"$" in text or b"\t" in text):
            for row in doubtful.tolist():
                if not text[start[row] : ends[row]].split(b"$")[0].strip():
                    keep[row] = False
        self.number = np.flatnonzero(keep).astype(np.int64)
        self.start, self.length = start[keep], length[keep]
        self.slow: BoolArray = np.zeros(len(self.start), np.bool_)
        self.commas: BoolArray = np.zeros(len(self.start), np.bool_)
        for special in (b",", b"\t", b"$", b"="):
            if special in text:
                found = np.flatnonzero(self.bytes[: len(text)] == special[0])
                line = np.searchsorted(self.start, found, side="right") - 1
                found, line = found[line >= 0], line[line >= 0]
                line = line[found < self.start[line] + self.length[line]]
                self.slow[line] = True
                self.commas[line] = special == b","
        first = self.bytes[self.start] if len(self.start) else np.zeros(0, np.uint8)
        known = ((first >= 65) & (first <= 90)) | (first == 32) | (first == 43) | (first == 42)
        self.slow |= ~known
        self._words: IntArray | None = None

    def gather(self, start: IntArray, length: IntArray, begin: int, end: int) -> Bytes:
        """Characters ``begin:end`` of lines, blanks behind the end of a line."""
        chars = self.bytes[(start + begin)[:, None] + np.arange(end - begin)]
        short = length < end
        if short.any():
            rows = np.flatnonzero(short)
            over = np.arange(begin, end)[None, :] >= length[rows][:, None]
            chars[rows] = np.where(over, np.uint8(32), chars[rows])
        return np.asarray(chars)

    def words(self) -> IntArray:
        """First eight characters as integers."""
        if self._words is None:
            chars = np.ascontiguousarray(self.gather(self.start, self.length, 0, 8))
            self._words = chars.view("<u8").reshape(-1)
        return self._words

    def is_head(self) -> BoolArray:
        """True where a line starts a card; slow lines are judged one by one."""
        first = self.bytes[self.start]
        letter = (first >= 65) & (first <= 90)
        head = letter.copy()
        blank = np.zeros(len(first), np.bool_)
        blank[first == 32] = self.words()[first == 32] == _SPACES
        unsure = ~letter & (first != 43) & (first != 42) & ~(blank & ~self.slow)
        for i in np.flatnonzero(unsure).tolist():
            head[i] = self.line(i).is_head
        return np.asarray(head)

    def line(self, i: int) -> PhysicalLine:
        return split_line(self.text[self.start[i] : self.start[i] + self.length[i]], int(self.number[i]))

    def uniform(self, first: IntArray, count: int, large: bool) -> bool:
        """True when every continuation has the same kind of field as the first line."""
        for k in range(1, count + 1):
            star = self.bytes[self.start[first + k]] == 42
            if (star != large).any():
                return False
        return True

    def cut(self, first: IntArray, count: int, large: bool) -> Bytes:
        """Data fields of cards with ``count`` continuations, shape (n, fields, width)."""
        width, per_line = (16, 4) if large else (8, 8)
        out = np.empty((len(first), (count + 1) * per_line, width), np.uint8)
        compiled = len(first) >= SMALLEST_COMPILED
        for k in range(count + 1):
            start, length = self.start[first + k], self.length[first + k]
            if compiled:
                cut_fields(self.bytes, start, length, 8, k * per_line, out)
            else:
                chars = self.gather(start, length, 8, 8 + 64)
                out[:, k * per_line : (k + 1) * per_line] = chars.reshape(len(first), per_line, width)
        return out

    def take(self, order: IntArray) -> None:
        self.start, self.length = self.start[order], self.length[order]
        self.number, self.slow, self.commas = self.number[order], self.slow[order], self.commas[order]
        self._words = None


def _free_field(bulk: Bulk, lines: Lines, first: IntArray, wanted: BoolArray) -> BoolArray:
    """Take simple free-field cards of one line in batches; True for the cards taken."""
    letter = lines.bytes[lines.start[first]]
    rows = np.flatnonzero(wanted & lines.commas[first] & (letter >= 65) & (letter <= 90))
    taken = np.zeros(len(first), np.bool_)
    if len(rows) < SMALLEST_COMPILED:
        return taken
    names = np.empty((len(rows), 8), np.uint8)
    chars = np.empty((len(rows), 8, 16), np.uint8)
    good = np.empty(len(rows), np.bool_)
    split_commas(lines.bytes, lines.start[first[rows]], lines.length[first[rows]], names, chars, good)
    words = names.view("<u8").reshape(-1)
    for word in np.unique(words[good]):
        name = int(word).to_bytes(8, "little").strip()
        if name.isalnum():
            same = good & (words == word)
            bulk.batches.setdefault(name.decode("ascii"), []).append((chars[same], lines.number[first[rows[same]]]))
            taken[rows[same]] = True
    return taken


def _one_by_one(bulk: Bulk, source: SourceText, lines: Lines, first: IntArray, extra: IntArray, rows: IntArray) -> None:
    """Cards that are not part of a batch, in deck order."""
    previous: Row | None = None
    previous_row = -1
    left = iter(rows.tolist())
    for row in left:
        physical = [lines.line(i) for i in range(first[row], first[row] + extra[row] + 1)]
        if physical[0].is_replica:
            if previous is None or previous_row != row - 1:
                previous = _card_before(bulk, source, lines, first, extra, row)
            while len(physical) < line_count(previous) and _is_replica(lines, first, row + 1):
                row = next(left)  # of its continuations, one line each
                physical += [lines.line(i) for i in range(first[row], first[row] + extra[row] + 1)]
            copies = replicate(source, previous, physical)
            for card in copies:
                bulk.singles.setdefault(card.card, []).append(card)
            previous = copies[-1]
        else:
            before, previous = previous, joined(source, physical)
            if physical[0].copies_fields:
                if before is None or previous_row != row - 1:
                    before = _card_before(bulk, source, lines, first, extra, row)
                if before.card == previous.card:
                    previous = named_replica(source, before, previous)
            bulk.singles.setdefault(previous.card, []).append(previous)
        previous_row = row


def _is_replica(lines: Lines, first: IntArray, row: int) -> bool:
    return row < len(first) and lines.line(int(first[row])).is_replica


def _card_before(bulk: Bulk, source: SourceText, lines: Lines, first: IntArray, extra: IntArray, row: int) -> Row:
    """The card just before a replica, when that one went into a batch."""
    if row == 0:
        raise source.error(int(lines.number[first[0]]), "there is no card before this one to repeat", card="=")
    before = row - 1
    return joined(source, [lines.line(i) for i in range(first[before], first[before] + extra[before] + 1)])
