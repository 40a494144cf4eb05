"""Topology: path and network elements of a tree of bodies (TR 32-1576, Defs 4, 29, 32, 43, 44).

Body 0 is the reference; every body between 0 and k has a smaller label than k; hinge s (= 1..n) joins body s
to its parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import BoolArray, IntArray, frozen
from tisserand.errors import VehicleError


@dataclass(frozen=True, eq=False)
class Network:
    """Topology of n + 1 bodies.

    parent (n + 1,): N_k, with -1 for body 0. path (n + 1, n + 1): eps_sk, true if hinge s lies on the path
    from body 0 to body k (row 0 is all false: body 0 has no hinge). toward (n + 1, n + 1): N_kr, neighbor of
    k on the path to r, N_kk = k.
    """

    parent: IntArray
    path: BoolArray
    toward: IntArray

    @property
    def bodies(self) -> int:
        return len(self.parent)

    def neighbors(self, r: int) -> list[int]:
        """B_r, the bodies hinged to r (Def 43)."""
        outboard = np.flatnonzero(self.parent == r).tolist()
        return outboard if r == 0 else [int(self.parent[r]), *outboard]

    def branch(self, j: int, k: int) -> list[int]:
        """B_jk = { r : N_jr = k }, the branch of j that starts with its neighbor k (Def 44)."""
        return [int(r) for r in np.flatnonzero(self.toward[j] == k) if r != j]


def network(parent: Sequence[int] | IntArray) -> Network:
    """Path and network elements from the list of parents."""
    up = np.asarray(parent, dtype=np.int64)
    n = len(up)
    if n == 0 or up[0] != -1 or np.any(up[1:] < 0) or np.any(up >= np.arange(n)):
        raise VehicleError(
            "bodies must be numbered outward from body 0",
            found=f"parents {up.tolist()}",
            expected="-1 for body 0 and a smaller label for every parent",
        )
    path = np.zeros((n, n), dtype=bool)
    for k in range(1, n):
        path[:, k] = path[:, up[k]]
        path[k, k] = True
    toward = np.tile(up[:, None], (1, n))  # toward body r one goes inward, unless r hangs on k
    for r in range(n):
        toward[r, r] = r
        step = r
        while up[step] >= 0:
            toward[up[step], r] = step
            step = int(up[step])
    return Network(frozen(up, np.int64), frozen(path, np.bool_), frozen(toward, np.int64))
