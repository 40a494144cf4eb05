# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False
"""Compiled stiffness and mass of the solids: arrays in, arrays and the first bad element (or -1) out.

Isoparametric solids: [Zienkiewicz2000].
"""

import numpy as np

from tisserand.numerics import kernel

#: Reference gradients of the linear tetrahedron, and the corners of each edge in VTK order.
SIMPLEX = np.array([[-1.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 1.0]])
TET_EDGES = np.array([[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]])


@kernel
def physical_gradients(corners, reference, out):
    """Gradients ``out`` (3, k) at one point of one cell from reference gradients (3, k); returns det J."""
    k = corners.shape[0]
    j = np.zeros((3, 3))
    for i in range(k):
        for a in range(3):
            for b in range(3):
                j[a, b] += reference[a, i] * corners[i, b]
    c00 = j[1, 1] * j[2, 2] - j[1, 2] * j[2, 1]
    c01 = j[1, 2] * j[2, 0] - j[1, 0] * j[2, 2]
    c02 = j[1, 0] * j[2, 1] - j[1, 1] * j[2, 0]
    det = j[0, 0] * c00 + j[0, 1] * c01 + j[0, 2] * c02
    if not det > 0.0:
        return det
    d = 1.0 / det
    i00, i10, i20 = c00 * d, c01 * d, c02 * d
    i01 = (j[0, 2] * j[2, 1] - j[0, 1] * j[2, 2]) * d
    i11 = (j[0, 0] * j[2, 2] - j[0, 2] * j[2, 0]) * d
    i21 = (j[0, 1] * j[2, 0] - j[0, 0] * j[2, 1]) * d
    i02 = (j[0, 1] * j[1, 2] - j[0, 2] * j[1, 1]) * d
    i12 = (j[0, 2] * j[1, 0] - j[0, 0] * j[1, 2]) * d
    i22 = (j[0, 0] * j[1, 1] - j[0, 1] * j[1, 0]) * d
    for i in range(k):
        x, y, z = reference[0, i], reference[1, i], reference[2, i]
        out[0, i] = i00 * x + i01 * y + i02 * z
        out[1, i] = i10 * x + i11 * y + i12 * z
        out[2, i] = i20 * x + i21 * y + i22 * z
    return det


@kernel
def solid_stiffness(corners, reference, weights, moduli, place, isotropic, out):
    """Stiffness ``out`` (m, 3k, 3k) of cells with corners (m, k, 3).

    reference (g, 3, k), weights (g,), moduli (s, 3, 3, 3, 3), place (m,) section, isotropic (s,). The
    geometric part G_ib,jd = int N_i,b N_j,d dV is a sum of outer products; then K_ia,jc = C_abcd G_ib,jd.
    """
    m, k = corners.shape[0], corners.shape[1]
    size = 3 * k
    gradient, row = np.empty((3, k)), np.empty(size)
    pairs = np.empty((size, size))
    for e in range(m):
        pairs[:] = 0.0
        for g in range(weights.shape[0]):
            det = physical_gradients(corners[e], reference[g], gradient)
            if not det > 0.0:
                return e
            scale = np.sqrt(det * abs(weights[g]))
            sign = 1.0 if weights[g] > 0.0 else -1.0
            for b in range(3):
                for i in range(k):
                    row[b * k + i] = scale * gradient[b, i]
            for p in range(size):
                value = sign * row[p]
                for q in range(size):
                    pairs[p, q] += value * row[q]
        c = moduli[place[e]]
        if isotropic[place[e]]:
            lame, shear = c[0, 0, 1, 1], c[0, 1, 0, 1]
            for i in range(k):
                for j in range(k):
                    trace = shear * (pairs[i, j] + pairs[k + i, k + j] + pairs[2 * k + i, 2 * k + j])
                    for a in range(3):
                        for b in range(3):
                            out[e, 3 * i + a, 3 * j + b] = (
                                lame * pairs[a * k + i, b * k + j] + shear * pairs[b * k + i, a * k + j]
                            )
                        out[e, 3 * i + a, 3 * j + a] += trace
        else:
            for i in range(k):
                for j in range(i, k):
                    for a in range(3):
                        for d in range(3):
                            total = 0.0
                            for p in range(3):
                                for q in range(3):
                                    total += c[a, p, d, q] * pairs[p * k + i, q * k + j]
                            out[e, 3 * i + a, 3 * j + d] = total
                            out[e, 3 * j + d, 3 * i + a] = total
    return -1


@kernel
def solid_mass(corners, reference, shapes, weights, density, straight, out):
    """Scalar mass ``out`` (m, k, k): int rho N_i N_j dV.

    Cells that are affine images of the reference tetrahedron (edge nodes halfway) use ``straight`` (k, k),
    the integral over the unit simplex, exactly; pass an empty one for other kinds. Returns the first cell
    without volume, or -1: the points of the stiffness, which needs det J > 0, are fewer than these.
    """
    m, k = corners.shape[0], corners.shape[1]
    gradient = np.empty((3, k))
    affine_kind = straight.shape[0] > 0
    for e in range(m):
        x = corners[e]
        if affine_kind:
            worst, extent = 0.0, 0.0
            for b in range(3):
                for i in range(4, k):
                    p, q = TET_EDGES[i - 4, 0], TET_EDGES[i - 4, 1]
                    worst = max(worst, abs(x[i, b] - 0.5 * (x[p, b] + x[q, b])))
                for i in range(1, 4):
                    extent = max(extent, abs(x[i, b] - x[0, b]))
            if worst <= 1e-12 * extent:
                det = physical_gradients(x[:4], SIMPLEX, gradient[:, :4])
                if not det > 0.0:
                    return e
                scale = density[e] * det
                for i in range(k):
                    for j in range(k):
                        out[e, i, j] = scale * straight[i, j]
                continue
        out[e], volume = 0.0, 0.0
        for g in range(weights.shape[0]):
            det = physical_gradients(x, reference[g], gradient)
            volume += det * weights[g]
            scale = density[e] * det * weights[g]
            for i in range(k):
                value = scale * shapes[g, i]
                for j in range(k):
                    out[e, i, j] += value * shapes[g, j]
        if not volume > 0.0:
            return e
    return -1


@kernel
def spread_translations(scalar, out):
    """Fill ``out`` (m, 3k, 3k) with the scalar matrix (m, k, k) for each of the three translations."""
    m, k = scalar.shape[0], scalar.shape[1]
    for e in range(m):
        for i in range(k):
            for j in range(k):
                for a in range(3):
                    for b in range(3):
                        out[e, 3 * i + a, 3 * j + b] = scalar[e, i, j] if a == b else 0.0
