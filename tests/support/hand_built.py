"""Small assembled models built by hand: springs and masses, and Euler beams from their closed-form matrices."""

import numpy as np
from scipy.sparse import csr_array

from tisserand.assembly.assembled_model import AssembledModel, DofTable
from tisserand.model import Nodes, Supports


def rigid_vectors(positions, node, component):
    """(d, 6) translations and rotations about the origin in basic axes."""
    out = np.zeros((len(node), 6))
    x = positions[node]
    for k in range(3):
        out[component == k, k] = 1.0
        out[component == k + 3, k + 3] = 1.0
        axis = np.zeros(3)
        axis[k] = 1.0
        turn = np.cross(axis, x)
        for c in range(3):
            out[component == c, 3 + k] = turn[component == c, c]
    return out


def matrices_of(model, has_field=True):
    """The matrices of an assembled model alone, as if they had come from a file."""
    return AssembledModel(
        model.stiffness,
        model.mass,
        dofs=model.dofs,
        recovery=model.recovery,
        rigid_body_vectors=model.rigid_body_vectors,
        nodes=model.nodes,
        name="bare",
        has_field=has_field,
    )


def bare_model(K, M, positions, components, supports=None, name="hand built"):
    """Model with the given components at every node, dofs node by node."""
    positions = np.asarray(positions, float)
    n, p = len(positions), len(components)
    node = np.repeat(np.arange(n), p)
    component = np.tile(np.asarray(components), n)
    rows = 6 * node + component
    recovery = csr_array((np.ones(n * p), (rows, np.arange(n * p))), shape=(6 * n, n * p))
    return AssembledModel(
        csr_array(K),
        csr_array(M),
        dofs=DofTable(node, component, n),
        recovery=recovery,
        rigid_body_vectors=rigid_vectors(positions, node, component),
        nodes=Nodes(np.arange(1, n + 1), positions),
        name=name,
        supports=supports or Supports(),
    )


def beam3d(elements=20, length=2.0, EI=(3.0, 3.0), GJ=2.0, EA=500.0, rhoA=1.5, polar=0.02, lumped=False):
    """Euler beam along x, Hermite stiffness; consistent mass without rotary inertia, or lumped with massless rotations."""
    n, h = elements + 1, length / elements
    K, M = np.zeros((6 * n, 6 * n)), np.zeros((6 * n, 6 * n))
    two = np.array([[1.0, -1.0], [-1.0, 1.0]])
    line = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0
    kb = (
        np.array(
            [
                [12, 6 * h, -12, 6 * h],
                [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                [-12, -6 * h, 12, -6 * h],
                [6 * h, 2 * h * h, -6 * h, 4 * h * h],
            ]
        )
        / h**3
    )
    mb = (
        np.array(
            [
                [156, 22 * h, 54, -13 * h],
                [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                [54, 13 * h, 156, -22 * h],
                [-13 * h, -3 * h * h, -22 * h, 4 * h * h],
            ]
        )
        * rhoA
        * h
        / 420.0
    )
    flip = np.diag([1.0, -1.0, 1.0, -1.0])
    for e in range(elements):
        a = 6 * e
        u, t = [a, a + 6], [a + 3, a + 9]
        y, z = [a + 1, a + 5, a + 7, a + 11], [a + 2, a + 4, a + 8, a + 10]
        K[np.ix_(u, u)] += EA / h * two
        K[np.ix_(t, t)] += GJ / h * two
        K[np.ix_(y, y)] += EI[0] * kb
        K[np.ix_(z, z)] += EI[1] * flip @ kb @ flip
        if lumped:
            for s in (a, a + 1, a + 2, a + 6, a + 7, a + 8):
                M[s, s] += 0.5 * rhoA * h
        else:
            M[np.ix_(u, u)] += rhoA * h * line
            M[np.ix_(t, t)] += polar * h * line
            M[np.ix_(y, y)] += mb
            M[np.ix_(z, z)] += flip @ mb @ flip
    positions = np.column_stack([np.linspace(0.0, length, n), np.zeros(n), np.zeros(n)])
    return bare_model(K, M, positions, range(6), Supports.clamp([0]), "beam")


def plate(n):
    """Membrane of n x n masses under tension, edges fixed, sparse: closed form 4 - 2 cos - 2 cos."""
    from scipy.sparse import diags_array, eye_array, kron

    line = diags_array([np.full(n - 1, -1.0), np.full(n, 2.0), np.full(n - 1, -1.0)], offsets=[-1, 0, 1])
    x, y = np.meshgrid(np.arange(float(n)), np.arange(float(n)), indexing="ij")
    K = csr_array(kron(line, eye_array(n)) + kron(eye_array(n), line))
    w = 2.0 - 2.0 * np.cos(np.pi * np.arange(1, n + 1) / (n + 1))
    model = bare_model(K, csr_array(eye_array(n * n)), np.column_stack([x.ravel(), y.ravel(), 0 * x.ravel()]), [2])
    return model, np.sort((w[:, None] + w[None, :]).ravel())
