"""What is drawn of an appendage: points, lines, triangles, and a displacement field over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.appendage.types import ReducedAppendage
from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import InputError

#: Largest displacement of a drawn mode as a fraction of the model's extent.
DRAWN_FRACTION = 0.12


@dataclass(frozen=True, eq=False)
class DrawnMode:
    """One mode ready to draw.

    points (n, 3) m; shape (n, 3) displacement scaled so that its largest length is one; scale m for that largest
    displacement; lines, triangles, links (rigid) and bodies by row; title is plain text.
    """

    points: FloatArray
    shape: FloatArray
    scale: float
    lines: IntArray
    triangles: IntArray
    links: IntArray
    bodies: IntArray
    title: str

    @property
    def deformed(self) -> FloatArray:
        return np.asarray(self.points + self.scale * self.shape)

    @property
    def magnitude(self) -> FloatArray:
        """Relative displacement per point, 0 to 1."""
        return np.asarray(np.linalg.norm(self.shape, axis=1))


def drawn_mode(appendage: ReducedAppendage, mode: int, fraction: float = DRAWN_FRACTION) -> DrawnMode:
    """Mode ``mode`` (from 1) of an appendage."""
    if not 1 <= mode <= appendage.count:
        raise InputError(
            "no such mode",
            where=f"appendage {appendage.name}",
            found=mode,
            expected=f"1 to {appendage.count}",
        )
    nodes, cells = appendage.nodes, appendage.topology
    shape = np.nan_to_num(nodes.translation[:, :, mode - 1])
    largest = float(np.linalg.norm(shape, axis=1).max(initial=0.0))
    extent = float(np.ptp(nodes.positions, axis=0).max()) or 1.0
    title = f"{appendage.mode_names[mode - 1]}   {appendage.frequencies_hz[mode - 1]:.4g} Hz"
    return DrawnMode(
        points=nodes.positions,
        shape=shape / largest if largest > 0.0 else shape,
        scale=fraction * extent,
        lines=cells.lines,
        triangles=cells.triangles,
        links=cells.links,
        bodies=cells.bodies,
        title=title,
    )
