"""Which program a deck of bulk data was written for, and how its shells then bend."""

import numpy as np
import pytest
from support.family_samples import SAMPLES
from support.surfaces import grid, held, plate_section, shell_model

import tisserand as ts
from tisserand.assembly import assemble
from tisserand.errors import TisserandError
from tisserand.exporters.bdf import write_bdf
from tisserand.modes import solve_modes
from tisserand.readers.nastran import read_nastran

PLATE = """SOL 103
CEND
BEGIN BULK
{}
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,1.,0.
GRID,4,,0.,1.,0.
GRID,5,,2.,0.,0.
SPC1,1,123456,1,4
CQUAD4,1,1,1,2,3,4
CTRIA3,2,1,2,5,3
PSHELL,1,1,.02,1,,1
MAT1,1,7.+10,,.3,2700.
ENDDATA
"""


@pytest.mark.parametrize(
    ("card", "flavor", "bending", "note"),
    [
        ("$", None, "nastran", None),
        ("PARAM,K6ROT,100.", None, "nastran", None),
        ("PARAM,SOLLIB,LAPACK", None, "waves", "deck of MYSTRAN, which PARAM SOLLIB shows; choose with --flavor"),
        ("PARAM,SOLLIB,LAPACK", "nastran", "nastran", "deck of Nastran, as chosen"),
        ("$", "mystran", "waves", "deck of MYSTRAN, as chosen"),
    ],
)
def test_parameters_and_the_user_decide(tmp_path, card, flavor, bending, note):
    path = tmp_path / "plate.bdf"
    path.write_text(PLATE.format(card))
    model = ts.open(path, units="SI", flavor=flavor).structure
    assert {block.bending for block in model.elements} == {bending}
    own = "; its CQUAD4 and CTRIA3 are Tisserand's own shells" if bending == "waves" else ""
    shown = "mystran, which PARAM SOLLIB shows" if "SOLLIB" in card else "nastran, as nothing shows another"
    told = ts.info(path, units="SI", flavor=flavor).facts["program (--flavor)"]
    assert told == (f"{flavor}, as chosen{own}" if flavor else f"{shown}{own}")
    record = ts.open(path, units="SI", flavor=flavor).reduce(count=2)
    assert record.provenance["shells"] == bending
    assert record.provenance["options"] == ({"flavor": flavor} if flavor else {})
    assert ([text for text in model.ledger.notes if "read as a deck of" in text] or [""])[0].endswith(note or "")


def test_other_programs_are_refused(tmp_path):
    path = tmp_path / "plate.bdf"
    path.write_text(PLATE.format("$"))
    with pytest.raises(TisserandError, match="expected nastran or mystran"):
        read_nastran(path, "SI", flavor="calculix")


@pytest.mark.parametrize("name", ["quadrilateral", "quadrilateral of Nastran", "triangle", "triangle of Nastran"])
def test_decks_written_here_keep_their_bending(tmp_path, name):
    model = SAMPLES[name]()
    again = read_nastran(write_bdf(model, tmp_path / "model.bdf"), "SI")
    assert again.elements[0].bending == model.elements[0].bending


def test_bending_of_eight_nodes_is_no_choice():
    block = SAMPLES["eight-node quadrilateral"]().elements[0]
    with pytest.raises(ValueError, match="with 3 or 4 nodes"):
        block.changed(bending="nastran")


def test_both_converge_to_the_same_plate():
    """A clamped plate, t = a/50, consistent mass: Nastran's elements on 12 x 12 and 24 x 24 against ours, whose error is of the
    fourth order: theirs falls with the square of the size (ratio 4 in the limit).
    """

    def first(n, bending):
        points, cells = grid(n, n, lambda x, y: (x, y))
        edge = np.isin(points[:, :2], (0.0, 1.0)).any(axis=1)
        section = plate_section(0.02, 7e10, 0.3, 2700.0)
        flat = held(len(points), (edge, "12345"), (slice(None), "126"))
        model = shell_model(points, cells, section, bending=bending, supports=flat)
        return solve_modes(assemble(model), count=3).frequencies_hz

    limit = first(24, "waves")
    errors = [np.abs(first(n, "nastran") / limit - 1).max() for n in (12, 24)]
    assert errors[1] < 0.01
    assert errors[0] / errors[1] > 3.0


def test_the_deck_of_a_case_is_read_as_the_case_states(tmp_path):
    (tmp_path / "plate.bdf").write_text(PLATE.format("$"))
    case = tmp_path / "plate.toml"
    for flavor, bending in (("nastran", "nastran"), ("mystran", "waves")):
        case.write_text(f'name = "plate"\nunits = "SI"\n[mesh]\nfile = "plate.bdf"\nflavor = "{flavor}"\n')
        assert {block.bending for block in ts.open(case).structure.elements} == {bending}
    with pytest.raises(TisserandError, match=r"state mesh\.flavor in the case"):
        ts.open(case, flavor="nastran")
    for key, words in (
        ("flavor = 'calculix'", "expected nastran or mystran"),
        ("step = 2", "mesh.step: cannot be chosen"),
    ):
        case.write_text(f'name = "plate"\nunits = "SI"\n[mesh]\nfile = "plate.bdf"\n{key}\n')
        with pytest.raises(TisserandError, match=words):
            ts.open(case)
