"""Absolute tolerances that fit the size of a motion, for runs that state none.

An absolute tolerance decides below which size a coordinate no longer counts. One number in SI suits motions of order one; a
micro-vibration of 1e-9 m lies below it and would be integrated without any control of its error. Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.recursive import layout as at
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.kernels import kernels

#: Largest automatic absolute tolerance, SI: that of motions of order one.
LARGEST = 1e-12
#: Part of the relative tolerance that the size of the motion is multiplied by.
PART = 0.1
#: Smallest size of a motion that is looked for, and the time in which accelerations become speeds, s.
SMALLEST, MOMENT = 1e-20, 1.0
#: Times after every corner of a profile at which the loads are looked at, s.
AFTER = (0.0, 1e-3, 1e-2, 0.1, 0.5, 1.0, 5.0, 20.0, 100.0)


def automatic_atol(
    compiled: CompiledVehicle, y: FloatArray, U: FloatArray, start: float, rtol: float, corners: Sequence[float]
) -> FloatArray:
    """Absolute tolerance (size,) of every coordinate and speed: min(1e-12, rtol/10 times its size).

    The size of the motion is one speed: the largest of the initial speeds, of the initial deflections of modes times their
    frequency, of the turns of joints with springs, and of the accelerations that the loads give to the vehicle where it
    stands, for a second. It is the size of all coordinates except the modal ones, whose size is the speed divided by the
    frequency. A vehicle with weight keeps 1e-12, since weight and reactions cancel at the size of the weight.

    Args:
        compiled: the vehicle.
        y: flat state at the start.
        U: held inputs.
        start: time, s.
        rtol: relative tolerance.
        corners: times at which profiles change, s.
    """
    rhs = kernels().rhs
    c = compiled
    out = np.full(c.size, LARGEST)
    if np.any(c.vehicle.gravity):
        return out
    speeds = slice(c.speeds, int(c.I[at.STATE]))
    size = float(np.abs(y[speeds]).max(initial=0.0))
    frequencies = {}
    for mount in c.vehicle.appendages:
        mass = np.diag(mount.record.integrals.modal_mass)
        frequencies[mount.name] = np.sqrt(np.maximum(np.diag(mount.record.stiffness) / mass, 0.0))
        deflection = y[c.eta_places(mount.name)[0]]
        size = max(size, float(np.abs(deflection * frequencies[mount.name]).max(initial=0.0)))
    for k, body in enumerate(c.tree.bodies):
        if k and body.law[0] > 0.0 and body.kind != "ball":
            q = int(c.I[int(c.I[at.BODY_TABLE]) + k * at.B_STRIDE + at.B_Q])
            size = max(size, abs(float(y[q]) - body.law[2]))
    W, rates = c.workspace(), np.zeros(c.size)
    seen = {start + after for after in AFTER}
    seen |= {corner + after for corner in corners if corner >= start for after in AFTER}
    for time in sorted(seen)[:1000]:
        if rhs(c.I, c.F, W, U, time, y, rates) == 0 and np.isfinite(rates[speeds]).all():
            size = max(size, MOMENT * float(np.abs(rates[speeds]).max(initial=0.0)))
    if size <= 0.0:  # nothing moves, or what will move it comes from outside
        return out
    out[:] = min(LARGEST, PART * rtol * max(size, SMALLEST))
    for name, w in frequencies.items():
        out[c.eta_places(name)[0]] = np.minimum(LARGEST, PART * rtol * max(size, SMALLEST) / np.maximum(w, 1.0))
    return out
