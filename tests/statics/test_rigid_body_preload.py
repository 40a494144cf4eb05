"""Modes about a load on a rigid body: against CalculiX with a block of stiff solids in place of the rigid body.

CalculiX' own *RIGID BODY takes the stress of the solids into account, not the turning of the arms from its reference node under
their forces: its modes do not change with the place of that node along the load, and depart from those of the block by 3 %.
"""

import subprocess

import numpy as np
import pytest
from oracles.calculix import CCX

from tisserand.assembly import assemble
from tisserand.errors import ModelError
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus

ACROSS = [(j, k) for j in range(3) for k in range(3)]
CORNERS = [(i, j, k) for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
LOADED = """*BOUNDARY
{fixed},1,3
*STEP
*STATIC
*CLOAD
{node},{load}
*END STEP
*STEP,PERTURBATION
*FREQUENCY
6
*END STEP
"""


def material(name, elements, young, poisson, density):
    return (
        f"*MATERIAL,NAME={name}\n*ELASTIC\n{young},{poisson}\n*DENSITY\n{density}\n"
        f"*SOLID SECTION,ELSET={elements},MATERIAL={name}\n"
    )


def deck(at, load, stiff):
    """A bar of 5 x 2 x 2 skew bricks (C3D8); its end is tied to a node ``at``, or continued by a stiff block to it."""
    spots, bricks = {}, []
    for i in range(7 if stiff else 6):
        for j, k in ACROSS:
            x, y, z = 0.2 * i, 0.05 * j, 0.05 * k
            place = (
                (
                    x + 0.03 * np.sin(9 * y + 4 * z) * (i > 0),
                    y + 0.01 * np.sin(5 * x + 20 * z),
                    z + 0.01 * np.sin(6 * x),
                )
                if i < 6
                else (at[0], at[1] + y - 0.05, at[2] + z - 0.05)
            )
            spots[i, j, k] = (len(spots) + 1, place)
    for i in range(6 if stiff else 5):
        for j in (0, 1):
            for k in (0, 1):
                nodes = [spots[i + a, j + b, k + c][0] for a, b, c in CORNERS]
                bricks.append((i, f"{len(bricks) + 1}," + ",".join(map(str, nodes))))
    text = "*NODE\n" + "".join(f"{n},{x:.9f},{y:.9f},{z:.9f}\n" for n, (x, y, z) in spots.values())
    own = "\n".join(row for i, row in bricks if i < 5)
    text += f"*ELEMENT,TYPE=C3D8,ELSET=BAR\n{own}\n{material('SOFT', 'BAR', 7e10, 0.3, 2700.0)}"
    held = [spots[0, j, k][0] for j, k in ACROSS]
    text += "*NSET,NSET=FIXED\n" + ",".join(map(str, held)) + "\n"
    if stiff:
        block = "\n".join(row for i, row in bricks if i == 5)
        text += f"*ELEMENT,TYPE=C3D8,ELSET=BLOCK\n{block}\n{material('STIFF', 'BLOCK', 7e15, 0.0, 1e-3)}"
        node = spots[6, 1, 1][0]
    else:
        node = 1000
        point = ",".join(map(str, at))
        text += f"*NODE\n1000,{point}\n1001,{point}\n*NSET,NSET=END\n" + ",".join(
            str(spots[5, j, k][0]) for j, k in ACROSS
        )
        text += "\n*RIGID BODY,NSET=END,REF NODE=1000,ROT NODE=1001\n"
    return text + LOADED.format(fixed="FIXED", node=node, load=load)


def calculix(folder, text):
    (folder / "run.inp").write_text(text)
    subprocess.run([str(CCX), "run"], cwd=folder, capture_output=True, timeout=120, check=False)
    lines = [line.split() for line in (folder / "run.dat").read_text().splitlines()]
    return np.array([float(items[3]) for items in lines if len(items) == 5 and items[0].isdigit()])[:6]


@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("reach", [1.06, 1.3])
def test_rigid_bodies_turn_under_their_load(tmp_path, reach):
    """A pull of 1e6 N (1.4e-3 of strain) on the middle of the end, from two distances: 2e-4; CalculiX' own tie is 3 % off."""
    at, load = (reach, 0.05, 0.05), "1,1e6"
    wanted = calculix(tmp_path, deck(at, load, stiff=True))
    tied = deck(at, load, stiff=False)
    theirs = calculix(tmp_path, tied)
    (tmp_path / "tied.inp").write_text(tied)
    found = solve_modes(assemble(read_abaqus(tmp_path / "tied.inp", "SI", flavor="calculix")), count=6)
    np.testing.assert_allclose(found.frequencies_hz, wanted, rtol=2e-4)
    assert np.abs(theirs / wanted - 1).max() > 0.02
    assert any("turn under their load" in note for note in found.model.ledger.assumptions)


def test_a_rigid_body_that_turns_far_is_refused(tmp_path):
    """Arms are taken at the unloaded place: a turn above 0.02 rad is named instead of solved."""
    (tmp_path / "far.inp").write_text(deck((1.3, 0.3, 0.05), "1,2e5", stiff=False))
    with pytest.raises(ModelError, match=r"turns a rigid body too far: .* found 0\.0[0-9]+ rad, expected at most 0.02"):
        solve_modes(assemble(read_abaqus(tmp_path / "far.inp", "SI", flavor="calculix")), count=1)
