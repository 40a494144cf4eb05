"""Linear laws in discrete time, external inputs and stepped trajectories."""

import control
import numpy as np
import pytest
from scipy.linalg import expm

import tisserand as ts
from tisserand.errors import VehicleError

HUB = ts.Body("hub", 100.0, inertia=[20.0, 25.0, 30.0])
VEHICLE = ts.Vehicle("c", (HUB,))
A, B = np.array([[-2.0, 1.0], [-3.0, -0.5]]), np.array([[0.5], [1.0]])
C, D = np.array([[1.0, -0.3]]), np.array([[-0.7]])


def block(**limits):
    rate = ts.signals.body_rate("hub", [0, 0, 1], "rate")
    torque = ts.loads.torque("hub", [0, 0, 1], None)
    return ts.controllers.state_space("law", [rate], [torque], A, B=B, C=C, D=D, **limits)


@pytest.mark.parametrize("method", ["zoh", "tustin"])
def test_sampled_state_space_against_python_control(method):
    """The law fed with a known rate: the response of python-control's discretization to the same samples."""
    law = ts.controllers.sampled(block(), 0.1, method=method).begun()
    samples = np.sin(0.7 * np.arange(60)) + 0.2
    ours = np.array([np.asarray(law(0.1 * k, np.array([s])))[0] for k, s in enumerate(samples)])
    discrete = control.sample_system(control.ss(A, B, C, D), 0.1, method={"zoh": "zoh", "tustin": "tustin"}[method])
    _, theirs = control.forced_response(discrete, T=0.1 * np.arange(60), U=samples)
    assert ours == pytest.approx(np.ravel(theirs), abs=1e-12)


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.1, 0.23])
def test_closed_loop_against_the_exact_recursion(delay):
    """A body under a sampled, delayed torque: exact between samples, J w' = u(t - delay)."""
    T, J, n = 0.1, 30.0, 30
    law = ts.controllers.sampled(block(), T, delay)
    run = ts.simulate(VEHICLE, n * T, ts.State(angular_velocity=[0, 0, 1.0]), controllers=[law], output_step=T)
    from scipy.signal import cont2discrete

    Ad, Bd, Cd, Dd, _ = cont2discrete((A, B, C, D), T)
    x, w, commands, expected = np.zeros(2), 1.0, [], [1.0]
    for k in range(n):
        commands.append((Cd @ x + Dd[:, 0] * w).item())
        x = Ad @ x + Bd[:, 0] * w
        # over [kT, kT + T] the torque is command i from its arrival at iT + delay to that of the next
        arrivals = [(i * T + delay, u) for i, u in enumerate(commands)]
        total = 0.0
        for i, (begin, u) in enumerate(arrivals):
            end = arrivals[i + 1][0] if i + 1 < len(arrivals) else np.inf
            total += u * max(0.0, min(end, k * T + T) - max(begin, k * T))
        w += total / J
        expected.append(w)
    assert run.angular_velocity[:, 2] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("delay", [0.0, 0.04])
def test_first_order_hold_against_the_exact_integral(delay):
    """u(t) = u_k + (u_k - u_k-1) (t - t_k) / T from its arrival on: J w grows by its integral."""
    T, J, n = 0.1, 30.0, 20
    law = ts.controllers.sampled(block(), T, delay, hold="first")
    run = ts.simulate(VEHICLE, n * T, ts.State(angular_velocity=[0, 0, 1.0]), controllers=[law], output_step=T)
    from scipy.signal import cont2discrete

    Ad, Bd, Cd, Dd, _ = cont2discrete((A, B, C, D), T)
    x, w, commands, expected = np.zeros(2), 1.0, [], [1.0]
    for k in range(n):
        commands.append((Cd @ x + Dd[:, 0] * w).item())
        x = Ad @ x + Bd[:, 0] * w
        slopes = [0.0, *(np.diff(commands) / T)]
        total = 0.0
        for i, (u, s) in enumerate(zip(commands, slopes)):  # parts of [kT, kT + T] in which command i acts
            arrival = i * T + delay
            end = arrival + T if i + 1 < len(commands) else np.inf
            a, b = max(arrival, k * T), min(end, k * T + T)
            if b > a:
                total += u * (b - a) + 0.5 * s * ((b - arrival) ** 2 - (a - arrival) ** 2)
        w += total / J
        expected.append(w)
    assert run.angular_velocity[:, 2] == pytest.approx(expected, abs=1e-9)
    assert run.balance.worst()["energy"] < 1e-9


