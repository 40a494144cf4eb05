"""A picture of a jitter budget: wheels over their speed, and the root mean square over the frequency."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.files import atomic_path
from tisserand.views.style import CURVES, GHOST, INK, LINES, figure, tidy


def save_jitter_picture(result: Any, path: str | Path) -> Path:
    """One waterfall per wheel and line of sight, lines and densities by source, and the running root mean square; a PNG file."""
    names = result.budget.names
    panels = [(fall, i) for fall in result.waterfalls for i in range(len(names))]
    further = [_lines] * bool(len(result.budget.hz)) + [_densities] * bool(len(result.budget.noise))
    made = figure(9.5, 2.9 * (len(panels) + len(further) + 1))
    axes = made.subplots(len(panels) + len(further) + 1, 1, squeeze=False)[:, 0]
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
    for panel, draw in zip(axes[len(panels) :], further):
        draw(panel, result)
    _running(axes[-1], result)
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)


def _lines(panel: Any, result: Any) -> None:
    """Root mean square of every line, colors by source and marks by line of sight."""
    budget = result.budget
    tidy(panel, "Lines of every source", "frequency (Hz)", "root mean square (µrad)")
    for s, source in enumerate(dict.fromkeys(budget.sources)):
        mine = np.array([name == source for name in budget.sources])
        for i, name in enumerate(budget.names):
            values = 1e6 * np.sqrt(np.maximum(budget.variance[mine, i], 1e-300))
            look = {"color": CURVES[s % len(CURVES)], "marker": LINES[i % len(LINES)][2]}
            label = source if len(budget.names) == 1 else f"{source}: {name}"
            panel.vlines(budget.hz[mine], 1e-300, values, color=look["color"], linewidth=1.4)
            panel.plot(budget.hz[mine], values, linestyle="none", markersize=4, label=label, **look)
    top = 1e6 * float(np.sqrt(budget.variance.max()))
    panel.set_ylim(top * 1e-5, 3.0 * top)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))


def _densities(panel: Any, result: Any) -> None:
    """Power spectral density of every stationary source, and of all of them."""
    budget = result.budget
    tidy(panel, "Power spectral density of noise", "frequency (Hz)", "density (µrad²/Hz)")
    for i, name in enumerate(budget.names):
        for d, source in enumerate(budget.noise_sources):
            look = {"color": CURVES[d % len(CURVES)], "linestyle": LINES[i % len(LINES)][0]}
            panel.plot(budget.noise_hz, 1e12 * budget.noise[d, :, i], linewidth=1.3, label=f"{source}: {name}", **look)
        if len(budget.noise_sources) > 1:
            panel.plot(budget.noise_hz, 1e12 * budget.noise[:, :, i].sum(axis=0), color=INK, linewidth=0.9,
                       linestyle=LINES[i % len(LINES)][0], label=f"all: {name}")  # fmt: skip
    top = 1e12 * float(budget.noise.sum(axis=0).max())
    panel.set_ylim(top * 1e-8, 3.0 * top)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))


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
