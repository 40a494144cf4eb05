"""Small meshes and cases written to a folder, for tests of case files."""

from pathlib import Path

import meshio
import numpy as np

PLATE = """
units = "SI"
name = "plate"

[mesh]
file = "plate.msh"

[materials.aluminum]
young = 7.0e10
poisson = 0.3
density = 2700.0

[sections.skin]
kind = "shell"
material = "aluminum"
thickness = 0.002
elements = "skin"

[sections.rib]
kind = "beam"
material = "aluminum"
shape = "BAR"
dimensions = [0.01, 0.02]
orientation = [0.0, 0.0, 1.0]
elements = "rib"

[masses.tip]
at = [2.0, 1.0, 0.0]
mass = 1.5
offset = [0.0, 0.0, 0.1]
inertia = [0.02, 0.02, 0.03]

[points]
root = { at = "root", rigid = true }
corner = [2.0, 0.0, 0.0]

[[supports]]
at = "root"

[analysis]
frame = "connection"
attachment = "root"
count = 6

[damping]
ratio = 0.005

[outputs]
record = "plate.h5"
"""


def plate_mesh(folder: Path, name: str = "plate.msh", file_format: str | None = "gmsh") -> Path:
    """A 2 m x 1 m plate of 4 x 2 quadrilaterals with a rib along y = 1 and a root edge at x = 0."""
    x, y = np.meshgrid(np.linspace(0.0, 2.0, 5), np.linspace(0.0, 1.0, 3), indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(15)])
    node = np.arange(15).reshape(5, 3)
    quads = np.array(
        [[node[i, j], node[i + 1, j], node[i + 1, j + 1], node[i, j + 1]] for i in range(4) for j in range(2)]
    )
    rib = np.array([[node[i, 2], node[i + 1, 2]] for i in range(4)])
    root = np.array([[node[0, j], node[0, j + 1]] for j in range(2)])
    mesh = meshio.Mesh(
        points,
        [("quad", quads), ("line", np.vstack([rib, root]))],
        cell_data={
            "gmsh:physical": [np.full(8, 1), np.array([2] * 4 + [3] * 2)],
            "gmsh:geometrical": [np.full(8, 1), np.array([1] * 4 + [2] * 2)],
        },
        field_data={"skin": np.array([1, 2]), "rib": np.array([2, 1]), "root": np.array([3, 1])},
    )
    path = folder / name
    if file_format == "gmsh":
        mesh.write(path, file_format="gmsh22", binary=False)
    else:
        mesh.write(path)
    return path


def cube_mesh(folder: Path, name: str = "cube.vtu") -> Path:
    """Two hexahedra of 1 m side by side along x."""
    corners = np.array([[i, j, k] for i in (0.0, 1.0, 2.0) for j in (0.0, 1.0) for k in (0.0, 1.0)])
    cells = np.array([[0, 4, 6, 2, 1, 5, 7, 3], [4, 8, 10, 6, 5, 9, 11, 7]])
    meshio.Mesh(corners, [("hexahedron", cells)]).write(folder / name)
    return folder / name


def write_case(folder: Path, text: str = PLATE, name: str = "plate.toml") -> Path:
    """A case file beside its mesh."""
    path = folder / name
    path.write_text(text)
    return path
