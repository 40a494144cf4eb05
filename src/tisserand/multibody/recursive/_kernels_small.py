# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Three-vectors and 3 x 3 matrices inside flat arrays: an array and an offset denote a matrix (row major).

All functions take real and complex arrays: an infinitesimal imaginary part carries a derivative, and real parts decide branches.

Rotations of S1 Eq 50.
"""

from __future__ import annotations

import math

from numba import types

from tisserand.multibody.recursive.helper import helper, typed_helper
from tisserand.multibody.recursive.signatures import COMPLEX, FLOATS


@helper
def cross(a, b, c, x, y, z):
    """(a, b, c) x (x, y, z)."""
    return b * z - c * y, c * x - a * z, a * y - b * x


@helper
def times(A, o, x, y, z):
    """A v."""
    return (
        A[o] * x + A[o + 1] * y + A[o + 2] * z,
        A[o + 3] * x + A[o + 4] * y + A[o + 5] * z,
        A[o + 6] * x + A[o + 7] * y + A[o + 8] * z,
    )


@helper
def transposed_times(A, o, x, y, z):
    """A' v."""
    return (
        A[o] * x + A[o + 3] * y + A[o + 6] * z,
        A[o + 1] * x + A[o + 4] * y + A[o + 7] * z,
        A[o + 2] * x + A[o + 5] * y + A[o + 8] * z,
    )


@helper
def product(A, oa, B, ob, C, oc):
    """C = A B; C must be another place."""
    for i in range(3):
        a, b, c = A[oa + 3 * i], A[oa + 3 * i + 1], A[oa + 3 * i + 2]
        for j in range(3):
            C[oc + 3 * i + j] = a * B[ob + j] + b * B[ob + 3 + j] + c * B[ob + 6 + j]


@helper
def product_transposed(A, oa, B, ob, C, oc):
    """C = A B'; C must be another place."""
    for i in range(3):
        a, b, c = A[oa + 3 * i], A[oa + 3 * i + 1], A[oa + 3 * i + 2]
        for j in range(3):
            C[oc + 3 * i + j] = a * B[ob + 3 * j] + b * B[ob + 3 * j + 1] + c * B[ob + 3 * j + 2]


@typed_helper(
    types.void(FLOATS, types.int64, FLOATS, types.int64),
    types.void(FLOATS, types.int64, COMPLEX, types.int64),
    types.void(COMPLEX, types.int64, COMPLEX, types.int64),
)
def from_quaternion(q, o, R, r):
    """Rotation matrix of a quaternion, scalar first; any length (the drift of the norm does not shear)."""
    s, x, y, z = q[o], q[o + 1], q[o + 2], q[o + 3]
    f = 2.0 / (s * s + x * x + y * y + z * z)
    R[r], R[r + 1], R[r + 2] = 1.0 - f * (y * y + z * z), f * (x * y - s * z), f * (x * z + s * y)
    R[r + 3], R[r + 4], R[r + 5] = f * (x * y + s * z), 1.0 - f * (x * x + z * z), f * (y * z - s * x)
    R[r + 6], R[r + 7], R[r + 8] = f * (x * z - s * y), f * (y * z + s * x), 1.0 - f * (x * x + y * y)


@typed_helper(
    types.void(FLOATS, types.int64, types.float64, types.float64, types.float64, FLOATS, types.int64),
    types.void(COMPLEX, types.int64, types.complex128, types.complex128, types.complex128, COMPLEX, types.int64),
)
def quaternion_rate(q, o, a, b, c, dq, d):
    """q' = q (0, w)/2 with w = (a, b, c) in turned (body) axes, and a pull back to unit length (drift control)."""
    s, x, y, z = q[o], q[o + 1], q[o + 2], q[o + 3]
    pull = 0.5 * (1.0 - (s * s + x * x + y * y + z * z))
    dq[d] = 0.5 * (-x * a - y * b - z * c) + pull * s
    dq[d + 1] = 0.5 * (s * a + y * c - z * b) + pull * x
    dq[d + 2] = 0.5 * (s * b + z * a - x * c) + pull * y
    dq[d + 3] = 0.5 * (s * c + x * b - y * a) + pull * z


@helper
def cosine_sine(x):
    """cos x and sin x; an infinitesimal imaginary part of x gives that of both."""
    a = x.real
    c, s = math.cos(a), math.sin(a)
    return c - s * (x - a), s + c * (x - a)


@helper
def root(x):
    """Square root of a number whose real part is positive."""
    r = math.sqrt(x.real)
    return r + (0.5 / r) * (x - x.real)


@helper
def half_turn(n, w):
    """atan2(n, w), n > 0."""
    a, b = n.real, w.real
    return math.atan2(a, b) + (b * (n - a) - a * (w - b)) / (a * a + b * b)


