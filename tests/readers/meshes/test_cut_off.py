"""A mesh file cut off anywhere is refused with one sentence of ours, or holds the whole mesh: never part of it in silence."""

import re

import meshio
import numpy as np
import pytest

from tisserand.errors import FileError
from tisserand.readers.meshes import read_mesh

CELLS = 12
RAW = re.compile(r"reshape|index out of|invalid literal|unpack|broadcast|Couldn't")


def row_of_tetrahedra():
    """Twelve tetrahedra, each on the last three points and a new one."""
    rng = np.random.default_rng(1)
    points = np.cumsum(rng.uniform(0.2, 1.0, size=(CELLS + 3, 3)), axis=0) + rng.normal(size=(CELLS + 3, 3))
    return points, np.arange(CELLS)[:, None] + np.arange(4)


def written(path, format):
    points, cells = row_of_tetrahedra()
    group = [np.ones(CELLS, int)]
    data = {"gmsh:physical": group, "gmsh:geometrical": group} if format.startswith("gmsh") else {}
    binary = {} if format in ("su2", "vtu") else {"binary": path.stem == "binary"}
    meshio.write(path, meshio.Mesh(points, [("tetra", cells)], cell_data=data), file_format=format, **binary)


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("text.msh", "gmsh22"), ("binary.msh", "gmsh22"), ("text.msh", "gmsh"), ("binary.msh", "gmsh"), ("text.vtk", "vtk42"),
        ("binary.vtk", "vtk42"), ("text.vtk", "vtk"), ("binary.vtk", "vtk"), ("text.su2", "su2"), ("text.vtu", "vtu"),
    ],
)  # fmt: skip
def test_cut_anywhere(tmp_path, name, format):
    whole, part = tmp_path / name, tmp_path / f"part{name[name.index('.') :]}"
    written(whole, format)
    content = whole.read_bytes()
    assert len(read_mesh(whole).blocks[0].nodes) == CELLS
    refused = 0
    for size in range(1, len(content) - 1, max(len(content) // 60, 1)):
        part.write_bytes(content[:size])
        try:
            mesh = read_mesh(part)
        except FileError as error:
            refused += 1
            assert str(part) in str(error) and "\n" not in str(error) and not RAW.search(str(error))
        else:
            assert sum(len(block.nodes) for block in mesh.blocks) == CELLS
    assert refused > 50


def test_gmsh_without_elements(tmp_path):
    path = tmp_path / "nodes.msh"
    path.write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n")
    with pytest.raises(FileError, match=r"has no \$Elements section; found \$MeshFormat, \$Nodes"):
        read_mesh(path)
