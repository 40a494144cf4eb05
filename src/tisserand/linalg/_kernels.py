"""Compiled merging of two sparse symmetric matrices over a subset of their rows."""

from __future__ import annotations

from tisserand.numerics import kernel


@kernel
def merged_counts(place, a_ptr, a_col, b_ptr, b_col, begin, end, counts):
    """Entries of rows ``begin`` to ``end`` in the union of two sorted CSR patterns; ``place`` is the new number or -1."""
    for i in range(begin, end):
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
            if new >= 0:
                total += 1
        counts[row] = total


@kernel
def merged_fill(place, a_ptr, a_col, a_val, b_ptr, b_col, b_val, ptr, begin, end, col_out, a_out, b_out):
    """Fill the columns and both values of the union for rows ``begin`` to ``end``; absent entries are zero."""
    for i in range(begin, end):
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
            if new >= 0:
                col_out[at] = new
                a_out[at] = value_a
                b_out[at] = value_b
                at += 1


@kernel
def group_neighbors(indptr, indices, member, first, dofs, fill, seen, start, edges):
    """Groups of dofs joined by the pattern: counts into ``start[g + 1]``, or with ``fill`` their numbers into ``edges``.

    first (g + 1,) and dofs (m,): the dofs of every group; seen (g,) starts at -1.
    """
    for g in range(first.shape[0] - 1):
        total = 0
        for d in range(first[g], first[g + 1]):
            row = dofs[d]
            for k in range(indptr[row], indptr[row + 1]):
                h = member[indices[k]]
                if h != g and seen[h] != g:
                    seen[h] = g
                    if fill:
                        edges[start[g] + total] = h
                    total += 1
        if not fill:
            start[g + 1] = total


@kernel
def graph_distances(start, edges, source, queue, out):
    """Edges from ``source`` to every node of a graph into ``out`` (n,), which starts at -1; queue (n,) is scratch."""
    queue[0] = source
    out[source] = 0
    head, tail = 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        for k in range(start[node], start[node + 1]):
            other = edges[k]
            if out[other] < 0:
                out[other] = out[node] + 1
                queue[tail] = other
                tail += 1


@kernel
def scatter_front(begin, end, order, place, indptr, indices, data, scale, border, local, pivots, below):
    """Terms of the scaled matrix in the pivot columns of a front, lower triangle: ``pivots`` (p, p), ``below`` (b, p).

    order, place: new to old and old to new numbers; border (b,): new numbers of the rows below; local (m,) is scratch.
    """
    for b in range(border.shape[0]):
        local[border[b]] = b
    for p in range(begin, end):
        row = order[p]
        for k in range(indptr[row], indptr[row + 1]):
            q = place[indices[k]]
            if q >= p:
                value = data[k] * scale[row] * scale[indices[k]]
                if q < end:
                    pivots[q - begin, p - begin] = value
                else:
                    below[local[q], p - begin] = value


@kernel
def extend_front(update, where, pivots, below, corner):
    """Add the lower triangle of a child's ``update`` to a front; where (b,): its places there, ascending."""
    count = pivots.shape[0]
    for j in range(where.shape[0]):
        column = where[j]
        for i in range(j, where.shape[0]):
            row = where[i]
            if column >= count:
                corner[row - count, column - count] += update[i, j]
            elif row >= count:
                below[row - count, column] += update[i, j]
            else:
                pivots[row, column] += update[i, j]


@kernel
def csr_product(indptr, indices, data, block, begin, end, out):
    """Rows ``begin`` to ``end`` of a CSR matrix times ``block`` (n, p) into ``out`` (m, p), both stored by rows."""
    for i in range(begin, end):
        for c in range(block.shape[1]):
            out[i, c] = 0.0
        for at in range(indptr[i], indptr[i + 1]):
            row, value = indices[at], data[at]
            for c in range(block.shape[1]):
                out[i, c] += value * block[row, c]


@kernel
def without_zeros(indptr, values, start):
    """Terms that are not zero in the rows of a CSR matrix, summed up into ``start`` (n + 1,)."""
    start[0] = 0
    for i in range(indptr.shape[0] - 1):
        count = 0
        for at in range(indptr[i], indptr[i + 1]):
            if values[at] != 0.0:
                count += 1
        start[i + 1] = start[i] + count


@kernel
def copy_without_zeros(indptr, indices, values, start, columns, kept):
    """The terms that are not zero, with their columns, into ``columns`` and ``kept``."""
    for i in range(indptr.shape[0] - 1):
        to = start[i]
        for at in range(indptr[i], indptr[i + 1]):
            if values[at] != 0.0:
                columns[to] = indices[at]
                kept[to] = values[at]
                to += 1


@kernel
def upper_rows(indptr, indices, start):
    """Terms on and above the diagonal of the rows of a CSR matrix with sorted columns, summed up into ``start`` (n + 1,)."""
    start[0] = 0
    for i in range(indptr.shape[0] - 1):
        count = 0
        for at in range(indptr[i], indptr[i + 1]):
            if indices[at] >= i:
                count += 1
        start[i + 1] = start[i] + count


@kernel
def upper_scaled(indptr, indices, data, scale, start, columns, values):
    """The upper triangle with rows and columns times ``scale``: its columns and values, places as in ``start``."""
    for i in range(indptr.shape[0] - 1):
        to = start[i]
        for at in range(indptr[i], indptr[i + 1]):
            j = indices[at]
            if j >= i:
                columns[to] = j
                values[to] = data[at] * scale[j] * scale[i]
                to += 1
