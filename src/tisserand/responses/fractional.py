"""Linear equations with uncertain factors, gathered into one linear fractional model: x, z and y out of x, w and u, w = Delta z.

Every product of a factor p = middle + half * delta with r rows adds r channels: z the rows, w = delta z. A quotient adds unknowns
v with p v = rows. When all equations are stated, the unknowns are eliminated once, so that nothing is approximated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray

Parts = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class Rows:
    """Linear forms: their factors of the states, inputs, unknowns and uncertain channels, (r, ...) each."""

    parts: Parts

    def __len__(self) -> int:
        return len(self.parts[0])

    def __add__(self, other: Rows) -> Rows:
        both = []
        for a, b in zip(self.parts, other.parts):
            wide = max(a.shape[1], b.shape[1])  # channels grow while the equations are written
            both.append(_wide(a, wide) + _wide(b, wide))
        return Rows(tuple(both))  # type: ignore[arg-type]

    def __sub__(self, other: Rows) -> Rows:
        return self + other.times(-np.eye(len(other)))

    def times(self, matrix: FloatArray) -> Rows:
        """Matrix (m, r) times the rows."""
        return Rows(tuple(np.asarray(matrix) @ part for part in self.parts))  # type: ignore[arg-type]


def _wide(matrix: FloatArray, columns: int) -> FloatArray:
    return np.hstack([matrix, np.zeros((len(matrix), columns - matrix.shape[1]))])


def stacked(items: list[Rows]) -> Rows:
    """Rows one below the other."""
    wide = [max(item.parts[i].shape[1] for item in items) for i in range(4)]
    return Rows(tuple(np.vstack([_wide(item.parts[i], wide[i]) for item in items]) for i in range(4)))  # type: ignore[arg-type]


class Equations:
    """Equations of n states, i inputs and unknowns; uncertain factors by number."""

    def __init__(self, states: int, inputs: int, unknowns: int) -> None:
        self.sizes = [states, inputs, unknowns, 0]
        self.channels: list[tuple[int, Rows]] = []
        self.zero: list[Rows] = []

    def rows(self, count: int, kind: int = 0, matrix: FloatArray | None = None, first: int = 0) -> Rows:
        """``count`` rows that are zero, or a matrix over the columns of a kind (0 states, 1 inputs, 2 unknowns, 3 channels)."""
        parts = [np.zeros((count, size)) for size in self.sizes]
        if matrix is not None:
            parts[kind][:, first : first + matrix.shape[1]] = matrix
        return Rows(tuple(parts))  # type: ignore[arg-type]

    def times(self, factor: int, middle: float, half: float, rows: Rows) -> Rows:
        """A factor middle + half * delta times rows."""
        first = self.sizes[3]
        self.sizes[3] += len(rows)
        self.channels.append((factor, rows))
        return rows.times(middle * np.eye(len(rows))) + self.rows(len(rows), 3, half * np.eye(len(rows)), first)

    def over(self, factor: int, middle: float, half: float, rows: Rows) -> Rows:
        """Rows divided by a factor."""
        first = self.sizes[2]
        self.sizes[2] += len(rows)
        out = self.rows(len(rows), 2, np.eye(len(rows)), first)
        self.require(self.times(factor, middle, half, out) - rows)
        return out

    def require(self, rows: Rows) -> None:
        """State that rows are zero."""
        self.zero.append(rows)

    def solved(self, rates: Rows, outputs: Rows) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, list[int]]:
        """A, B, C, D of [w; u] -> [z; y] with the channels of each factor together, and the number of channels per factor."""
        order = sorted(range(len(self.channels)), key=lambda i: self.channels[i][0])
        first = np.cumsum([0, *(len(rows) for _, rows in self.channels)])
        columns = np.concatenate([np.arange(first[i], first[i + 1]) for i in order] or [np.zeros(0, int)]).astype(int)
        every = [*self.zero, rates, *(self.channels[i][1] for i in order), outputs]
        x, u, v, w = stacked([self.rows(0), *every]).parts
        w = _wide(w, self.sizes[3])[:, columns]
        v = _wide(v, self.sizes[2])
        n = sum(len(rows) for rows in self.zero)
        known = np.hstack([x, w, u])
        unknown = -np.linalg.solve(v[:n], known[:n])
        found = known[n:] + v[n:] @ unknown
        k = x.shape[1]
        counts = [0] * (max((f for f, _ in self.channels), default=-1) + 1)
        for factor, rows in self.channels:
            counts[factor] += len(rows)
        return found[:k, :k], found[:k, k:], found[k:, :k], found[k:, k:], counts
