"""Loads of static steps before a perturbation, stated again, removed, with amplitudes: frequencies of CalculiX."""

import re
import shutil
import subprocess

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import DroppedCardsError, ReadError
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus

FREQUENCY = "*STEP, PERTURBATION\n*FREQUENCY\n5\n*END STEP\n"
GRAVITY = "*DLOAD\nE,GRAV,9.81E3,0.,0.,-1.\n"


def static(*loads, head="*STEP"):
    return f"{head}\n*STATIC\n1.,1.\n{''.join(loads)}*END STEP\n"


def force(value, option="", component=1):
    return f"*CLOAD{option}\nTIP,{component},{value}\n"


STEPS = {
    "stated again": static(force(1e6)) + static(force(2e6)),
    "twice in one step": static(force(1e6), force(1e6)),
    "another component later": static(force(1e6)) + static(force(3e4, component=2)),
    "new replaces all": static(force(2e6)) + static(force(3e4, ", OP=NEW", 2)),
    "amplitude": static(force(2e6, ", AMPLITUDE=A1")),
    "amplitude of total time": static(force(1e6)) + static(force(2e6, ", AMPLITUDE=A2")),
    "two gravities": static(GRAVITY, "*DLOAD\nE,GRAV,5.E3,1.,0.,0.\n"),
    "gravity stated again": static(GRAVITY) + static("*DLOAD\nE,GRAV,2.E3,0.,0.,-1.\n"),
    "spin and gravity": static(GRAVITY, "*DLOAD\nE,CENTRIF,1.E3,0.,0.,0.,0.,0.,1.\n"),
    "static step called perturbation": static(force(1e6), head="*STEP, PERTURBATION"),
    "boundary of the modes alone": static(force(1e6))
    + "*STEP, PERTURBATION\n*FREQUENCY\n5\n*BOUNDARY\nTIP,2\n*END STEP\n",
    "moved support with amplitude": static("*BOUNDARY, AMPLITUDE=A1\nTIP,1,1,0.02\n"),
}


STEPS["temperature without expansion"] = "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL,20.\n" + static(
    force(1e6), "*TEMPERATURE\nALL,50.\n"
)


def deck(steps):
    """A cantilever of bricks, slightly bent."""
    ids = {(i, j, k): 1 + 4 * i + 2 * j + k for i in range(6) for j in range(2) for k in range(2)}
    text = "*NODE, NSET=ALL\n" + "".join(
        f"{n},{0.5 * i},{0.4 * j + 0.02 * i * i},{0.3 * k}\n" for (i, j, k), n in ids.items()
    )
    text += "*ELEMENT, TYPE=C3D8, ELSET=E\n"
    for i in range(5):
        ring = [(0, 0), (1, 0), (1, 1), (0, 1)]
        text += f"{i + 1}," + ",".join(str(ids[i + a, b, k]) for k in range(2) for a, b in ring) + "\n"
    text += "*NSET, NSET=TIP\n21,22,23,24\n*MATERIAL, NAME=M\n*ELASTIC\n7.E9,.3\n*DENSITY\n2700.\n"
    text += "*SOLID SECTION, ELSET=E, MATERIAL=M\n*BOUNDARY\n" + "".join(f"{n},1,3\n" for n in range(1, 5))
    text += "*AMPLITUDE, NAME=A1\n0.,0.,1.,.5\n*AMPLITUDE, NAME=A2, TIME=TOTAL TIME\n0.,0.,2.,.8,3.,1.\n"
    return text + steps + ("" if "FREQUENCY" in steps else FREQUENCY)


@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("case", STEPS)
def test_modes_start_from_the_loads_at_the_end(tmp_path, case):
    (tmp_path / "a.inp").write_text(deck(STEPS[case]))
    subprocess.run(["ccx", "a"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    rows = re.findall(r"^\s*\d+\s+\S+E[+-]\d+\s+\S+\s+(\S+)\s+\S+\s*$", (tmp_path / "a.dat").read_text(), re.M)
    model = read_abaqus(tmp_path / "a.inp", "consistent", flavor="calculix")
    assert model.analysis.preload is not None
    found = solve_modes(assemble(model), count=5).frequencies_hz
    np.testing.assert_allclose(found, [float(row) for row in rows[-5:]], rtol=1e-6)
    entry = next(entry for entry in model.ledger.entries if entry.card == "*STATIC")
    assert entry.fate == "used"


def test_gravity_on_a_part_and_other_amplitudes_are_refused_by_name(tmp_path):
    file = tmp_path / "a.inp"
    part = "*ELSET, ELSET=HALF\n1,2\n" + static("*DLOAD\nHALF,GRAV,9.81,0.,0.,-1.\n")
    file.write_text(deck(part))
    with pytest.raises(DroppedCardsError, match="on a part of the structure in the preload of step 1"):
        read_abaqus(file, "consistent", flavor="calculix")
    file.write_text(deck(STEPS["amplitude"]).replace("NAME=A1", "NAME=A1, DEFINITION=PERIODIC"))
    with pytest.raises(Exception, match="another way"):
        read_abaqus(file, "consistent", flavor="calculix")
    file.write_text(deck(STEPS["amplitude"]).replace("AMPLITUDE=A1", "AMPLITUDE=A7"))
    with pytest.raises(Exception, match="the amplitude does not exist"):
        read_abaqus(file, "consistent", flavor="calculix")


def test_a_load_on_the_rotation_node_of_a_rigid_body_is_a_moment(tmp_path):
    """CalculiX states moments as forces on the ROT NODE; the same as components 4 to 6 of the reference node."""
    head = "*NODE\n101,3.,.7,.15\n102,3.,.7,.15\n*RIGID BODY, NSET=TIP, REF NODE=101, ROT NODE=102\n"
    found = []
    for loads in ("102,3,2.E5\n102,1,1.E5\n101,1,4.E5\n", "101,6,2.E5\n101,4,1.E5\n101,1,4.E5\n"):
        (tmp_path / "a.inp").write_text(deck(head + static(f"*CLOAD\n{loads}")))
        state = read_abaqus(tmp_path / "a.inp", "consistent", flavor="calculix").analysis.preload
        found.append((state.node_ids.tolist(), state.forces.tolist()))
    assert found[0] == found[1] == ([101], [[4e5, 0.0, 0.0, 1e5, 0.0, 2e5]])


def test_a_deck_of_many_steps_is_not_listed_in_full(tmp_path):
    path = tmp_path / "many.inp"
    path.write_text(deck("*STEP\n*FREQUENCY\n3\n*END STEP\n" * 500))
    assert max(len(note) for note in read_abaqus(path, "SI").ledger.notes) < 300
    with pytest.raises(ReadError, match=r"500 in all") as caught:
        read_abaqus(path, "SI", step=501)
    assert len(str(caught.value)) < 800
