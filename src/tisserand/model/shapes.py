"""Cross-section shapes: area, second moments, torsion constant and shear factors from dimensions.

Axes are a beam's element axes: y up (the orientation plane), z to the right. Dimensions follow the order of Nastran's
PBARL/PBEAML. Areas and second moments are exact for the drawn polygon; torsion constants are exact for the circle,
within 0.5 % for the solid rectangle (Roark), Bredt's formula for closed and the sum of b t³/3 for open thin walls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from math import pi

from tisserand.errors import ModelError


@dataclass(frozen=True)
class ShapeProperties:
    """Section values in the unit of the dimensions.

    i_zz bends in the plane x-y (Nastran I1), i_yy in x-z (I2), i_yz = int y z dA; shear_y, shear_z are the shear factors
    (shear area over area) K1, K2; shear_center is (y, z) from the centroid.
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
    except (ZeroDivisionError, OverflowError):
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


def _open(parts: Sequence[_Rectangle], along_y: float, along_z: float, center: tuple[float, float]) -> ShapeProperties:
    """Open thin-walled section; ``along_y``, ``along_z`` are wall areas, ``center`` the shear center in the drawing."""
    area, y0, z0, i_zz, i_yy, i_yz = _moments(parts)
    torsion = sum(max(h, w) * min(h, w) ** 3 / 3.0 for _, _, h, w in parts)
    return ShapeProperties(
        area,
        i_zz,
        i_yy,
        i_yz,
        torsion,
        shear_y=along_y / area,
        shear_z=along_z / area,
        shear_center=(center[0] - y0, center[1] - z0),
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
    area, _, _, i_zz, i_yy, i_yz = _moments(parts)
    b, h = width - (left + right) / 2, height - (top + bottom) / 2
    torsion = 4 * (b * h) ** 2 / (b / top + b / bottom + h / left + h / right)
    return ShapeProperties(
        area, i_zz, i_yy, i_yz, torsion, shear_y=(left + right) * height / area, shear_z=(top + bottom) * width / area
    )


def _box(width: float, height: float, flange: float, side: float) -> ShapeProperties:
    return _box1(width, height, flange, flange, side, side)


def _i(height: float, bottom: float, top: float, web: float, t_bottom: float, t_top: float) -> ShapeProperties:
    inner = height - t_bottom - t_top
    parts = [
        (t_bottom / 2, 0.0, t_bottom, bottom),
        (t_bottom + inner / 2, 0.0, inner, web),
        (height - t_top / 2, 0.0, t_top, top),
    ]
    low, high = t_bottom * bottom**3, t_top * top**3
    distance = height - (t_bottom + t_top) / 2
    center = t_bottom / 2 + distance * high / (low + high)
    return _open(parts, web * height, 5 / 6 * (t_bottom * bottom + t_top * top), (center, 0.0))


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
    b, h = width - web / 2, height - flange
    i_zz = _moments(parts)[3]
    return _open(parts, web * height, 2 * flange * width, (0.0, web / 2 - flange * h**2 * b**2 / (4 * i_zz)))


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
    )


def _t(width: float, height: float, flange: float, web: float) -> ShapeProperties:
    parts = [(height - flange / 2, 0.0, flange, width), ((height - flange) / 2, 0.0, height - flange, web)]
    return _open(parts, web * height, flange * width, (height - flange / 2, 0.0))


def _t2(width: float, height: float, flange: float, web: float) -> ShapeProperties:
    t = _t(width, height, flange, web)
    return ShapeProperties(
        t.area,
        t.i_zz,
        t.i_yy,
        0.0,
        t.torsion_constant,
        shear_y=t.shear_y,
        shear_z=t.shear_z,
        shear_center=(-t.shear_center[0], 0.0),
    )


def _t1(height: float, web: float, flange: float, thickness: float) -> ShapeProperties:
    parts = [(0.0, flange / 2, height, flange), (0.0, -web / 2, thickness, web)]
    return _open(parts, flange * height, thickness * (web + flange), (0.0, flange / 2))


def _h(inner: float, flanges: float, height: float, web: float) -> ShapeProperties:
    t = flanges / 2
    parts = [(0.0, -(inner + t) / 2, height, t), (0.0, (inner + t) / 2, height, t), (0.0, 0.0, web, inner)]
    return _open(parts, 5 / 6 * flanges * height, web * (inner + flanges), (0.0, 0.0))


def _cross(arms: float, web: float, height: float, thickness: float) -> ShapeProperties:
    side = (0.0, (arms / 2 + web) / 2, thickness, arms / 2)
    parts = [(0.0, 0.0, height, web), side, (0.0, -side[1], *side[2:])]
    return _open(parts, 5 / 6 * web * height, 5 / 6 * thickness * (arms + web), (0.0, 0.0))


def _z(flange: float, web: float, inner: float, height: float) -> ShapeProperties:
    """Top flange to the left, bottom flange to the right, as the letter."""
    t = (height - inner) / 2
    parts = [
        (0.0, 0.0, height, web),
        (height / 2 - t / 2, -(web + flange) / 2, t, flange),
        (-(height / 2 - t / 2), (web + flange) / 2, t, flange),
    ]
    return _open(parts, web * height, 2 * t * (flange + web), (0.0, 0.0))


def _l(width: float, height: float, flange: float, web: float) -> ShapeProperties:
    parts = [(flange / 2, width / 2, flange, width), (flange + (height - flange) / 2, web / 2, height - flange, web)]
    return _open(parts, web * height, flange * width, (flange / 2, web / 2))


def _hat_parts(height: float, t: float, top: float, brim: float) -> list[_Rectangle]:
    """Top, two sides between top and brim, two brims that reach inward under the sides."""
    side, out = (top - t) / 2, top / 2 - t + (brim + t) / 2
    return [
        (height - t / 2, 0.0, t, top),
        (height / 2, side, height - 2 * t, t),
        (height / 2, -side, height - 2 * t, t),
        (t / 2, out, t, brim + t),
        (t / 2, -out, t, brim + t),
    ]


def _hat(height: float, t: float, top: float, brim: float) -> ShapeProperties:
    """Shear center taken at the centroid's height (an approximation for this shape)."""
    parts = _hat_parts(height, t, top, brim)
    y0 = _moments(parts)[1]
    return _open(parts, 2 * t * height, t * (top + 2 * brim), (y0, 0.0))


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
    "HEXA": (3, _hexa),
}
#: Names of all known shapes.
SHAPES: tuple[str, ...] = tuple(_SHAPES)
