"""CBEND and CELBOW: a quarter circle clamped at one end.

Oracle: energy of the thin arc (Castigliano), R = 2, quarter turn: in the plane u_load = pi F R³/(4 E I) + pi F R/(4 E A), and
F R³/(2 E I) - F R/(2 E A) across; out of the plane w = F R³ (pi/(4 E I) + (3 pi/4 - 2)/(G J)).
"""

import numpy as np
import pytest
from support.corpus import needs_corpus, shared

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.modes import solve_modes
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


ELBOW = """GRID,1,,0.,105.,0.
GRID,2,,-15.,120.,0.
CELBOW,2,10,1,2,-15.,0.,0.,1
PELBOW,10,11,16.,200.,300.,400.,6.61,,
,5.37,0.,5.37,90.,5.37,180.,5.37,270.
,2.,.5,1.,2.,3.,4.,{radius},{angle}
MAT1,11,30.+6,,.25
SPC1,1,123456,1
"""
#: Displacements of point 2 that NASTRAN-95 prints for a force or moment of 1e4 along each axis.
PRINTED = [
    [9.486998e-03, 1.187500e-02, 0.0, 0.0, 0.0, -8.561946e-04],
    [1.187500e-02, 1.914408e-02, 0.0, 0.0, 0.0, -1.500000e-03],
    [0.0, 0.0, 1.629908e-02, 3.878594e-04, 8.437502e-04, 0.0],
    [0.0, 0.0, 3.878594e-04, 8.835729e-05, -6.250000e-06, 0.0],
    [0.0, 0.0, 8.437502e-04, -6.250000e-06, 8.835729e-05, 0.0],
    [-8.561946e-04, -1.500000e-03, 0.0, 0.0, 0.0, 1.570796e-04],
]


def elbow(tmp_path, radius="15.", angle="90."):
    path = tmp_path / "elbow.bdf"
    text = ELBOW.format(radius=radius, angle=angle)
    path.write_text(f"SOL 103\nCEND\nSPC=1\nBEGIN BULK\n{text}ENDDATA\n")
    return read_model(path, units="consistent")


def test_elbows_bend_as_in_nastran_95(tmp_path):
    """Flexibility factors KX, KY, KZ and shear factors below and above one: the seven digits that it prints."""
    model = assemble(elbow(tmp_path))
    loads = np.column_stack([nodal_loads(model, {2: 1e4 * row}) for row in np.eye(6)])
    found = model.displacements(solve_static(model, loads).displacement)[1]
    np.testing.assert_allclose(found, PRINTED, rtol=1e-6, atol=1e-15)
    assert model.mass_properties().mass == pytest.approx(6.61 * 7.5 * np.pi, rel=1e-12)


@pytest.mark.parametrize(("radius", "angle"), [("16.", "90."), ("15.", "80.")])
def test_elbows_with_another_radius_or_angle_are_refused(tmp_path, radius, angle):
    with pytest.raises(
        ReadError, match=r"PELBOW field 2[89]: the elbow has another radius or angle between its points"
    ):
        elbow(tmp_path, radius, angle)


@needs_corpus
def test_frequencies_of_a_pipe_network_with_elbows():
    """T01-18-1A of NASTRAN-95's own problems, run there as normal modes: the seven digits that it prints."""
    theirs = [8.903959e-2, 9.941247e-2, 2.102404e-1, 2.963856e-1, 3.478286e-1, 5.673881e-1]
    model = read_model(shared() / "corpus" / "sweep" / "NASTRAN-95" / "inp" / "t01181a.inp", units="consistent")
    np.testing.assert_allclose(solve_modes(assemble(model), count=6).frequencies_hz, theirs, rtol=1e-6)
