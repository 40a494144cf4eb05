"""NODAL THICKNESS and SHELL THICKNESS of Abaqus and CalculiX decks: what the blocks keep, and what is refused."""

import numpy as np
import pytest

from tisserand.errors import ReadError
from tisserand.readers.registry import read_model

HEAD = "*NODE, NSET=ALL\n1,0.,0.\n2,1.,0.\n3,1.,1.\n4,0.,1.\n5,2.,0.\n6,2.,1.\n*ELEMENT, TYPE=S4, ELSET=E\n1,1,2,3,4\n2,2,5,6,3\n"
STEEL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7800.\n"
TAIL = "*BOUNDARY\n1,1,6\n*STEP\n*FREQUENCY\n2\n*END STEP\n"


def read(folder, section, extra=""):
    path = folder / "deck.inp"
    path.write_text(HEAD + STEEL + section + extra + TAIL)
    return read_model(path, units="SI")


def test_thickness_of_the_nodes_over_that_of_the_section(tmp_path):
    """Later lines win; sets and numbers; 7800 int t dA = 7800 (mean of the four corners, bilinear)."""
    lines = "*NODAL THICKNESS\nALL, 0.02\n5, 0.03\n6, 0.04\n"
    model = read(tmp_path, "*SHELL SECTION, ELSET=E, MATERIAL=STEEL, NODAL THICKNESS\n0.01\n", lines)
    assert np.array(model.elements[0].taper) == pytest.approx(np.array([[2, 2, 2, 2], [2, 3, 4, 2.0]]))
    assert ("*NODAL THICKNESS", "used") in {(e.card, e.fate) for e in model.ledger.entries}


def test_without_the_parameter_nodal_thickness_is_not_used(tmp_path):
    model = read(tmp_path, "*SHELL SECTION, ELSET=E, MATERIAL=STEEL\n0.01\n", "*NODAL THICKNESS\nALL, 0.02\n")
    assert model.elements[0].taper is None
    assert ("*NODAL THICKNESS", "skipped") in {(e.card, e.fate) for e in model.ledger.entries}


def test_thickness_of_elements_by_distribution_moves_the_offset_with_it(tmp_path):
    lines = "*DISTRIBUTION TABLE, NAME=T\nLENGTH\n*DISTRIBUTION, NAME=D, LOCATION=ELEMENT, TABLE=T\n, 0.01\n2, 0.03\n"
    section = "*SHELL SECTION, ELSET=E, MATERIAL=STEEL, SHELL THICKNESS=D, OFFSET=0.5\n0.01\n"
    block = read(tmp_path, section, lines).elements[0]
    assert np.array(block.taper) == pytest.approx(np.array([[1.0] * 4, [3.0] * 4]))
    assert np.array(block.offset) == pytest.approx([-0.005, -0.015])


NODAL = "*SHELL SECTION, ELSET=E, MATERIAL=STEEL, NODAL THICKNESS{}\n0.01\n"


@pytest.mark.parametrize(
    ("section", "extra", "words"),
    [
        (NODAL.format(""), "*NODAL THICKNESS\n1, 0.02\n", r"a node has none; found node 2 of element 1"),
        (NODAL.format(""), "", r"a node has none"),
        (NODAL.format(""), "*NODAL THICKNESS\nALL, -0.02\n", r"a thickness must be above zero.*ALL, -0.02"),
        (NODAL.format(""), "*NODAL THICKNESS, GENERATE\n1, 2, 3\n", r"generated thicknesses are not read"),
        (NODAL.format(", OFFSET=0.5"), "*NODAL THICKNESS\nALL, 0.02\n", r"offset by a fraction of a thickness that varies"),
        ("*SHELL SECTION, ELSET=E, MATERIAL=STEEL, SHELL THICKNESS=D\n0.01\n", "", r"unknown distribution; found D"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said(tmp_path, section, extra, words):
    with pytest.raises(ReadError, match=words):
        read(tmp_path, section, extra)
