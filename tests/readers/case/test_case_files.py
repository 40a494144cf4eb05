"""Appendage cases: what a good one builds, checked against closed forms."""

from pathlib import Path

import numpy as np
import pytest
from support.case_files import PLATE, plate_mesh, write_case

from tisserand.assembly import assemble
from tisserand.errors import CaseError, InvertedCellError
from tisserand.readers.case import model_of_case, read_case


@pytest.fixture
def folder(tmp_path):
    plate_mesh(tmp_path)
    return tmp_path


def test_a_plate_case_has_the_mass_and_center_of_its_closed_form(folder):
    """m = rho (t a b + w h a) + m_tip; first moments likewise (skin, rib along y = 1, offset tip body)."""
    case = read_case(write_case(folder))
    model = model_of_case(case)
    properties = assemble(model).mass_properties()
    skin, rib, tip = 2700.0 * 0.002 * 2.0, 2700.0 * 0.01 * 0.02 * 2.0, 1.5
    total = skin + rib + tip
    center = (
        skin * np.array([1.0, 0.5, 0.0]) + rib * np.array([1.0, 1.0, 0.0]) + tip * np.array([2.0, 1.0, 0.1])
    ) / total
    assert properties.mass == pytest.approx(total, rel=1e-12)
    np.testing.assert_allclose(properties.center, center, rtol=1e-12, atol=1e-12)


def test_points_supports_and_wishes_are_resolved(folder):
    model = model_of_case(read_case(write_case(folder)))
    assert set(model.interfaces) == {"root", "corner"}
    root = model.nodes.indices([model.interfaces["root"]])[0]
    np.testing.assert_allclose(model.nodes.positions[root], [0.0, 0.5, 0.0])  # center of the root edge
    assert model.supports.nodes.tolist() == [root] and model.supports.fixed.all()
    corner = model.nodes.indices([model.interfaces["corner"]])[0]
    np.testing.assert_allclose(model.nodes.positions[corner], [2.0, 0.0, 0.0])
    assert model.analysis.count == 6
    assert len(model.node_sets["root"]) == 3  # the point of the same name does not hide the set
    skipped = [entry for entry in model.ledger.entries if entry.fate == "skipped"]
    assert [(entry.card, entry.count) for entry in skipped] == [("line", 2)]


def test_recovery_of_section_forces_and_ply_stresses(folder):
    """``[recovery]`` puts section forces and ply values of groups and ids into the record; strengths and theory are kept."""
    from tisserand.appendage import ply_failure, ply_values
    from tisserand.studies.modes import modes

    strengths = "strengths = { tension_1 = 4e8, shear_12 = 2e8 }\n"
    text = PLATE.replace("[materials.aluminum]\n", "[materials.aluminum]\n" + strengths)
    text += '\n[recovery]\nforces = "skin"\nfaces = { elements = "skin", plies = ["stress", "shear"] }\none = [1]\n'
    record = modes(write_case(folder, text), count=3).appendage
    cells = len(record.reports["recovery"]["element:forces:moment"]["elements"])
    stress = ply_values(record, "element:faces:ply stress", np.eye(3))
    moment = record.recovery["element:forces:moment"].T.reshape(3, cells, 3)
    membrane = record.recovery["element:forces:membrane"].T.reshape(3, cells, 3)
    assert stress.shape == (3, cells, 1, 3, 3)
    surface = membrane / 0.002 + 6 * moment / 0.002**2
    np.testing.assert_allclose(stress[:, :, 0, 2], surface, atol=1e-9 * np.abs(surface).max())
    assert record.recovery["element:one:moment"].shape == (3, 3)
    assert ply_failure(record, "element:faces:ply stress", np.eye(3), "hill").shape == (3, cells, 1, 3)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('x = { elements = "skin", plies = ["stres"] }', "stress"),
        ("x = 1.5", "set or group"),
        ('x = "nowhere"', "unknown element set"),
    ],
)
def test_recovery_mistakes_are_one_sentence(folder, line, words):
    from tisserand.errors import TisserandError
    from tisserand.studies.modes import modes

    with pytest.raises(TisserandError, match=words):
        modes(write_case(folder, PLATE + f"\n[recovery]\n{line}\n"), count=2)


