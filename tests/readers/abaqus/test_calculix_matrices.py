"""Solids of CalculiX decks: stiffness and mass of distorted elements term by term, and frequencies of meshes of wedges."""

import re
import shutil
import subprocess

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.elements.solid_shapes import HEX_CORNERS, HEX_EDGES, TET_EDGES
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus

pytestmark = pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")

TET = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
WEDGE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]], float)
WEDGE_EDGES = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
HEX = 0.5 * (HEX_CORNERS + 1.0)


def with_middles(corners, edges):
    return np.vstack([corners, [(corners[a] + corners[b]) / 2 for a, b in edges]])


PLACES = {
    "C3D4": TET,
    "C3D10": with_middles(TET, TET_EDGES),
    "C3D6": WEDGE,
    "C3D15": with_middles(WEDGE, WEDGE_EDGES),
    "C3D8": HEX,
    "C3D20": with_middles(HEX, HEX_EDGES),
    "C3D20R": with_middles(HEX, HEX_EDGES),
}


def deck(points, kind, cells, end):
    text = "*NODE\n" + "".join(f"{i + 1},{x!r},{y!r},{z!r}\n" for i, (x, y, z) in enumerate(points.tolist()))
    text += f"*ELEMENT, TYPE={kind}, ELSET=E\n"
    for number, cell in enumerate(cells, 1):
        words = [str(number), *(str(n + 1) for n in cell)]
        text += ",".join(words[:12]) + (",\n" + ",".join(words[12:]) if len(words) > 12 else "") + "\n"
    text += "*MATERIAL, NAME=M\n*ELASTIC\n1000.,.3\n*DENSITY\n1.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"
    return text + end


def run(folder, text):
    (folder / "a.inp").write_text(text)
    subprocess.run(["ccx", "a"], cwd=folder, check=True, capture_output=True, timeout=60)
    return read_abaqus(folder / "a.inp", "consistent", flavor="calculix")


def stored(file, size):
    out = np.zeros((size, size))
    for row, column, value in (line.split() for line in file.read_text().splitlines()):
        out[int(row) - 1, int(column) - 1] = out[int(column) - 1, int(row) - 1] = float(value)
    return out


@pytest.mark.parametrize("kind", PLACES)
def test_stiffness_and_mass_are_those_that_calculix_stores(tmp_path, kind):
    shear = np.array([[1, 0.1, 0], [0.2, 1.1, 0.1], [0.05, 0.1, 0.9]])
    moved = 0.04 * np.random.default_rng(3).standard_normal(PLACES[kind].shape)
    points = np.round(PLACES[kind] @ shear + moved, 5)
    end = "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n*END STEP\n"
    model = assemble(run(tmp_path, deck(points, kind, [range(len(points))], end)))
    rows = np.flatnonzero(model.dofs.component < 3)
    for name, ours in (("sti", model.stiffness), ("mas", model.mass)):
        theirs = stored(tmp_path / f"a.{name}", 3 * len(points))
        np.testing.assert_allclose(
            ours.toarray()[np.ix_(rows, rows)], theirs, rtol=0, atol=1e-12 * np.abs(theirs).max()
        )


def test_frequencies_of_a_mesh_of_wedges(tmp_path):
    """A bent bar of 48 wedges: ten frequencies to the digits that CalculiX prints."""
    nx, ny, nz = 6, 2, 2
    number = {
        (i, j, k): (i * (ny + 1) + j) * (nz + 1) + k
        for i in range(nx + 1)
        for j in range(ny + 1)
        for k in range(nz + 1)
    }
    points = np.array([(0.5 * i + 0.02 * k * k, 0.4 * j + 0.05 * i, 0.3 * k + 0.03 * i * j) for i, j, k in number])
    cells = []
    for i, j, k in np.ndindex(nx, ny, nz):
        low, high = ([number[i + a, j + b, k + c] for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))] for c in (0, 1))
        cells += [[low[m] for m in corners] + [high[m] for m in corners] for corners in ((0, 1, 2), (0, 2, 3))]
    held = "*BOUNDARY\n" + "".join(f"{number[0, j, k] + 1},1,3\n" for j in range(ny + 1) for k in range(nz + 1))
    model = run(tmp_path, deck(points, "C3D6", cells, held + "*STEP\n*FREQUENCY\n10\n*END STEP\n"))
    rows = re.findall(r"^\s*\d+\s+\S+E[+-]\d+\s+\S+\s+(\S+)\s+\S+\s*$", (tmp_path / "a.dat").read_text(), re.M)
    found = solve_modes(assemble(model), count=10).frequencies_hz
    np.testing.assert_allclose(found, [float(row) for row in rows[:10]], rtol=1e-6)


def test_abaqus_lumps_the_mass_of_its_two_point_wedge(tmp_path):
    """The same two points of stiffness; total mass and frequencies of the same order."""
    points = np.round(WEDGE + 0.05 * np.random.default_rng(1).standard_normal(WEDGE.shape), 5)
    (tmp_path / "a.inp").write_text(deck(points, "C3D6", [range(6)], ""))
    ours, other = (
        assemble(read_abaqus(tmp_path / "a.inp", "consistent", flavor=name)) for name in ("abaqus", "calculix")
    )
    assert abs(ours.stiffness - other.stiffness).max() < 1e-12 * abs(ours.stiffness).max()
    assert ours.mass.nnz == len(ours.mass.diagonal().nonzero()[0])
    assert ours.mass.sum() == pytest.approx(other.mass.sum())


def test_a_single_free_brick_of_reduced_integration(tmp_path):
    """Six hourglass motions have neither stiffness nor mass: they are held, rigid motions stay free; scipy solves the rest."""
    from scipy.linalg import eigh, null_space

    points = PLACES["C3D20R"]
    (tmp_path / "a.inp").write_text(deck(points, "C3D20R", [range(20)], ""))
    model = assemble(read_abaqus(tmp_path / "a.inp", "consistent", flavor="calculix"))
    K, M = model.stiffness.toarray(), model.mass.toarray()
    shared = null_space(K / np.abs(K).max() + M / np.abs(M).max(), rcond=1e-11)
    rest = null_space(shared.T)
    meant = np.sqrt(1.0 / eigh(rest.T @ M @ rest, rest.T @ (K + M) @ rest, eigvals_only=True)[::-1][6:14] - 1.0)
    basis = solve_modes(model, count=8, allow_mechanisms=True)
    assert shared.shape[1] == 6 and basis.rigid_body_modes == 6
    np.testing.assert_allclose(2 * np.pi * basis.frequencies_hz, meant, rtol=1e-8)
