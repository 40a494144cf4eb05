"""A run in segments, with a checkpoint after each, so that a readable result always exists.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.monitor import validity_warnings
from tisserand.multibody.run_file import joined
from tisserand.multibody.simulation import Simulation
from tisserand.multibody.trajectory import Trajectory

#: Segments of a run unless their length is stated.
SEGMENTS = 40
#: Called with the run so far, and whether it is finished.
Keep = Callable[[Trajectory, bool], None]


def run_in_segments(
    simulation: Simulation, times: FloatArray, *, segment: float | None = None, keep: Keep | None = None
) -> Trajectory:
    """Run to the last of ``times`` (from the present time, s) in pieces of ``segment`` s; ``keep`` sees the whole after each."""
    start, duration = times[0], times[-1] - times[0]
    length = min(segment or duration / SEGMENTS, duration)
    ends = start + np.arange(length, duration + length, length)
    run: Trajectory | None = None
    first = 0
    for last in np.unique(np.searchsorted(times, ends).clip(1, len(times) - 1)):
        part = simulation.run(times[last] - times[first], times=times[first : last + 1])
        # doubts about the whole run so far, each reported once, not once per segment
        run = part if run is None else validity_warnings(joined(run, part).changed(warnings=()), simulation)
        finished = bool(last == len(times) - 1 or not run.complete)
        if keep is not None:
            keep(run, finished)
        if finished:
            break
        first = int(last)
    assert run is not None
    return run
