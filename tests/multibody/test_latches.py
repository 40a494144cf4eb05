"""Latches, releases, end stops and friction that sticks, against closed forms."""

import numpy as np
import pytest
from support.appendages import random_bodies

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    Event,
    MountedAppendage,
    State,
    Vehicle,
    environment,
    hinge,
    loads,
    prismatic,
    profiles,
    signals,
    simulate,
)
from tisserand.multibody.environment import EARTH
from tisserand.multibody.force_elements import anchor
from tisserand.multibody.latches import end_stop, friction_lock, joint_lock, latch, switched
from tisserand.multibody.loops import point_loop, weld_loop
from tisserand.multibody.orbits import Orbit

TIGHT = {"rtol": 1e-11, "atol": 1e-13}
Z = [0, 0, 1]


def words(run):
    return [event.name for event in run.events]


def test_two_discs_latch_and_lose_the_energy_of_their_difference():
    """Two discs on a common axis, floating: loss 1/2 I1 I2/(I1 + I2) dw^2, momentum kept, then one body."""
    one, two, rates = 2.0, 3.0, (0.4, 1.5)
    bodies = [Body("a", 5.0, inertia=[1.5, 1.5, one]), Body("b", 4.0, inertia=[2.0, 2.0, two])]
    vehicle = Vehicle("discs", bodies, [hinge("axle", "a", "b", Z)])
    start = State(angular_velocity=[0, 0, rates[0]], joint_rates={"axle": rates[1] - rates[0]})
    run = simulate(vehicle, 2.0, start, loads=[latch("axle", 0.55, name="catch")], samples=21, **TIGHT)
    loss = 0.5 * one * two / (one + two) * (rates[1] - rates[0]) ** 2
    common = (one * rates[0] + two * rates[1]) / (one + two)
    assert run.balance.impact_loss[-1] == pytest.approx(loss, rel=1e-9) and run.balance.impact_loss[0] == 0.0
    assert run.events[0].time == pytest.approx(0.55 / (rates[1] - rates[0]), abs=1e-9)
    assert words(run) == [f"catch holds, {loss:.6g} J lost"]
    assert run.joints["axle"][-1, 0] == pytest.approx(0.55, abs=1e-12)
    assert run.angular_velocity[-1, 2] == pytest.approx(common, rel=1e-10)
    assert max(run.balance.worst().values()) < 1e-10


def test_discs_latch_in_orbit_as_they_do_in_empty_space():
    """The impact knows nothing of the planet: the same loss, and the common rate."""
    position, velocity = Orbit(semi_major_axis=7e6).state(EARTH)
    bodies = [Body("a", 5.0, inertia=[1.5, 1.5, 2.0]), Body("b", 4.0, inertia=[2.0, 2.0, 3.0])]
    vehicle = Vehicle("discs", bodies, [hinge("axle", "a", "b", Z)])
    start = State(position=position, velocity=velocity, angular_velocity=[0, 0, 0.4], joint_rates={"axle": 1.1})
    loads = [environment.gravity(EARTH), latch("axle", 0.55, name="catch")]
    run = simulate(vehicle, 1.0, start, loads=loads, samples=11, rtol=1e-9)
    loss = 0.5 * 2.0 * 3.0 / 5.0 * 1.1**2
    assert float(words(run)[0].split()[2]) == pytest.approx(
        loss, rel=1e-5
    )  # of six digits; the balance is that of the orbit
    assert run.angular_velocity[-1, 2] == pytest.approx((2.0 * 0.4 + 3.0 * 1.5) / 5.0, rel=1e-6)


@pytest.mark.parametrize("options", [{"method": "rk4", "step": 2e-3}, {"method": "Radau", "rtol": 1e-9}])
def test_a_latch_shakes_the_modes_and_the_books_close(options):
    """A flexible wing on a hinge that latches: momenta and energy balance, and eta' jumps while eta does not."""
    vehicle = Vehicle(
        "wing",
        [Body("bus", 40.0, inertia=[30, 25, 35]), Body("root", 1.0, inertia=[0.1, 0.1, 0.1])],
        [hinge("fold", "bus", "root", [0, 1, 0], stiffness=2.0, rest=1.0)],
        appendages=[MountedAppendage("panel", random_bodies(0), "root")],
    )
    catch = latch("fold", 0.1, direction=1, name="catch")
    run = simulate(vehicle, 3.0, loads=[catch], samples=301, **options)
    when = run.events[0].time
    assert 0.1 < when < 3.0 and run.balance.impact_loss[-1] > 1e-3
    assert max(run.balance.worst().values()) < 1e-6
    near = np.searchsorted(run.times, when)
    jump = np.abs(np.diff(run.modal_rates["panel"], axis=0)).max(axis=1)
    assert jump.argmax() == near - 1  # the step across the impact
    assert run.joint_rates["fold"][near + 1 :, 0] == pytest.approx(0.0, abs=1e-12)


