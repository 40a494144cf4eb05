"""Compiled parts of the statics: colors of nodes."""

import numpy as np

from tisserand.numerics import kernel


@kernel
def color_nodes(start, neighbors, colors):
    """Fill ``colors`` (n,) so that neighbors (CSR: start (n + 1,), neighbors) differ; return how many there are."""
    n = start.shape[0] - 1
    taken = np.full(n + 1, -1, np.int64)
    count = 0
    for i in range(n):
        for j in range(start[i], start[i + 1]):
            other = neighbors[j]
            if other < i:
                taken[colors[other]] = i
        color = 0
        while taken[color] == i:
            color += 1
        colors[i] = color
        if color + 1 > count:
            count = color + 1
    return count
