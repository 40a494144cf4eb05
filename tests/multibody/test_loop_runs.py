"""Linkages, rods, rolling and blades along runs: printed tables, closed forms, and a linkage in absolute coordinates."""

import numpy as np
import pytest
from support.planar_bars import PlanarBars

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    PrescribedMotion,
    State,
    Vehicle,
    assembled,
    ball,
    free_joint,
    hinge,
    joined,
    load_trajectory,
    prismatic,
    profiles,
    save_trajectory,
    signals,
    simulate,
)
from tisserand.multibody.force_elements import anchor, spring
from tisserand.multibody.loops import distance_loop, gear, line_loop, point_loop, rolling, skate, weld_loop
from tisserand.multibody.simulation import Simulation

TIGHT = {"rtol": 1e-11, "atol": 1e-13}
Z = [0, 0, 1]


def bar(name, mass, length):
    """A slender bar along y, its origin at the upper end."""
    side = mass * length**2 / 12.0
    return Body(name, mass, center=[0, -length / 2, 0], inertia=[side, 1e-6, side])


def three_bars():
    """Two cranks of 2 m that hang from the ground, and a bar of 1 m between their ends (S4 9.7)."""
    rod = Body("rod", 3.0, center=[0.5, 0, 0], inertia=[1e-6, 0.25, 0.25])
    bodies = [Body("ground", 1.0), bar("one", 1.0, 2.0), bar("two", 2.0, 2.0), rod]
    joints = [
        hinge("q1", "ground", "one", Z),
        hinge("q2", "ground", "two", Z, parent_point=[1, 0, 0]),
        hinge("q3", "one", "rod", Z, parent_point=[0, -2, 0]),
    ]
    return Vehicle("linkage", bodies, joints, base_motion="fixed", gravity=[0, -9.81, 0])


PIN = point_loop(anchor("rod", [1, 0, 0]), anchor("two", [0, -2, 0]), name="pin")
START = State(joints={"q1": np.pi / 6, "q2": np.pi / 6, "q3": -np.pi / 6})
#: S4 9.7: angle (deg) and rate of the first crank at 1, 2, ... 10 s.
TABLE = [
    (-20.250, -0.8924), (-2.852, 1.2103), (24.051, -0.7214), (-29.470, -0.2250), (15.716, 1.0325), (8.449, -1.1657),
    (-26.989, 0.5260), (27.898, 0.4427), (-10.608, -1.1358), (-13.736, 1.0784),
]  # fmt: skip


@pytest.fixture(scope="module")
def swing():
    return simulate(three_bars(), 10.0, START, loads=[PIN], samples=11, **TIGHT)


def test_the_three_bar_linkage_has_the_printed_angles_and_forces(swing):
    """Angles to the last printed digit; force on the light crank, axial force in the middle of the bar (S4 9.7, 15.1)."""
    angles = np.degrees(swing.joints["q1"][1:, 0])
    assert angles == pytest.approx([row[0] for row in TABLE], abs=1.2e-3)
    assert swing.joint_rates["q1"][1:, 0] == pytest.approx([row[1] for row in TABLE], abs=6e-5)
    assert swing.joint_force["q1"][9:, 0] == pytest.approx([4.82908, 6.04556], abs=6e-6)
    # middle of the bar at 5 s: half of its mass against the pull of the pin on it (minus the force on crank two)
    rod, pull = swing.body("rod"), -swing.loop_force["pin"][5]
    assert np.allclose(swing.rotation[5, rod], np.eye(3), atol=1e-9)  # it stays level: axes of the loop are inertial
    quarter = swing.origin_acceleration[5, rod, 0]  # the bar only translates
    assert pull[0] - 1.5 * quarter == pytest.approx(-0.17253, abs=6e-6)


def test_drift_redundancy_and_balance_of_the_linkage_are_reported(swing, tmp_path):
    assert max(swing.balance.worst().values()) < 1e-10
    assert swing.loop_drift["pin"].shape == (11, 2) and swing.loop_drift["pin"].max() < 1e-10
    assert any("loop pin: row 3 of its forces is redundant" in words for words in swing.warnings)
    again = load_trajectory(save_trajectory(swing, tmp_path / "run.h5"))
    assert np.array_equal(again.loop_force["pin"], swing.loop_force["pin"])
    assert np.array_equal(again.balance.projected, swing.balance.projected)
    assert swing.loop_force["pin"][:, 2] == pytest.approx(0.0)  # the least that serves


