"""Notebook displays: a mode shape, a moving vehicle."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.files import write_text
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.geometry import drawn_mode
from tisserand.views.mode_matplotlib import mode_figure
from tisserand.views.mode_pyvista import mode_plotter
from tisserand.views.renderer import choose_renderer
from tisserand.views.report.appendage_page import appendage_page
from tisserand.views.report.replay import scene_of
from tisserand.views.report.trajectory_page import trajectory_page


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class HtmlView:
    """A self-contained page that a notebook displays; ``save`` writes it to a file.

    Attributes:
        title: of the page.
        height: of its frame in a notebook, pixels.
    """

    page: str
    title: str
    height: int = 720

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.page, quote=True)}" width="100%" height="{self.height}" style="border:0"></iframe>'

    def save(self, path: str | Path) -> Path:
        """Write the page to a file.

        Args:
            path: the file to write.
        """
        return write_text(path, self.page)

    def __repr__(self) -> str:
        return f"<HtmlView {self.title!r}, {len(self.page) / 1e6:.1f} MB; .save(path) writes it>"


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


def animate(trajectory: Trajectory, vehicle: Any = None) -> HtmlView:
    """The moving, deforming vehicle as a page; ``vehicle`` is needed where the run stores no scene."""
    scene = None if vehicle is None else scene_of(vehicle)
    return HtmlView(trajectory_page(trajectory, scene), trajectory.vehicle_name)
