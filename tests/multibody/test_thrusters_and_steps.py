"""Pulsed thrusters with minimum impulse and their log, control allocation, stepping drives."""

import numpy as np
import pytest

import tisserand as ts
from tisserand.errors import VehicleError
from tisserand.multibody.allocation import Allocation, torque_effect
from tisserand.multibody.pulses import PulsedController, firing_log, pulsed
from tisserand.multibody.stepping_drive import stepping_drive, steps

HUB = ts.Body("hub", 100.0, inertia=[20.0, 25.0, 30.0])
VEHICLE = ts.Vehicle("c", (HUB,))
#: Six pairs: at +-1 m along each axis, pushing both ways across it.
CORNERS = [
    (p * np.eye(3)[i], s * np.eye(3)[(i + 1) % 3], f"t{i}{p:+.0f}{s:+.0f}")
    for i in range(3)
    for p in (1, -1)
    for s in (1, -1)
]


def thrusters(chosen=CORNERS):
    return [ts.loads.force("hub", d, None, point=p, name=name) for p, d, name in chosen]


def valve(law, **options):
    """One thruster along x under a given law of its mean thrust."""
    given = {"period": 0.1, "thrust": (2.0,)} | options
    return PulsedController(
        "v", (ts.signals.value_of(0.0),), (ts.loads.force("hub", [1, 0, 0], None, name="jet"),), law, **given
    )  # fmt: skip


def test_pulses_have_the_length_of_the_command_in_quanta():
    """Mean thrust 0.72 N of 2 N: 36 ms of 100 ms, 40 ms in quanta of 10 ms, nothing below 50 ms."""
    law = lambda time, values: [0.72]  # noqa: E731
    for options, on in (
        ({}, 0.036),
        ({"quantum": 0.01}, 0.04),
        ({"minimum_on": 0.05}, 0.0),
        ({"minimum_on": 0.036}, 0.036),
    ):
        made = valve(law, **options)
        assert made.times_on(np.array([0.72])) == pytest.approx([on], abs=1e-12)
        run = ts.simulate(VEHICLE, 1.0, controllers=[made])
        assert run.velocity[-1, 0] == pytest.approx(10 * 2.0 * on / 100.0, abs=1e-12)
        log = firing_log(run)
        assert len(log) == (10 if on else 0)
        assert [one.duration for one in log] == pytest.approx([on] * len(log))
        assert [one.start for one in log] == pytest.approx(0.1 * np.arange(len(log)))
        assert sum(one.impulse for one in log) == pytest.approx(100.0 * run.velocity[-1, 0], abs=1e-9)


def test_full_and_delayed_pulses_and_the_log_of_one_that_is_on_at_the_end():
    run = ts.simulate(VEHICLE, 0.5, controllers=[valve(lambda time, values: [9.0], delay=0.03)])
    (one,) = firing_log(run)  # never off
    assert (one.thruster, one.start, one.duration, one.strength) == ("v/jet", 0.03, pytest.approx(0.47), 2.0)
    assert run.velocity[-1, 0] == pytest.approx(2.0 * 0.47 / 100.0)


def test_the_log_is_kept_with_the_run(tmp_path):
    run = ts.simulate(VEHICLE, 0.3, controllers=[valve(lambda time, values: [0.7])])
    ts.save_trajectory(run, tmp_path / "run.h5")
    assert firing_log(ts.load_trajectory(tmp_path / "run.h5")) == firing_log(run)
    assert firing_log(ts.simulate(VEHICLE, 0.3)) == ()


def test_saturated_pulses_keep_their_direction():
    made = PulsedController(
        "v", (), tuple(thrusters(CORNERS[:2])), lambda time, values: [0, 0], 0.1, thrust=(1.0, 2.0)
    )  # fmt: skip
    assert made.times_on(np.array([3.0, 1.5])) == pytest.approx([0.1, 0.025])


