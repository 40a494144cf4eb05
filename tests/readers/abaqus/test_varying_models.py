"""What a deck varies from node to node or step to step: NODAL THICKNESS, MODEL CHANGE, moved supports; CalculiX' user elements.

Oracles: mass by hand, the deflection integral of a beam of varying height, the stretched and the shear-flexible beam.
"""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import DroppedCardsError, ReadError
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus
from tisserand.statics import nodal_loads, solve_static

MATERIAL = "*MATERIAL, NAME=M\n*ELASTIC\n7e10, 0.\n*DENSITY\n2700.\n"
SECTION = "*SHELL SECTION, ELSET=E, MATERIAL=M, NODAL THICKNESS\n0.5\n"
LENGTH, WIDTH, THICK, THIN = 2.0, 0.2, 0.04, 0.02


def read(folder, text, **options):
    path = folder / "deck.inp"
    path.write_text(text)
    return read_abaqus(path, "SI", **options)


def strip(count):
    places = [LENGTH * i / count for i in range(count + 1)]
    nodes = "".join(f"{2 * i + j + 1},{x},{WIDTH * j},0\n" for i, x in enumerate(places) for j in (0, 1))
    cells = "".join(f"{e + 1},{2 * e + 1},{2 * e + 3},{2 * e + 4},{2 * e + 2}\n" for e in range(count))
    heights = [THICK + (THIN - THICK) * x / LENGTH for x in places]
    table = "".join(f"{2 * i + j + 1},{t}\n" for i, t in enumerate(heights) for j in (0, 1))
    mesh = f"*NODE\n{nodes}*ELEMENT, TYPE=S4, ELSET=E\n{cells}"
    return f"{mesh}{MATERIAL}{SECTION}*BOUNDARY\n1,1,6\n2,1,6\n*NODAL THICKNESS\n{table}"


def test_shell_with_thickness_at_its_nodes(tmp_path):
    """Mass exact, tip deflection int (L - x)²/(E I(x)) dx within 1 % on eight elements."""
    body = assemble(read(tmp_path, strip(8)))
    assert body.mass_properties().mass == pytest.approx(2700 * LENGTH * WIDTH * 0.03, rel=1e-9)
    x = np.linspace(0, LENGTH, 20001)
    exact = np.trapezoid((LENGTH - x) ** 2 / (7e10 * WIDTH * (THICK + (THIN - THICK) * x / LENGTH) ** 3 / 12), x)
    u = body.displacements(solve_static(body, nodal_loads(body, {17: (0, 0, 0.5), 18: (0, 0, 0.5)})).displacement)
    assert u[16:, 2, 0].mean() == pytest.approx(exact, rel=0.01)


def test_node_without_thickness_is_named(tmp_path):
    with pytest.raises(ReadError, match=r"a node has none; found node 18"):
        read(tmp_path, strip(8).rpartition("18,")[0])


def test_beams_with_dimensions_per_node_are_refused(tmp_path):
    beam = "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT, TYPE=B31, ELSET=E\n1,1,2\n" + MATERIAL
    section = "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT, NODAL THICKNESS\n.1,.1\n0,0,1\n"
    with pytest.raises(DroppedCardsError, match="beams with dimensions per node"):
        read(tmp_path, beam + section)


ROD = "*NODE\n1,0,0,0\n2,1,0,0\n3,2,0,0\n*ELEMENT, TYPE=T3D2, ELSET=E\n1,1,2\n2,2,3\n" + MATERIAL
RODS = ROD + "*SOLID SECTION, ELSET=E, MATERIAL=M\n.01\n"


@pytest.mark.parametrize(
    ("steps", "step", "left"),
    [
        ("*STEP\n*STATIC\n*MODEL CHANGE, TYPE=ELEMENT, REMOVE\n2,\n*END STEP\n", None, [1]),
        ("*STEP\n*STATIC\n*MODEL CHANGE, TYPE=ELEMENT, REMOVE\n2,\n*END STEP\n" * 2, 1, [1]),
        (
            "*STEP\n*STATIC\n*MODEL CHANGE, TYPE=ELEMENT, REMOVE\nE,\n*END STEP\n"
            "*STEP\n*FREQUENCY\n2\n*MODEL CHANGE, TYPE=ELEMENT, ADD\n1,2\n*END STEP\n",
            None,
            [1, 2],
        ),
    ],
)
def test_elements_that_a_step_removes_or_adds(tmp_path, steps, step, left):
    model = read(tmp_path, RODS + steps, step=step)
    assert np.concatenate([block.ids for block in model.elements]).tolist() == left


