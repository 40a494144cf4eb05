"""Transverse shear forces of quads from their balance of forces.

A uniform rotation of the normals works against the couple of the element's own nodal forces f along z: int Q_a dA would be
sum_i x_a f_i. In a thin element, whose sides tie rotation and chord, the twisting moments M_nt of the sides are among those
forces, as in Kirchhoff's edge force; they are added again:

``Q A = sum_i x_i f_i + sum_k L_k t_k M_nt,k / (1 + phi_k)``

with M_nt at the middle of side k from the mean moment and its slope over the element. Triangles: ``shell_moment_slope``.

Derived here from the edge forces of thin plates, [Zienkiewicz2000].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.shell_geometry import ShellGeometry
from tisserand.elements.shell_shapes import SurfaceTable


def balanced_shear(
    geometry: ShellGeometry, ratio: FloatArray, forces: FloatArray, moment: FloatArray, slope: FloatArray
) -> FloatArray:
    """(m, 2, q) N/m of nodal forces along z (m, 4, q), the mean moment (m, 3, q) and its slopes (m, 2, 3, q), element axes."""
    t = geometry.side_direction
    n = np.stack([t[..., 1], -t[..., 0]], axis=-1)
    place = geometry.flat - geometry.flat.mean(axis=1, keepdims=True)
    middle = 0.5 * (place + np.roll(place, -1, axis=1))
    there = moment[:, None] + np.einsum("mka,maiq->mkiq", middle, slope)
    parts = np.stack(
        [n[..., 0] * t[..., 0], n[..., 1] * t[..., 1], n[..., 0] * t[..., 1] + n[..., 1] * t[..., 0]], axis=-1
    )
    twist = np.einsum("mki,mkiq->mkq", parts, there)
    edge = twist * (geometry.side_length / (1.0 + ratio))[..., None]
    total = np.einsum("mka,mkq->maq", place, forces) + np.einsum("mka,mkq->maq", t, edge)
    return np.asarray(total / geometry.area[:, None, None])


def moment_slope(geometry: ShellGeometry, at: SurfaceTable, moment: FloatArray) -> FloatArray:
    """(m, 2, 3, q): slopes along x and y of a plane through moments (m, g, 3, q) at the points of a table."""
    place = np.einsum("gk,mkb->mgb", at.corner, geometry.flat)
    place = place - place.mean(axis=1, keepdims=True)
    slope = np.linalg.solve(place.transpose(0, 2, 1) @ place, place.transpose(0, 2, 1))
    return np.asarray(np.einsum("mbg,mgiq->mbiq", slope, moment, optimize=True))
