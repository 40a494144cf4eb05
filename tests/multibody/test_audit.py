"""The second look at the books: round-off for complete inertia, and wrong books are seen."""

import numpy as np
import pytest
from support.appendages import random_bodies

from tisserand.multibody import Body, MountedAppendage, Rotor, State, Vehicle, audit, simulate


def flown(inertia="full", engine="recursive", size=0.02):
    vehicle = Vehicle(
        "craft",
        (Body("bus", 20.0, [0.1, 0.0, -0.2], [8.0, 7.0, 9.0]),),
        rotors=(Rotor("wheel", "bus", [1.0, 1.0, 0.0], 0.3),),
        appendages=(MountedAppendage("a", random_bodies(0), "bus", [0.0, 0.5, 0.0], inertia=inertia),),
    )
    start = State(
        velocity=np.array([0.1, 0.0, 0.2]), angular_velocity=np.array([0.2, -0.1, 0.3]),
        modal={"a": size * np.array([1.0, -1.0, 0.5, 2.0])}, rotor_rates={"wheel": 20.0},
    )  # fmt: skip
    return simulate(vehicle, 1.0, start, samples=21, engine=engine), vehicle


@pytest.mark.parametrize("engine", ["recursive", "likins"])
def test_both_engines_agree_with_the_recomputed_momenta(engine):
    assert max(audit(*flown(engine=engine)).values()) < 1e-12


def test_left_out_inertia_shows_and_grows_with_the_deformation():
    """Constant inertia leaves out terms of first degree; the spin bends the appendage too, so not quite tenfold."""
    small, large = (audit(*flown("constant", size=s))["angular momentum"] for s in (0.001, 0.01))
    assert small > 1e-7 and 3.0 < large / small < 11.0


def test_totals_of_another_vehicle_are_detected():
    run, vehicle = flown()
    heavier = vehicle.changed(bodies=(Body("bus", 20.1, [0.1, 0.0, -0.2], [8.0, 7.0, 9.0]),))
    gaps = audit(run, heavier)
    assert gaps["momentum"] > 1e-4 and gaps["center"] > 1e-5
