"""A picture of a jitter budget: wheels over their speed, and the root mean square over the frequency."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.files import atomic_path
from tisserand.views.style import CURVES, GHOST, INK, LINES, figure, tidy


def save_jitter_picture(result: Any, path: str | Path) -> Path:
    """One waterfall per wheel and line of sight, and the running root mean square, into a PNG file."""
    names = result.budget.names
    panels = [(fall, i) for fall in result.waterfalls for i in range(len(names))]
    made = figure(9.5, 2.9 * (len(panels) + 1))
    axes = made.subplots(len(panels) + 1, 1, squeeze=False)[:, 0]
    for panel, (fall, sight) in zip(axes, panels):
        tidy(panel, f"{fall.wheel.name}: {names[sight]}", "speed (rpm)", "amplitude (µrad)")
        rpm = 60.0 * fall.speeds_hz
        for h, harmonic in enumerate(fall.wheel.harmonics):
            values = 1e6 * np.maximum(fall.amplitude[:, h, sight], 1e-300)
            panel.plot(rpm, values, color=CURVES[h % len(CURVES)], linewidth=1.2, label=f"{harmonic.number:g} x speed")
        panel.plot(rpm, 1e6 * np.sqrt(2.0) * fall.rms[:, sight], color=INK, linewidth=0.9, linestyle="--", label="all")
        panel.axvline(60.0 * result.speeds_hz[fall.wheel.name], color=GHOST, linewidth=1.5)
        panel.set_yscale("log")
        panel.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    _running(axes[-1], result)
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)


def _running(panel: Any, result: Any) -> None:
    """Root mean square up to each frequency, with the limits."""
    budget = result.budget
    tidy(panel, "Root mean square up to each frequency", "frequency (Hz)", "line of sight (µrad)")
    every = np.concatenate([budget.hz, budget.noise_hz[budget.noise_hz > 0.0] if len(budget.noise) else []])
    grid = np.unique(np.concatenate([every, 0.999 * every, [0.5 * every.min(), 1.5 * every.max()]]))
    for i, name in enumerate(budget.names):
        values = 1e6 * np.maximum(budget.cumulative(grid)[:, i], 1e-300)
        panel.plot(grid, values, color=CURVES[i], linewidth=1.6, drawstyle="steps-post", label=name)
        if name in result.limits:
            panel.axhline(
                1e6 * result.limits[name], color=CURVES[i], linestyle=LINES[1][0], linewidth=1.0, label=f"{name} limit"
            )
    top = 1e6 * float(budget.rms().max())
    panel.set_ylim(top * 1e-4, 3.0 * max(top, 1e6 * max(result.limits.values(), default=0.0)))
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
