"""Nodes of appendages in runs: foreshortening against finite rotation, one field for sensors, forces and joints."""

import numpy as np
import pytest
from support.finite_chain import spun_chain
from support.finite_elastica import Elastica
from support.lines import STEEL, beam_model, bodies, rectangle, straight

import tisserand as ts
from tisserand.appendage.record.turning_bodies import gathered_bodies
from tisserand.assembly import assemble
from tisserand.model import BeamSection, BeamStation, Isotropic, RigidElement, Supports

LENGTH, RIGIDITY, DENSITY, RATE, DURATION = 10.0, 1.4e4, 1.2, 6.0, 15.0
#: Tip place (x less the length, y) of the same beam as a chain of 20 and 40 links, extrapolated: ``spun_chain``.
CHAIN = {6.0: (-0.017016, -0.543540), 7.0: (-0.018710, -0.571219), 8.0: (-0.016789, -0.542730)}


def spin_rate(t):
    return RATE / DURATION * (t - DURATION / (2 * np.pi) * np.sin(2 * np.pi * t / DURATION))


def spin_acceleration(t):
    return RATE / DURATION * (1.0 - np.cos(2 * np.pi * t / DURATION))


def spin_angle(t):
    return RATE / DURATION * (t**2 / 2 + (DURATION / (2 * np.pi)) ** 2 * (np.cos(2 * np.pi * t / DURATION) - 1))


def spun_record():
    material = Isotropic(1, 1e9, 5e8, 0.0, DENSITY)
    section = BeamSection(1, material, BeamStation(1.0, RIGIDITY / 1e9, 1e4 * RIGIDITY / 1e9, 0.0, 1e-2))
    beam = beam_model(straight(30, LENGTH), section, orientation=(0.0, 1.0, 0.0)).changed(supports=Supports.clamp([0]))
    basis = ts.solve_modes(assemble(beam), count=4)
    return ts.reduce(basis, attachment=1, interfaces={"tip": 31}, geometric=True, name="beam")


@pytest.fixture(scope="module")
def spin_up():
    record = spun_record()
    drive = ts.PrescribedMotion(angle=ts.profiles.spin_up(RATE, 0.0, DURATION))
    hub = ts.Body("hub", 1.0, inertia=[1, 1, 1])
    vehicle = ts.Vehicle("spin-up", (hub,), appendages=(ts.MountedAppendage("beam", record, "hub"),), base_motion=drive)
    look = [
        ts.signals.node_deflection("beam", node, axis, rate, name)
        for node, axis, rate, name in (
            ("tip", [1, 0, 0], False, "x"),
            ("tip", [0, 1, 0], False, "y"),
            (31, [1, 0, 0], False, "x of the node"),
            (16, [1, 0, 0], False, "x of the middle"),
            ("tip", [1, 0, 0], True, "x rate"),
        )
    ]
    return ts.simulate(vehicle, 9.0, outputs=look, samples=3601)


def test_a_spun_beam_shortens_as_finite_rotation_says(spin_up):
    """Tip of the 10 m beam along and across its undeformed axis, within 2 % of the largest, and its shortening is no zero."""
    at = [int(np.argmin(np.abs(spin_up.times - t))) for t in CHAIN]
    exact = np.array(list(CHAIN.values()))
    assert spin_up.signals["x"][at] == pytest.approx(exact[:, 0], abs=0.02 * 0.01871)
    assert spin_up.signals["y"][at] == pytest.approx(exact[:, 1], abs=0.02 * 0.5712)


def test_nodes_by_id_and_by_name_move_alike(spin_up):
    """The node table keeps single precision; the middle shortens less; the rate is the derivative."""
    x = spin_up.signals["x"]
    assert spin_up.signals["x of the node"] == pytest.approx(x, abs=1e-6 * np.abs(x).max())
    middle = spin_up.signals["x of the middle"]
    assert (middle[1:] < 0.0).all()
    assert (middle[1:] > x[1:]).all()
    slope = np.gradient(x, spin_up.times)[1:-1]
    assert spin_up.signals["x rate"][1:-1] == pytest.approx(slope, abs=2e-3 * np.abs(slope).max())


#: Largest deflection of the tip and its place along the axis then, for two final rates: ``Elastica``, four polynomials.
ELASTICA = {6.0: (-0.018900, -0.573749), 3.0: (-0.005387, -0.305586)}


