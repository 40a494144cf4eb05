"""Masses on single components: frequencies are listed, a record is refused with the reason."""

from __future__ import annotations

import numpy as np
import pytest
from support.command import run

DECK = """SOL 103
CEND
SPC = 1
BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
CELAS2,1,4000.,1,3
CELAS2,2,9000.,2,3
CELAS2,3,500.,1,3,2,3
CMASS2,11,10.,1,3
CMASS2,12,4.,2,3
SPC1,1,12456,1,2
ENDDATA
"""


def test_frequencies_of_two_scalar_oscillators(tmp_path):
    """Two masses of 10 and 4 kg along z on three springs: the 2 x 2 problem by hand."""
    deck, record = tmp_path / "springs.bdf", tmp_path / "springs.h5"
    deck.write_text(DECK)
    outcome = run("modes", deck, "-u", "SI", "-n", 2, "--json")
    stiffness, mass = np.array([[4500.0, -500.0], [-500.0, 9500.0]]), np.array([10.0, 4.0])
    wanted = np.sqrt(np.linalg.eigvalsh(stiffness / np.sqrt(np.outer(mass, mass)))) / 2.0 / np.pi
    assert outcome.data["frequencies_hz"] == pytest.approx(wanted, rel=1e-12)
    assert outcome.data["mass"] is None and not outcome.data["verdict"]["accepted"]
    assert "different mass in each direction (0, 0, 14 along x, y, z)" in outcome.stderr
    refused = run("modes", deck, "-u", "SI", "-n", 2, "-o", record)
    assert refused.exit_code == 2 and "no record can be made" in refused.stderr and not record.exists()
