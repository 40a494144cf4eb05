"""Cross-section shapes: area, second moments, torsion constant and shear factors from dimensions.

Axes are a beam's element axes: y up (the orientation plane), z to the right. Dimensions follow the order of Nastran's
PBARL/PBEAML. Areas and second moments are exact for the drawn polygon; torsion constants are exact for the circle, within
0.5 % for the solid rectangle (Roark), and with the shear center those of thin walls along their middle lines for all others.
Shear factors are those of the walls along the force, as in Nastran's beam library ([SiemensElements]): an area in a corner of
two walls counts for neither, a flange across the end of a web counts whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from math import pi

import numpy as np

from tisserand.errors import ModelError
from tisserand.model.thin_walls import Wall, wall_properties


@dataclass(frozen=True)
class ShapeProperties:
    """Section values in the unit of the dimensions.

    i_zz bends in the plane x-y (Nastran I1), i_yy in x-z (I2), i_yz = int y z dA; shear_y, shear_z are the shear factors
    (shear area over area) K1, K2; shear_center is (y, z) from the centroid, centroid (y, z) in the drawing; bredt is the part
    of the torsion constant that flows round cells.
    """

    area: float
    i_zz: float
    i_yy: float
    i_yz: float
    torsion_constant: float
    _: KW_ONLY
    shear_y: float
    shear_z: float
    shear_center: tuple[float, float] = (0.0, 0.0)
    centroid: tuple[float, float] = (0.0, 0.0)
    bredt: float = 0.0

    @property
    def library_torsion(self) -> float:
        """Torsion constant as the equations of Nastran's beam library have it: Bredt's alone round a cell.

        Where a wall is so thin that the others resist more by themselves, theirs: the section is open.
        """
        return max(self.bredt, self.torsion_constant - self.bredt)


#: (y, z of the center, height along y, width along z)
_Rectangle = tuple[float, float, float, float]


def shape_properties(shape: str, dimensions: Sequence[float]) -> ShapeProperties:
    """Properties of a named shape such as ``BOX`` with its dimensions in Nastran's order."""
    name = shape.strip().upper()
    if name not in _SHAPES:
        raise ModelError("unknown section shape", found=repr(name), expected=", ".join(_SHAPES))
    count, make = _SHAPES[name]
    values = [float(value) for value in dimensions]
    if len(values) < count:
        raise ModelError(f"the shape {name} needs {count} dimensions", found=len(values))
    try:
        result = make(*values[:count])
    except (ZeroDivisionError, OverflowError, np.linalg.LinAlgError):
        result = None
    limit = (0.0, float("inf"))
    if result is None or not all(limit[0] < v < limit[1] for v in (result.area, result.i_zz, result.i_yy)):
        raise ModelError(f"the dimensions of shape {name} enclose no area", found=tuple(values[:count]))
    return result


def dimension_count(shape: str) -> int:
    """Number of dimensions of a named shape; unknown shapes raise."""
    name = shape.strip().upper()
    if name not in _SHAPES:
        raise ModelError("unknown section shape", found=repr(name), expected=", ".join(_SHAPES))
    return _SHAPES[name][0]


def rectangle_torsion(a: float, b: float) -> float:
    """Torsion constant of a solid rectangle, sides a and b (Roark, Table 10.1)."""
    long, short = max(a, b), min(a, b)
    return long * short**3 * (1.0 / 3.0 - 0.21 * short / long * (1.0 - short**4 / (12.0 * long**4)))


def _moments(parts: Sequence[_Rectangle]) -> tuple[float, float, float, float, float, float]:
    """Area, centroid y and z, I_zz, I_yy, I_yz about the centroid of rectangles."""
    for _, _, h, w in parts:
        if h < 0.0 or w < 0.0:
            raise ModelError("the dimensions of the section overlap", found=f"a wall of {h:g} by {w:g}")
    area = sum(h * w for _, _, h, w in parts)
    y0 = sum(y * h * w for y, _, h, w in parts) / area
    z0 = sum(z * h * w for _, z, h, w in parts) / area
    i_zz = sum(w * h**3 / 12.0 + h * w * (y - y0) ** 2 for y, _, h, w in parts)
    i_yy = sum(h * w**3 / 12.0 + h * w * (z - z0) ** 2 for _, z, h, w in parts)
    i_yz = sum(h * w * (y - y0) * (z - z0) for y, z, h, w in parts)
    return area, y0, z0, i_zz, i_yy, i_yz


