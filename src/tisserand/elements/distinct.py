"""Distinct values of an index array; fast if there is only one, since most chunks of a block share a section.

Serves the assembly of theory section 1.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import IntArray


def distinct(values: IntArray) -> tuple[IntArray, IntArray]:
    """The sorted distinct values and each entry's place among them."""
    if len(values) and (values == values[0]).all():
        return values[:1], np.zeros(len(values), np.int64)
    found, place = np.unique(values, return_inverse=True)
    return found, place.astype(np.int64)