def test_a_held_joint_lets_go_at_a_time_and_a_weld_at_an_event():
    vehicle = Vehicle(
        "door", [Body("a", 1.0), Body("b", 2.0, inertia=[1, 1, 2])], [hinge("s", "a", "b", Z, stiffness=8.0)],
        base_motion="fixed",
    )  # fmt: skip
    start = State(joints={"s": 0.3})
    run = simulate(vehicle, 3.0, start, loads=[joint_lock("s", end=1.25, name="pyro")], samples=61, **TIGHT)
    after = np.maximum(run.times - 1.25, 0.0)
    assert run.joints["s"][:, 0] == pytest.approx(0.3 * np.cos(2.0 * after), abs=1e-9)
    assert run.loop_force["pyro"][0, 0] == pytest.approx(8.0 * 0.3) and run.loop_force["pyro"][-1, 0] == 0.0
    assert words(run) == ["pyro lets go"] and run.balance.impact_loss[-1] == 0.0
    pair = Vehicle(
        "pair",
        [Body("a", 1.0, inertia=[1, 1, 1]), Body("b", 3.0, inertia=[1, 1, 1])],
        [prismatic("s", "a", "b", [1, 0, 0])],
    )
    far = Event("far", signals.position("a", [0, 1, 0], name="height"), 0.5, 1)
    weld = switched(weld_loop(anchor("a"), anchor("b"), name="bolt"), end=far)
    flown = simulate(pair, 2.0, State(velocity=[0, 0.5, 0]), loads=[weld], samples=5, **TIGHT)
    assert [(event.name, round(event.time, 9)) for event in flown.events] == [("bolt lets go", 1.0)]


def test_a_stop_with_restitution_bounces_like_a_ball():
    """A mass falls on its stop: heights shrink by e^2; in the end it rests and the stop carries its weight."""
    g, e, m, h = 9.81, 0.6, 2.0, 0.5
    vehicle = Vehicle(
        "ball", [Body("a", 1.0), Body("b", m)], [prismatic("s", "a", "b", Z, limits=(0.0, 5.0))],
        base_motion="fixed", gravity=[0, 0, -g],
    )  # fmt: skip
    stop = end_stop("s", restitution=e, settle_rate=0.05, name="floor")
    run = simulate(vehicle, 2.5, State(joints={"s": h}), loads=[stop], samples=251, **TIGHT)
    fall = np.sqrt(2 * h / g)
    times = fall + np.concatenate([[0.0], np.cumsum(2 * fall * e ** np.arange(1, 5))])
    hits = [event.time for event in run.events][:5]
    assert hits == pytest.approx(times, abs=1e-8)
    assert run.balance.impact_loss[-1] == pytest.approx(m * g * h, rel=1e-9)  # everything, in the end
    assert run.joints["s"][-1, 0] == pytest.approx(0.0, abs=1e-10) and run.joints["s"].min() > -1e-9
    assert run.loop_force["floor"][-1, 0] == pytest.approx(m * g, rel=1e-9)
    assert run.balance.worst()["energy"] < 1e-9 and run.balance.worst()["momentum"] < 1e-9


def test_a_mass_is_pulled_off_its_stop_and_a_soft_stop_returns_the_energy():
    """A spring whose pull turns around: it leaves the stop when the stop would have to pull."""
    bodies = [Body("a", 1.0), Body("b", 2.0)]
    vehicle = Vehicle(
        "slab", bodies, [prismatic("s", "a", "b", [1, 0, 0], limits=(0.0, 9.0))], base_motion="fixed"
    )  # fmt: skip
    pull = loads.joint_torque("s", profiles.ramp(4.0, 0.0, 4.0, -2.0))  # from -2 N to 4 N: zero after 4/3 s
    stop = end_stop("s", restitution=0.0, name="wall")
    run = simulate(vehicle, 3.0, State(joints={"s": 0.1}), loads=[pull, stop], samples=31, **TIGHT)
    assert words(run)[-1] == "wall is left" and run.events[-1].time == pytest.approx(4.0 / 3.0, abs=1e-9)
    late = np.maximum(run.times - 4.0 / 3.0, 0.0)
    assert run.joints["s"][run.times > 1.0, 0] == pytest.approx((1.5 * late**3 / 12.0)[run.times > 1.0], abs=1e-9)
    soft = end_stop("s", stiffness=200.0, name="pad")
    back = simulate(vehicle, 1.5, State(joints={"s": 0.5}, joint_rates={"s": -1.0}), loads=[soft], samples=16, **TIGHT)
    w = np.sqrt(200.0 / 2.0)
    assert back.joint_rates["s"][-1, 0] == pytest.approx(1.0, abs=1e-8)
    assert back.joints["s"][-1, 0] == pytest.approx(1.5 - 0.5 - np.pi / w, abs=1e-8)