@pytest.mark.parametrize(
    ("options", "limit"), [({"method": "rk4", "step": 5e-3}, 1e-8), ({"method": "Radau", "rtol": 1e-9}, 1e-6)]
)
def test_other_methods_swing_alike(swing, options, limit):
    other = simulate(three_bars(), 2.0, START, loads=[PIN], samples=3, **options)
    assert other.joints["q1"] == pytest.approx(swing.joints["q1"][:3], abs=limit)
    assert other.loop_force["pin"] == pytest.approx(swing.loop_force["pin"][:3], abs=100 * limit)


def test_pieces_of_a_run_are_the_run(swing):
    simulation = Simulation(three_bars(), START, loads=[PIN], **TIGHT)
    parts = [simulation.piece(1.0, np.linspace(k, k + 1.0, 3)) for k in range(2)]
    assert joined(*parts).joints["q2"][-1] == pytest.approx(swing.joints["q2"][2], abs=1e-9)


FIVE = [1.2, 0.9, 1.4, 1.1]  # masses; bars of 1, 1.3, 1.3, 0.8 m between pivots 1.5 m apart
LENGTHS = [1.0, 1.3, 1.3, 0.8]


def test_a_five_bar_linkage_against_absolute_coordinates():
    """Two degrees of freedom, large motion: places, and the forces in the pins on both sides of the cut."""
    bodies = [Body("ground", 1.0)]
    bodies += [
        Body(f"b{i}", m, center=[l / 2, 0, 0], inertia=[1e-6, m * l**2 / 12, m * l**2 / 12])
        for i, (m, l) in enumerate(zip(FIVE, LENGTHS))
    ]
    joints = [
        hinge("j0", "ground", "b0", Z),
        hinge("j1", "b0", "b1", Z, parent_point=[1.0, 0, 0]),
        hinge("j3", "ground", "b3", Z, parent_point=[1.5, 0, 0]),
        hinge("j2", "b3", "b2", Z, parent_point=[0.8, 0, 0]),
    ]
    vehicle = Vehicle("five", bodies, joints, base_motion="fixed", gravity=[0, -9.81, 0])
    cut = point_loop(anchor("b1", [1.3, 0, 0]), anchor("b2", [1.3, 0, 0]), name="cut")
    start = assembled(vehicle, State(joints={"j0": 2.2, "j1": -1.6, "j3": 0.9, "j2": 1.7}), loads=[cut])
    run = simulate(vehicle, 1.5, start, loads=[cut], samples=16, **TIGHT)
    angle = [start.joints[f"j{i}"][0] for i in range(4)]
    turns = [angle[0], angle[0] + angle[1], angle[3] + angle[2], angle[3]]
    along = [np.array([np.cos(a), np.sin(a)]) for a in turns]
    feet = [np.zeros(2), along[0], np.array([1.5, 0]) + 0.8 * along[3], np.array([1.5, 0.0])]
    q = np.concatenate([[*(f + 0.5 * l * d), a] for f, l, d, a in zip(feet, LENGTHS, along, turns)])
    half = np.array(LENGTHS) / 2
    pins = [
        (0, -half[0], -1, (0, 0)), (1, -half[1], 0, half[0]), (2, half[2], 1, half[1]), (2, -half[2], 3, half[3]),
        (3, -half[3], -1, (1.5, 0)),
    ]  # fmt: skip
    bars = PlanarBars(FIVE, LENGTHS, pins, (0.0, -9.81))
    places, rates = bars.run(q, run.times)
    assert np.ptp(places[:, 2]) > 1.0  # it really moves
    for k in range(4):
        mine = run.origin[:, run.body(f"b{k}")] + 0.5 * LENGTHS[k] * run.rotation[:, run.body(f"b{k}")][:, :, 0]
        assert mine[:, :2] == pytest.approx(places[:, 3 * k : 3 * k + 2], abs=1e-7)
    _, forces = bars.solve(places[-1], rates[-1])
    C = run.rotation[-1, run.body("b1")]
    assert (C @ run.loop_force["cut"][-1])[:2] == pytest.approx(forces[2], rel=1e-6)
    assert run.joint_force["j1"][-1, :2] == pytest.approx(forces[1], rel=1e-6)
    assert run.joint_force["j3"][-1, :2] == pytest.approx(forces[4], rel=1e-6)
    assert max(run.balance.worst().values()) < 1e-9 and run.loop_drift["cut"].max() < 1e-8


