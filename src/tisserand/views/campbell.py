"""A Campbell diagram: frequencies in the spinning frame over the rate of spin, with the lines of the spin and its multiples."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.modes.campbell import Campbell
from tisserand.views.branches import branch_name, covered
from tisserand.views.style import GHOST, INK, LINK, branch_look, figure, save_figure, tidy

#: Multiples of the rate drawn for reference: where one meets a branch, an excitation fixed in space or at the hub resonates.
ORDERS = (1, 2, 3)


def save_campbell(data: Campbell, path: str | Path, *, title: str = "Campbell diagram") -> Path:
    """One curve per branch into a PNG file; rates where a mode grows are marked."""
    made = figure(10.5, 5.8)
    axes = made.add_subplot()
    axis = ", ".join(f"{value:.3g}" for value in data.axis)
    tidy(axes, title, f"spin rate about ({axis}) (rpm)", "frequency in the spinning frame (Hz)")
    rpm, handles = data.rates * 30.0 / np.pi, []
    for branch, below in enumerate(covered(data.frequencies_hz)):
        (handle,) = axes.plot(
            rpm, data.frequencies_hz[:, branch], **branch_look(branch, below), markersize=3, linewidth=1.4,
            label=branch_name("branch", data.frequencies_hz, branch, below),
        )  # fmt: skip
        handles.append((float(data.frequencies_hz[-1, branch]), handle))
    above = axes.secondary_xaxis("top", functions=(lambda v: v * np.pi / 30.0, lambda v: v * 30.0 / np.pi))
    above.set_xlabel("rad/s", fontsize=8, color=INK)
    above.tick_params(labelsize=8, colors=INK)
    top = float(data.frequencies_hz.max(initial=0.0)) * 1.05 or 1.0
    for order in ORDERS:
        line = order * np.abs(data.rates) / (2.0 * np.pi)
        axes.plot(rpm, line, color=GHOST, linewidth=1.0, linestyle="--")
        shown = np.flatnonzero(line <= top)
        if len(shown):
            end = (rpm[shown[-1]], line[shown[-1]])
            axes.annotate(f"{order}Ω", end, (4, -3), textcoords="offset points", fontsize=8, color=INK)
    bad = unstable(data)
    if bad.any():
        rows, columns = np.nonzero(bad)
        (cross,) = axes.plot(rpm[rows], data.frequencies_hz[rows, columns], "x", color=LINK, label="unstable")
        handles.append((-np.inf, cross))
    axes.set_ylim(0.0, top)
    shown_first = [
        handle for _, handle in sorted(handles, key=lambda pair: -pair[0])
    ]  # in the order of the curves' ends
    axes.legend(handles=shown_first, fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    return save_figure(made, path)


def unstable(data: Campbell) -> np.ndarray:
    """(m, k) True where a mode grows faster than round-off: real part above 1e-7 of the largest frequency."""
    scale = 2.0 * np.pi * float(data.frequencies_hz.max(initial=0.0))
    return np.asarray(data.growth > 1e-7 * max(scale, 1e-300))