def _walled(parts: Sequence[_Rectangle], walls: Sequence[Wall], along_y: float, along_z: float) -> ShapeProperties:
    """Thin-walled section of rectangles and their middle lines; ``along_y``, ``along_z`` are wall areas that carry shear."""
    area, y0, z0, i_zz, i_yy, i_yz = _moments(parts)
    found = wall_properties(walls)
    return ShapeProperties(
        area,
        i_zz,
        i_yy,
        i_yz,
        found.flow + found.own,
        shear_y=along_y / area,
        shear_z=along_z / area,
        shear_center=(found.shear_center[0] - y0, found.shear_center[1] - z0),
        centroid=(y0, z0),
        bredt=found.flow,
    )


def _rod(r: float) -> ShapeProperties:
    return ShapeProperties(pi * r**2, pi * r**4 / 4, pi * r**4 / 4, 0.0, pi * r**4 / 2, shear_y=0.9, shear_z=0.9)


def _tube(outer: float, inner: float) -> ShapeProperties:
    if inner < 0.0 or inner >= outer:
        raise ModelError("the inner radius of a tube must be smaller than the outer", found=(outer, inner))
    if inner == 0.0:
        return _rod(outer)
    i = pi * (outer**4 - inner**4) / 4
    return ShapeProperties(pi * (outer**2 - inner**2), i, i, 0.0, 2 * i, shear_y=0.5, shear_z=0.5)


def _tube2(outer: float, wall: float) -> ShapeProperties:
    return _tube(outer, outer - wall)


def _bar(width: float, height: float) -> ShapeProperties:
    i_zz, i_yy = width * height**3 / 12.0, height * width**3 / 12.0
    return ShapeProperties(
        width * height, i_zz, i_yy, 0.0, rectangle_torsion(width, height), shear_y=5 / 6, shear_z=5 / 6
    )


def _box1(width: float, height: float, top: float, bottom: float, left: float, right: float) -> ShapeProperties:
    inner = height - top - bottom
    parts = [
        ((height - top) / 2, 0.0, top, width),
        (-(height - bottom) / 2, 0.0, bottom, width),
        ((bottom - top) / 2, -(width - left) / 2, inner, left),
        ((bottom - top) / 2, (width - right) / 2, inner, right),
    ]
    (y1, y0), (z0, z1) = ((height - top) / 2, -(height - bottom) / 2), (-(width - left) / 2, (width - right) / 2)
    a, b, c, d = (y1, z0), (y1, z1), (y0, z1), (y0, z0)
    walls = [(a, b, top), (b, c, right), (c, d, bottom), (d, a, left)]
    return _walled(parts, walls, (left + right) * inner, (top + bottom) * (width - left - right))


def _box(width: float, height: float, flange: float, side: float) -> ShapeProperties:
    return _box1(width, height, flange, flange, side, side)


def _dbox(*sizes: float) -> ShapeProperties:
    """Two cells: width, height, middle web from the left edge, left, middle and right wall, top and bottom of both cells."""
    width, height, middle, left, web, right, top_a, bottom_a, top_b, bottom_b = sizes
    first, second = middle - left - web / 2, width - middle - right - web / 2
    at_a, at_b = left + first / 2, middle + web / 2 + second / 2
    parts = [
        (height / 2, left / 2, height, left),
        (height / 2, middle, height, web),
        (height / 2, width - right / 2, height, right),
        (height - top_a / 2, at_a, top_a, first),
        (bottom_a / 2, at_a, bottom_a, first),
        (height - top_b / 2, at_b, top_b, second),
        (bottom_b / 2, at_b, bottom_b, second),
    ]
    tops, bottoms = (height - top_a / 2, height - top_b / 2), (bottom_a / 2, bottom_b / 2)
    z0, z1, z2 = left / 2, middle, width - right / 2
    # where the flanges of both cells differ, the web ends at the mean of their middle lines
    high, low = sum(tops) / 2, sum(bottoms) / 2
    walls = [
        ((tops[0], z0), (bottoms[0], z0), left),
        ((high, z1), (low, z1), web),
        ((tops[1], z2), (bottoms[1], z2), right),
        ((tops[0], z0), (high, z1), top_a),
        ((bottoms[0], z0), (low, z1), bottom_a),
        ((high, z1), (tops[1], z2), top_b),
        ((low, z1), (bottoms[1], z2), bottom_b),
    ]
    webs = left * (height - top_a - bottom_a) + right * (height - top_b - bottom_b)
    webs += web * (height - max(top_a, top_b) - max(bottom_a, bottom_b))
    return _walled(parts, walls, webs, (top_a + bottom_a) * first + (top_b + bottom_b) * second)


