"""`modes` on a plain deck: attachment, points and damping from the command line."""

from pathlib import Path

import numpy as np
import pytest
from support.case_files import PLATE, plate_mesh, write_case
from support.command import run

from tisserand.appendage import load_record
from tisserand.readers.registry import read_model

BOOM = Path(__file__).parents[2] / "meshes" / "boom.bdf"


def modes(*options):
    return run("modes", BOOM, "-u", "SI", "-n", 3, *options)


def test_attachment_points_and_damping_reach_the_record(tmp_path):
    made = modes(
        "--attachment", 1, "--point", "tip=25", "--point", "mid=12", "--damping", 0.003, "-o", tmp_path / "a.h5"
    )
    assert made.exit_code == 0, made.stderr
    assert "No damping specified" not in made.stdout
    record, nodes = load_record(tmp_path / "a.h5"), read_model(BOOM, units="SI").nodes
    places = nodes.positions[nodes.indices([1, 25, 12])]
    np.testing.assert_allclose(record.reference_point, places[0])
    named = {point.name: point for point in record.interfaces}
    assert record.attachment in named and named[record.attachment].node_id == 1
    assert named["tip"].node_id == 25 and named["mid"].node_id == 12
    np.testing.assert_allclose(named["tip"].position, places[1] - places[0], atol=1e-12)
    np.testing.assert_allclose(record.damping_ratios, 0.003, rtol=1e-9)


def test_a_point_may_be_the_attachment_and_carry_the_node_frame():
    data = modes("--point", "hub=5", "--attachment", "hub", "--free", "--frame", "node:5", "--json").data
    again = modes("--attachment", 5, "--free", "--frame", "node", "--json").data
    assert data["frame"] == again["frame"] == "node"
    assert data["reference_point"] == again["reference_point"]


def test_a_node_that_the_boundary_does_not_hold_is_no_attachment(tmp_path):
    """The boom is held at node 1; node 5 moves in its modes, and carries them only where the boom floats."""
    refused = modes("--attachment", 5, "-o", tmp_path / "a.h5")
    assert refused.exit_code == 2 and "node 5 cannot be the attachment" in refused.stderr and "--free" in refused.stderr
    assert not list(tmp_path.iterdir())
    assert modes("--attachment", 5, "--free").exit_code == 0


def test_reference_point_is_stated_or_named_by_its_rule():
    assert modes("--json").data["reference_rule"] == "attachment node 1"
    stated = modes("--reference-point", "0.5,0,0", "--json").data
    assert stated["reference_rule"] == "stated" and stated["reference_point"] == [0.5, 0.0, 0.0]


def test_undamped_modes_say_so():
    assert "No damping specified: zeta = 0" in modes().stdout
    assert "Damping is specified as zero" in modes("--damping", 0).stdout


def test_the_options_win_over_the_case(tmp_path):
    plate_mesh(tmp_path)
    path = write_case(tmp_path, PLATE + "\n[damping]\nratio = 0.02\n" if "[damping]" not in PLATE else PLATE)
    data = run("modes", path, "-n", 2, "--damping", 0.007, "--reference-point", "2,0,0", "--json").data
    assert data["damping_ratios"] == pytest.approx([0.007, 0.007], rel=1e-9)
    assert data["reference_point"] == pytest.approx([2.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--point", "tip"), "KEY=VALUE"),
        (("--point", "tip=x"), "--point tip is not a whole number"),
        (("--point", "tip=3", "--point", "tip=4"), "states a key twice"),
        (("--point", "tip=99999"), "99999"),
        (("--attachment", "99999"), "99999"),
        (("--attachment", "nowhere"), "nowhere"),
        (("--damping", "1.5"), "--damping is out of range"),
        (("--damping", "-0.1"), "--damping is out of range"),
    ],
)
def test_wrong_values_are_refused_in_one_sentence(options, word):
    result = modes(*options)
    assert result.exit_code == 2 and word in result.stderr and result.stderr.count("\n") == 1


def test_a_record_is_not_changed_by_them(tmp_path):
    modes("-o", tmp_path / "a.h5")
    result = run("modes", tmp_path / "a.h5", "--damping", 0.01)
    assert result.exit_code == 2 and "fixed" in result.stderr


ARM = """SOL 103
CEND
SPC=1
BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.5,.5,0.
CBAR,1,1,1,2,0.,0.,1.
RBE2,5,2,123456,3
CONM2,6,3,,2.
PBAR,1,1,1.-3,2.-7,3.-7,1.-7
MAT1,1,7.+10,,.3,2700.
SPC1,1,123456,1
ENDDATA
"""


def test_a_range_without_modes_is_told_for_rigid_arms_too(tmp_path):
    (tmp_path / "arm.bdf").write_text(ARM)
    found = run("modes", tmp_path / "arm.bdf", "-u", "SI", "--fmax", 0.01, "--json")
    assert found.exit_code == 0 and found.data["frequencies_hz"] == [] and "no elastic mode" in found.stderr


def test_a_body_that_ties_make_rigid_has_rigid_motions_alone(tmp_path):
    """A cube whose corners all move as the first: three translations at 0 Hz, and no mode."""
    corners = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    nodes = "".join(f"{k + 1},{x},{y},{z}\n" for k, (x, y, z) in enumerate(corners))
    ties = "".join(f"2\n{k},{c},1.,1,{c},-1.\n" for k in range(2, 9) for c in (1, 2, 3))
    (tmp_path / "cube.inp").write_text(
        f"*NODE\n{nodes}*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*EQUATION\n{ties}*MATERIAL,NAME=M\n*ELASTIC\n2e11,.3\n"
        "*DENSITY\n7800.\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*STEP\n*FREQUENCY\n3\n*END STEP\n"
    )
    found = run("modes", tmp_path / "cube.inp", "-u", "SI", "--flavor", "calculix", "--json")
    assert found.data["frequencies_hz"] == [] and found.data["rigid_body_modes"] == 3
    assert "the ties leave rigid-body motions only" in found.stderr
