"""Meshes that are one piece are told from those that fold, without a factor; inverse iteration is the oracle."""

import numpy as np
import pytest

from tisserand.assembly import assemble, check_model, find_mechanisms
from tisserand.assembly.rigid_clusters import moves_as_one
from tisserand.readers.nastran import read_nastran

HEAD = """SOL 103
CEND
BEGIN BULK
MAT1,1,7.+10,,.33,2700.
PSHELL,1,1,.01,1,,1
PSOLID,2,1
PBAR,3,1,1.-4,1.-9,1.-9,1.-9
PSHELL,4,1,.01
"""


def deck(tmp_path, points, lines, fixed=()):
    """A model from grid points and cards."""
    grids = [f"GRID,{i + 1},,{x:.4f},{y:.4f},{z:.4f}" for i, (x, y, z) in enumerate(points)]
    held = [f"SPC1,1,123456,{i}" for i in fixed]
    path = tmp_path / "mesh.bdf"
    case = HEAD.replace("CEND\n", "CEND\nSPC = 1\n") if fixed else HEAD
    path.write_text("\n".join([case.rstrip(), "PARAM,AUTOSPC,YES", *grids, *held, *lines, "ENDDATA\n"]))
    return read_nastran(path, units="SI")


def cubes(n):
    """Points and hexahedra of n unit cubes in a row, and of one cube that shares only an edge with the first."""
    points = [(x, y, z) for x in range(n + 1) for y in (0, 1) for z in (0, 1)]
    cells = [[4 * i + a for a in (1, 5, 7, 3, 2, 6, 8, 4)] for i in range(n)]
    return points, cells


def hexa(number, cell):
    words = ",".join(map(str, cell[:6]))
    return f"CHEXA,{number},2,{words}\n,{cell[6]},{cell[7]}"


def test_solids_that_share_faces_are_one_piece(tmp_path):
    points, cells = cubes(3)
    model = deck(tmp_path, points, [hexa(i + 1, cell) for i, cell in enumerate(cells)], fixed=(1, 2, 3, 4))
    assembled = assemble(model)
    assert moves_as_one(model, assembled) and len(find_mechanisms(assembled, assembled.held())) == 0
    assert "one piece" in check_model(model, assembled).of("mechanisms").message


@pytest.mark.parametrize("shared", [1, 2])
def test_solids_that_share_an_edge_or_a_corner_fold(tmp_path, shared):
    """Two cubes on one edge or one corner: hinges of one and three motions."""
    points, cells = cubes(1)
    offset = np.array([1.0, 1.0, 0.0 if shared == 2 else 1.0])
    more = [tuple(np.array(p) + offset) for p in points]
    number, places = {}, []
    for p in [*points, *more]:
        if p not in number:
            number[p] = len(places) + 1
            places.append(p)
    second = [number[tuple(np.array(points[c - 1]) + offset)] for c in cells[0]]
    model = deck(tmp_path, places, [hexa(1, cells[0]), hexa(2, second)], fixed=(1, 2, 3, 4))
    assembled = assemble(model)
    assert not moves_as_one(model, assembled)
    assert len(find_mechanisms(assembled, assembled.held())) == (1 if shared == 2 else 3)


FOLDED = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (1.5, 0, 0.8), (1.5, 1, 0.8), (2, 2, 0.0), (1, 2, 0.0)]


def test_shells_join_over_sides_and_not_over_corners(tmp_path):
    side = ["CQUAD4,1,1,1,2,3,4", "CQUAD4,2,1,2,5,6,3"]
    model = deck(tmp_path, FOLDED[:6], side, fixed=(1, 4))
    assembled = assemble(model)
    assert moves_as_one(model, assembled) and len(find_mechanisms(assembled, assembled.held())) == 0
    corner = ["CQUAD4,1,1,1,2,3,4", "CTRIA3,2,1,3,7,8"]
    model = deck(tmp_path, [*FOLDED[:4], (9, 9, 9), (9, 9, 8), *FOLDED[6:]], corner, fixed=(1, 4))
    assert not moves_as_one(model, assemble(model))


@pytest.mark.parametrize("extra", ["CBAR,9,3,6,7,0.,1.,0.", "CQUAD4,9,4,6,5,9,10"])
def test_what_hangs_on_the_mesh_is_left_to_the_factor(tmp_path, extra):
    """A bar whose end turns freely, and a membrane without bending: nothing is claimed of them."""
    points = [*FOLDED[:6], (3, 1, 2), (5, 5, 5), (2, 0, 1.6), (2, 1, 1.6)]
    model = deck(tmp_path, points, ["CQUAD4,1,1,1,2,3,4", "CQUAD4,2,1,2,5,6,3", extra], fixed=(1, 4))
    assert not moves_as_one(model, assemble(model))
