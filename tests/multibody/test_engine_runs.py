"""Whole runs with both engines through one interface: the same motion, joint loads and books."""

import numpy as np
import pytest
from support.flexible_joints import FlexibleJoints
from support.trees import batched, named_state, random_tree, vehicle_loads, vehicle_of

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    SampledController,
    Simulation,
    State,
    Vehicle,
    hinge,
    joined,
    likins,
    simulate,
    steady_state,
)
from tisserand.multibody.controllers import joint_pid
from tisserand.multibody.loads import force, gravity_gradient, joint_torque, rotor_torque
from tisserand.multibody.profiles import versine
from tisserand.multibody.signals import joint_rate


def both(vehicle, duration, state, **options):
    return [
        simulate(vehicle, duration, state, samples=6, rtol=1e-11, atol=1e-13, engine=e, **options)
        for e in ("recursive", "likins")
    ]


def furthest(one, two):
    """Largest difference of the states of two runs."""
    pairs = [(one.position, two.position), (one.attitude, two.attitude), (one.angular_velocity, two.angular_velocity)]
    for word in ("joints", "joint_rates", "modal", "modal_rates", "rotor_rates", "controllers"):
        a, b = getattr(one, word), getattr(two, word)
        pairs += [(a[name], b[name]) for name in a]
    return max(np.abs(a - b).max() for a, b in pairs)


def test_a_run_with_loads_and_control_is_the_same_with_both_engines():
    """Pulses, a thruster, gravity gradient, a PID loop inside the step and a sampled law outside it."""
    tree = random_tree(3, bodies=4, loads=False)
    vehicle, state = vehicle_of(tree), named_state(tree)
    loads = [
        joint_torque("j1", versine(2.0, 0.0, 1.0)), rotor_torque("r0", versine(0.5, 0.0, 0.5)),
        force("b1", [0.0, 1.0, 0.0], versine(1.0, 0.0, 1.0), point=[0.3, 0.1, 0.2]), gravity_gradient(0.3),
    ]  # fmt: skip
    damper = SampledController(
        "rate loop", (joint_rate("j3"),), (joint_torque("j3", None),), lambda t, v: -2.0 * v, 0.1
    )
    controllers = [joint_pid("j2", 5.0, 2.0, 1.0, reference=0.3), damper]
    one, two = both(vehicle, 0.5, state, loads=loads, controllers=controllers)
    assert one.complete and two.complete
    assert one.settings["engine"] == "recursive" and two.settings["engine"] == "likins"
    assert furthest(one, two) < 1e-9
    for run in (one, two):
        assert max(run.balance.worst().values()) < 1e-9


def test_joint_loads_of_both_engines_are_the_same():
    """J1: force and moment on the child at every joint, and the effort about its axis, at a loaded state."""
    tree = random_tree(41, bodies=6, aligned=False)
    vehicle, state, loads = vehicle_of(tree), named_state(tree), vehicle_loads(tree)
    run = simulate(vehicle, 1e-3, state, loads=loads, samples=2)
    expected = likins.accelerations(likins.build(vehicle), state, loads)
    oracle = tree.particles()
    forces, _, torques = tree.applied(oracle)
    F, T = oracle.hinge_loads(batched(tree.pose), tree.speeds, tree.expected(), forces, torques)
    for k in range(1, len(tree.bodies)):
        name = f"j{k}"
        assert run.joint_force[name][0] == pytest.approx(F[k], rel=1e-9, abs=1e-9)
        assert run.joint_torque_vector[name][0] == pytest.approx(T[k], rel=1e-9, abs=1e-9)
        assert expected.joint_forces[name] == pytest.approx(F[k], rel=1e-9, abs=1e-9)
        assert expected.joint_torques[name] == pytest.approx(T[k], rel=1e-9, abs=1e-9)
        assert run.joint_effort[name][0] == pytest.approx(expected.joint_drives[name], rel=1e-9, abs=1e-9)


