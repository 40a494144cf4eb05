"""Linear models of the vehicle against finite differences of the other engine, and against the finite-element
vehicle."""

import numpy as np
import pytest
from multibody.likins.test_hybrid_modes import ELEMENTS, finite_elements, hybrid_vehicle
from scipy.spatial.transform import Rotation
from support.trees import flat, named_state, random_tree, vehicle_loads, vehicle_of

from tisserand.arrays import skew
from tisserand.multibody import likins, linearize, system_modes


def moved(tree, state, q, u):
    """The named state displaced by q (position, turn, hinges, rotors, modes in the order of the tree) with
    speeds u added."""
    n, r = len(tree.bodies) - 1, len(tree.pose.psi)
    x = np.roll(state.attitude, -1)
    turn = Rotation.from_quat(x) * Rotation.from_rotvec(q[3:6])
    ends = np.cumsum(tree.modes)
    pieces = {f"a{k}": slice(6 + n + r + ends[k] - m, 6 + n + r + ends[k]) for k, m in enumerate(tree.modes) if m}
    return state.changed(
        position=state.position + q[:3],
        attitude=np.roll(turn.as_quat(), 1),
        velocity=state.velocity + u[:3],
        angular_velocity=state.angular_velocity + u[3:6],
        joints={f"j{k}": state.joints[f"j{k}"] + q[5 + k] for k in range(1, n + 1)},
        joint_rates={f"j{k}": state.joint_rates[f"j{k}"] + u[5 + k] for k in range(1, n + 1)},
        rotor_rates={f"r{i}": state.rotor_rates[f"r{i}"] + u[6 + n + i] for i in range(r)},
        modal={name: state.modal[name] + q[s] for name, s in pieces.items()},
        modal_rates={name: state.modal_rates[name] + u[s] for name, s in pieces.items()},
    )


def test_state_matrix_is_the_derivative_of_the_other_engine():
    """A of ``linearize`` (recursive engine) against fourth-order differences of the barycentric equations, at
    a moving state."""
    tree = random_tree(44, bodies=4, modes=2, deformation=0.1)
    vehicle, state, loads = vehicle_of(tree), named_state(tree), vehicle_loads(tree)
    model = linearize(vehicle, state, loads=loads)
    engine = likins.build(vehicle)
    N = len(tree.speeds)

    def slope(q, u):
        return flat(tree, likins.accelerations(engine, moved(tree, state, q, u), loads))

    def derivative(place):
        h, e, zero = 1e-3, np.eye(N), np.zeros(N)
        pair = (lambda d: slope(d, zero)) if place == "q" else (lambda d: slope(zero, d))
        return np.array(
            [(8 * (pair(h * x) - pair(-h * x)) - pair(2 * h * x) + pair(-2 * h * x)) / (12 * h) for x in e]
        ).T

    Jq, Ju = derivative("q"), derivative("u")
    W = np.zeros((N, N))
    W[3:6, 3:6] = skew(state.angular_velocity)
    expected = np.hstack([Jq + Ju @ W, Ju - W])
    n, r = len(tree.bodies) - 1, len(tree.pose.psi)
    names = ["base.x", "base.y", "base.z", *(f"base.turn.{c}" for c in "xyz"), *(f"j{k}" for k in range(1, n + 1))]
    names += [f"r{i}" for i in range(r)]
    names += [f"a{k}.eta{i + 1}" for k, m in enumerate(tree.modes) for i in range(m)]
    order = [model.coordinates.index(name) for name in names]
    A = model.A[N:][np.ix_(order, [*order, *(N + i for i in order)])]
    assert np.abs(A - expected).max() < 1e-7 * np.abs(expected).max()


@pytest.mark.parametrize("modes, tolerance", [pytest.param(6 * ELEMENTS, 1e-6, marks=pytest.mark.slow), (30, 1e-4)])
def test_system_modes_are_those_of_the_finite_element_vehicle(modes, tolerance):
    """Hybrid coordinates (hub, sprung massless drive, two wings) against the free FE vehicle, lowest twelve
    frequencies."""
    expected = np.sqrt(finite_elements()[6:18]) / (2 * np.pi)
    found = system_modes(hybrid_vehicle(modes))
    assert found.rigid == 6
    assert found.frequencies_hz[:12] == pytest.approx(expected, rel=tolerance)
