"""Replication: ``=`` copies a field, ``==`` the rest, ``*x`` or ``*(x)`` adds x, ``=n`` or ``=(n)`` repeats n times."""

from __future__ import annotations

from decimal import Decimal

from tisserand.readers.nastran import numbers
from tisserand.readers.nastran.cards import Row, field_number
from tisserand.readers.nastran.deck_text import SourceText
from tisserand.readers.nastran.physical import PhysicalLine

#: Copies by one replication, and by all of a deck.
_MOST_COPIES, _MOST_OF_A_DECK = 200_000, 1_000_000


def replicate(source: SourceText, previous: Row, lines: list[PhysicalLine]) -> list[Row]:
    """The cards that a replication line generates; ``previous`` carries what the last one was made with."""
    line = lines[0]
    if len(lines) > 1 or len(previous.fields) > 8:
        raise source.error(
            line.number,
            "cards with continuation lines cannot be replicated",
            card=previous.card,
            advice="write the card out",
        )
    count_text = line.first[1:].strip(b"() ")
    count = 1
    if count_text and line.first != b"==":
        number = numbers.integer_of(count_text)
        if number is None or not 1 <= number <= _MOST_COPIES:
            raise source.error(
                line.number,
                "the number of copies is wrong",
                card=previous.card,
                field=1,
                found=repr(line.first.decode("latin-1")),
                expected="=(n)",
            )
        count = number
    source.copies += count
    if source.copies > _MOST_OF_A_DECK:
        raise source.error(
            line.number,
            "the replications of this deck give too many cards",
            card=previous.card,
            expected=f"at most {_MOST_OF_A_DECK}",
            advice="write the cards out",
        )
    if count_text and not any(line.fields):
        rule = getattr(previous, "rule", None)
        if rule is None:
            raise source.error(
                line.number, "there is no replication before this one to repeat", card=previous.card, field=1
            )
    else:
        rule = line.fields
    copies: list[Row] = []
    for _ in range(count):
        fields = _advance(source, previous, rule, line.number)
        previous = _Replica(previous.card, fields, line.number, source, rule)
        copies.append(previous)
    return copies


def named_replica(source: SourceText, previous: Row, card: Row) -> Row:
    """A card whose own fields are ``=``, ``==`` or increments of the card of the same name before it."""
    return Row(card.card, _advance(source, previous, tuple(card.fields), card.line), card.line, source)


class _Replica(Row):
    """A card made by replication, which remembers how."""

    rule: tuple[bytes, ...]

    def __init__(self, card: str, fields: list[bytes], line: int, source: SourceText, rule: tuple[bytes, ...]) -> None:
        super().__init__(card, fields, line, source)
        object.__setattr__(self, "rule", rule)


def _advance(source: SourceText, previous: Row, rule: tuple[bytes, ...], line: int) -> list[bytes]:
    fields: list[bytes] = []
    for index, text in enumerate(rule):
        old = previous.text(index)
        if text == b"==":
            fields.extend(previous.text(k) for k in range(index, 8))
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
