"""Branches of a sweep, tracked through crossings: which mode of one sample is which mode of the next."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arrays import ComplexArray, FloatArray


def followed(
    values: ArrayLike, poles: Sequence[ComplexArray], shapes: Sequence[ComplexArray] | None = None
) -> ComplexArray:
    """Poles (m, b) of b branches over m increasing values; NaN where a branch has no mode.

    poles: (k,) per sample, 1/s; shapes: (n, k) per sample. A mode belongs to the branch whose straight continuation in
    the complex plane comes nearest, relative to its size, and whose shape it bears (1 - MAC is added to that distance). The
    number of modes may change: what is left over starts a new branch.
    """
    from scipy.optimize import linear_sum_assignment

    x = np.asarray(values, float)
    lines: list[dict[int, complex]] = []
    forms: list[ComplexArray] = []
    scaled = _comparable(shapes)
    for row, present in enumerate(poles):
        taken: set[int] = set()
        if lines and len(present):
            ahead = np.array([_continued(x, line, row) for line in lines])
            size = np.maximum(np.abs(ahead)[:, None], np.abs(present)[None, :])
            cost = np.abs(ahead[:, None] - present[None, :]) / np.maximum(size, 1e-300)
            if scaled is not None:
                cost = cost + 1.0 - _likeness(np.column_stack(forms), scaled[row])
            rows, columns = linear_sum_assignment(cost)
            for branch, mode in zip(rows.tolist(), columns.tolist()):
                lines[branch][row] = complex(present[mode])
                if scaled is not None:
                    forms[branch] = scaled[row][:, mode]
                taken.add(mode)
        for mode in range(len(present)):
            if mode not in taken:
                lines.append({row: complex(present[mode])})
                forms.append(np.zeros(0, complex) if scaled is None else scaled[row][:, mode])
    table = np.full((len(poles), len(lines)), complex(np.nan, np.nan))
    for branch, line in enumerate(lines):
        for row, pole in line.items():
            table[row, branch] = pole
    return table


#: Branches closer than this part of the picture's height lie on each other.
CLOSE = 0.012


def branch_name(word: str, table: FloatArray, branch: int, below: int | None) -> str:
    """``mode 4``, ``mode 4 (on 3)`` where it lies on another branch all along, ``mode 4 (partly on 3)`` where it leaves it."""
    if below is None:
        return f"{word} {branch + 1}"
    gaps = np.abs(table[:, below] - table[:, branch])
    apart = bool((gaps[np.isfinite(gaps)] >= CLOSE * _height(table)).any())
    return f"{word} {branch + 1} ({'partly on' if apart else 'on'} {below + 1})"


def _height(table: FloatArray) -> float:
    """Of the picture of a table, from zero."""
    return float(np.nanmax(table) - min(0.0, float(np.nanmin(table)))) if np.isfinite(table).any() else 1.0


def covered(table: FloatArray) -> list[int | None]:
    """For every branch of a table (m, b) the earlier branch that it lies on for at least a third of its samples, or None."""
    height = _height(table)
    out: list[int | None] = []
    for branch in range(table.shape[1]):
        gaps = np.abs(table[:, :branch] - table[:, [branch]])
        near = np.nan_to_num(gaps, nan=np.inf) < CLOSE * height
        often = near.sum(axis=0) >= max(1.0, np.isfinite(table[:, branch]).sum() / 3.0)
        out.append(int(np.flatnonzero(often)[-1]) if often.any() else None)
    return out


def _continued(x: FloatArray, line: dict[int, complex], row: int) -> complex:
    """The pole where the last two points of a branch lead, or its last pole."""
    *before, last = sorted(line)
    if not before or x[last] == x[before[-1]]:
        return line[last]
    slope = (line[last] - line[before[-1]]) / (x[last] - x[before[-1]])
    return complex(line[last] + slope * (x[row] - x[last]))


def _comparable(shapes: Sequence[ComplexArray] | None) -> list[ComplexArray] | None:
    """Unit shapes with every coordinate on its own scale (they mix m, rad and eta); None when they cannot be compared."""
    if shapes is None or len({len(one) for one in shapes}) != 1:
        return None
    everything = np.concatenate(list(shapes), axis=1)
    scale = np.sqrt((np.abs(everything) ** 2).mean(axis=1, keepdims=True)) if everything.size else np.ones((1, 1))
    made = [one / np.where(scale > 0.0, scale, 1.0) for one in shapes]
    return [one / np.maximum(np.linalg.norm(one, axis=0), 1e-300) for one in made]


def _likeness(one: ComplexArray, two: ComplexArray) -> FloatArray:
    """MAC (b, k) of unit shapes."""
    return np.asarray(np.abs(one.conj().T @ two) ** 2)
