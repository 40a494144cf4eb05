"""Why some decks of the sweep are further from their program than its digits: each reason shown by a formula or another mesh."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq
from support.corpus import needs_corpus
from support.sweep import decks, folder

from tisserand.assembly import assemble
from tisserand.model import Supports
from tisserand.modes import solve_modes
from tisserand.readers.nastran.deck import read_deck
from tisserand.readers.registry import read_model

pytestmark = [needs_corpus, pytest.mark.skipif(not decks(), reason="the sweep of decks is not in the corpus")]


def entry(name):
    found = next(e for e in json.loads((folder() / "sweep.json").read_text()) if Path(e["file"]).stem == name)
    return folder() / found["file"], np.array(found["freqs_hz"])


def test_frequencies_of_a_part_are_those_of_the_held_component():
    """The numbers printed for cbSuper3Modes are those of superelement 1 held at its boundary."""
    path, theirs = entry("cbSuper3Modes")
    part = read_deck(path, "consistent").part(1).model
    held = np.zeros((len(part.nodes), 6), np.bool_)
    held[part.supports.nodes] |= part.supports.fixed
    held[part.analysis.interface[:, 0], part.analysis.interface[:, 1]] = True
    rows = np.flatnonzero(held.any(axis=1))
    found = solve_modes(assemble(part), count=3, supports=Supports(rows, held[rows])).frequencies_hz
    np.testing.assert_allclose(found, theirs, rtol=1e-6)


def timoshenko(inertia, count):
    """Hz of the cantilever of userbeam3 by its transfer matrix: shear and rotary inertia."""
    E, G, rho, A, k, L = 2.1e5, 1.05e5, 7.8e-9, 0.5, 0.833333, 12.0
    scale = np.array([L, 1.0, E * inertia / L, E * inertia / L**2])

    def free_end(f):
        w2 = (2 * np.pi * f) ** 2
        S = np.array(
            [
                [0, 1, 0, 1 / (k * G * A)],
                [0, 0, 1 / (E * inertia), 0],
                [0, -rho * inertia * w2, 0, -1],
                [-rho * A * w2, 0, 0, 0],
            ]
        )
        return np.linalg.det(expm(S * scale / scale[:, None] * L)[2:, 2:])

    grid = np.geomspace(500.0, 2e5, 600)
    values = [free_end(f) for f in grid]
    signs = [(a, b) for a, b, x, y in zip(grid, grid[1:], values, values[1:]) if x * y < 0]
    return [brentq(free_end, a, b) for a, b in signs[:count]]


def test_user_beam_is_timoshenko_here():
    """Bending of userbeam3 in both planes: ours is the closed form to 1e-4, CalculiX' U1 is off by up to 2.6e-3."""
    path, theirs = entry("userbeam3")
    found = solve_modes(assemble(read_model(path, "consistent")), count=4).frequencies_hz
    exact = np.sort([*timoshenko(1.0417e-2, 2), *timoshenko(4.1667e-2, 2)])
    np.testing.assert_allclose(found, exact, rtol=1e-4)
    assert 1e-3 < np.abs(theirs[:4] / exact - 1).max() < 3e-3


def varying_plate(count):
    """shellf on a mesh of count x count eight-node shells with reduced integration."""
    nodes: dict[tuple[int, int], int] = {}
    corners = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1)]
    cells = [
        [nodes.setdefault((2 * a + i, 2 * b + j), len(nodes) + 1) for i, j in corners]
        for a in range(count)
        for b in range(count)
    ]
    text = "*NODE\n" + "".join(f"{n},{i / 2 / count},{j / 2 / count},0.\n" for (i, j), n in nodes.items())
    text += "*ELEMENT, TYPE=S8R, ELSET=E\n" + "".join(f"{e + 1},{','.join(map(str, c))}\n" for e, c in enumerate(cells))
    text += "*NSET, NSET=F\n" + "".join(f"{n},\n" for (i, _), n in nodes.items() if i == 0)
    text += "*BOUNDARY\nF,1,6\n*MATERIAL, NAME=M\n*ELASTIC\n210000,.3\n*DENSITY\n7.8E-9\n"
    text += "*SHELL SECTION, ELSET=E, MATERIAL=M, NODAL THICKNESS\n0.01\n*NODAL THICKNESS\n"
    thick = {
        n: 0.01 + 0.02 * i / count if i <= count else 0.03 - 0.01 * (i - count) / count for (i, _), n in nodes.items()
    }
    return text + "".join(f"{n},{t}\n" for n, t in thick.items()) + "*STEP\n*FREQUENCY\n3\n*END STEP\n"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
def test_two_by_two_full_shells_lock(tmp_path):
    """shellf has 2 x 2 S8 (19.2 kHz in CalculiX); 16 x 16 S8R in CalculiX give 10.1 kHz, ours on the deck's own mesh 10.9 kHz."""
    path, theirs = entry("shellf")
    (tmp_path / "fine.inp").write_text(varying_plate(16))
    subprocess.run(["ccx", "fine"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    rows = re.findall(r"^\s*\d+\s+\S+E[+-]\d+\s+\S+\s+(\S+)\s+\S+\s*$", (tmp_path / "fine.dat").read_text(), re.M)
    refined = np.array([float(row) for row in rows[:3]])
    fine = solve_modes(assemble(read_model(tmp_path / "fine.inp", "consistent")), count=3).frequencies_hz
    own = solve_modes(assemble(read_model(path, "consistent")), count=3).frequencies_hz
    np.testing.assert_allclose(fine, refined, rtol=0.025)
    assert (np.abs(own - refined) < 0.35 * np.abs(theirs[:3] - refined)).all()


@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
def test_the_static_state_of_large_displacements_is_linear_here(tmp_path):
    """beamptied7 moves a support by 0.05 with NLGEOM: 2.5e-4 off; by a tenth of it, the square of a tenth: within 1e-5."""
    path, theirs = entry("beamptied7")
    (tmp_path / "tenth.inp").write_text(path.read_text().replace("fix2,3,3,-0.05", "fix2,3,3,-0.005"))
    subprocess.run(["ccx", "tenth"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    rows = re.findall(r"^\s*\d+\s+\S+E[+-]\d+\s+\S+\s+(\S+)\s+\S+\s*$", (tmp_path / "tenth.dat").read_text(), re.M)
    tenth = solve_modes(assemble(read_model(tmp_path / "tenth.inp", "consistent")), count=10).frequencies_hz
    whole = solve_modes(assemble(read_model(path, "consistent")), count=10).frequencies_hz
    np.testing.assert_allclose(tenth, [float(row) for row in rows[:10]], rtol=1e-5)
    np.testing.assert_allclose(whole, theirs, rtol=3e-4)
    assert np.abs(whole / tenth - 1).max() > 0.05