def _i(height: float, bottom: float, top: float, web: float, t_bottom: float, t_top: float) -> ShapeProperties:
    inner = height - t_bottom - t_top
    parts = [
        (t_bottom / 2, 0.0, t_bottom, bottom),
        (t_bottom + inner / 2, 0.0, inner, web),
        (height - t_top / 2, 0.0, t_top, top),
    ]
    low, high = t_bottom / 2, height - t_top / 2
    walls = [((low, 0.0), (high, 0.0), web)]
    walls += [((low, 0.0), (low, side * bottom / 2), t_bottom) for side in (-1, 1)]
    walls += [((high, 0.0), (high, side * top / 2), t_top) for side in (-1, 1)]
    return _walled(parts, walls, web * inner, 5 / 6 * (t_bottom * bottom + t_top * top))


def _i1(flange: float, web: float, inner: float, height: float) -> ShapeProperties:
    t = (height - inner) / 2
    return _i(height, flange + web, flange + web, web, t, t)


def _chan(width: float, height: float, web: float, flange: float) -> ShapeProperties:
    """Web on the left; the shear center lies beyond it."""
    inner = height - 2 * flange
    parts = [
        (height / 2 - flange / 2, width / 2, flange, width),
        (0.0, web / 2, inner, web),
        (-(height / 2 - flange / 2), width / 2, flange, width),
    ]
    y, z = (height - flange) / 2, web / 2
    walls = [((-y, z), (y, z), web), ((y, z), (y, width), flange), ((-y, z), (-y, width), flange)]
    return _walled(parts, walls, web * inner, 2 * flange * (width - web))


def _chan1(flange: float, web: float, inner: float, height: float) -> ShapeProperties:
    return _chan(flange + web, height, web, (height - inner) / 2)


def _chan2(wall: float, bottom: float, height: float, width: float) -> ShapeProperties:
    """Open at the top: a channel turned by a right angle."""
    c = _chan(height, width, bottom, wall)
    return ShapeProperties(
        c.area,
        c.i_yy,
        c.i_zz,
        0.0,
        c.torsion_constant,
        shear_y=c.shear_z,
        shear_z=c.shear_y,
        shear_center=(c.shear_center[1], 0.0),
        centroid=(c.centroid[1], 0.0),
    )


def _t(width: float, height: float, flange: float, web: float) -> ShapeProperties:
    parts = [(height - flange / 2, 0.0, flange, width), ((height - flange) / 2, 0.0, height - flange, web)]
    y = height - flange / 2
    walls = [((0.0, 0.0), (y, 0.0), web), ((y, 0.0), (y, width / 2), flange), ((y, 0.0), (y, -width / 2), flange)]
    return _walled(parts, walls, web * (height - flange), flange * width)


def _t2(width: float, height: float, flange: float, web: float) -> ShapeProperties:
    t = _t(width, height, flange, web)
    return replace(t, shear_center=(-t.shear_center[0], 0.0), centroid=(height - t.centroid[0], 0.0))


def _t1(height: float, web: float, flange: float, thickness: float) -> ShapeProperties:
    parts = [(0.0, flange / 2, height, flange), (0.0, -web / 2, thickness, web)]
    z = flange / 2
    walls = [
        ((0.0, -web), (0.0, z), thickness),
        ((0.0, z), (height / 2, z), flange),
        ((0.0, z), (-height / 2, z), flange),
    ]
    return _walled(parts, walls, flange * height, thickness * web)


def _h(inner: float, flanges: float, height: float, web: float) -> ShapeProperties:
    t = flanges / 2
    z = (inner + t) / 2
    parts = [(0.0, -z, height, t), (0.0, z, height, t), (0.0, 0.0, web, inner)]
    walls = [((0.0, -z), (0.0, z), web)]
    walls += [((0.0, side * z), (up * height / 2, side * z), t) for side in (-1, 1) for up in (-1, 1)]
    return _walled(parts, walls, 5 / 6 * flanges * height, web * inner)


def _cross(arms: float, web: float, height: float, thickness: float) -> ShapeProperties:
    side = (0.0, (arms / 2 + web) / 2, thickness, arms / 2)
    parts = [(0.0, 0.0, height, web), side, (0.0, -side[1], *side[2:])]
    walls = [((0.0, 0.0), (up * height / 2, 0.0), web) for up in (-1, 1)]
    walls += [((0.0, 0.0), (0.0, out * (arms + web) / 2), thickness) for out in (-1, 1)]
    return _walled(parts, walls, 5 / 6 * web * height, 5 / 6 * thickness * (arms + web))


