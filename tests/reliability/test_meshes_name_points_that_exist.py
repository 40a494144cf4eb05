"""Cells that name points outside the table are refused by cell; NumPy would count from the end."""

import meshio
import numpy as np
import pytest

from tisserand.errors import FileError
from tisserand.readers.meshes import read_mesh


def mesh_with(tmp_path, index):
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    mesh = meshio.Mesh(points, [("triangle", np.array([[0, 1, 2]])), ("line", np.array([[0, 1], [1, index]]))])
    mesh.write(tmp_path / "bad.vtu", binary=False)
    return tmp_path / "bad.vtu"


@pytest.mark.parametrize("index", [-1, -14, 4, 10**9])
def test_an_index_outside_the_table_is_refused_with_its_cell(tmp_path, index):
    with pytest.raises(
        FileError, match=rf"line cell 3 names a point that does not exist; found index {index}, expected 0 to 3"
    ):
        read_mesh(mesh_with(tmp_path, index))


def test_a_point_that_is_not_a_number_is_refused(tmp_path):
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, np.nan, 0]])
    meshio.Mesh(points, [("triangle", np.array([[0, 1, 2]]))]).write(tmp_path / "nan.vtu", binary=True)
    with pytest.raises(FileError, match="point 3"):
        read_mesh(tmp_path / "nan.vtu")


def test_a_parser_that_waits_for_a_line_that_never_comes_is_stopped(tmp_path, monkeypatch):
    """meshio's reader of PLY files looks for the end of the header, also where the file has ended."""
    monkeypatch.setattr("tisserand.stored.bounds.LEAST", 0.5)
    (tmp_path / "cut.ply").write_text("ply\nformat ascii 1.0\ncomment made ")
    with pytest.raises(FileError, match="cut off or damaged"):
        read_mesh(tmp_path / "cut.ply")
