# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False
"""Compiled sums over the integration points of the shells.

Serves the plates of [Katili1993].
"""

import numpy as np

from tisserand.numerics import kernel


@kernel
def stiffness_sums(strain, shear, twist, measure, generalized, transverse, drilling, out):
    """Add B'C B to ``out`` (m, s, s), for strains (m, g, 6, s), transverse shear (m, g, 2, n) and drilling (m, k, n).

    n <= s; measure (m, g) area, generalized (m, p, 6, 6), transverse (m, p, 2, 2) with p = g or 1, drilling (m,) N m per
    corner. As many corners k as points g. Only i <= j is summed, then mirrored.
    """
    m, points, rows, size = strain.shape
    n = twist.shape[2]
    weighted = np.empty((rows + 3, size))
    both = np.zeros((rows + 3, size))
    for e in range(m):
        for g in range(points):
            area = measure[e, g]
            here = g if generalized.shape[1] > 1 else 0
            for a in range(rows):
                for j in range(size):
                    both[a, j] = strain[e, g, a, j]
                    total = 0.0
                    for b in range(rows):
                        total += generalized[e, here, a, b] * strain[e, g, b, j]
                    weighted[a, j] = area * total
            for j in range(n):
                x, y = shear[e, g, 0, j], shear[e, g, 1, j]
                both[rows, j], both[rows + 1, j], both[rows + 2, j] = x, y, twist[e, g, j]
                weighted[rows, j] = area * (transverse[e, here, 0, 0] * x + transverse[e, here, 0, 1] * y)
                weighted[rows + 1, j] = area * (transverse[e, here, 1, 0] * x + transverse[e, here, 1, 1] * y)
                weighted[rows + 2, j] = drilling[e] * twist[e, g, j]
            for j in range(n, size):
                for a in range(rows, rows + 3):
                    both[a, j] = 0.0
                    weighted[a, j] = 0.0
            for i in range(size):
                for a in range(rows + 3):
                    value = both[a, i]
                    if value != 0.0:  # most are: membrane, bending, shear and drilling move different dofs
                        for j in range(i, size):
                            out[e, i, j] += value * weighted[a, j]
        for i in range(size):
            for j in range(i):
                out[e, i, j] = out[e, j, i]


@kernel
def add_field_mass(left, weights, right, out):
    """Add left' weights right to ``out`` (m, n, n): left, right (m, f, n) for f functions, weights (m, f, f)."""
    m, f, n = left.shape
    product = np.empty((f, n))
    for e in range(m):
        for i in range(f):
            for j in range(n):
                product[i, j] = 0.0
            for k in range(f):
                value = weights[e, i, k]
                for j in range(n):
                    product[i, j] += value * right[e, k, j]
        for k in range(f):
            for i in range(n):
                value = left[e, k, i]
                if value != 0.0:
                    for j in range(n):
                        out[e, i, j] += value * product[k, j]
