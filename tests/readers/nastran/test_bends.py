"""CBEND: a quarter circle clamped at one end.

Oracle: energy of the thin arc (Castigliano), R = 2, quarter turn: in the plane u_load = pi F R³/(4 E I) + pi F R/(4 E A), and
F R³/(2 E I) - F R/(2 E A) across; out of the plane w = F R³ (pi/(4 E I) + (3 pi/4 - 2)/(G J)).
"""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.readers.registry import read_model
from tisserand.statics import nodal_loads, solve_static

R, E, G, A, I1, I2, J = 2.0, 7e10, 3e10, 1e-3, 2e-7, 3e-7, 4e-7
DECK = """SOL 103
CEND
SPC=1
BEGIN BULK
GRID,1,,2.,0.,0.,{axes}
GRID,2,,0.,2.,0.,{axes}
GRID,3,,{o}
CBEND,7,7,1,2,3,,,{geometry}
PBEND,7,1,1.-3,2.-7,3.-7,4.-7,{radius},{angle}
MAT1,1,7.+10,3.+10,,2700.
CORD2R,9,,0.,0.,0.,1.,2.,3.
,1.,0.,0.
SPC1,1,123456,1
ENDDATA
"""
#: GEOM by GEOM: center at the origin.
FORMS = {1: ("0.,0.,0.", "", ""), 2: ("2.,1.,0.", "", ""), 3: ("5.,5.,0.", "2.", ""), 4: ("5.,5.,0.", "", "90.")}


@pytest.mark.parametrize("axes", ["", "9"])
@pytest.mark.parametrize("geometry", FORMS)
def test_quarter_circle(tmp_path, geometry, axes):
    o, radius, angle = FORMS[geometry]
    path = tmp_path / "arc.bdf"
    path.write_text(DECK.format(o=o, radius=radius, angle=angle, geometry=geometry, axes=axes))
    model = assemble(read_model(path, units="SI"))
    loads = np.column_stack([nodal_loads(model, {2: force}) for force in ((0, 1, 0), (0, 0, 1))])
    u = model.displacements(solve_static(model, loads).displacement)[1]
    assert u[1, 0] == pytest.approx(np.pi * R**3 / (4 * E * I1) + np.pi * R / (4 * E * A), rel=1e-9)
    assert abs(u[0, 0]) == pytest.approx(R**3 / (2 * E * I1) - R / (2 * E * A), rel=1e-9)
    assert u[2, 1] == pytest.approx(R**3 * (np.pi / (4 * E * I2) + (0.75 * np.pi - 2) / (G * J)), rel=1e-9)
    assert np.abs(model.stiffness @ model.rigid_body_vectors).max() < 1e-12 * np.abs(model.stiffness.data).max() * R
    assert model.mass_properties().mass == pytest.approx(2700 * A * np.pi, rel=1e-12)


def test_pipe_of_mean_radius_and_wall(tmp_path):
    """RM = 20 mm, T = 2 mm: the same arc with A = 2 pi RM T and I = pi (r_o⁴ - r_i⁴)/4."""
    text = DECK.format(axes="", o="0.,0.,0.", radius="", angle="", geometry=1)
    path = tmp_path / "arc.bdf"
    path.write_text(text.replace("1.-3,2.-7,3.-7,4.-7,,", "1,.02,.002"))
    model = assemble(read_model(path, units="SI"))
    u = model.displacements(solve_static(model, nodal_loads(model, {2: (0, 1, 0)})).displacement)[1]
    area, inertia = 2 * np.pi * 0.02 * 0.002, np.pi / 4 * (0.021**4 - 0.019**4)
    assert u[1, 0] == pytest.approx(np.pi * R**3 / (4 * E * inertia) + np.pi * R / (4 * E * area), rel=1e-9)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (dict(geometry=3, o="5.,5.,0.", radius=".5", angle=""), "does not reach over its chord"),
        (dict(geometry=7, o="0.,0.,0.", radius="", angle=""), "GEOM must be"),
        (dict(geometry=1, o="4.,-2.,0.", radius="", angle=""), "parallel to the chord"),
    ],
)
def test_bends_that_cannot_be(tmp_path, change, words):
    path = tmp_path / "arc.bdf"
    path.write_text(DECK.format(axes="", **change))
    with pytest.raises(ReadError, match=words):
        read_model(path, units="SI")
