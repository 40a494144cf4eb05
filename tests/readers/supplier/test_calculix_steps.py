"""CalculiX runs of several steps, output sets, shells, and a bar in closed form, solved by ccx in the test."""

import subprocess

import numpy as np
import pytest
from oracles.calculix import CCX

import tisserand as ts
from tisserand.errors import FileError
from tisserand.readers.supplier import read_supplier_modes

pytestmark = pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
STEP = "*STEP\n{boundary}*FREQUENCY\n{count}\n*NODE FILE{options}\nU\n*END STEP\n"
STATIC = "*STEP\n*STATIC\n*CLOAD\n33,1,1000.\n*NODE FILE\nU\n*END STEP\n"


def solved(folder, text):
    (folder / "run.inp").write_text(text)
    subprocess.run([CCX, "run"], cwd=folder, capture_output=True, timeout=100, check=True)
    return folder / "run.frd", folder / "run.inp"


def bar(steps):
    """Eight bricks, held at one end."""
    corners = [(0, 0), (0.2, 0), (0.2, 0.1), (0, 0.1)]
    nodes = "\n".join(f"{4 * i + j + 1},{0.25 * i},{y},{z}" for i in range(9) for j, (y, z) in enumerate(corners))
    cells = "\n".join(f"{i + 1}," + ",".join(str(4 * i + j + 1) for j in range(8)) for i in range(8))
    return (
        f"*NODE,NSET=ALL\n{nodes}\n*ELEMENT,TYPE=C3D8,ELSET=E\n{cells}\n*MATERIAL,NAME=M\n*ELASTIC\n7e10,0.3\n*DENSITY\n2700\n"
        "*SOLID SECTION,ELSET=E,MATERIAL=M\n*NSET,NSET=ANTISYM\n9,10,11,12,17,18,19,20,25,26,27,28,33,34,35,36\n"
        f"*BOUNDARY\n1,1,3\n2,1,3\n3,1,3\n4,1,3\n{steps}"
    )


FIRST = STEP.format(boundary="", count=3, options="")
BOTH_ENDS = "*BOUNDARY\n33,1,3\n34,1,3\n35,1,3\n36,1,3\n"


