"""States that a simulation has reached as a trajectory with its settings and statistics.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.quantities import units_of
from tisserand.multibody.recording import record
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.trajectory_parts import EventRecord, RunOutcome, StepStatistics

if TYPE_CHECKING:
    from tisserand.multibody.simulation import Simulation

#: Statistics of a stepper that grow from stretch to stretch.
COUNTED = ("steps", "rejected", "calls")


def statistics_since(simulation: Simulation, counted: Sequence[int], wall: float) -> StepStatistics:
    """Steps beyond those ``counted`` before, which took ``wall`` seconds."""
    s = simulation.stepper.stats
    smallest = float(s["smallest"]) if np.isfinite(s["smallest"]) else float(s["step"])
    steps, rejected, calls = (int(s[word]) - counted[i] for i, word in enumerate(COUNTED))
    return StepStatistics(simulation.method, steps, rejected, calls, smallest, wall)


def recorded(
    simulation: Simulation,
    times: FloatArray,
    Y: FloatArray,
    held: FloatArray,
    loss: FloatArray | None = None,
    drift: FloatArray | None = None,
    *,
    span: float = 0.0,
    statistics: StepStatistics | None = None,
    complete: bool = True,
    reason: str = "",
    events: tuple[EventRecord, ...] = (),
) -> Trajectory:
    """States Y (n, size) at ``times`` with inputs ``held`` (n, inputs) as a trajectory; loss (n,), J; span: simulated, s.

    drift (n, loops, 2): as in ``record``.
    """
    s = simulation
    firings = {} if statistics is None else s.firings()
    return record(
        s.engine,
        times,
        Y,
        held,
        loss,
        drift,
        outcome=RunOutcome(
            statistics=statistics or StepStatistics(s.method),
            complete=complete,
            reason=reason,
            events=events,
            settings={
                "engine": s.engine.name,
                "method": s.method,
                **({} if s.stepper.auto is None else {"auto": s.stepper.auto.words}),
                "rtol": s.stepper.rtol,
                "atol": float(np.min(s.stepper.atol)),
                "duration": span,
                **({"firings": firings} if firings else {}),
                "units": units_of(
                    s.vehicle,
                    loads=s.loads,
                    controllers=s.controllers,
                    signals=[*s.outputs, *(e.signal for e in s.events)],
                ),
            },
        ),
    )
