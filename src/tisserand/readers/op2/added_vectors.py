"""Residual vectors among the modes of an OP2 file: those beyond the range and number requested by EIGRL.

EIGRL in the data block DYNAMICS has the key (308, 8, 348) and 27 words, of which the first four are SID, V1, V2 and ND; CASECC
names the method of a subcase in word 5. A Lanczos solution ends at V2 and at ND, so whatever is listed beyond them was added.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.readers.op2.data_blocks import DataBlocks

_EIGRL = (308, 8, 348)
_EIGRL_WORDS = 27
_METHOD = 4
#: Single-precision digits of V2 against those of an eigenvalue.
_DIGITS = 1e-6


def added_vectors(file: DataBlocks, case: int, frequencies_hz: FloatArray) -> BoolArray:
    """(k,) modes beyond those that the case's EIGRL requests; none if the file does not identify that EIGRL."""
    none = np.zeros(len(frequencies_hz), np.bool_)
    asked = _asked(file)
    methods = _methods(file, case) & set(asked)
    if len(methods) != 1:
        return none
    top, count = asked[methods.pop()]
    beyond = none.copy()
    order = np.argsort(frequencies_hz, kind="stable")
    if count > 0:
        beyond[order[count:]] = True
    if top > 0.0:
        beyond |= frequencies_hz > top * (1.0 + _DIGITS)
    return beyond


def _asked(file: DataBlocks) -> dict[int, tuple[float, int]]:
    """V2 (Hz, zero: no limit) and ND (zero: no limit) of every EIGRL by its id."""
    out: dict[int, tuple[float, int]] = {}
    for _, _, records in file.tables("DYNAMICS", "DYNAMIC"):
        for record in records:
            ints, reals = record.ints(), record.reals()
            if tuple(ints[:3].tolist()) != _EIGRL or (len(record) - 3) % _EIGRL_WORDS:
                continue
            for at in range(3, len(record), _EIGRL_WORDS):
                out[int(ints[at])] = (float(reals[at + 2]), int(ints[at + 3]))
    return out


def _methods(file: DataBlocks, case: int) -> set[int]:
    """METHOD of the subcase, or of every subcase where the modes belong to no numbered one."""
    found = {
        int(ints[0]): int(ints[_METHOD])
        for _, _, records in file.tables("CASECC")
        for record in records
        if len(ints := record.ints()) > _METHOD
    }
    return {found[case]} if case in found else set(found.values())
