"""CQUAD8 and CTRIA6 with all, some and none of their midside points.

Oracles: a clamped square plate of the same deck (Rayleigh quotient with a mass on its edge), decks written twice.
"""

import numpy as np
import pytest
from support.corpus import shared

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

#: One 1 m x 1 m CQUAD8 of 10 mm aluminum, clamped along x = 0; point 6 is the middle of the free side.
SQUARE = """SOL 103
CEND
SPC=1
BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,1.,0.
GRID,4,,0.,1.,0.
GRID,5,,.5,0.,0.
GRID,6,,1.,.5,0.
GRID,7,,.5,1.,0.
GRID,8,,0.,.5,0.
{element}
PSHELL,1,1,.01,1,,1
MAT1,1,7.+10,,.3,2700.
SPC1,1,123456,1,8,4
{extra}
ENDDATA
"""
FULL = "CQUAD8,1,1,1,2,3,4,5,6\n,7,8"


def modes(tmp_path, element=FULL, extra="", count=3):
    path = tmp_path / "plate.bdf"
    path.write_text(SQUARE.format(element=element, extra=extra))
    model = read_model(path, units="SI")
    return model, np.array(solve_modes(assemble(model), count=count).frequencies_hz)


def test_a_mass_on_a_midside_point_lowers_the_frequencies(tmp_path):
    """The first mode moves the middle of the free edge by q: f'² = f² / (1 + m q²) at most, q of unit modal mass."""
    model, bare = modes(tmp_path)
    _, heavy = modes(tmp_path, extra="CONM2,50,6,,10.0")
    body = assemble(model)
    q = body.displacements(solve_modes(body, count=1).shapes)[5, 2, 0]
    assert model.elements[0].nodes.shape == (1, 8)
    assert heavy[0] < 0.75 * bare[0]
    assert heavy[1] == pytest.approx(bare[1], rel=1e-6)  # torsion has its node there
    assert heavy[0] <= bare[0] / np.sqrt(1.0 + 10.0 * q**2) * (1.0 + 1e-6)


def test_the_finding_is_mended():
    if shared() is None or not (shared() / "findings" / "q8m.bdf").exists():
        pytest.skip("shared/findings/q8m.bdf is not there")
    model = read_model(shared() / "findings" / "q8m.bdf", units="SI")
    found = solve_modes(assemble(model), count=2).frequencies_hz
    assert found[0] < 6.0  # 7.3 Hz without the 10 kg
    assert assemble(model).mass_properties().mass == pytest.approx(37.0, rel=1e-12)


def test_missing_midside_points(tmp_path):
    """One missing point leaves an element of seven nodes; none present, a CQUAD4; both are stiffer than the whole one."""
    _, whole = modes(tmp_path)
    model, seven = modes(tmp_path, "CQUAD8,1,1,1,2,3,4,,6\n,7,8", "SPC1,1,123456,5")
    assert model.elements[0].straight_sides.tolist() == [[True, False, False, False]]
    model, four = modes(tmp_path, "CQUAD8,1,1,1,2,3,4\nCROD,9,2,1,2\nPROD,2,1,1.-9", "SPC1,1,123456,5,6,7")
    assert [block.nodes.shape[1] for block in model.elements if block.family == "shell"] == [4]
    assert "without any midside point are used as CQUAD4" in str(model.ledger.of_fate("approximated"))
    assert whole[0] < seven[0] < 1.5 * whole[0] and np.isfinite(four).all()


def test_a_midside_point_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(ReadError, match="CQUAD8 field 9: the grid point does not exist; found 66"):
        modes(tmp_path, "CQUAD8,1,1,1,2,3,4,5,66\n,7,8")


def test_six_node_triangles_have_theta_and_offset(tmp_path):
    element = "CTRIA6,1,1,1,2,3,5,6,9\n,30.,.02\nCTRIA6,2,1,1,3,4,9,7,8\n,30.,.02\nGRID,9,,.5,.5,0."
    model, found = modes(tmp_path, element)
    block = model.elements[0]
    assert block.nodes.shape == (2, 6) and block.offset == pytest.approx([0.02, 0.02])
    assert block.material_axis[0] == pytest.approx([np.cos(np.pi / 6), 0.5, 0.0])
    _, whole = modes(tmp_path)
    assert (found > whole * 0.98).all()  # an offset adds stiffness to a clamped plate
