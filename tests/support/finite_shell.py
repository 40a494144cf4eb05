"""A plate patch with finite rotation of its normals, in plain 3-D continuum terms: nothing of it comes from the package.

x(X, Y, z) = (X, Y, 0) + u + z exp(theta) n. For a given stress sigma, the second-degree part of
``int sigma : E dV`` in the motion (u, theta) is what a geometric stiffness must give; E is the Green-Lagrange strain from
the deformation gradient (complex step), the second degree is taken by Richardson extrapolation of central differences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

YOUNG, POISSON, THICKNESS = 2e3, 0.3, 0.05
BENDING = YOUNG * THICKNESS**3 / 12 / (1 - POISSON**2)
MEMBRANE = YOUNG * THICKNESS / (1 - POISSON**2)
SHEAR = 5 / 6 * YOUNG / 2 / (1 + POISSON) * THICKNESS


@dataclass(frozen=True)
class PlateState:
    """Equilibrium state of a plate: constant membrane strains and curvatures (11, 22, 12), and kappa_11 = slope * X more."""

    strain: tuple[float, float, float] = (0.0, 0.0, 0.0)
    curvature: tuple[float, float, float] = (0.0, 0.0, 0.0)
    slope: float = 0.0

    def displacement(self, x, y):
        """(..., 6) with w,X = -beta_X + Q/S."""
        (e1, e2, e3), (k1, k2, k3), c = self.strain, self.curvature, self.slope
        beta_x = k1 * x + c * x * x / 2 + k3 * y / 2
        beta_y = k2 * y + k3 * x / 2
        w = -(k1 * x * x / 2 + c * x**3 / 6 + k3 * x * y / 2 + k2 * y * y / 2) + BENDING * c / SHEAR * x
        return np.stack([e1 * x + e3 / 2 * y, e2 * y + e3 / 2 * x, w, -beta_y, beta_x, 0 * x], axis=-1)

    def stress(self, x, z):
        """(..., 3, 3) Cauchy stress of the small displacement, Pa; the shear is even through the thickness."""
        e1, e2, e3 = (e + z * k for e, k in zip(self.strain, self.curvature))
        e1 = e1 + z * self.slope * x
        q = YOUNG / (1 - POISSON**2)
        out = np.zeros((*np.shape(x), 3, 3))
        out[..., 0, 0], out[..., 1, 1] = q * (e1 + POISSON * e2), q * (e2 + POISSON * e1)
        out[..., 0, 1] = out[..., 1, 0] = q * (1 - POISSON) / 2 * e3
        out[..., 0, 2] = out[..., 2, 0] = BENDING * self.slope / THICKNESS
        return out


def smooth_motion(x, y):
    """(..., 3) displacements and rotation vectors, zero on the edges of the unit square; the normal follows the slope of w, the
    rotation about it is free.
    """
    sx, cx, sy, cy = np.sin(np.pi * x), np.cos(np.pi * x), np.sin(np.pi * y), np.cos(np.pi * y)
    bump, ramp = (sx * sy) ** 2, 0.5 * x + 0.25 * y
    w_x = 2 * np.pi * sx * cx * sy**2 * ramp + 0.5 * bump
    w_y = 2 * np.pi * sx**2 * sy * cy * ramp + 0.25 * bump
    u = [bump * np.sin(1.1 * x + 0.4 * y), 1.2 * bump * np.cos(0.7 * x - 1.3 * y), bump * ramp]
    theta = [w_y, -w_x, 0.8 * bump * np.cos(x) * np.sin(1.4 * y + 0.2)]
    return np.stack(u, axis=-1), np.stack(theta, axis=-1)


def _place(x, y, z, size):
    """Position and turned normal."""
    u, theta = (size * part for part in smooth_motion(x, y))
    square = (theta * theta).sum(axis=-1)[..., None]
    angle = np.sqrt(square)
    normal = np.zeros_like(theta)
    normal[..., 2] = 1.0
    once = np.cross(theta, normal)
    turned = normal + np.sin(angle) / angle * once + (1 - np.cos(angle)) / square * np.cross(theta, once)
    return np.stack([x, y, 0 * x], axis=-1) + u + z[..., None] * turned, turned


def _work(state: PlateState, size: float) -> float:
    points, weights = np.polynomial.legendre.leggauss(20)
    levels, depth = np.polynomial.legendre.leggauss(3)
    x, y, z = np.meshgrid((points + 1) / 2, (points + 1) / 2, levels * THICKNESS / 2, indexing="ij")
    volume = weights[:, None, None] * weights[:, None] * depth * THICKNESS / 8
    step = 1e-30
    along_x = _place(x + 1j * step, y + 0j, z, size)[0].imag / step
    along_y = _place(x + 0j, y + 1j * step, z, size)[0].imag / step
    gradient = np.stack([along_x, along_y, _place(x + 0j, y + 0j, z, size)[1].real], axis=-1)
    strain = 0.5 * (np.swapaxes(gradient, -1, -2) @ gradient - np.eye(3))
    return float((volume * (state.stress(x, z) * strain).sum(axis=(-1, -2))).sum())


def second_variation(state: PlateState, size: float = 1e-3) -> float:
    """d²/ds² int sigma : E(s u, s theta) dV at s = 0."""

    def central(s: float) -> float:
        return (_work(state, s) + _work(state, -s)) / s**2

    return (4 * central(size / 2) - central(size)) / 3
