"""Look at mode shapes: in a window, or as files."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from tisserand.errors import InputError
from tisserand.multibody import load_trajectory
from tisserand.multibody.run_file import KIND as RUN
from tisserand.studies.idle_options import refuse_idle
from tisserand.studies.look import Look
from tisserand.studies.options import ViewStudy
from tisserand.studies.pictures import ViewResult, check_target, save_view
from tisserand.studies.source import open_appendage
from tisserand.studies.study_type import task
from tisserand.studies.vehicles import cache_folder
from tisserand.views.animation import FILMS
from tisserand.views.run_files import check_run_target, save_run
from tisserand.views.window import open_window


def has_screen() -> bool:
    """Whether a window can be opened here."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@task(ViewStudy)
def view(study: ViewStudy) -> ViewResult:
    """Show the modes of a record, deck or case, colored by displacement or strain energy; draw a run as a film or page."""
    look = Look(study.model)
    if look.hdf5 is not None and look.hdf5[0] == RUN:
        return _run(study)
    refuse_idle(study, ("deflection",), "mode shapes", where=study.model)
    if study.save is not None:
        check_target(study.save)
        _refuse_unused(study, study.save)
    source = open_appendage(
        study.model, units=study.units, format=study.format, allow=study.allow, deck=study.deck, **study.choices
    )
    run = source.supplier
    if run is not None and run.deck is None and run.modes.geometry is None:
        raise InputError(
            "the file holds no node positions, so there is nothing to draw",
            where=str(study.model),
            advice="state the deck with --deck",
        )
    if run is not None and not len(run.modes.node_ids):
        raise InputError("the file holds no mode shapes, so there is nothing to draw", where=str(study.model))
    appendage = source.reduce(**study.solved)
    if study.mode > max(appendage.count, 1):
        raise InputError(
            "there is no such mode",
            where=str(study.model),
            found=f"mode {study.mode}",
            expected=f"1 to {appendage.count}",
        )
    if study.save is not None:
        return save_view(appendage, study.save, study.mode, study.color)
    if not has_screen():
        made = save_view(appendage, Path(f"{study.model.stem}_modes.png"), study.mode, study.color)
        return replace(made, note="No screen is available, so the modes were drawn to a file (choose it with --save).")
    open_window(appendage, study.mode, study.color, cache_folder() / "cameras.json")
    return ViewResult(())


def _run(study: ViewStudy) -> ViewResult:
    """A run: the file that is asked for, else its page."""
    target = study.save or Path(f"{study.model.stem}.html")
    check_run_target(target)
    of_models = ("mode", "color", "units", "allow", "deck", *study.solving, *study.choices)
    refuse_idle(study, of_models, "a run", where=study.model)
    if study.format not in (None, "run"):
        refuse_idle(study, ("format",), "a run", where=study.model)
    if target.suffix.lower() not in (*FILMS, ".glb"):
        refuse_idle(study, ("deflection",), f"{target.suffix} files of a run (only films and .glb)", where=study.model)
    saved = save_run(load_trajectory(study.model), target, deflection=study.deflection)
    note = "" if study.save else "A run is shown as a page (choose a film or another file with --save)."
    return ViewResult((saved,), note)


def _refuse_unused(study: ViewStudy, target: Path) -> None:
    """Only films show one mode; only pictures and films are colored."""
    suffix = target.suffix.lower()
    if suffix not in FILMS:
        refuse_idle(study, ("mode",), f"{suffix} files, which show all modes", where=study.model)
    if suffix not in (*FILMS, ".png"):
        refuse_idle(study, ("color",), f"{suffix} files", where=study.model)
