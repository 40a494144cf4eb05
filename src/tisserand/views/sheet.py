"""A contact sheet: every mode of an appendage on one page, each with its label."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.files import atomic_path
from tisserand.views.geometry import COLOR_LABELS, DrawnMode, drawn_mode
from tisserand.views.mode_matplotlib import mode_figure
from tisserand.views.mode_pyvista import mode_plotter
from tisserand.views.renderer import choose_renderer
from tisserand.views.style import INK, figure

#: Most modes on one sheet.
MOST_MODES = 48


@checked_arguments
def save_contact_sheet(appendage: ReducedAppendage, path: str | Path, color: str = "displacement") -> Path:
    """Draw all modes (at most MOST_MODES) into one PNG file, colored by ``displacement`` or strain ``energy``.

    Args:
        appendage: the record.
        path: the file.
        color: ``displacement`` or strain ``energy``.
    """
    count = min(appendage.count, MOST_MODES)
    columns = min(4, max(count, 1))
    rows = max(1, -(-count // columns))
    drawn = [drawn_mode(appendage, mode, color=color) for mode in range(1, count + 1)]
    images = trimmed(_images(drawn))
    shape = images[0].shape[0] / images[0].shape[1] if images else 0.7
    made = figure(4.0 * columns, (4.0 * shape + 0.4) * rows + 0.5)
    for number, (one, image) in enumerate(zip(drawn, images), 1):
        axes = made.add_subplot(rows, columns, number)
        axes.imshow(image)
        axes.set_axis_off()
        axes.set_title(one.title, fontsize=10, color=INK)
    dropped = appendage.count - count
    more = f"; {dropped} more not shown" if dropped else ""
    heading = f"{appendage.name}: {appendage.count} modes, frame {appendage.frame.name}{more}"
    legend = f"color: {COLOR_LABELS[color]}, dark 0 to bright 1"
    made.suptitle(f"{heading}\n{legend}", fontsize=12, color=INK)
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)


def trimmed(images: list[FloatArray], margin: int = 12) -> list[FloatArray]:
    """Pictures of one size without the white border that all of them share."""
    if not images:
        return images
    inked = np.any([np.any(image[:, :, :3] < 250, axis=2) for image in images], axis=0)
    if not inked.any():
        return images
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    top, left = max(rows[0] - margin, 0), max(columns[0] - margin, 0)
    return [image[top : rows[-1] + margin, left : columns[-1] + margin] for image in images]


def _images(drawn: list[DrawnMode]) -> list[FloatArray]:
    if choose_renderer().renderer == "pyvista":
        images = []
        for one in drawn:
            plotter = mode_plotter(one, labels=False)
            images.append(np.asarray(plotter.screenshot(return_img=True)))
            plotter.close()
        return images
    pictures = []
    for one in drawn:
        made = mode_figure(one, labels=False)
        made.canvas.draw()
        pictures.append(np.asarray(made.canvas.buffer_rgba()))
    return pictures
