"""Campbell diagrams as data: frequencies over the rate of spin, branch by branch.

Spin: theory section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from scipy.sparse import csr_array

from tisserand.arguments import checked_arguments
from tisserand.arrays import ComplexArray, FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.model import Supports
from tisserand.modes.spinning import at_speed, spin_matrices
from tisserand.notebook_html import curves, html_table


@dataclass(frozen=True, eq=False)
class Campbell:
    """Frequencies over spin rate: rates (m,) rad/s; frequencies_hz, growth (m, k), columns followed by shape; axis (3,).

    shapes: complex (d, k) of the last rate, in the order of the columns; None where they are not known.
    """

    axis: FloatArray
    rates: FloatArray
    frequencies_hz: FloatArray
    growth: FloatArray
    notes: tuple[str, ...] = ()
    shapes: ComplexArray | None = None

    def rows(self) -> list[dict[str, float]]:
        """One row per rate, for tables and files."""
        out = []
        for i, rate in enumerate(self.rates):
            row = {"rate_rad_s": float(rate)}
            row |= {f"f{k + 1}_hz": float(f) for k, f in enumerate(self.frequencies_hz[i])}
            out.append(row)
        return out

    def _repr_html_(self) -> str:
        names = [f"branch {k + 1} Hz" for k in range(self.frequencies_hz.shape[1])]
        rows = [[float(rate), *map(float, row)] for rate, row in zip(self.rates, self.frequencies_hz)]
        table = html_table("Campbell diagram", ["rad/s", *names], rows)
        return table + curves(self.rates, self.frequencies_hz[:, :6], names[:6])


@checked_arguments
def campbell(
    model: AssembledModel,
    axis: FloatArray | Sequence[float],
    rates: Sequence[float] | FloatArray,
    *,
    count: int = 6,
    about: FloatArray | None = None,
    supports: Supports | None = None,
    stiffened: bool = True,
) -> Campbell:
    """Campbell diagram as data: modes at each rate about a fixed axis, each branch tracked by the similarity of its mode shapes.

    Args:
        model: the assembled model.
        rates: spin rates, rad/s.
        count: number of modes.
        supports: the boundary; None takes the model's own.
        stiffened: include the stiffness of the spin's stress.
    """
    parts = spin_matrices(model, np.asarray(axis, float), about=about, supports=supports, stiffened=stiffened)
    mass = model.mass
    frequencies, growth, notes = [], [], []
    previous: ComplexArray | None = None
    for value in np.asarray(rates, float):
        modes = at_speed(model, parts, float(value), count=2 * count, supports=supports)
        order = np.arange(min(count, len(modes.eigenvalues)))
        if previous is not None and len(order) == previous.shape[1]:
            likeness = _likeness(previous, modes.shapes, mass)
            order = scipy.optimize.linear_sum_assignment(-likeness)[1]
        frequencies.append(modes.frequencies_hz[order])
        growth.append(modes.growth[order])
        previous = modes.shapes[:, order]
        if not modes.stable:
            notes.append(f"unstable at {value:.6g} rad/s")
    values = np.asarray(rates, float)
    return Campbell(parts.axis, values, np.array(frequencies), np.array(growth), tuple(notes), previous)


def _likeness(one: ComplexArray, two: ComplexArray, mass: csr_array) -> FloatArray:
    """|x'M y| of unit shapes, (k, l): one where two complex shapes are the same up to a phase."""
    a, b = np.asarray(mass @ one), np.asarray(mass @ two)
    size_one = np.sqrt(np.real((one.conj() * a).sum(axis=0)))
    size_two = np.sqrt(np.real((two.conj() * b).sum(axis=0)))
    return np.asarray(np.abs(one.conj().T @ b) / np.outer(size_one, size_two))
