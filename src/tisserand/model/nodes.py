"""Nodes of a structural model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen
from tisserand.errors import ModelError


@checked_arguments
@dataclass(frozen=True, eq=False)
class Nodes:
    """Node table; a node's *index* is its row here, its *id* is what the analyst wrote.

    ids: (n,) unique; positions: (n, 3) m, basic axes; axes: (n, 3, 3) rows are the displacement axes of each node in
    basic axes (None: all basic); scalar: (n,) True for scalar points, which own component 0 only and no position.
    """

    ids: IntArray
    positions: FloatArray
    axes: FloatArray | None = None
    scalar: BoolArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", frozen(self.ids, np.int64, (-1,)))
        n = len(self.ids)
        object.__setattr__(self, "positions", frozen(self.positions, shape=(n, 3)))
        if self.axes is not None:
            object.__setattr__(self, "axes", frozen(self.axes, shape=(n, 3, 3)))
        if self.scalar is not None:
            object.__setattr__(self, "scalar", frozen(self.scalar, np.bool_, (n,)))
        if n == 0:
            raise ModelError("the model has no nodes")
        unique, counts = np.unique(self.ids, return_counts=True)
        if len(unique) != n:
            raise ModelError(
                "node ids are used twice", ids=unique[counts > 1][:10].tolist(), found=unique[counts > 1][:10].tolist()
            )
        bad = ~np.isfinite(self.positions).all(axis=1)
        if bad.any():
            raise ModelError(
                "node positions are not finite numbers",
                ids=self.ids[bad][:10].tolist(),
                found=f"nodes {self.ids[bad][:10].tolist()}",
            )

    def __len__(self) -> int:
        return len(self.ids)

    def indices(self, ids: IntArray | list[int], names: Sequence[str] = ()) -> IntArray:
        """Rows of the given ids; unknown ids raise.

        Args:
            ids: of nodes.
            names: what each id stands for, for the message: ``point 'tip'``, ``the attachment``.
        """
        try:
            wanted = np.asarray(ids, dtype=np.int64)
        except OverflowError:
            raise ModelError("a node id is beyond what ids can be", expected="at most 9223372036854775807") from None
        order = np.argsort(self.ids, kind="stable")
        place = np.searchsorted(self.ids[order], wanted)
        place = np.minimum(place, len(order) - 1)
        rows = order[place]
        missing = self.ids[rows] != wanted
        if missing.any():
            unknown = np.unique(wanted[missing])[:10].tolist()
            named = [f"{names[i]} = {wanted[i]}" for i in np.flatnonzero(missing)[:10]] if names else None
            raise ModelError(
                "nodes do not exist", ids=unknown, found=", ".join(named) if named else f"node ids {unknown}",
                expected=f"ids of the {len(self.ids)} nodes, {self.ids.min()} to {self.ids.max()}",
            )  # fmt: skip
        return np.asarray(rows, dtype=np.int64)
