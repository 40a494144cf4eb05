"""Picture of an uncertain model: gains of the nominal system and of systems drawn from the ranges, channel by channel."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.frequency_response import frequencies
from tisserand.responses.uncertain_model import UncertainModel
from tisserand.views.style import CURVES, GHOST, figure, save_figure, tidy

_MOST_PANELS, _MOST_CURVES = 6, 60


def save_gain_picture(model: UncertainModel, deltas: FloatArray, path: str | Path) -> Path:
    """Magnitudes over the frequency: nominal in color, drawn systems (s, p) behind it; a PNG file."""
    nominal = model.nominal
    poles = np.linalg.eigvals(nominal.A).astype(np.complex128)
    size = np.abs(poles[np.abs(poles.imag) > 1e-6 * max(np.abs(poles).max(initial=0.0), 1e-300)]) / (2.0 * np.pi)
    low, high = (0.3 * size.min(), 2.0 * size.max()) if len(size) else (0.01, 100.0)
    hz = frequencies(poles, float(low), float(high), 400)
    response = nominal.response(hz)
    pairs = _channels(model, np.abs(response).max(axis=0))
    columns = min(2, len(pairs))
    rows = -(-len(pairs) // columns)
    made = figure(5.4 * columns, 3.1 * rows + 0.4)
    panels = [made.add_subplot(rows, columns, k + 1) for k in range(len(pairs))]
    family = [model.closed(row).response(hz) for row in deltas[:_MOST_CURVES]]
    for k, (axes, (o, i)) in enumerate(zip(panels, pairs)):
        last = k + columns >= len(pairs)
        tidy(axes, f"{model.outputs[o]} / {model.inputs[i]}", "frequency (Hz)" if last else "", "magnitude (dB, SI)")
        for one in family:
            axes.semilogx(hz, _decibels(np.abs(one[:, o, i])), color=GHOST, linewidth=0.6, alpha=0.7)
        axes.semilogx(hz, _decibels(np.abs(response[:, o, i])), color=CURVES[0], linewidth=1.4)
    made.suptitle(
        f"Nominal, and {len(family)} systems drawn from the ranges of {len(model.factors)} factors", fontsize=10
    )
    return save_figure(made, path)


def _channels(model: UncertainModel, gain: FloatArray) -> list[tuple[int, int]]:
    """The channels drawn: each output over its own input where there are as many, else all; those that are zero are left out."""
    same = len(model.inputs) == len(model.outputs)
    pairs = [(o, i) for o in range(len(model.outputs)) for i in range(len(model.inputs)) if not same or o == i]
    seen = [(o, i) for o, i in pairs if gain[o, i] > 1e-12 * gain.max(initial=0.0)]
    return (seen or pairs)[:_MOST_PANELS]


def _decibels(values: FloatArray) -> FloatArray:
    return np.asarray(20.0 * np.log10(np.maximum(values, 1e-300)))