@pytest.mark.slow
def test_a_spin_up_errs_by_third_degree():
    """Tip of the elastica at 6 and at 3 rad/s: the error falls with the third power of the deflection, or faster."""
    errors = []
    for final, (x, y) in ELASTICA.items():
        drive = ts.PrescribedMotion(angle=ts.profiles.spin_up(final, 0.0, DURATION))
        mount = ts.MountedAppendage("beam", spun_record(), "hub")
        hub = ts.Body("hub", 1.0, inertia=[1, 1, 1])
        vehicle = ts.Vehicle("spin-up", (hub,), appendages=(mount,), base_motion=drive)
        look = [
            ts.signals.node_deflection("beam", "tip", axis, False, name)
            for axis, name in (([1, 0, 0], "x"), ([0, 1, 0], "y"))
        ]
        run = ts.simulate(vehicle, 8.0, outputs=look, samples=1601)
        worst = int(np.argmin(run.signals["y"]))
        assert run.signals["x"][worst] == pytest.approx(x, rel=3.0 * (y / LENGTH) ** 2)
        errors.append(abs(run.signals["y"][worst] - y))
    assert errors[0] / errors[1] > 0.75 * (0.573749 / 0.305586) ** 3


@pytest.mark.slow
def test_the_elastica_itself():
    """Three polynomials are within 1e-4 of four; the chain agrees with it."""
    times = np.arange(0.0, 7.01, 0.05)
    place = Elastica(LENGTH, RIGIDITY, DENSITY, 3).spun(spin_rate, spin_acceleration, times)
    worst = int(np.argmin(place[:, 1]))
    assert place[worst] == pytest.approx(np.array(ELASTICA[6.0]), rel=2e-3)
    assert place[-1] == pytest.approx(np.array(CHAIN[7.0]), rel=2e-3)


@pytest.mark.slow
def test_the_chain_itself():
    """Links of 1 m: within 1.5 % of the extrapolated places, which they approach with the square of their length."""
    place = spun_chain(10, LENGTH, RIGIDITY, DENSITY, spin_angle, spin_rate, np.array([0.0, *CHAIN]))[1:]
    assert place == pytest.approx(np.array(list(CHAIN.values())), rel=0.02)


# -- arms ------------------------------------------------------------------------------------------------
ARM = np.array([0.3, 0.1, 0.6])


def boom(on_arm):
    """Clamped boom; an 18 kg body off its tip, as an offset or at the end of an RBE2 arm (node 7)."""
    points = np.concatenate([straight(5, 3.2), [ARM + np.array([3.2, 0, 0])]])
    inertia = np.diag([0.5, 0.7, 0.4])
    body = bodies([6], 18.0, inertia=inertia) if on_arm else bodies([5], 18.0, offset=ARM, inertia=inertia)
    model = beam_model(points, BeamSection(1, STEEL, rectangle(0.05, 0.03)), extra=(body,))
    beams = model.elements[0].select(np.arange(5))
    lead = RigidElement(1, [(5, c) for c in range(6)], [(6, c) for c in range(6)])
    return model.changed(elements=(beams, body), constraints=(lead,), supports=Supports.clamp([0]))


def boom_record(on_arm, **options):
    basis = ts.solve_modes(assemble(boom(on_arm)), count=4)
    record = ts.reduce(basis, attachment=1, interfaces={"tip": 6, "end": 7}, name="boom", **options)
    flip = np.sign(record.nodes.rotation[5][[2, 1, 0]]).sum(axis=0)
    return ts.appendage.normalized(record, np.where(flip < 0, -1.0, 1.0))


def test_bodies_on_arms_join_their_masters():
    one, two = (gathered_bodies(boom(on_arm)) for on_arm in (False, True))
    assert two.nodes.tolist() == one.nodes.tolist() == [5]
    for word in ("masses", "offsets", "inertias"):
        assert getattr(two, word) == pytest.approx(getattr(one, word), abs=1e-12)


@pytest.mark.parametrize("engine", ["recursive", pytest.param("likins", marks=pytest.mark.slow)])
def test_an_offset_body_and_the_same_body_on_an_arm_fly_alike(engine):
    runs = []
    for on_arm in (False, True):
        record = boom_record(on_arm)
        hub = ts.Body("hub", 60.0, inertia=[8, 9, 10])
        vehicle = ts.Vehicle("craft", (hub,), appendages=(ts.MountedAppendage("boom", record, "hub"),))
        eta = 0.05 / np.abs(record.interface("tip").translation).max(axis=0) * np.array([1.0, 0.5, 0.2, 0.1])
        start = ts.State(angular_velocity=[0.2, -0.1, 0.3], modal={"boom": eta})
        duration = 2.0 if engine == "recursive" else 0.2
        runs.append(ts.simulate(vehicle, duration, start, samples=21, engine=engine, rtol=1e-9))
    one, two = runs
    assert two.rate == pytest.approx(one.rate, abs=1e-6 * np.abs(one.rate).max())


