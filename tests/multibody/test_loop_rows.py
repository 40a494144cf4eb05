"""Rows of loops in random flexible trees against a dense solution of the particle oracle that knows places only."""

from dataclasses import replace

import numpy as np
import pytest
from support.kkt import constrained, rows_of
from support.recursive_calls import flat_state
from support.trees import batched, flat, named_state, random_tree, vehicle_loads, vehicle_of

from tisserand.multibody import BodyFrame
from tisserand.multibody.force_elements import anchor, node_anchor
from tisserand.multibody.loops import (
    distance_loop,
    gear,
    hinge_loop,
    line_loop,
    plane_loop,
    point_loop,
    rolling,
    skate,
    weld_loop,
)
from tisserand.multibody.recursive.compile import compile_vehicle

TREE = random_tree(77, bodies=9, modes=2, aligned=False, depth=1)  # a chain
ORACLE = TREE.particles()
A, B, C = 1, 7, 4  # two rigid bodies, six hinges apart, and a flexible one between them
AXIS = np.array([0.6, 0.0, 0.8])
ACROSS = np.array([[0.8, 0.0, -0.6], [0.0, 1.0, 0.0]])


def particle(k, i):
    return ORACLE.particle_start[k] + i


def ends(first=A, second=B):
    """Anchors at particles 2 and 4 of two bodies, and the distance vector in axes of the first from places."""
    places = [TREE.bodies[k].positions[i] for k, i in ((first, 2), (second, 4))]

    def apart(x, R):
        d = x[:, particle(second, 4)] - x[:, particle(first, 2)]
        return np.einsum("bji,bj->bi", R[:, first], d)

    return anchor(f"b{first}", places[0]), anchor(f"b{second}", places[1]), apart


def solved(loops, vehicle=None):
    """Accelerations in the oracle's order, and the multipliers, by the engine."""
    from types import SimpleNamespace

    c = compile_vehicle(vehicle or vehicle_of(TREE), [*vehicle_loads(TREE), *loops])
    y, dy, U = flat_state(c, named_state(TREE)), np.zeros(c.size), c.held()
    assert c.rhs(c.M, c.F, c.workspace(), U, 0.0, y, dy) == 0
    u = c.speeds
    named = SimpleNamespace(
        velocity=dy[u : u + 3],
        angular_velocity=dy[u + 3 : u + 6],
        joints={name: dy[places] for name, places in c.joint_u.items()},
        modal={name: dy[c.eta_places(name)[1]] for name in c.eta},
        rotors={name: dy[c.rotor_places(name)[1]] for name in c.rotor},
    )
    return flat(TREE, named), np.concatenate([U[one.multipliers : one.multipliers + one.rows] for one in c.loops])


def agree(got, expected, limit=1e-9):
    for mine, other in zip(got, expected):
        assert np.abs(mine - other).max() < limit * np.abs(other).max()
    assert np.abs(expected[1]).max() > 0.1  # the rows matter


def test_a_point_loop_and_a_rod_to_a_node():
    first, second, apart = ends()
    node = particle(C, len(TREE.bodies[C].masses))
    rod = distance_loop(anchor("b0", TREE.bodies[0].positions[1]), node_anchor("a4", 1), 1.0, name="rod")

    def residual(x, R):
        d = x[:, node] - x[:, particle(0, 1)]
        return np.hstack([apart(x, R), np.sqrt(np.sum(d * d, axis=1))[:, None]])

    agree(solved([point_loop(first, second), rod]), constrained(TREE, residual))


def test_a_line_and_a_plane():
    first, second, apart = ends()
    third, fourth, other = ends(C, A)
    loops = [line_loop(first, second, AXIS), plane_loop(third, fourth, [0, 2, 0])]
    mine = solved(loops)
    expected = constrained(TREE, lambda x, R: np.hstack([apart(x, R) @ ACROSS.T, other(x, R)[:, 1:2]]))
    agree((mine[0], mine[1][2:]), (expected[0], expected[1][2:]))  # the axes across the line are the engine's choice
    assert np.linalg.norm(mine[1][:2]) == pytest.approx(np.linalg.norm(expected[1][:2]), rel=1e-9)


