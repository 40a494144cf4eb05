"""The two ends and the law of a force element.

Serves theory section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, GivenArray, frozen, zeros

ElementKind = Literal["spring", "tether", "bushing", "joint_friction", "rotor_drag", "end_stop"]


@checked_arguments
@dataclass(frozen=True, eq=False)
class Anchor:
    """One end of an element: a place of a body, or a node of an appendage.

    Attributes:
        part: the body or the appendage.
        place: of a body: a named point or frame, or (3,) m in body axes; of an appendage: a node id or the name of an interface.
        on_appendage: the part is an appendage.
    """

    part: str
    place: FloatArray | str | int = "origin"
    on_appendage: bool = False


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class Element:
    """The law of a force element; what its kind does not use is zero.

    Attributes:
        ends: of a spring, tether or bushing: where it pulls.
        target: the joint or the rotor with friction, or the joint with end stops.
        axis: of the joint, from 0.
        stiffness: (6,) N/m and N m/rad; a spring has the first only.
        damping: (6,) N s/m and N m s/rad; the viscous part of friction is the first.
        length: at which a spring is relaxed, m.
        friction: Coulomb level, level at rest (breakaway), rate of the Stribeck curve, rate within which the sign is smoothed.
    """

    kind: ElementKind
    ends: tuple[Anchor, ...] = ()
    target: str = ""
    axis: int = 0
    stiffness: GivenArray = field(default_factory=zeros(6))
    damping: GivenArray = field(default_factory=zeros(6))
    length: float = 0.0
    friction: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        for word in ("stiffness", "damping"):
            object.__setattr__(self, word, frozen(getattr(self, word), shape=(6,)))
