"""Abaqus and CalculiX decks: keywords, instances, sections, points, constraints, ledger."""

from pathlib import Path

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import DroppedCardsError, ReadError, TisserandError
from tisserand.model import (
    BeamBlock,
    BushBlock,
    Equation,
    Interpolation,
    NodalBodies,
    RigidElement,
    ScalarSpringBlock,
    ShellBlock,
)
from tisserand.readers.abaqus import read_abaqus

STEEL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7800.\n"
CUBE = (
    "*NODE, NSET=NALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*ELEMENT, TYPE=C3D8, ELSET=EALL\n1,1,2,3,4,\n5,6,7,8\n" + STEEL + "*SOLID SECTION, ELSET=EALL, MATERIAL=Steel\n"
)
PLATE = (
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n*ELEMENT, TYPE=S4, ELSET=E\n1,1,2,3,4\n"
    + STEEL
    + "*SHELL SECTION, ELSET=E, MATERIAL=STEEL{options}\n{data}\n"
)


def read(tmp_path: Path, text: str, **options):
    path = tmp_path / "deck.inp"
    path.write_text(text)
    return read_abaqus(path, options.pop("units", "SI"), **options)


def test_case_continuation_comments_and_include(tmp_path):
    """Keywords and names ignore case; an element may run over two lines; INCLUDE is read in place and listed."""
    (tmp_path / "nodes.inc").write_text("** nodes\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n")
    text = CUBE.replace("1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n", "*Include, input=nodes.inc\n", 1)
    model = read(tmp_path, text.replace("*NODE", "*nOdE"))
    assert len(model.nodes) == 8 and [source.name for source in model.sources] == ["deck.inp", "nodes.inc"]
    assert assemble(model).mass_properties().mass == pytest.approx(7800.0)


def test_units_are_needed_and_applied(tmp_path):
    with pytest.raises(TisserandError, match="does not state its units"):
        read(tmp_path, CUBE, units=None)
    model = read(tmp_path, CUBE.replace("2.1e11", "2.1e5").replace("7800.", "7.8e-9"), units="mm-t-s")
    assert assemble(model).mass_properties().mass == pytest.approx(7800.0e-9)
    assert model.materials[0].young == pytest.approx(2.1e11)


def test_sets_by_number_name_range_and_element(tmp_path):
    text = CUBE + "*NSET, NSET=A, GENERATE\n1, 7, 2\n*NSET, NSET=B\nA, 8\n*NSET, NSET=C, ELSET=EALL\n"
    sets = read(tmp_path, text).node_sets
    assert sets["A"].tolist() == [1, 3, 5, 7] and sets["B"].tolist() == [1, 3, 5, 7, 8] and len(sets["C"]) == 8


def test_instances_are_placed_and_kept_apart(tmp_path):
    """Abaqus translates first, then turns about the line a-b: here by 90 degrees about z through (1, 0, 0)."""
    part = CUBE.split("*MATERIAL")[0]
    text = (
        "*PART, NAME=P\n" + part + "*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n*END PART\n*ASSEMBLY, NAME=A\n"
        "*INSTANCE, NAME=I-1, PART=P\n*END INSTANCE\n"
        "*INSTANCE, NAME=I-2, PART=P\n2., 0., 0.\n1., 0., 0., 1., 0., 1., 90.\n*END INSTANCE\n"
        "*NSET, NSET=BOTH\nI-1.NALL, I-2.1\n*END ASSEMBLY\n" + STEEL + "*BOUNDARY\nI-2.1, PINNED\nI-1.NALL, 3\n"
    )
    model = read(tmp_path, text)
    assert len(model.nodes) == 16 and len(model.elements) == 2
    assert len(model.node_sets["BOTH"]) == 9
    moved = model.node_sets["BOTH"][-1]
    place = model.nodes.positions[model.nodes.indices([moved])[0]]
    np.testing.assert_allclose(place, [1.0, 1.0, 0.0], atol=1e-12)  # (2, 0, 0) turned about (1, 0)
    assert assemble(model).mass_properties().mass == pytest.approx(2 * 7800.0)
    held = {int(node): row.tolist() for node, row in zip(model.supports.nodes, model.supports.fixed)}
    assert held[int(model.nodes.indices([moved])[0])] == [True] * 3 + [False] * 3
    assert any("shifted to stay apart" in note for note in model.ledger.notes)


