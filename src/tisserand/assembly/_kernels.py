"""Compiled parts of the assembly: the node graph, its dof pattern, and the scatter of element matrices into CSR."""

import numpy as np

from tisserand.numerics import kernel


@kernel
def incidence(cell_start, cell_nodes, first, cells):
    """Cells at every node: fill ``first`` (n + 1,) and ``cells`` (len(cell_nodes),); ground (-1) is skipped."""
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
def neighbor_counts(cell_start, cell_nodes, first, cells, seen, counts):
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
def neighbors(cell_start, cell_nodes, first, cells, seen, edge_end, edges):
    """Sorted neighbors of every node: rows visited in order append themselves to their (symmetric) neighbors.

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
    """CSR pattern over dofs. ``edge_column``: place of each neighbor's first dof within the rows of a node."""
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
def locate(nodes, edge_start, edges, places):
    """Fill ``places`` (m, k, k) with the edge from node a to node b of every element; -1 at ground."""
    count = nodes.shape[1]
    for e in range(nodes.shape[0]):
        for a in range(count):
            i = nodes[e, a]
            for b in range(count):
                j = nodes[e, b]
                places[e, a, b] = -1
                if i >= 0 and j >= 0:
                    places[e, a, b] = find(edges, edge_start[i], edge_start[i + 1], j)


@kernel
def scatter_scalars(places, values, edge_data):
    """Add one value per pair of nodes (m, k, k) to the edges of the node graph."""
    for e in range(places.shape[0]):
        for a in range(places.shape[1]):
            for b in range(places.shape[2]):
                edge_data[places[e, a, b]] += values[e, a, b]


@kernel
def spread(edge_start, edges, edge_data, node_first, indptr, indices, data):
    """CSR of edge values repeated on the three translations of each node; zero edges are left out."""
    for i in range(edge_start.shape[0] - 1):
        filled = 0
        for e in range(edge_start[i], edge_start[i + 1]):
            if edge_data[e] != 0.0:
                filled += 1
        if filled == 0:
            continue
        first = node_first[i]
        for c in range(3):
            indptr[first + c + 1] = filled
    for row in range(indptr.shape[0] - 1):
        indptr[row + 1] += indptr[row]
    one, two = np.uint64(1), np.uint64(2)  # unsigned places spare the test for negative indices
    for i in range(edge_start.shape[0] - 1):
        if edge_start[i] == edge_start[i + 1]:
            continue
        first = np.uint64(node_first[i])
        place = np.uint64(indptr[first])
        width = np.uint64(indptr[first + one]) - place
        for e in range(np.uint64(edge_start[i]), np.uint64(edge_start[i + 1])):
            value = edge_data[e]
            if value != 0.0:
                column = node_first[np.uint64(edges[e])]
                indices[place], indices[place + width], indices[place + two * width] = column, column + 1, column + 2
                data[place], data[place + width], data[place + two * width] = value, value, value
                place += one


@kernel
def scatter(nodes, places, edge_column, width, matrices, node_first, indptr, data):
    """Add element matrices (m, k * width, k * width) over the first ``width`` dofs of each node.

    Unsigned places spare the test for negative indices, and three dofs per node are written out: three times
    faster together.
    """
    count, size = np.uint64(nodes.shape[1]), np.uint64(width)
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    for e in range(np.uint64(nodes.shape[0])):
        for a in range(count):
            if nodes[e, a] < 0:
                continue
            first = np.uint64(node_first[nodes[e, a]])
            if size == three:
                row_0, row_1 = np.uint64(indptr[first]), np.uint64(indptr[first + one])
                row_2 = np.uint64(indptr[first + two])
                top = three * a
                for b in range(count):
                    if places[e, a, b] < 0:
                        continue
                    place, left = np.uint64(edge_column[places[e, a, b]]), three * b
                    for q in range(three):
                        data[row_0 + place + q] += matrices[e, top, left + q]
                        data[row_1 + place + q] += matrices[e, top + one, left + q]
                        data[row_2 + place + q] += matrices[e, top + two, left + q]
                continue
            for b in range(count):
                if places[e, a, b] < 0:
                    continue
                place, left = np.uint64(edge_column[places[e, a, b]]), size * b
                for p in range(size):
                    start = np.uint64(indptr[first + p]) + place
                    for q in range(size):
                        data[start + q] += matrices[e, size * a + p, left + q]


@kernel
def scatter_terms(rows, columns, values, indptr, indices, data):
    """Add single terms at (row, column) dofs; rows or columns below zero are ground."""
    for t in range(rows.shape[0]):
        if rows[t] >= 0 and columns[t] >= 0:
            place = find(indices, indptr[rows[t]], indptr[rows[t] + 1], columns[t])
            data[place] += values[t]


@kernel
def compress(indptr, indices, data, short_indptr, short_indices, short_data):
    """Copy the terms that are not zero; ``short_indptr`` is filled, the others hold exactly their number."""
    place = 0
    for row in range(indptr.shape[0] - 1):
        for t in range(indptr[row], indptr[row + 1]):
            if data[t] != 0.0:
                short_indices[place] = indices[t]
                short_data[place] = data[t]
                place += 1
        short_indptr[row + 1] = place


@kernel
def node_blocks(node, component, indptr, indices, data, blocks):
    """Fill ``blocks`` (n, 2, 3, 3) with the terms between translations, and between rotations, of each node."""
    for row in range(node.shape[0]):
        own, group = node[row], component[row] // 3
        for t in range(indptr[row], indptr[row + 1]):
            column = indices[t]
            if node[column] == own and component[column] // 3 == group:
                blocks[own, group, component[row] % 3, component[column] % 3] = data[t]


@kernel
def row_sizes(indptr, data, sizes):
    """Largest absolute value of every row."""
    for row in range(sizes.shape[0]):
        largest = 0.0
        for t in range(indptr[row], indptr[row + 1]):
            largest = max(largest, abs(data[t]))
        sizes[row] = largest


@kernel
def row_maxima(indptr, indices, values, maxima):
    """Largest of the values at the columns of every row."""
    for row in range(maxima.shape[0]):
        largest = 0.0
        for t in range(indptr[row], indptr[row + 1]):
            largest = max(largest, values[indices[t]])
        maxima[row] = largest
