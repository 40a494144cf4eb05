"""An exported appendage flies the same in Exudyn: hub with a wing, free response, both tools."""

import numpy as np
import pytest
from support.examples import example, numbers

pytest.importorskip("exudyn")

#: Of the largest change. What is left of it is the file's stated loss: second-degree rotations of nodes.
TOLERANCE = 2e-4


def test_hub_rates_and_modal_coordinates_agree_with_exudyn():
    """Spinning hub lets go of a bent wing: histories of both tools after Richardson extrapolation of Exudyn's steps."""
    found = numbers("11_exudyn")
    assert found["hub rate, extrapolated"] < TOLERANCE
    assert found["modal coordinates, extrapolated"] < TOLERANCE


@pytest.mark.parametrize("word", ["hub rate", "modal coordinates"])
def test_the_gap_to_exudyn_falls_with_the_square_of_its_step(word):
    """Generalized-alpha is of second order: what differs is Exudyn's step, a quarter of it with half the step."""
    found = numbers("11_exudyn")
    assert found[f"{word}, one step"] / found[f"{word}, half the step"] == pytest.approx(4.0, rel=0.03)


def test_the_spin_is_felt_by_the_modes():
    """The comparison is not of two linear oscillators: without spin the same release differs by far more than the tolerance."""
    flight = example("11_exudyn")
    record = flight.wing()
    times = np.linspace(0.0, flight.SECONDS, 201)
    spinning = flight.fly_here(record, flight.SPIN, flight.BENT, times)
    still = flight.fly_here(record, 0.0 * flight.SPIN, flight.BENT, times)
    gap = np.abs(spinning.modal["wing"] - still.modal["wing"]).max()
    assert gap > 100.0 * TOLERANCE * np.ptp(still.modal["wing"], axis=0).max()