def test_shell_offset_and_laminate(tmp_path):
    """OFFSET=SPOS puts the nodes on the top surface: the mid-surface lies half a thickness below."""
    block = read(tmp_path, PLATE.format(options=", OFFSET=SPOS", data="0.02")).elements[0]
    assert isinstance(block, ShellBlock) and block.offset[0] == pytest.approx(-0.01)
    text = PLATE.format(options=", COMPOSITE", data="0.001,,STEEL,0.\n0.002,,STEEL,90.").replace(
        ", MATERIAL=STEEL,", ","
    )
    section = read(tmp_path, text).sections[0]
    assert section.thickness == pytest.approx(0.003) and len(section.plies) == 2


def test_shell_material_axis_follows_the_orientation(tmp_path):
    """Axis 3 is the normal, turned by 30 degrees about it."""
    text = PLATE.format(options=", ORIENTATION=O", data="0.01") + "*ORIENTATION, NAME=O\n1,0,0,0,1,0\n3, 30.\n"
    block = read(tmp_path, text).elements[0]
    np.testing.assert_allclose(block.material_axis[0], [np.cos(np.pi / 6), 0.5, 0.0], atol=1e-12)


def test_beam_axes_and_rectangle(tmp_path):
    """RECT a along axis 1, b along axis 2: with y along n1, i_zz = I22 = a³ b / 12 and i_yy = I11 = a b³ / 12."""
    text = (
        "*NODE\n1,0,0,0\n2,2,0,0\n*ELEMENT, TYPE=B31, ELSET=E\n1,1,2\n" + STEEL
        + "*BEAM SECTION, ELSET=E, MATERIAL=STEEL, SECTION=RECT\n0.03, 0.01\n0., 1., 0.\n"
    )  # fmt: skip
    model = read(tmp_path, text)
    block, station = model.elements[0], model.sections[0].end_a
    assert isinstance(block, BeamBlock)
    np.testing.assert_allclose(block.orientation[0], [0.0, 1.0, 0.0])
    assert station.i_zz == pytest.approx(0.03**3 * 0.01 / 12) and station.i_yy == pytest.approx(0.03 * 0.01**3 / 12)


@pytest.mark.parametrize(("flavor", "radius"), [("calculix", 0.01), ("abaqus", 0.02)])
def test_circular_beams_follow_the_program(tmp_path, flavor, radius):
    """CIRC states a diameter in CalculiX and a radius in Abaqus."""
    text = (
        "*NODE\n1,0,0,0\n2,2,0,0\n*ELEMENT, TYPE=B31, ELSET=E\n1,1,2\n" + STEEL
        + "*BEAM SECTION, ELSET=E, MATERIAL=STEEL, SECTION=CIRC\n0.02\n"
    )  # fmt: skip
    assert read(tmp_path, text, flavor=flavor).sections[0].end_a.area == pytest.approx(np.pi * radius**2)


def test_three_node_beams_split_at_their_middle(tmp_path):
    text = (
        "*NODE\n1,0,0,0\n2,1,0,0\n3,2,0,0\n*ELEMENT, TYPE=B32, ELSET=E\n7,1,2,3\n" + STEEL
        + "*BEAM SECTION, ELSET=E, MATERIAL=STEEL, SECTION=RECT\n0.1,0.1\n"
    )  # fmt: skip
    model = read(tmp_path, text)
    assert model.elements[0].nodes.tolist() == [[0, 1], [1, 2]]
    assert len(model.element_sets["E"]) == 2
    assert "split" in model.ledger.of_fate("approximated")[0].reason


