"""Section shapes against polygons integrated cell by cell and against closed forms of torsion and shear center."""

import numpy as np
import pytest

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
}


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
    assert len(SHAPES) == 20
