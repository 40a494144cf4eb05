"""A run that is filled stretch by stretch: states only; what follows from them is computed once, when it is asked for.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.states_to_run import COUNTED

if TYPE_CHECKING:
    from tisserand.multibody.integrators import Stepper
    from tisserand.multibody.simulation import Simulation


@dataclass(eq=False, kw_only=True)
class Filling:
    """States at the output times of a run, as far as they are filled.

    grid (n,): output times, s; Y (n, size), held (n, inputs): states and inputs; lost (n,): energy that the method took, J; drift
    (n, loops, 2): of closed loops; before, counted: events and counts of the stepper at the start; status, reason: how the last
    stretch ended; wall: seconds of integration.
    """

    grid: FloatArray
    Y: FloatArray
    held: FloatArray
    lost: FloatArray
    drift: FloatArray
    before: int
    counted: list[int]
    start: float
    filled: int = 0
    status: int = 0
    reason: str = ""
    wall: float = 0.0
    last: tuple[FloatArray, ...] = field(default_factory=tuple)

    def rows(self) -> tuple[FloatArray, ...]:
        """Times, states, inputs, loss and drift of all filled times, with the state where the run had to stop."""
        found = tuple(part[: self.filled] for part in (self.grid, self.Y, self.held, self.lost, self.drift))
        return tuple(np.concatenate([a, b[None]]) for a, b in zip(found, self.last)) if self.last else found

    def ended(self, stepper: Stepper, status: int, filled: int, reason: str) -> None:
        """Take how a stretch ended; the state where it had to stop is kept beside the output times."""
        self.status, self.filled, self.reason = status, filled, reason
        reached = self.grid[filled - 1] if filled else self.start
        if status and stepper.time > reached and np.isfinite(stepper.y).all():
            y, U = stepper.y.copy(), stepper.U.copy()
            self.last = (np.array(stepper.time), y, U, np.array(stepper.loss), np.zeros(self.drift.shape[1:]))


def empty_run(simulation: Simulation, grid: FloatArray) -> Filling:
    """A run with output at ``grid`` from the present time on."""
    n, c, stepper = len(grid), simulation.compiled, simulation.stepper
    return Filling(
        grid=grid,
        Y=np.zeros((n, c.size)),
        held=np.tile(stepper.U, (n, 1)),
        lost=np.full(n, stepper.loss),
        drift=np.zeros((n, len(c.loops), 2)),
        before=len(simulation.happened),
        counted=[int(stepper.stats[word]) for word in COUNTED],
        start=simulation.time,
        filled=int(np.searchsorted(grid, simulation.time, side="left")),
    )


def same_instant(time: float, times: FloatArray, after: float) -> float:
    """The output time that only round-off tells from ``time``, or ``time`` itself: what is held then is what was held before."""
    k = int(np.searchsorted(times, time))
    close = 1e-13 * max(1.0, abs(time))
    near = [float(t) for t in times[max(k - 1, 0) : k + 1] if abs(t - time) <= close and t > after]
    return near[-1] if near else time
