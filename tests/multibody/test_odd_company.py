"""Parts that act together in ways that are rarely tried: each against equations written out here."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from support.appendages import random_bodies

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    Event,
    MountedAppendage,
    State,
    Vehicle,
    environment,
    free_joint,
    hinge,
    loads,
    prismatic,
    profiles,
    signals,
    simulate,
)
from tisserand.multibody.environment import EARTH
from tisserand.multibody.force_elements import anchor, tether
from tisserand.multibody.latches import end_stop, friction_lock, joint_lock, latch
from tisserand.multibody.loops import gear
from tisserand.multibody.orbits import Orbit

Z = [0, 0, 1]


def geared(*motions):
    bodies = [Body("frame", 1.0), Body("pinion", 1.0, inertia=[1, 1, 2]), Body("wheel", 1.0, inertia=[1, 1, 1.5])]
    joints = [
        hinge("drive", "frame", "pinion", Z, motion=motions[0]),
        hinge("driven", "frame", "wheel", Z, parent_point=[1, 0, 0], stiffness=3.0)
        if len(motions) == 1
        else hinge("driven", "frame", "wheel", Z, parent_point=[1, 0, 0], motion=motions[1]),
    ]
    return Vehicle("gears", bodies, joints, base_motion="fixed")


def test_a_gear_behind_a_prescribed_joint_drives_the_other():
    """q = -2 p, torque I q'' + k q on the driven wheel, and the drive pays for both."""
    motion = profiles.smooth_ramp(1.0, 0.0, 2.0)
    run = simulate(geared(motion), 3.0, loads=[gear("driven", "drive", ratio=-2.0, name="gear")], samples=31)
    q = np.array([motion.derivatives(t) for t in run.times])
    assert run.joints["driven"][:, 0] == pytest.approx(-2.0 * q[:, 0], abs=1e-9)
    assert run.loop_force["gear"][:, 0] == pytest.approx(1.5 * -2.0 * q[:, 2] - 6.0 * q[:, 0], abs=1e-8)
    assert run.balance.work[-1] == pytest.approx(0.5 * 3.0 * 4.0, rel=1e-7)  # what the spring holds in the end
    assert max(run.balance.worst().values()) < 1e-8


def test_gears_and_locks_that_contradict_prescribed_motions_are_refused_by_name():
    motion = profiles.smooth_ramp(1.0, 0.0, 2.0)
    with pytest.raises(VehicleError, match="both joints of a gear are prescribed; found driven and drive"):
        simulate(geared(motion, motion), 1.0, loads=[gear("driven", "drive", ratio=-2.0)])
    with pytest.raises(
        VehicleError, match="motion is prescribed, and no torque or lock has an effect on it; found drive"
    ):
        simulate(geared(motion), 1.0, loads=[joint_lock("drive")])


def test_a_tether_that_goes_slack_in_orbit_takes_few_steps():
    """7000 km from the origin places are known to a nanometer; the tension is that of places relative to each other."""
    length, stiffness, damping, heavy, light = 100.0, 500.0, 50.0, 500.0, 20.0
    position, velocity = Orbit(semi_major_axis=7e6).state(EARTH)
    bodies = [Body("a", heavy, inertia=[50, 50, 50]), Body("b", light, inertia=[1, 1, 1])]
    apart, rate = np.array([0.0, 99.0, 0.0]), np.array([0.3, 0.2, 0.05])
    start = State(
        position=position, velocity=velocity, joints={"f": [*apart, 1, 0, 0, 0]}, joint_rates={"f": [*rate, 0, 0, 0]}
    )
    line = tether(anchor("a"), anchor("b"), stiffness, length=length, damping=damping, name="line")
    vehicle = Vehicle("pair", bodies, [free_joint("f", "a", "b")])
    run = simulate(vehicle, 400.0, start, loads=[environment.gravity(EARTH), line], samples=201, rtol=1e-10)

    def pull(x):
        r = np.linalg.norm(x)
        up = 5.0 * (x[2] / r) ** 2 - np.array([1.0, 1.0, 3.0])
        return -EARTH.mu * x / r**3 + 1.5 * EARTH.j2 * EARTH.mu * EARTH.radius**2 / r**5 * x * up

    def rates(t, y):
        x, d, v, w = y.reshape(4, 3)
        far = np.linalg.norm(d)
        tension = max(stiffness * (far - length) + damping * d @ w / far, 0.0) if far > length else 0.0
        force = tension * d / far
        own, other = pull(x) + force / heavy, pull(x + d) - force / light
        return np.concatenate([v, w, own, other - own])

    scale = np.repeat([1e-3, 1e-9, 1e-6, 1e-10], 3)
    first = np.concatenate([position, apart, velocity, rate])
    found = solve_ivp(rates, (0.0, 400.0), first, "DOP853", run.times, rtol=1e-12, atol=scale)
    assert run.joints["f"][:, :3] == pytest.approx(found.y[3:6].T, abs=1e-6)
    slack = run.load_strength["line.first.y"] == 0.0
    assert run.statistics.steps < 5000 and slack.any() and not slack.all() and not run.warnings


def test_what_happens_twice_within_one_step_is_seen():
    """x = 1 - 2 t + 0.95 t^2 lies below zero for half a second: both crossings, each way alone, and a limit that it passes."""
    down, up = (2.0 - np.sqrt(0.2)) / 1.9, (2.0 + np.sqrt(0.2)) / 1.9
    bodies, start = [Body("a", 1.0), Body("b", 2.0)], State(joints={"s": 1.0}, joint_rates={"s": -2.0})
    push, options = [loads.joint_torque("s", 3.8)], {"samples": 4, "rtol": 1e-3}
    slab = Vehicle("slab", bodies, [prismatic("s", "a", "b", [1, 0, 0])], base_motion="fixed")
    for way, times in ((0, [down, up]), (1, [up]), (-1, [down])):
        low = Event("low", signals.joint_angle("s"), 0.0, way)
        run = simulate(slab, 3.0, start, loads=push, events=[low], **options)
        assert [event.time for event in run.events] == pytest.approx(times, abs=1e-9)
    walled = Vehicle("slab", bodies, [prismatic("s", "a", "b", [1, 0, 0], limits=(0.0, 9.0))], base_motion="fixed")
    late = Event("late", signals.joint_angle("s"), 0.5, 1)
    run = simulate(walled, 3.0, start, loads=push, events=[late], **options)
    assert not run.complete and [event.time for event in run.events] == pytest.approx([down], abs=1e-9)


def test_friction_leaves_a_joint_alone_that_something_else_holds():
    """Pressed on its stop, let go at 4/3 s, stuck until the pull of -2 N + 1.5 N/s t exceeds 1 N at 2 s, then sliding."""
    bodies = [Body("a", 1.0), Body("b", 2.0)]
    vehicle = Vehicle("slab", bodies, [prismatic("s", "a", "b", [1, 0, 0], limits=(0.0, 9.0))], base_motion="fixed")
    pull = loads.joint_torque("s", profiles.ramp(4.0, 0.0, 4.0, -2.0))
    parts = [pull, end_stop("s", restitution=0.0, name="wall"), friction_lock("s", 1.0, name="rub")]
    run = simulate(vehicle, 3.0, State(joints={"s": 0.02}), loads=parts, samples=31, max_steps=500)
    told = [(event.name, event.time) for event in run.events if "sticks" not in event.name][-2:]
    assert [name for name, _ in told] == ["wall is left", "rub: the joint slips"] and not run.warnings
    assert [time for _, time in told] == pytest.approx([4.0 / 3.0, 2.0], abs=1e-9)
    late = np.maximum(run.times - 2.0, 0.0)
    assert run.joints["s"][15:, 0] == pytest.approx(1.5 * late[15:] ** 3 / 12.0, abs=1e-9)
    assert run.balance.worst()["energy"] < 1e-9


def test_a_panel_with_lock_friction_cable_and_latch_does_after_its_release_what_it_does_without_the_lock():
    """The run is that without the lock, a second later; friction neither chatters nor counts twice while the lock holds."""
    bodies = [
        Body("bus", 40.0, inertia=[30, 25, 35]),
        Body("root", 1.0, inertia=[0.1, 0.1, 0.1]),
        Body("pulley", 1.0, inertia=[0.2, 0.2, 0.2]),
    ]
    joints = [
        hinge("fold", "bus", "root", [0, 1, 0], stiffness=2.0, rest=1.0),
        hinge("turn", "bus", "pulley", [0, 1, 0], parent_point=[0, 0, 1], stiffness=0.5),
    ]
    vehicle = Vehicle(
        "wing", bodies, joints, appendages=[MountedAppendage("panel", random_bodies(0), "root", [0, 0, 0])]
    )
    parts = [friction_lock("fold", 0.2, name="rub"), gear("turn", "fold", ratio=1.5, name="cable")]
    parts.append(latch("fold", 0.3, name="catch"))
    free = simulate(vehicle, 2.5, loads=parts, samples=26)
    held = simulate(vehicle, 3.5, loads=[*parts, joint_lock("fold", end=1.0, name="pyro")], samples=36)
    assert [event.name for event in held.events] == ["pyro lets go", *(event.name for event in free.events)]
    assert len(free.events) == 1 and held.events[1].time == pytest.approx(free.events[0].time + 1.0, abs=1e-8)
    assert held.modal["panel"][10:] == pytest.approx(free.modal["panel"], abs=1e-7)
    assert not held.warnings and max(held.balance.worst().values()) < 1e-9
