"""The MAC matrix of two records as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.files import atomic_path
from tisserand.views.style import COLOR_MAP, figure


def save_mac_picture(comparison: Any, path: str | Path) -> Path:
    """Draw ``comparison.mac`` (modes of A by modes of B) into a PNG file."""
    matrix = np.asarray(comparison.mac, float)
    made = figure(7.0, 6.0)
    axes = made.add_subplot()
    image = axes.imshow(matrix, vmin=0.0, vmax=1.0, cmap=COLOR_MAP, origin="upper")
    axes.set(xlabel="mode of B", ylabel="mode of A")
    axes.set_xticks(range(matrix.shape[1]), [str(i + 1) for i in range(matrix.shape[1])], fontsize=7)
    axes.set_yticks(range(matrix.shape[0]), [str(i + 1) for i in range(matrix.shape[0])], fontsize=7)
    axes.set_title("Modal assurance criterion", loc="left")
    made.colorbar(image, ax=axes).set_label("MAC (-)")
    with atomic_path(path) as temporary:
        made.savefig(temporary, format="png")
    return Path(path)
