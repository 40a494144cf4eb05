"""Rigid trees against an independent code (reference case 1), massless gimbals, and conservation."""

import numpy as np
import pytest
from support.corpus import needs_corpus, reference_case

from tisserand.multibody import Body, State, Vehicle, hinge, loads, profiles, simulate


def tree_vehicle(case: dict, damping: list[float] | None = None) -> Vehicle:
    """The five-body tree of case 1; body origins at the mass centers."""
    bodies, joints = [], []
    for k, body in enumerate(case["inputs"]["bodies"]):
        bodies.append(Body(f"b{k}", body["mass"], inertia=np.array(body["inertia_cm"])))
        if k:
            joints.append(
                hinge(
                    f"h{k}",
                    f"b{body['parent']}",
                    f"b{k}",
                    body["hinge_axis_unit"],
                    parent_point=body["hinge_point_on_parent_from_parent_cm"],
                    child_point=body["hinge_point_on_self_from_own_cm"],
                    stiffness=case["inputs"]["spring_k"][k - 1],
                    rest=case["inputs"]["spring_gamma0"][k - 1],
                    damping=damping[k - 1] if damping else 0.0,
                )
            )
    return Vehicle("tree", tuple(bodies), tuple(joints))


def initial(case: dict) -> State:
    start = case["inputs"]["initial"]
    q = np.array(start["quat"]) / np.linalg.norm(start["quat"])
    w = start["w"]
    return State(
        position=start["x"],
        attitude=q,
        velocity=w[:3],
        angular_velocity=w[3:6],
        joints={f"h{i + 1}": g for i, g in enumerate(start["gam"])},
        joint_rates={f"h{i + 1}": g for i, g in enumerate(w[6:])},
    )


def compare(run, rows) -> float:
    """Largest difference from the reference rows; the sign of a quaternion is free."""
    worst = 0.0
    for i, row in enumerate(rows):
        q = np.array(row["quat_b0_to_inertial_wxyz"])
        gamma = np.array([run.joints[f"h{k}"][i, 0] for k in range(1, 5)])
        rate = np.array([run.joint_rates[f"h{k}"][i, 0] for k in range(1, 5)])
        pairs = [
            (run.position[i], row["x_body0"]),
            (run.attitude[i] * np.sign(run.attitude[i] @ q), q),
            (gamma, row["gamma"]),
            (rate, row["gammadot"]),
            (run.angular_velocity[i], row["omega0_b0"]),
            (run.velocity[i], row["v_body0"]),
            (run.balance.center[i], row["cm"]),
            ([run.balance.kinetic[i]], [row["T"]]),
            ([run.balance.potential[i]], [row["V"]]),
        ]
        worst = max(worst, *(float(np.abs(np.asarray(a) - np.asarray(b)).max()) for a, b in pairs))
    return worst


@needs_corpus
@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_conservative_tree_follows_the_reference(method):
    """Case 1, run a: five bodies, non-parallel hinges with springs; an independent code agreed with MuJoCo to 1e-11."""
    case = reference_case("case1_rigid_tree")
    rows = case["conservative_springs"]["traj"]
    times = [row["t"] for row in rows]
    run = simulate(
        tree_vehicle(case), times[-1], initial(case), times=times, rtol=1e-12, atol=1e-13, method=method, step=5e-4
    )
    assert run.complete
    assert compare(run, rows) < 1e-8
    accel = case["conservative_springs"]["initial_accel"]
    assert run.origin_acceleration[0, 0] == pytest.approx(accel["v0dot"], abs=1e-11)
    H = run.balance.angular_momentum[:, :] - np.cross(run.balance.center, run.balance.momentum)
    assert np.abs(H - rows[0]["H_cm_inertial"]).max() < 1e-8
    assert max(run.balance.worst().values()) < 1e-9


@needs_corpus
def test_damped_and_driven_tree_follows_the_reference():
    """Case 1, run b: dampers and sine torques; the checking function accounts for their work."""
    case = reference_case("case1_rigid_tree")
    b = case["inputs"]["run_b"]
    key = next(k for k in case if k not in ("inputs", "y_init", "conservative_springs") and "traj" in case[k])
    rows = case[key]["traj"]
    motors = [
        loads.joint_torque(f"h{i + 1}", profiles.sine(b["torque_amplitude"][i], b["torque_rate"][i] / (2 * np.pi)))
        for i in range(4)
    ]
    times = [row["t"] for row in rows]
    run = simulate(
        tree_vehicle(case, b["damping"]), times[-1], initial(case), loads=motors, times=times, rtol=1e-12, atol=1e-13
    )
    assert compare(run, rows) < 1e-8
    assert max(run.balance.worst().values()) < 1e-9