def test_totals_of_flexible_joints_match_the_particles():
    """Energy and momenta of hinges on flexible nodes and floating frames, by the run's balance sheet and by
    particle sums."""
    system = FlexibleJoints(3)
    run = simulate(system.vehicle, 1e-3, system.state, samples=2)
    T, p, h = system.momenta()
    assert run.balance.kinetic[0] == pytest.approx(T, rel=1e-11)
    assert run.balance.momentum[0] == pytest.approx(p, rel=1e-10)
    assert run.balance.angular_momentum[0] == pytest.approx(h, rel=1e-10)


def test_reaction_of_a_fixed_base_is_what_the_particles_need():
    """Force and moment about the base's origin that hold the hub: the sum of m a over all particles."""
    system = FlexibleJoints(2, fixed_base=True)
    run = simulate(system.vehicle, 1e-3, system.state, samples=2)
    du = np.insert(system.expected(), [8, 8], 0.0)
    Q = system.oracle.needed(system.pose, system.speeds, du)
    assert run.joint_force["hub"][0] == pytest.approx(Q[:3], rel=1e-9)
    assert run.joint_torque_vector["hub"][0] == pytest.approx(system.pose.R0[0] @ Q[3:6], rel=1e-9)


def test_flexible_joints_conserve_energy_and_momentum():
    """The exponential map with its tangent closes the energy: drift falls with the tolerance."""
    system = FlexibleJoints(1, deformation=0.1)
    drifts = []
    for rtol in (1e-6, 1e-11):
        run = simulate(system.vehicle, 1.0, system.state, samples=11, rtol=rtol, atol=rtol / 100)
        drifts.append(max(run.balance.worst().values()))
    assert drifts[1] < 1e-9 and drifts[1] < 0.01 * drifts[0]


def test_engine_names_and_methods_are_checked():
    vehicle = vehicle_of(random_tree(1, bodies=2))
    with pytest.raises(VehicleError, match=r"engine: unknown choice.*newton.*recursive, likins"):
        simulate(vehicle, 1.0, State(), engine="newton")
    with pytest.raises(VehicleError, match="fixed-step"):
        simulate(vehicle, 1.0, State(), engine="likins", method="rk4")
    with pytest.raises(VehicleError, match=r"free base"):
        simulate(vehicle.changed(base_motion="fixed"), 1.0, State(), engine="likins")


def test_pieces_of_a_run_count_their_own_steps():
    """Joined pieces count as many steps as the same run in one go needs, give or take the extra stops."""
    vehicle = Vehicle("v", (Body("a", 2.0, inertia=[1.0, 1.2, 0.9]),))
    state = State(angular_velocity=[0.5, 1.0, -0.3])
    whole = Simulation(vehicle, state).run(20.0, samples=21)
    pieces = Simulation(vehicle, state)
    run = pieces.run(1.0, samples=2)
    for _ in range(19):
        run = joined(run, pieces.run(1.0, samples=2))
    assert whole.statistics.steps <= run.statistics.steps <= whole.statistics.steps + 3 * 20
    assert run.statistics.calls < 2 * whole.statistics.calls + 20 * 40


def test_a_body_at_rest_on_a_fixed_base_balances():
    """Weight and reaction cancel: what is left is round-off against weight times duration, not against itself."""
    arm = hinge("h", "base", "arm", [0, 1, 0], child_point=[-1.0, 0.0, 0.0], stiffness=1e4)
    bodies = (Body("base", 1.0, inertia=[1, 1, 1]), Body("arm", 3.0, inertia=[0.1, 0.5, 0.5]))
    vehicle = Vehicle("v", bodies, (arm,), base_motion="fixed", gravity=[0, 0, -9.81])
    settled = steady_state(vehicle).state
    run = simulate(vehicle, 10.0, settled, samples=11)
    assert max(run.balance.worst().values()) < 1e-9
    free = simulate(vehicle.changed(gravity=[0, 0, 0]), 10.0, samples=11)
    assert free.balance.gross_impulse == 0.0
