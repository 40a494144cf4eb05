"""Compiled residuals of eigenpairs with twice the digits.

Exact products of halves: [Dekker1971].
"""

from __future__ import annotations

from tisserand.numerics import kernel

_SPLIT = 134217729.0  # 2^27 + 1: halves of a double whose products are exact (Dekker)


@kernel
def residuals(indptr, indices, k, m, values, vectors, out):
    """Fill ``out`` (n, p) with K x - value M x of CSR terms k, m; products and sums carry twice the digits of a double."""
    n, p = vectors.shape
    for i in range(n):
        for c in range(p):
            value = values[c]
            high, low = 0.0, 0.0
            for at in range(indptr[i], indptr[i + 1]):
                x = vectors[indices[at], c]
                # the term k - value m as a pair of doubles
                a = _SPLIT * value
                a_top = a - (a - value)
                a_rest = value - a_top
                b = _SPLIT * m[at]
                b_top = b - (b - m[at])
                b_rest = m[at] - b_top
                shifted = value * m[at]
                spare = a_rest * b_rest - (((shifted - a_top * b_top) - a_rest * b_top) - a_top * b_rest)
                term = k[at] - shifted
                back = term - k[at]
                rest = (k[at] - (term - back)) - (shifted + back) - spare
                # times x
                a = _SPLIT * term
                a_top = a - (a - term)
                a_rest = term - a_top
                b = _SPLIT * x
                b_top = b - (b - x)
                b_rest = x - b_top
                product = term * x
                tail = a_rest * b_rest - (((product - a_top * b_top) - a_rest * b_top) - a_top * b_rest) + rest * x
                # added
                total = high + product
                back = total - high
                low += (high - (total - back)) + (product - back) + tail
                high = total
            out[i, c] = high + low


@kernel
def crossing_rows(indptr, indices, parts, crossing):
    """Mark (n,) the rows of a CSR pattern that reach into another part; parts (n,)."""
    for i in range(parts.shape[0]):
        for at in range(indptr[i], indptr[i + 1]):
            if parts[indices[at]] != parts[i]:
                crossing[i] = True
                break
