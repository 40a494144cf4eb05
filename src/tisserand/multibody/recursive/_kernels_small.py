# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Vectors as tuples of three, 3 x 3 matrices, turns, and the Cholesky solver.

All functions take real and complex numbers: an infinitesimal imaginary part carries a derivative, and real parts decide branches.

Rotations of S1 Eq 50.
"""

from __future__ import annotations

import math

from tisserand.multibody.recursive.helper import helper, shared_helper


@helper
def vector(a):
    """The first three numbers of an array."""
    return a[0], a[1], a[2]


@helper
def angular(a):
    """The rotational part of a six-vector."""
    return a[3], a[4], a[5]


@helper
def put(a, v):
    """a[:3] = v."""
    a[0], a[1], a[2] = v


@helper
def put_both(a, v, w):
    """A six-vector from its translational and rotational parts."""
    a[0], a[1], a[2] = v
    a[3], a[4], a[5] = w


@helper
def increase(a, v):
    """a[:3] += v."""
    a[0] += v[0]
    a[1] += v[1]
    a[2] += v[2]


@helper
def increase_both(a, v, w):
    """Add to both parts of a six-vector."""
    a[0] += v[0]
    a[1] += v[1]
    a[2] += v[2]
    a[3] += w[0]
    a[4] += w[1]
    a[5] += w[2]


@helper
def add(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@helper
def sub(a, b):
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@helper
def scaled(s, a):
    """s a."""
    return s * a[0], s * a[1], s * a[2]


@helper
def plus(a, s, b):
    """a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@helper
def dot(a, b):
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@helper
def cross(a, b):
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@helper
def times(A, v):
    """A v."""
    return (
        A[0, 0] * v[0] + A[0, 1] * v[1] + A[0, 2] * v[2],
        A[1, 0] * v[0] + A[1, 1] * v[1] + A[1, 2] * v[2],
        A[2, 0] * v[0] + A[2, 1] * v[1] + A[2, 2] * v[2],
    )


@helper
def transposed_times(A, v):
    """A' v."""
    return (
        A[0, 0] * v[0] + A[1, 0] * v[1] + A[2, 0] * v[2],
        A[0, 1] * v[0] + A[1, 1] * v[1] + A[2, 1] * v[2],
        A[0, 2] * v[0] + A[1, 2] * v[1] + A[2, 2] * v[2],
    )


@helper
def symmetric_times(a, v):
    """A v of a symmetric matrix given as xx, yy, zz, xy, yz, zx."""
    return (
        a[0] * v[0] + a[3] * v[1] + a[5] * v[2],
        a[3] * v[0] + a[1] * v[1] + a[4] * v[2],
        a[5] * v[0] + a[4] * v[1] + a[2] * v[2],
    )


@shared_helper
def product(A, B, C):
    """C = A B; C must be another place."""
    for i in range(3):
        for j in range(3):
            C[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]


@shared_helper
def product_transposed(A, B, C):
    """C = A B'; C must be another place."""
    for i in range(3):
        for j in range(3):
            C[i, j] = A[i, 0] * B[j, 0] + A[i, 1] * B[j, 1] + A[i, 2] * B[j, 2]


@shared_helper
def from_quaternion(q, o, C):
    """Rotation matrix of the quaternion at q[o], scalar first; any length (the drift of the norm does not shear)."""
    s, x, y, z = q[o], q[o + 1], q[o + 2], q[o + 3]
    f = 2.0 / (s * s + x * x + y * y + z * z)
    C[0, 0], C[0, 1], C[0, 2] = 1.0 - f * (y * y + z * z), f * (x * y - s * z), f * (x * z + s * y)
    C[1, 0], C[1, 1], C[1, 2] = f * (x * y + s * z), 1.0 - f * (x * x + z * z), f * (y * z - s * x)
    C[2, 0], C[2, 1], C[2, 2] = f * (x * z - s * y), f * (y * z + s * x), 1.0 - f * (x * x + y * y)