def test_point_elements(tmp_path):
    """MASS and ROTARYI become nodal bodies; SPRING1/2 scalar springs; a skew SPRINGA a spring along its line."""
    text = CUBE + (
        "*ELEMENT, TYPE=MASS, ELSET=M\n10,1\n*MASS, ELSET=M\n2.5\n"
        "*ELEMENT, TYPE=ROTARYI, ELSET=R\n11,1\n*ROTARY INERTIA, ELSET=R\n1.,2.,3.,0.1\n"
        "*ELEMENT, TYPE=SPRING1, ELSET=S1\n12,2\n*SPRING, ELSET=S1\n3\n100.\n"
        "*ELEMENT, TYPE=SPRING2, ELSET=S2\n13,2,3\n*SPRING, ELSET=S2\n1,2\n200.\n"
        "*ELEMENT, TYPE=SPRINGA, ELSET=SA\n14,1,7\n*SPRING, ELSET=SA\n\n300.\n"
        "*ELEMENT, TYPE=DASHPOTA, ELSET=DA\n15,1,2\n*DASHPOT, ELSET=DA\n\n4.\n"
    )
    model = read(tmp_path, text)
    bodies = [block for block in model.elements if isinstance(block, NodalBodies)]
    assert bodies[0].mass[0] == 2.5 and bodies[1].inertia[0, 0, 1] == pytest.approx(0.1)
    springs = [block for block in model.elements if isinstance(block, ScalarSpringBlock)]
    assert [(s.components[0].tolist(), float(s.stiffness[0]), float(s.damping[0])) for s in springs] == [
        ([2, 2], 100.0, 0.0),
        ([0, 1], 200.0, 0.0),
        ([0, 0], 0.0, 4.0),
    ]
    bush = next(block for block in model.elements if isinstance(block, BushBlock))
    np.testing.assert_allclose(bush.axes[0, 0], np.ones(3) / np.sqrt(3.0))
    assert springs[0].nodes[0].tolist() == [1, -1]


def test_constraints(tmp_path):
    text = CUBE + (
        "*NODE\n100, 0.5, 0.5, 2.\n101, 0.5, 0.5, -1.\n*NSET, NSET=TOP\n5,6,7,8\n"
        "*SURFACE, NAME=S, TYPE=ELEMENT\nEALL, S2\n*COUPLING, CONSTRAINT NAME=C, REF NODE=100, SURFACE=S\n*KINEMATIC\n1,3\n"
        "*SURFACE, NAME=T, TYPE=NODE\n1\n2, 2.\n3\n*COUPLING, CONSTRAINT NAME=D, REF NODE=101, SURFACE=T\n*DISTRIBUTING\n"
        "*EQUATION\n2\n4,1,1.,1,1,-1.\n"
    )
    kinematic, distributing, equation = read(tmp_path, text).constraints
    assert isinstance(kinematic, RigidElement) and len(kinematic.dependent) == 12
    assert set(kinematic.dependent[:, 0].tolist()) == {4, 5, 6, 7}  # face S2 is 5-6-7-8
    assert (
        isinstance(distributing, Interpolation) and distributing.weights.tolist() == [1.0] * 3 + [2.0] * 3 + [1.0] * 3
    )
    assert isinstance(equation, Equation) and equation.coefficients.tolist() == [1.0, -1.0]


def test_calculix_rotation_node_holds_rotations(tmp_path):
    text = CUBE + (
        "*NODE\n50,0,0,0\n51,0,0,0\n*NSET, NSET=B\n1,2,3,4\n*RIGID BODY, NSET=B, REF NODE=50, ROT NODE=51\n"
        "*BOUNDARY\n50,1,3\n51,1,2\n"
    )
    model = read(tmp_path, text)
    assert model.supports.nodes.tolist() == [8]
    assert model.supports.fixed[0].tolist() == [True, True, True, True, True, False]


