"""Vehicles with one appendage as dense matrices over finite-element dofs: numpy and scipy alone, no modal record, no engine.

Symbols: K, M of the free appendage; C (6, d) motion of its attachment; S (d, 6) rigid motions; B (d, k) shapes that may bend.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig, eigh, null_space


@dataclass(frozen=True)
class FreeParts:
    """An appendage with nothing held: dense K, M, C of one node, and S with C S = 1."""

    K: np.ndarray
    M: np.ndarray
    C: np.ndarray
    S: np.ndarray


def free_parts(model, node_id) -> FreeParts:
    """Of an assembled model. S is what has no strain energy, scaled to unit motions of the node."""
    (row,) = model.nodes.indices([node_id])
    K, M = model.stiffness.toarray(), model.mass.toarray()
    C = model.recovery[6 * int(row) : 6 * int(row) + 6].toarray()
    S = model.rigid_body_vectors
    assert np.abs(K @ S).max() <= 1e-9 * np.abs(K).max() * np.abs(S).max()
    return FreeParts(K, M, C, S @ np.linalg.inv(C @ S))


def shapes(p: FreeParts, mounting: str, count: int) -> np.ndarray:
    """Shapes of a span: clamped modes, free modes, or free modes and the response to loads at the node (inertia relief)."""
    if mounting == "clamped":
        N = null_space(p.C)
        return N @ _lowest(N.T @ p.K @ N, N.T @ p.M @ N, count)
    Z = null_space(p.S.T @ p.M)
    inner = Z.T @ p.K @ Z
    free = Z @ _lowest(inner, Z.T @ p.M @ Z, count)
    if mounting == "free":
        return free
    bent = Z @ np.linalg.solve(inner, Z.T @ p.C.T)
    return np.hstack([free, bent / np.abs(bent).max(axis=0)])


def _lowest(K, M, count):
    """Lowest modes by the inverse pencil, which keeps the digits of the flexible end."""
    n = len(K)
    values, X = eigh(M, K, subset_by_index=(n - count, n - 1))
    return (X / np.sqrt(values))[:, ::-1]


def vehicle_poles(p: FreeParts, B, carried, rigid_mass, rigid_stiffness, ratio):
    """Frequencies (Hz) and damping ratios of a vehicle about rest.

    ``carried`` (6, n): motion of the attachment in appendage axes by the n rigid coordinates of the vehicle; rigid_mass,
    rigid_stiffness (n, n) of its other bodies and springs; ratio: of the modes of this span with the attachment held.
    """
    held = B - p.S @ (p.C @ B)
    size = np.sqrt(np.einsum("ik,ik->k", held, p.M @ held))
    held = held / size
    n, k = carried.shape[1], B.shape[1]
    T = np.hstack([p.S @ carried, held])
    m, stiff, d = T.T @ p.M @ T, np.zeros((n + k,) * 2), np.zeros((n + k,) * 2)
    m[:n, :n] += rigid_mass
    stiff[:n, :n] = rigid_stiffness
    Ke = held.T @ p.K @ held
    stiff[n:, n:] = 0.5 * (Ke + Ke.T)
    values, X = eigh(m[n:, n:], stiff[n:, n:])
    w, X = 1.0 / np.sqrt(values), X / np.sqrt(values)
    Y = m[n:, n:] @ X
    d[n:, n:] = (Y * (2.0 * ratio * w)) @ Y.T
    squares, X = eigh(
        stiff, m
    )  # natural coordinates: [0 W; -W -D] is as large as the frequencies, not as their squares
    W, D, zero = np.diag(np.sqrt(np.maximum(squares, 0.0))), X.T @ d @ X, np.zeros_like(m)
    poles = eig(np.block([[zero, W], [-W, -D]]), right=False)
    poles = poles[poles.imag > 1e-2]
    poles = poles[np.argsort(np.abs(poles))]
    return np.abs(poles) / (2.0 * np.pi), -poles.real / np.abs(poles)


def cross(v):
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def moved(arm):
    """Motion (6, 6) of a point at ``arm`` from the motion of the body's origin."""
    return np.block([[np.eye(3), -cross(arm)], [np.zeros((3, 3)), np.eye(3)]])


def body_mass(mass, center, inertia):
    """(6, 6) about the origin; ``inertia`` about the mass center."""
    at = moved(center)
    return at.T @ np.block([[mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), np.asarray(inertia)]]) @ at
