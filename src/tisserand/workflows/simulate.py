"""Fly a vehicle file; checkpoints keep a readable result whatever happens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import InputError
from tisserand.files import check_outputs, keep_inputs, write_text
from tisserand.multibody import Simulation, save_trajectory
from tisserand.multibody.audit import in_words
from tisserand.multibody.histories import csv_text, save_parquet
from tisserand.multibody.segments import run_in_segments
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.report.replay import scene_of
from tisserand.workflows.named_files import named_files
from tisserand.workflows.vehicle_file import VehicleCase, read_vehicle

DEFAULT_SAMPLES = 1000


@dataclass(frozen=True, eq=False)
class SimulationResult:
    """The trajectory and where it was written."""

    trajectory: Trajectory
    paths: tuple[Path, ...]

    @property
    def completed(self) -> bool:
        """False when the run had to stop for another reason than an event of the user's."""
        return self.trajectory.complete or bool(self.trajectory.events)

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        run = self.trajectory
        last = run.state(-1)
        worst = run.balance.worst()
        return {
            "vehicle": run.vehicle_name,
            "complete": run.complete,
            "reason": run.reason,
            "final_time": float(run.times[-1]),
            "final_state": {
                "position": last.position,
                "attitude": last.attitude,
                "velocity": last.velocity,
                "angular_velocity": last.angular_velocity,
                "joints": dict(last.joints),
                "joint_rates": dict(last.joint_rates),
                "modal": dict(last.modal),
                "rotor_rates": dict(last.rotor_rates),
            },
            "worst_energy_violation": worst["energy"],
            "worst_momentum_violation": worst["momentum"],
            "worst_angular_momentum_violation": worst["angular momentum"],
            "recomputed": dict(run.recomputed),
            "events": [{"name": e.name, "time": e.time} for e in run.events],
            "warnings": list(run.warnings),
            "steps": run.statistics.steps,
            "wall_seconds": run.statistics.wall_seconds,
            "paths": [str(path) for path in self.paths],
        }

    def summary(self) -> list[str]:
        """Lines for people (rich markup)."""
        run, worst = self.trajectory, self.trajectory.balance.worst()
        s = run.statistics
        speed = run.times[-1] / s.wall_seconds if s.wall_seconds > 0.0 else float("inf")
        lines = [
            f"[bold]{run.vehicle_name}[/bold]  {run.times[-1]:.6g} s in {s.wall_seconds:.3g} s ({speed:.3g} x real time), "
            f"{s.method}, {s.steps} steps",
            "Balance: " + ", ".join(f"{name} {value:.1e}" for name, value in worst.items()),
        ]
        lines += [*in_words(run.recomputed)]
        lines += [f"Event: {e.name} at {e.time:.6g} s" for e in run.events]
        lines += [f"[yellow]Warning:[/yellow] {w}" for w in run.warnings]
        if not run.complete:
            lines.append(f"[red]Stopped:[/red] {run.reason}")
        return [*lines, *(f"Wrote [bold]{path}[/bold]" for path in self.paths)]


def simulate_file(
    path: str | Path,
    *,
    output: str | Path | None = None,
    csv: str | Path | None = None,
    plot: str | Path | None = None,
    force: bool = False,
) -> SimulationResult:
    """Run the vehicle file and write what is asked for; ``output`` is rewritten whole at every checkpoint.

    ``force`` lets ``[outputs]`` write outside the vehicle file's folder.
    """
    case = read_vehicle(path)
    given = {key: Path(name) for key, name in (("trajectory", output), ("csv", csv), ("plot", plot)) if name}
    stated = {key: name for key, name in case.outputs.items() if key not in given}
    check_outputs(case.path, stated, ENDINGS, anywhere=force)
    chosen = {**dict.fromkeys(ENDINGS), **stated, **given}
    keep_inputs(chosen.values(), named_files(case.path))
    target = chosen["trajectory"]
    if target is not None and target.suffix.lower() not in (".h5", ".hdf5"):
        raise InputError("a run is written as HDF5", found=str(target), expected="a name that ends in .h5 (--csv writes tables)")
    run = fly(case, target)
    paths = [] if target is None else [target]
    if chosen["csv"]:
        table = chosen["csv"]
        paths.append(
            save_parquet(run, table) if table.suffix == ".parquet" else write_text(table, csv_text(run))
        )
    if chosen["plot"]:
        from tisserand.views.run_plot import save_run_plot

        paths.append(save_run_plot(run, chosen["plot"]))
    if chosen["report"]:
        from tisserand.views.report.trajectory_page import trajectory_page

        paths.append(write_text(chosen["report"], trajectory_page(run)))
    return SimulationResult(run, tuple(paths))


def simulation_of(case: VehicleCase) -> Simulation:
    """A simulation that is ready to step, as the file states it."""
    wishes = case.run
    return Simulation(
        case.vehicle,
        case.initial,
        loads=case.loads,
        controllers=case.controllers,
        outputs=(*case.sensors, *case.accelerometers),
        events=case.events,
        on_limit="stop" if wishes.stop_at_limits else "record",
        method=METHOD_NAMES.get(wishes.method, wishes.method),
        rtol=wishes.rtol,
        atol=wishes.atol,
        max_step=wishes.step,
        engine=wishes.engine,
    )


#: Endings of the files that ``[outputs]`` of a vehicle file may name.
ENDINGS: dict[str, tuple[str, ...]] = {
    "trajectory": (".h5", ".hdf5"),
    "csv": (".csv", ".parquet"),
    "plot": (".png", ".svg", ".pdf"),
    "report": (".html",),
}
METHOD_NAMES = {"radau": "Radau", "bdf": "BDF", "lsoda": "LSODA"}


def output_times(case: VehicleCase) -> np.ndarray:
    """Output grid from zero to the duration, s."""
    step = case.run.output_step or case.run.duration / DEFAULT_SAMPLES
    count = max(round(case.run.duration / step), 1)
    return np.linspace(0.0, case.run.duration, count + 1)


def fly(case: VehicleCase, target: Path | None = None) -> Trajectory:
    """Run in segments; after each one the trajectory so far replaces ``target`` in one rename."""
    settings = {"vehicle_file": str(case.path), "scene": scene_of(case.vehicle)}

    def complete(run: Trajectory) -> Trajectory:
        return run.changed(settings={**run.settings, **settings})

    def keep(run: Trajectory, finished: bool) -> None:
        if target is not None and not finished:
            save_trajectory(_unfinished(complete(run), case.run.duration), target, audit=False)

    run = complete(run_in_segments(simulation_of(case), output_times(case), segment=case.run.segment, keep=keep))
    if target is not None:
        save_trajectory(run, target)
    return run


def _unfinished(run: Trajectory, duration: float) -> Trajectory:
    """A checkpoint as it stands in its file: nobody takes it for the end should the program die before the next one."""
    reason = f"unfinished: the run was at {run.times[-1]:.6g} of {duration:.6g} s when this was written"
    return run.changed(complete=False, reason=reason)
