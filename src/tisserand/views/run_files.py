"""A run as a file to look at: film, moving 3-D scene or page, by the ending of its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tisserand.errors import InputError
from tisserand.files import write_text
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.animation import FILMS, check_film
from tisserand.views.report.trajectory_page import trajectory_page
from tisserand.views.run_film import save_run_film
from tisserand.views.run_gltf import save_run_gltf
from tisserand.views.run_plot import save_run_plot

#: What a run can be saved as.
RUN_FILES = (*FILMS, ".glb", ".html", ".png")


def check_run_target(path: Path) -> None:
    """Refuse an ending that is not written, or whose packages are missing, before anything is drawn."""
    if path.suffix.lower() not in RUN_FILES:
        raise InputError(
            "unsupported file extension for a run", found=path.suffix or str(path), expected=", ".join(RUN_FILES)
        )
    if path.suffix.lower() in FILMS:
        check_film(path)


def save_run(run: Trajectory, path: Path, scene: Mapping[str, Any] | None = None, *, deflection: float = 1.0) -> Path:
    """Write one file by its ending."""
    check_run_target(path)
    suffix = path.suffix.lower()
    if suffix == ".glb":
        return save_run_gltf(run, path, scene, deflection=deflection)
    if suffix == ".html":
        return write_text(path, trajectory_page(run, scene))
    if suffix == ".png":
        return save_run_plot(run, path)
    return save_run_film(run, path, scene, deflection=deflection)
