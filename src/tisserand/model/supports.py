"""Supports: which components of which nodes are held. A boundary for the solver, not baked into any matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, IntArray, frozen
from tisserand.errors import ModelError


@checked_arguments
@dataclass(frozen=True, eq=False)
class Supports:
    """Fixed components by node: nodes (m,) indices, fixed (m, 6) in node axes. A boundary for the solver, not baked in."""

    nodes: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    fixed: BoolArray = field(default_factory=lambda: np.zeros((0, 6), np.bool_))

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", frozen(self.nodes, np.int64, (-1,)))
        object.__setattr__(self, "fixed", frozen(self.fixed, np.bool_, (len(self.nodes), 6)))

    def __bool__(self) -> bool:
        return bool(self.fixed.any())

    @staticmethod
    def clamp(nodes: IntArray | Sequence[int], components: str = "123456") -> Supports:
        """Hold all the given nodes in the given components.

        Args:
            nodes: node indices (rows of the node table).
            components: digits 1-6: translations along x, y, z, then rotations about them, node axes.
        """
        if not components or set(components) - set("123456"):
            raise ModelError("components are digits from 1 to 6", found=repr(components), expected="such as 123456")
        fixed = np.zeros((len(nodes), 6), np.bool_)
        fixed[:, [int(c) - 1 for c in components]] = True
        return Supports(np.asarray(nodes, np.int64), fixed)

    def added_to(self, other: Supports) -> Supports:
        """Both boundaries at once.

        Args:
            other: the supports to add.
        """
        return Supports(np.concatenate([self.nodes, other.nodes]), np.concatenate([self.fixed, other.fixed]))
