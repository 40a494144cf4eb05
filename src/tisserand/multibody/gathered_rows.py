"""Histories that are made some output times at a time, so that a long run needs no tables of all its times beside them.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

#: Output times that are worked on together.
ROWS = 16_384


def gathered_rows(n: int, pieces: Iterable[tuple[slice, dict[str, Any]]]) -> dict[str, Any]:
    """One table of all n rows, read-only, from the tables of some rows each; values are arrays or tables of such."""
    whole: dict[str, Any] = {}
    for rows, piece in pieces:
        _put(whole, piece, rows, n)
    _close(whole)
    return whole


def _put(whole: dict[str, Any], piece: dict[str, Any], rows: slice, n: int) -> None:
    for name, value in piece.items():
        if isinstance(value, dict):
            _put(whole.setdefault(name, {}), value, rows, n)
        else:
            if name not in whole:
                whole[name] = np.empty((n, *value.shape[1:]))
            whole[name][rows] = value


def _close(whole: dict[str, Any]) -> None:
    for value in whole.values():
        if isinstance(value, dict):
            _close(value)
        else:
            value.setflags(write=False)
