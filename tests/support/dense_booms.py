"""Booms of lumped Bernoulli beams as dense matrices, written here from textbook stiffness; numpy and scipy alone.

Mass at nodes is what a deck of CBAR elements with lumped mass has: half an element's mass in translation, no rotary inertia, and
tip bodies. Six dofs per node, no supports.
"""

import numpy as np
from scipy.linalg import eigh, null_space

from support.mounted_oracle import FreeParts, moved

YOUNG, SHEAR, DENSITY = 7.0e10, 7.0e10 / 2.6, 2700.0
AREA, BEND_PLANE_1, BEND_PLANE_2, TORSION = 2.3e-4, 7.0e-8, 9.0e-8, 1.6e-7


def beam(length):
    """(12, 12) stiffness in element axes: x along, plane 1 is x-y with I1, plane 2 is x-z with I2."""
    K = np.zeros((12, 12))
    for k, places in ((YOUNG * AREA / length, (0, 6)), (SHEAR * TORSION / length, (3, 9))):
        K[np.ix_(places, places)] += k * np.array([[1.0, -1.0], [-1.0, 1.0]])
    for inertia, places, sign in ((BEND_PLANE_1, (1, 5, 7, 11), 1.0), (BEND_PLANE_2, (2, 4, 8, 10), -1.0)):
        flip = np.diag([1.0, sign, 1.0, sign])
        own = np.array(
            [
                [12.0, 6 * length, -12.0, 6 * length],
                [6 * length, 4 * length**2, -6 * length, 2 * length**2],
                [-12.0, -6 * length, 12.0, -6 * length],
                [6 * length, 2 * length**2, -6 * length, 4 * length**2],
            ]
        )
        K[np.ix_(places, places)] += YOUNG * inertia / length**3 * flip @ own @ flip
    return K


def boom_parts(points, up, tip_mass=0.0, tip_inertia=(0.0, 0.0, 0.0)):
    """K, M of a chain of beams through the points (n, 3), ``up`` in plane 1, a body at the last point; mount at the first."""
    points = np.asarray(points, float)
    n = len(points)
    K, M = np.zeros((6 * n, 6 * n)), np.zeros((6 * n, 6 * n))
    for i in range(n - 1):
        along = points[i + 1] - points[i]
        length = np.linalg.norm(along)
        x = along / length
        z = np.cross(x, up)
        z /= np.linalg.norm(z)
        axes = np.kron(np.eye(4), np.array([x, np.cross(z, x), z]))
        place = np.arange(6 * i, 6 * i + 12)
        K[np.ix_(place, place)] += axes.T @ beam(length) @ axes
        for node in (i, i + 1):
            M[6 * node + np.arange(3), 6 * node + np.arange(3)] += 0.5 * DENSITY * AREA * length
    last = 6 * (n - 1)
    M[last + np.arange(6), last + np.arange(6)] += np.concatenate([[tip_mass] * 3, tip_inertia])
    C = np.zeros((6, 6 * n))
    C[:, :6] = np.eye(6)
    return FreeParts(K, M, C, np.vstack([moved(p - points[0]) for p in points]))


def span(parts, mounting, count):
    """Shapes (d, k) of a span; a boom may have no inertia about its own axis, where nothing balances a moment at the mount."""
    p = parts
    if mounting == "clamped":
        N = null_space(p.C)
        return N @ _lowest(N.T @ p.K @ N, N.T @ p.M @ N, count)
    inertia = p.S.T @ p.M @ p.S
    size = np.sqrt(np.diag(inertia)) + 1e-9
    values, axes = np.linalg.eigh(inertia / np.outer(size, size))
    heavy = axes[:, values > 1e-12] / size[:, None]
    light = axes[:, values <= 1e-12] / size[:, None]
    Z = null_space(np.vstack([heavy.T @ p.S.T @ p.M, (light / np.linalg.norm(light, axis=0)).T @ p.C]))
    inner = Z.T @ p.K @ Z
    free = Z @ _lowest(inner, Z.T @ p.M @ Z, count)
    if mounting == "free":
        return free
    loads = p.C.T @ null_space(light.T) if light.size else p.C.T
    bent = Z @ np.linalg.solve(inner, Z.T @ loads)
    bent = bent / np.sqrt(np.einsum("ik,ik->k", bent, p.K @ bent))
    for _ in range(2):
        bent = bent - free @ (free.T @ (p.M @ bent))
    own, turn = np.linalg.eigh(bent.T @ p.K @ bent)  # energy that the modes miss, of a unit of energy
    return np.hstack([free, bent @ turn[:, own > 1e-11]])


def _lowest(K, M, count):
    n = len(K)
    values, X = eigh(M, K, subset_by_index=(n - count, n - 1))
    return (X / np.sqrt(values))[:, ::-1]
