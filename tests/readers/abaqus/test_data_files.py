"""INPUT= of a keyword reads its data lines from another file: the model is that of the same lines written in place."""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import TisserandError
from tisserand.readers.abaqus import read_abaqus

BLOCKS = {
    "*NODE": "1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n",
    "*ELEMENT, TYPE=S4, ELSET=E": "1,1,2,3,4\n",
    "*ELEMENT, TYPE=MASS, ELSET=M": "2,3\n",
    "*MASS, ELSET=M": "5.\n",
    "*MATERIAL, NAME=STEEL": "",
    "*ELASTIC": "2.1e11, 0.3\n",
    "*DENSITY": "7800.\n",
    "*SHELL SECTION, ELSET=E, MATERIAL=STEEL": "0.01\n",
    "*NSET, NSET=HELD": "1, 4\n",
    "*EQUATION": "2\n2,3,1.,3,3,-1.\n",
    "*BOUNDARY": "HELD, 1, 6\n",
}


def deck(apart: str | None, *, name: str = "sub/data.inc") -> str:
    return "".join(f"{head}, INPUT={name}\n" if head == apart else f"{head}\n{data}" for head, data in BLOCKS.items())


@pytest.mark.parametrize("apart", [head for head, data in BLOCKS.items() if data])
def test_data_lines_of_a_file_are_those_of_the_deck(tmp_path, apart):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/data.inc").write_text("** a comment\n" + BLOCKS[apart])
    (tmp_path / "whole.inp").write_text(deck(None))
    (tmp_path / "parted.inp").write_text(deck(apart))
    whole, parted = (read_abaqus(tmp_path / name, "SI", flavor="calculix") for name in ("whole.inp", "parted.inp"))
    one, two = assemble(whole), assemble(parted)
    np.testing.assert_array_equal(one.stiffness.toarray(), two.stiffness.toarray())
    np.testing.assert_array_equal(one.mass.toarray(), two.mass.toarray())
    np.testing.assert_array_equal(whole.supports.fixed, parted.supports.fixed)
    assert [source.name for source in parted.sources] == ["parted.inp", "data.inc"]


@pytest.mark.parametrize(
    ("block", "nodes"),
    [
        ("*NSET, NSET=A,\n1, 4\n", 2),  # CalculiX: the next line is data
        ("*NSET, NSET=A,\nGENERATE\n1, 4\n", 4),  # Abaqus: it lists more parameters
        ("*NSET,\nNSET=A, GENERATE,\n1, 4\n", 4),
    ],
)
def test_a_comma_at_the_end_of_a_keyword_line(tmp_path, block, nodes):
    (tmp_path / "deck.inp").write_text(deck(None) + block)
    assert len(read_abaqus(tmp_path / "deck.inp", "SI").node_sets["A"]) == nodes


def test_lines_below_the_keyword_follow_the_file_and_errors_name_the_file(tmp_path):
    (tmp_path / "data.inc").write_text("1,0,0,0\n2,1,0,0\n")
    rest = deck("*NODE", name="data.inc").replace("INPUT=data.inc\n", "INPUT=data.inc\n3,1,1,0\n4,0,1,0\n")
    (tmp_path / "deck.inp").write_text(rest)
    assert len(read_abaqus(tmp_path / "deck.inp", "SI").nodes) == 4
    (tmp_path / "data.inc").write_text("1,0,0,0\n2,x,0,0\n")
    with pytest.raises(TisserandError, match=r"data\.inc, line 2: .*not a number"):
        read_abaqus(tmp_path / "deck.inp", "SI")


@pytest.mark.parametrize(
    ("content", "message"), [(None, "does not exist"), ("*NODE\n1,0,0,0\n", "contains a keyword"), ("circle", "circle")]
)
def test_wrong_data_files_are_refused(tmp_path, content, message):
    name = "deck.inp" if content == "circle" else "data.inc"
    if content not in (None, "circle"):
        (tmp_path / "data.inc").write_text(content)
    (tmp_path / "deck.inp").write_text(deck("*NODE", name=name))
    with pytest.raises(TisserandError, match=message):
        read_abaqus(tmp_path / "deck.inp", "SI")
