"""Wrong decks and meshes as users write them, through ``tisserand modes``: one sentence that names the file and the cause.

No traceback, no silence: the exit code is 1 or 2, standard output is empty and standard error is one line.
"""

import pytest
from support.command import run

import tisserand as ts

NASTRAN = """SOL 103
CEND
SPC = 1
BEGIN BULK
EIGRL,1,,,2
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,1.,0.
GRID,4,,0.,1.,0.
GRID,5,,0.,0.,1.
CQUAD4,1,1,1,2,3,4
PSHELL,1,1,.01,1,,1
MAT1,1,7.+10,,.33,2700.
SPC1,1,123456,1,4
ENDDATA
"""
ABAQUS = """*NODE, NSET=ALL
1, 0.,0.,0.
2, 1.,0.,0.
3, 1.,1.,0.
4, 0.,1.,0.
5, 0.,0.,1.
6, 1.,0.,1.
7, 1.,1.,1.
8, 0.,1.,1.
*ELEMENT, TYPE=C3D8, ELSET=E
1, 1,2,3,4,5,6,7,8
*SOLID SECTION, ELSET=E, MATERIAL=AL
*MATERIAL, NAME=AL
*ELASTIC
7.E10, .33
*DENSITY
2700.
*BOUNDARY
1, 1, 3
4, 1, 3
5, 1, 3
8, 1, 3
*STEP
*FREQUENCY
3
*END STEP
"""
GMSH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
3 1 "body"
2 2 "root"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
2
1 4 2 1 1 1 2 3 4
2 2 2 2 2 1 3 2
$EndElements
"""
CASE = """name = "c"
units = "SI"
[mesh]
file = "mesh.msh"
[materials.al]
young = 7e10
poisson = 0.33
density = 2700.0
[sections.body]
kind = "solid"
elements = "body"
material = "al"
[[supports]]
at = "root"
"""


def one_sentence(result, *words):
    assert result.exit_code in (1, 2), result
    assert result.stdout == "" and result.stderr.count("\n") == 1 and result.stderr.startswith("tisserand: ")
    for word in words:
        assert word in result.stderr, result.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("SPC = 1", "SPC = 7", "the selected SPC set does not exist; found SPC 7, expected one of 1"),
        ("ENDDATA", "GIRD,9,,1.,2.,3.\nENDDATA", "did you mean GRID?"),
        ("MAT1,1,7.+10,,.33,2700.", "MAT1,1,7.+10,,.33,0.", "no mass where it can move"),
        ("MAT1,1,7.+10,,.33,2700.", "MAT1,1,7.+10,,.5,2700.", "Poisson's ratio"),
        ("MAT1,1,7.+10,,.33,2700.\n", "", "the material does not exist"),
        ("PSHELL,1,1,.01", "PSHELL,1,1,0.", "the thickness must be positive"),
        ("CQUAD4,1,1,1,2,3,4", "CQUAD4,1,1,1,2,3,99", "the grid point does not exist; found 99"),
        ("CQUAD4,1,1,1,2,3,4", "CQUAD4,1,1,1,3,2,4", "shell element 1"),
        ("CQUAD4,1,1,1,2,3,4", "CQUAD4,1,1,1,2,3", "CQUAD4 field 7"),
        ("GRID,3,,1.,1.,0.", "GRID,3,,NaN,1.,0.", "is not a number"),
        ("GRID,5,,0.,0.,1.", "GRID,3,,0.,0.,1.", "defined twice with different data"),
        ("ENDDATA", "INCLUDE 'deck.bdf'\nENDDATA", "circular INCLUDE"),
        ("ENDDATA", "CONM2,9,3,,-5.\nENDDATA", "the mass is negative"),
        (
            "CQUAD4,1,1,1,2,3,4\nPSHELL,1,1,.01,1,,1",
            "CTETRA,1,1,1,2,3,5,4\nPSOLID,1,1",
            "a tet10 is inverted or has no volume",
        ),
    ],
)
def test_nastran(old, new, said, tmp_path):
    path = tmp_path / "deck.bdf"
    assert old in NASTRAN
    path.write_text(NASTRAN.replace(old, new))
    one_sentence(run("modes", path, "--units", "SI"), "deck.bdf", said)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("*ELEMENT,", "*NODE\n2, 5.,0.,0.\n*ELEMENT,", "stated twice with different coordinates; found node 2"),
        (
            "*SOLID",
            "*ELEMENT, TYPE=C3D4, ELSET=E\n1, 1,2,3,5\n*SOLID",
            "an element id is used twice; found element 1, C3D4",
        ),
        ("*BOUNDARY", "*ELASTIC\n2.E11, .3\n*BOUNDARY", "material AL is given two different values"),
        ("1, 1, 3", "1, 1, 9", "out of range"),
        ("*NODE, NSET=ALL", "*PART, NAME=P\n*INSTANCE, NAME=I, PART=P\n*NODE, NSET=ALL", "*PART is never ended"),
        ("3, 1.,1.,0.", f"3, {'9' * 500},1.,0.", "not a finite number; found '" + "9" * 40 + "'"),
        ("MATERIAL=AL", "MATERIAL=STEEL", "unknown material"),
        ("ELSET=E, MATERIAL", "ELSET=F, MATERIAL", "unknown element set; found 'F'"),
        ("7.E10, .33", "7.E10, .5", "Poisson's ratio"),
        ("*DENSITY\n2700.\n", "", "no mass where it can move"),
        ("1, 1,2,3,4,5,6,7,8", "1, 1,2,3,4,5,6,7", "wrong number of nodes; found 7, expected 8"),
        ("1, 1,2,3,4,5,6,7,8", "1, 1,2,3,4,5,6,7,77", "a node that does not exist; found node 77"),
        ("*BOUNDARY", "*FOOBAR\n1\n*BOUNDARY", "accept the loss with --allow FOOBAR"),
        ("*ELEMENT,", "*INCLUDE, INPUT=deck.inp\n*ELEMENT,", "includes itself"),
        ("4, 1, 3", "ROOT, 1, 3", "unknown node set; found 'ROOT'"),
    ],
)
def test_abaqus(old, new, said, tmp_path):
    path = tmp_path / "deck.inp"
    assert old in ABAQUS
    path.write_text(ABAQUS.replace(old, new, 1))
    one_sentence(run("modes", path, "--units", "SI"), "deck.inp", said)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "1 2 3 4\n2",
            "1 2 3\n2",
            "line 18: $Elements: element 1 of type 4 has the wrong number of nodes; found 3, expected 4",
        ),
        ("1 2 3 4\n2", "1 2 3 9\n2", "element 1 uses a node that does not exist; found node 9"),
        ("1 2 3 4\n2", "1 3 2 4\n2", "a tet4 is inverted"),
        ("4 0 0 1\n", "3 0 0 1\n", "line 14: $Nodes: a node is defined twice; found node 3"),
        ("$Nodes\n4", "$Nodes\n3", "has more lines than it states"),
        ("$Nodes\n4", "$Nodes\n5", "has fewer lines than it states"),
        ("$MeshFormat\n", "$MeshFormat\n\n", "."),
        ("$Elements\n2", "$Elements\n1", "has more lines than it states"),
        ("2 1 0 0", "2 nan 0 0", "line 12: $Nodes: is not a finite number; found 'nan'"),
        ("2 1 0 0", "2 one 0 0", "is not a finite number; found 'one'"),
        ("2.2 0 8", "9.9 0 8", "found 9.9, expected 2 or 4"),
        ("$EndElements\n", "", "ends inside its $Elements section"),
    ],
)
def test_gmsh(old, new, said, tmp_path):
    assert old in GMSH
    (tmp_path / "mesh.msh").write_text(GMSH.replace(old, new, 1))
    path = tmp_path / "case.toml"
    path.write_text(CASE)
    one_sentence(run("modes", path), said)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('elements = "body"', 'elements = "bodi"', "the mesh has no group 'bodi'; expected groups 'body', 'root'"),
        ("[[supports]]", "[supports.foot]", "supports: is a list here; found [supports.foot], expected [[supports]]"),
        ("density = 2700.0", "density = 0.0", "no mass where it can move"),
        ('material = "al"', 'material = "all"', "did you mean 'al'?"),
        ('file = "mesh.msh"', 'file = "none.msh"', "the file does not exist"),
        ("poisson = 0.33", "poisson = 0.5", "expected a number above -1 and below 0.5"),
    ],
)
def test_case(old, new, said, tmp_path):
    (tmp_path / "mesh.msh").write_text(GMSH)
    path = tmp_path / "case.toml"
    assert old in CASE
    path.write_text(CASE.replace(old, new, 1))
    one_sentence(run("modes", path), said)


def test_files_that_are_not_what_their_names_say(tmp_path):
    one_sentence(run("modes", tmp_path / "none.bdf", "--units", "SI"), "the file does not exist")
    one_sentence(run("modes", tmp_path, "--units", "SI"), "is a directory")
    for name, content, said in (
        ("empty.bdf", b"", "the file is empty"),
        ("noise.bdf", bytes(range(256)) * 8, "is a binary file"),
        ("wide.bdf", NASTRAN.encode("utf-16"), "is encoded as UTF-16"),
        ("wide.inp", ABAQUS.encode("utf-16"), "is encoded as UTF-16"),
    ):
        (tmp_path / name).write_bytes(content)
        one_sentence(run("modes", tmp_path / name, "--units", "SI"), name, said)
    for name, content, kind in (("other.bdf", ABAQUS, "abaqus"), ("other.inp", NASTRAN, "nastran")):
        (tmp_path / name).write_text(content)
        assert ts.open(tmp_path / name, units="SI").kind == kind, "content decides, the ending only helps"


def test_the_right_ones_are_read_and_give_as_many_modes_as_they_have(tmp_path):
    """More modes than there are is no error: all are given, and a warning says so where the number was typed."""
    (tmp_path / "mesh.msh").write_text(GMSH)
    for name, text, options, modes in (
        ("deck.bdf", NASTRAN, ("--units", "SI"), 2),
        ("more.bdf", NASTRAN.replace("EIGRL,1,,,2", "EIGRL,1,,,90"), ("--units", "SI"), 6),
        ("deck.inp", ABAQUS, ("--units", "SI"), 3),
        ("case.toml", CASE, (), 3),
    ):
        (tmp_path / name).write_text(text)
        result = run("modes", tmp_path / name, *options, "--json")
        assert result.exit_code == 0 and len(result.data["frequencies_hz"]) == modes
        assert not any("requested" in warning for warning in result.data["warnings"])
    typed = run("modes", tmp_path / "case.toml", "-n", 4, "--json")
    assert typed.exit_code == 0 and len(typed.data["frequencies_hz"]) == 3
    assert "4 modes were requested; the structure has 3" in " ".join(typed.data["warnings"])


def test_mass_that_is_held_for_want_of_stiffness_is_reported(tmp_path):
    """Two rods in line between supports: the middle point has mass across the line and AUTOSPC holds it."""
    path = tmp_path / "rods.bdf"
    grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,2.,0.,0.\nCROD,1,1,1,2\nCROD,2,1,2,3\nPROD,1,1,1.-4\n"
    path.write_text(f"SOL 103\nCEND\nSPC=1\nBEGIN BULK\n{grids}MAT1,1,7.+10,,.33,2700.\nSPC1,1,123,1,3\nENDDATA\n")
    result = run("modes", path, "--units", "SI")
    assert result.exit_code == 0
    assert "2 translations with mass have no stiffness and are held automatically: node 2 (y, z)" in result.stderr


def test_every_mistake_of_one_command_names_its_option(tmp_path):
    """Several wrong values at once: each is called by the flag that was typed."""
    made = run("modes", tmp_path / "none.bdf", "--mass", "x", "--point", "foo", "--damping-support", "y")
    assert made.exit_code == 2 and all(
        flag in made.stderr for flag in ("--mass ", "Also: --point ", "Also: --damping-support ")
    )
