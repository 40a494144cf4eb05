"""Barycenters: constant vectors of the tree in its own bodies (TR 32-1576, Defs 33-39).

Symbols: M_k substructure mass, M total; o_k nominal mass center; p^{kj} hinge point (k, j) from o_k in {b^k};
L^{kr}, D^{kr}.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, frozen
from tisserand.multibody.likins.network import Network


@dataclass(frozen=True, eq=False)
class Barycenters:
    """masses (n + 1,) kg; total kg; L, D (n + 1, n + 1, 3) m, row k in {b^k}; K (n + 1, 3, 3) kg m².

    L^{kr} = p^{k N_kr}, L^{kk} = 0 (Def 33); D^{kk} = - sum_j L^{kj} M_j / M, D^{kj} = D^{kk} + L^{kj} (Defs
    34, 36); K^k = sum_r M_r (D'D U - D D'), the inertia of the tree's masses concentrated at the hinges of k
    (Def 37).
    """

    masses: FloatArray
    total: float
    L: FloatArray
    D: FloatArray
    K: FloatArray


def barycenters(tree: Network, masses: FloatArray, inboard: FloatArray, outboard: FloatArray) -> Barycenters:
    """Barycentric vectors of a tree.

    masses (n + 1,) kg. Hinge s joins s to its parent: ``inboard`` (n + 1, 3) is p^{s N_s}, from o_s in {b^s};
    ``outboard`` (n + 1, 3) is p^{N_s s}, from the parent's o in the parent's axes. Rows 0 are not used.
    """
    n = tree.bodies
    M = np.asarray(masses, dtype=float)
    total = float(M.sum())
    L = np.zeros((n, n, 3))
    for k in range(n):
        for r in range(n):
            if r != k:
                neighbor = int(tree.toward[k, r])
                L[k, r] = inboard[k] if neighbor == tree.parent[k] else outboard[neighbor]
    D = L - np.einsum("r,kra->ka", M, L)[:, None, :] / total
    square = np.einsum("r,kra,kra->k", M, D, D)
    K = square[:, None, None] * np.eye(3) - np.einsum("r,kra,krb->kab", M, D, D)
    return Barycenters(frozen(M), total, frozen(L), frozen(D), frozen(K))
