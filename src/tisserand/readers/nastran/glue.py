"""Glued contact (IGLUE): parts that contact ties together for good are not left open without a word."""

from __future__ import annotations

from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

#: From the word SLAVE of a BCTABLE to its glue option.
_AFTER_SLAVE = 6


def account_for_glue(draft: Draft) -> None:
    """Drop tables of contact that glue, where case control selects contact: they tie grid points."""
    if "BCONTACT" not in draft.selection.values:
        return
    for card in ("BCTABLE", "BCONPRG"):
        for row in draft.bulk.rows(card):
            if _glues(row):
                place = draft.bulk.source.place(row.line)[1]
                draft.dropped[card] = f"ties or holds grid points (IGLUE), line {place}"


def _glues(row: Row) -> bool:
    """Whether a positive glue option stands in the row."""
    for at in range(len(row)):
        word = row.word(at)
        if word in ("SLAVE", "IGLUE"):
            value = row.word(at + (_AFTER_SLAVE if word == "SLAVE" else 1), "0")
            if value.lstrip("+").isdigit() and int(value) > 0:
                return True
    return False
