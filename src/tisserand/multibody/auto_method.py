"""Choice of the method during a run: explicit steps, unless stability bounds them and an implicit method is cheaper.

The rule counts evaluations, never seconds, so that a run repeats itself:

1. A run starts with DOP853. ``radius`` is the spectral radius of the Jacobian at the start (finite differences), 1/s.
2. After 300 steps' worth of time at the bound of stability (6 / radius each), and then twice as late each time, the mean step
   is compared with it: above 1 (``esdirk``) or 3 (``Radau``) times 1 / radius the run may be stiff.
3. A stiff vehicle tries ``esdirk`` for the time of 200 such steps if its radius falls to less than a third without the stiffness
   and damping of modes and joints. Otherwise control laws or force elements are stiff, which the iterations of ``esdirk`` do not
   see: ``Radau`` is tried for 2000, and its evaluations count tenfold, since each passes through Python. The method
   stays as long as it takes less than half the evaluations of the explicit one.
4. An implicit method that needs more than twice the evaluations of the explicit one in a stretch gives up there. Explicit steps
   go on from where it is, and step 2 applies again.

Vehicles with closed loops try ``Radau``, since ``esdirk`` does not keep them closed. The reference engine stays explicit.
Serves theory section 13.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.multibody.recursive.endings import DONE, STOPPED, TOO_MANY_EVENTS
from tisserand.multibody.recursive.engine_model import read_model
from tisserand.multibody.recursive.esdirk_table import STAGES

if TYPE_CHECKING:
    from tisserand.multibody.integrators import Stepper
    from tisserand.multibody.recursive.compile import CompiledVehicle

EXPLICIT = "dop853"
#: Methods tried in turn: time of the trial in steps at the bound of stability, and explicit evaluations that one of theirs costs.
TRIED = {"esdirk": (200.0, 1.0), "Radau": (2000.0, 10.0)}
#: Part of the radius without modal and joint stiffness from which ``esdirk`` is of no use.
OUTSIDE = 1.0 / 3.0
#: Steps of DOP853 at the bound of stability before the first look; its length times the radius; evaluations per step.
FIRST, BOUND, EVALUATIONS = 300.0, 6.0, 13.0
#: Mean step times radius from which a method is tried: early where a trial is short.
STIFF = {"esdirk": 1.0, "Radau": 3.0}
#: Later looks come this many times later.
LATER = 2.0
#: Change of a coordinate in the finite differences.
CHANGE = 1e-7


class AutoMethod:
    """The method in use, and when to look again.

    Args:
        stepper: at the start of the run.
    """

    def __init__(self, stepper: Stepper) -> None:
        self.using, self.trial = EXPLICIT, False
        self.radius, rest = spectral_radii(stepper)
        self.candidate = "esdirk" if rest < OUTSIDE * self.radius and not stepper.compiled.loops else "Radau"
        self.wait = FIRST * BOUND / self.radius if self.radius > 0.0 else math.inf
        self.look = stepper.time + self.wait
        self.rate = EVALUATIONS * self.radius / BOUND
        self.used: list[tuple[float, str]] = [(stepper.time, EXPLICIT)]
        self._mark(stepper)

    @property
    def words(self) -> str:
        """Which method was used from when on."""
        return ", ".join(f"{method} from {time:.6g} s" for time, method in self.used)

    @property
    def methods(self) -> str:
        """All methods used, in the order of their first use."""
        return " and ".join(dict.fromkeys(method for _, method in self.used))

    def advance(self, stepper: Stepper, end: float, times: FloatArray, Y: FloatArray, first: int) -> int:
        """Integrate toward ``end`` with the method in use.

        It may return before, done so far: at the next look, or where a method gave up.
        """
        if stepper.time >= self.look:
            self._decide(stepper)
            end = min(end, self.look)
        if self.using == EXPLICIT:
            return stepper.take(EXPLICIT, end, times, Y, first, stepper.max_steps)
        before = int(stepper.stats["steps"] + stepper.stats["rejected"])
        allowed = before + self._budget(end - stepper.time)
        status = stepper.take(self.using, end, times, Y, first, min(allowed, stepper.max_steps))
        if status in (DONE, STOPPED, TOO_MANY_EVENTS):
            return status
        self._next(stepper)
        return DONE

    def _budget(self, span: float) -> int:
        """Steps after which an implicit method gives up: those of its share of explicit evaluations."""
        share = 1.0 if self.trial else 2.0
        calls = share * self.rate * span / TRIED[self.using][1]
        return int(calls / (STAGES - 1)) + 20

    def _mark(self, stepper: Stepper) -> None:
        self._since = stepper.time, int(stepper.stats["calls"]), int(stepper.stats["steps"])

    def _decide(self, stepper: Stepper) -> None:
        """At the time of a look: is the explicit method stiff, is the implicit one worth it?"""
        time, calls, steps = self._since
        span = stepper.time - time
        calls, steps = int(stepper.stats["calls"]) - calls, int(stepper.stats["steps"]) - steps
        if self.using == EXPLICIT:
            self.rate = max(calls / span, EVALUATIONS * self.radius / BOUND)  # at rest it needs few
            if span * self.radius > STIFF[self.candidate] * max(steps, 1):
                self._next(stepper)
            else:
                self._wait(stepper, LATER)
        elif calls * TRIED[self.using][1] < 0.5 * self.rate * span:
            self.trial = False
            self._wait(stepper, 1.0)
        else:
            self._next(stepper)

    def _next(self, stepper: Stepper) -> None:
        """The candidate on trial, or the explicit one again."""
        self.using = self.candidate if self.using == EXPLICIT else EXPLICIT
        self.trial = self.using != EXPLICIT
        stepper.step_size = 0.0
        self._mark(stepper)
        if self.used[-1][0] == stepper.time:
            self.used.pop()
        self.used.append((stepper.time, self.using))
        if self.trial:
            self.look = stepper.time + TRIED[self.using][0] * BOUND / self.radius
        else:
            self._wait(stepper, LATER)

    def _wait(self, stepper: Stepper, factor: float) -> None:
        self._mark(stepper)
        self.wait *= factor
        self.look = stepper.time + self.wait


def _could_be_stiff(c: CompiledVehicle) -> bool:
    """Whether anything pulls back or damps: modes, springs and dampers, control laws, force elements."""
    joints = any(body["spring"] or body["damper"] for body in c.model.bodies) or any(
        r["damping"] for r in c.model.rotors
    )
    return bool(joints or c.head["modes"] or c.head["commands"] or c.wiring.driven)


def spectral_radii(stepper: Stepper) -> tuple[float, float]:
    """Largest size of the eigenvalues of the Jacobian at the present state, 1/s: as it is, and without stiff modes and joints.

    Zero where it cannot be found.
    """
    c = stepper.compiled
    if not _could_be_stiff(c):
        return 0.0, 0.0
    M, F = c.M.copy(), c.F.copy()
    tables = read_model(M)
    for body in tables.bodies:
        body["spring"] = body["damper"] = 0.0
    for block in tables.blocks:
        for word in ("stiffness", "damping"):
            F[block[word] : block[word] + block["modes"] ** 2] = 0.0
    M.setflags(write=False)
    stepper.stats["calls"] += 2 * (c.account + 1)
    return _radius(stepper, c.M, c.F), _radius(stepper, M, F)


def _radius(stepper: Stepper, M: IntArray, F: FloatArray) -> float:
    """Of the Jacobian by finite differences, with the tables M and F."""
    c, n = stepper.compiled, stepper.compiled.account
    states = np.vstack([stepper.y, np.tile(stepper.y, (n, 1))])
    changes = CHANGE * np.maximum(1.0, np.abs(stepper.y[:n]))
    states[1 + np.arange(n), np.arange(n)] += changes
    rates = np.zeros_like(states)
    for state, rate in zip(states, rates):
        if c.rhs(M, F, stepper.W, stepper.U, stepper.time, state, rate):
            return 0.0
    J = (rates[1:, :n] - rates[0, :n]).T / changes
    return float(np.abs(np.linalg.eigvals(J)).max(initial=0.0)) if np.isfinite(J).all() else 0.0