def test_orthotropic_constants_follow_abaqus_order(tmp_path):
    """ENGINEERING CONSTANTS end with G12, G13, G23; here the order is 12, 23, 31."""
    text = CUBE.replace(
        "*ELASTIC\n2.1e11, 0.3", "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1e10,2e10,3e10,0.1,0.2,0.3,4e9,5e9,\n6e9"
    )
    stiffness = read(tmp_path, text).materials[0].stiffness
    np.testing.assert_allclose(np.diag(stiffness)[3:], [4e9, 6e9, 5e9])
    assert np.linalg.inv(stiffness)[0, 0] == pytest.approx(1e-10)


def test_frequency_step_and_its_boundaries(tmp_path):
    text = (
        CUBE
        + "*STEP\n*FREQUENCY\n12, 1., 500.\n*BOUNDARY\n1, ENCASTRE\n*END STEP\n*STEP\n*STATIC\n*BOUNDARY\n2,1\n*END STEP"
    )
    model = read(tmp_path, text)
    assert (model.analysis.count, model.analysis.fmin_hz, model.analysis.fmax_hz) == (12, 1.0, 500.0)
    assert model.supports.nodes.tolist() == [0]  # the later static step does not count


def test_what_matters_is_not_dropped_silently(tmp_path):
    text = CUBE + "*FASTENER, NAME=T\nA, B\n*NODE PRINT\nU\n"
    with pytest.raises(DroppedCardsError, match=r"\*FASTENER .a connection"):
        read(tmp_path, text)
    model = read(tmp_path, text, allow=("FASTENER",))
    assert [entry.card for entry in model.ledger.dropped] == ["*FASTENER"]
    assert "*NODE PRINT" in [entry.card for entry in model.ledger.of_fate("skipped")]


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("1,1,2,3,4,\n5,6,7,8", "1,1,2,3,4,\n5,6,7", 11, "wrong number of nodes; found 7, expected 8"),
        ("1,1,2,3,4,\n5,6,7,8", "1,1,2,3,4,\n5,6,7,88", 10, "element 1 uses a node that does not exist; found node 88"),
        ("TYPE=C3D8", "TYPE=XYZ", 10, "unknown element type"),
        ("8,0,1,1", "8,0,1,one", 9, "not a number; found 'one'"),
        ("MATERIAL=Steel", "MATERIAL=Stel", 18, "did you mean 'STEEL'"),
        ("ELSET=EALL, MATERIAL", "ELSET=EAL, MATERIAL", 18, "unknown element set"),
        ("*SOLID SECTION, ELSET=EALL, MATERIAL=Steel\n", "", 10, "1 elements of type C3D8 have no section"),
        ("2.1e11, 0.3", "2.1e11, 0.5", 14, "Poisson's ratio is outside"),
        ("7800.", "-1.", 17, "density of STEEL is negative"),
        ("*NODE, NSET=NALL", "1,2,3\n*NODE, NSET=NALL", 1, "data before any keyword"),
    ],
)  # fmt: skip
def test_mistakes_name_their_line(tmp_path, old, new, line, words):
    with pytest.raises(ReadError, match=words) as caught:
        read(tmp_path, CUBE.replace(old, new, 1))
    assert caught.value.line == line and "\n" not in str(caught.value)


def test_a_file_that_includes_itself(tmp_path):
    with pytest.raises(ReadError, match="includes itself"):
        read(tmp_path, CUBE + "*INCLUDE, INPUT=deck.inp\n")


