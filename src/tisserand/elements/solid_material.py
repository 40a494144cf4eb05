"""Elastic moduli of solids in basic axes; Voigt order xx, yy, zz, xy, yz, zx with engineering shear.

Reference: [Jones1999] for orthotropic constants.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.elements.distinct import distinct
from tisserand.model import Isotropic, SolidBlock, SolidSection, StructuralModel

VOIGT = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


def isotropic_moduli(material: Isotropic) -> FloatArray:
    """(6, 6) from Young's modulus and Poisson's ratio, with the material's own shear modulus."""
    e, nu = material.young, material.poisson
    lame = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    out = np.zeros((6, 6))
    out[:3, :3] = lame + np.eye(3) * e / (1.0 + nu)
    out[3:, 3:] = np.eye(3) * material.shear
    return out


def tensor(moduli: FloatArray) -> FloatArray:
    """(3, 3, 3, 3) of a Voigt matrix."""
    out = np.zeros((3, 3, 3, 3))
    for p, (a, b) in enumerate(VOIGT):
        for q, (c, d) in enumerate(VOIGT):
            out[a, b, c, d] = out[b, a, c, d] = out[a, b, d, c] = out[b, a, d, c] = moduli[p, q]
    return out


def voigt(moduli: FloatArray) -> FloatArray:
    """(6, 6) of a tensor."""
    return np.array([[moduli[a, b, c, d] for c, d in VOIGT] for a, b in VOIGT])


def section_moduli(section: SolidSection) -> tuple[FloatArray, bool]:
    """Tensor in basic axes and whether it is isotropic (fully described by two numbers)."""
    material = section.material
    if isinstance(material, Isotropic):
        same = abs(material.shear - material.young / (2.0 * (1.0 + material.poisson))) <= 1e-9 * material.shear
        return tensor(isotropic_moduli(material)), bool(same)
    out = tensor(material.stiffness)
    if section.axes is not None:
        r = section.axes
        out = np.einsum("ijkl,ia,jb,kc,ld->abcd", out, r, r, r, r, optimize=True)
    return out, False


def sections_of(model: StructuralModel, block: SolidBlock) -> tuple[list[SolidSection], IntArray]:
    """The distinct solid sections of a block and each element's place among them."""
    used, place = distinct(block.section)
    return [cast(SolidSection, model.sections[index]) for index in used], place
