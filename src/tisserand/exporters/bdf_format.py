"""Bulk data cards as text: reals with as many digits as sixteen columns hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Field = int | float | str | None


def real(value: float) -> str:
    """The shortest text of a real that keeps the most digits in 16 columns; exponents are written without E."""
    value = float(value)
    if value == 0.0:
        return "0."
    text = repr(value)
    if len(text) <= 16 and "e" not in text:
        return text
    for digits in range(16, 0, -1):
        mantissa, exponent = f"{value:.{digits}e}".split("e")
        mantissa = mantissa.rstrip("0")
        short = f"{mantissa}{int(exponent):+d}"
        if len(short) <= 16:
            break
    fixed = [f"{value:.{digits}f}" for digits in range(16, 2, -1)]
    plain = next((text for text in fixed if len(text) <= 16), "")
    best = min((text for text in (short, plain) if text), key=lambda text: abs(number(text) - value))
    return best


def number(text: str) -> float:
    """A real written by ``real``."""
    for sign in "+-":
        at = text.find(sign, 1)
        if at > 0:
            return float(text[:at] + "e" + text[at:])
    return float(text)


def large(card: str, *fields: Field) -> str:
    """A large-field card (16 columns), always an even number of lines."""
    cells = [_cell(field, 16) for field in _trimmed(fields)]
    lines = []
    for start in range(0, max(len(cells), 1), 4):
        head = f"{card}*" if start == 0 else "*"
        lines.append(f"{head:<8}" + "".join(f"{cell:>16}" for cell in cells[start : start + 4]))
    if len(lines) % 2:
        lines.append("*")
    return "\n".join(lines)


def small(card: str, *fields: Field) -> str:
    """A small-field card (8 columns), for ids and words."""
    cells = [_cell(field, 8) for field in _trimmed(fields)]
    lines = []
    for start in range(0, max(len(cells), 1), 8):
        head = card if start == 0 else ""
        lines.append((f"{head:<8}" + "".join(f"{cell:>8}" for cell in cells[start : start + 8])).rstrip())
    return "\n".join(lines)


def digits(components: Sequence[int] | np.ndarray) -> str:
    """Components 0..5 as Nastran digits."""
    return "".join(str(int(c) + 1) for c in sorted(components))


def _trimmed(fields: Sequence[Field]) -> list[Field]:
    out = list(fields)
    while out and out[-1] is None:
        out.pop()
    return out


def _cell(field: Field, width: int) -> str:
    if field is None:
        return ""
    if isinstance(field, str):
        return field
    if isinstance(field, (int, np.integer)):
        return str(int(field))
    text = real(float(field))
    if len(text) > width:
        raise ValueError(f"{field} does not fit {width} columns")
    return text
