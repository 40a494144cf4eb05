"""Pictures of modes as files, whatever this machine can draw with."""

from __future__ import annotations

from pathlib import Path

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.files import atomic_path
from tisserand.views.geometry import drawn_mode
from tisserand.views.mode_matplotlib import mode_figure
from tisserand.views.mode_pyvista import mode_plotter
from tisserand.views.renderer import choose_renderer


def save_mode_picture(appendage: ReducedAppendage, mode: int, path: str | Path, color: str = "displacement") -> Path:
    """Draw mode ``mode`` (from 1) into a PNG file, colored by ``displacement`` or strain ``energy``."""
    drawn = drawn_mode(appendage, mode, color=color)
    with atomic_path(path) as temporary:
        if choose_renderer().renderer == "pyvista":
            plotter = mode_plotter(drawn)
            plotter.screenshot(str(temporary))
            plotter.close()
        else:
            mode_figure(drawn).savefig(temporary)
    return Path(path)
