"""One line of bulk data, in small, large or free field, and cards joined from several."""

from __future__ import annotations

from dataclasses import dataclass

from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.deck_text import SourceText
from tisserand.readers.nastran.numbers import INTEGER, REAL, kind_of, spaced_real_of


@dataclass(frozen=True)
class PhysicalLine:
    """First field, data fields (8, or 4 when large), and the mark in the tenth field, all stripped."""

    number: int
    first: bytes
    fields: tuple[bytes, ...]
    tail: bytes
    large: bool
    surplus: bytes = b""

    @property
    def is_replica(self) -> bool:
        """True for ``=``, ``==``, ``=(n)`` in the first field."""
        return self.first.startswith(b"=")

    @property
    def copies_fields(self) -> bool:
        """True for a named card that takes fields of the card before it (``MAT1,302,==``)."""
        return any(text in (b"=", b"==") or text.startswith(b"*(") for text in self.fields)

    @property
    def is_head(self) -> bool:
        """False for a continuation: nothing, + or * in the first field."""
        return bool(self.first) and self.first[:1] not in b"+*"

    @property
    def mark(self) -> bytes:
        """Continuation mark of the first field without its + or *."""
        return self.first[1:].strip()

    @property
    def next_mark(self) -> bytes:
        return self.tail[1:].strip() if self.tail[:1] in (b"+", b"*") else self.tail


#: A comma further right than this does not make a line free-field: it belongs to a text (DEQATN, titles).
_FREE = 24


def _parts(raw: bytes) -> list[bytes] | None:
    """Fields of a free-field line, or None where its commas are part of a text in fixed fields.

    A blank may separate the name from the first field (``CBUSH   10211, ...``); a line that starts with a number or a setting
    (``1054,1002``, ``PART=ALL,ELSET=1``) continues the line before it.
    """
    at = raw.find(b",")
    if at < 0 or at > _FREE or raw[:8].strip() in (b"DEQATN", b"DEQATN*"):
        return None
    parts = [part.strip() for part in raw.split(b",")]
    first = parts[0]
    if first[:1].isdigit() or (b"=" in first[1:] and not first.startswith(b"=")):
        return [b"", *parts]
    name, _, rest = first.partition(b" ")
    words = [word for part in parts[1:] for word in _blanks(part)]
    if rest and name.isalnum() and name[:1].isalpha():
        return [name, *rest.split(), *words]
    return [first, *words]


def _blanks(part: bytes) -> list[bytes]:
    """Numbers between two commas that blanks separate, as fields of their own (``401     1       1.0``)."""
    words = part.split()
    if len(words) < 2 or not all(kind_of(word) in (INTEGER, REAL) for word in words):
        return [part]
    exponent = spaced_real_of(part) is not None and any(word[:1] in b"+-" for word in words[1:])
    return [part] if exponent else words  # ``1. -5`` is one number


def split_line(raw: bytes, number: int) -> PhysicalLine:
    """Cut a line into fields; comments behind ``$`` go, tabs stop at every eighth column."""
    if b"$" in raw:
        raw = raw[: raw.index(b"$")]
    parts = _parts(raw)
    if parts is not None:
        large = b"*" in parts[0] and not parts[0].startswith(b"=")
        count = 4 if large else 8
        fields = parts[1 : count + 1]
        rest = parts[count + 1 :]
        surplus = b",".join(part for part in rest[1:] if part)
        tail = rest[0] if rest else b""
        first = parts[0]
        if tail and tail[:1] not in (b"+", b"*", b"="):  # a tenth field without a mark is data one field too many
            surplus, tail = tail, b""
    else:
        if b"\t" in raw:
            raw = raw.expandtabs(8)
        first = raw[:8].strip()
        large = b"*" in first and not first.startswith(b"=")
        width, count = (16, 4) if large else (8, 8)
        fields = [raw[8 + k * width : 8 + (k + 1) * width].strip() for k in range(count)]
        tail, surplus = raw[72:80].strip(), b""
    fields += [b""] * (count - len(fields))
    return PhysicalLine(number, first, tuple(fields), tail, large, surplus)


def joined(source: SourceText, lines: list[PhysicalLine]) -> Row:
    """One card from its first line and its continuations."""
    head = lines[0]
    name = head.first.rstrip(b"*").strip()
    card = name.decode("latin-1")
    if not (name[:1].isalpha() and name.isalnum() and name.isascii() and len(name) <= 8):
        raise source.error(
            head.number,
            "this is not a card",
            found=repr(card[:40]),
            expected="a bulk data entry name",
            advice="check that field 1 holds the card's name",
        )
    fields: list[bytes] = []
    for line in lines:
        if line.surplus:
            raise source.error(
                line.number,
                "has more fields than a line can hold",
                card=card,
                found=repr(line.surplus[:40].decode("latin-1")),
                advice="put the rest on a continuation line",
            )
        if not line.large and len(fields) % 8:
            fields += [b""] * (8 - len(fields) % 8)
        fields.extend(line.fields)
    while fields and not fields[-1]:
        fields.pop()
    return Row(card, fields, head.number, source)
