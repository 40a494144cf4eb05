"""Stiffness of one ply: plane stress, transverse shear, and turned axes."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError
from tisserand.model.materials import Anisotropic2D, Isotropic, Material, Orthotropic2D


def plane_stiffness(material: Material) -> FloatArray:
    """Plane-stress stiffness (3, 3) in Pa, material axes."""
    if isinstance(material, Isotropic):
        q = material.young / (1.0 - material.poisson**2)
        return np.array([[q, material.poisson * q, 0.0], [material.poisson * q, q, 0.0], [0.0, 0.0, material.shear]])
    if isinstance(material, Orthotropic2D):
        nu21 = material.poisson_12 * material.young_2 / material.young_1
        scale = 1.0 / (1.0 - material.poisson_12 * nu21)
        q12 = material.poisson_12 * material.young_2 * scale
        return np.array(
            [[material.young_1 * scale, q12, 0.0], [q12, material.young_2 * scale, 0.0], [0.0, 0.0, material.shear_12]]
        )
    if isinstance(material, Anisotropic2D):
        return np.array(material.stiffness)
    raise ModelError("a solid material cannot be used for a shell", ids=(material.id,), found=f"material {material.id}")


def transverse_stiffness(material: Material) -> FloatArray | None:
    """Transverse shear stiffness (2, 2) in Pa for (1z, 2z); None means rigid in shear."""
    if isinstance(material, Isotropic):
        return material.shear * np.eye(2) if material.shear > 0.0 else None
    if isinstance(material, Orthotropic2D):
        if material.shear_1z == 0.0 and material.shear_2z == 0.0:
            return None
        rigid = 1e6 * max(material.shear_1z, material.shear_2z, material.young_1)
        return np.diag([material.shear_1z or rigid, material.shear_2z or rigid])
    if isinstance(material, Anisotropic2D):
        return np.array(material.stiffness[:2, :2])
    return None


def rotated(stiffness: FloatArray, angle: float) -> FloatArray:
    """Plane stiffness of a ply whose 1-axis is turned by ``angle`` (rad) from the laminate's x axis."""
    strain = strain_turn(angle)
    return np.asarray(strain.T @ stiffness @ strain)


def strain_turn(angle: float) -> FloatArray:
    """(3, 3): strains (11, 22, engineering 12) of the laminate's axes to axes turned by ``angle``, rad."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c * c, s * s, c * s], [s * s, c * c, -c * s], [-2 * c * s, 2 * c * s, c * c - s * s]])
