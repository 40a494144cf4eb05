"""Geometric stiffness of the shells: int N_ab u_c,a u_c,b dA over all three directions c, from the membrane forces N.

The forces are linear in the displacement and the gradients do not depend on it, so that both are prepared once for
any number of stress states. Moments are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.shell_bending import side_rotations
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, inverse_2x2
from tisserand.elements.shell_mass import field_points, surface_field
from tisserand.elements.shell_shapes import SurfaceTable
from tisserand.elements.shell_strain import LocalStiffness, generalised_strain


def stressed(
    geometry: ShellGeometry, section: ShellStiffness, local: LocalStiffness, moved: FloatArray
) -> Iterator[FloatArray]:
    """(m, 6k, 6k) for each of the p states ``moved`` (m, 6k, p), nodal displacements in basic axes."""
    at = field_points(geometry.corners, "consistent")  # fewer points would let the field bow past the stress
    turns = side_rotations(geometry, section.shear_ratio)
    strain, measure = generalised_strain(geometry, turns, section.shear_ratio, at)
    m, g = measure.shape
    outer = local.inner.shape[-1]
    flat = geometry.to_local @ moved
    every = np.concatenate([flat, local.inner @ flat], axis=1) if strain.shape[-1] > outer else flat
    generalised = strain.reshape(m, 6 * g, -1) @ every
    force = section.generalised[:, None, :3] @ generalised.reshape(m, g, 6, -1)  # (m, g, 3, p): 11, 22, 12
    force *= measure[..., None, None]
    gradient = _field_gradient(geometry, section.shear_ratio, at) @ geometry.to_nodes[:, None, None]
    first, second = gradient[:, :, 0].reshape(m, 3 * g, -1), gradient[:, :, 1].reshape(m, 3 * g, -1)
    both = np.concatenate([first, second], axis=1).transpose(0, 2, 1)
    for i in range(force.shape[-1]):
        a, b, c = (np.repeat(force[:, :, j, i], 3, axis=1)[..., None] for j in range(3))
        yield both @ np.concatenate([a * first + c * second, c * first + b * second], axis=1)


def _field_gradient(geometry: ShellGeometry, ratio: FloatArray, at: SurfaceTable) -> FloatArray:
    """(m, g, 2, 3, 6k): d/dx, d/dy of the displacement field of the surface, local axes."""
    parts = []
    for axis in range(2):
        slopes = replace(
            at,
            corner=at.corner_gradient[:, axis],
            bubble=at.bubble_gradient[:, axis],
            cubic=at.cubic_gradient[:, axis],
        )
        parts.append(surface_field(geometry, ratio, slopes))
    reference = np.stack(parts, axis=2)
    jacobian = np.einsum("gak,mkb->mgab", at.corner_gradient, geometry.flat)
    _, inverse = inverse_2x2(jacobian)
    return (inverse @ reference.reshape(*reference.shape[:3], -1)).reshape(reference.shape)