def test_unknown_keyword_of_a_set_without_elements_is_skipped(tmp_path):
    model = read(tmp_path, RODS + "*MEMBRANE, ELSET=P1, MATERIAL=M\n0.\n")
    assert "set without elements" in next(e.reason for e in model.ledger.entries if e.card == "*MEMBRANE")
    with pytest.raises(DroppedCardsError, match="unknown keyword"):
        read(tmp_path, RODS + "*MEMBRANE, ELSET=E, MATERIAL=M\n0.\n")


def beam(kind, section, extra, count=20, length=2.0):
    nodes = "".join(f"{i + 1},{length * i / count},0,0\n" for i in range(count + 1))
    cells = "".join(f"{i + 1},{i + 1},{i + 2}\n" for i in range(count))
    return f"*NODE\n{nodes}*ELEMENT, TYPE={kind}, ELSET=E\n{cells}{MATERIAL}{section}{extra}"


def test_support_that_moves_stretches_the_beam(tmp_path):
    """Pinned beam stretched by 1 mm: omega² = (E I k⁴ + T k²)/(rho A) with T = E A u / L, within 1e-3."""
    section = "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n.01,.01\n0,1,0\n"
    pins = "*BOUNDARY\n1,1,4\n21,2,4\n"
    stretch = "*STEP, NLGEOM\n*STATIC\n*BOUNDARY\n21,1,1,.001\n*END STEP\n"
    ask = "*STEP, PERTURBATION\n*FREQUENCY\n2\n*END STEP\n"
    model = assemble(read(tmp_path, beam("B33", section, pins + stretch + ask)))
    k, area, inertia = np.pi / 2.0, 1e-4, 1e-8 / 12
    exact = np.sqrt((7e10 * inertia * k**4 + 7e10 * area * 0.0005 * k**2) / (2700 * area)) / (2 * np.pi)
    assert solve_modes(model, count=2).frequencies_hz[0] == pytest.approx(exact, rel=1e-3)
    slack = assemble(read(tmp_path, beam("B33", section, pins + stretch.replace(",.001", "") + ask)))
    bare = np.sqrt(7e10 * inertia * k**4 / (2700 * area)) / (2 * np.pi)
    assert solve_modes(slack, count=2).frequencies_hz[0] == pytest.approx(bare, rel=1e-3)


USER = "*USER ELEMENT, TYPE={0}, NODES={1}, INTEGRATION POINTS={1}, MAXDOF=6\n"


def test_user_beam_that_calculix_defines(tmp_path):
    """Cantilever of A, I11, I12, I22 and a shear factor: Euler-Bernoulli in both planes within 1e-3."""
    section = (
        USER.format("U1", 2) + "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=GENERAL\n1e-4,2e-9,0.,1e-9,.8333\n0,1,0\n"
    )
    hz = solve_modes(assemble(read(tmp_path, beam("U1", section, "*BOUNDARY\n1,1,6\n"))), count=2).frequencies_hz
    exact = [1.8751041**2 / 4.0 * np.sqrt(7e10 * i / (2700 * 1e-4)) / (2 * np.pi) for i in (1e-9, 2e-9)]
    assert hz == pytest.approx(exact, rel=1e-3)


def test_user_shell_that_calculix_defines(tmp_path):
    text = "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n*ELEMENT, TYPE=us3, ELSET=E\n1,1,2,3\n" + MATERIAL
    text += USER.format("us3", 3) + "*USER SECTION, ELSET=E, MATERIAL=M, CONSTANTS=1\n.01\n"
    assert assemble(read(tmp_path, text)).mass_properties().mass == pytest.approx(0.5 * 0.01 * 2700, rel=1e-12)
    with pytest.raises(DroppedCardsError, match="US3"):
        read(tmp_path, text, flavor="abaqus")
