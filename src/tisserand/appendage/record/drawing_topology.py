"""Cells of a reduced appendage for drawing: lines, triangles, bodies, links, and how thick they are."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray, frozen
from tisserand.errors import ModelError


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class Topology:
    """Cells for drawing, by row of the node table:
    lines (e, 2), triangles (t, 3), bodies (b,) node rows with masses, links (l, 2).

    What they are and how thick, each empty where unknown: line_ids (e,), triangle_ids (t,) element ids;
    thickness (t,) m of shells, 0 on solids; body_mass (b,) kg; outlines (s, 16, 2) m section polygons in section axes
    (y, z); line_outline (e,) which of them a line has, -1 none; line_up (e, 3) section y axis in body axes;
    line_offsets (e, 2, 3) m from the nodes to the section's centroid.
    """

    lines: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    triangles: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    bodies: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    links: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    thickness: FloatArray = field(default_factory=lambda: np.zeros(0))
    body_mass: FloatArray = field(default_factory=lambda: np.zeros(0))
    outlines: FloatArray = field(default_factory=lambda: np.zeros((0, 16, 2)))
    line_outline: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    line_up: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    line_offsets: FloatArray = field(default_factory=lambda: np.zeros((0, 2, 3)))
    line_ids: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    triangle_ids: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        for word, shape in (
            ("lines", (-1, 2)),
            ("triangles", (-1, 3)),
            ("bodies", (-1,)),
            ("links", (-1, 2)),
            ("line_outline", (-1,)),
            ("line_ids", (-1,)),
            ("triangle_ids", (-1,)),
        ):
            object.__setattr__(self, word, frozen(getattr(self, word), np.int64, shape))
        optional: tuple[tuple[str, tuple[int, ...], int | None], ...] = (
            ("thickness", (-1,), len(self.triangles)),
            ("body_mass", (-1,), len(self.bodies)),
            ("outlines", (-1, 16, 2), None),
            ("line_outline", (-1,), len(self.lines)),
            ("line_up", (-1, 3), len(self.lines)),
            ("line_offsets", (-1, 2, 3), len(self.lines)),
            ("line_ids", (-1,), len(self.lines)),
            ("triangle_ids", (-1,), len(self.triangles)),
        )
        for name, form, rows in optional:
            values = getattr(self, name)
            if values.dtype != np.int64:
                values = frozen(values, shape=form)
            if rows is not None and len(values) not in (0, rows):
                raise ModelError(f"{name} must have one entry per cell", found=len(values), expected=rows)
            object.__setattr__(self, name, values)

    def turned(self, Q: FloatArray) -> Topology:
        """The same cells in other axes: r_new = Q r_old."""
        return replace(self, line_up=self.line_up @ Q.T, line_offsets=self.line_offsets @ Q.T)
