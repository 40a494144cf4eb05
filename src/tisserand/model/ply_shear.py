"""Transverse shear through a laminate from equilibrium (Whitney 1972; Rohwer 1988).

In each direction of the laminate, bending about its neutral surface z_n gives ``sigma = Q (z - z_n) M / R`` with
``R = int Q (z - z_n)² dz``; equilibrium of the layers below z then requires the shear stress ``tau = g(z) V``,
``g(z) = -int_bottom^z Q (z - z_n) dz / R``. The flexibility is ``int g S g dz``: 5/6 G t for a plate; in a sandwich the
core carries the shear. tau is continuous between plies and zero on both surfaces; coupling between the two directions is
left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.model.materials import Anisotropic2D
from tisserand.model.ply_stiffness import transverse_stiffness
from tisserand.model.sections import Ply


def unit_shear_stress(z: FloatArray, stiffness: FloatArray, share: FloatArray) -> FloatArray:
    """(p, s, 2): g of the laminate's two directions in every ply, 1/m, at the given shares (s,) of its height.

    z (p + 1,) surfaces of the plies, m; stiffness (p, 3, 3) of the plies in the laminate's axes, Pa.
    """
    modulus = np.stack([stiffness[:, 0, 0], stiffness[:, 1, 1]], axis=1)
    thickness = np.diff(z)
    axial = modulus * thickness[:, None]
    neutral = (modulus * np.diff(z**2)[:, None] / 2.0).sum(axis=0) / axial.sum(axis=0)
    arm = z[:, None] - neutral
    bending = (modulus * np.diff(arm**3, axis=0) / 3.0).sum(axis=0)
    below = np.vstack([np.zeros(2), -np.cumsum(modulus * np.diff(arm**2, axis=0) / 2.0, axis=0)[:-1]])
    here = (z[:-1, None] + thickness[:, None] * share)[:, :, None] - neutral
    flow = below[:, None] - modulus[:, None] * (here**2 - arm[:-1, None] ** 2) / 2.0
    return np.asarray(flow / bending)


def laminate_shear(stack: Sequence[Ply], z: FloatArray, stiffness: FloatArray) -> FloatArray | None:
    """Transverse shear stiffness (2, 2), N/m; None when no ply is flexible in shear."""
    points, weights = np.polynomial.legendre.leggauss(5)  # g is quadratic in z, so g² is integrated exactly
    unit = unit_shear_stress(z, stiffness, (points + 1.0) / 2.0)
    flexibility = np.zeros((2, 2))
    flexible = False
    for ply, g, thickness in zip(stack, unit, np.diff(z)):
        own = transverse_stiffness(ply.material)
        if own is None or isinstance(ply.material, Anisotropic2D):
            continue
        c, s = np.cos(ply.angle), np.sin(ply.angle)
        turn = np.array([[c, s], [-s, c]])
        compliance = turn.T @ np.linalg.inv(own) @ turn
        flexibility += np.einsum("g,gi,ij,gj->ij", weights * thickness / 2.0, g, compliance, g)
        flexible = True
    return np.asarray(np.linalg.inv(flexibility)) if flexible else None
