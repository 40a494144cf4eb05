"""Eight-node hexahedra free of locking, by scheme.

``unlocked``: nine incompatible displacement modes (1 - xi², 1 - eta², 1 - zeta² of each translation: bending without
parasitic shear) and three dilatation modes (xi eta, eta zeta, zeta xi: no volume locking), all with the
Jacobian of the center and the factor det J0 / det J, so that a constant stress does no work on them and patch
tests pass. They are condensed in each element. ``incompatible``: the nine incompatible modes alone (C3D8I of CalculiX and
Abaqus). ``selective``: the volume strain of every point is replaced by its mean over the element, the rest is integrated fully
(C3D8 of Abaqus): free of volume locking. References: Wilson and Taylor 1973; Taylor, Beresford and Wilson
1976; Simo and Rifai 1990; Hughes 1980 for the mean.

References: [Taylor1976], [Simo1990].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.mass_field import MassField
from tisserand.elements.solid_shapes import SolidTable, bowed_table, center_table, stiffness_table

#: Schemes of this module and the number of their inner modes.
INNER = {"unlocked": 12, "incompatible": 9, "selective": 0}


def strain_matrix(gradient: FloatArray) -> FloatArray:
    """(..., 6, 3 f) of gradients (..., 3, f), dofs node by node."""
    *lead, _, count = gradient.shape
    out = np.zeros((*lead, 6, 3 * count))
    for row, (a, b) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))):
        out[..., row, a::3] += gradient[..., b, :]
        if a != b:
            out[..., row, b::3] += gradient[..., a, :]
    return out


def _matrices(corners: FloatArray, table: SolidTable, scheme: str) -> tuple[FloatArray, FloatArray, int]:
    """Strain matrices (m, g, 6, 24 + inner modes), volume measure (m, g), first inverted cell or -1."""
    jacobian = np.einsum("gak,mkb->mgab", table.gradients, corners)
    det = np.linalg.det(jacobian)
    bad = ~(det > 0.0).all(axis=1)
    if bad.any():
        return np.zeros(0), det, int(np.argmax(bad))
    gradient = np.linalg.solve(jacobian, np.broadcast_to(table.gradients, (len(corners), *table.gradients.shape)))
    if scheme == "selective":
        return _mean_volume(corners, strain_matrix(gradient)), det * table.weights, -1
    middle = np.einsum("gak,mkb->mgab", center_table("hex8").gradients, corners)[:, 0]
    share = (np.linalg.det(middle)[:, None] / det)[..., None, None]
    slope = -2.0 * table.points[:, None, :] * np.eye(3)  # (g, 3, 3): d(1 - xi_f²)/d xi_a
    inner = np.einsum("mba,gaf->mgbf", np.linalg.inv(middle), slope) * share
    if scheme == "incompatible":
        return np.concatenate([strain_matrix(gradient), strain_matrix(inner)], axis=-1), det * table.weights, -1
    x, y, z = table.points.T
    swell = np.zeros((*det.shape, 6, 3))
    swell[:, :, :3] = np.stack([x * y, y * z, z * x], axis=1)[None, :, None] * share
    return (np.concatenate([strain_matrix(gradient), strain_matrix(inner), swell], axis=-1), det * table.weights, -1)


def _mean_volume(corners: FloatArray, strain: FloatArray) -> FloatArray:
    """Strains (m, g, 6, 24) whose volume part is the mean over the element."""
    table = stiffness_table("hex8", "full")
    jacobian = np.einsum("gak,mkb->mgab", table.gradients, corners)
    weight = np.linalg.det(jacobian) * table.weights
    gradient = np.linalg.solve(jacobian, np.broadcast_to(table.gradients, (len(corners), *table.gradients.shape)))
    volume = np.einsum("mgbk,mg->mkb", gradient, weight / weight.sum(axis=1, keepdims=True)).reshape(
        len(corners), 1, 24
    )
    out = strain.copy()
    out[:, :, :3] += ((volume - strain[:, :, :3].sum(axis=2)) / 3.0)[:, :, None]
    return out


def _condensed(corners: FloatArray, moduli: FloatArray, scheme: str) -> tuple[FloatArray, FloatArray, int]:
    table, size = stiffness_table("hex8", "full"), 24 + INNER[scheme]
    strain, measure, bad = _matrices(corners, table, scheme)
    if bad >= 0:
        return np.zeros(0), np.zeros(0), bad
    full = np.zeros((len(corners), size, size))
    for g in range(measure.shape[1]):
        full += strain[:, g].transpose(0, 2, 1) @ ((moduli * measure[:, g, None, None]) @ strain[:, g])
    inner = -np.linalg.solve(full[:, 24:, 24:], full[:, 24:, :24])
    outer = full[:, :24, :24] + full[:, :24, 24:] @ inner
    return 0.5 * (outer + outer.transpose(0, 2, 1)), np.asarray(inner), -1


def unlocked_stiffness(corners: FloatArray, moduli: FloatArray, scheme: str) -> tuple[FloatArray, int]:
    """Stiffness (m, 24, 24) of cells with corners (m, 8, 3) and moduli (m, 6, 6); first inverted cell or -1."""
    stiffness, _, bad = _condensed(corners, moduli, scheme)
    return stiffness, bad


def unlocked_strain(
    corners: FloatArray, moduli: FloatArray, moved: FloatArray, table: SolidTable, scheme: str
) -> FloatArray:
    """(m, g, 6) strains at the table's points for displacements (m, 24)."""
    strain, _, _ = _matrices(corners, table, scheme)
    _, inner, _ = _condensed(corners, moduli, scheme)
    every = np.concatenate([moved, np.einsum("mij,mj->mi", inner, moved)], axis=1)
    return np.asarray(np.einsum("mgse,me->mgs", strain, every))


def bowed_field(corners: FloatArray, moduli: FloatArray, density: FloatArray) -> MassField:
    """Consistent mass of ``incompatible`` bricks: N_i u_i and the inner modes that statics gives them, at 3 x 3 x 3 points.

    density (m,) kg/m³.
    """
    table = bowed_table()
    det = np.linalg.det(np.einsum("gak,mkb->mgab", table.gradients, corners))
    functions = np.hstack([table.shapes, 1.0 - table.points**2])
    weights = np.einsum("mg,gi,gj->mij", density[:, None] * det * table.weights, functions, functions, optimize=True)
    _, inner, _ = _condensed(corners, moduli, "incompatible")
    shapes = np.zeros((len(corners), 3, 11, 24))
    for a in range(3):
        shapes[:, a, range(8), 3 * np.arange(8) + a] = 1.0
        shapes[:, a, 8:] = inner[:, a::3]
    return MassField(shapes, weights)