def test_a_hinge_whose_axes_are_apart():
    first, second, apart = ends()

    def residual(x, R):
        axis = np.einsum("bji,bjk,k->bi", R[:, A], R[:, B], AXIS)
        return np.hstack([apart(x, R), axis @ ACROSS.T])

    mine, expected = solved([hinge_loop(first, second, AXIS)]), constrained(TREE, residual)
    agree((mine[0], mine[1][:3]), (expected[0], expected[1][:3]))


def test_a_weld_of_places_apart_with_common_axes():
    first, second, apart = ends()
    _, R, _ = ORACLE.places(batched(TREE.pose))
    turn = np.real(R[0, B].T @ R[0, A])
    vehicle = vehicle_of(TREE)
    bodies = list(vehicle.bodies)
    bodies[B] = replace(bodies[B], frames=(BodyFrame("seat", np.asarray(second.place), turn),))

    def residual(x, R):
        T = np.einsum("bji,bjk,kl->bil", R[:, A], R[:, B], turn)
        skew = 0.5 * np.stack([T[:, 2, 1] - T[:, 1, 2], T[:, 0, 2] - T[:, 2, 0], T[:, 1, 0] - T[:, 0, 1]], axis=1)
        return np.hstack([apart(x, R), skew])

    loop = weld_loop(first, anchor(f"b{B}", "seat"))
    agree(solved([loop], replace(vehicle, bodies=tuple(bodies))), constrained(TREE, residual), 1e-8)


def test_a_gear():
    J = np.zeros((1, ORACLE.speeds))
    J[0, 5 + 2], J[0, 5 + 4] = 1.0, 0.7
    nothing = lambda x, R: np.zeros((len(x), 0), x.dtype)  # noqa: E731
    agree(solved([gear("j2", "j4", -0.7)]), constrained(TREE, nothing, (J, np.zeros(1))))


def slip(direction, own, radius):
    """Rate, along a direction of body A (own False) or B, of B's particle 4 (or the point a radius below it) against A."""

    def rate(pose, u):
        V, W = ORACLE.partials(pose)
        x, R, _ = ORACLE.places(pose)
        x, R = np.real(x[0]), np.real(R[0])
        down = -radius * R[A] @ AXIS
        d = x[particle(B, 4)] - x[particle(A, 2)]
        along = R[B if own else A] @ direction
        v = V[particle(B, 4)] + np.cross(W[B], down, axis=0) - V[particle(A, 2)]
        return along @ (v - np.cross(W[A], d + down, axis=0))

    pose, u, h = batched(TREE.pose), TREE.speeds, 1e-3
    steps = [float(rate(ORACLE._along(pose, u, np.array([k * h])), u) @ u) for k in (-2, -1, 1, 2)]
    return rate(pose, u), (steps[0] - 8.0 * steps[1] + 8.0 * steps[2] - steps[3]) / (12.0 * h)


def test_rolling_and_a_skate():
    """The rates of rolling and of a blade from partial velocities; their derivative along the motion by differences."""
    first, second, apart = ends()
    rows = [slip(one, False, 0.3) for one in ACROSS]
    J, bias = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    mine = solved([rolling(first, second, AXIS, 0.3)])
    expected = constrained(TREE, lambda x, R: (apart(x, R) @ AXIS)[:, None], (J, bias))
    agree((mine[0], mine[1][:1]), (expected[0], expected[1][:1]), 1e-7)
    row = slip(AXIS, True, 0.0)
    nothing = lambda x, R: np.zeros((len(x), 0), x.dtype)  # noqa: E731
    agree(solved([skate(first, second, AXIS)]), constrained(TREE, nothing, (row[0][None], np.array(row[1:]))), 1e-7)


def test_the_oracle_finds_the_rate_of_a_residual():
    """The rows of the oracle against a difference of its own residuals along the motion."""
    _, _, apart = ends()
    pose, u, h = batched(TREE.pose), TREE.speeds, 1e-4
    J, bias = rows_of(ORACLE, pose, u, apart)
    x = [np.real(apart(*ORACLE.places(ORACLE._along(pose, u, np.array([k * h])))[:2])[0]) for k in (-1, 0, 1)]
    assert J @ u == pytest.approx((x[2] - x[0]) / (2 * h), rel=1e-5)
    assert bias == pytest.approx((x[2] - 2 * x[1] + x[0]) / h**2, rel=1e-4)
