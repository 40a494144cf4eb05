"""Pictures of delivered models: effective masses over the frequency, and the share of every part in the modes of a system."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.files import atomic_path
from tisserand.responses.delivery_checks import DeliveryCheck
from tisserand.views.style import CURVES, GHOST, figure, tidy

_SIX = ("x", "y", "z", "about x", "about y", "about z")
#: Modes of a system drawn at most.
_MOST_MODES = 60


def save_delivery_picture(check: DeliveryCheck, path: str | Path) -> Path:
    """Effective masses with the interface held, mode by mode and summed up over the frequency, into a PNG file."""
    made = figure(9.0, 7.0)
    top, bottom = made.subplots(2, 1, sharex=True)
    tidy(top, f"{check.model.name}: effective mass with the interface held", "", "share per mode (%)")
    tidy(bottom, "", "frequency (Hz)", "running sum (%)")
    percent, hz = check.effective_percent, check.fixed_hz
    for i, word in enumerate(_SIX):
        seen = percent[:, i] > 0.05
        shift = 1.0 + 0.004 * (i - 2.5)  # stems of one mode stand side by side
        label = word if seen.any() else f"{word} (none)"
        top.vlines(hz[seen] * shift, 0.0, percent[seen, i], color=CURVES[i], linewidth=2.2, label=label)
        sums = np.concatenate([[0.0], np.cumsum(percent[:, i])])
        bottom.step([0.0, *hz], sums, where="post", color=CURVES[i], linewidth=1.5, linestyle="-" if i < 3 else "--")
    for axes in (top, bottom):
        axes.set_ylim(0.0, 105.0)
    bottom.axhline(100.0, color=GHOST, linewidth=1.0)
    top.legend(fontsize=8, frameon=False, ncols=6, loc="upper right")
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)


def save_share_picture(parts: tuple[str, ...], hz: FloatArray, shares: FloatArray, path: str | Path) -> Path:
    """Strain energy of every part (parts, n) in the elastic modes of a system, stacked, into a PNG file."""
    made = figure(10.5, 5.0)
    axes = made.add_subplot()
    tidy(axes, "Strain energy of the parts in the modes of the system", "mode: frequency (Hz)", "share (%)")
    shown = slice(0, _MOST_MODES)
    places = np.arange(len(hz[shown]))
    below = np.zeros(len(places))
    for i, name in enumerate(parts):
        values = 100.0 * shares[i, shown]
        axes.bar(places, values, bottom=below, color=CURVES[i % len(CURVES)], width=0.8, label=name)
        below += values
    step = max(1, len(places) // 24)
    axes.set_xticks(places[::step], [f"{f:.3g}" for f in hz[shown][::step]], rotation=60, fontsize=8)
    axes.set_ylim(0.0, 100.0)
    axes.set_axisbelow(True)
    axes.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)
