"""The linear model of a vehicle with uncertain appendages, loops open, proven by rebuilding the vehicle at one set of factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import IdentityError, InputError
from tisserand.multibody.linear import LinearModel, linearize
from tisserand.multibody.loads import Load
from tisserand.multibody.measurements import Measurement, NodeRotation
from tisserand.multibody.signals import Signal
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle
from tisserand.responses.fractional import Equations, Rows, stacked
from tisserand.responses.sampled_system import LinearSystem
from tisserand.responses.uncertain_model import UncertainModel
from tisserand.responses.uncertain_parts import (
    FactorTable,
    Ranges,
    diagonal_row,
    divided,
    modal_prefix,
    modal_spring,
    scaled_reaction,
    squared,
    varied_record,
)

#: Largest difference of the frequency response from that of the vehicle rebuilt with the same factors.
_PROVEN = 1e-8


@dataclass(frozen=True, eq=False)
class _Part:
    """Modal coordinates of an appendage, its factor of mass, and its mass matrix (n, n) in the vehicle."""

    name: str
    modes: tuple[str, ...]
    rows: IntArray
    heavy: tuple[int, float, float] | None
    mass: FloatArray | None


@checked_arguments
def uncertain_vehicle(
    vehicle: Vehicle,
    state: State | None = None,
    *,
    loads: Sequence[Load] = (),
    outputs: Sequence[Signal | Measurement] = (),
    frequency: float | None = None,
    damping: float | None = None,
    participation: float | None = None,
    mass: float | None = None,
    modes: int | None = None,
    ranges: Mapping[str, float] | None = None,
) -> UncertainModel:
    """The linear model of a vehicle about a state, with uncertain modes and masses of its appendages.

    Outputs that contain accelerations or joint loads are left out by name.

    Args:
        vehicle: the vehicle.
        state: to linearize about; at rest by default.
        loads: inputs, as for ``linearize``.
        outputs: signals and node rotations.
        frequency: relative half range of the frequencies, such as 0.1; None: certain.
        damping: of the damping ratios.
        participation: of the coupling of the modes.
        mass: of all mass of each appendage.
        modes: how many of the lowest modes of each appendage are uncertain; None: all.
        ranges: half ranges by factor, such as ``{"wing mode 1 frequency": 0.2}``; 0 makes one certain.
    """
    kept = [item for item in outputs if _of_motion(item)]
    notes = tuple(
        f"output {s.name} contains accelerations or joint loads and is left out" for s in outputs if s not in kept
    )
    table = FactorTable(Ranges(frequency, damping, participation, mass, modes, dict(ranges or {})))

    def linear(craft: Vehicle) -> LinearModel:
        return linearize(craft, state, loads=loads, outputs=kept)

    model = linear(vehicle)
    n = len(model.coordinates)
    if not model.inputs or not model.outputs:
        raise InputError("an uncertain model needs at least one load and one sensor of motion", where=vehicle.name)
    if not vehicle.appendages:
        raise InputError("the vehicle has no appendage whose modes could be uncertain", where=vehicle.name)
    parts = [_part(vehicle, mount.name, model, table, linear) for mount in vehicle.appendages]
    A, B, C, D, counts = _equations(model, parts, table, modes)
    out = UncertainModel(
        A=A, B=B, C=C, D=D, factors=table.factors(counts), inputs=model.inputs, outputs=model.outputs,
        states=(*model.coordinates, *(f"{name} rate" for name in model.coordinates)), notes=(*model.notes, *notes),
    )  # fmt: skip
    _prove(out, vehicle, linear, n)
    return out


def _of_motion(item: Signal | Measurement) -> bool:
    return item.measures is None if isinstance(item, Signal) else isinstance(item, NodeRotation)


def _part(vehicle: Vehicle, name: str, model: LinearModel, table: FactorTable, linear: object) -> _Part:
    mount = next(item for item in vehicle.appendages if item.name == name)
    names = mount.record.mode_names
    rows = np.array([model.coordinates.index(f"{name}.eta{i + 1}") for i in range(len(names))], np.int64)
    heavy = table.of(name, "mass")
    mass = None
    if heavy is not None:
        doubled = _rebuilt(vehicle, {f"{name} mass": 2.0}, only=name)
        mass = linear(doubled).mass - model.mass  # type: ignore[operator]
    return _Part(name, names, rows, heavy, mass)


def _rebuilt(vehicle: Vehicle, values: Mapping[str, float], only: str | None = None) -> Vehicle:
    """The vehicle with the records of its appendages rebuilt."""
    mounts = [
        mount
        if only not in (None, mount.name)
        else replace(mount, record=varied_record(mount.record, values, mount.name))
        for mount in vehicle.appendages
    ]
    return replace(vehicle, appendages=tuple(mounts))


def _equations(
    model: LinearModel, parts: list[_Part], table: FactorTable, modes: int | None
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, list[int]]:
    n, i = len(model.coordinates), len(model.inputs)
    M, K, F, rates = model.mass, model.stiffness, model.force, model.damping + model.gyroscopic
    eq = Equations(2 * n, i, n)
    u = eq.rows(i, 1, np.eye(i))
    q, rate, second = eq.rows(n, 0, np.eye(n)), eq.rows(n, 0, np.eye(n), n), eq.rows(n, 2, np.eye(n))
    rigid = np.setdiff1d(np.arange(n), np.concatenate([part.rows for part in parts]))
    found: dict[int, Rows] = {}
    reactions = second.times(M[rigid])
    for part in parts:
        if part.mass is not None:
            own = part.mass[rigid]
            reactions = reactions - second.times(own) + scaled_reaction(eq, part.heavy, own, second)
        load = divided(eq, part.heavy, F[part.rows], u, float(np.abs(F).max(initial=0.0)))
        for order, (mode, k) in enumerate(zip(part.modes, part.rows)):
            others = np.setdiff1d(np.arange(n), [k])
            coupling = np.zeros((1, n))
            coupling[0, rigid] = M[k, rigid]
            drive = second.times(coupling) - load.times(np.eye(len(part.rows))[order : order + 1])
            inertia = second.times(M[k : k + 1] - coupling)
            rest = q.times(_only(K, k, others)) + rate.times(_only(rates, k, others))
            one = np.eye(n)[k : k + 1]
            prefix = modal_prefix(part.name, mode)
            if modes is not None and order >= modes:
                spring = q.times(one * K[k, k]) + rate.times(one * rates[k, k])
                found[int(k)] = inertia + drive + spring + rest
                continue
            gain = table.of(prefix, "participation")
            block = np.ix_(part.rows, part.rows)
            if gain is not None:
                diagonal_row(M[block], order, "mass", prefix)
            stiff = diagonal_row(K[block], order, "stiffness", prefix)
            damped = diagonal_row(rates[block], order, "damping", prefix)
            elastic = modal_spring(eq, table, prefix, stiff, damped, q.times(one), rate.times(one))
            found[int(k)] = inertia + squared(eq, gain, drive) + elastic + rest
    eq.require(reactions + q.times(K[rigid]) + rate.times(rates[rigid]) - u.times(F[rigid]))
    for k in sorted(found):
        eq.require(found[k])
    seen = q.times(model.C[:, :n]) + rate.times(model.C[:, n : 2 * n]) + u.times(model.D)
    return eq.solved(stacked([rate, second]), seen)


def _only(matrix: FloatArray, row: int, columns: IntArray) -> FloatArray:
    out = np.zeros((1, matrix.shape[1]))
    out[0, columns] = matrix[row, columns]
    return out


def _prove(out: UncertainModel, vehicle: Vehicle, linear: object, n: int) -> None:
    """Compare with the vehicle rebuilt at one set of factors, participations below 1 so that no rigid mass is negative."""
    deltas = np.random.default_rng(1).uniform(-0.9, 0.9, len(out.factors))
    names = [factor.name for factor in out.factors]
    deltas = np.where([name.endswith("participation") for name in names], -np.abs(deltas), deltas)
    values = {f.name: f.middle + f.half * d for f, d in zip(out.factors, deltas)}
    model = linear(_rebuilt(vehicle, values))  # type: ignore[operator]
    theirs = LinearSystem(model.A, model.B, model.C, model.D, out.states, model.inputs, model.outputs)
    poles = np.abs(model.poles) / (2.0 * np.pi)
    top = float(poles.max(initial=1.0))
    hz = np.geomspace(max(1e-3 * top, 1e-4), 1.5 * top, 9)
    a, b = out.closed(deltas).response(hz), theirs.response(hz)
    size = np.maximum(np.abs(b).max(axis=(1, 2), keepdims=True), 1e-300)
    error = float((np.abs(a - b) / size).max())
    if not error <= _PROVEN:
        raise IdentityError(
            "the vehicle does not vary with these factors as its appendages do alone", where=vehicle.name,
            found=f"a difference of {error:.1e} from the vehicle rebuilt with the same factors", expected=f"{_PROVEN:g}",
            advice="mount records of modes held at their attachment, and linearize about rest",
        )  # fmt: skip
