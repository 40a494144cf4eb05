"""Numbers in Nastran's notation, one at a time and by the column.

A real may be written ``1.5``, ``.15E1``, ``15.D-1`` or ``1.5+3`` (exponent without E). Column parsing gives the same bits as
``float``: a mantissa below 2^53 and a power of ten up to 10^22 are exact, so one division or product rounds once (Clinger
1990); everything else is converted by ``float`` itself.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from tisserand.arrays import FloatArray, IntArray
from tisserand.readers.nastran._kernels import parse_integers, parse_reals

Bytes = NDArray[np.uint8]

BLANK, INTEGER, REAL, WORD = 0, 1, 2, 3
#: Shorter columns are read in numpy, so that small decks never wait for compiled code.
SMALLEST_COMPILED = 20_000

_REAL = re.compile(rb"([+-]?(?:\d+\.?\d*|\.\d+))(?:[EeDd]([+-]?\d+)|([+-]\d+))?\Z")
_SPACED = re.compile(rb"[+-]?[\d.]+ +(?:[EeDd][+-]?|[+-])\d+\Z")
_INTEGER = re.compile(rb"[+-]?\d+\Z")
_POWERS = 10.0 ** np.arange(23)


def kind_of(text: bytes) -> int:
    """BLANK, INTEGER, REAL or WORD."""
    if not text:
        return BLANK
    if _INTEGER.match(text):
        return INTEGER
    return REAL if _REAL.match(text) else WORD


def real_of(text: bytes) -> float | None:
    """The number, or None where the text is not one; overflow gives an infinity."""
    match = _REAL.match(text)
    if match is None:
        return None
    mantissa, exponent, bare = match.groups()
    return float(mantissa + b"e" + (exponent or bare or b"0"))


def spaced_real_of(text: bytes) -> float | None:
    """Like ``real_of``, and for ``10.4  +6``: old decks set the exponent apart."""
    return real_of(text.replace(b" ", b"") if _SPACED.match(text) else text)


def integer_of(text: bytes) -> int | None:
    """The whole number, or None where the text is not one or has more than 18 digits."""
    return int(text) if _INTEGER.match(text) and len(text) <= 18 else None


def integers(chars: Bytes, column: int = 0) -> tuple[IntArray, Bytes]:
    """Values and kinds of a column of text (n, columns, w); anything but an integer has kind WORD."""
    if len(chars) < SMALLEST_COMPILED:
        return integers_by_columns(chars[:, column])
    values, kinds = np.empty(len(chars), np.int64), np.empty(len(chars), np.uint8)
    parse_integers(chars, column, values, kinds)
    return values, kinds


def reals(chars: Bytes, column: int = 0) -> tuple[FloatArray, Bytes]:
    """Values and kinds of a column of text (n, columns, w); an integer is read as a real and marked by its kind."""
    if len(chars) < SMALLEST_COMPILED:
        return reals_by_columns(chars[:, column])
    n = len(chars)
    values, kinds, hard = np.empty(n), np.empty(n, np.uint8), np.empty(n, np.bool_)
    parse_reals(chars, column, _POWERS, values, kinds, hard)
    for i in np.flatnonzero(hard):
        number = real_of(chars[i, column].tobytes().strip())
        values[i] = np.nan if number is None else number
    return values, kinds


def integers_by_columns(chars: Bytes) -> tuple[IntArray, Bytes]:
    """``integers`` in numpy on text (n, w), for decks too small to be worth compiled code."""
    n, width = chars.shape
    value = np.zeros(n, np.int64)
    digits = np.zeros(n, np.uint8)
    state = np.zeros(n, np.uint8)  # 0 before, 1 after a sign, 2 in digits, 3 after, 4 wrong
    negative = np.zeros(n, np.bool_)
    for j in range(width):
        c = chars[:, j]
        digit = c - np.uint8(48)  # wraps for everything below "0"
        is_digit = digit < 10
        space = c == 32
        value = np.where(is_digit, value * 10 + digit, value)
        digits += is_digit
        sign = (c == 45) | (c == 43)
        negative |= c == 45
        wrong = (
            (state == 4)
            | (is_digit & (state == 3))
            | (sign & (state != 0))
            | ~(is_digit | space | sign)
            | (space & (state == 1))
        )
        state = np.where(is_digit & (state < 2), np.uint8(2), state)
        state = np.where(sign & (state == 0), np.uint8(1), state)
        state = np.where(space & (state == 2), np.uint8(3), state)
        state[wrong] = 4
    kinds = np.full(n, WORD, np.uint8)
    kinds[(state == 2) | (state == 3)] = INTEGER
    kinds[(state == 0)] = BLANK
    kinds[digits > 18] = WORD
    return np.where(kinds == INTEGER, np.where(negative, -value, value), 0), kinds


def reals_by_columns(chars: Bytes) -> tuple[FloatArray, Bytes]:
    """``reals`` in numpy on text (n, w)."""
    n, width = chars.shape
    mantissa, exponent = np.zeros(n, np.int64), np.zeros(n, np.int64)
    digits, fraction = np.zeros(n, np.int16), np.zeros(n, np.int16)
    power_digits = np.zeros(n, np.int16)
    state = np.zeros(n, np.uint8)  # 0 before, 1 sign, 2 mantissa, 3 E, 4 its sign, 5 exponent, 6 after, 7 wrong
    dot = np.zeros(n, np.bool_)
    negative, down = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    for j in range(width):
        c = chars[:, j]
        digit = c - np.uint8(48)
        is_digit, space = digit < 10, c == 32
        minus = c == 45
        sign = minus | (c == 43)
        point = c == 46
        letter = ((c | 32) == 101) | ((c | 32) == 100)
        early, in_mantissa = state < 3, state == 2
        in_exponent = (state >= 3) & (state <= 5)
        m_digit, e_digit = is_digit & early, is_digit & in_exponent
        mantissa = np.where(m_digit, mantissa * 10 + digit, mantissa)
        digits += m_digit
        fraction += m_digit & dot
        exponent = np.where(e_digit, exponent * 10 + digit, exponent)
        power_digits += e_digit
        bad = ~(is_digit | space | sign | point | letter)
        bad |= (point & (dot | ~early)) | (letter & ~in_mantissa)
        bad |= sign & ((state == 1) | (state > 3))
        bad |= (state == 7) | ((state == 6) & ~space)
        bad |= space & ((state == 1) | (state == 3) | (state == 4))
        negative |= minus & (state == 0)
        down |= minus & (state >= 2)
        dot |= point
        new = np.where((m_digit | point) & early, np.uint8(2), state)
        new = np.where(e_digit, np.uint8(5), new)
        new = np.where(sign & (state == 0), np.uint8(1), new)
        new = np.where(sign & (in_mantissa | (state == 3)), np.uint8(4), new)
        new = np.where(letter & in_mantissa, np.uint8(3), new)
        new = np.where(space & (state >= 2), np.uint8(6), new)
        new[bad] = 7
        state = new
    good = ((state == 2) | (state == 5) | (state == 6)) & (digits > 0)
    kinds = np.full(n, WORD, np.uint8)
    kinds[good] = np.where(dot | (power_digits > 0), REAL, INTEGER)[good]
    kinds[state == 0] = BLANK
    net = np.where(down, -exponent, exponent) - fraction
    easy = good & (digits <= 15) & (np.abs(net) <= 22) & (power_digits <= 4)
    size = _POWERS[np.clip(np.abs(net), 0, 22)]
    values = np.where(net < 0, mantissa / size, mantissa * size)
    values = np.where(negative, -values, values)
    values[~good] = 0.0
    for i in np.flatnonzero(good & ~easy):
        text = chars[i].tobytes().strip()
        number = real_of(text)
        values[i] = np.nan if number is None else number
    return values, kinds
