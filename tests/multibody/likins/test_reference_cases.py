"""Independent solutions of rigid trees and rotors, by the likins engine (case1, case3 of the reference
cases)."""

import numpy as np
import pytest
from support.corpus import needs_corpus, reference_case
from support.reference_vehicles import case1_state, case1_vehicle, case3_state, case3_vehicle

from tisserand.multibody.likins import accelerations, bookkeeping, build, run
from tisserand.multibody.loads import joint_torque, rotor_torque
from tisserand.multibody.profiles import sine

pytestmark = needs_corpus


def torques_b(case):
    b = case["inputs"]["run_b"]
    pairs = zip(b["torque_amplitude"], b["torque_rate"])
    return [joint_torque(f"j{k}", sine(A, rate / (2 * np.pi))) for k, (A, rate) in enumerate(pairs, start=1)]


def same_attitude(q, p):
    return min(np.abs(np.subtract(q, p)).max(), np.abs(np.add(q, p)).max())


@pytest.mark.slow
@pytest.mark.parametrize("name, damped", [("conservative_springs", False), ("springs_dampers_torques", True)])
def test_rigid_tree_of_five_bodies(name, damped):
    """Initial accelerations to 1e-12 and all states over 10 s to the 1e-9 that the reference deserves."""
    case = reference_case("case1_rigid_tree")
    model, start = build(case1_vehicle(case, damped)), case1_state(case)
    law = torques_b(case) if damped else []
    first = accelerations(model, start, law)
    expected = case[name]["initial_accel"]
    assert first.velocity == pytest.approx(expected["v0dot"], abs=1e-12)
    assert first.angular_velocity == pytest.approx(expected["omega0dot_b0"], abs=1e-12)
    assert [first.joints[f"j{k}"][0] for k in range(1, 5)] == pytest.approx(expected["gammaddot"], abs=1e-11)
    rows = case[name]["traj"]
    result = run(model, start, [r["t"] for r in rows], law, rtol=1e-12, atol=1e-13)
    for row, state in zip(rows, result.states):
        assert state.position == pytest.approx(row["x_body0"], abs=1e-9)
        assert same_attitude(state.attitude, row["quat_b0_to_inertial_wxyz"]) < 1e-9
        assert [float(state.joints[f"j{k}"][0]) for k in range(1, 5)] == pytest.approx(row["gamma"], abs=1e-9)


@pytest.mark.parametrize(
    "name",
    [
        "a_axisym_one_rotor_free",
        "b_triaxial_skew_rotor_free",
        "c_three_rotors_free",
        "d_three_rotors_torque",
        "e_planar_spinup",
    ],
)
def test_body_with_rotors(name):
    """Rates, rotor speeds and attitude to 1e-8 (relative); the four gyrostat integrals (M3) in the free
    runs."""
    case = reference_case("case3_rotors")[name]
    model, start = build(case3_vehicle(case)), case3_state(case)

    law = []
    if name.startswith("d"):
        pairs = zip([2.0, -1.5, 1.0], [0.5, 0.8, 0.3])
        law = [rotor_torque(f"r{i}", sine(A, rate / (2 * np.pi))) for i, (A, rate) in enumerate(pairs)]
    if name.startswith("e"):
        law = [rotor_torque("r0", 0.7)]
    rows = [row for row in case["traj"] if row["t"] <= 5.0]
    result = run(model, start, [r["t"] for r in rows], law, rtol=1e-10, atol=1e-12)
    kept = []
    for row, state in zip(rows, result.states):
        assert state.angular_velocity == pytest.approx(row["omega"], abs=1e-8)
        rates = np.array([state.rotor_rates[f"r{i}"][0] for i in range(len(case["rotors"]))])
        assert rates == pytest.approx(row["psidot"], rel=1e-8, abs=1e-8)
        assert same_attitude(state.attitude, row["quat"]) < 1e-8
        book = bookkeeping(model, state)
        assert book.kinetic == pytest.approx(row["T"], rel=1e-8, abs=1e-9)
        assert book.angular == pytest.approx(case["H0"], abs=1e-8 * max(1.0, np.abs(case["H0"]).max()))
        kept.append([J * (p + np.dot(b, state.angular_velocity)) for (J, b), p in zip(case["rotors"], rates)])
    if name[0] in "abc":  # a free rotor keeps Js (psi' + b.w)
        assert np.abs(np.array(kept) - kept[0]).max() < 1e-8 * np.abs(kept).max()
