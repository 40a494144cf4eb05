# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Symmetric systems whose rows may depend on each other: factor with rank, and the solution of least norm.

Serves theory section 11.
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_small import root, solve_spd
from tisserand.multibody.recursive.helper import helper
from tisserand.multibody.recursive.table_views import table

#: Rows that depend on others leave less than this part of the largest pivot.
REDUNDANT = 1e-12


@helper
def factored(A, order, m):
    """Pivoted Cholesky A = P L L' P' in place (lower), order of the rows in ``order``; rank."""
    top = 0.0
    for i in range(m):
        order[i] = float(i)
    for k in range(m):
        p = k
        for i in range(k + 1, m):
            if A[i, i].real > A[p, p].real:
                p = i
        top = max(top, A[p, p].real)
        if not A[p, p].real > REDUNDANT * top:
            return k
        if p != k:
            order[k], order[p] = order[p], order[k]
            for j in range(m):
                A[k, j], A[p, j] = A[p, j], A[k, j]
            for i in range(m):
                A[i, k], A[i, p] = A[i, p], A[i, k]
        pivot = root(A[k, k])
        A[k, k] = pivot
        for i in range(k + 1, m):
            A[i, k] = A[i, k] / pivot
        for i in range(k + 1, m):
            for j in range(k + 1, i + 1):
                A[i, j] -= A[i, k] * A[j, k]
                A[j, i] = A[i, j]
    return m


@helper
def solved(L, order, rank, G, right, x, z, m):
    """x = A^-1 right from the factor, of least norm where rows are redundant: P L (L'L)^-2 L' P' right."""
    for i in range(m):
        z[i] = right[int(order[i].real)]
    if rank == m:
        for i in range(m):
            for j in range(i):
                z[i] -= L[i, j] * z[j]
            z[i] = z[i] / L[i, i]
        for i in range(m - 1, -1, -1):
            for j in range(i + 1, m):
                z[i] -= L[j, i] * z[j]
            z[i] = z[i] / L[i, i]
        for i in range(m):
            x[int(order[i].real)] = z[i]
        return
    for i in range(m):
        x[i] = 0.0
    for j in range(rank):
        for i in range(j, m):
            x[j] += L[i, j] * z[i]
    square = table(G, 0, rank, rank)
    for _ in range(2):
        for i in range(rank):
            for j in range(rank):
                square[i, j] = 0.0
                for k in range(max(i, j), m):
                    square[i, j] += L[k, i] * L[k, j]
        solve_spd(square, table(x, 0, rank, 1))
    for i in range(m):
        z[i] = 0.0
        for j in range(min(i + 1, rank)):
            z[i] += L[i, j] * x[j]
    for i in range(m):
        x[int(order[i].real)] = z[i]