def carriage(*axes, last, table=None, **more):
    """A body that the axes carry, all parts between it and the ground without mass."""
    names = [f"s{'xyz'[np.argmax(a)]}" for a in axes]
    bodies = [Body("ground", 1.0), *(Body(n, 0.0) for n in names), last]
    joints, before = [], "ground"
    for name, axis in zip(names, axes):
        joints.append(prismatic(name, before, name, axis))
        before = name
    end = hinge("turn", before, last.name, Z) if more.pop("planar", False) else ball("turn", before, last.name)
    joints.append(end)
    if table is not None:
        bodies.append(Body("table", 5.0, inertia=[1, 1, 1]))
        joints.append(hinge("spin", "ground", "table", Z, motion=table))
    return Vehicle("carriage", bodies, joints, base_motion="fixed", **more)


SPHERE = Body("ball", 2.0, inertia=[0.4 * 2.0 * 0.09] * 3)  # radius 0.3 m
ALL = ([1, 0, 0], [0, 1, 0], [0, 0, 1])


def test_a_rolling_sphere_keeps_its_rate_and_falls_with_five_sevenths_on_an_incline():
    contact = rolling(anchor("ground"), anchor("ball"), Z, 0.3, name="contact")
    level = carriage(*ALL, last=SPHERE, gravity=[0, 0, -9.81])
    rate = np.array([0.5, 2.0, 0.7])
    start = State(joints={"sz": 0.3}, joint_rates={"sx": 0.3 * rate[1], "sy": -0.3 * rate[0], "turn": rate})
    run = simulate(level, 3.0, start, loads=[contact], samples=7, **TIGHT)
    assert run.rate[:, run.body("ball")] == pytest.approx(np.tile(rate, (7, 1)), abs=1e-10)
    assert run.loop_force["contact"] == pytest.approx(np.tile([2.0 * 9.81, 0, 0], (7, 1)), abs=1e-9)
    slope = 0.2
    steep = carriage(*ALL, last=SPHERE, gravity=[9.81 * np.sin(slope), 0, -9.81 * np.cos(slope)])
    down = simulate(steep, 2.0, State(joints={"sz": 0.3}), loads=[contact], samples=5, **TIGHT)
    expected = 0.5 * 5.0 / 7.0 * 9.81 * np.sin(slope) * down.times**2
    assert down.joints["sx"][:, 0] == pytest.approx(expected, abs=1e-9)
    assert max(down.balance.worst().values()) < 1e-10


def test_a_sphere_on_a_turntable_returns_after_seven_halves_turns():
    turn = 4.0
    period = 2.0 * np.pi / turn
    table = profiles.ramp(turn * 4.0 * period, 0.0, 4.0 * period)
    vehicle = carriage(*ALL, last=SPHERE, table=table, gravity=[0, 0, -9.81])
    contact = rolling(anchor("table"), anchor("ball"), Z, 0.3, name="contact")
    rates = {"sy": 0.5, "turn": [(turn * 0.4 - 0.5) / 0.3, 0.0, 1.0]}
    start = State(joints={"sx": 0.4, "sz": 0.3}, joint_rates=rates)
    run = simulate(vehicle, 3.5 * period, start, loads=[contact], samples=8, **TIGHT)
    path = np.hstack([run.joints["sx"], run.joints["sy"]])
    assert path[-1] == pytest.approx(path[0], abs=1e-8) and np.ptp(path[:, 0]) > 0.5
    assert run.balance.worst()["energy"] < 1e-9


