"""Stiffness that cards state directly or as at first: GENEL, CGAP; solids that leave out midside points; RTRPLT.

Oracles: the Euler-Bernoulli cantilever, a mass on springs, uniform tension of a bar.
"""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model
from tisserand.statics import nodal_loads, solve_static


def deck(folder, text):
    path = folder / "deck.bdf"
    path.write_text(f"SOL 103\nCEND\nSPC=1\nBEGIN BULK\n{text}ENDDATA\n")
    return assemble(read_model(path, units="SI"))


#: Tip flexibility of a cantilever of length 2 with E I = 3: u = L^3/(3 E I), L^2/(2 E I), L/(E I).
CANTILEVER = """GRID,1,,0.,0.,0.
GRID,2,,2.,0.,0.
SPC1,1,123456,1
SPC1,1,1345,2
CONM2,9,2,,6.
GENEL   7               2       2       2       6
        UD              1       1       1       2       1       3
        1       4       1       5       1       6
        {matrix}
"""


@pytest.mark.parametrize(
    "matrix",
    [
        "Z       .8888889.6666667.6666667",
        "K       4.5     -4.5    6.0",
        "K       4.5     -4.5    6.0\n        S       0.      1.      0.      0.      0.      2.\n"
        "        0.      0.      0.      0.      0.      1.",
    ],
)
def test_general_element_is_a_cantilever(tmp_path, matrix):
    """A mass m on it: omega² = 3 E I / (m L³); rigid motion costs nothing whether S is stated or left to the geometry."""
    model = deck(tmp_path, CANTILEVER.format(matrix=matrix))
    hz = solve_modes(model, count=1).frequencies_hz[0]
    assert (2 * np.pi * hz) ** 2 == pytest.approx(3 * 3.0 / (6.0 * 2.0**3), rel=1e-6)
    assert np.abs(model.stiffness @ model.rigid_body_vectors).max() < 1e-6


def test_general_element_with_missing_terms_is_refused(tmp_path):
    with pytest.raises(ReadError, match="number of terms of K or Z is wrong; found 2, expected 3"):
        deck(tmp_path, CANTILEVER.format(matrix="K       4.5     -4.5"))


@pytest.mark.parametrize(("opening", "stiffness"), [("", (100.0, 30.0)), (".1", (4.0, 0.0))])
def test_gap_has_the_stiffness_that_it_has_at_first(tmp_path, opening, stiffness):
    """Closed: KA along and KT across; open: KB along and nothing across."""
    springs = "CELAS2,21,1.,2,2\nCELAS2,22,1.,2,3\n"
    model = deck(
        tmp_path,
        f"GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nSPC1,1,123456,1\nSPC1,1,456,2\nCONM2,9,2,,1.\n{springs}"
        f"CGAP,5,5,1,2,0.,1.,0.\nPGAP,5,{opening},,100.,4.,30.\n",
    )
    along, across = stiffness
    expected = np.sort([along, 1.0 + across, 1.0 + across])
    assert (2 * np.pi * solve_modes(model, count=3).frequencies_hz) ** 2 == pytest.approx(expected, rel=1e-9)
    assert "closed" in next(entry.reason for entry in model.ledger.entries if entry.card == "CGAP")


CORNERS = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
BLANK = " " * 8


@pytest.mark.parametrize("axes", ["", "7"])
def test_solid_without_some_midside_points_pulls_straight(tmp_path, axes):
    """A brick with midside points on four of its edges under uniform tension: u = s L / E, and no edge opens."""
    grids = "".join(f"GRID,{i + 1},,{x}.,{y}.,{z}.,{axes if i < 4 else ''}\n" for i, (x, y, z) in enumerate(CORNERS))
    middles = "".join(f"GRID,{20 + i},,{x}.,{y}.,.5\n" for i, (x, y, _) in enumerate(CORNERS[:4]))
    brick = (
        "CHEXA   1       1       1       2       3       4       5       6       \n"
        f"        7       8       {BLANK * 4}20      21\n        22      23\n"
    )
    rest = "PSOLID,1,1\nMAT1,1,100.,,.3,1.\nCORD2R,7,,0.,0.,0.,1.,1.,1.\n,1.,0.,0.\n"
    held = "SPC1,1,3,5,6,7,8\nSPC1,1,1,5,8\nSPC1,1,2,5,6\n"
    model = deck(tmp_path, grids + middles + brick + rest + held)
    pull = {i: (0.0, 0.0, -1.0) for i in (1, 2, 3, 4)}
    u = model.displacements(solve_static(model, nodal_loads(model, pull)).displacement)[:, :, 0]
    x = model.nodes.positions
    assert u[:, 2] == pytest.approx(4.0 / 100.0 * (x[:, 2] - 1.0), abs=1e-6)
    assert u[:, 0] == pytest.approx(-0.3 * 4.0 / 100.0 * x[:, 0], abs=1e-6)
    assert len(model.nodes) == 8 + 4 + 8 and any("edges without" in note for note in model.ledger.notes)


def test_rigid_plate_with_stated_dependent_components(tmp_path):
    """RTRPLT: independent components in fields 6 to 8, dependent ones on the second line; 6 of 18 components are left."""
    model = deck(
        tmp_path,
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,0.,1.,0.\nCONM2,9,2,,1.,,,,\n,1.,,1.,,,1.\n"
        "RTRPLT,5,1,2,3,12356,,3,,+\n+,4,123456,12456\n",
    )
    assert model.size == 6
