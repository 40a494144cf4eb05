"""Properties of one family by id: a section is created when first used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from tisserand.errors import ModelError
from tisserand.model import Section
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

Maker = Callable[[Draft, Row, int], Section]
T = TypeVar("T")


def guarded(row: Row, make: Callable[[], T]) -> T:
    """Result of ``make``; errors are reported at the place of the card."""
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            return make()
    except ModelError as error:
        raise row.error(None, error.what, found=error.found, expected=error.expected) from error
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise row.error(None, "its numbers are too large or too small to compute with") from error


class SectionBook:
    """Looks up the section index of a property id; what no element uses is never made."""

    def __init__(self, draft: Draft, makers: dict[str, Maker]) -> None:
        self.draft, self.makers = draft, makers
        self.rows: dict[int, Row] = {}
        self.made: dict[object, int] = {}
        for row in draft.bulk.rows(*makers):
            number = row.integer(0)
            old = self.rows.get(number)
            if old is not None and (old.card, old.fields) != (row.card, row.fields):
                raise row.error(0, "the property is defined twice with different data", found=number)
            self.rows[number] = row

    def get(self, number: int) -> int:
        """Section index, or -1 when this family has no such property."""
        row = self.rows.get(number)
        if row is None:
            return -1
        return self.variant(number, number, lambda: self.makers[row.card](self.draft, row, number))

    def variant(self, key: object, number: int, make: Callable[[], Section]) -> int:
        """Section index of a variant of a property under a separate key."""
        if key not in self.made:
            self.made[key] = self.draft.add(guarded(self.rows[number], make))
        return self.made[key]
