"""Parameters and companions of sections: SYMMETRIC, DENSITY, TRANSVERSE SHEAR STIFFNESS, OFFSET1/2, the node of a beam's axis."""

import shutil
import subprocess

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import DroppedCardsError, ReadError
from tisserand.readers.abaqus import read_abaqus
from tisserand.statics import nodal_loads, solve_static

CCX = shutil.which("ccx")
MATERIAL = (
    "*MATERIAL, NAME=A\n*ELASTIC\n7e10, 0.\n*DENSITY\n2700.\n*MATERIAL, NAME=C\n*ELASTIC\n1e8, .3\n*DENSITY\n80.\n"
)


def read(tmp_path, text, **options):
    (tmp_path / "deck.inp").write_text(text)
    return read_abaqus(tmp_path / "deck.inp", "SI", **options)


def strip(section: str, elements: int = 20) -> str:
    """A strip of S4 along x, 1 m long and 0.1 m wide, clamped at x = 0."""
    nodes = "".join(f"{1 + i + 100 * j},{i / elements},{0.1 * j},0\n" for i in range(elements + 1) for j in (0, 1))
    cells = "".join(f"{i},{i},{i + 1},{i + 101},{i + 100}\n" for i in range(1, elements + 1))
    held = "*BOUNDARY\n1,1,6\n101,1,6\n"
    return f"*NODE\n{nodes}*ELEMENT, TYPE=S4, ELSET=E\n{cells}{MATERIAL}{section}{held}"


def tip_deflection(model, tips: list[int], component: int) -> float:
    """Mean displacement of the tips, m, under a load of 1 N that they share."""
    body = assemble(model)
    force = [1.0 / len(tips) if k == component else 0.0 for k in range(3)]
    state = solve_static(body, nodal_loads(body, {tip: tuple(force) for tip in tips}))
    return float(body.displacements(state.displacement)[model.nodes.indices(tips), component, 0].mean())


COMPOSITE = "*SHELL SECTION, ELSET=E, COMPOSITE{more}\n{layers}"


@pytest.mark.parametrize("layers", [["0.002,3,A,30.", "0.01,3,C,0."], ["0.001,3,A", "0.002,3,A,45.", "0.003,3,C"]])
def test_symmetric_repeats_the_layers_in_reverse(tmp_path, layers):
    """The same as all layers written out, whose A11 is the sum of the plies and whose coupling vanishes."""
    half = read(tmp_path, strip(COMPOSITE.format(more=", SYMMETRIC", layers="\n".join(layers) + "\n")))
    full = [*layers, *reversed(layers)]
    whole = read(tmp_path, strip(COMPOSITE.format(more="", layers="\n".join(full) + "\n")))
    for name in ("membrane", "coupling", "bending", "shear"):
        one, two = (getattr(model.sections[0], name) for model in (half, whole))
        np.testing.assert_array_equal(one, two)
    plane = {"A": 7e10, "C": 1e8 / (1.0 - 0.3**2)}
    stiffness = sum(float(row.split(",")[0]) * plane[row.split(",")[2]] for row in full)
    assert half.sections[0].membrane[0, 0] == pytest.approx(stiffness, rel=1e-12)
    assert abs(half.sections[0].coupling).max() < 1e-9 * stiffness * half.sections[0].thickness


@pytest.mark.parametrize("composite", [False, True])
def test_density_of_a_shell_section_is_added(tmp_path, composite):
    plain = "*SHELL SECTION, ELSET=E, MATERIAL=A, DENSITY=5.\n0.01\n"
    layered = COMPOSITE.format(more=", DENSITY=5.", layers="0.01,3,A\n")
    model = read(tmp_path, strip(layered if composite else plain))
    assert assemble(model).mass_properties().mass == pytest.approx(0.1 * (2700.0 * 0.01 + 5.0), rel=1e-12)


def test_transverse_shear_stiffness_of_shells(tmp_path):
    """Tip of a strip under 1 N: L / (b K11) by shear, L^3 / (3 E I) by bending (Timoshenko, nu = 0)."""
    section = "*SHELL SECTION, ELSET=E, MATERIAL=A\n0.01\n*TRANSVERSE SHEAR STIFFNESS\n{}\n"
    bending = 1.0 / (3.0 * 7e10 * 0.1 * 0.01**3 / 12.0)
    for k11 in (1e4, 1e5):
        model = read(tmp_path, strip(section.format(f"{k11}, 3e6")))
        expected = 1.0 / (0.1 * k11) + bending
        assert tip_deflection(model, [21, 121], 2) == pytest.approx(expected, rel=2e-3)
    model = read(tmp_path, strip(section.format("2e4, , 100.")))
    np.testing.assert_array_equal(model.sections[0].shear, [[2e4, 100.0], [100.0, 2e4]])
    assert ("*TRANSVERSE SHEAR STIFFNESS", "used") in {(e.card, e.fate) for e in model.ledger.entries}
    for wrong in ("-1., 2.", "0., 0.", "1., 1., 2."):
        with pytest.raises(ReadError, match="SHEAR STIFFNESS"):
            read(tmp_path, strip(section.format(wrong)))


BEAM = "*NODE\n1,0,0,0\n2,1,0,0\n9,0,1,1\n*ELEMENT, TYPE={kind}, ELSET=E\n1,1,2{third}\n" + MATERIAL
SECTION = "*BEAM SECTION, ELSET=E, MATERIAL=A, SECTION=RECT{more}\n.02, .04\n{axis}\n"