def _z(flange: float, web: float, inner: float, height: float) -> ShapeProperties:
    """Top flange to the left, bottom flange to the right, as the letter."""
    t = (height - inner) / 2
    parts = [
        (0.0, 0.0, height, web),
        (height / 2 - t / 2, -(web + flange) / 2, t, flange),
        (-(height / 2 - t / 2), (web + flange) / 2, t, flange),
    ]
    y, end = (height - t) / 2, web / 2 + flange
    walls = [((-y, 0.0), (y, 0.0), web), ((y, 0.0), (y, -end), t), ((-y, 0.0), (-y, end), t)]
    return _walled(parts, walls, web * inner, 2 * t * flange)


def _l(width: float, height: float, flange: float, web: float) -> ShapeProperties:
    parts = [(flange / 2, width / 2, flange, width), (flange + (height - flange) / 2, web / 2, height - flange, web)]
    corner = (flange / 2, web / 2)
    walls = [(corner, (flange / 2, width), flange), (corner, (height, web / 2), web)]
    return _walled(parts, walls, web * (height - flange), flange * (width - web))


def _hat(height: float, t: float, top: float, brim: float) -> ShapeProperties:
    """Top, two sides between top and brim, two brims that reach inward under the sides."""
    side, out = (top - t) / 2, top / 2 - t + (brim + t) / 2
    parts = [
        (height - t / 2, 0.0, t, top),
        (height / 2, side, height - 2 * t, t),
        (height / 2, -side, height - 2 * t, t),
        (t / 2, out, t, brim + t),
        (t / 2, -out, t, brim + t),
    ]
    low, high = t / 2, height - t / 2
    walls = [((high, -side), (high, side), t)]
    for sign in (-1, 1):
        walls += [((low, sign * side), (high, sign * side), t), ((low, sign * side), (low, sign * (top / 2 + brim)), t)]
    return _walled(parts, walls, 2 * t * (height - 2 * t), t * (top - 2 * t + 2 * brim))


def _hat1(plate: float, height: float, top: float, t: float, base: float) -> ShapeProperties:
    """A hat on a plate of thickness ``base``: one cell, and brims that lie on the plate."""
    brim, web = (plate - top) / 2, height - base
    parts = [
        (base / 2, 0.0, base, plate),
        (base + t / 2, (top + brim) / 2, t, brim),
        (base + t / 2, -(top + brim) / 2, t, brim),
        (base + web / 2, (top - t) / 2, web, t),
        (base + web / 2, -(top - t) / 2, web, t),
        (height - t / 2, 0.0, t, top - 2 * t),
    ]
    low, high, side = base / 2, height - t / 2, (top - t) / 2
    walls = [((high, -side), (high, side), t), ((low, -side), (low, side), base)]
    for sign in (-1, 1):
        walls.append(((low, sign * side), (high, sign * side), t))
        if brim > 0.0:
            walls.append(((low, sign * side), (low, sign * plate / 2), base + t))
    return _walled(parts, walls, 2 * t * (web - t), base * plate + t * (top - 2 * t))


def _hexa(slant: float, width: float, height: float) -> ShapeProperties:
    """Hexagon: pointed left and right, ``slant`` is the length taken by one point."""
    flat = width - 2 * slant
    area = height * (width - slant)
    i_zz = flat * height**3 / 12 + 4 * slant * (height / 2) ** 3 / 12
    triangle = height * slant / 2
    at = flat / 2 + slant / 3
    i_yy = height * flat**3 / 12 + 2 * (height * slant**3 / 36 + triangle * at**2)
    return ShapeProperties(
        area, i_zz, i_yy, 0.0, rectangle_torsion(width - slant, height), shear_y=5 / 6, shear_z=5 / 6
    )


_SHAPES: dict[str, tuple[int, Callable[..., ShapeProperties]]] = {
    "ROD": (1, _rod),
    "TUBE": (2, _tube),
    "TUBE2": (2, _tube2),
    "BAR": (2, _bar),
    "BOX": (4, _box),
    "BOX1": (6, _box1),
    "I": (6, _i),
    "I1": (4, _i1),
    "CHAN": (4, _chan),
    "CHAN1": (4, _chan1),
    "CHAN2": (4, _chan2),
    "T": (4, _t),
    "T1": (4, _t1),
    "T2": (4, _t2),
    "H": (4, _h),
    "CROSS": (4, _cross),
    "Z": (4, _z),
    "L": (4, _l),
    "HAT": (4, _hat),
    "HAT1": (5, _hat1),
    "DBOX": (10, _dbox),
    "HEXA": (3, _hexa),
}
#: Names of all known shapes.
SHAPES: tuple[str, ...] = tuple(_SHAPES)
