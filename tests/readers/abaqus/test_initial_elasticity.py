"""Nonlinear elastic materials at zero strain: frequencies of CalculiX with the nonlinear law itself."""

import re
import shutil
import subprocess

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus

LAWS = {
    "neo-hooke": "*HYPERELASTIC, NEO HOOKE\n1.9, 0.026\n",
    "neo-hooke without D1": "*HYPERELASTIC, NEO HOOKE\n1.9, 0.\n",
    "mooney-rivlin": "*HYPERELASTIC, MOONEY-RIVLIN\n1.5, 0.4, 0.026\n",
    "yeoh": "*HYPERELASTIC, YEOH\n1.9, 0.1, 0.01, 0.026, 0., 0.\n",
    "polynomial": "*HYPERELASTIC, POLYNOMIAL, N=2\n1.5, 0.4, 0.1, 0.02, 0.03, 0.026, 0.\n",
    "reduced polynomial": "*HYPERELASTIC, REDUCED POLYNOMIAL, N=2\n1.9, 0.1, 0.026, 0.\n",
    "arruda-boyce": "*HYPERELASTIC, ARRUDA-BOYCE\n3.8, 3., 0.026\n",
    "deformation plasticity": "*DEFORMATION PLASTICITY\n190000., 0.34, 50., 12., 0.45\n",
}


def deck(law):
    """A cantilever of five bricks."""
    ids = {(i, j, k): 1 + 4 * i + 2 * j + k for i in range(6) for j in range(2) for k in range(2)}
    text = "*NODE\n" + "".join(f"{n},{0.5 * i},{0.4 * j},{0.3 * k}\n" for (i, j, k), n in ids.items())
    text += "*ELEMENT, TYPE=C3D8, ELSET=E\n"
    for i in range(5):
        ring = [(0, 0), (1, 0), (1, 1), (0, 1)]
        text += f"{i + 1}," + ",".join(str(ids[i + a, b, k]) for k in range(2) for a, b in ring) + "\n"
    text += f"*MATERIAL, NAME=M\n{law}*DENSITY\n1.E-9\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*BOUNDARY\n"
    return text + "".join(f"{n},1,3\n" for n in range(1, 5)) + "*STEP\n*FREQUENCY\n4\n*END STEP\n"


@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("law", LAWS)
def test_frequencies_are_those_of_calculix_with_the_law_itself(tmp_path, law):
    (tmp_path / "a.inp").write_text(deck(LAWS[law]))
    subprocess.run(["ccx", "a"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    rows = re.findall(r"^\s*\d+\s+\S+E[+-]\d+\s+\S+\s+(\S+)\s+\S+\s*$", (tmp_path / "a.dat").read_text(), re.M)
    model = read_abaqus(tmp_path / "a.inp", "consistent", flavor="calculix")
    found = solve_modes(assemble(model), count=4).frequencies_hz
    np.testing.assert_allclose(found, [float(row) for row in rows[:4]], rtol=1e-6)
    assert any("unloaded state" in entry.reason for entry in model.ledger.entries)


def test_incompressible_and_measured_laws_are_refused_by_name(tmp_path):
    (tmp_path / "a.inp").write_text(deck(LAWS["neo-hooke without D1"]))
    with pytest.raises(Exception, match="incompressible"):
        read_abaqus(tmp_path / "a.inp", "consistent", flavor="abaqus")
    (tmp_path / "b.inp").write_text(deck("*HYPERELASTIC, MARLOW, TEST DATA INPUT\n"))
    with pytest.raises(Exception, match="test data"):
        read_abaqus(tmp_path / "b.inp", "consistent", flavor="abaqus")
    (tmp_path / "c.inp").write_text(deck("*HYPERELASTIC, OGDEN, N=2\n3., 2., 0.8, -2., 0.026, 0.\n"))
    made = read_abaqus(tmp_path / "c.inp", "consistent", flavor="abaqus").materials[0]
    assert made.shear == pytest.approx(3.8)
