"""What a loop or a nonholonomic row ties together, and its size.

Serves theory section 11.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import GivenArray, frozen, zeros
from tisserand.multibody.element_law import Anchor
from tisserand.multibody.events import Event
from tisserand.multibody.profiles import Profile

LoopKind = Literal[
    "point", "line", "plane", "hinge", "weld", "distance", "gear", "rolling", "skate", "lock", "stop", "friction"
]  # fmt: skip
#: Rows of each kind, that is, motions it takes away.
ROWS: dict[LoopKind, int] = {
    "point": 3, "line": 2, "plane": 1, "hinge": 5, "weld": 6, "distance": 1, "gear": 1, "rolling": 3, "skate": 1,
    "lock": 1, "stop": 1, "friction": 1,
}  # fmt: skip


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class Loop:
    """A constraint between two places, or between joints; what its kind does not use is empty or zero.

    Attributes:
        ends: of a loop between places: the first carries the axes.
        joints: of a gear: the joints; of a lock, an end stop or friction: the joint.
        axes: of the joints, from 0.
        factors: of the joints' coordinates in ``sum factor q = level``.
        direction: (3,) unit vector: of the line, the normal of the plane, the axis of the hinge, in axes of the first end; across
            the skate, in axes of the second.
        level: length of a distance, m, or the right side of a gear or lock: a number or a profile of time; None: where a locked
            joint stands when the lock begins to hold.
        radius: of a rolling sphere, m.
        begin: time, s, or event from which it holds; None: from the start.
        end: time, s, or event at which it lets go; None: never.
        restitution: of the impacts of an end stop.
        settle_rate: an end stop holds the joint where it would leave slower than this, rad/s or m/s.
        friction: Coulomb level, level at rest and rate of the Stribeck curve of a joint that sticks and slips.
    """

    kind: LoopKind
    ends: tuple[Anchor, ...] = ()
    joints: tuple[str, ...] = ()
    axes: tuple[int, ...] = ()
    factors: tuple[float, ...] = ()
    direction: GivenArray = field(default_factory=zeros(3))
    level: float | Profile | None = 0.0
    radius: float = 0.0
    begin: float | Event | None = None
    end: float | Event | None = None
    restitution: float = 0.0
    settle_rate: float = 1e-3
    friction: tuple[float, float, float] = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "direction", frozen(np.asarray(self.direction, float), shape=(3,)))

    @property
    def rows(self) -> int:
        """Motions that it takes away."""
        return ROWS[self.kind]

    @property
    def pulls(self) -> int:
        """Inputs of the loads it consists of: force and two torques, or one per joint (and one to spare)."""
        return 2 if self.joints else 9
