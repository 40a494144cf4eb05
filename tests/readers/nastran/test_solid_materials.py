"""MAT11 and PCOMPS of one kind of ply against MAT9 written out, at any angle of the plies."""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.readers.registry import read_model

MESH = """BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.1,1.,0.
GRID,4,,0.,1.2,0.
GRID,5,,0.,0.,1.
GRID,6,,1.,.1,1.
GRID,7,,1.,1.,1.1
GRID,8,,0.,1.,1.
CHEXA,1,1,1,2,3,4,5,6
,7,8
"""
MAT11 = "MAT11,1,1.3E5,9800.,8000.,.3,.25,.4,5600.\n,5000.,3700.,1.6E-9\n"
E, NU, G = (1.3e5, 9800.0, 8000.0), (0.3, 0.25, 0.4), (5600.0, 3700.0, 5000.0)  # G12, G23, G31


def mat9():
    S = np.diag([*(1 / e for e in E), *(1 / g for g in G)])
    S[0, 1] = S[1, 0] = -NU[0] / E[0]
    S[0, 2] = S[2, 0] = -NU[1] / E[0]
    S[1, 2] = S[2, 1] = -NU[2] / E[1]
    C = np.linalg.inv(S)
    terms = [f"{C[i, j]:.13E}" for i in range(6) for j in range(i, 6)]
    fields = ["MAT9*", "1", *terms, "1.6E-9"]
    lines = [fields[:5]] + [["*", *fields[5 + 4 * k : 9 + 4 * k]] for k in range(5)]
    return "".join(",".join(line) + "\n" for line in lines)


def matrices(tmp_path, cards):
    file = tmp_path / "deck.bdf"
    file.write_text(f"{MESH}{cards}ENDDATA\n")
    model = assemble(read_model(file, "consistent"))
    return model.stiffness.toarray(), model.mass.toarray()


def same(found, meant):
    for ours, theirs in zip(found, meant):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-10 * np.abs(theirs).max())


def test_mat11_is_mat9_of_its_constants(tmp_path):
    same(matrices(tmp_path, "PSOLID,1,1\n" + MAT11), matrices(tmp_path, "PSOLID,1,1\n" + mat9()))


@pytest.mark.parametrize("psdir", [12, 13, 21, 23, 31, 32])
@pytest.mark.parametrize("angle", [0.0, 35.0])
def test_plies_of_one_kind_are_a_turned_material(tmp_path, psdir, angle):
    first, stack = np.eye(3)[psdir // 10 - 1], np.eye(3)[psdir % 10 - 1]
    t = np.radians(angle)
    x = np.cos(t) * first + np.sin(t) * np.cross(stack, first)
    a, b = stack, x  # CORD2R: origin, point on z, point in the xz plane
    system = f"CORD2R,5,,0.,0.,0.,{a[0]},{a[1]},{a[2]}\n,{b[0]:.14f},{b[1]:.14f},{b[2]:.14f}\n"
    plies = f"PCOMPS,1,0,{psdir}\n" + f",1,1,.25,{angle}\n" + f",2,1,.75,{angle}\n"
    same(matrices(tmp_path, plies + MAT11), matrices(tmp_path, f"PSOLID,1,1,5\n{system}{mat9()}"))


def test_plies_that_differ_and_impossible_constants_are_refused(tmp_path):
    with pytest.raises(ReadError, match="2 kinds of plies"):
        matrices(tmp_path, f"PCOMPS,1,0,13\n,1,1,.5,0.\n,2,1,.5,90.\n{MAT11}")
    with pytest.raises(ReadError, match="no elastic material"):
        matrices(tmp_path, "PSOLID,1,1\n" + MAT11.replace(".4,5600.", "4.,5600."))
