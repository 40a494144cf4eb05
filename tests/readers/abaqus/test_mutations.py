"""Whatever is done to a deck, reading it gives a model or one of our errors, never anything else."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tisserand.errors import TisserandError
from tisserand.model import StructuralModel
from tisserand.readers.abaqus import read_abaqus

DECK = """*HEADING
cube and beam
*NODE, NSET=NALL
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
9,3,0,0
*ELEMENT, TYPE=C3D8, ELSET=SOLID
1,1,2,3,4,5,6,7,8
*ELEMENT, TYPE=B31, ELSET=BEAM
2,2,9
*ELEMENT, TYPE=MASS, ELSET=TIP
3,9
*MASS, ELSET=TIP
1.5
*ELEMENT, TYPE=SPRINGA, ELSET=SP
4,3,9
*SPRING, ELSET=SP

100.
*ORIENTATION, NAME=OR
1,0,0,0,1,0
3, 30.
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7800.
*SOLID SECTION, ELSET=SOLID, MATERIAL=STEEL, ORIENTATION=OR
*BEAM SECTION, ELSET=BEAM, MATERIAL=STEEL, SECTION=BOX
0.1,0.2,0.01,0.01,0.01,0.01
0,1,0
*NSET, NSET=ROOT, GENERATE
1,4,1
*SURFACE, NAME=SURF, TYPE=ELEMENT
SOLID, S1
*COUPLING, CONSTRAINT NAME=C, REF NODE=9, SURFACE=SURF
*KINEMATIC
1,3
*EQUATION
2
5,1,1.,6,1,-1.
*BOUNDARY
ROOT,1,6
*STEP
*FREQUENCY
10
*END STEP
"""
LINES = DECK.splitlines()
TOKENS = [
    "",
    ",",
    "0",
    "-1",
    "1e400",
    "nan",
    "1.d0",
    "*",
    "**",
    "*NODE",
    "*STEP",
    "*END STEP",
    "*PART, NAME=P",
    "TYPE=",
    "9" * 30,
    "x",
    "é",
]


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
@example(None)
def test_mutated_decks_never_crash(data):
    lines = list(LINES)
    if data is not None:
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(lines) - 1))
            action = data.draw(st.sampled_from(["drop", "double", "swap", "field", "cut", "insert"]))
            if action == "drop" and len(lines) > 1:
                del lines[at]
            elif action == "double":
                lines.insert(at, lines[at])
            elif action == "swap":
                other = data.draw(st.integers(0, len(lines) - 1))
                lines[at], lines[other] = lines[other], lines[at]
            elif action == "field":
                items = lines[at].split(",")
                items[data.draw(st.integers(0, len(items) - 1))] = data.draw(st.sampled_from(TOKENS))
                lines[at] = ",".join(items)
            elif action == "cut":
                lines[at] = lines[at][: data.draw(st.integers(0, len(lines[at])))]
            else:
                lines.insert(at, data.draw(st.sampled_from(TOKENS)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deck.inp"
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            model = read_abaqus(path, "SI")
        except TisserandError as error:
            assert "\n" not in str(error)
        else:
            assert isinstance(model, StructuralModel)
            if data is None:
                assert len(model.nodes) == 9 and len(model.elements) == 4
