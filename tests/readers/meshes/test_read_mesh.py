"""Mesh formats: the same plate through every writer, and bad files turned into one sentence."""

import meshio
import numpy as np
import pytest
from support.case_files import plate_mesh

from tisserand.errors import FileError
from tisserand.model import Nodes, ShellBlock
from tisserand.model.mass_points import element_sizes
from tisserand.readers.meshes import read_mesh
from tisserand.readers.meshes.cells import pieces_of, turned_wedges

NAMES = ["plate.vtk", "plate.vtu", "plate.xdmf", "plate.mesh", "plate.msh", "plate.med"]


@pytest.mark.parametrize("name", NAMES)
def test_points_and_cells_survive_every_format(tmp_path, name):
    if name == "plate.med":  # meshio's MED writer accepts its own kind of tags only
        first = meshio.read(plate_mesh(tmp_path))
        meshio.Mesh(first.points, [("quad", first.cells_dict["quad"])]).write(tmp_path / name)
    elif name == "plate.mesh":
        first = meshio.read(plate_mesh(tmp_path))
        data = {"medit:ref": first.cell_data["gmsh:physical"]}
        meshio.Mesh(first.points, first.cells, cell_data=data).write(tmp_path / name)
    else:
        plate_mesh(tmp_path, name, "gmsh" if name.endswith(".msh") else None)
    mesh = read_mesh(tmp_path / name)
    assert len(mesh.points) == 15
    quads = next(block for block in mesh.blocks if block.kind == "quad")
    corners = mesh.points[quads.nodes]
    area = 0.5 * np.linalg.norm(np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]), axis=1)
    assert area.sum() == pytest.approx(2.0)


def test_physical_names_become_sets(tmp_path):
    mesh = read_mesh(plate_mesh(tmp_path))
    assert {"skin", "rib", "root"} <= set(mesh.cell_sets)
    np.testing.assert_allclose(mesh.points[mesh.nodes_of_set("root")][:, 0], 0.0)
    np.testing.assert_allclose(mesh.points[mesh.nodes_of_set("rib")][:, 1], 1.0)


def test_gmsh_41_with_an_entity_in_two_groups(tmp_path):
    """Gmsh lets one surface belong to two physical groups; both names find its cells."""
    gmsh = pytest.importorskip("gmsh")
    gmsh.initialize()
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.model.add("square")
        gmsh.model.occ.addRectangle(0.0, 0.0, 0.0, 1.0, 1.0)
        gmsh.model.occ.synchronize()
        gmsh.model.addPhysicalGroup(2, [1], name="skin")
        gmsh.model.addPhysicalGroup(2, [1], name="front")
        gmsh.model.mesh.generate(2)
        gmsh.write(str(tmp_path / "square.msh"))
    finally:
        gmsh.finalize()
    mesh = read_mesh(tmp_path / "square.msh")
    np.testing.assert_array_equal(mesh.nodes_of_set("skin"), mesh.nodes_of_set("front"))
    assert len(mesh.nodes_of_set("skin")) == len(mesh.points)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "bad.msh",
            b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0\n",
            r"ends inside its \$Nodes section; found 1 complete lines of 3, expected \$EndNodes",
        ),
        ("bad.vtu", b"<VTKFile><broken", "cut off or damaged"),
        ("bad.vtk", b"nothing here\n" * 4, "cut off or damaged"),
        ("bad.xdmf", b"<Xdmf></Xdmf>", "cut off or damaged"),
        ("bad.med", b"\x89HDF\r\n\x1a\nrubbish", "damaged"),
        ("bad.xyz", b"1 2 3", "belongs to no known mesh format"),
        ("bad.stl", b"", "is empty"),
    ],
)
def test_bad_files_are_one_sentence(tmp_path, name, content, words):
    """meshio exits the process, prints, or raises anything on such files."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FileError, match=words) as caught:
        read_mesh(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_nothing_is_printed(tmp_path, capfd):
    with pytest.raises(FileError):
        (tmp_path / "bad.vtk").write_text("nothing\n")
        read_mesh(tmp_path / "bad.vtk")
    out, err = capfd.readouterr()
    assert out == "" and err == ""


def test_unknown_group_array_lists_the_known_ones(tmp_path):
    path = plate_mesh(tmp_path, "plate.vtu", None)
    with pytest.raises(FileError, match="did you mean 'gmsh:physical'"):
        read_mesh(path, group_by="gmsh:phisical")


def test_surfaces_with_midside_nodes_keep_them_and_their_area():
    """A quarter annulus of one quad8, whose sides are parabolas: within 2 % of 3 pi/4, exactly the area inside its boundary."""
    angle = np.radians([0, 0, 90, 90, 0, 45, 90, 45])
    radius = np.array([1, 2, 2, 1, 1.5, 2, 1.5, 1])
    points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(8)])
    pieces = pieces_of("quad8", np.arange(8)[None, :])
    assert pieces.nodes.tolist() == [list(range(8))]
    area = 0.0  # Green's theorem along the parabolas through corner, middle and corner
    t = np.linspace(-1, 1, 4001)
    for a, m, b in ((0, 4, 1), (1, 5, 2), (2, 6, 3), (3, 7, 0)):
        side = (
            np.outer(t * (t - 1) / 2, points[a]) + np.outer(1 - t * t, points[m]) + np.outer(t * (t + 1) / 2, points[b])
        )
        area += 0.5 * np.sum(side[:-1, 0] * side[1:, 1] - side[1:, 0] * side[:-1, 1])
    block = ShellBlock(np.array([1]), pieces.nodes, np.zeros(1, int), np.array([[1.0, 1.0, 0.0]]), np.zeros(1))
    found = element_sizes(Nodes(np.arange(1, 9), points), block)[0]
    assert found == pytest.approx(area, rel=1e-6) and found == pytest.approx(0.75 * np.pi, rel=0.02)


def test_outward_wedges_are_turned_over():
    """A wedge and its copy in VTK's outward order describe the same positive volume."""
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]], float)
    cells = np.array([[0, 1, 2, 3, 4, 5], [3, 4, 5, 0, 1, 2]])
    turned, count = turned_wedges(cells, points)
    assert count == 1
    np.testing.assert_array_equal(turned[0], turned[1])