def test_effects_and_shares_of_thrusters():
    """r x d about the mass center; every demand is met by commands that only push, and by the smallest of them."""
    fired = thrusters()
    effect = torque_effect(VEHICLE, "hub", fired)
    assert effect[:, 0] == pytest.approx(np.cross(CORNERS[0][0], CORNERS[0][1]))
    shared = Allocation(effect, one_sided=True)
    rng = np.random.default_rng(1)
    for demand in rng.normal(size=(20, 3)):
        u = shared.commands(demand)
        assert u.min() >= 0.0 and effect @ u == pytest.approx(demand, abs=1e-6)
        assert np.abs(u).sum() == pytest.approx(
            np.abs(demand).sum(), abs=1e-5
        )  # both thrusters of a pair, none against it
    assert shared.doubts("controller x") == ()
    wheels = Allocation(np.array([[1.0, 0, 0, 0.577], [0, 1, 0, 0.577], [0, 0, 1, 0.577]]))
    assert wheels.commands([1.0, 2.0, 3.0]) == pytest.approx(np.linalg.pinv(wheels.effect) @ [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("effect", "one_sided", "words"),
    [
        (
            [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]],
            False,
            r"only 2 actuators .* act along 2: nothing acts along \(0, 0, 1\)",
        ),
        ([[1.0, 0, 1], [0, 1, 1], [0, 0, 0]], False, r"commands 3 axes, but its actuators .* act along 2"),
        ([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]], True, r"only push, and together they cannot push along -1, -2, -3"),
    ],
)
def test_sets_that_cannot_do_what_is_commanded_are_named(effect, one_sided, words):
    import re

    (said,) = Allocation(np.array(effect), one_sided).doubts("controller acs")
    assert said.startswith("controller acs") and re.search(words, said)


def test_a_run_warns_of_thrusters_that_cannot_turn_a_body():
    law = ts.controllers.attitude_pd("hub", 5.0, 30.0)
    few = thrusters(CORNERS[:3])
    made = pulsed(law, few, [1.0] * 3, Allocation(torque_effect(VEHICLE, "hub", few), True), period=0.5)
    run = ts.simulate(VEHICLE, 0.5, controllers=[made])
    assert any("act along 1" in w for w in run.warnings)
    wheel = ts.Rotor("w", "hub", [1, 0, 0], 0.1)
    sampled = ts.controllers.sampled(ts.controllers.attitude_pd("hub", 1.0, 1.0, rotors=[("w", [1, 0, 0])]), 0.1)
    run = ts.simulate(ts.Vehicle("c", (HUB,), rotors=[wheel]), 0.5, controllers=[sampled])
    assert any("its rotors w act about 1" in w for w in run.warnings)


def test_pulsed_attitude_control_settles_into_its_deadband():
    """A turn of 3 degrees is removed to within the deadband; angular impulse by the log is what the body shows."""
    law = ts.controllers.attitude_pd("hub", [8.0] * 3, [40.0] * 3)
    fired = thrusters()
    effect = torque_effect(VEHICLE, "hub", fired)
    made = pulsed(
        law,
        fired,
        [1.0] * 12,
        Allocation(effect, True),
        period=0.25,
        minimum_on=0.01,
        quantum=0.005,
        deadband=np.radians(0.2),
    )
    half = np.radians(1.5)
    start = ts.State(attitude=[np.cos(half), *(np.sin(half) * np.array([0.6, 0.0, 0.8]))])
    run = ts.simulate(VEHICLE, 60.0, start, controllers=[made])
    final = 2.0 * np.abs(run.attitude[-1, 1:]).max()
    unfired = 2 * 1.0 * 0.01 / 0.25 / 8.0  # error whose pulse, shared by a pair, would be shorter than the minimum
    assert final < np.radians(0.2) + unfired
    columns = {name: effect[:, i] for i, (_, _, name) in enumerate(CORNERS)}
    given = sum(one.impulse * columns[one.thruster.split("/")[1]] for one in firing_log(run))
    small = HUB.inertia @ run.angular_velocity[-1]
    assert given == pytest.approx(small, abs=0.1)  # turns stay small: body axes are nearly inertial
    assert max(run.balance.worst().values()) < 1e-6
    assert all(one.duration >= 0.01 - 1e-12 for one in firing_log(run))


