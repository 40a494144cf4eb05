"""A contact sheet: every mode of an appendage on one page, each with its label."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.appendage.types import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.files import atomic_path
from tisserand.views.geometry import DrawnMode, drawn_mode
from tisserand.views.renderer import choose_renderer
from tisserand.views.style import INK, figure

#: Most modes on one sheet.
MOST_MODES = 48


def save_contact_sheet(appendage: ReducedAppendage, path: str | Path) -> Path:
    """Draw all modes (at most MOST_MODES) into one PNG file."""
    count = min(appendage.count, MOST_MODES)
    columns = min(4, max(count, 1))
    rows = max(1, -(-count // columns))
    made = figure(4.0 * columns, 3.1 * rows + 0.5)
    drawn = [drawn_mode(appendage, mode) for mode in range(1, count + 1)]
    images = _images(drawn)
    for number, (one, image) in enumerate(zip(drawn, images), 1):
        axes = made.add_subplot(rows, columns, number)
        axes.imshow(image)
        axes.set_axis_off()
        axes.set_title(one.title, fontsize=10, color=INK)
    dropped = appendage.count - count
    more = f"; {dropped} more not shown" if dropped else ""
    made.suptitle(
        f"{appendage.name}: {appendage.count} modes, frame {appendage.frame.name}{more}",
        fontsize=12,
        color=INK,
    )
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)


def _images(drawn: list[DrawnMode]) -> list[FloatArray]:
    if choose_renderer().renderer == "pyvista":
        from tisserand.views.mode_pyvista import mode_plotter

        images = []
        for one in drawn:
            plotter = mode_plotter(one, labels=False)
            images.append(np.asarray(plotter.screenshot(return_img=True)))
            plotter.close()
        return images
    from tisserand.views.mode_matplotlib import mode_figure

    pictures = []
    for one in drawn:
        made = mode_figure(one, labels=False)
        made.canvas.draw()
        pictures.append(np.asarray(made.canvas.buffer_rgba()))
    return pictures
