# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Contraction of stored matrices with modal coordinates: the O(n²) part of a flexible body's right-hand side.

Serves theory section 8.2.
"""

from __future__ import annotations

from tisserand.multibody.recursive.helper import shared_helper


@shared_helper
def contract(F, o, n, blocks, first, last, y, e, out, p):
    """out[first n : last n] = sum_k y[e + k] F[o + k width ...]; rows of F hold ``blocks`` of n.

    Four rows at a time through views: indices that start at zero need no wrap-around, so the loop becomes vector code.
    """
    width, start = blocks * n, first * n
    size = last * n - start
    a = out[p + start : p + start + size]
    for i in range(size):
        a[i] = 0.0
    k = 0
    while k + 3 < n:
        row = o + k * width + start
        A0, A1 = F[row : row + size], F[row + width : row + width + size]
        A2, A3 = F[row + 2 * width : row + 2 * width + size], F[row + 3 * width : row + 3 * width + size]
        f0, f1, f2, f3 = y[e + k], y[e + k + 1], y[e + k + 2], y[e + k + 3]
        for i in range(size):
            a[i] += f0 * A0[i] + f1 * A1[i] + (f2 * A2[i] + f3 * A3[i])
        k += 4
    while k < n:
        row = o + k * width + start
        A0, f0 = F[row : row + size], y[e + k]
        for i in range(size):
            a[i] += f0 * A0[i]
        k += 1
