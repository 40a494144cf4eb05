"""Run a vehicle as its file states, with checkpoints that keep a readable result whatever happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tisserand.arguments import checked_arguments
from tisserand.multibody import save_trajectory
from tisserand.multibody.segments import Keep, run_in_segments
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.report.replay import scene_of

if TYPE_CHECKING:
    from tisserand.studies.vehicles import VehicleCase


@checked_arguments
def fly(case: VehicleCase, target: Path | None = None) -> Trajectory:
    """Run in segments; after each one the trajectory so far replaces ``target`` in one rename.

    Args:
        case: the vehicle file as read.
    """
    settings = {"vehicle_file": str(case.path), "scene": scene_of(case.vehicle, case.loads, case.controllers)}

    def complete(run: Trajectory) -> Trajectory:
        return run.changed(settings={**run.settings, **settings})

    def keep(run: Trajectory, finished: bool) -> None:
        if target is not None and not finished:
            save_trajectory(_unfinished(complete(run), case.run.duration), target, audit=False)

    run = complete(flown(case, keep if target is not None else None))
    if target is not None:
        save_trajectory(run, target)
    return run


def flown(case: VehicleCase, keep: Keep | None = None, stopped: Callable[[], bool] | None = None) -> Trajectory:
    """The run of a vehicle file without the scene that its file would keep; the same numbers as ``fly``."""
    times = case.run.output_times
    return run_in_segments(case.simulation(), times, segment=case.run.segment, keep=keep, stopped=stopped)


def _unfinished(run: Trajectory, duration: float) -> Trajectory:
    """A checkpoint as stored in its file: it is marked unfinished in case the program dies before the next one."""
    reason = f"unfinished: the run was at {run.times[-1]:.6g} of {duration:.6g} s when this was written"
    return run.changed(complete=False, reason=reason)
