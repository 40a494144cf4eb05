"""Attitudes and rates of the bodies of a tree (TR 32-1576, Eqs 43, 44, 50-52).

Every vector handed on is written in the basis {b^0}: the report's C^{kr} then occur only here, as C^{0k}.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.multibody.likins.network import Network
from tisserand.multibody.likins.vectors import cross, turned


@dataclass(frozen=True, eq=False)
class Rates:
    """Motion of the bodies in {b^0}.

    C0 (n + 1, 3, 3): C^{0k}, turns {b^k} components into {b^0}; g (n + 1, 3): hinge axes (row 0 zero);
    w (n + 1, 3) rad/s; partial P (n + 1, 3, 3 + n): a^k = P_k [a^0; gamma''] + bias_k, rad/s².
    """

    C0: FloatArray
    g: FloatArray
    w: FloatArray
    partial: FloatArray
    bias: FloatArray


def hinge_matrix(axis: FloatArray, angle: float) -> FloatArray:
    """C^{k N_k} (3, 3) = U cos - g~ sin + g g' (1 - cos) (Eq 50); its transpose is C^{N_k k} (Eq 51)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(c * np.eye(3) - s * skew(axis) + (1.0 - c) * np.outer(axis, axis))


def rates(
    tree: Network, axes: FloatArray, nominal: FloatArray, w0: FloatArray, angles: FloatArray, angle_rates: FloatArray
) -> Rates:
    """Attitudes by the chain of Eq 52, rates by Eqs 43 and 44.

    axes (n + 1, 3): unit g^s in {b^s}; nominal (n + 1, 3, 3): turns child into parent components at zero
    angle (the report takes the unit matrix); w0 (3,) in {b^0}; angles, angle_rates (n,). The products
    gamma'_s gamma'_r g^s x g^r of Eq 44 are gathered as w^r x g^r gamma'_r, which is the same sum by Eq 43.
    """
    n = tree.bodies - 1
    C0 = np.empty((n + 1, 3, 3))
    C0[0] = np.eye(3)
    for k in range(1, n + 1):
        C0[k] = C0[tree.parent[k]] @ nominal[k] @ hinge_matrix(axes[k], float(angles[k - 1])).T
    g = turned(C0, axes)
    g[0] = 0.0
    spin = np.zeros((n + 1, 3))
    spin[1:] = angle_rates[:, None] * g[1:]
    eps = tree.path.astype(float)
    w = w0 + eps.T @ spin
    bias = eps.T @ cross(w, spin)
    partial = np.zeros((n + 1, 3, 3 + n))
    partial[:, :, :3] = np.eye(3)
    partial[:, :, 3:] = (eps[1:, :, None] * g[1:, None]).transpose(1, 2, 0)
    return Rates(C0, g, w, partial, bias)