def test_a_block_on_a_spring_sticks_where_coulomb_says():
    """Turning points |x_n| = x0 - 2 n F/k, every half period pi/w, until the spring is weaker than the grip."""
    k, m, friction, x0 = 50.0, 2.0, 6.0, 1.0
    vehicle = Vehicle(
        "block", [Body("a", 1.0), Body("b", m)], [prismatic("s", "a", "b", [1, 0, 0], stiffness=k)], base_motion="fixed"
    )  # fmt: skip
    rub = friction_lock("s", friction, name="rub")
    run = simulate(vehicle, 4.0, State(joints={"s": x0}), loads=[rub], samples=401, **TIGHT)
    half, step = np.pi / np.sqrt(k / m), 2.0 * friction / k
    turns = [event.time for event in run.events]
    assert turns == pytest.approx(half * np.arange(1, len(turns) + 1), abs=1e-8)
    assert len(turns) == 4 and words(run)[-1] == "rub: the joint sticks"
    assert run.joints["s"][-1, 0] == pytest.approx(x0 - 4 * step, abs=1e-9)
    assert run.loop_force["rub"][-1, 0] == pytest.approx(k * (x0 - 4 * step), abs=1e-7)
    assert run.balance.work[-1] == pytest.approx(-0.5 * k * (x0**2 - (x0 - 4 * step) ** 2), rel=1e-8)
    assert run.balance.worst()["energy"] < 1e-9
    held = friction_lock("s", friction, breakaway=60.0, name="rub")
    stuck = simulate(vehicle, 1.0, State(joints={"s": x0}), loads=[held], samples=3)
    assert stuck.joints["s"][-1, 0] == pytest.approx(x0, abs=1e-13) and not stuck.events


def test_what_cannot_be_switched_is_refused_by_name():
    vehicle = Vehicle(
        "pair", [Body("a", 1.0), Body("b", 2.0)], [prismatic("s", "a", "b", [1, 0, 0])], base_motion="fixed"
    )
    with pytest.raises(VehicleError, match="an end stop needs a joint with limits"):
        simulate(vehicle, 1.0, loads=[end_stop("s", restitution=0.5)])
    with pytest.raises(VehicleError, match="restitution or stiffness"):
        end_stop("s")
    with pytest.raises(VehicleError, match="only loops and locks"):
        switched(end_stop("s", restitution=0.5), end=1.0)
    late = switched(point_loop(anchor("a"), anchor("b"), name="hook"), begin=0.5)
    run = simulate(vehicle, 1.0, State(joints={"s": 0.2}), loads=[late])
    assert not run.complete and "hook should begin to hold, but is open by 0.2 m" in run.reason


def test_a_joint_that_starts_at_its_end_stop_meets_it():
    """At the limit and moving outward it rebounds at once, on either side; pushed from rest it stays; inward it leaves."""
    bodies = [Body("hub", 10.0, inertia=[2, 2, 3]), Body("panel", 2.0, center=[1, 0, 0], inertia=[0.1, 0.7, 0.8])]
    vehicle = Vehicle("panel", bodies, [hinge("j", "hub", "panel", Z, limits=[-0.5, 0.5])], base_motion="fixed")
    for side in (-1.0, 1.0):
        stop = end_stop("j", restitution=0.6)
        out = simulate(
            vehicle, 0.5, State(joints={"j": side * 0.5}, joint_rates={"j": side * 0.5}), loads=[stop], samples=6
        )
        assert out.joint_rates["j"][-1, 0] == pytest.approx(-0.3 * side, rel=1e-9)
        assert np.abs(out.joints["j"]).max() <= 0.5 and max(out.balance.worst().values()) < 1e-9
        push = [stop, loads.joint_torque("j", 0.2 * side)]
        held = simulate(vehicle, 0.5, State(joints={"j": side * 0.5}), loads=push, samples=6)
        assert np.abs(held.joints["j"] - side * 0.5).max() < 1e-11
    away = simulate(vehicle, 0.5, State(joints={"j": 0.5}, joint_rates={"j": -0.4}), loads=[stop], samples=6)
    assert away.joints["j"][-1, 0] == pytest.approx(0.3, abs=1e-9)


def test_a_run_that_starts_at_a_limit_and_moves_outward_stops_there():
    bodies = [Body("hub", 10.0, inertia=[2, 2, 3]), Body("panel", 2.0, center=[1, 0, 0], inertia=[0.1, 0.7, 0.8])]
    vehicle = Vehicle("panel", bodies, [hinge("j", "hub", "panel", Z, limits=[-0.5, 0.5])])
    run = simulate(vehicle, 1.0, State(joints={"j": 0.5}, joint_rates={"j": 0.5}), samples=6)
    assert not run.complete and run.times[-1] < 1e-9 and "upper limit" in words(run)[0]