@helper
def axis_turn(g, o, angle, R, r):
    """R = 1 cos + g~ sin + g g' (1 - cos): child to parent, the transpose of theory Eq. (50)."""
    x, y, z = g[o], g[o + 1], g[o + 2]
    c, s = cosine_sine(angle)
    d = 1.0 - c
    R[r], R[r + 1], R[r + 2] = c + x * x * d, x * y * d - z * s, x * z * d + y * s
    R[r + 3], R[r + 4], R[r + 5] = x * y * d + z * s, c + y * y * d, y * z * d - x * s
    R[r + 6], R[r + 7], R[r + 8] = x * z * d - y * s, y * z * d + x * s, c + z * z * d


@helper
def turn_factors(t):
    """c1 = (1 - cos b)/b^2, c2 = (b - sin b)/b^3 and (dc1/db)/b, (dc2/db)/b, for t = b^2."""
    if t.real < 1.0:
        c1, c2, d1, d2 = 0.0, 0.0, 0.0, 0.0
        f = 0.5
        for i in range(9):
            g = f / (2 * i + 3)
            c1 = c1 + f
            c2 = c2 + g
            h = -g / (2 * i + 4)
            d1 += 2.0 * (i + 1) * h
            d2 += 2.0 * (i + 1) * h / (2 * i + 5)
            f = h * t
        return c1, c2, d1, d2
    b = root(t)
    c, s = cosine_sine(b)
    c1 = (1.0 - c) / t
    c2 = (b - s) / (t * b)
    return c1, c2, (s / b - 2.0 * c1) / t, (c1 - 3.0 * c2) / t


@typed_helper(
    types.int64(FLOATS, types.int64, types.int64, FLOATS, types.int64, types.int64),
    types.int64(COMPLEX, types.int64, types.int64, COMPLEX, types.int64, types.int64),
)
def solve_spd(A, o, n, b, p, m):
    """Cholesky A = U'U of the n x n matrix at A[o] in place (upper), then solve for m right sides, rows b[p + i*m]; status.

    Only the upper triangle is read. Each row collects the contributions of the rows above, four at a time, through
    views: indices that
    start at zero need no wrap-around, so the inner loops become vector code.
    """
    for i in range(n):
        d = o + i * n + i
        row, right = A[d : d + n - i], b[p + i * m : p + i * m + m]
        k = 0
        while k + 3 < i:
            r = o + k * n + i
            s0, s1 = A[r : r + n - i], A[r + n : r + 2 * n - i]
            s2, s3 = A[r + 2 * n : r + 3 * n - i], A[r + 3 * n : r + 4 * n - i]
            f0, f1, f2, f3 = s0[0], s1[0], s2[0], s3[0]
            for c in range(n - i):
                row[c] -= f0 * s0[c] + f1 * s1[c] + (f2 * s2[c] + f3 * s3[c])
            r = p + k * m
            s0, s1, s2, s3 = b[r : r + m], b[r + m : r + 2 * m], b[r + 2 * m : r + 3 * m], b[r + 3 * m : r + 4 * m]
            for c in range(m):
                right[c] -= f0 * s0[c] + f1 * s1[c] + (f2 * s2[c] + f3 * s3[c])
            k += 4
        while k < i:
            r = o + k * n + i
            s0, s1 = A[r : r + n - i], b[p + k * m : p + k * m + m]
            f0 = s0[0]
            for c in range(n - i):
                row[c] -= f0 * s0[c]
            for c in range(m):
                right[c] -= f0 * s1[c]
            k += 1
        if not row[0].real > 0.0:
            return 1
        f = 1.0 / root(row[0])
        for c in range(n - i):
            row[c] *= f
        for c in range(m):
            right[c] *= f
    for i in range(n - 1, -1, -1):
        d = o + i * n
        right = b[p + i * m : p + i * m + m]
        k = i + 1
        while k + 3 < n:
            r = p + k * m
            s0, s1, s2, s3 = b[r : r + m], b[r + m : r + 2 * m], b[r + 2 * m : r + 3 * m], b[r + 3 * m : r + 4 * m]
            f0, f1, f2, f3 = A[d + k], A[d + k + 1], A[d + k + 2], A[d + k + 3]
            for c in range(m):
                right[c] -= f0 * s0[c] + f1 * s1[c] + (f2 * s2[c] + f3 * s3[c])
            k += 4
        while k < n:
            f0, s0 = A[d + k], b[p + k * m : p + k * m + m]
            for c in range(m):
                right[c] -= f0 * s0[c]
            k += 1
        f = 1.0 / A[d + i]
        for c in range(m):
            right[c] *= f
    return 0