@pytest.mark.parametrize("node", ["end", 7, "tip", 4], ids=["arm end", "arm end by id", "tip", "inner node by id"])
def test_forces_on_nodes_conserve_momentum_and_energy(node):
    """Constant and turning loads on nodes, geometric stiffness, 5 % deflection: the work of the loads is the change of energy."""
    record = boom_record(True, geometric=True)
    hub = ts.Body("hub", 60.0, inertia=[8, 9, 10])
    vehicle = ts.Vehicle("craft", (hub,), appendages=(ts.MountedAppendage("boom", record, "hub"),))
    eta = 0.16 / np.abs(record.interface("tip").translation).max() * np.array([1.0, 0.5, 0.1, 0.1])
    loads = [
        ts.loads.node_force("boom", node, [0.3, 0.5, -0.8], 4.0),
        ts.loads.node_torque("boom", node, [0.2, -0.9, 0.4], 1.5),
    ]
    run = ts.simulate(
        vehicle, 2.0, ts.State(angular_velocity=[0.2, -0.1, 0.3], modal={"boom": eta}), loads=loads, samples=41
    )
    assert run.balance.worst()["energy"] < 1e-7
    assert run.balance.worst()["angular momentum"] < 1e-7


def test_a_body_hinged_at_the_end_of_an_arm_conserves_momentum_and_energy():
    record = boom_record(True, geometric=True)
    hub, dish = (
        ts.Body("hub", 60.0, inertia=[8, 9, 10]),
        ts.Body("dish", 3.0, center=[0.1, 0, 0.2], inertia=[0.3, 0.2, 0.25]),
    )
    hinge = ts.hinge("pivot", "hub", "dish", [0, 1, 0], parent_interface=("boom", "end"))
    mount = ts.MountedAppendage("boom", record, "hub")
    vehicle = ts.Vehicle("craft", (hub, dish), joints=(hinge,), appendages=(mount,))
    eta = 0.16 / np.abs(record.interface("tip").translation).max() * np.array([1.0, 0.5, 0.1, 0.1])
    start = ts.State(angular_velocity=[0.2, -0.1, 0.3], modal={"boom": eta}, joint_rates={"pivot": 0.5})
    run = ts.simulate(vehicle, 2.0, start, samples=41)
    assert run.balance.worst()["energy"] < 1e-7
    assert run.balance.worst()["angular momentum"] < 1e-7


def test_accelerometers_on_nodes_are_the_second_derivative_of_their_place():
    """Specific force at the arm's end against central differences of its inertial place."""
    record = boom_record(True, geometric=True)
    hub = ts.Body("hub", 60.0, inertia=[8, 9, 10])
    vehicle = ts.Vehicle("craft", (hub,), appendages=(ts.MountedAppendage("boom", record, "hub"),))
    eta = 0.16 / np.abs(record.interface("tip").translation).max() * np.array([1.0, 0.5, 0.0, 0.0])
    run = ts.simulate(
        vehicle, 0.2, ts.State(angular_velocity=[0.2, -0.1, 0.3], modal={"boom": eta}), samples=2001, rtol=1e-11
    )
    from tisserand.appendage.recovery.nodal_motion import nodal_motion
    from tisserand.multibody.accelerometers import Accelerometer, specific_force

    node = nodal_motion(record, "end")
    k = run.body("hub")
    place = run.origin[:, k] + np.einsum(
        "nab,nb->na", run.rotation[:, k], node.position + node.displacement(run.modal["boom"])
    )
    h = run.times[1] - run.times[0]
    exact = (place[2:] - 2 * place[1:-1] + place[:-2]) / h**2
    for axis in np.eye(3):
        along = run.rotation[1:-1, k] @ axis
        found = specific_force(Accelerometer("a", axis, appendage="boom", node="end"), run, vehicle)[1:-1]
        wanted = np.einsum("na,na->n", exact, along)
        assert found == pytest.approx(wanted, abs=1e-3 * np.abs(exact).max())
