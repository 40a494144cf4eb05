"""What a deck varies from node to node or from step to step: NODAL THICKNESS, MODEL CHANGE; keywords about nothing.

Oracles: mass by hand, the deflection integral of a beam of varying height.
"""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import DroppedCardsError, ReadError
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
