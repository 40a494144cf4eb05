"""Rotors in one body: reference case 3 (two independent integration routes), rotor modes, closed forms."""

import numpy as np
import pytest
from support.corpus import needs_corpus, reference_case

from tisserand.multibody import Body, Rotor, State, Vehicle, controllers, loads, profiles, simulate

RUNS = (
    "a_axisym_one_rotor_free",
    "b_triaxial_skew_rotor_free",
    "c_three_rotors_free",
    "d_three_rotors_torque",
    "e_planar_spinup",
)


def gyrostat(run: dict, **modes) -> Vehicle:
    rotors = tuple(Rotor(f"r{i}", "body", axis, J, **modes) for i, (J, axis) in enumerate(run["rotors"]))
    return Vehicle(
        "gyrostat", (Body("body", 100.0, inertia=np.array(run["I_locked"])),), rotors=rotors, bodies_include_rotors=True
    )


def motors(name: str, run: dict):
    if name.startswith("d"):
        return [
            loads.rotor_torque(f"r{i}", profiles.sine(A, w / (2 * np.pi)))
            for i, (A, w) in enumerate(zip((2, -1.5, 1), (0.5, 0.8, 0.3)))
        ]
    return [loads.rotor_torque("r0", 0.7)] if name.startswith("e") else []


@needs_corpus
@pytest.mark.parametrize("name", RUNS)
def test_gyrostats_follow_the_reference(name):
    """Case 3: omega, rotor rates, attitude; inertial H constant; a free rotor keeps J (psi' + b.w)."""
    run = reference_case("case3_rotors")[name]
    rows = run["traj"]
    q = np.array(run["quat0"]) / np.linalg.norm(run["quat0"])
    start = State(
        attitude=q, angular_velocity=run["omega0"], rotor_rates={f"r{i}": v for i, v in enumerate(run["psidot0"])}
    )
    got = simulate(
        gyrostat(run),
        rows[-1]["t"],
        start,
        loads=motors(name, run),
        times=[r["t"] for r in rows],
        rtol=1e-12,
        atol=1e-13,
    )
    for i, row in enumerate(rows):
        assert got.angular_velocity[i] == pytest.approx(row["omega"], abs=1e-9)
        assert [got.rotor_rates[f"r{k}"][i] for k in range(len(run["rotors"]))] == pytest.approx(
            row["psidot"], abs=1e-8
        )
        assert abs(abs(got.attitude[i] @ np.array(row["quat"])) - 1) < 1e-11
        assert got.balance.kinetic[i] == pytest.approx(row["T"], rel=1e-10, abs=1e-10)
        assert got.balance.angular_momentum[i] == pytest.approx(row["H_inertial"], abs=1e-8)
    assert max(got.balance.worst().values()) < 1e-10
    if not name.startswith(("d", "e")):
        for k, (_, b) in enumerate(run["rotors"]):
            kept = got.rotor_rates[f"r{k}"] + got.angular_velocity @ np.array(b)
            assert np.ptp(kept) < 1e-9 * np.abs(kept).max()


def test_planar_spin_up_closed_form():
    """w3 = -tau t/(I33 - J): the drive turns the body by its inertia without the rotor."""
    body = Vehicle("p", (Body("b", 1.0, inertia=[40, 50, 58.5]),), rotors=(Rotor("r", "b", [0, 0, 1], 1.5),))
    run = simulate(body, 10.0, loads=[loads.rotor_torque("r", 0.7)])
    assert run.angular_velocity[-1, 2] == pytest.approx(-0.7 * 10.0 / 58.5, rel=1e-10)


@pytest.mark.parametrize("mode", ["speed", "momentum"])
def test_driven_rotor_equals_the_torque_it_needs(mode):
    """A rotor whose speed (or momentum) is given moves the body as the rotor driven by the equivalent torque does."""
    J = 1.5
    ramp = profiles.smooth_ramp(20.0 * (J if mode == "momentum" else 1.0), 0.0, 5.0)
    inertia = np.array([[35, 2, -1], [2, 50, 3], [-1, 3, 62.0]])
    body = (Body("b", 10.0, inertia=inertia),)
    start = State(angular_velocity=[0.1, -0.05, 0.2])
    driven = Vehicle(
        "d", body, rotors=(Rotor("r", "b", [0, 0.6, 0.8], J, mode=mode, profile=ramp),), bodies_include_rotors=True
    )
    run = simulate(driven, 10.0, start, rtol=1e-11)
    assert max(run.balance.worst().values()) < 1e-9
    # the torque of Eq. (36) at dense times, then the same rotor driven by it
    alpha = np.einsum("nba,nb->na", run.rotation[:, 0], run.angular_acceleration[:, 0])
    rate = ramp.derivatives(run.times)[1] / (J if mode == "momentum" else 1.0)
    torque = J * (rate + alpha @ [0, 0.6, 0.8])
    free = Vehicle("f", body, rotors=(Rotor("r", "b", [0, 0.6, 0.8], J),), bodies_include_rotors=True)
    check = simulate(
        free, 10.0, start, loads=[loads.rotor_torque("r", profiles.table(run.times, torque, "cubic"))], rtol=1e-10
    )
    assert np.abs(check.angular_velocity - run.angular_velocity).max() < 1e-6


def test_torque_free_axisymmetric_body():
    """w1 + i w2 turns at (I3 - I1)/I1 w3 (Euler)."""
    body = Vehicle("top", (Body("b", 1.0, inertia=[4, 4, 6]),))
    run = simulate(body, 30.0, State(angular_velocity=[0.3, 0.0, 0.8]), rtol=1e-12)
    turn = 0.3 * np.exp(1j * (6 - 4) / 4 * 0.8 * run.times)
    assert np.abs(run.angular_velocity[:, 0] + 1j * run.angular_velocity[:, 1] - turn).max() < 1e-9


def test_wheel_speed_loop_reaches_its_reference():
    """First-order loop J_eff w' = k (ref - w): time constant J (I - J)/(I k)."""
    vehicle = Vehicle(
        "w", (Body("b", 1.0, inertia=[4, 4, 6]),), rotors=(Rotor("r", "b", [0, 0, 1], 0.1),), bodies_include_rotors=True
    )
    run = simulate(vehicle, 2.0, controllers=[controllers.rotor_speed("r", 0.2, reference=50.0)], rtol=1e-11)
    constant = 0.1 * (6 - 0.1) / 6 / 0.2
    assert run.rotor_rates["r"] == pytest.approx(50 * (1 - np.exp(-run.times / constant)), abs=1e-7)