def test_transverse_shear_stiffness_of_beams(tmp_path):
    """One element is exact: L / K + L^3 / (3 E I); K23 acts along axis 2, K13 along axis 1 (here y)."""
    text = BEAM.format(kind="B31", third="") + SECTION.format(more="", axis="0,1,0")
    text += "*TRANSVERSE SHEAR STIFFNESS\n2e4, 5e4, SCF\n*BOUNDARY\n1,1,6\n"
    model = read(tmp_path, text)
    i22, i11 = 0.04 * 0.02**3 / 12.0, 0.02 * 0.04**3 / 12.0
    assert tip_deflection(model, [2], 1) == pytest.approx(1 / 5e4 + 1 / (3 * 7e10 * i22), rel=1e-9)
    assert tip_deflection(model, [2], 2) == pytest.approx(1 / 2e4 + 1 / (3 * 7e10 * i11), rel=1e-9)
    stiff = read(tmp_path, text.replace("B31", "B33"))
    assert tip_deflection(stiff, [2], 1) == pytest.approx(1 / (3 * 7e10 * i22), rel=1e-9)


@pytest.mark.parametrize("kind", ["B31", "B33", "B32"])
def test_the_node_of_a_beam_gives_its_first_axis(tmp_path, kind):
    """From the first node to (0, 1, 1): the same as that vector on the section's second line, which it overrides."""
    nodes = BEAM.replace("9,0,1,1", "3,.5,0,0\n9,0,1,1").replace(
        "1,1,2{third}", "1,1,3,2{third}" if kind == "B32" else "1,1,2{third}"
    )
    by_node = read(tmp_path, nodes.format(kind=kind, third=",9") + SECTION.format(more="", axis="0,0,-1"))
    by_vector = read(tmp_path, nodes.format(kind=kind, third="") + SECTION.format(more="", axis="0,1,1"))
    other = read(tmp_path, nodes.format(kind=kind, third="") + SECTION.format(more="", axis="0,0,-1"))
    one, two, three = (assemble(model).stiffness.toarray() for model in (by_node, by_vector, other))
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-12 * abs(two).max())
    assert abs(one - three).max() > 1e3  # N/m, of 4e5 N/m in bending
    with pytest.raises(ReadError, match="first axis does not exist"):
        read(tmp_path, nodes.format(kind=kind, third=",77") + SECTION.format(more="", axis="0,0,-1"))


@pytest.mark.parametrize("data", [".02, .04\n\n5, 5\n", ".02, .04\n"])
def test_a_blank_second_line_leaves_the_default_axis(tmp_path, data):
    text = BEAM.format(kind="B31", third="") + "*BEAM SECTION, ELSET=E, MATERIAL=A, SECTION=RECT\n" + data
    np.testing.assert_array_equal(read(tmp_path, text).elements[0].orientation, [[0.0, 0.0, -1.0]])


@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize(
    ("shape", "sizes"),
    [("RECT", ".1, .2"), ("CIRC", ".1, .1"), ("PIPE", ".1, .01"), ("BOX", ".1, .2, .01, .01, .01, .01")],
)
def test_offsets_of_beams_are_where_calculix_puts_the_section(tmp_path, shape, sizes):
    """The middle of the nodes that CalculiX expands a B32 (BOX, PIPE: B32R) into is the mass center."""
    kind = "B32R" if shape in ("PIPE", "BOX") else "B32"
    text = (
        f"*NODE, NSET=ALL\n1,0,0,0\n2,.5,0,0\n3,1,0,0\n*ELEMENT, TYPE={kind}, ELSET=E\n1,1,2,3\n{MATERIAL}"
        f"*BEAM SECTION, ELSET=E, MATERIAL=A, SECTION={shape}, OFFSET1=.5, OFFSET2=-.25\n{sizes}\n0,1,0\n"
        "*BOUNDARY\n1,1,6\n*STEP\n*FREQUENCY\n1\n*NODE FILE, OUTPUT=3D\nU\n*END STEP\n"
    )
    model = read(tmp_path, text)
    subprocess.run([str(CCX), "deck"], cwd=tmp_path, capture_output=True, timeout=60, check=False)
    lines = (tmp_path / "deck.frd").read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("    2C"))
    stop = next(i for i, line in enumerate(lines[start:], start) if line.startswith(" -3"))
    places = np.array([[float(line[13 + 12 * k : 25 + 12 * k]) for k in range(3)] for line in lines[start + 1 : stop]])
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
    np.testing.assert_allclose(assemble(model).mass_properties().center[1:], middle[1:], atol=1e-6)


def test_masses_by_direction_are_refused(tmp_path):
    text = BEAM.format(kind="B31", third="") + SECTION.format(more="", axis="0,1,0")
    text += "*ELEMENT, TYPE=MASS, ELSET=M\n2,2\n*MASS, ELSET=M, TYPE=ANISOTROPIC\n{}\n"
    with pytest.raises(DroppedCardsError, match=r"MASS, TYPE=ANISOTROPIC.*direction to direction"):
        read(tmp_path, text.format("1., 2., 3."))
    model = read(tmp_path, text.format("4., 4., 4."))
    assert assemble(model).mass_properties().mass == pytest.approx(2700 * 8e-4 + 4.0)
