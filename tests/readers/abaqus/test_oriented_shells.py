"""Orthotropic shells: constants of three dimensions, layers that name an orientation, material axes of CalculiX.

Judges: LAMINA constants of the same material, the same plate written in another way, and CalculiX on S8R.
"""

import re
import shutil
import subprocess

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus

#: E1, E2, E3, nu12, nu13, nu23, G12, G13, G23 of a carbon ply (Pa).
E1, E2, E3, N12, N13, N23, G12, G13, G23 = PLY = (120e9, 9e9, 11e9, 0.3, 0.25, 0.4, 5e9, 4e9, 3e9)
LAMINA = f"*ELASTIC, TYPE=LAMINA\n{E1},{E2},{N12},{G12},{G13},{G23}\n"
SOLID = "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n" + ",".join(map(str, PLY[:8])) + f"\n{G23},\n"
#: The same ply with its axes (1, 2, 3) renamed (2, 3, 1): the thickness is the first axis.
RENAMED = (
    "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"
    + ",".join(map(str, (E3, E1, E2, N13 * E3 / E1, N23 * E3 / E2, N12, G13, G23)))
    + f"\n{G12},\n"
)


def orientation(name: str, degrees: float, extra: str = "3,0.") -> str:
    """A system whose x axis is turned about z."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return f"*ORIENTATION, NAME={name}\n{c},{s},0.,{-s},{c},0.\n{extra}\n"


def plate(elastic: str, section: str, systems: str = "", *, down: bool = False, kind: str = "S4", n: int = 4) -> str:
    """A cantilever plate of 1 x 0.7 m in the x-y plane; ``down``: its normals point along -z."""
    quadratic = kind == "S8R"
    m = 2 * n if quadratic else n
    lines = ["*NODE"]
    lines += [f"{1 + i * (m + 1) + j},{i / m},{0.7 * j / m},0." for i in range(m + 1) for j in range(m + 1)]
    lines.append(f"*ELEMENT, TYPE={kind}, ELSET=E")
    step = 2 if quadratic else 1
    around = [(0, 0), (1, 0), (1, 1), (0, 1)]
    around = around[::-1] if down else around
    for e, (i, j) in enumerate(np.ndindex(n, n), 1):
        corners = [(step * (i + a), step * (j + b)) for a, b in around]
        nodes = [1 + a * (m + 1) + b for a, b in corners]
        if quadratic:
            middle = [((p[0] + q[0]) // 2, (p[1] + q[1]) // 2) for p, q in zip(corners, corners[1:] + corners[:1])]
            nodes += [1 + a * (m + 1) + b for a, b in middle]
        lines.append(",".join(map(str, (e, *nodes))))
    lines.append(f"*NSET, NSET=FIX, GENERATE\n1,{m + 1},1\n*MATERIAL, NAME=C\n{elastic}*DENSITY\n1600.")
    lines.append(f"{systems}*SHELL SECTION, ELSET=E, {section}\n*BOUNDARY\nFIX,1,6\n*STEP\n*FREQUENCY\n6\n*END STEP\n")
    return "\n".join(lines)


def frequencies(tmp_path, text: str, flavor: str, count: int = 6) -> np.ndarray:
    (tmp_path / "plate.inp").write_text(text)
    model = read_abaqus(tmp_path / "plate.inp", "SI", flavor=flavor)
    return solve_modes(assemble(model), count=count).frequencies_hz[:count]


@pytest.mark.parametrize(
    "section", ["MATERIAL=C\n.01", "MATERIAL=C, ORIENTATION=O\n.01", "COMPOSITE\n.004,,C,20.\n.006,,C,-70."]
)
def test_constants_of_three_dimensions_are_those_of_the_ply(tmp_path, section):
    """Abaqus: plane stress of E1, E2, nu12, G12, G13, G23, the third axis along the normal."""
    systems = orientation("O", 25.0)
    flat = frequencies(tmp_path, plate(LAMINA, section, systems), "abaqus")
    assert frequencies(tmp_path, plate(SOLID, section, systems), "abaqus") == pytest.approx(flat, rel=1e-10)


SYSTEMS = orientation("A", 20.0) + orientation("B", -40.0) + orientation("X", 0.0)


@pytest.mark.parametrize("flavor", ["abaqus", "calculix"])
def test_layers_that_name_their_orientation_are_turned_by_its_angle(tmp_path, flavor):
    """Exactly in the axes of the section; without any, those of the first layer count, and the shear stiffness of a laminate
    is computed axis by axis (as for PCOMP): 1e-3.
    """
    angles = frequencies(tmp_path, plate(SOLID, "COMPOSITE, ORIENTATION=X\n.004,,C,20.\n.006,,C,-40.", SYSTEMS), flavor)
    named = frequencies(tmp_path, plate(SOLID, "COMPOSITE, ORIENTATION=X\n.004,,C,A\n.006,,C,B", SYSTEMS), flavor)
    assert named == pytest.approx(angles, rel=1e-10)
    bare = frequencies(tmp_path, plate(SOLID, "COMPOSITE\n.004,,C,A\n.006,,C,B", SYSTEMS), flavor)
    assert bare == pytest.approx(angles, rel=1e-3)
    turned = frequencies(tmp_path, plate(SOLID, "COMPOSITE, ORIENTATION=A\n.004,,C,0.\n.006,,C,B", SYSTEMS), flavor)
    assert turned == pytest.approx(bare, rel=1e-10)


@pytest.mark.parametrize("flavor", ["abaqus", "calculix"])
def test_named_orientations_do_not_turn_with_the_normal(tmp_path, flavor):
    """A plate with its normals down and its layers in reverse is the same plate; by angles it would be the mirrored one."""
    start = "COMPOSITE, ORIENTATION=X\n"
    up = frequencies(tmp_path, plate(SOLID, start + ".004,,C,A\n.006,,C,B", SYSTEMS), flavor)
    down = frequencies(tmp_path, plate(SOLID, start + ".006,,C,B\n.004,,C,A", SYSTEMS, down=True), flavor)
    assert down == pytest.approx(up, rel=1e-10)
    wrong = frequencies(tmp_path, plate(SOLID, start + ".006,,C,A\n.004,,C,B", SYSTEMS, down=True), flavor)
    assert np.abs(wrong / up - 1.0).max() > 1e-3


def test_calculix_takes_the_axes_of_the_orientation_as_they_are(tmp_path):
    """Thickness along the first axis, or global axes without an orientation: the same plate."""
    flat = frequencies(tmp_path, plate(SOLID, "MATERIAL=C\n.01"), "calculix")
    turned = "*ORIENTATION, NAME=O\n0.,0.,1.,1.,0.,0.\n"  # local x = global z, local y = global x
    found = frequencies(tmp_path, plate(RENAMED, "MATERIAL=C, ORIENTATION=O\n.01", turned), "calculix")
    assert found == pytest.approx(flat, rel=1e-10)


@pytest.mark.parametrize(
    "elastic, section, systems, words",
    [
        (SOLID, "MATERIAL=C, ORIENTATION=O\n.01", "*ORIENTATION, NAME=O\n1.,0.,.5,0.,1.,0.\n", "along and across"),
        (SOLID, "COMPOSITE\n.01,,C,NOPE", "", "unknown orientation"),
        (
            SOLID,
            "COMPOSITE\n.01,,C,A\n.01,,C,R",
            orientation("A", 0.0) + "*ORIENTATION, NAME=R, SYSTEM=CYLINDRICAL\n-1.,0.,0.,-1.,0.,1.\n",
            "from place to place",
        ),
        (
            "*ELASTIC, TYPE=ANISOTROPIC\n100e9,5e9,20e9,5e9,5e9,20e9,1e9,0.\n0.,5e9,0.,0.,0.,0.,5e9,0.\n0.,0.,0.,0.,5e9\n",
            "MATERIAL=C\n.01",
            "",
            "orthotropic",
        ),
    ],
)
def test_what_a_shell_cannot_have_is_named(tmp_path, elastic, section, systems, words):
    with pytest.raises(ReadError, match=words):
        frequencies(tmp_path, plate(elastic, section, systems), "calculix")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize(
    "section",
    [
        "MATERIAL=C\n.01",
        "MATERIAL=C, ORIENTATION=A\n.01",
        "COMPOSITE\n.003,,C,A\n.004,,C,B\n.003,,C,A",
        "COMPOSITE\n.004,,C,A\n.006,,C,B",
    ],
)
def test_calculix_agrees(tmp_path, section):
    """S8R on 10 x 10: CalculiX expands them into solids, ours stay shells: 1 % in six modes."""
    text = plate(SOLID, section, orientation("A", 30.0) + orientation("B", -45.0), kind="S8R", n=10)
    ours = frequencies(tmp_path, text, "calculix")
    subprocess.run(["ccx", "plate"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    rows = re.findall(r"^ +\d+ +\S+E\S+ +\S+ +(\S+E\S+) +0\.0", (tmp_path / "plate.dat").read_text(), re.M)
    assert ours == pytest.approx([float(row) for row in rows[:6]], rel=1e-2)
