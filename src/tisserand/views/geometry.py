"""What is drawn of an appendage: points, lines, triangles, and a displacement field over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.appendage.drawing.section_skin import Skin, plain_lines, skin_of
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.support_mass import frequency_words, listed_modes
from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import InputError

#: Largest displacement of a drawn mode as a fraction of the model's extent.
DRAWN_FRACTION = 0.12

#: What a shape may be colored by.
COLORS = ("displacement", "energy")
#: Words of the color bar.
COLOR_LABELS = {
    "displacement": "relative displacement (-)",
    "energy": "strain level (-), root of relative strain energy",
}
#: Radius of the glyph of a body with a typical share of the mass, over the model's extent.
_BODY_RADIUS = 0.012


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnMode:
    """One mode ready to draw.

    points (n, 3) m; shape (n, 3) displacement scaled so that its largest length is one, turn (n, 3) the rotations on
    the same scale; scale m for that largest displacement; skin: surface of shells, solids and beams with their
    sections; lines (without a section), links (rigid) and bodies by row; body_radius (b,) m of their glyphs, volume by
    mass; triads (i, 4, 3): origin and three axes of every interface at rest, m, triad_shape (i, 3) how they
    move; values (n,) 0 to 1 for coloring, label what
    they are; title is plain text.
    """

    points: FloatArray
    shape: FloatArray
    turn: FloatArray
    scale: float
    skin: Skin
    lines: IntArray
    links: IntArray
    bodies: IntArray
    body_radius: FloatArray
    triads: FloatArray
    triad_shape: FloatArray
    values: FloatArray
    label: str
    title: str

    def moved(self, factor: float) -> FloatArray:
        """Node positions (n, 3), m, at ``factor`` m of the largest displacement."""
        return np.asarray(self.points + factor * self.shape)

    def moved_skin(self, factor: float) -> FloatArray:
        """Positions (p, 3) of the skin's points, m."""
        still = self.skin.rest(self.points)
        return np.asarray(still + factor * self.skin.displacement(self.shape, self.turn))

    def moved_triads(self, factor: float) -> FloatArray:
        """Triads (i, 4, 3), m, carried along without turning."""
        return np.asarray(self.triads + factor * self.triad_shape[:, None])

    @property
    def deformed(self) -> FloatArray:
        return self.moved(self.scale)

    @property
    def skin_values(self) -> FloatArray:
        """Color of the skin's points."""
        return np.asarray(self.values[self.skin.source])


def drawn_mode(
    appendage: ReducedAppendage, mode: int, fraction: float = DRAWN_FRACTION, color: str = "displacement"
) -> DrawnMode:
    """Mode ``mode`` (from 1) of an appendage, colored by ``displacement`` or strain ``energy``."""
    if not 1 <= mode <= appendage.count:
        raise InputError(
            "no such mode", where=f"appendage {appendage.name}", found=mode, expected=f"1 to {appendage.count}"
        )
    nodes, cells = appendage.nodes, appendage.topology
    shape = np.nan_to_num(nodes.translation[:, :, mode - 1])
    largest = float(np.linalg.norm(shape, axis=1).max(initial=0.0))
    extent = float(np.ptp(nodes.positions, axis=0).max()) or 1.0
    title = f"{appendage.mode_names[mode - 1]}   {frequency_words(listed_modes(appendage)[0])[mode - 1]}"
    unit = 1.0 / largest if largest > 0.0 else 1.0
    return DrawnMode(
        points=nodes.positions,
        shape=shape * unit,
        turn=np.nan_to_num(nodes.rotation[:, :, mode - 1]) * unit,
        scale=fraction * extent,
        skin=skin_of(nodes.positions, cells),
        lines=plain_lines(cells),
        links=cells.links,
        bodies=cells.bodies,
        body_radius=body_radii(cells.body_mass, len(cells.bodies), appendage.mass, extent),
        triads=_triads(appendage, 0.06 * extent),
        triad_shape=np.array([unit * p.translation[:, mode - 1] for p in appendage.interfaces]).reshape(-1, 3),
        values=_values(appendage, mode, shape * unit, color),
        label=COLOR_LABELS[color],
        title=title,
    )


def _values(appendage: ReducedAppendage, mode: int, shape: FloatArray, color: str) -> FloatArray:
    if color not in COLORS:
        raise InputError("unknown coloring", found=color, expected=" or ".join(COLORS))
    if color == "displacement":
        return np.asarray(np.linalg.norm(shape, axis=1))
    energy = appendage.nodes.energy
    if energy is None:
        raise InputError(
            "the strain energy of the modes is not known",
            where=f"appendage {appendage.name}",
            advice="compute the record again from its deck or case (given modes and bare matrices have no elements)",
        )
    each = np.sqrt(np.asarray(energy[:, mode - 1], dtype=float))
    return np.asarray(each / max(float(each.max(initial=0.0)), 1e-300))


def body_radii(masses: FloatArray, count: int, total: float, extent: float) -> FloatArray:
    """Glyph radii, m: volume by mass, a body of 2 % of the whole gets the typical size; within 0.4 and 3 of it."""
    typical = _BODY_RADIUS * extent
    if len(masses) != count or total <= 0.0:
        return np.full(count, typical)
    return np.asarray(typical * np.clip(np.cbrt(np.maximum(masses, 0.0) / (0.02 * total)), 0.4, 3.0))


def _triads(appendage: ReducedAppendage, size: float) -> FloatArray:
    made = [np.vstack([p.position, p.position + size * p.axes]) for p in appendage.interfaces]
    return np.array(made).reshape(-1, 4, 3)
