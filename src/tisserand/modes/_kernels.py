"""Compiled residuals of eigenpairs with twice the digits.

Exact products of halves: [Dekker1971].
"""

from __future__ import annotations

from tisserand.numerics import kernel

_SPLIT = 134217729.0  # 2^27 + 1: halves of a double whose products are exact (Dekker)


@kernel
def residuals(indptr, indices, k, m, values, vectors, begin, end, out, high, low):
    """Fill rows ``begin`` to ``end`` of ``out`` (n, p) with K x - value M x of CSR terms k, m.

    Products and sums carry twice the digits of a double. vectors (n, p), by rows; high, low (p,) are scratch. The innermost loop
    runs over the columns, several at a time.
    """
    p = vectors.shape[1]
    for i in range(begin, end):
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
def squared_sums(indptr, indices, k, m, k_scale, m_scale, squares, begin, end, stiff, mass):
    """Add x²' (A / scale)² x² of rows ``begin`` to ``end`` to ``stiff`` and ``mass`` (p,); squares (n, p) are x²."""
    p = squares.shape[1]
    for i in range(begin, end):
        for at in range(indptr[i], indptr[i + 1]):
            row = indices[at]
            a, b = k[at] / k_scale, m[at] / m_scale
            a, b = a * a, b * b
            for c in range(p):
                pair = squares[i, c] * squares[row, c]
                stiff[c] += a * pair
                mass[c] += b * pair


@kernel
def rigid_parts(indptr, indices, k, parts, shapes, forces, met, out):
    """Add P'K P to ``out`` (6 t, 6 t), P the six shapes (n, 6) of t parts that move alone; parts (n,).

    A part feels no force inside when it is rigid, so only rows that reach into another part count. forces (t, 6), zero, and
    met (t,) are scratch.
    """
    for i in range(parts.shape[0]):
        crossing = False
        for at in range(indptr[i], indptr[i + 1]):
            if parts[indices[at]] != parts[i]:
                crossing = True
                break
        if not crossing:
            continue
        count = 0
        for at in range(indptr[i], indptr[i + 1]):
            j = indices[at]
            q = parts[j]
            known = False
            for s in range(count):
                if met[s] == q:
                    known = True
                    break
            if not known:
                met[count] = q
                count += 1
            for c in range(6):
                forces[q, c] += k[at] * shapes[j, c]
        for s in range(count):
            q = met[s]
            for a in range(6):
                for c in range(6):
                    out[6 * parts[i] + a, 6 * q + c] += shapes[i, a] * forces[q, c]
            for c in range(6):
                forces[q, c] = 0.0


@kernel
def crossing_rows(indptr, indices, parts, crossing):
    """Mark (n,) the rows of a CSR pattern that reach into another part; parts (n,)."""
    for i in range(parts.shape[0]):
        for at in range(indptr[i], indptr[i + 1]):
            if parts[indices[at]] != parts[i]:
                crossing[i] = True
                break
