"""Plane and axisymmetric elements of Abaqus decks are refused by name, with count, first line, reason and advice."""

import pytest

from tisserand.errors import TisserandError
from tisserand.readers.registry import read_model

DECK = """*NODE, NSET=ALL
1,0,0
2,1,0
3,1,1
4,0,1
*ELEMENT, TYPE={kind}, ELSET=E
1,1,2,3,4
2,1,2,3,4
*MATERIAL, NAME=M
*ELASTIC
2e11,0.3
*DENSITY
7800
*SOLID SECTION, ELSET=E, MATERIAL=M
0.1
*STEP
*FREQUENCY
3
*END STEP
"""


@pytest.mark.parametrize(
    ("kind", "reason", "advice"),
    [
        ("CPS4R", "plane stress", "S8R"),
        ("CPE4", "plane strain", "bricks"),
        ("CAX4", "axisymmetric", "C3D20"),
        ("SAX1", "axisymmetric shells", "S8R"),
    ],
)
def test_refused_by_name(tmp_path, kind, reason, advice):
    (tmp_path / "deck.inp").write_text(DECK.format(kind=kind))
    with pytest.raises(TisserandError, match=rf"2 {kind} .first in line 6; {reason}.*{advice}"):
        read_model(tmp_path / "deck.inp", units="SI")
