"""Replication: ``=`` copies a field, ``==`` the rest, ``*x`` or ``*(x)`` adds x, ``=n`` or ``=(n)`` repeats n times."""

from __future__ import annotations

from decimal import Decimal

from tisserand.readers.nastran import numbers
from tisserand.readers.nastran.cards import Row, field_number
from tisserand.readers.nastran.deck_text import SourceText
from tisserand.readers.nastran.physical import PhysicalLine

#: Lines that all replications of a deck may stand for, 1.1 kB of memory each.
_MOST = 200_000


def line_count(card: Row) -> int:
    """Lines that a card takes, with its continuations."""
    return max(1, -(-len(card.fields) // 8))


def replicate(source: SourceText, previous: Row, lines: list[PhysicalLine]) -> list[Row]:
    """The cards that replication lines generate; ``previous`` carries what the last one was made with.

    A card with continuations is replicated line by line: one replication line for each of its lines, all with the same count.
    """
    line = lines[0]
    if len(lines) != line_count(previous) or any(_count_text(line) != _count_text(other) for other in lines):
        raise source.error(
            line.number,
            "a card with continuation lines is replicated by one line for each of its lines, with the same count",
            card=previous.card,
            found=f"{len(lines)} replication line{'s' if len(lines) > 1 else ''} for {line_count(previous)} lines",
            advice="write the card out",
        )
    count = _copies(source, previous, lines)
    rules = tuple(_rule(source, previous, other, at) for at, other in enumerate(lines))
    copies: list[Row] = []
    for _ in range(count):
        fields: list[bytes] = []
        for at, rule in enumerate(rules):
            fields += [b""] * (8 * at - len(fields)) + _advance(source, previous, rule, line.number, 8 * at)
        previous = _Replica(previous.card, fields, line.number, source, rules)
        copies.append(previous)
    return copies


def _count_text(line: PhysicalLine) -> bytes:
    """What stands behind the first = of a replication line."""
    return b"" if line.first == b"==" else line.first[1:].strip(b"() ")


def _copies(source: SourceText, previous: Row, lines: list[PhysicalLine]) -> int:
    line, count = lines[0], 1
    if text := _count_text(line):
        number = numbers.integer_of(text)
        if number is None or not 1 <= number <= _MOST:
            raise source.error(
                line.number,
                "the number of copies is wrong",
                card=previous.card,
                field=1,
                found=repr(line.first.decode("latin-1")),
                expected="=(n)",
            )
        count = number
    source.copies += count * len(lines)
    if source.copies > _MOST:
        raise source.error(
            line.number,
            "the replications of this deck give too many lines",
            card=previous.card,
            expected=f"at most {_MOST}",
            advice="write the cards out",
        )
    return count


def _rule(source: SourceText, previous: Row, line: PhysicalLine, at: int) -> tuple[bytes, ...]:
    """How the fields of one line change from copy to copy; a bare =(n) repeats the replication before it."""
    if not _count_text(line) or any(line.fields):
        return line.fields
    rules: tuple[tuple[bytes, ...], ...] = getattr(previous, "rules", ())
    if at >= len(rules):
        raise source.error(
            line.number, "there is no replication before this one to repeat", card=previous.card, field=1
        )
    return rules[at]


def named_replica(source: SourceText, previous: Row, card: Row) -> Row:
    """A card whose own fields are ``=``, ``==`` or increments of the card of the same name before it."""
    return Row(card.card, _advance(source, previous, tuple(card.fields), card.line), card.line, source)


class _Replica(Row):
    """A card made by replication, which remembers how."""

    rules: tuple[tuple[bytes, ...], ...]

    def __init__(
        self, card: str, fields: list[bytes], line: int, source: SourceText, rules: tuple[tuple[bytes, ...], ...]
    ) -> None:
        super().__init__(card, fields, line, source)
        object.__setattr__(self, "rules", rules)


def _advance(source: SourceText, previous: Row, rule: tuple[bytes, ...], line: int, start: int = 0) -> list[bytes]:
    """Fields ``start`` and following of a copy."""
    fields: list[bytes] = []
    for index, text in enumerate(rule, start):
        old = previous.text(index)
        if text == b"==":
            fields.extend(previous.text(k) for k in range(index, start + 8))
            break
        if text == b"=":
            fields.append(old)
        elif text.startswith(b"*"):
            step = text[1:].strip(b"() ")
            fields.append(_sum(source, previous.card, old, step, index, line))
        else:
            fields.append(text)
    while fields and not fields[-1]:
        fields.pop()
    return fields


def _sum(source: SourceText, card: str, old: bytes, step: bytes, index: int, line: int) -> bytes:
    old = old or (b"0" if numbers.kind_of(step) == numbers.INTEGER else b"0.")  # a blank counts as zero
    kinds = (numbers.kind_of(old), numbers.kind_of(step))
    if kinds == (numbers.INTEGER, numbers.INTEGER):
        return str(int(old) + int(step)).encode()
    if numbers.REAL in kinds and numbers.WORD not in kinds and numbers.BLANK not in kinds:
        total = _decimal(old) + _decimal(step)  # decimal, so that copies carry the digits an analyst would write
        return f"{total:E}".encode() if abs(total) >= 10**14 else _plain(total)
    raise source.error(
        line,
        "an increment needs a number before it",
        card=card,
        field=field_number(index),
        found=f"{old.decode('latin-1')!r} + {step.decode('latin-1')!r}",
    )


def _plain(total: Decimal) -> bytes:
    text = f"{total:f}" if abs(total.adjusted()) < 12 else f"{total:E}"
    return (text if "." in text or "E" in text else text + ".").encode()


def _decimal(text: bytes) -> Decimal:
    plain = text.decode().upper().replace("D", "E")
    for sign in "+-":
        at = plain.find(sign, 1)
        if at > 0 and "E" not in plain:
            plain = plain[:at] + "E" + plain[at:]
    return Decimal(plain)