@pytest.fixture(scope="module")
def two_steps(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two")
    return solved(folder, bar(FIRST + STEP.format(boundary=BOTH_ENDS, count=4, options="")))


def test_each_step_is_a_run_of_its_own(two_steps):
    """Held at one end, then at both: each verified by the deck's boundary of that step; none is taken without being named."""
    frd, deck = two_steps
    for step, count in ((1, 3), (2, 4)):
        check = ts.modes(frd, units="SI", deck=deck, step=step).supplier.verification
        assert check.passed and len(check.modes) == count, check.breaches
        assert max(abs(mode.change) for mode in check.modes) < 1e-5
        assert max(mode.effective_mass for mode in check.modes) < 1e-4
        assert ts.diff(deck, frd, units="SI", deck=deck, subcase=step).passed
    with pytest.raises(FileError, match=r"several \*FREQUENCY steps; found step 1: 3 modes .* step 2: 4 modes"):
        read_supplier_modes(frd)
    with pytest.raises(FileError, match="no modes of this step; found 3"):
        read_supplier_modes(frd, 3)


def test_a_static_step_before_is_no_solution(tmp_path):
    frd, deck = solved(tmp_path, bar(STATIC + FIRST))
    assert read_supplier_modes(frd).count == 3
    assert ts.modes(frd, units="SI", deck=deck).supplier.verification.passed


@pytest.mark.parametrize("share", np.arange(1, 50) / 50)
def test_a_cut_dat_file_is_refused_or_whole(two_steps, tmp_path, share):
    """Every fiftieth of the DAT file beside a whole FRD file: refused, never the tables of one step for another."""
    frd, _ = two_steps
    raw = frd.with_suffix(".dat").read_bytes()
    (tmp_path / "run.frd").write_bytes(frd.read_bytes())
    (tmp_path / "run.dat").write_bytes(raw[: int(share * len(raw))])
    whole = read_supplier_modes(frd, 1)
    try:
        found = read_supplier_modes(tmp_path / "run.frd", 1)
    except FileError as error:
        assert "\n" not in str(error)
    else:
        np.testing.assert_array_equal(found.eigenvalues, whole.eigenvalues)
        assert (found.effective is None) == (whole.effective is None)


def test_an_output_set_is_expanded(tmp_path):
    """Nodes of a set named ANTISYM: half of the sections, expanded by the deck."""
    frd, deck = solved(tmp_path, bar(STEP.format(boundary="", count=3, options=",NSET=ANTISYM")))
    theirs = read_supplier_modes(frd)
    assert len(theirs.node_ids) == 16 and len(theirs.geometry.ids) == 36
    check = ts.modes(frd, units="SI", deck=deck).supplier.verification
    assert check.passed, check.breaches
    assert min(mode.mac for mode in check.modes) > 1.0 - 1e-6 and any("expanded" in note for note in check.notes)


PLATE = """*NODE,NSET=ALL
{nodes}
*ELEMENT,TYPE=S4,ELSET=E
{cells}
*MATERIAL,NAME=M
*ELASTIC
7e10,0.3
*DENSITY
2700
*SHELL SECTION,ELSET=E,MATERIAL=M
0.01
*BOUNDARY
1,1,6
12,1,6
23,1,6
{step}"""


def plate(options):
    nodes = "\n".join(f"{11 * j + i + 1},{0.1 * i},{0.1 * j},0." for j in range(3) for i in range(11))
    corners = [(i, j) for j in range(2) for i in range(10)]
    cells = "\n".join(
        f"{k + 1},{11 * j + i + 1},{11 * j + i + 2},{11 * j + i + 13},{11 * j + i + 12}"
        for k, (i, j) in enumerate(corners)
    )
    return PLATE.format(nodes=nodes, cells=cells, step=STEP.format(boundary="", count=2, options=options))


def test_shells_need_their_own_nodes(tmp_path):
    """Expanded to solids the nodes are others, and the sentence names the remedy; with it, the wrong totals of ccx are named."""
    frd, deck = solved(tmp_path, plate(""))
    with pytest.raises(FileError, match=r"deck lacks most nodes .* OUTPUT=2D"):
        ts.modes(frd, units="SI", deck=deck)
    frd, deck = solved(tmp_path, plate(",OUTPUT=2D"))
    check = ts.modes(frd, units="SI", deck=deck).supplier.verification
    assert any("more than the deck's 5.4 kg" in note for note in check.notes)
    assert min(mode.mac for mode in check.modes) > 0.999 and all(mode.effective_mass is None for mode in check.modes)


#: A bar of forty bricks that can only stretch: no Poisson effect, no sideways motion.
COUNT, LENGTH, AREA, YOUNG, DENSITY = 40, 2.0, 0.02, 7e10, 2700.0


def stretching_bar():
    corners = [(0, 0), (0.2, 0), (0.2, 0.1), (0, 0.1)]
    h = LENGTH / COUNT
    nodes = "\n".join(f"{4 * i + j + 1},{h * i},{y},{z}" for i in range(COUNT + 1) for j, (y, z) in enumerate(corners))
    cells = "\n".join(f"{i + 1}," + ",".join(str(4 * i + j + 1) for j in range(8)) for i in range(COUNT))
    ties = "".join(
        f"*EQUATION\n2\n{4 * i + j},1,1.,{4 * i + 1},1,-1.\n" for i in range(1, COUNT + 1) for j in (2, 3, 4)
    )
    return (
        f"*NODE,NSET=ALL\n{nodes}\n*ELEMENT,TYPE=C3D8,ELSET=E\n{cells}\n*MATERIAL,NAME=M\n*ELASTIC\n{YOUNG},0.\n*DENSITY\n"
        f"{DENSITY}\n*SOLID SECTION,ELSET=E,MATERIAL=M\n{ties}*BOUNDARY\n1,1\n2,1\n3,1\n4,1\nALL,2,3\n"
        + STEP.format(boundary="", count=4, options="")
    )


def test_a_bar_of_calculix_in_closed_form(tmp_path):
    """Consistent mass: omega² = 6 E / (rho h²) (1 - cos t) / (2 + cos t), shape sin(i t), t = (2 j - 1) pi / 2 n.

    Momentum by the trapezoidal sum of the shape. Frequencies 1e-6, P and shapes 1e-5 (six printed digits).
    """
    frd, deck = solved(tmp_path, stretching_bar())
    h, theta = LENGTH / COUNT, (2.0 * np.arange(1, 5) - 1.0) * np.pi / (2 * COUNT)
    hz = np.sqrt(6.0 * YOUNG / (DENSITY * h**2) * (1.0 - np.cos(theta)) / (2.0 + np.cos(theta))) / (2.0 * np.pi)
    shapes = np.sin(np.outer(np.arange(COUNT + 1), theta))
    weights = DENSITY * AREA * h * np.r_[0.5, np.ones(COUNT - 1), 0.5]
    modal = DENSITY * AREA * LENGTH * (2.0 + np.cos(theta)) / 6.0
    shapes /= np.sqrt(modal)
    np.testing.assert_allclose(read_supplier_modes(frd).frequencies_hz, hz, rtol=1e-6)
    record = ts.modes(frd, units="SI", deck=deck)
    assert record.supplier.verification.passed, record.supplier.verification.breaches
    found = record.appendage
    np.testing.assert_allclose(found.frequencies_hz, hz, rtol=1e-6)
    np.testing.assert_allclose(np.abs(found.integrals.translation[0]), np.abs(weights @ shapes), rtol=1e-5)
    ends = found.nodes.translation[::4, 0]  # the first of four nodes of each section
    np.testing.assert_allclose(ends * np.sign(ends[-1] * shapes[-1]), shapes, atol=1e-5 * np.abs(shapes).max())
