"""What a line may name instead of a number: a *PARAMETER, a set of one node, a set of the assembly; what is refused."""

import numpy as np
import pytest

from tisserand.errors import DroppedCardsError, ReadError
from tisserand.readers.abaqus import read_abaqus

BEAM = """*HEADING
written for <somebody>
{head}*PART,NAME=A
*NODE
1,0.,0.,0.
2,{length},0.,0.
*ELEMENT,TYPE=B31,ELSET=E
1,1,2
*BEAM SECTION,ELSET=E,MATERIAL=M,SECTION={shape}
.1,.05
0.,0.,-1.
*END PART
*ASSEMBLY,NAME=Assembly
*INSTANCE,NAME=A-1,PART=A
*END INSTANCE
*NSET,NSET=Foot,INSTANCE=A-1
1
*NSET,NSET=Both,INSTANCE=A-1
1,2
*NSET,NSET=Tip,INSTANCE=A-1
2
*ELEMENT,TYPE=MASS,ELSET=P
1,{mass}
*MASS,ELSET=P
3.
*END ASSEMBLY
*MATERIAL,NAME=M
*ELASTIC
7.0E10,.3
*DENSITY
{rho}
*BOUNDARY
{held},1,6
*STEP
*FREQUENCY
2
*END STEP
"""
PLAIN = {"head": "", "length": "2.", "shape": "RECT", "mass": "A-1.2", "rho": "2700.", "held": "A-1.1"}


def model(tmp_path, **changes):
    file = tmp_path / "deck.inp"
    file.write_text(BEAM.format(**{**PLAIN, **changes}))
    return read_abaqus(file, "SI", flavor="abaqus")


def same(one, two):
    np.testing.assert_array_equal(one.nodes.positions, two.nodes.positions)
    np.testing.assert_array_equal(one.supports.nodes, two.supports.nodes)
    assert [m.density for m in one.materials] == [m.density for m in two.materials]
    assert [b.nodes.tolist() for b in one.elements] == [b.nodes.tolist() for b in two.elements]


@pytest.mark.parametrize("mass", ["Tip", "assembly.tip", "Assembly.A-1.2", "Assembly.Tip"])
@pytest.mark.parametrize("held", ["Foot", "Assembly.Foot", "Assembly.A-1.1"])
def test_sets_of_the_assembly_and_of_one_node(tmp_path, mass, held):
    same(model(tmp_path, mass=mass, held=held), model(tmp_path))


def test_parameters_are_computed(tmp_path):
    head = "*PARAMETER\n# widths\nRho = 27*10**2\nhalf = 0.5*sqrt(4.)  # m\nlong=half + 1.\nshape='RECT'\nwhole = 6/2\n"
    found = model(tmp_path, head=head, length="<LONG>", rho=" < rho >", shape="<shape>")
    same(found, model(tmp_path))
    assert any(e.card == "*PARAMETER" and e.fate == "used" for e in found.ledger.entries)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("rho = 5401/2", "line 4: .PARAMETER: .*quotient of whole numbers"),
        ("rho = open('x').read()", "only arithmetic is possible here"),
        ("rho = exec('x')", "exec is not a function here"),
        ("rho = 9.**9.**9.", "it cannot be computed"),
        ("rho = (((", "it cannot be computed"),
        ("rho = other", "not stated before it is used; found OTHER"),
        ("rho 2700.", "a line states no parameter; found 'rho 2700.'"),
        ("rho = 1.\nRHO = 2.", "line 5: .*stated twice with different values; found RHO = 2.0"),
        ("density = 1.", "DENSITY: no .PARAMETER states this name; found <rho>, expected one of DENSITY"),
    ],
)
def test_parameters_that_cannot_be_computed_are_named(tmp_path, statement, words):
    with pytest.raises(ReadError, match=words):
        model(tmp_path, head=f"*PARAMETER\n{statement}\n", rho="<rho>")


def test_a_mass_needs_one_node(tmp_path):
    with pytest.raises(ReadError, match="one node is needed; found 'Both' with 2 nodes"):
        model(tmp_path, mass="Both")
    with pytest.raises(ReadError, match="is not a number; found 'Tap'"):
        model(tmp_path, mass="Tap")


SHELL = """*NODE
1,0.,0.,0.
2,1.,0.,0.
3,1.,1.,0.
4,0.,1.,0.
*ELEMENT,TYPE=S4,ELSET=E
1,1,2,3,4
*MATERIAL,NAME=M
*ELASTIC
7.0E10,.3
*DENSITY
2700.
"""


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (
            "*ORIENTATION,NAME=O\nD1\n3,0.\n*SHELL SECTION,ELSET=E,MATERIAL=M,ORIENTATION=O\n.01\n",
            "from a .DISTRIBUTION",
        ),
        ("*SHELL GENERAL SECTION,ELSET=E\n1.,2.,3.,4.,5.,6.,7.,8.\n1.,2.,3.\n", "by its 21 stiffness terms"),
    ],
)
def test_what_is_not_supported_is_named(tmp_path, cards, words):
    file = tmp_path / "deck.inp"
    file.write_text(SHELL + cards)
    with pytest.raises(ReadError, match=words):
        read_abaqus(file, "SI")


@pytest.mark.parametrize(
    ("normal", "fate"),
    [("0.,0.,1.", "dropped"), ("0.,1.,0.", "skipped"), ("0.,-2.,0.", "skipped"), ("0.,1.,1.", "dropped")],
)
def test_normals_that_turn_beams_are_refused(tmp_path, normal, fate):
    """A beam along x with n1 = -z has its second axis along y; a normal is that axis."""
    file = tmp_path / "deck.inp"
    text = BEAM.format(**PLAIN).replace("*END PART", f"*NORMAL\n1,1,{normal}\n1,2,{normal}\n*END PART")
    file.write_text(text)
    if fate == "dropped":
        with pytest.raises(DroppedCardsError, match=r"NORMAL .a normal that turns the section of a beam"):
            read_abaqus(file, "SI", flavor="abaqus")
    else:
        assert ("*NORMAL", fate) in [(e.card, e.fate) for e in read_abaqus(file, "SI", flavor="abaqus").ledger.entries]
    file.write_text(BEAM.format(**PLAIN).replace("1,0.,0.,0.\n", "1,0.,0.,0.,0.,0.,1.\n"))
    assert any("normals behind" in note for note in read_abaqus(file, "SI", flavor="abaqus").ledger.assumptions)
