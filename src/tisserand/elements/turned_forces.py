"""Geometric stiffness due to the mean rotation of an element, whatever its strains.

An element that rotates as a whole by a small Omega carries its end forces f and moments m with it. Its energy is a
function of
its motion relative to axes that turn with it: ``u_d = exp(-Omega) (X + u) - X`` and the rotation vector
``theta_d = log(exp(-Omega) exp(theta))``. The second-degree part of these, times the forces of the stressed element, is

``Pi = sum_i f_i . (-Omega x u_i + 1/2 Omega x (Omega x X_i)) - 1/2 m_i . (Omega x theta_i)``  (Baker-Campbell-Hausdorff)

and Omega = G q any measure of the element's mean rotation that is exact in rigid motion. Law: for a rigid rotation phi,
``K_geo (phi x X, phi) = (phi x f, 1/2 phi x m)`` at every node, exactly. The factor one half belongs to rotation vectors:
the moment that goes with them turns half-way (a semi-tangential moment, Argyris 1978). What deforms the element relative to
its turned axes adds its own part, ``shell_geometric`` for shells. Ends that sit on rigid offsets rho move by the second
degree of the node's rotation relative to these axes too: ``f . (theta_r x (theta_r x rho)) / 2``, theta_r = theta - Omega.

References: [Argyris1978]; serves theory section 6.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, skew


def turning_stiffness(arms: FloatArray, forces: FloatArray, turn: FloatArray) -> FloatArray:
    """(m, 6k, 6k) of elements in balance under nodal ``forces`` (m, k, 6): force N and moment N m.

    arms (m, k, 3): node positions from any point of the element, m; turn (m, 3, 6k): G, over nodal dofs (u, theta).
    """
    m, k, _ = forces.shape
    force, moment = forces[..., :3], forces[..., 3:]
    lever = np.zeros((m, 3, k, 6))
    lever[..., :3] = skew(force).transpose(0, 2, 1, 3)
    lever[..., 3:] = 0.5 * skew(moment).transpose(0, 2, 1, 3)
    mixed = turn.transpose(0, 2, 1) @ lever.reshape(m, 3, 6 * k)
    virial = forces[..., :3].transpose(0, 2, 1) @ arms
    own = 0.5 * (virial + virial.transpose(0, 2, 1))
    own -= np.trace(virial, axis1=1, axis2=2)[:, None, None] * np.eye(3)
    return np.asarray(mixed + mixed.transpose(0, 2, 1) + turn.transpose(0, 2, 1) @ own @ turn)


def relative_turns(turn: FloatArray, corners: int) -> FloatArray:
    """(m, k, 3, 6k): rotations of the nodes relative to the element's mean rotation G (m, 3, 6k)."""
    out = np.zeros((len(turn), corners, 3, 6 * corners))
    for i in range(corners):
        out[:, i, :, 6 * i + 3 : 6 * i + 6] = np.eye(3)
    return np.asarray(out - turn[:, None])


def arm_blocks(forces: FloatArray, arms: FloatArray) -> FloatArray:
    """(..., 3, 3) sym(f rho') - f.rho 1: stiffness on the rotation of an arm rho whose end takes the force f, both (..., 3)."""
    outer = forces[..., :, None] * arms[..., None, :]
    return np.asarray(
        0.5 * (outer + outer.swapaxes(-1, -2)) - np.trace(outer, axis1=-2, axis2=-1)[..., None, None] * np.eye(3)
    )


def on_turns(turns: FloatArray, blocks: FloatArray) -> FloatArray:
    """(m, 6k, 6k): turns' blocks turns summed over nodes; turns (m, k, 3, 6k), blocks (m, k, 3, 3)."""
    m, k, _, size = turns.shape
    rows = turns.reshape(m, 3 * k, size)
    return np.asarray(rows.transpose(0, 2, 1) @ (blocks @ turns).reshape(m, 3 * k, size))
