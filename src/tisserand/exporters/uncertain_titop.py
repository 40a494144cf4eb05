"""A record as an uncertain two-port (TITOP) model: base acceleration and wrenches to base wrench and accelerations."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.exporters.clamped import clamped_view
from tisserand.exporters.statespace import state_space
from tisserand.responses.fractional import Equations, stacked
from tisserand.responses.uncertain_model import UncertainModel
from tisserand.responses.uncertain_parts import (
    FactorTable,
    Ranges,
    diagonal_row,
    divided,
    modal_spring,
    scaled_reaction,
    squared,
)


@checked_arguments
def uncertain_record(
    record: ReducedAppendage,
    *,
    frequency: float | None = None,
    damping: float | None = None,
    participation: float | None = None,
    mass: float | None = None,
    modes: int | None = None,
    ranges: Mapping[str, float] | None = None,
) -> UncertainModel:
    """The linear model of a record with uncertain modes and mass.

    Args:
        record: the reduced appendage.
        frequency: relative half range of the frequencies, such as 0.1; None: certain.
        damping: of the damping ratios.
        participation: of the coupling of the modes.
        mass: of all mass.
        modes: how many of the lowest modes are uncertain; None: all.
        ranges: half ranges by factor, such as ``{"mode 1 frequency": 0.2}``; 0 makes one certain.
    """
    table = FactorTable(Ranges(frequency, damping, participation, mass, modes, dict(ranges or {})))
    view, plain = clamped_view(record), state_space(record)
    k, i = view.count, len(plain.inputs)
    kept = k if modes is None else min(modes, k)
    ports = len(view.ports)
    phi, tau = view.shapes.reshape(6 * ports, k), view.transfer.reshape(6 * ports, 6)
    eq = Equations(2 * k, i, k)
    u = eq.rows(i, 1, np.eye(i))
    base, push = u.times(np.eye(6, i)), u.times(np.eye(6 * ports, i, 6))
    eta, rate = eq.rows(k, 0, np.eye(k)), eq.rows(k, 0, np.eye(k), k)
    second = eq.rows(k, 2, np.eye(k))
    heavy = table.of("", "mass")
    load = divided(eq, heavy, phi.T, push) if ports else eq.rows(k)
    rows = []
    for n, mode in enumerate(record.mode_names):
        one = np.eye(k)[n : n + 1]
        drive = base.times(view.coupling[n : n + 1]) - load.times(one)
        inertia = second.times(view.mass[n : n + 1])
        if n >= kept:
            rows.append(inertia + drive + eta.times(view.stiffness[n : n + 1]) + rate.times(view.damping[n : n + 1]))
            continue
        gain = table.of(mode, "participation")
        if gain is not None:
            diagonal_row(view.mass, n, "mass", mode)
        spring = diagonal_row(view.stiffness, n, "stiffness", mode)
        damper = diagonal_row(view.damping, n, "damping", mode)
        elastic = modal_spring(eq, table, mode, spring, damper, eta.times(one), rate.times(one))
        rows.append(inertia + squared(eq, gain, drive) + elastic)
    for row in rows:
        eq.require(row)
    whole = np.hstack([view.rigid_mass, view.coupling.T])
    reaction = scaled_reaction(eq, heavy, whole, stacked([base, second]))
    wrench = push.times(tau.T) - reaction if ports else eq.rows(6) - reaction
    moved = [base.times(tau) + second.times(phi)] if ports else []
    A, B, C, D, counts = eq.solved(stacked([rate, second]), stacked([wrench, *moved]))
    o = 6 + 6 * ports
    return UncertainModel(
        A=A, B=B, C=C, D=D, factors=table.factors(counts), states=plain.states, inputs=plain.inputs, outputs=plain.outputs[:o],
        input_units=plain.input_units, output_units=plain.output_units[:o],
    )  # fmt: skip