def test_impossible_pulses_are_refused():
    with pytest.raises(VehicleError, match="minimum_on must lie between 0 and the period"):
        valve(lambda time, values: [0.0], minimum_on=0.2)
    with pytest.raises(VehicleError, match="every thruster needs a positive thrust"):
        valve(lambda time, values: [0.0], thrust=(0.0,))
    with pytest.raises(VehicleError, match="no first-order hold"):
        valve(lambda time, values: [0.0], hold="first")
    with pytest.raises(VehicleError, match="differ in the number of axes"):
        pulsed(
            ts.controllers.attitude_pd("hub", 1.0, 1.0),
            thrusters(),
            [1.0] * 12,
            Allocation(np.ones((1, 12))),
            period=1.0,
        )


def test_a_staircase_and_its_smooth_form():
    stairs = steps(0.5, 4.0, 3, start=1.0)
    assert stairs([0.9, 1.0, 1.24, 1.25, 1.6, 9.0]) == pytest.approx([0, 0.5, 0.5, 1.0, 1.5, 1.5])
    smooth = steps(0.5, 4.0, 3, start=1.0, rise=0.1)
    single = ts.profiles.smooth_ramp(0.5, 1.0, 0.1)
    t = np.linspace(1.0, 1.2, 21)
    assert smooth(t) == pytest.approx(single(t)) and smooth(t + 0.5) == pytest.approx(1.0 + single(t))
    assert len(smooth.jumps(1)) == 0
    close = steps(0.5, 4.0, 3, start=1.0, rise=0.25)  # one after the other
    assert close(1.75) == pytest.approx(1.5) and close(1.5) == pytest.approx(1.0)
    with pytest.raises(VehicleError, match="rise of a step"):
        steps(0.5, 4.0, 3, rise=0.3)


def arm(**laws):
    joint = ts.hinge("sadm", "stand", "panel", axis=[0, 0, 1], **laws)
    bodies = (ts.Body("stand", 1.0, inertia=[1, 1, 1]), ts.Body("panel", 5.0, inertia=[1.0, 1.0, 2.0]))
    return ts.Vehicle("sadm", bodies, (joint,), base_motion="fixed"), joint


def test_steps_through_a_stiffness_against_the_oscillator():
    """J q'' + k (q - a(t)) = 0: a step adds size (1 - cos w (t - t_k)); one per period adds up, two per period cancel."""
    vehicle, joint = arm(stiffness=8.0)
    w, size = 2.0, np.radians(0.5)
    for rate, grows in ((w / (2 * np.pi), True), (w / np.pi, False)):
        load = stepping_drive(joint, size, rate, 6, start=0.5)
        run = ts.simulate(vehicle, 25.0, loads=[load], output_step=0.05)
        begins = 0.5 + np.arange(6) / rate
        t = run.times[:, None]
        expected = np.where(t > begins, size * (1.0 - np.cos(w * (t - begins))), 0.0).sum(axis=1)
        assert run.joints["sadm"][:, 0] == pytest.approx(expected, abs=1e-9)
        late = np.abs(run.joints["sadm"][run.times > begins[-1] + 0.1, 0] - 6 * size).max()
        assert late == pytest.approx(6 * size if grows else 0.0, abs=1e-2 * size)
        assert run.balance.worst()["energy"] < 1e-8


def test_a_prescribed_stepping_joint_needs_a_rise():
    vehicle, _ = arm(motion=steps(0.01, 2.0, 5, rise=0.2))
    run = ts.simulate(vehicle, 4.0)
    assert run.joints["sadm"][-1, 0] == pytest.approx(0.05) and run.warnings == ()
    jumping, _ = arm(motion=steps(0.01, 2.0, 5))
    assert any("jumps in rate" in w for w in ts.simulate(jumping, 4.0).warnings)
    with pytest.raises(VehicleError, match="needs a joint with stiffness"):
        stepping_drive(arm()[1], 0.01, 1.0, 3)