def test_mesh_units_and_case_units_may_differ(folder):
    """The same plate with the mesh read in millimeters is a thousand times smaller; properties stay in SI."""
    text = PLATE.replace('file = "plate.msh"', 'file = "plate.msh"\nunits = "mm-t-s"')
    text = text.replace("[2.0, 1.0, 0.0]", "[0.002, 0.001, 0.0]").replace(
        "corner = [2.0, 0.0, 0.0]", "corner = [0.002, 0.0, 0.0]"
    )
    model = model_of_case(read_case(write_case(folder, text)))
    assert model.size == pytest.approx(0.002)
    assert model.sections[0].thickness == pytest.approx(0.002)


def test_units_convert_every_number_of_the_case(folder):
    """The plate stated in mm-t-s is the plate stated in SI:
    E in MPa, density in t/mm³, masses in t, lengths in mm.
    """
    text = """
    units = "mm-t-s"
    name = "plate"
    [mesh]
    file = "plate.msh"
    units = "SI"
    [materials.aluminum]
    young = 7.0e4
    poisson = 0.3
    density = 2.7e-9
    [sections.skin]
    kind = "shell"
    material = "aluminum"
    thickness = 2.0
    elements = "skin"
    [sections.rib]
    kind = "beam"
    material = "aluminum"
    shape = "BAR"
    dimensions = [10.0, 20.0]
    orientation = [0.0, 0.0, 1.0]
    elements = "rib"
    [masses.tip]
    at = [2000.0, 1000.0, 0.0]
    mass = 1.5e-3
    offset = [0.0, 0.0, 100.0]
    inertia = [20.0, 20.0, 30.0]
    [points]
    root = { at = "root", rigid = true }
    """
    small = assemble(model_of_case(read_case(write_case(folder, text, "mm.toml"))))
    large = assemble(model_of_case(read_case(write_case(folder))))
    np.testing.assert_allclose(small.mass.toarray(), large.mass.toarray(), rtol=1e-9, atol=1e-12)
    difference = np.abs(small.stiffness.toarray() - large.stiffness.toarray()).max()
    assert difference < 1e-9 * np.abs(large.stiffness.data).max()


def test_a_vtu_mesh_is_grouped_by_a_cell_array(tmp_path):
    plate_mesh(tmp_path, "plate.vtu", None)
    text = PLATE.replace('"plate.msh"', '"plate.vtu"\ngroup_by = "gmsh:physical"')
    text = text.replace('elements = "skin"', "elements = 1").replace('elements = "rib"', "elements = 2")
    text = text.replace('root = { at = "root"', 'root = { at = "3"')
    model = model_of_case(read_case(write_case(tmp_path, text)))
    assert [(block.family, len(block)) for block in model.elements] == [("shell", 8), ("beam", 4), ("nodal body", 1)]


def test_coincident_nodes_are_merged_on_request(tmp_path):
    """Two squares with their own edge nodes are one structure after merging, and two pieces before."""
    import meshio

    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [1, 1, 0]], float)
    mesh = meshio.Mesh(
        points, [("quad", np.array([[0, 1, 2, 3], [4, 5, 6, 7]]))], cell_data={"part": [np.array([1, 2])]}
    )
    mesh.write(tmp_path / "two.vtu")
    text = """
    units = "SI"
    [mesh]
    file = "two.vtu"
    group_by = "part"
    [materials.m]
    young = 1e9
    poisson = 0.3
    density = 1000
    [sections.s]
    kind = "shell"
    material = "m"
    thickness = 0.01
    """
    with pytest.raises(CaseError, match=r"in 2 separate pieces; found 1 .4 nodes.; 2 .4 nodes."):
        model_of_case(read_case(write_case(tmp_path, text)))
    merged = model_of_case(read_case(write_case(tmp_path, text.replace('"part"', '"part"\n    merge = 1e-6'))))
    assert len(merged.nodes) == 6