def test_discrete_matrices_are_used_as_given_and_limits_hold():
    limited = ts.controllers.sampled(block(limits=[[-0.1, 0.2]]), 0.1, discrete=True)
    law, x = limited.begun(), np.zeros(2)
    for k in range(5):
        s = np.array([1.0 - k])
        assert np.asarray(law(0.0, s)) == pytest.approx(np.clip(C @ x + D @ s, -0.1, 0.2))
        x = A @ x + B @ s


def test_a_case_simulated_again_begins_with_fresh_states():
    law = ts.controllers.sampled(block(), 0.1)
    start = ts.State(angular_velocity=[0, 0, 1.0])
    first, again = (ts.simulate(VEHICLE, 2.0, start, controllers=[law]) for _ in range(2))
    assert np.array_equal(first.angular_velocity, again.angular_velocity)


def test_sampled_pid_of_a_joint_against_the_hold_equivalent():
    """An inertia on a hinge under sampled PD: poles of the zero-order-hold equivalent, python-control."""
    rotor = ts.Body("arm", 1.0, inertia=[1.0, 1.0, 2.0])
    vehicle = ts.Vehicle(
        "arm", (ts.Body("ground", 1.0, inertia=[1, 1, 1]), rotor), (ts.hinge("axis", "ground", "arm", axis=[0, 0, 1]),),
        base_motion="fixed",
    )  # fmt: skip
    law = ts.controllers.sampled(ts.controllers.joint_pid("axis", 3.0, 2.0), 0.2)
    run = ts.simulate(vehicle, 4.0, ts.State(joints={"axis": 0.3}), controllers=[law], output_step=0.2)
    plant = control.sample_system(control.ss([[0, 1], [0, 0]], [[0], [0.5]], np.eye(2), np.zeros((2, 1))), 0.2, "zoh")
    closed = plant.A - plant.B @ np.array([[3.0, 2.0]])
    expected = [np.linalg.matrix_power(closed, k) @ [0.3, 0.0] for k in range(21)]
    assert run.joints["axis"][:, 0] == pytest.approx(np.array(expected)[:, 0], abs=1e-9)


def test_stepped_simulation_yields_the_trajectory_of_what_was_stepped():
    """Inputs held from outside: the rates are sums of impulses; the balance sheet closes over the steps."""
    load = ts.loads.torque("hub", [0, 0, 1], "u1", name="motor")
    simulation = ts.Simulation(VEHICLE, loads=[load], outputs=[ts.signals.external("u1")])
    with pytest.raises(VehicleError, match="nothing has been stepped"):
        simulation.trajectory()
    torques = [3.0, -1.0, 0.0, 6.0]
    seen = [simulation.step(0.5, {"u1": u}) for u in torques]
    run = simulation.trajectory()
    assert run.times == pytest.approx([0.0, 0.5, 1.0, 1.5, 2.0])
    assert run.angular_velocity[:, 2] == pytest.approx(np.cumsum([0.0, *torques]) * 0.5 / 30.0, abs=1e-12)
    assert run.load_strength["motor"] == pytest.approx([3.0, *torques])
    assert [s["u1"] for s in seen] == torques
    assert max(run.balance.worst().values()) < 1e-9 and run.statistics.steps > 0
    assert run.settings["duration"] == pytest.approx(2.0)


def test_exact_response_between_steps_of_external_software():
    """External software computes a law from measurements; an oscillator under held inputs follows its exact recursion."""
    vehicle = ts.Vehicle(
        "arm", (ts.Body("ground", 1.0, inertia=[1, 1, 1]), ts.Body("arm", 1.0, inertia=[1, 1, 2])),
        (ts.hinge("axis", "ground", "arm", axis=[0, 0, 1], stiffness=8.0),), base_motion="fixed",
    )  # fmt: skip
    load = ts.loads.joint_torque("axis", "u")
    simulation = ts.Simulation(
        vehicle, ts.State(joints={"axis": 0.1}), loads=[load], outputs=[ts.signals.joint_rate("axis")]
    )
    big = expm(np.array([[0.0, 1.0, 0.0], [-4.0, 0.0, 0.5], [0.0, 0.0, 0.0]]) * 0.25)
    x, rate = np.array([0.1, 0.0]), 0.0
    for _ in range(12):
        u = -3.0 * rate
        rate = simulation.step(0.25, {"u": u})["axis.rate"]
        x = (big @ [*x, u])[:2]
    run = simulation.trajectory()
    assert run.joints["axis"][-1, 0] == pytest.approx(x[0], abs=1e-10)
    assert rate == pytest.approx(x[1], abs=1e-9)
