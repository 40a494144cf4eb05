"""Absolute tolerances that fit the size of a motion, for runs that state none.

An absolute tolerance sets the size below which a coordinate no longer counts. One number in SI suits motions of order
one; a micro-vibration of 1e-9 m lies below it and would be integrated without any control of its error.

Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.engine_model import POSE
from tisserand.multibody.recursive.kernels import kernels

#: Largest automatic absolute tolerance, SI: that of motions of order one.
LARGEST = 1e-12
#: Part of the relative tolerance that the size of the motion is multiplied by.
PART = 0.1
#: Smallest size of a motion that is looked for, and the time in which accelerations become speeds, s.
SMALLEST, MOMENT = 1e-20, 1.0
#: Part of the accelerations that single force elements give below which their sum counts as round-off.
CANCELED = 1e-9
#: Times after every corner of a profile at which the loads are looked at, s.
AFTER = (0.0, 1e-3, 1e-2, 0.1, 0.5, 1.0, 5.0, 20.0, 100.0)


class MotionSize:
    """The size of a motion so far, one speed, and the absolute tolerances it implies: min(1e-12, rtol/10 times the size).

    The size is the largest of the initial speeds, of the initial deflections of modes times their frequency, of the turns of
    joints with springs, and of the initial accelerations due to loads, control laws and inputs, for a
    second. Known at the start are profiles and continuous laws; commands of sampled laws and external inputs are
    considered when they change. Loops count as open too, since their forces cancel what moves them: a joint that sticks has the
    size of the motion that friction prevents. It is the size of all coordinates except the modal ones, whose size is the speed
    divided by the frequency. A vehicle with weight keeps 1e-12, since weight and reactions cancel at the size of the weight;
    forces of elements may cancel too, and a billionth of what they do at the start is the least size.

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
        if c.elements:
            self._take(np.array([CANCELED * MOMENT * self._gross(y, U.copy(), start)]))

    def _gross(self, y: FloatArray, U: FloatArray, start: float) -> float:
        """The largest acceleration that one input of an element gives alone; accelerations are affine in inputs."""
        c, W = self.c, self.c.workspace()
        both, twice = np.zeros(c.size), np.zeros(c.size)
        engine, largest = kernels().rhs, 0.0
        if c.rhs(c.M, c.F, W, U, start, y, both) or engine(c.inner_M, c.F, W, U, start, y, both):
            return 0.0
        for i in np.flatnonzero(U[POSE:]) + POSE:
            more = U.copy()
            more[i] *= 2.0
            if engine(c.inner_M, c.F, W, more, start, y, twice) == 0:
                largest = max(largest, float(np.abs(twice - both)[self.speeds].max(initial=0.0)))
        return largest

    def look(self, y: FloatArray, U: FloatArray, *times: float) -> None:
        """Take the speeds of a state, and its accelerations with held inputs U at some times."""
        if self.weighs:
            return
        rhs, c = self.c.rhs, self.c
        W, rates = c.workspace(), np.zeros(c.size)
        self._take(y[self.speeds])
        free = U.copy()
        free[[one.on for one in c.loops]] = 0.0
        for time in times:
            for held in (U, free) if c.loops else (U,):
                if rhs(c.M, c.F, W, held, time, y, rates) == 0:
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