def test_a_blade_on_an_incline_runs_along_a_cycloid():
    """x = g'/(2 w^2) sin^2 wt, y = g'/(2 w^2) (wt - sin(2 wt)/2), side force 2 m g' sin wt."""
    pull, rate, mass = 3.0, 1.3, 2.5
    vehicle = carriage(*ALL[:2], last=Body("sleigh", mass, inertia=[1, 1, 2]), planar=True, gravity=[pull, 0, 0])
    blade = skate(anchor("ground"), anchor("sleigh"), [0, 1, 0], name="blade")
    force = signals.loop_force("blade", name="side")
    run = simulate(vehicle, 4.0, State(joint_rates={"turn": rate}), loads=[blade], outputs=[force], samples=9, **TIGHT)
    t, size = run.times, pull / (2.0 * rate**2)
    assert run.joints["sx"][:, 0] == pytest.approx(size * np.sin(rate * t) ** 2, abs=1e-9)
    assert run.joints["sy"][:, 0] == pytest.approx(size * (rate * t - 0.5 * np.sin(2 * rate * t)), abs=1e-9)
    assert run.signals["side"] == pytest.approx(2.0 * mass * pull * np.sin(rate * t), abs=1e-8)
    assert run.loop_force["blade"][:, 0] == pytest.approx(run.signals["side"], abs=1e-12)


def test_a_rod_that_grows_pushes_and_its_work_is_in_the_balance():
    vehicle = Vehicle(
        "pusher", [Body("a", 1.0), Body("b", 2.0)], [prismatic("s", "a", "b", [1, 0, 0])], base_motion="fixed"
    )
    length = profiles.smooth_ramp(1.5, 0.0, 2.0, 0.5)
    run = simulate(vehicle, 2.0, State(joints={"s": 0.5}), loads=[distance_loop(anchor("a"), anchor("b"), length, name="rod")],
                   samples=9, **TIGHT)  # fmt: skip
    value, rate, curvature = length.derivatives(run.times)
    assert run.joints["s"][:, 0] == pytest.approx(value, abs=1e-9)
    assert run.loop_force["rod"][:, 0] == pytest.approx(2.0 * curvature, abs=1e-7)
    assert run.balance.work == pytest.approx(rate**2, abs=1e-8)


def test_gears_share_momentum_by_their_ratio():
    """Two wheels on a base that is held: inertia I1 ratio^2 + I2 at the second; torque in the mesh."""
    bodies = [Body("base", 10.0), Body("w1", 1.0, inertia=[1, 1, 2.0]), Body("w2", 1.0, inertia=[2, 2, 3.0])]
    joints = [hinge("a", "base", "w1", Z), hinge("b", "base", "w2", Z, stiffness=40.0)]
    vehicle = Vehicle("gears", bodies, joints, base_motion="fixed")
    mesh = gear("a", "b", -2.5, name="mesh")
    start = State(joints={"a": -0.25, "b": 0.1})
    run = simulate(vehicle, 2.0, start, loads=[mesh], samples=9, **TIGHT)
    w = np.sqrt(40.0 / (3.0 + 2.0 * 6.25))
    assert run.joints["b"][:, 0] == pytest.approx(0.1 * np.cos(w * run.times), abs=1e-10)
    assert run.joints["a"] == pytest.approx(-2.5 * run.joints["b"], abs=1e-12)
    assert run.loop_force["mesh"][:, 0] == pytest.approx(2.5 * 2.0 * 0.1 * w**2 * np.cos(w * run.times), abs=1e-8)


def test_a_free_loop_with_springs_conserves_energy_and_momentum():
    """A ring of four bodies that floats, closed by a line, under a spring; a base that turns."""
    bodies = [Body(f"b{i}", 1.0 + i, inertia=[0.4, 0.5, 0.6]) for i in range(4)]
    axes = [[0, 0, 1], [0.6, 0, 0.8], [0, 1, 0]]
    joints = [
        hinge(f"j{i}", f"b{i}", f"b{i + 1}", axes[i], parent_point=[0.5, 0.1, 0], child_point=[-0.5, 0, 0.2])
        for i in range(3)
    ]
    vehicle = Vehicle("ring", bodies, joints)
    loop = line_loop(anchor("b3", [0.4, 0, 0]), anchor("b0", [-0.4, 0.2, 0.3]), [1, 0, 0], name="ring")
    pull = spring(anchor("b1"), anchor("b3"), 30.0, length=0.4)
    guess = State(joints={"j0": 1.3, "j1": 0.9, "j2": 1.1}, angular_velocity=[0.3, 0.2, 0.5], joint_rates={"j0": 1.0})
    start = assembled(vehicle, guess, loads=[loop])
    run = simulate(vehicle, 2.0, start, loads=[loop, pull], rtol=1e-10)
    assert max(run.balance.worst().values()) < 1e-9
    assert run.loop_drift["ring"].max() < 1e-7
    assert np.ptp(run.joints["j1"]) > 0.3
    other = simulate(vehicle, 0.2, start, loads=[loop, pull], samples=3, engine="likins", rtol=1e-10)
    assert other.joints["j1"][-1] == pytest.approx(run.joints["j1"][100], abs=1e-8)


