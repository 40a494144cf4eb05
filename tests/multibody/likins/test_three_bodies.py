"""Symmetric three-body system of S0 III-A-3: a cylinder with two rods on springs, at rest and spinning."""

import numpy as np
import pytest
from support.particles import Cloud, ParticleTree, Pose

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.record.node_table import NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.multibody import Body, MountedAppendage, State, Vehicle, hinge
from tisserand.multibody.likins import accelerations, build
from tisserand.multibody.likins.motion import Layout

m, L, r, M, I1, k = 2.0, 1.5, 0.5, 44.0, 12.0, 9.0
HUB = np.diag([I1, 10.0, 14.0])
J, R = 4.0 * m * L**2 / 3.0, m * L / M


def vehicle():
    """Hinge axes along b1, rods along +b2 and -b2."""
    rod = np.diag([m * L**2 / 3.0, 0.0, m * L**2 / 3.0])
    bodies = [
        Body("hub", M - 2 * m, np.zeros(3), HUB),
        Body("right", m, [0, L, 0], rod),
        Body("left", m, [0, -L, 0], rod),
    ]
    joints = [
        hinge("g1", "hub", "right", [1, 0, 0], parent_point=[0, r, 0], stiffness=k),
        hinge("g2", "hub", "left", [1, 0, 0], parent_point=[0, -r, 0], stiffness=k),
    ]
    return Vehicle("three bodies", bodies, joints)


def state_matrix(spin):
    """d(rate)/d(state) of attitude-free coordinates [g1, g2, w1, w2, w3, g1', g2'] about a steady spin,
    central differences."""
    model = build(vehicle())
    layout = Layout(model)

    def slope(y):
        state = State(
            angular_velocity=spin + y[2:5], joints={"g1": y[0], "g2": y[1]}, joint_rates={"g1": y[5], "g2": y[6]}
        )
        layout.pack(state)
        a = accelerations(model, state)
        return np.r_[y[5:7], a.angular_velocity, a.joints["g1"], a.joints["g2"]]

    h = 1e-5
    return np.array([(slope(h * e) - slope(-h * e)) / (2 * h) for e in np.eye(7)]).T


def particle_matrix(spin):
    """The same matrix from particle mechanics: rods and hub as particles with the same inertia."""
    gauss = L / np.sqrt(3.0)
    rods = [np.array([[0, s * (L + e), 0] for e in (-gauss, gauss)]) for s in (1.0, -1.0)]
    second = 0.5 * np.trace(HUB) * np.eye(3) - HUB  # int x x' dm
    arms = np.sqrt(np.diag(second) / (M - 2 * m) * 3.0)
    hub = np.vstack([np.diag(arms), -np.diag(arms)])
    none = lambda n: np.zeros((n, 3, 0))  # noqa: E731
    x = np.array([1.0, 0.0, 0.0])
    tree = ParticleTree(
        [
            Cloud(-1, np.full(6, (M - 2 * m) / 6), hub, none(6)),
            Cloud(0, np.full(2, m / 2), rods[0], none(2), np.array([0, r, 0]), np.zeros(3), x),
            Cloud(0, np.full(2, m / 2), rods[1], none(2), np.array([0, -r, 0]), np.zeros(3), x),
        ]
    )

    def slope(y):
        pose = Pose(np.zeros((1, 3)), np.eye(3)[None], y[None, :2], np.zeros((1, 0)), np.zeros((1, 0)))
        u = np.r_[np.zeros(3), spin + y[2:5], y[5:7]]
        du = tree.accelerations(pose, u, generalized=np.r_[np.zeros(6), -k * y[:2]])
        return np.r_[y[5:7], du[3:6], du[6:]]

    h = 1e-5
    return np.array([(slope(h * e) - slope(-h * e)) / (2 * h) for e in np.eye(7)]).T


def frequencies(matrix):
    values = np.linalg.eigvals(matrix)
    return np.sort(np.abs(values.imag[values.imag > 1e-3])), np.abs(values.real).max()


