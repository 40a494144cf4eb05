"""Vehicles of the independent solutions in reference_cases, and loads of random trees for the likins
engine."""

from __future__ import annotations

import numpy as np

from tisserand.multibody import Body, Rotor, State, Vehicle, hinge


def case1_vehicle(case: dict, damped: bool) -> Vehicle:
    """Five rigid bodies 0-1-2, 0-3-4 with springs; origins at the mass centers."""
    inputs = case["inputs"]
    bodies = [Body(f"b{k}", b["mass"], np.zeros(3), b["inertia_cm"]) for k, b in enumerate(inputs["bodies"])]
    damping = inputs["run_b"]["damping"] if damped else [0.0] * 4
    joints = [
        hinge(
            f"j{k}",
            f"b{b['parent']}",
            f"b{k}",
            b["hinge_axis_unit"],
            parent_point=b["hinge_point_on_parent_from_parent_cm"],
            child_point=b["hinge_point_on_self_from_own_cm"],
            stiffness=inputs["spring_k"][k - 1],
            damping=damping[k - 1],
            rest=inputs["spring_gamma0"][k - 1],
        )
        for k, b in enumerate(inputs["bodies"])
        if k
    ]
    return Vehicle("case1", bodies, joints)


def case1_state(case: dict) -> State:
    start = case["inputs"]["initial"]
    q, w = np.array(start["quat"]), start["w"]
    return State(
        position=start["x"],
        attitude=q / np.linalg.norm(q),
        velocity=w[:3],
        angular_velocity=w[3:6],
        joints={f"j{k + 1}": g for k, g in enumerate(start["gam"])},
        joint_rates={f"j{k + 1}": g for k, g in enumerate(w[6:])},
    )


def case3_vehicle(run: dict) -> Vehicle:
    """One body whose inertia includes its locked rotors."""
    rotors = [Rotor(f"r{i}", "body", axis, J) for i, (J, axis) in enumerate(run["rotors"])]
    return Vehicle("case3", [Body("body", 100.0, np.zeros(3), run["I_locked"])], (), rotors, bodies_include_rotors=True)


def case3_state(run: dict) -> State:
    rates = {f"r{i}": rate for i, rate in enumerate(run["psidot0"])}
    q = np.array(run["quat0"], float)
    return State(attitude=q / np.linalg.norm(q), angular_velocity=run["omega0"], rotor_rates=rates)
