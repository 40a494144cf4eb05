"""Compiled residuals of eigenpairs with twice the digits.

Exact products of halves: [Dekker1971].
"""

from __future__ import annotations

from tisserand.numerics import kernel

_SPLIT = 134217729.0  # 2^27 + 1: halves of a double whose products are exact (Dekker)


@kernel
def residuals(indptr, indices, k, m, values, vectors, out, high, low):
    """Fill ``out`` (n, p) with K x - value M x of CSR terms k, m; products and sums carry twice the digits of a double.

    vectors (n, p), by rows; high, low (p,) are scratch. The innermost loop runs over the columns, several at a time.
    """
    n, p = vectors.shape
    for i in range(n):
        for c in range(p):
            high[c] = 0.0
            low[c] = 0.0
        for at in range(indptr[i], indptr[i + 1]):
            row = indices[at]
            stiff, mass = k[at], m[at]
            b = _SPLIT * mass
            b_top = b - (b - mass)
            b_rest = mass - b_top
            for c in range(p):
                value, x = values[c], vectors[row, c]
                # the term k - value m as a pair of doubles
                a = _SPLIT * value
                a_top = a - (a - value)
                a_rest = value - a_top
                shifted = value * mass
                spare = a_rest * b_rest - (((shifted - a_top * b_top) - a_rest * b_top) - a_top * b_rest)
                term = stiff - shifted
                back = term - stiff
                rest = (stiff - (term - back)) - (shifted + back) - spare
                # times x
                a = _SPLIT * term
                a_top = a - (a - term)
                a_rest = term - a_top
                d = _SPLIT * x
                d_top = d - (d - x)
                d_rest = x - d_top
                product = term * x
                tail = a_rest * d_rest - (((product - a_top * d_top) - a_rest * d_top) - a_top * d_rest) + rest * x
                # added
                total = high[c] + product
                back = total - high[c]
                low[c] += (high[c] - (total - back)) + (product - back) + tail
                high[c] = total
        for c in range(p):
            out[i, c] = high[c] + low[c]


@kernel
def crossing_rows(indptr, indices, parts, crossing):
    """Mark (n,) the rows of a CSR pattern that reach into another part; parts (n,)."""
    for i in range(parts.shape[0]):
        for at in range(indptr[i], indptr[i + 1]):
            if parts[indices[at]] != parts[i]:
                crossing[i] = True
                break