def test_an_assembly_as_a_preprocessor_writes_it(tmp_path):
    """Reference point, point mass on ``INSTANCE.node``, internal sets with INSTANCE=, coupling, perturbation step."""
    text = """*Heading
** Job name: wing
*Preprint, echo=NO, model=NO, history=NO, contact=NO
*Part, name=Block
*End Part
*Assembly, name=Assembly
*Instance, name=Block-1, part=Block
          5.,           0.,           0.
*Node
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
*Element, type=C3D8R
1,1,2,3,4,5,6,7,8
*Elset, elset=Set-1, generate
 1,  1,  1
** Section: Section-1
*Solid Section, elset=Set-1, material=Material-1
,
*End Instance
*Node
      1,           5.5,           0.5,           2.
*Nset, nset=m_Set-2
 1,
*Nset, nset=_PickedSet9, internal, instance=Block-1
 1, 2, 3, 4
*Elset, elset=_s_S2, internal, instance=Block-1
 1,
*Surface, type=ELEMENT, name=s
_s_S2, S2
*Element, type=MASS, elset=M_Inertia-1_
1, Block-1.7
*Mass, elset=M_Inertia-1_
3.5,
** Constraint: C
*Coupling, constraint name=C, ref node=m_Set-2, surface=s
*Kinematic
*End Assembly
*Material, name=Material-1
*Density
7800.,
*Elastic
 2.1e+11, 0.3
** BCs
*Boundary
_PickedSet9, ENCASTRE
*Step, name=Step-1, nlgeom=NO, perturbation
*Frequency, eigensolver=Lanczos, sim, acoustic coupling=on, normalization=mass
10, , , , ,
*Restart, write, frequency=0
*Output, field, variable=PRESELECT
*End Step
"""
    model = read(tmp_path, text)
    assert len(model.nodes) == 9 and model.analysis.count == 10 and not model.ledger.dropped
    body = next(block for block in model.elements if isinstance(block, NodalBodies))
    np.testing.assert_allclose(model.nodes.positions[body.nodes[0, 0]], [6.0, 1.0, 1.0])
    assert len(model.supports.nodes) == 4 and model.supports.fixed.all()
    np.testing.assert_allclose(model.nodes.positions[model.supports.nodes][:, 2], 0.0)
    rigid = model.constraints[0]
    np.testing.assert_allclose(model.nodes.positions[rigid.independent[0, 0]], [5.5, 0.5, 2.0])
    np.testing.assert_allclose(model.nodes.positions[np.unique(rigid.dependent[:, 0])][:, 2], 1.0)
    assert model.sections[0].integration == "reduced" and model.mass_recipe == "lumped"
    assert assemble(model).mass_properties().mass == pytest.approx(7803.5)
    assert not any("preload" in note for note in model.ledger.notes)


@pytest.mark.parametrize(
    ("boundary", "frequency", "program"),
    [
        ("1,ENCASTRE", "*FREQUENCY", "abaqus"),
        ("1,1,6", "*FREQUENCY,EIGENSOLVER=LANCZOS", "abaqus"),
        ("1,1,6", "*FREQUENCY,SOLVER=ARPACK", "calculix"),
        ("1,1,6", "*FREQUENCY", None),
    ],
)
def test_the_program_of_a_deck_is_decided_by_what_only_one_understands(tmp_path, boundary, frequency, program):
    """A CIRC section of 0.01 is a radius in Abaqus and a diameter in CalculiX: areas differ by a factor of four."""
    nodes = "\n".join(f"{k},{0.1 * k},0.,0." for k in range(1, 4))
    deck = f"*NODE\n{nodes}\n*ELEMENT,TYPE=B32,ELSET=E\n1,1,2,3\n*BEAM SECTION,SECTION=CIRC,ELSET=E,MATERIAL=M\n.01\n0.,0.,1.\n"
    deck += "*MATERIAL,NAME=M\n*ELASTIC\n7.E10,.3\n*DENSITY\n2700.\n"
    file = tmp_path / "rod.inp"
    file.write_text(f"{deck}*BOUNDARY\n{boundary}\n*STEP\n{frequency}\n2\n*END STEP\n")
    model = read_abaqus(file, "SI")
    area = np.pi * 1e-4 if program == "abaqus" else np.pi * 1e-4 / 4.0
    assert assemble(model).mass_properties().mass == pytest.approx(2700.0 * 0.2 * area, rel=1e-9)
    assert any("--flavor" in note for note in model.ledger.assumptions) == (program is None)
    other = read_abaqus(file, "SI", flavor="abaqus")
    assert assemble(other).mass_properties().mass == pytest.approx(2700.0 * 0.2 * np.pi * 1e-4, rel=1e-9)
