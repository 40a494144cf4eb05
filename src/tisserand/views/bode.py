"""Bode plots: one channel in each panel, with the margins of the loops."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.multibody.margins import LoopMargins
from tisserand.views.style import CURVES, GHOST, figure, save_figure, tidy

#: Most panels of one picture.
MOST_PANELS = 16


def save_bode(
    hz: FloatArray,
    response: ComplexArray,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    path: str | Path,
    margins: Sequence[LoopMargins] = (),
) -> Path:
    """Magnitude and phase of every output over every input (f, o, i); PNG, PDF or SVG by the ending."""
    return save_figure(bode_figure(hz, response, inputs, outputs, margins), path)


def bode_figure(
    hz: FloatArray,
    response: ComplexArray,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    margins: Sequence[LoopMargins] = (),
) -> Any:
    """The figure: a column of magnitude over phase for every channel, outputs by rows and inputs by columns."""
    pairs = [(o, i) for o in range(len(outputs)) for i in range(len(inputs))]
    drawn = pairs[:MOST_PANELS]
    columns = len(inputs) if len(inputs) <= 4 else min(len(drawn), 4)
    rows = -(-len(drawn) // columns)
    made = figure(max(4.2 * columns, 7.0), 4.0 * rows + 0.5 + 0.25 * len(margins))
    grid = made.add_gridspec(2 * rows, columns, height_ratios=[3, 2] * rows)
    for number, (o, i) in enumerate(drawn):
        row, column = divmod(number, columns)
        top, bottom = made.add_subplot(grid[2 * row, column]), made.add_subplot(grid[2 * row + 1, column])
        values = response[:, o, i]
        tidy(top, f"{outputs[o]} / {inputs[i]}", "", "magnitude (dB, SI)")
        tidy(bottom, "", "frequency (Hz)", "phase (deg)")
        top.semilogx(hz, 20.0 * np.log10(np.maximum(np.abs(values), 1e-300)), color=CURVES[0], linewidth=1.3)
        bottom.semilogx(hz, np.degrees(np.unwrap(np.angle(values))), color=CURVES[1], linewidth=1.3)
        top.tick_params(labelbottom=False)
        for loop in margins:
            if np.isfinite(loop.phase_margin_deg) and hz[0] <= loop.crossover_hz <= hz[-1]:
                for axes in (top, bottom):
                    axes.axvline(loop.crossover_hz, color=GHOST, linewidth=1.0, linestyle="--")
    notes = [loop.sentence() for loop in margins]
    if len(pairs) > len(drawn):
        notes.append(f"{len(pairs) - len(drawn)} more channels are in the table")
    if notes:
        made.supxlabel("\n".join(notes), fontsize=9, x=0.01, ha="left")
    return made
