"""Who carries jitter: modes of the structure (pole pairs) at one line, and paths from every source through every sensor.

Parts of one line are coherent: they add as complex numbers, so that their sizes may exceed the whole.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.linalg import eig

from tisserand.arrays import FloatArray
from tisserand.responses.jitter import JitterBudget, Noise, Sight

#: line of sight -> source -> sensor -> root mean square of that path alone, rad.
Paths = dict[str, dict[str, dict[str, float]]]


def path_shares(sight: Sight, budget: JitterBudget, inputs: Mapping[str, str], noises: Mapping[str, Noise]) -> Paths:
    """Root mean square of every path alone: a source, the structure to one sensor, and the sensitivity of that sensor.

    inputs: of sources with lines; noises: densities by source, on the frequencies of the budget. Sensors without sensitivity are
    left out.
    """
    out: Paths = {name: {} for name in sight.names}
    for source in dict.fromkeys((*budget.sources, *budget.noise_sources)):
        variance = np.zeros((len(sight.names), len(sight.model.outputs)))
        mine = np.array([name == source for name in budget.sources], bool)
        if mine.any():
            variance += _of_lines(sight, budget, mine, inputs[source])
        if source in noises:
            found = np.abs(sight.outputs(budget.noise_hz, noises[source].input)) ** 2
            density = found * noises[source].density.at(budget.noise_hz)[:, None]
            variance += sight.rows**2 * np.trapezoid(density, budget.noise_hz, axis=0)
        for i, name in enumerate(sight.names):
            used = np.flatnonzero(sight.rows[i])
            out[name][source] = {sight.model.outputs[j]: float(np.sqrt(variance[i, j])) for j in used}
    return out


def _of_lines(sight: Sight, budget: JitterBudget, mine: FloatArray, name: str) -> FloatArray:
    """(l, outputs) variance of every path of the lines of one source; forces follow from the strongest line of sight."""
    hz = budget.hz[mine]
    moved = sight.outputs(hz, name)
    whole = np.abs(moved @ sight.rows.T)
    place = whole.argmax(axis=1)
    at = np.arange(len(hz))
    size = whole[at, place]
    force = np.divide(
        budget.variance[mine][at, place], size**2, out=np.zeros(len(hz)), where=size > 0.0
    )  # half its square
    return np.asarray(sight.rows**2 * (force[:, None] * np.abs(moved) ** 2).sum(axis=0))


def mode_shares(sight: Sight, hz: float, name: str, row: int) -> list[tuple[float, float, float]]:
    """What every pole pair adds to a line of sight at one frequency: (Hz, damping ratio, rad per unit), largest first.

    By left and right eigenvectors of each pair alone, so that rigid motions (repeated zeros) do no harm.
    """
    values, left, right = eig(sight.model.A, left=True, right=True)
    b = sight.model.B[:, sight.model.inputs.index(name)]
    c = sight.rows[row] @ sight.model.C
    out = []
    for k in np.flatnonzero(values.imag > 1e-6 * np.abs(values).max(initial=0.0)):
        weight = left[:, k].conj() @ right[:, k]
        if np.abs(weight) < 1e-12:
            continue
        residue = (c @ right[:, k]) * (left[:, k].conj() @ b) / weight
        s = 2j * np.pi * hz
        part = residue / (s - values[k]) + residue.conj() / (s - values[k].conj())
        size = float(np.abs(values[k]))
        out.append((size / (2.0 * np.pi), float(-values[k].real / size), float(np.abs(part))))
    return sorted(out, key=lambda item: -item[2])