def test_second_order_cells_keep_their_midside_nodes(tmp_path):
    """quad8 becomes one eight-node shell: its nodes, its mass, nothing approximated."""
    import meshio

    points = np.array(
        [[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0], [1, 0, 0], [2, 0.5, 0], [1, 1, 0], [0, 0.5, 0]], float
    )
    meshio.Mesh(points, [("quad8", np.arange(8)[None, :])]).write(tmp_path / "one.vtu")
    text = """
    units = "SI"
    mesh.file = "one.vtu"
    materials.m = { young = 1e9, poisson = 0.3, density = 1000 }
    sections.s = { kind = "shell", material = "m", thickness = 0.01 }
    """
    model = model_of_case(read_case(write_case(tmp_path, text)))
    assert model.elements[0].nodes.tolist() == [list(range(8))] and len(model.nodes) == 8
    assert not model.ledger.of_fate("approximated")
    assert assemble(model).mass_properties().mass == pytest.approx(20.0, rel=1e-12)


def test_a_case_on_a_deck_adds_masses_and_points(tmp_path):
    (tmp_path / "rod.inp").write_text(
        "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,2,0,0\n*ELEMENT, TYPE=B31, ELSET=E\n1,1,2\n2,2,3\n"
        "*MATERIAL, NAME=M\n*ELASTIC\n2e11,0.3\n*DENSITY\n7800\n"
        "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n0.1,0.2\n0,1,0\n*BOUNDARY\n1,1,6\n"
    )
    text = """
    units = "SI"
    mesh.file = "rod.inp"
    points.tip = 3
    masses.tip = { at = "tip", mass = 2.0 }
    analysis.count = 3
    """
    model = model_of_case(read_case(write_case(tmp_path, text)))
    assert assemble(model).mass_properties().mass == pytest.approx(7800 * 0.02 * 2 + 2.0, rel=1e-12)
    assert model.interfaces["tip"] == 3 and model.supports and model.analysis.count == 3


def test_a_sandwich_section_has_the_closed_form_of_its_faces(folder):
    """Thin faces of thickness t on a soft core of thickness c: D11 = Q (t (c + t)² / 2 + t³ / 6)."""
    text = PLATE.replace(
        'material = "aluminum"\nthickness = 0.002',
        "orientation = [1, 0, 0]\n"
        'plies = [{ material = "aluminum", thickness = 0.0005 }, { material = "core", thickness = 0.02 }, '
        '{ material = "aluminum", thickness = 0.0005, angle_deg = 90.0 }]',
    )
    text += """
    [materials.core]
    kind = "orthotropic"
    young_1 = 1e3
    young_2 = 1e3
    poisson_12 = 0.3
    shear_12 = 1e3
    shear_1z = 2e8
    shear_2z = 1e8
    density = 40
    """
    section = model_of_case(read_case(write_case(folder, text))).sections[0]
    q, t, c = 7e10 / 0.91, 0.0005, 0.02
    assert section.bending[0, 0] == pytest.approx(q * (t * (c + t) ** 2 / 2 + t**3 / 6), rel=1e-6)
    assert section.areal_mass == pytest.approx(2700 * 2 * t + 40 * c)


def test_the_documented_example_is_a_valid_case(tmp_path):
    """The example of docs/case-files.md passes the schema as it is printed."""
    page = (Path(__file__).parents[3] / "docs" / "case-files.md").read_text()
    example = page.split("```toml\n")[1].split("```")[0]
    case = read_case(write_case(tmp_path, example))
    assert case.name == "wing" and case.mesh_units.name == "mm-t-s" and case.analysis.count == 20
    assert set(case.points) == {"tip", "root"}
    assert case.outputs["record"] == tmp_path / "wing.h5"


