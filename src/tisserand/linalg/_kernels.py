"""Compiled merging of two sparse symmetric matrices over a subset of their rows."""

from __future__ import annotations

from tisserand.numerics import kernel


@kernel
def merged_counts(place, upper, a_ptr, a_col, b_ptr, b_col, counts):
    """Entries per kept row of the union of two sorted CSR patterns; ``place`` is the new number or -1."""
    for i in range(place.shape[0]):
        row = place[i]
        if row < 0:
            continue
        p, p_end, q, q_end = a_ptr[i], a_ptr[i + 1], b_ptr[i], b_ptr[i + 1]
        total = 0
        while p < p_end or q < q_end:
            col_a = a_col[p] if p < p_end else place.shape[0]
            col_b = b_col[q] if q < q_end else place.shape[0]
            col = min(col_a, col_b)
            if col_a == col:
                p += 1
            if col_b == col:
                q += 1
            new = place[col]
            if new >= 0 and (not upper or new >= row):
                total += 1
        counts[row] = total


@kernel
def merged_fill(place, upper, a_ptr, a_col, a_val, b_ptr, b_col, b_val, ptr, col_out, a_out, b_out):
    """Fill the columns and both values of the union; absent entries are zero."""
    for i in range(place.shape[0]):
        row = place[i]
        if row < 0:
            continue
        p, p_end, q, q_end = a_ptr[i], a_ptr[i + 1], b_ptr[i], b_ptr[i + 1]
        at = ptr[row]
        while p < p_end or q < q_end:
            col_a = a_col[p] if p < p_end else place.shape[0]
            col_b = b_col[q] if q < q_end else place.shape[0]
            col = min(col_a, col_b)
            value_a, value_b = 0.0, 0.0
            if col_a == col:
                value_a = a_val[p]
                p += 1
            if col_b == col:
                value_b = b_val[q]
                q += 1
            new = place[col]
            if new >= 0 and (not upper or new >= row):
                col_out[at] = new
                a_out[at] = value_a
                b_out[at] = value_b
                at += 1
