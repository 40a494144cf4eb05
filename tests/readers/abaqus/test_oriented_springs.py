"""SPRING1 and SPRING2 act in the axes of their ORIENTATION, else in global axes: frequencies of CalculiX on the same decks."""

import numpy as np
import pytest
from oracles.calculix import CCX, Deck, frequencies_hz

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus

ORIENTATION = "*ORIENTATION,NAME=OO\n1.,1.,0.,-1.,1.,.3\n"
TRANSFORM = "*TRANSFORM,NSET=TIP,TYPE={}\n{}\n"
CASES = {
    "one, turned": ("SPRING1", "2\n", ORIENTATION, ", ORIENTATION=OO"),
    "two, turned": ("SPRING2", "2,3\n", ORIENTATION, ", ORIENTATION=OO"),
    "two, cylindrical nodes": ("SPRING2", "2,3\n", TRANSFORM.format("C", "0.,-1.,0.,1.,-1.,0."), ""),
    "one, skew nodes": ("SPRING1", "3\n", TRANSFORM.format("R", "1.,1.,0.,-1.,1.,.3"), ""),
    "two, turned on skew nodes": (
        "SPRING2", "1,3\n", ORIENTATION + TRANSFORM.format("R", "1.,.2,0.,-1.,1.,.4"), ", ORIENTATION=OO",
    ),
}  # fmt: skip


def cantilever(kind: str, dofs: str, cards: str, option: str) -> str:
    """Four C3D20 along x, clamped at x = 0, with a spring at the tip (to ground or to a node halfway)."""
    deck = Deck()
    x, y, z = np.meshgrid(np.linspace(0.0, 1.0, 9), np.linspace(0.0, 0.1, 3), np.linspace(0.0, 0.05, 3), indexing="ij")
    bar = np.stack([x, y, z], axis=-1)
    deck.bricks("E", bar, kind="C3D20")
    tip, middle = deck.at(bar[-1:, 2, 2])[0], deck.at(bar[4:5, 0, 0])[0]
    ends = f"{tip}" if kind == "SPRING1" else f"{tip},{middle}"
    deck.cards += [
        "*MATERIAL,NAME=M\n*ELASTIC\n7.E10,.3\n*DENSITY\n2700.\n*SOLID SECTION,ELSET=E,MATERIAL=M",
        f"*NSET,NSET=TIP\n{tip}\n{cards}*ELEMENT,TYPE={kind},ELSET=SA\n9001,{ends}",
        f"*SPRING,ELSET=SA{option}\n{dofs}1.E6\n",
    ]
    return deck.text(deck.at(bar[:1].reshape(-1, 3)), 5, "1,3")


@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("case", CASES)
def test_springs_in_their_axes_as_calculix(case, tmp_path):
    """Five frequencies; tolerance 1e-6, as printed."""
    text = cantilever(*CASES[case])
    (tmp_path / "ours.inp").write_text(text)
    body = assemble(read_abaqus(tmp_path / "ours.inp", "SI"), mass="consistent")
    theirs = frequencies_hz(text, tmp_path)[:5]
    np.testing.assert_allclose(solve_modes(body, count=5).frequencies_hz, theirs, rtol=1e-6)
