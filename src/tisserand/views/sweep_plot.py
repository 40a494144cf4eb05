"""Frequencies against a swept parameter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tisserand.files import atomic_path
from tisserand.views.style import figure, tidy

#: Most modes drawn.
MOST_MODES = 12


def save_sweep_plot(
    key: str, values: Sequence[float], frequencies: Sequence[Sequence[float]], path: str | Path
) -> Path:
    """One curve per mode (sorted by frequency) into a PNG file."""
    most = min(max((len(f) for f in frequencies), default=0), MOST_MODES)
    table = np.full((len(values), most), np.nan)
    for row, f in enumerate(frequencies):
        table[row, : min(len(f), most)] = sorted(f)[:most]
    made = figure(9.0, 5.6)
    axes = made.add_subplot()
    tidy(axes, "System modes", key, "frequency (Hz)")
    for column in range(most):
        axes.plot(
            values, table[:, column], marker="o", markersize=3, linewidth=1.4, label=f"mode {column + 1}"
        )
    if most:
        axes.legend(fontsize=8, frameon=False, ncols=3)
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)
