"""Constrained accelerations by brute force: residuals as functions of places, nothing else.

Rows of J by a complex step through the places, their velocity-dependent part by a Cauchy integral along the motion with constant
speeds, and one dense system [M -J'; J 0] for accelerations and multipliers.
"""

from __future__ import annotations

import numpy as np

from support.particles import ParticleTree
from support.trees import RandomTree, batched

_STEP, _SAMPLES, _RADIUS = 1e-40, 24, 0.05


def rows_of(oracle: ParticleTree, pose, u, residual):
    """J (m, speeds) and the second derivative of ``residual(x, R)`` (batch, m) at u' = 0."""
    n = oracle.speeds
    x, R, _ = oracle.places(oracle._along(pose, np.eye(n), np.full(n, 1j * _STEP)))
    J = np.imag(residual(x, R)).T / _STEP
    phase = np.exp(2j * np.pi * np.arange(_SAMPLES) / _SAMPLES)
    radius = _RADIUS / max(1.0, float(np.abs(u).max()))
    x, R, _ = oracle.places(oracle._along(pose, u, radius * phase))
    return J, 2.0 / (_SAMPLES * radius**2) * np.real(phase**-2 @ residual(x, R))


def constrained(tree: RandomTree, residual, more=None):
    """Accelerations u' and multipliers; ``more`` (J, bias): further rows, given."""
    oracle, pose = tree.particles(), batched(tree.pose)
    J, bias = rows_of(oracle, pose, tree.speeds, residual)
    if more is not None:
        J, bias = np.vstack([J, more[0]]), np.concatenate([bias, more[1]])
    forces, generalized, torques = tree.applied(oracle)
    V, W = oracle.partials(pose)
    M = np.einsum("p,pai,paj->ij", oracle.masses, V, V, optimize=True)
    Q = np.einsum("pai,pa->i", V, forces - oracle.masses[:, None] * oracle.bias(pose, tree.speeds)) + generalized
    Q = Q + np.einsum("kai,ka->i", W, torques)
    n, m = len(M), len(J)
    whole = np.block([[M, -J.T], [J, np.zeros((m, m))]])
    found = np.linalg.solve(whole, np.concatenate([Q, -bias]))
    return found[:n], found[n:]
