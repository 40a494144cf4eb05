"""Validity monitor: warns if the results of a run should not be trusted, and why.

Limits: theory sections 6 and 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.balance_verdict import judged
from tisserand.multibody.excitation import excitation_warnings
from tisserand.multibody.hardware_doubts import hardware_doubts
from tisserand.multibody.likely_mistakes import control_mistakes
from tisserand.multibody.rate_jumps import driven
from tisserand.multibody.recursive.compile import profiles_of
from tisserand.multibody.spin_doubts import SPIN_FRACTION, lowest_rate, spin_doubt
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import MountedAppendage, Vehicle
from tisserand.multibody.vehicle_doubts import vehicle_doubts

if TYPE_CHECKING:
    from tisserand.multibody.simulation import Simulation

#: Elastic displacement beyond this fraction of the appendage's size leaves the linear shapes.
DEFLECTION_FRACTION = 0.1
#: Nodal rotation beyond this, rad.
ROTATION_LIMIT = 0.2
#: Excitation above this fraction of the highest kept frequency.
EXCITATION_FRACTION = 0.5
#: Components of nodes summed at once.
_SUMMED = 2_000_000
#: RK4 steps per period of the highest mode.
STEPS_PER_PERIOD = 10.0


def highest_frequency(vehicle: Vehicle) -> float:
    """Highest modal frequency of all appendages, Hz (0 without)."""
    return max((a.record.top_hz for a in vehicle.appendages), default=0.0)


def validity_warnings(run: Trajectory, simulation: Simulation) -> Trajectory:
    """The trajectory with one sentence per doubt."""
    warnings = [*run.warnings, *vehicle_doubts(simulation.vehicle), *simulation.doubts]
    warnings += control_mistakes(simulation.vehicle, simulation.controllers)
    warnings += hardware_doubts(simulation.loads, simulation.controllers, simulation.outputs)
    for mount in simulation.vehicle.appendages:
        if mount.record.count:
            warnings += _appendage_warnings(run, mount)
    warnings += _jump_warnings(run, simulation.vehicle)
    warnings += _fast_excitation(run, simulation)
    top = highest_frequency(simulation.vehicle)
    step = run.statistics.smallest_step
    if run.statistics.method == "rk4" and top > 0.0 and step * top * STEPS_PER_PERIOD > 1.0:
        warnings.append(
            f"the step of {step:.3g} s is too long for the highest mode of {top:.4g} Hz: "
            f"use at most {1.0 / (STEPS_PER_PERIOD * top):.3g} s"
        )
    return judged(run.changed(warnings=tuple(warnings)))


def _jump_warnings(run: Trajectory, vehicle: Vehicle) -> list[str]:
    """Prescribed motions whose rate (rotors: whose speed) jumps during the run: no finite torque does that."""
    out = []
    for what, profile, order in driven(vehicle):
        times = profile.jumps(order)
        inside = times[(times > run.times[0]) & (times <= run.times[-1])]
        if len(inside):
            out.append(
                f"{what} jumps {'in rate ' if order else ''}at t = {inside[0]:.6g} s, which would need an infinite torque: "
                "it counts as an impulse, which joint loads lack; use a smooth_ramp or spin_up profile"
            )
    return out


def _appendage_warnings(run: Trajectory, mount: MountedAppendage) -> list[str]:
    record, name = mount.record, mount.name
    eta = run.modal[name]
    out = []
    size = float(np.linalg.norm(np.ptp(record.nodes.positions, axis=0))) if len(record.nodes) else 0.0
    if size > 0.0:
        moved, when = _beyond(record.nodes.translation, eta, DEFLECTION_FRACTION * size)
        if moved > 0.0:
            out.append(
                f"{name} deflects by {moved:.3g} m, {moved / size:.0%} of its size of {size:.3g} m "
                f"(limit {DEFLECTION_FRACTION:.0%}, first at t = {run.times[when]:.4g} s): linear shapes are not valid"
            )
        turned, _ = _beyond(record.nodes.rotation, eta, ROTATION_LIMIT)
        if turned > 0.0:
            out.append(f"a node of {name} turns by {turned:.3g} rad (limit {ROTATION_LIMIT})")
    body = name if name in run.bodies else mount.body
    spin = np.linalg.norm(run.rate[:, run.body(body)], axis=1)
    first = run.times[int(np.argmax(spin > SPIN_FRACTION * lowest_rate(mount)))]
    doubt = spin_doubt(mount, float(spin.max()), f" (from t = {first:.4g} s)")
    return out if doubt is None else [*out, doubt]


def _beyond(shapes: FloatArray, eta: FloatArray, limit: float) -> tuple[float, int]:
    """Largest component of sum_k phi_k eta_k over nodes and times if it exceeds ``limit``, and the first such time; else 0, 0.

    ``shapes`` (n, 3, k), ``eta`` (t, k). At no time can a component exceed sum_k max|phi_k| |eta_k|, so the nodes are summed only
    at the times at which that bound is beyond the limit.
    """
    bound = np.abs(eta) @ np.abs(shapes).max(axis=(0, 1), initial=0.0)
    doubtful = np.flatnonzero(bound > limit)
    flat = shapes.reshape(-1, shapes.shape[2]).T
    peak, first = 0.0, 0
    step = max(1, _SUMMED // max(1, flat.shape[1]))
    for start in range(0, len(doubtful), step):
        part = doubtful[start : start + step]
        largest = np.abs(eta[part] @ flat).max(axis=1, initial=0.0)
        over = np.flatnonzero(largest > limit)
        if len(over) and peak == 0.0:
            first = int(part[over[0]])
        if len(over):
            peak = max(peak, float(largest.max()))
    return peak, first


def _fast_excitation(run: Trajectory, simulation: Simulation) -> list[str]:
    """Sines and imbalance near or above the last kept mode, and anything else whose spectrum reaches beyond it."""
    tops = {m.name: m.record.top_hz for m in simulation.vehicle.appendages if m.record.count}
    profiles = profiles_of(simulation.compiled, simulation.loads, simulation.controllers)
    shake = max((p.highest_frequency_hz for p in profiles), default=0.0)
    turning = [
        run.rotor_rates[load.target] for load in simulation.loads if load.wheel is not None and load.wheel.shakes
    ]
    shake = max([shake, *(float(np.abs(rate).max(initial=0.0)) / (2.0 * np.pi) for rate in turning)])
    shaken = {name: top for name, top in tops.items() if shake > EXCITATION_FRACTION * top}
    out = [
        f"excitation at {shake:.4g} Hz is near or above the last kept mode of {name} ({top:.4g} Hz): keep more modes"
        for name, top in shaken.items()
    ]
    rest = {name: top for name, top in tops.items() if name not in shaken}
    return out + excitation_warnings(run, simulation, rest)
