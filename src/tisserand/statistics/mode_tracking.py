"""Modes identified by their shapes: along a sweep, through crossings, and from sample to sample of a study.

A mode belongs to the branch whose pole comes nearest, relative to its size, and whose shape it bears: the cost of a pair is the
relative distance of poles plus 1 - MAC, and the pairs of least total cost are taken (Kuhn, Naval Research Logistics 2, 1955).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from tisserand.arrays import ComplexArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Branches:
    """b branches over m samples. poles (m, b), 1/s, NaN where a branch has no mode; modes (m, b): which mode it is there, or -1.

    likeness (m, b): MAC with the branch's last shape before; NaN at its start and without shapes.
    """

    values: FloatArray
    poles: ComplexArray
    modes: IntArray
    likeness: FloatArray

    @property
    def hz(self) -> FloatArray:
        """(m, b) frequencies |pole| / 2 pi."""
        return np.abs(self.poles) / (2.0 * np.pi)


@dataclass(frozen=True)
class Crossing:
    """Two branches (from 0) that exchange their order between two samples, at a value and a frequency, Hz.

    likeness: the least MAC of the two across the step; far below 1 the shapes mix, and the modes veer rather than cross.
    """

    branches: tuple[int, int]
    value: float
    hz: float
    likeness: float


def tracked(values: ArrayLike, poles: Sequence[ComplexArray], shapes: Sequence[ComplexArray] | None = None) -> Branches:
    """Branches over m increasing values. poles: (k,) per sample, 1/s; shapes: (n, k) per sample.

    A branch is continued straight in the complex plane from its last two samples. The number of modes may change: what is left
    over starts a new branch.
    """
    x = np.asarray(values, float)
    lines: list[dict[int, tuple[int, complex, float]]] = []
    forms: list[ComplexArray] = []
    scaled = _comparable(shapes)
    for row, present in enumerate(poles):
        taken: set[int] = set()
        if lines and len(present):
            ahead = np.array([_continued(x, line, row) for line in lines])
            cost, alike = _costs(ahead, present), np.full((len(lines), len(present)), np.nan)
            if scaled is not None:
                alike = _likeness(np.column_stack(forms), scaled[row])
                cost = cost + 1.0 - alike
            for branch, mode in zip(*(index.tolist() for index in linear_sum_assignment(cost))):
                lines[branch][row] = mode, complex(present[mode]), float(alike[branch, mode])
                if scaled is not None:
                    forms[branch] = scaled[row][:, mode]
                taken.add(mode)
        for mode in range(len(present)):
            if mode not in taken:
                lines.append({row: (mode, complex(present[mode]), np.nan)})
                forms.append(np.zeros(0, complex) if scaled is None else scaled[row][:, mode])
    table = np.full((len(poles), len(lines)), complex(np.nan, np.nan))
    modes, likeness = np.full(table.shape, -1), np.full(table.shape, np.nan)
    for branch, line in enumerate(lines):
        for row, found in line.items():
            modes[row, branch], table[row, branch], likeness[row, branch] = found
    return Branches(x, table, modes, likeness)


def paired(
    poles: ComplexArray, shapes: ComplexArray, others: ComplexArray, other_shapes: ComplexArray
) -> tuple[IntArray, FloatArray]:
    """For every mode (k,) of a reference the mode of another sample, -1 if there is none, and their MAC (k,).

    Coordinates are on the scales of the reference; without MAC (NaN) where the two have different coordinates.
    """
    partner, mac = np.full(len(poles), -1), np.full(len(poles), np.nan)
    if not len(poles) or not len(others):
        return partner, mac
    cost, alike = _costs(poles, others), np.full((len(poles), len(others)), np.nan)
    if len(shapes) == len(other_shapes):
        scale = _scales(shapes)
        alike = _likeness(_unit(shapes / scale), _unit(other_shapes / scale))
        cost = cost + 1.0 - alike
    rows, columns = linear_sum_assignment(cost)
    partner[rows], mac[rows] = columns, alike[rows, columns]
    return partner, mac


def crossings(branches: Branches) -> tuple[Crossing, ...]:
    """Where two branches exchange their order in frequency, between samples by straight lines; in the order of the values."""
    hz, x, found = branches.hz, branches.values, list[Crossing]()
    for a in range(hz.shape[1]):
        for b in range(a + 1, hz.shape[1]):
            gap = hz[:, a] - hz[:, b]
            rows = np.flatnonzero(np.isfinite(gap) & (gap != 0.0))
            for before, after in pairwise(rows):
                if gap[before] * gap[after] < 0.0:
                    part = gap[before] / (gap[before] - gap[after])
                    alike = branches.likeness[before + 1 : after + 1][:, [a, b]]
                    least = float(np.nanmin(alike)) if np.isfinite(alike).any() else np.nan
                    value = float(x[before] + part * (x[after] - x[before]))
                    level = float(hz[before, a] + part * (hz[after, a] - hz[before, a]))
                    found.append(Crossing((a, b), value, level, least))
    return tuple(sorted(found, key=lambda one: (one.value, one.hz)))


def _costs(ahead: ComplexArray, present: ComplexArray) -> FloatArray:
    """(b, k) distances of poles relative to the larger of two."""
    size = np.maximum(np.abs(ahead)[:, None], np.abs(present)[None, :])
    return np.asarray(np.abs(ahead[:, None] - present[None, :]) / np.maximum(size, 1e-300))


def _continued(x: FloatArray, line: dict[int, tuple[int, complex, float]], row: int) -> complex:
    """The pole where the last two points of a branch lead, or its last pole."""
    *before, last = sorted(line)
    if not before or x[last] == x[before[-1]]:
        return line[last][1]
    slope = (line[last][1] - line[before[-1]][1]) / (x[last] - x[before[-1]])
    return complex(line[last][1] + slope * (x[row] - x[last]))


def _comparable(shapes: Sequence[ComplexArray] | None) -> list[ComplexArray] | None:
    """Unit shapes with every coordinate on its own scale (they mix m, rad and eta); None when they cannot be compared."""
    if shapes is None or len({len(one) for one in shapes}) != 1:
        return None
    scale = _scales(np.concatenate(list(shapes), axis=1))
    return [_unit(one / scale) for one in shapes]


def _scales(shapes: ComplexArray) -> FloatArray:
    """(n, 1) root mean square of every coordinate; 1 where it does not move."""
    scale = np.sqrt((np.abs(shapes) ** 2).mean(axis=1, keepdims=True)) if shapes.size else np.ones((len(shapes), 1))
    return np.asarray(np.where(scale > 0.0, scale, 1.0))


def _unit(shapes: ComplexArray) -> ComplexArray:
    return np.asarray(shapes / np.maximum(np.linalg.norm(shapes, axis=0), 1e-300))


def _likeness(one: ComplexArray, two: ComplexArray) -> FloatArray:
    """MAC (b, k) of unit shapes."""
    return np.asarray(np.abs(one.conj().T @ two) ** 2)
