"""Rotations of a file count in its verification, although lumped masses give them no weight."""

from dataclasses import replace

import numpy as np
import pytest
from support.op2_files import op2
from support.result_files import f06, frame_deck, frame_modes, mystran, punch

import tisserand as ts

WRITERS = {"punch": (punch, ".pch"), "f06": (f06, ".f06"), "mystran": (mystran, ".f06"), "op2": (op2, ".op2")}


def turned(run, factor):
    shapes = np.array(run.shapes)
    shapes[:, 3:] *= factor
    return replace(run, shapes=shapes)


@pytest.mark.parametrize("factor", (180.0 / np.pi, -1.0, 1.5))
def test_wrong_rotations_fail(tmp_path, factor):
    """Degrees, the wrong sign, half too large: strain energy of the shape tells, in every mode that bends."""
    deck = frame_deck(tmp_path)
    run = turned(frame_modes(deck, count=3), factor)
    check = ts.modes(punch(tmp_path / "a.pch", run), units="SI", deck=deck).supplier.verification
    assert not check.passed and all(mode.residual > 0.02 for mode in check.modes)


@pytest.mark.parametrize("name", WRITERS)
def test_rotations_that_are_all_zero_are_not_stated(tmp_path, name):
    """Six columns, three of them zero: the rotations of the record are the deck's, to 1e-5, and a sentence tells."""
    deck = frame_deck(tmp_path)
    run = frame_modes(deck, count=3)
    write, ending = WRITERS[name]
    found = ts.modes(write(tmp_path / f"zero{ending}", turned(run, 0.0)), units="SI", deck=deck)
    whole = ts.modes(write(tmp_path / f"whole{ending}", run), units="SI", deck=deck)
    check = found.supplier.verification
    assert check.passed, check.breaches
    assert any("taken as not stated" in note for note in check.notes)
    ours, theirs = (record.appendage.nodes.rotation for record in (found, whole))
    np.testing.assert_allclose(ours, theirs, atol=1e-5 * np.abs(theirs).max())
