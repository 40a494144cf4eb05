"""A picture of coupled loads: histories of the largest rows of every unit, event by event."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.files import atomic_path
from tisserand.responses.coupled_loads import CoupledLoads
from tisserand.views.style import CURVES, LINES, figure, tidy

#: Rows drawn per unit, largest first.
_MOST_ROWS = 3


def save_loads_picture(name: str, loads: CoupledLoads, path: str | Path) -> Path:
    """One panel per unit: colors are rows, line styles are events, into a PNG file."""
    found = loads.extremes
    units = list(dict.fromkeys(found.units))
    size = np.maximum(np.abs(found.maximum), np.abs(found.minimum)).max(axis=0)
    made = figure(10.0, 2.8 * len(units) + 0.4)
    panels = made.subplots(len(units), 1, sharex=True, squeeze=False)[:, 0]
    for panel, unit in zip(panels, units):
        tidy(panel, f"{name}: coupled loads" if panel is panels[0] else "", "", unit)
        rows = [i for i in np.argsort(-size) if found.units[i] == unit][:_MOST_ROWS]
        for number, row in enumerate(rows):
            for e, (event, (times, values)) in enumerate(loads.histories.items()):
                label = f"{found.labels[row]}, {event}" if len(found.events) > 1 else found.labels[row]
                style = LINES[e % len(LINES)][0]
                panel.plot(times, values[:, row], color=CURVES[number], linestyle=style, linewidth=1.1, label=label)
        panel.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    panels[-1].set_xlabel("time (s)")
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)
