"""Effect of a displacement on the elastic stiffness of solids: strains are measured from the displaced position.

With F = 1 + du/dX the variation of the Green strain is dE = sym(F' d(du)/dX); the change of stiffness is
int (B_F' C B_F - B' C B) dV, the initial-displacement part of the tangent ([Zienkiewicz2000], volume 2). Programs that start
modes from the displaced state (PERTURBATION steps of CalculiX) have it besides the geometric stiffness.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


def displaced_change(gradient: FloatArray, measure: FloatArray, moduli: FloatArray, moved: FloatArray) -> FloatArray:
    """(m, 3 k, 3 k) N/m: change of stiffness.

    gradient (m, g, 3, k) 1/m; measure (m, g) m³; moduli (m, 6, 6) Pa; moved (m, k, 3) m, displacements of the nodes.
    """
    slope = np.einsum("mgbk,mka->mgab", gradient, moved)
    straight = _strains(gradient, np.broadcast_to(np.eye(3), slope.shape))
    bent = _strains(gradient, np.eye(3) + slope)
    weighted = moduli[:, None] * measure[..., None, None]
    out = np.einsum("mgsi,mgsj->mij", bent, weighted @ bent, optimize=True)
    return np.asarray(out - np.einsum("mgsi,mgsj->mij", straight, weighted @ straight, optimize=True))


def _strains(gradient: FloatArray, deformation: FloatArray) -> FloatArray:
    """(m, g, 6, 3 k): Green strains xx, yy, zz, xy, yz, zx (engineering shear) per nodal motion about F (m, g, 3, 3)."""
    *lead, _, count = gradient.shape
    out = np.zeros((*lead, 6, 3 * count))
    for row, (b, d) in enumerate(_PAIRS):
        for a in range(3):
            out[..., row, a::3] = gradient[..., b, :] * deformation[..., a, d, None]
            if b != d:
                out[..., row, a::3] += gradient[..., d, :] * deformation[..., a, b, None]
    return out
