"""Compiled parts of the assembly: the node graph, its dof pattern, and the scatter of element matrices into
CSR.
"""

from tisserand.numerics import kernel


@kernel
def incidence(cell_start, cell_nodes, first, cells):
    """Cells at every node: fill ``first`` (n + 1,) and ``cells`` (len(cell_nodes),); ground (-1) is
    skipped.
    """
    n = first.shape[0] - 1
    for i in range(cell_nodes.shape[0]):
        if cell_nodes[i] >= 0:
            first[cell_nodes[i] + 1] += 1
    for i in range(n):
        first[i + 1] += first[i]
    for c in range(cell_start.shape[0] - 1):
        for i in range(cell_start[c], cell_start[c + 1]):
            node = cell_nodes[i]
            if node >= 0:
                cells[first[node]] = c
                first[node] += 1
    for i in range(n, 0, -1):
        first[i] = first[i - 1]
    first[0] = 0


@kernel
def neighbour_counts(cell_start, cell_nodes, first, cells, seen, counts):
    """Number of nodes (itself included) that share a cell with each node; ``seen`` (n,) starts at -1."""
    for i in range(first.shape[0] - 1):
        total = 0
        for p in range(first[i], first[i + 1]):
            c = cells[p]
            for q in range(cell_start[c], cell_start[c + 1]):
                j = cell_nodes[q]
                if j >= 0 and seen[j] != i:
                    seen[j] = i
                    total += 1
        counts[i] = total


@kernel
def neighbours(cell_start, cell_nodes, first, cells, seen, edge_end, edges):
    """Sorted neighbours of every node: rows visited in order append themselves to their (symmetric)
    neighbours.

    ``edge_end`` (n,) starts as the first slot of every node and ends one past its last; ``seen`` (n,) starts
    at -1.
    """
    for i in range(first.shape[0] - 1):
        for p in range(first[i], first[i + 1]):
            c = cells[p]
            for q in range(cell_start[c], cell_start[c + 1]):
                j = cell_nodes[q]
                if j >= 0 and seen[j] != i:
                    seen[j] = i
                    edges[edge_end[j]] = i
                    edge_end[j] += 1


@kernel
def dof_pattern(edge_start, edges, node_first, node_size, edge_column, indptr, indices):
    """CSR pattern over dofs. ``edge_column``: place of each neighbour's first dof within the rows of a
    node.
    """
    for i in range(node_size.shape[0]):
        if node_size[i] == 0:
            continue
        row = node_first[i]
        start = indptr[row]
        column = 0
        for e in range(edge_start[i], edge_start[i + 1]):
            edge_column[e] = column
            j = edges[e]
            for s in range(node_size[j]):
                indices[start + column] = node_first[j] + s
                column += 1
        for r in range(1, node_size[i]):
            for c in range(column):
                indices[start + r * column + c] = indices[start + c]


@kernel
def find(edges, low, high, wanted):
    """Place of ``wanted`` in the sorted ``edges[low:high]``; it must be there."""
    while low < high:
        middle = (low + high) // 2
        if edges[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def scatter(nodes, components, matrices, dof, edge_start, edges, edge_column, node_first, indptr, data):
    """Add element matrices (m, nd, nd), nd = k * len(components), to the CSR data."""
    count, width = nodes.shape[1], components.shape[0]
    for e in range(nodes.shape[0]):
        for a in range(count):
            i = nodes[e, a]
            if i < 0:
                continue
            for b in range(count):
                j = nodes[e, b]
                if j < 0:
                    continue
                column = edge_column[find(edges, edge_start[i], edge_start[i + 1], j)] - node_first[j]
                for p in range(width):
                    row = indptr[dof[i, components[p]]] + column
                    for q in range(width):
                        data[row + dof[j, components[q]]] += matrices[e, a * width + p, b * width + q]


@kernel
def scatter_terms(rows, columns, values, indptr, indices, data):
    """Add single terms at (row, column) dofs; rows or columns below zero are ground."""
    for t in range(rows.shape[0]):
        if rows[t] >= 0 and columns[t] >= 0:
            place = find(indices, indptr[rows[t]], indptr[rows[t] + 1], columns[t])
            data[place] += values[t]