def test_an_inverted_tetrahedron_is_named(tmp_path):
    """Two nodes exchanged turn a cell inside out: the error names the element."""
    import meshio

    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], float)
    meshio.Mesh(points, [("tetra", np.array([[0, 1, 2, 3], [2, 1, 3, 4]]))]).write(tmp_path / "tets.vtu")
    text = """
    units = "SI"
    mesh.file = "tets.vtu"
    materials.m = { young = 1e9, poisson = 0.3, density = 1000 }
    sections.s = { kind = "solid", material = "m" }
    """
    with pytest.raises(InvertedCellError, match="2"):
        assemble(model_of_case(read_case(write_case(tmp_path, text))))


def test_cells_off_the_structure_must_have_a_section(tmp_path):
    """A line that leaves the plate would be lost: its group is named."""
    import meshio

    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 2, 0]], float)
    mesh = meshio.Mesh(
        points,
        [("quad", np.array([[0, 1, 2, 3]])), ("line", np.array([[2, 4]]))],
        cell_data={"part": [np.array([1]), np.array([7])]},
    )
    mesh.write(tmp_path / "stray.vtu")
    text = """
    units = "SI"
    mesh = { file = "stray.vtu", group_by = "part" }
    materials.m = { young = 1e9, poisson = 0.3, density = 1000 }
    sections.s = { kind = "shell", material = "m", thickness = 0.01 }
    """
    with pytest.raises(CaseError, match="1 line cells have no section; found in group '7'"):
        model_of_case(read_case(write_case(tmp_path, text)))
    left_out = text.replace('"part" }', '"part", ignore = 7 }')
    assert len(model_of_case(read_case(write_case(tmp_path, left_out))).nodes) == 4


@pytest.mark.parametrize(
    ("where", "nodes"),
    [
        ("at = [1, 2, 3]", [1, 2, 3]),
        ('at = [1, "rib"]', [1, 3, 6, 9, 12, 15]),
        ("at = [2.0, 0, 0]", [13]),
        ("at = [[2.0, 0.0, 0.0], 1]", [1, 13]),
        ('plane = { axis = "x", value = 0.0, tolerance = 1e-6 }', [1, 2, 3]),
        ('plane = { axis = "y", value = 1.0 }', [3, 6, 9, 12, 15]),
        ('plane = { axis = "x", value = 0.2, tolerance = 0.3 }', [1, 2, 3, 4, 5, 6]),
        ("box = { low = [1.4, 0.5, -1], high = [2.0, 1.0, 1] }", [11, 12, 14, 15]),
    ],
)
def test_supports_choose_nodes_by_list_plane_or_box(folder, where, nodes):
    """Node 3 i + j + 1 is at (i / 2, j / 2, 0)."""
    text = PLATE.replace('root = { at = "root", rigid = true }', "root = [0.0, 0.5, 0.0]")
    text = text.replace('at = "root"\n', where + "\n", 1)
    model = model_of_case(read_case(write_case(folder, text)))
    assert sorted(model.nodes.ids[model.supports.nodes].tolist()) == nodes and model.supports.fixed.all()
    counts = [entry.count for entry in model.ledger.entries if entry.card.startswith("case supports[0]")]
    assert counts == [len(nodes)]


def test_a_plane_holds_only_nodes_of_elements_and_knows_the_units_of_the_case(folder):
    """Points of a deck without elements stay free; limits are read in the unit of the case."""
    (folder / "rod.inp").write_text(
        "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,2,0,0\n7,2,0,5\n*ELEMENT, TYPE=B31, ELSET=E\n1,1,2\n2,2,3\n"
        "*MATERIAL, NAME=M\n*ELASTIC\n2e11,0.3\n*DENSITY\n7800\n"
        "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n0.1,0.2\n0,1,0\n"
    )
    text = """
    units = "mm-t-s"
    mesh = { file = "rod.inp", units = "SI" }
    supports = [{ plane = { axis = "x", value = 2000.0, tolerance = 1.0 }, components = "123" }]
    """
    model = model_of_case(read_case(write_case(folder, text)))
    assert model.nodes.ids[model.supports.nodes].tolist() == [3]
    assert model.supports.fixed.tolist() == [[True] * 3 + [False] * 3]