def test_frequencies_at_rest_are_the_closed_forms():
    """omega² = k/[J - 2 (J + MRr)²/I1] and k/(J - 2MR²): 3.795918 and 1.609756 rad²/s²."""
    about = I1 + 2 * (J + 2 * m * L * r + m * r**2)
    closed = [k / (J - 2 * M * R**2), k / (J - 2 * (J + M * R * r) ** 2 / about)]
    assert closed == pytest.approx([1.609756, 3.795918], abs=5e-7)
    found, growth = frequencies(state_matrix(np.zeros(3)))
    assert found**2 == pytest.approx(closed, rel=1e-8)
    assert growth < 1e-7


@pytest.mark.parametrize("spin", [[0.0, 0.0, 1.2], [0.0, 0.8, 0.0], [0.5, 0.0, 0.0]])
def test_gyroscopic_frequencies_when_spinning_are_those_of_the_particles(spin):
    """Eigenvalues about a steady spin, from the barycentric equations and from particle mechanics."""
    spin = np.array(spin)
    ours, theirs = state_matrix(spin), particle_matrix(spin)
    assert np.abs(ours - theirs).max() < 1e-7
    found, _ = frequencies(ours)
    expected, _ = frequencies(theirs)
    assert found == pytest.approx(expected, rel=1e-7)


def test_symmetric_flap_of_the_spinning_system_is_stiffened():
    """Spin W about b3, both rods up: omega² = [k + W² (J + m L r)]/(J - 2MR²), from the energy of the
    flap."""
    W = 1.2
    found, _ = frequencies(state_matrix(np.array([0.0, 0.0, W])))
    closed = np.sqrt((k + W**2 * (J + m * L * r)) / (J - 2 * M * R**2))
    assert np.abs(found - closed).min() < 1e-7


def rods_as_appendages():
    """The rods as nodal bodies of two one-mode appendages: node at the hinge, rotation about b1, modal
    stiffness k."""
    rod = np.diag([m * L**2 / 3.0, 0.0, m * L**2 / 3.0])
    x, none = np.array([[1.0], [0.0], [0.0]]), np.zeros((3, 1))
    mounts = []
    for name, side in (("right", 1.0), ("left", -1.0)):
        integrals = nodal_body_integrals(
            np.zeros((1, 3)), np.array([m]), np.array([[0.0, side * L, 0.0]]), rod[None], none[None], x[None]
        )
        nodes = NodeTable(np.array([1]), np.zeros((1, 3)), none[None], x[None])
        frame = FrameRecord("connection", "hinge side of the rod")
        record = ReducedAppendage(
            name, integrals=integrals, stiffness=np.array([[k]]), damping=np.zeros((1, 1)), nodes=nodes, frame=frame
        )
        mounts.append(MountedAppendage(name, record, "hub", [0.0, side * r, 0.0]))
    return Vehicle("rods as appendages", [Body("hub", M - 2 * m, np.zeros(3), HUB)], (), (), mounts)


@pytest.mark.parametrize("spin", [[0.0, 0.0, 0.0], [0.0, 0.0, 1.2], [0.0, 0.8, 0.0]])
@pytest.mark.parametrize("form", ["complete", "first-degree"])
def test_rods_as_appendages_with_one_mode_have_the_same_frequencies(spin, form):
    """A hinge angle as a modal coordinate: equal at rest, and when spinning because the turning terms a, A
    are there."""
    model, spin = build(rods_as_appendages(), form), np.array(spin)

    def slope(y):
        bent, rate = {"right": y[:1], "left": y[1:2]}, {"right": y[5:6], "left": y[6:7]}
        a = accelerations(model, State(angular_velocity=spin + y[2:5], modal=bent, modal_rates=rate))
        return np.r_[y[5:7], a.angular_velocity, a.modal["right"], a.modal["left"]]

    h = 1e-5
    matrix = np.array([(slope(h * e) - slope(-h * e)) / (2 * h) for e in np.eye(7)]).T
    assert np.abs(matrix - state_matrix(spin)).max() < 1e-7
