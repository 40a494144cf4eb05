"""A spring along the line between two nodes of solids carries what a rod of the same stiffness carries, at any slope."""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

STIFFNESS = 1e11
CORNERS = {1: (0, 0, 0), 2: (1, 0, 0), 3: (0, 1, 0), 4: (0, 0, 1), 5: (1, 1, 1)}
NASTRAN = """SOL 103
CEND
SPC=1
BEGIN BULK
{grids}CTETRA,1,1,1,2,3,4
CTETRA,2,1,2,3,4,5
SPC1,1,123456,1,2,3,9
PSOLID,1,1
MAT1,1,7.E10,,.3,2700.
{spring}ENDDATA
"""
ABAQUS = """*NODE
{nodes}*ELEMENT, TYPE=C3D4, ELSET=E
1,1,2,3,4
2,2,3,4,5
*SOLID SECTION, ELSET=E, MATERIAL=M
*MATERIAL, NAME=M
*ELASTIC
7.E10,.3
*DENSITY
2700.
*ELEMENT, TYPE=SPRINGA, ELSET=S
900,5,9
*SPRING, ELSET=S

{stiffness}
*BOUNDARY
1,1,3
2,1,3
3,1,3
9,1,3
*STEP
*FREQUENCY
6
*END STEP
"""


def spring(kind, length):
    return {
        "CBUSH1D": f"CBUSH1D,900,90,5,9\nPBUSH1D,90,{STIFFNESS:e}\n",
        "CBUSH": f"CBUSH,900,90,5,9\nPBUSH,90,K,{STIFFNESS:e}\n",
        "CROD": f"CROD,900,90,5,9\nPROD,90,2,1.\nMAT1,2,{STIFFNESS * length:.16e},,.3\n",
    }[kind]


def frequencies(path, text):
    path.write_text(text)
    return solve_modes(assemble(read_model(path, "SI")), count=6).frequencies_hz


@pytest.mark.parametrize("seed", range(6))
def test_oblique_springs_carry_what_a_rod_carries(tmp_path, seed):
    """The rod is the oracle; without the spring the first frequencies are lower by up to half."""
    place = np.round(np.array(CORNERS[5]) + np.random.default_rng(seed).uniform(-3.0, 3.0, 3), 4)
    points = {**CORNERS, 9: place}
    grids = "".join(f"GRID,{n},,{x:.6f},{y:.6f},{z:.6f}\n" for n, (x, y, z) in points.items())
    length = float(np.linalg.norm(place - CORNERS[5]))
    found = {
        kind: frequencies(tmp_path / f"{kind}.bdf", NASTRAN.format(grids=grids, spring=spring(kind, length)))
        for kind in ("CROD", "CBUSH1D", "CBUSH")
    }
    nodes = "".join(f"{n},{x},{y},{z}\n" for n, (x, y, z) in points.items())
    springa = tmp_path / "springa.inp"
    springa.write_text(ABAQUS.format(nodes=nodes, stiffness=STIFFNESS))
    lumped = solve_modes(assemble(read_model(springa, "SI"), mass="lumped"), count=6).frequencies_hz
    for other in (found["CBUSH1D"], found["CBUSH"], lumped):
        np.testing.assert_allclose(other, found["CROD"], rtol=1e-9)
