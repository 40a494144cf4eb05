"""A picture of a correlation: MAC, pairs, their frequencies, cross-orthogonality, and COMAC at the points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.responses.correlation.correlate_modes import Correlation, point_comac
from tisserand.views.style import COLOR_MAP, CURVES, GHOST, INK, LINK, figure, save_figure, tidy

#: A band around equal frequencies.
_BAND = 0.05


def save_correlation_picture(found: Correlation, path: str | Path) -> Path:
    """Four panels into a PNG file."""
    made = figure(12.5, 10.0)
    ((mac, cross), (frequency, place)) = made.subplots(2, 2)
    _matrix(made, mac, found.mac, found, "Modal assurance criterion")
    _matrix(made, cross, np.abs(found.cross), found, f"Cross-orthogonality (mass by {found.tam})")
    _frequencies(frequency, found)
    _points(made, place, found)
    return save_figure(made, path)


def _matrix(made: Any, axes: Any, values: FloatArray, found: Correlation, title: str) -> None:
    """Modes of the test by modes of the model; pairs are framed."""
    image = axes.imshow(values, vmin=0.0, vmax=1.0, cmap=COLOR_MAP, origin="upper", aspect="auto")
    for t, m in found.pairs:
        axes.plot([m - 0.48, m + 0.48, m + 0.48, m - 0.48, m - 0.48], [t - 0.48, t - 0.48, t + 0.48, t + 0.48, t - 0.48],
                  color=LINK, linewidth=1.4)  # fmt: skip
    for side, hz in (("x", found.model_hz), ("y", found.test.hz)):
        step = max(1, len(hz) // 16)
        labels = [f"{i + 1}: {f:.3g}" for i, f in enumerate(hz)][::step]
        if side == "x":
            axes.set_xticks(range(0, len(hz), step), labels, fontsize=7, rotation=60)
        else:
            axes.set_yticks(range(0, len(hz), step), labels, fontsize=7)
    axes.set(xlabel="mode of the model: Hz", ylabel="mode of the test: Hz")
    axes.set_title(title, loc="left", fontsize=11, color=INK)
    made.colorbar(image, ax=axes)


def _frequencies(axes: Any, found: Correlation) -> None:
    """Frequency of the model over that of the test, with a band; larger marks have more MAC."""
    tidy(axes, f"Frequencies of {len(found.pairs)} pairs", "test (Hz)", "model (Hz)")
    every = np.concatenate([found.test.hz, found.model_hz])
    ends = np.array([0.8 * every.min(), 1.2 * every.max()])
    axes.fill_between(
        ends, (1.0 - _BAND) * ends, (1.0 + _BAND) * ends, color=GHOST, alpha=0.5, label=f"± {100 * _BAND:g} %"
    )
    axes.plot(ends, ends, color=INK, linewidth=0.8)
    for number, (t, m) in enumerate(found.pairs):
        label = "pair (size: MAC)" if number == 0 else None
        axes.scatter(
            found.test.hz[t], found.model_hz[m], s=10.0 + 70.0 * found.mac[t, m], color=CURVES[0], label=label, zorder=3
        )
    for t in found.unpaired_test:
        axes.axvline(found.test.hz[t], color=CURVES[1], linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(*ends)
    axes.set_ylim(*ends)
    axes.legend(fontsize=8, frameon=False, loc="upper left")


def _points(made: Any, axes: Any, found: Correlation) -> None:
    """COMAC of every measured point, seen along the direction in which the points are thinnest."""
    at, value = point_comac(found)
    wide = np.argsort(-np.ptp(at, axis=0), kind="stable")[:2]
    tidy(axes, "COMAC of each point", f"{'xyz'[wide[0]]} (m)", f"{'xyz'[wide[1]]} (m)")
    axes.set_axisbelow(True)
    image = axes.scatter(at[:, wide[0]], at[:, wide[1]], c=value, vmin=0.0, vmax=1.0, cmap=COLOR_MAP, s=45, edgecolors=INK,
                         linewidths=0.4)  # fmt: skip
    axes.set_aspect("equal", adjustable="datalim")
    made.colorbar(image, ax=axes)
