"""Bode plots."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.files import atomic_path
from tisserand.views.style import figure, tidy


def save_bode(
    hz: FloatArray, response: ComplexArray, inputs: tuple[str, ...], outputs: tuple[str, ...], path: str | Path
) -> Path:
    """Magnitude and phase of every output over every input (f, o, i) into a PNG file."""
    made = figure(9.0, 7.0)
    top, bottom = made.subplots(2, 1, sharex=True)
    tidy(top, "Frequency response", "", "magnitude (SI)")
    tidy(bottom, "", "frequency (Hz)", "phase (deg)")
    for o, out in enumerate(outputs):
        for i, source in enumerate(inputs):
            values = response[:, o, i]
            top.loglog(hz, np.maximum(np.abs(values), 1e-300), label=f"{out} / {source}", linewidth=1.4)
            bottom.semilogx(hz, np.degrees(np.unwrap(np.angle(values))), linewidth=1.4)
    top.legend(fontsize=8, frameon=False)
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)
