"""The static state about which a source requests modes: loads and the boundary under which they act."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field, replace

import numpy as np

from tisserand.arrays import FloatArray, IntArray, frozen
from tisserand.model.supports import Supports


@dataclass(frozen=True, eq=False)
class Preload:
    """Loads of a static step or subcase, SI, basic axes; modes are those about the state that they make.

    name: of the step in words; node_ids (k,) with forces (k, 6) N and N m that keep their direction; acceleration (3,) m/s²
    of a uniform body force (gravity as it pulls); spin (3,) rad/s about the point ``about`` (3,) m; supports: boundary of the
    static state (None: that of the model); large: the source computes the state with large displacements, here it is linear;
    displaced: the stiffness of solids is that at their displaced place, as CalculiX takes it. moved: (q, 2) rows (node index,
    component in node axes) of supports that are moved, by ``by`` (q,) m or rad.
    """

    name: str
    node_ids: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    forces: FloatArray = field(default_factory=lambda: np.zeros((0, 6)))
    _: KW_ONLY
    acceleration: FloatArray = field(default_factory=lambda: np.zeros(3))
    spin: FloatArray = field(default_factory=lambda: np.zeros(3))
    about: FloatArray = field(default_factory=lambda: np.zeros(3))
    supports: Supports | None = None
    large: bool = False
    displaced: bool = False
    moved: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    by: FloatArray = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        object.__setattr__(self, "node_ids", frozen(self.node_ids, np.int64, (-1,)))
        object.__setattr__(self, "forces", frozen(self.forces, float, (len(self.node_ids), 6)))
        object.__setattr__(self, "moved", frozen(self.moved, np.int64, (-1, 2)))
        object.__setattr__(self, "by", frozen(self.by, float, (len(self.moved),)))
        for word in ("acceleration", "spin", "about"):
            object.__setattr__(self, word, frozen(getattr(self, word), float, (3,)))

    def __bool__(self) -> bool:
        return bool(self.forces.any() or self.acceleration.any() or self.spin.any() or self.by.any())

    def placed(self, Q: FloatArray, d: FloatArray) -> Preload:
        """The same in a model turned by Q (3, 3) and moved by d (3,) m."""
        return replace(
            self,
            forces=np.concatenate([self.forces[:, :3] @ Q.T, self.forces[:, 3:] @ Q.T], axis=1),
            acceleration=Q @ self.acceleration,
            spin=Q @ self.spin,
            about=Q @ self.about + d,
        )