@helper
def quaternion_rate(q, o, w, dq):
    """q' = q (0, w)/2 at q[o] with w in turned (body) axes, and a pull back to unit length (drift control)."""
    s, x, y, z = q[o], q[o + 1], q[o + 2], q[o + 3]
    a, b, c = w
    pull = 0.5 * (1.0 - (s * s + x * x + y * y + z * z))
    dq[o] = 0.5 * (-x * a - y * b - z * c) + pull * s
    dq[o + 1] = 0.5 * (s * a + y * c - z * b) + pull * x
    dq[o + 2] = 0.5 * (s * b + z * a - x * c) + pull * y
    dq[o + 3] = 0.5 * (s * c + x * b - y * a) + pull * z


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


@shared_helper
def axis_turn(axis, angle, C):
    """C = 1 cos + g~ sin + g g' (1 - cos): child to parent, the transpose of theory Eq. (50)."""
    x, y, z = axis[0], axis[1], axis[2]
    c, s = cosine_sine(angle)
    d = 1.0 - c
    C[0, 0], C[0, 1], C[0, 2] = c + x * x * d, x * y * d - z * s, x * z * d + y * s
    C[1, 0], C[1, 1], C[1, 2] = x * y * d + z * s, c + y * y * d, y * z * d - x * s
    C[2, 0], C[2, 1], C[2, 2] = x * z * d - y * s, y * z * d + x * s, c + z * z * d


@shared_helper
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


@helper
def left_jacobian(b, c1, c2, v):
    """Jl(b) v = v + c1 b x v + c2 b x (b x v): rate of the turn exp(b~) for b' = v."""
    x = cross(b, v)
    return plus(plus(v, c1, x), c2, cross(b, x))


@helper
def turn_bias(b, d, a, c1, c2, d1, d2):
    """Rate of Jl(b) b' for b' = d, b'' = a: theory section 8.1."""
    x = cross(b, d)
    bd = dot(b, d)
    out = left_jacobian(b, c1, c2, a)
    out = plus(plus(out, bd * d1, x), bd * d2, cross(b, x))
    return plus(out, c2, cross(d, x))


@shared_helper
def turn_matrix(b, c1, c2, C):
    """C = exp(b~) = 1 + (sin b / b) b~ + c1 b~b~, with sin b / b = 1 - c2 b^2."""
    x, y, z = b
    s = 1.0 - c2 * (x * x + y * y + z * z)
    C[0, 0], C[0, 1], C[0, 2] = 1.0 - c1 * (y * y + z * z), c1 * x * y - s * z, c1 * x * z + s * y
    C[1, 0], C[1, 1], C[1, 2] = c1 * x * y + s * z, 1.0 - c1 * (x * x + z * z), c1 * y * z - s * x
    C[2, 0], C[2, 1], C[2, 2] = c1 * x * z - s * y, c1 * y * z + s * x, 1.0 - c1 * (x * x + y * y)


@shared_helper
def solve_spd(A, B):
    """Cholesky A = U'U in place (upper), then B = A^-1 B; status.

    Only the upper triangle is read. Each row collects the contributions of the rows above, four at a time, through
    views: indices that
    start at zero need no wrap-around, so the inner loops become vector code.
    """
    n, m = B.shape
    for i in range(n):
        row, right = A[i, i:], B[i]
        k = 0
        while k + 3 < i:
            s0, s1, s2, s3 = A[k, i:], A[k + 1, i:], A[k + 2, i:], A[k + 3, i:]
            f0, f1, f2, f3 = s0[0], s1[0], s2[0], s3[0]
            for c in range(n - i):
                row[c] -= f0 * s0[c] + f1 * s1[c] + (f2 * s2[c] + f3 * s3[c])
            s0, s1, s2, s3 = B[k], B[k + 1], B[k + 2], B[k + 3]
            for c in range(m):
                right[c] -= f0 * s0[c] + f1 * s1[c] + (f2 * s2[c] + f3 * s3[c])
            k += 4
        while k < i:
            s0, s1 = A[k, i:], B[k]
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
        right = B[i]
        k = i + 1
        while k + 3 < n:
            s0, s1, s2, s3 = B[k], B[k + 1], B[k + 2], B[k + 3]
            f0, f1, f2, f3 = A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]
            for c in range(m):
                right[c] -= f0 * s0[c] + f1 * s1[c] + (f2 * s2[c] + f3 * s3[c])
            k += 4
        while k < n:
            f0, s0 = A[i, k], B[k]
            for c in range(m):
                right[c] -= f0 * s0[c]
            k += 1
        f = 1.0 / A[i, i]
        for c in range(m):
            right[c] *= f
    return 0
