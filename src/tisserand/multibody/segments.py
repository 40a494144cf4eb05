"""A run in segments, with a checkpoint after each, so that a readable result always exists.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.filling import Filling
from tisserand.multibody.monitor import validity_warnings
from tisserand.multibody.simulation import Simulation
from tisserand.multibody.trajectory import Trajectory

#: Segments of a run unless their length is stated.
SEGMENTS = 40
#: Share of the time of a run that its checkpoints may take.
KEEPING = 0.05
#: Called with the run so far, and whether it is finished.
Keep = Callable[[Trajectory, bool], None]


def run_in_segments(
    simulation: Simulation,
    times: FloatArray,
    *,
    segment: float | None = None,
    keep: Keep | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Trajectory:
    """Run to the last of ``times`` (from the present time, s) in pieces of ``segment`` s; ``keep`` sees the whole so far.

    It sees it after every piece if ``segment`` is stated; otherwise after the first, after the last, and whenever keeping has
    taken less than a twentieth of the time so far. An interrupt (Ctrl-C, or ``stopped`` after a piece) keeps all
    pieces before it.
    """
    start, duration = times[0], times[-1] - times[0]
    length = min(segment or duration / SEGMENTS, duration)
    ends = start + np.arange(length, duration + length, length)
    begun, spent, kept = clock.perf_counter(), 0.0, 0
    run = simulation.begin(times)
    for last in np.unique(np.searchsorted(times, ends).clip(1, len(times) - 1)):
        before = run.filled
        try:
            going = simulation.extend(run, times[last]) and last < len(times) - 1
            if stopped is not None and stopped():
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            run.filled = before
            if keep is not None and before > kept:
                keep(_whole(run, simulation), False)
            raise
        if not going:
            break
        now = clock.perf_counter()
        if keep is not None and (segment is not None or spent <= KEEPING * (now - begun)):
            keep(_whole(run, simulation), False)
            kept, spent = run.filled, spent + clock.perf_counter() - now
    whole = _whole(run, simulation)
    if keep is not None:
        keep(whole, True)
    return whole


def _whole(run: Filling, simulation: Simulation) -> Trajectory:
    """The run so far, with the doubts about all of it."""
    return validity_warnings(simulation.filled(run), simulation)
