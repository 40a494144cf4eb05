"""Notebook displays: a mode shape, a moving vehicle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.html_view import HtmlView
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.geometry import drawn_mode
from tisserand.views.mode_matplotlib import mode_figure
from tisserand.views.mode_pyvista import mode_plotter
from tisserand.views.renderer import choose_renderer
from tisserand.views.report.appendage_page import appendage_page
from tisserand.views.report.replay import scene_of
from tisserand.views.report.trajectory_page import trajectory_page
from tisserand.views.run_files import save_run


@checked_arguments
def plot_mode(appendage: ReducedAppendage, mode: int = 1, color: str = "displacement") -> Any:
    """A PyVista plotter of mode ``mode`` (from 1) where VTK can draw, a matplotlib figure elsewhere.

    Args:
        appendage: the record.
        color: ``displacement`` or strain ``energy``.
    """
    drawn = drawn_mode(appendage, mode, color=color)
    if choose_renderer().renderer == "pyvista":
        return mode_plotter(drawn)
    return mode_figure(drawn)


def show_modes(appendage: ReducedAppendage) -> HtmlView:
    """All modes, moving, as a page."""
    return HtmlView(appendage_page(appendage), appendage.name)


def animate(
    trajectory: Trajectory, path: str | Path | None = None, vehicle: Any = None, deflection: float = 1.0
) -> HtmlView | Path:
    """The moving, deforming vehicle as a page or a file; ``vehicle`` is needed where the run stores no scene."""
    scene = None if vehicle is None else scene_of(vehicle)
    if path is not None and Path(path).suffix.lower() != ".html":
        return save_run(trajectory, Path(path), scene, deflection=deflection)
    page = HtmlView(trajectory_page(trajectory, scene), trajectory.vehicle_name)
    return page if path is None else page.save(path)
