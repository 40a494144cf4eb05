"""Prescribed rates that jump: an impulse of the drive changes all free speeds at once.

The drive gives whatever impulse the jump takes; nothing else does, so that the momenta p = dT/du of all free speeds are the same
just before and just after: du = M^-1 (p(t-) - p(t+)) at the speeds of before. Loops then take their own impulses: the speeds
that they leave are the nearest in the measure of M (theory sections 11 and 12). The work of the drive is the change of
energy; a base that is held or driven takes up the change of momentum. A rotor given by its momentum h has no energy of its own
in the sheet, but h b.dw/du in the momenta of its body's speeds.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.integrators import Stepper
from tisserand.multibody.loop_projection import Projector
from tisserand.multibody.motion_integrals import integrals_of_motion, kinetic_energies
from tisserand.multibody.perturbed import Perturbed
from tisserand.multibody.profiles import Profile
from tisserand.multibody.vehicle import PrescribedMotion, Vehicle

#: Instants closer than this, s, at most a second into the run, are one.
SAME = 1e-13


def driven(vehicle: Vehicle) -> list[tuple[str, Profile, int]]:
    """What is prescribed in words, its profile, and the derivative that may not jump without an impulse."""
    found: list[tuple[str, Profile, int]] = []
    for joint in vehicle.joints:
        found += [(f"the motion of joint {joint.name}", p, 1) for p in joint.motion if p is not None]
    for rotor in vehicle.rotors:
        if rotor.mode != "torque" and rotor.profile is not None:
            found.append((f"the {rotor.mode} of rotor {rotor.name}", rotor.profile, 0))
    base = vehicle.base_motion
    if isinstance(base, PrescribedMotion):
        found += [("the motion of the base", p, 1) for p in (*base.translation, base.angle) if p is not None]
    return found


class RateJumps:
    """Jumps of prescribed rates still to come.

    Args:
        stepper: of the run, at its start; what jumps there has jumped.
    """

    def __init__(self, stepper: Stepper) -> None:
        self.stepper = stepper
        given = [p.jumps(order) for _, p, order in driven(stepper.compiled.vehicle)]
        times = np.unique(np.concatenate([np.zeros(0), *given]))
        self.times: list[float] = times[times > stepper.time].tolist()
        #: The instants just before, at which steps end: there every rate is still what it was.
        self.before = [float(np.nextafter(t, -np.inf)) for t in self.times]

    def due(self) -> bool:
        """Apply a jump that stands just before, and move on to its time; whether there was one."""
        now = self.stepper.time
        if not self.times or self.times[0] > now + SAME * max(1.0, abs(now)):
            return False
        self._strike(self.times[0])
        self.stepper.time = max(now, self.times.pop(0))
        return True

    def _momenta(self, p: Perturbed, time: float, sizes: FloatArray) -> FloatArray:
        """dT/du (n,) of the free speeds at a time, exact for a quadratic form, and the shares of rotors given by momentum."""
        n, Y = p.count, np.tile(p.y, (2 * p.count, 1))
        Y[np.arange(n), p.speed] += sizes
        Y[np.arange(n, 2 * n), p.speed] -= sizes
        T = kinetic_energies(p.c, time, Y, p.U)
        return np.asarray((T[:n] - T[n:]) / (2.0 * sizes)) + self._given_momenta(p, time)

    def _given_momenta(self, p: Perturbed, time: float) -> FloatArray:
        """h b.dw/du (n,) of all rotors given by momentum."""
        c, out = p.c, np.zeros(p.count)
        given = [(r, r.profile(time)) for r in c.vehicle.rotors if r.mode == "momentum" and r.profile is not None]
        if not given:
            return out
        W = c.workspace()
        bodies = c.opened(W).bodies

        def along() -> FloatArray:
            numbers = [c.body_index[rotor.body] for rotor, _ in given]
            return np.array([bodies["w_BN_N"][k] @ bodies["C_NB"][k] @ r.axis for k, (r, _) in zip(numbers, given)])

        for i, place in enumerate(p.speed):  # angular velocities are linear in speeds
            parts = []
            for sign in (0.5, -0.5):
                y = p.y.copy()
                y[place] += sign
                c.rhs(c.M, c.F, W, p.U, time, y, np.zeros(0))
                parts.append(along())
            out[i] = (parts[0] - parts[1]) @ [h for _, h in given]
        return out

    def _strike(self, time: float) -> None:
        s, c = self.stepper, self.stepper.compiled
        before = float(np.nextafter(time, -np.inf))
        first = integrals_of_motion(c, before, s.y[None], s.U)[0]
        p = Perturbed(c, s.y, s.U, time)
        if p.count:
            M = p.mass()
            sizes = np.sqrt(max(1.0, abs(float(first[0]))) / np.diag(M))
            change = self._momenta(p, before, sizes) - self._momenta(p, time, sizes)
            s.y[p.speed] += np.linalg.solve(M, change)
        booked = s.y[c.account + 1 :].copy()
        if c.loops:
            Projector(c).close(time, s.y, s.U, counted=False)
        last = integrals_of_motion(c, time, s.y[None], s.U)[0]
        s.y[c.account] += last[0] + last[1] - first[0] - first[1]
        if c.vehicle.base_motion != "free":  # whatever holds the base takes up the rest
            s.y[c.account + 1 :] = booked + (last - first)[2:8]
        s.step_size = 0.0
