"""Branches of a sweep that lie on each other in a picture."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray

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
