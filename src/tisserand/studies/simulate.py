"""Run a vehicle file and write what is requested."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tisserand.errors import InputError
from tisserand.files import check_outputs, keep_inputs, write_text
from tisserand.multibody.audit import in_words
from tisserand.multibody.balance_verdict import balance_verdict
from tisserand.multibody.histories import csv_text, save_parquet
from tisserand.multibody.trajectory import Trajectory
from tisserand.studies.flight import fly
from tisserand.studies.idle_options import refuse_idle
from tisserand.studies.look import HDF5_SUFFIXES
from tisserand.studies.named_files import named_files
from tisserand.studies.options import SimulateStudy
from tisserand.studies.shown import shown
from tisserand.studies.study_type import task
from tisserand.studies.vehicles import read_vehicle
from tisserand.task_result import TaskResult
from tisserand.views.report.trajectory_page import trajectory_page
from tisserand.views.run_plot import save_run_plot


@dataclass(frozen=True, eq=False)
class SimulationResult(TaskResult):
    """The trajectory and where it was written."""

    task: ClassVar = "simulate"

    trajectory: Trajectory
    paths: tuple[Path, ...]

    @property
    def completed(self) -> bool:
        """False if the run stopped for any reason other than an event that the user defined."""
        return self.trajectory.complete or bool(self.trajectory.events)

    @property
    def exit_code(self) -> int:
        """3: stopped early; 1: does not balance; else 0."""
        return 3 if not self.completed else 0 if balance_verdict(self.trajectory).held else 1

    @property
    def stops(self) -> tuple[str, ...]:
        """Why the run had to stop, in one sentence; empty if it completed."""
        run = self.trajectory
        return () if self.completed else (f"{run.vehicle_name}: the run stopped: {run.reason}",)

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
            "balance": balance_verdict(run).as_dict(),
            "recomputed": dict(run.recomputed),
            "events": [{"name": e.name, "time": e.time} for e in run.events],
            "warnings": list(run.warnings),
            "steps": run.statistics.steps,
            "wall_seconds": run.statistics.wall_seconds,
            "paths": [str(path) for path in self.paths],
        }

    def summary(self) -> list[str]:
        """Lines for people (rich markup)."""
        run, balance = self.trajectory, balance_verdict(self.trajectory)
        s = run.statistics
        speed = run.times[-1] / s.wall_seconds if s.wall_seconds > 0.0 else float("inf")
        lines = [
            f"[bold]{shown(run.vehicle_name)}[/bold]  {run.times[-1]:.6g} s in {s.wall_seconds:.3g} s ({speed:.3g} x real time), "
            f"{s.method}, {s.steps} steps",
            "Balance: " + ", ".join(f"{k} {v:.1e}" for k, v in balance.worst.items()) + f" (limit {balance.limit:.1e})",
        ]
        lines += [*map(shown, in_words(run.recomputed))]
        lines += [f"Event: {shown(e.name)} at {e.time:.6g} s" for e in run.events]
        lines += [f"[yellow]Warning:[/yellow] {shown(w)}" for w in run.warnings]
        if not run.complete:
            lines.append(f"[red]Stopped:[/red] {shown(run.reason)}")
        return [*lines, *(f"Wrote [bold]{shown(path)}[/bold]" for path in self.paths)]


#: Endings of the files that ``[outputs]`` of a vehicle file may name.
ENDINGS: dict[str, tuple[str, ...]] = {
    "trajectory": HDF5_SUFFIXES,
    "csv": (".csv", ".parquet"),
    "plot": (".png", ".svg", ".pdf"),
    "report": (".html",),
}


@task(SimulateStudy)
def simulate(study: SimulateStudy) -> SimulationResult:
    """Run a vehicle file; ``output`` is rewritten whole at every checkpoint. Options override the file's ``[outputs]``."""
    case = read_vehicle(study.vehicle, study.set)
    given = {"trajectory": study.output, "csv": study.csv, "plot": study.plot}
    stated = {word: path for word, path in case.outputs.items() if given.get(word) is None}
    check_outputs(case.path, stated, ENDINGS, anywhere=study.force)
    target, table, plot, page = ({**given, **stated}.get(word) for word in ENDINGS)
    keep_inputs((target, table, plot, page), named_files(case.path, case.tables))
    if target is not None and target.suffix.lower() not in HDF5_SUFFIXES:
        raise InputError(
            "a run is written as HDF5", found=str(target), expected="a name that ends in .h5 (--csv writes tables)"
        )
    if table is None:
        refuse_idle(
            study, ("angles",), "a run without time histories (--csv, or csv in [outputs])", where=study.vehicle
        )
    if plot is None:
        refuse_idle(study, ("style",), "a run without a plot (--plot, or plot in [outputs])", where=study.vehicle)
    run = fly(case, target)
    paths = [] if target is None else [target]
    if table is not None:
        angles = study.angles or case.tables.outputs.angles
        if table.suffix == ".parquet":
            paths.append(save_parquet(run, table, angles))
        else:
            paths.append(write_text(table, csv_text(run, angles)))
    if plot is not None:
        paths.append(save_run_plot(run, plot))
    if page is not None:
        paths.append(write_text(page, trajectory_page(run)))
    return SimulationResult(run, tuple(paths))
