"""Compiled field cutting and number parsing for large decks; the same rules as ``numbers`` states in numpy."""

from __future__ import annotations

from tisserand.numerics import kernel


@kernel
def cut_fields(text, start, length, offset, first_field, out):
    """Copy characters ``offset``... of every line into fields ``first_field``... of ``out`` (n, fields, width)."""
    n, width = out.shape[0], out.shape[2]
    per_line = 64 // width
    for i in range(n):
        available = length[i] - offset
        base = start[i] + offset
        k = 0
        for f in range(first_field, first_field + per_line):
            for j in range(width):
                out[i, f, j] = text[base + k] if k < available else 32
                k += 1


@kernel
def parse_reals(chars, column, powers, values, kinds, hard):
    """Values and kinds (0 blank, 1 integer, 2 real, 3 word) of a column; ``hard`` marks what ``float`` must settle."""
    n, width = chars.shape[0], chars.shape[2]
    for i in range(n):
        state = 0
        mantissa = 0
        digits = 0
        fraction = 0
        exponent = 0
        power_digits = 0
        dot = False
        negative = False
        down = False
        for j in range(width):
            c = chars[i, column, j]
            if 48 <= c <= 57:
                if state < 3:
                    if digits < 18:
                        mantissa = mantissa * 10 + (c - 48)
                    digits += 1
                    if dot:
                        fraction += 1
                    state = 2
                elif state < 6:
                    if power_digits < 9:
                        exponent = exponent * 10 + (c - 48)
                    power_digits += 1
                    state = 5
                else:
                    state = 7
            elif c == 32:
                if state == 2 or state == 5:
                    state = 6
                elif state != 0 and state != 6:
                    state = 7
            elif c == 43 or c == 45:
                if state == 0:
                    negative = c == 45
                    state = 1
                elif state == 2 or state == 3:
                    down = c == 45
                    state = 4
                else:
                    state = 7
            elif c == 46:
                if dot or state > 2:
                    state = 7
                else:
                    dot = True
                    state = 2
            elif (c | 32) == 101 or (c | 32) == 100:
                state = 3 if state == 2 else 7
            else:
                state = 7
            if state == 7:
                break
        hard[i] = False
        values[i] = 0.0
        if state == 0:
            kinds[i] = 0
        elif digits > 0 and (state == 2 or state == 5 or state == 6):
            kinds[i] = 2 if dot or power_digits > 0 else 1
            net = (-exponent if down else exponent) - fraction
            if digits <= 15 and power_digits <= 4 and -22 <= net <= 22:
                value = mantissa / powers[-net] if net < 0 else mantissa * powers[net]
                values[i] = -value if negative else value
            else:
                hard[i] = True
        else:
            kinds[i] = 3


@kernel
def parse_integers(chars, column, values, kinds):
    """Values and kinds (0 blank, 1 integer, 3 word) of a column."""
    n, width = chars.shape[0], chars.shape[2]
    for i in range(n):
        state = 0
        value = 0
        digits = 0
        negative = False
        for j in range(width):
            c = chars[i, column, j]
            if 48 <= c <= 57:
                if state == 3:
                    state = 4
                    break
                value = value * 10 + (c - 48)
                digits += 1
                state = 2
            elif c == 32:
                if state == 1:
                    state = 4
                    break
                if state == 2:
                    state = 3
            elif (c == 43 or c == 45) and state == 0:
                negative = c == 45
                state = 1
            else:
                state = 4
                break
        values[i] = -value if negative else value
        if state == 0:
            kinds[i] = 0
        elif (state == 2 or state == 3) and digits <= 18:
            kinds[i] = 1
        else:
            kinds[i] = 3
            values[i] = 0


@kernel
def split_commas(text, start, length, names, out, good):
    """Fields of free-field lines: names (n, 8), data (n, 8, 16), both left-justified.

    ``good`` is False if a line needs special treatment (control characters, long or surplus fields).
    """
    for i in range(start.shape[0]):
        good[i] = True
        names[i, :] = 32
        out[i, :, :] = 32
        field = -1
        size = 0
        gap = 0
        for k in range(length[i]):
            c = text[start[i] + k]
            if c == 44:
                field += 1
                size = 0
                gap = 0
            elif c == 32:
                gap += 1
            elif c < 32 or field > 7:
                good[i] = False
                break
            else:
                if size == 0:
                    gap = 0
                size += gap + 1
                gap = 0
                if size > (8 if field < 0 else 16):
                    good[i] = False
                    break
                if field < 0:
                    names[i, size - 1] = c
                else:
                    out[i, field, size - 1] = c
