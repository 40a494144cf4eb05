"""Absolute tolerances that fit the size of a motion, for runs that state none.

An absolute tolerance sets the size below which a coordinate no longer counts. One number in SI suits motions of order
one; a
micro-vibration of 1e-9 m lies below it and would be integrated without any control of its error. Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.recursive.compile import CompiledVehicle

#: Largest automatic absolute tolerance, SI: that of motions of order one.
LARGEST = 1e-12
#: Part of the relative tolerance that the size of the motion is multiplied by.
PART = 0.1
#: Smallest size of a motion that is looked for, and the time in which accelerations become speeds, s.
SMALLEST, MOMENT = 1e-20, 1.0
#: Times after every corner of a profile at which the loads are looked at, s.
AFTER = (0.0, 1e-3, 1e-2, 0.1, 0.5, 1.0, 5.0, 20.0, 100.0)


class MotionSize:
    """The size of a motion so far, one speed, and the absolute tolerances it implies: min(1e-12, rtol/10 times the size).

    The size is the largest of the initial speeds, of the initial deflections of modes times their frequency, of the turns of
    joints with springs, and of the initial accelerations due to loads, control laws and inputs, for a
    second. Known at the start are profiles and continuous laws; commands of sampled laws and external inputs are
    considered when they change. It is the size of all coordinates except the modal ones, whose size is the speed
    divided by the
    frequency. A vehicle with weight keeps 1e-12, since weight and reactions cancel at the size of the weight.

    Args:
        compiled: the vehicle.
        rtol: relative tolerance.
    """

    def __init__(self, compiled: CompiledVehicle, rtol: float) -> None:
        self.c, self.rtol, self.size = compiled, rtol, 0.0
        self.speeds = slice(compiled.speeds, compiled.state)
        self.weighs = bool(np.any(compiled.vehicle.gravity))
        self.frequencies = {}
        for mount in compiled.vehicle.appendages:
            mass = np.diag(mount.record.integrals.modal_mass)
            self.frequencies[mount.name] = np.sqrt(np.maximum(np.diag(mount.record.stiffness) / mass, 0.0))

    def start(self, y: FloatArray, U: FloatArray, start: float, corners: Sequence[float]) -> None:
        """Look at the initial state, and at the loads at the corners of their profiles.

        Args:
            y: flat state.
            U: held inputs.
            start: time, s.
            corners: times at which profiles change, s.
        """
        if self.weighs:
            return
        c = self.c
        for name, w in self.frequencies.items():
            self._take(y[c.eta_places(name)[0]] * w)
        for k, body in enumerate(c.tree.bodies):
            if k and body.law[0] > 0.0 and body.kind != "ball":
                q, _ = c.joint_places(k)
                self._take(np.array([y[q] - body.law[2]]))
        seen = {start + after for after in AFTER}
        seen |= {corner + after for corner in corners if corner >= start for after in AFTER}
        self.look(y, U, *sorted(seen)[:1000])

    def look(self, y: FloatArray, U: FloatArray, *times: float) -> None:
        """Take the speeds of a state, and its accelerations with held inputs U at some times."""
        if self.weighs:
            return
        rhs, c = self.c.rhs, self.c
        W, rates = c.workspace(), np.zeros(c.size)
        self._take(y[self.speeds])
        for time in times:
            if rhs(c.M, c.F, W, U, time, y, rates) == 0:
                self._take(MOMENT * rates[self.speeds])

    def _take(self, values: FloatArray) -> None:
        largest = float(np.abs(values).max(initial=0.0))
        if np.isfinite(largest):
            self.size = max(self.size, largest)

    @property
    def atol(self) -> FloatArray:
        """(size,) absolute tolerance of every coordinate and speed; 1e-12 as long as nothing moves."""
        out = np.full(self.c.size, LARGEST)
        if self.weighs or self.size <= 0.0:
            return out
        least = PART * self.rtol * max(self.size, SMALLEST)
        out[:] = min(LARGEST, least)
        for name, w in self.frequencies.items():
            out[self.c.eta_places(name)[0]] = np.minimum(LARGEST, least / np.maximum(w, 1.0))
        return out