def test_states_and_loops_that_cannot_be_are_refused_by_name():
    vehicle = three_bars()
    with pytest.raises(VehicleError, match=r"loop pin is not closed in the initial state; found 1\.0\d+ m"):
        simulate(vehicle, 1.0, State(joints={"q1": 0.5}), loads=[PIN])
    with pytest.raises(VehicleError, match="loop pin moves apart"):
        simulate(vehicle, 1.0, START.changed(joint_rates={"q1": 0.1}), loads=[PIN])
    far = distance_loop(anchor("ground"), anchor("rod"), 7.0, name="too long")
    with pytest.raises(VehicleError, match=r"cannot be closed near this state.*too long|contradict"):
        assembled(vehicle, START, loads=[far])
    with pytest.raises(VehicleError, match=r"cannot keep loops closed.*LSODA"):
        simulate(vehicle, 1.0, START, loads=[PIN], method="LSODA")
    with pytest.raises(VehicleError, match="a loop needs two parts"):
        simulate(vehicle, 1.0, START, loads=[weld_loop(anchor("one"), anchor("one"))])
    lifted = point_loop(anchor("rod", [1, 0, 0.01]), anchor("two", [0, -2, 0]), name="lifted")
    with pytest.raises(VehicleError, match="contradict"):
        assembled(vehicle, START, loads=[lifted])
    driven = Vehicle(
        "driven", vehicle.bodies,
        [hinge("q1", "ground", "one", Z, motion=profiles.smooth_ramp(0.3, 0.0, 1.0)),
         hinge("q2", "ground", "two", Z, parent_point=[1, 0, 0], motion=profiles.constant(0.0)), vehicle.joints[2]],
        base_motion="fixed",
    )  # fmt: skip
    fight = simulate(driven, 1.0, loads=[PIN])
    assert not fight.complete and "contradict" in fight.reason


@pytest.mark.parametrize("spin", [31.0, 10 * np.pi])
def test_a_sphere_on_a_turntable_circles_at_two_sevenths_of_its_rate(spin):
    """Whatever its first motion; without loops nothing would accelerate, so that their rates alone ask for forces."""
    bodies = [Body("table", 1.0), Body("ball", 3.0, inertia=[0.012, 0.012, 0.012])]
    turning = PrescribedMotion(axis=Z, angle=profiles.constant_rate(np.pi, -1.0))
    vehicle = Vehicle("turntable", bodies, [free_joint("f", "table", "ball")], base_motion=turning)
    roll = rolling(anchor("table"), anchor("ball"), Z, 0.1, name="roll")
    guess = State(joints={"f": [1, 0, 0.1, 1, 0, 0, 0]}, joint_rates={"f": [0.1, -np.pi, 0, spin, 0, -np.pi]})
    start = assembled(vehicle, guess, loads=[roll])
    seen = [signals.position("ball", axis, name=name) for name, axis in (("x", [1, 0, 0]), ("y", [0, 1, 0]))]
    run = simulate(vehicle, 7.0, start, loads=[roll], outputs=seen, samples=71, **TIGHT)
    place = run.signals["x"] + 1j * run.signals["y"]
    circle = np.stack([np.ones(71), np.exp(2j / 7 * np.pi * run.times)], axis=1)
    sizes = np.linalg.lstsq(circle, place, rcond=None)[0]
    assert np.abs(circle @ sizes - place).max() < 1e-9 and abs(sizes[1]) > 0.01
