"""Default tolerances resolve every kind of load at every size: a run of a vehicle at rest balances without the user's help."""

import numpy as np
import pytest
from support.appendages import random_bodies

from tisserand.multibody import (
    Body,
    MountedAppendage,
    Rotor,
    Simulation,
    Vehicle,
    controllers,
    hinge,
    loads,
    profiles,
    simulate,
)
from tisserand.multibody.balance_verdict import balance_verdict

SIZES = [1e-9, 1e-6, 1e-3, 1.0, 1e3]


def craft():
    """Bus with a wheel, a drive on a hinge, and an undamped appendage of 4 modes with offset bodies; nothing moves."""
    record = random_bodies(0)
    mount = MountedAppendage("a", record.changed(damping=np.zeros_like(record.damping)), "drive")
    return Vehicle(
        "craft",
        (Body("bus", 100.0, inertia=[50.0, 60.0, 70.0]), Body("drive", 3.0, inertia=[0.4, 0.5, 0.6])),
        (hinge("h", "bus", "drive", [0.0, 1.0, 0.0], parent_point=[0.3, 0.5, 0.1], stiffness=20.0),),
        (Rotor("wheel", "bus", np.array([1.0, 0.0, 0.0]), spin_inertia=0.1),),
        (mount,),
    )


def by_profile(load):
    return lambda size: simulate(craft(), 3.0, loads=[load(profiles.sine(size, 0.4))])


def by_sampled_law(size):
    """Commands of a law that is called every 0.2 s and acts 0.05 s later."""
    push = loads.force("bus", [1.0, 0.3, 0.2], "command", point=[0.1, 0.4, 0.2])
    law = controllers.SampledController("law", (), (push,), lambda t, values: [size * np.cos(t)], 0.2, 0.05)
    return simulate(craft(), 3.0, controllers=[law])


def by_continuous_law(size):
    """A slew by an angle of the given size (rad), at most one."""
    ramp = profiles.smooth_ramp(min(size, 1.0), 0.5, 2.0)
    law = controllers.attitude_pd("bus", (50.0, 50.0, 50.0), (80.0, 80.0, 80.0), slew=ramp)
    return simulate(craft(), 3.0, controllers=[law])


def by_input(size):
    """An input from outside that starts after a while, as a program that steps the simulation gives it."""
    push = loads.force("bus", [1.0, 0.3, 0.2], "push", point=[0.1, 0.4, 0.2])
    simulation = Simulation(craft(), loads=[push])
    simulation.step(0.5)
    simulation.step(0.5, {"push": size})
    return simulation.run(2.0)


RUNS = {
    "force": by_profile(lambda s: loads.force("bus", [1.0, 0.3, 0.2], s, point=[0.1, 0.4, 0.2])),
    "torque": by_profile(lambda s: loads.torque("bus", [0.2, 1.0, 0.3], s)),
    "joint torque": by_profile(lambda s: loads.joint_torque("h", s)),
    "wheel torque": by_profile(lambda s: loads.rotor_torque("wheel", s)),
    "magnetic torque": by_profile(lambda s: loads.magnetic_torque("bus", [0.0, 1.0, 0.5], [1e-3, 0.0, 2e-3], s)),
    "sampled law": by_sampled_law,
    "continuous law": by_continuous_law,
    "input": by_input,
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", RUNS)
def test_every_load_of_every_size_balances_by_default(kind, size):
    """Balance within the limit that follows from the tolerance, with no absolute tolerance stated."""
    run = RUNS[kind](size)
    assert run.complete
    assert balance_verdict(run).held, balance_verdict(run).words
    assert not any("balance" in words for words in run.warnings)
    assert float(np.abs(run.rate).max()) > 0.0  # something moves, so that there is a balance to judge


@pytest.mark.parametrize("kind", ["sampled law", "input"])
def test_small_commands_are_resolved_like_large_ones(kind):
    """Small motion is linear: answers to 1e-9 N and 1e-6 N differ by the factor alone."""
    small, large = (RUNS[kind](size).modal["a"] / size for size in (1e-9, 1e-6))
    assert small == pytest.approx(large, abs=1e-6 * np.abs(large).max())


def test_a_coarse_tolerance_is_found_out():
    """The same run with an absolute tolerance beyond its motion does not balance, and says so: the test above can fail."""
    push = loads.force("bus", [1.0, 0.3, 0.2], profiles.sine(1e-9, 0.4), point=[0.1, 0.4, 0.2])
    run = simulate(craft(), 3.0, loads=[push], atol=1e-6)
    assert not balance_verdict(run).held and any("does not balance" in words for words in run.warnings)
    assert balance_verdict(run.changed(settings={**run.settings, "rtol": 1e-3})).limit <= 1e-3
