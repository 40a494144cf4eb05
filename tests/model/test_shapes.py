"""Section shapes against polygons integrated cell by cell and against closed forms of torsion and shear center."""

import numpy as np
import pytest
from oracles import section_fe

from tisserand.errors import ModelError
from tisserand.model.shapes import SHAPES, shape_properties

#: shape: dimensions and the walls of its drawing as (y0, y1, z0, z1), written down independently from the PBARL figures
DRAWN = {
    "BAR": ((3.0, 5.0), [(-2.5, 2.5, -1.5, 1.5)]),
    "BOX": ((4.0, 6.0, 0.5, 0.25), [(2.5, 3, -2, 2), (-3, -2.5, -2, 2), (-2.5, 2.5, -2, -1.75), (-2.5, 2.5, 1.75, 2)]),
    "BOX1": (
        (4.0, 6.0, 0.5, 0.75, 0.25, 0.3),
        [(2.5, 3, -2, 2), (-3, -2.25, -2, 2), (-2.25, 2.5, -2, -1.75), (-2.25, 2.5, 1.7, 2)],
    ),
    "I": ((6.0, 4.0, 3.0, 0.3, 0.5, 0.4), [(0, 0.5, -2, 2), (0.5, 5.6, -0.15, 0.15), (5.6, 6, -1.5, 1.5)]),
    "I1": ((3.0, 0.4, 5.0, 6.0), [(-3, -2.5, -1.7, 1.7), (-2.5, 2.5, -0.2, 0.2), (2.5, 3, -1.7, 1.7)]),
    "CHAN": ((3.0, 6.0, 0.3, 0.5), [(2.5, 3, 0, 3), (-3, -2.5, 0, 3), (-2.5, 2.5, 0, 0.3)]),
    "CHAN1": ((2.7, 0.3, 5.0, 6.0), [(2.5, 3, 0, 3), (-3, -2.5, 0, 3), (-2.5, 2.5, 0, 0.3)]),
    "CHAN2": ((0.3, 0.5, 4.0, 6.0), [(0, 0.5, -3, 3), (0.5, 4, -3, -2.7), (0.5, 4, 2.7, 3)]),
    "T": ((4.0, 5.0, 0.5, 0.3), [(4.5, 5, -2, 2), (0, 4.5, -0.15, 0.15)]),
    "T1": ((4.0, 5.0, 0.5, 0.3), [(-2, 2, 0, 0.5), (-0.15, 0.15, -5, 0)]),
    "T2": ((4.0, 5.0, 0.5, 0.3), [(0, 0.5, -2, 2), (0.5, 5, -0.15, 0.15)]),
    "H": ((4.0, 1.0, 5.0, 0.3), [(-2.5, 2.5, -2.5, -2), (-2.5, 2.5, 2, 2.5), (-0.15, 0.15, -2, 2)]),
    "CROSS": ((4.0, 0.5, 5.0, 0.3), [(-2.5, 2.5, -0.25, 0.25), (-0.15, 0.15, -2.25, -0.25), (-0.15, 0.15, 0.25, 2.25)]),
    "Z": ((2.0, 0.4, 5.0, 6.0), [(-3, 3, -0.2, 0.2), (2.5, 3, -2.2, -0.2), (-3, -2.5, 0.2, 2.2)]),
    "L": ((4.0, 5.0, 0.5, 0.3), [(0, 0.5, 0, 4), (0.5, 5, 0, 0.3)]),
    "HAT": (
        (5.0, 0.3, 4.0, 1.5),
        [(4.7, 5, -2, 2), (0.3, 4.7, -2, -1.7), (0.3, 4.7, 1.7, 2), (0, 0.3, -3.5, -1.7), (0, 0.3, 1.7, 3.5)],
    ),
    "HAT1": (
        (7.0, 5.0, 4.0, 0.3, 0.4),
        [
            (0, 0.4, -3.5, 3.5), (0.4, 0.7, -3.5, -2), (0.4, 0.7, 2, 3.5), (0.4, 5, -2, -1.7), (0.4, 5, 1.7, 2),
            (4.7, 5, -1.7, 1.7),
        ],
    ),
    "DBOX": (
        (8.0, 4.0, 3.0, 0.3, 0.4, 0.2, 0.25, 0.3, 0.35, 0.2),
        [
            (0, 4, 0, 0.3), (0, 4, 2.8, 3.2), (0, 4, 7.8, 8), (3.75, 4, 0.3, 2.8), (0, 0.3, 0.3, 2.8),
            (3.65, 4, 3.2, 7.8), (0, 0.2, 3.2, 7.8),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", DRAWN)
def test_area_and_second_moments(shape):
    """Gauss points in every wall: exact for quadratics."""
    dimensions, walls = DRAWN[shape]
    gauss = np.array([-1.0, 1.0]) / np.sqrt(3.0)
    points = []
    for y0, y1, z0, z1 in walls:
        for a in gauss:
            for b in gauss:
                points.append(((y0 + y1 + a * (y1 - y0)) / 2, (z0 + z1 + b * (z1 - z0)) / 2, (y1 - y0) * (z1 - z0) / 4))
    y, z, w = np.array(points).T
    area = w.sum()
    y, z = y - w @ y / area, z - w @ z / area
    found = shape_properties(shape, dimensions)
    assert found.area == pytest.approx(area)
    assert (found.i_zz, found.i_yy) == pytest.approx((w @ y**2, w @ z**2))
    assert found.i_yz == pytest.approx(w @ (y * z), abs=1e-12 * area)
    assert 0.0 < found.shear_y <= 1.0 and 0.0 < found.shear_z <= 1.0 and found.torsion_constant > 0.0


def test_round_and_hexagonal():
    rod, tube = shape_properties("ROD", [2.0]), shape_properties("TUBE", [2.0, 1.9])
    assert (rod.area, rod.i_zz, rod.torsion_constant) == pytest.approx((4 * np.pi, 4 * np.pi, 8 * np.pi))
    assert tube.torsion_constant == pytest.approx(2 * np.pi * 1.95**3 * 0.1, rel=1e-3)  # thin wall
    assert shape_properties("TUBE2", [2.0, 0.1]) == tube
    side = 2.0  # regular hexagon, points left and right
    hexa = shape_properties("HEXA", [side / 2, 2 * side, side * np.sqrt(3)])
    regular = 5 * np.sqrt(3) / 16 * side**4
    assert (hexa.area, hexa.i_zz, hexa.i_yy) == pytest.approx((1.5 * np.sqrt(3) * side**2, regular, regular))


def test_torsion_and_shear_center():
    """Square 0.1406 a⁴ (Timoshenko); thin box 4 A²/(s/t); channel e = 3 b²/(h + 6 b) beyond the web for equal thin walls."""
    assert shape_properties("BAR", [2.0, 2.0]).torsion_constant == pytest.approx(0.1406 * 16, rel=5e-3)
    assert shape_properties("BAR", [1.0, 100.0]).torsion_constant == pytest.approx(100 / 3 * (1 - 0.0063), rel=1e-3)
    t, b, h = 0.001, 1.0, 2.0
    box = shape_properties("BOX", [b + t, h + t, t, t])
    assert box.torsion_constant == pytest.approx(4 * (b * h) ** 2 * t / (2 * (b + h)), rel=1e-6)
    channel = shape_properties("CHAN", [b + t / 2, h + t, t, t])
    centroid = b**2 / (2 * b + h)
    assert channel.shear_center[1] == pytest.approx(-(3 * b**2 / (h + 6 * b) + centroid), rel=3e-3)
    assert (
        shape_properties("T", [2.0, 3.0, t, t]).shear_center[0]
        > 0.0
        > shape_properties("T2", [2.0, 3.0, t, t]).shear_center[0]
    )


def thin(shape, factor=0.4):
    """The drawing of a shape with walls made thinner: finite elements and thin walls agree there."""
    dimensions = list(DRAWN[shape][0])
    walls = {
        "BOX": (2, 3), "BOX1": (2, 3, 4, 5), "I": (3, 4, 5), "CHAN": (2, 3), "T": (2, 3), "T1": (2, 3), "T2": (2, 3),
        "H": (1, 3), "CROSS": (1, 3), "L": (2, 3), "HAT": (1,), "HAT1": (3, 4), "DBOX": (3, 4, 5, 6, 7, 8, 9), "CHAN2": (0, 1),
    }  # fmt: skip
    for k in walls[shape]:
        dimensions[k] *= factor
    return dimensions


def rectangles(shape, d):
    """(y, z, height, width) of a shape, written down from the figures once more."""
    if shape in ("BOX", "BOX1"):
        t, b, left, right = (d[2], d[2], d[3], d[3]) if shape == "BOX" else d[2:]
        w, h = d[:2]
        inner = (h - t - b, (b - t) / 2)
        return [
            ((h - t) / 2, 0, t, w), (-(h - b) / 2, 0, b, w),
            (inner[1], -(w - left) / 2, inner[0], left), (inner[1], (w - right) / 2, inner[0], right),
        ]  # fmt: skip
    if shape == "I":
        h, a, b, w, ta, tb = d
        return [(ta / 2, 0, ta, a), ((h + ta - tb) / 2, 0, h - ta - tb, w), (h - tb / 2, 0, tb, b)]
    if shape == "CHAN":
        w, h, web, f = d
        return [((h - f) / 2, w / 2, f, w), (0, web / 2, h - 2 * f, web), (-(h - f) / 2, w / 2, f, w)]
    if shape == "CHAN2":
        t, b, h, w = d
        return [(b / 2, 0, b, w), ((b + h) / 2, -(w - t) / 2, h - b, t), ((b + h) / 2, (w - t) / 2, h - b, t)]
    if shape in ("T", "T2"):
        w, h, f, web = d
        up = 1 if shape == "T" else -1
        return [(up * (h - f / 2), 0, f, w), (up * (h - f) / 2, 0, h - f, web)]
    if shape == "T1":
        h, w, f, t = d
        return [(0, f / 2, h, f), (0, -w / 2, t, w)]
    if shape == "H":
        inner, both, h, web = d
        return [(0, -(inner + both / 2) / 2, h, both / 2), (0, (inner + both / 2) / 2, h, both / 2), (0, 0, web, inner)]
    if shape == "CROSS":
        arms, web, h, t = d
        return [(0, 0, h, web), (0, (arms / 2 + web) / 2, t, arms / 2), (0, -(arms / 2 + web) / 2, t, arms / 2)]
    if shape == "L":
        w, h, f, web = d
        return [(f / 2, w / 2, f, w), ((h + f) / 2, web / 2, h - f, web)]
    if shape == "HAT":
        h, t, w, b = d
        side, out = (w - t) / 2, (w + b - t) / 2
        return [
            (h - t / 2, 0, t, w), (h / 2, side, h - 2 * t, t), (h / 2, -side, h - 2 * t, t),
            (t / 2, out, t, b + t), (t / 2, -out, t, b + t),
        ]  # fmt: skip
    if shape == "HAT1":
        p, h, w, t, b = d
        out, side = (p + w) / 4, (w - t) / 2
        return [
            (b / 2, 0, b, p), (b + t / 2, out, t, (p - w) / 2), (b + t / 2, -out, t, (p - w) / 2),
            ((h + b) / 2, side, h - b, t), ((h + b) / 2, -side, h - b, t), (h - t / 2, 0, t, w - 2 * t),
        ]  # fmt: skip
    w, h, m, tl, tm, tr, ta, ba, tb, bb = d
    left, right = (tl + m - tm / 2) / 2, (m + tm / 2 + w - tr) / 2
    first, second = m - tm / 2 - tl, w - tr - m - tm / 2
    return [
        (h / 2, tl / 2, h, tl), (h / 2, m, h, tm), (h / 2, w - tr / 2, h, tr), (h - ta / 2, left, ta, first),
        (ba / 2, left, ba, first), (h - tb / 2, right, tb, second), (bb / 2, right, bb, second),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "shape", ("BOX", "BOX1", "I", "CHAN", "CHAN2", "T", "T1", "T2", "H", "CROSS", "L", "HAT", "HAT1", "DBOX")
)
def test_torsion_and_shear_center_of_thin_walls(shape):
    """Finite elements of the warping function: torsion constant within 3 %, shear center within 2 % of the size."""
    dimensions = thin(shape)
    parts = rectangles(shape, dimensions)
    found, expected = shape_properties(shape, dimensions), section_fe.solve(parts, 4)
    assert (found.area, found.i_zz, found.i_yy) == pytest.approx(
        (expected.area, expected.i_zz, expected.i_yy), rel=1e-9
    )
    assert found.torsion_constant == pytest.approx(expected.torsion, rel=0.03)
    assert found.shear_center == pytest.approx(expected.shear_center, abs=0.02 * max(dimensions))


def test_a_box_with_a_vanishing_wall_is_a_channel():
    """No jump from closed to open: torsion constant and shear center of BOX1 tend to those of CHAN; 1e-3 at a wall of 1e-9.

    Bredt's part of the torsion constant is 4 A² t / h: 2e-5 of it at that wall.
    """
    channel = shape_properties("CHAN", [2.0, 1.5, 0.1, 0.08])
    box = shape_properties("BOX1", [2.0, 1.5, 0.08, 0.08, 0.1, 1e-9])
    assert box.torsion_constant == pytest.approx(channel.torsion_constant, rel=1e-3)
    assert box.shear_center == pytest.approx(channel.shear_center, abs=1e-3)
    values = [
        shape_properties("BOX1", [2.0, 1.5, 0.08, 0.08, 0.1, t]).torsion_constant for t in np.logspace(-7, -1, 13)
    ]
    assert (np.diff(values) > 0.0).all()
    two_plates = shape_properties("BOX", [2.0, 1.5, 0.08, 1e-9])
    assert two_plates.torsion_constant == pytest.approx(2 * 2.0 * 0.08**3 / 3, rel=1e-3)


def library(shape, d):
    """J, K1, K2 by the equations of Nastran's beam library (Siemens, Element Library Reference, supplied beam library)."""
    if shape == "BOX":
        b, h, t1, t2 = d
        area = b * h - (b - 2 * t2) * (h - 2 * t1)
        J = 2 * t1 * t2 * (b - t2) ** 2 * (h - t1) ** 2 / (b * t2 + h * t1 - t1**2 - t2**2)
        return J, 2 * (h - 2 * t1) * t2 / area, 2 * (b - 2 * t2) * t1 / area
    if shape == "I":
        h, a, b, w, ta, tb = d
        web = h - ta - tb
        area = a * ta + web * w + b * tb
        J = (a * ta**3 + (web + (ta + tb) / 2) * w**3 + b * tb**3) / 3
        return J, web * w / area, 5 / 6 * (a * ta + b * tb) / area
    if shape == "T":
        b, h, tf, w = d
        area = b * tf + (h - tf) * w
        return ((h - tf / 2) * w**3 + b * tf**3) / 3, (h - tf) * w / area, b * tf / area
    b, h, t1, t2 = d
    area = b * t1 + (h - t1) * t2
    return ((b - t2 / 2) * t1**3 + (h - t1 / 2) * t2**3) / 3, (h - t1) * t2 / area, (b - t2) * t1 / area


@pytest.mark.parametrize(
    ("shape", "dimensions"),
    [*((shape, DRAWN[shape][0]) for shape in ("BOX", "I", "T", "L")), ("BOX", (6.0, 1.0, 0.1, 0.1))],
)
def test_equations_of_the_beam_library(shape, dimensions):
    found = shape_properties(shape, dimensions)
    assert (found.library_torsion, found.shear_y, found.shear_z) == pytest.approx(library(shape, dimensions), rel=1e-12)


@pytest.mark.parametrize(
    ("wall", "printed"),
    [
        (0.1, (1.36, 0.25253, 4.9925, 0.82930, 0.11765, 0.85294)),
        (0.05, (0.69, 0.14158, 2.5966, 0.46305, 0.13043, 0.85507)),
    ],
)
def test_boxes_as_nx_nastran_prints_them(wall, printed):
    """A, I1, I2, J, K1, K2 of two PBEAML of aerobeam.bdf, a swept wing, as its design optimization lists them (five digits)."""
    box = shape_properties("BOX", [6.0, 1.0, wall, wall])
    found = (box.area, box.i_zz, box.i_yy, box.library_torsion, box.shear_y, box.shear_z)
    assert found == pytest.approx(printed, rel=5e-5)


def test_library_torsion_of_a_vanishing_wall_is_that_of_the_open_section():
    """Bredt's equation alone tends to zero with the wall; the other walls remain."""
    channel = shape_properties("CHAN", [2.0, 1.5, 0.1, 0.08]).library_torsion
    values = [shape_properties("BOX1", [2.0, 1.5, 0.08, 0.08, 0.1, t]).library_torsion for t in np.logspace(-9, -1, 17)]
    assert values[0] == pytest.approx(channel, rel=1e-6) and (np.diff(values) > -1e-3 * channel).all()
    assert values[-1] > 100.0 * channel


def test_bad_shapes():
    for shape, dimensions in (
        ("BLOB", [1.0]),
        ("BOX", [1.0, 1.0]),
        ("TUBE", [1.0, 2.0]),
        ("BAR", [0.0, 1.0]),
        ("BOX", [1.0, 1.0, 0.6, 0.1]),
    ):
        with pytest.raises(ModelError):
            shape_properties(shape, dimensions)
    assert len(SHAPES) == 22
