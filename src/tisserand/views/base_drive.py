"""A picture of base drive: rows with the largest peaks over the frequency, and the input before and after notching."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.files import atomic_path
from tisserand.views.style import CURVES, GHOST, INK, figure, tidy

#: Rows drawn per unit, largest first.
_MOST_ROWS = 5
#: Rows with peaks below this part of the largest of their unit are not drawn.
_SMALLEST = 1e-3
_WORDS = {
    "sine": ("amplitude", "m/s²"),
    "random": ("density", "(m/s²)²/Hz"),
    "shock": ("peak of each mode", "m/s²"),
    "transient": ("shock spectrum", "m/s²"),
}


def save_drive_picture(result: Any, path: str | Path) -> Path:
    """One panel per unit with its largest rows, and the input below, into a PNG file; ``result`` is that of the task."""
    units = list(dict.fromkeys(result.units))
    made = figure(9.5, 2.4 * (len(units) + 1) + 0.6)
    panels = made.subplots(len(units) + 1, 1, sharex=True, squeeze=False)[:, 0]
    word, base_unit = _WORDS[result.environment]
    for panel, unit in zip(panels, units):
        square = f"({unit})²/Hz" if set(unit) & {" ", "/"} else f"{unit}²/Hz"
        shown = square if result.environment == "random" else unit
        tidy(panel, "", "", f"{word} ({shown})")
        own = [i for i in np.argsort(-result.peaks) if result.units[i] == unit]
        rows = [i for i in own if result.peaks[i] > _SMALLEST * result.peaks[own[0]]][:_MOST_ROWS]
        for number, row in enumerate(rows):
            values = np.maximum(result.values[:, row], 1e-300)
            if result.environment == "shock":
                panel.stem(
                    result.over, values, linefmt=CURVES[number], markerfmt=".", basefmt=" ", label=result.labels[row]
                )
            else:
                panel.plot(result.over, values, color=CURVES[number], linewidth=1.3, label=result.labels[row])
        panel.set_yscale("log")
        top = max((float(result.values[:, row].max()) for row in rows), default=1.0)
        panel.set_ylim(top * 1e-5, top * 3.0)
        panel.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    what = "swept sine" if result.steady_peaks is not None else result.environment
    panels[0].set_title(f"{result.name}: {what} along {result.axis}", loc="left", fontsize=11, color=INK)
    last = panels[-1]
    stated = "of the base" if result.environment == "transient" else "as stated"
    tidy(last, "", "frequency (Hz)", f"base ({base_unit})")
    last.plot(result.over, result.base, color=GHOST, linewidth=2.5, label=stated)
    if result.notched is not None:
        last.plot(result.over, result.notched, color=CURVES[1], linewidth=1.3, label="notched")
    last.set_xscale("log")
    last.xaxis.set_major_formatter("{x:g}")
    last.xaxis.set_minor_formatter(lambda x, _: f"{x:g}" if f"{x:e}"[0] in "25" else "")
    last.set_yscale("log")
    last.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)
