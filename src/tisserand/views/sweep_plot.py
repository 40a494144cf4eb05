"""Frequencies against a swept parameter, branch by branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.statistics.mode_tracking import Branches, crossings, tracked
from tisserand.views.branches import branch_name, covered
from tisserand.views.style import INK, branch_look, figure, save_figure, tidy

#: Most modes drawn.
MOST_MODES = 12
#: Letters in one row of the label below.
MOST_LETTERS = 80


@dataclass(frozen=True, eq=False)
class SweptModes:
    """Modes over the values (m,) of the swept keys: poles (k,) 1/s and, where known, shapes (n, k) of every sample."""

    values: FloatArray
    poles: tuple[ComplexArray, ...]
    shapes: tuple[ComplexArray, ...] | None = None
    note: str = ""

    def branches(self) -> Branches:
        """Branches over the values in rising order, by their first frequency."""
        order = np.argsort(self.values, kind="stable")
        shapes = None if self.shapes is None else [self.shapes[i] for i in order]
        found = tracked(self.values[order], [self.poles[i] for i in order], shapes)
        first = [column[np.isfinite(column)][0] for column in found.hz.T]
        rank = np.argsort(first, kind="stable")
        return Branches(found.values, found.poles[:, rank], found.modes[:, rank], found.likeness[:, rank])


def sweep_figure(keys: Sequence[str], swept: Sequence[SweptModes]) -> Any:
    """One curve per branch; ``keys`` share the values; after the first, further sweeps (other keys' values) are drawn thin."""
    made = figure(10.5, 5.8)
    axes = made.add_subplot()
    separate = "\n= " if sum(map(len, keys)) > MOST_LETTERS else " = "
    tidy(axes, "System modes", separate.join(keys), "frequency (Hz)")
    handles: list[Any] = []
    marked: list[Any] = []
    left_out = 0
    for number, one in enumerate(swept):
        branches = one.branches()
        values, table = branches.values, branches.hz
        left_out = max(left_out, table.shape[1] - MOST_MODES)
        for branch, below in enumerate(covered(table[:, :MOST_MODES])):
            look = branch_look(branch, below)
            if number:
                axes.plot(values, table[:, branch], **look, markersize=2, linewidth=0.7, alpha=0.45)
                continue
            (handle,) = axes.plot(
                values,
                table[:, branch],
                **look,
                markersize=3.5,
                linewidth=1.5,
                label=branch_name("mode", table[:, :MOST_MODES], branch, below),
            )
            finite = table[np.isfinite(table[:, branch]), branch]
            handles.append((finite[-1], handle))
        if not number:
            met = [c for c in crossings(branches) if max(c.branches) < MOST_MODES]
            places = [c.value for c in met], [c.hz for c in met]
            ring = {"marker": "o", "markersize": 11, "markerfacecolor": "none", "markeredgecolor": INK, "zorder": 5}
            marked = axes.plot(*places, linestyle="none", markeredgewidth=1.2, label="crossing", **ring) if met else []
    notes = []
    if len(swept) > 1:
        notes.append(f"bold: {swept[0].note}; thin: {len(swept) - 1} more")
    if left_out > 0:
        notes.append(f"{left_out} higher modes not drawn")
    if notes:
        axes.set_title("System modes; " + "; ".join(notes), loc="left", fontsize=11)
    if handles:  # in the order of the curves' ends
        shown = [handle for _, handle in sorted(handles, key=lambda pair: -pair[0])]
        axes.legend(handles=[*shown, *marked], fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    return made


def save_sweep_plot(keys: Sequence[str], swept: Sequence[SweptModes], path: str | Path) -> Path:
    """Draw the sweep; PNG, PDF or SVG by the ending."""
    return save_figure(sweep_figure(keys, swept), path)
