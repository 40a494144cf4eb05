"""Actuators and sensors by interface name: ``tip:z``, ``tip:rx rate``, ``base:x``.

A channel is ``NAME:COMPONENT`` with component x, y, z, rx, ry, rz in the interface's axes, and for sensors
the word ``displacement`` (default), ``rate`` or ``acceleration``. The name ``base`` means motion of the
frame: as an actuator its acceleration about O in body axes, as a sensor the force of the body on the
appendage there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import InputError

COMPONENTS = ("x", "y", "z", "rx", "ry", "rz")
Kind = Literal["displacement", "rate", "acceleration"]
_KINDS = ("displacement", "rate", "acceleration")
BASE = "base"


@checked_arguments
@dataclass(frozen=True)
class Channel:
    """One scalar input or output.

    Attributes:
        interface: name of the interface, or ``base``.
        component: 0 to 5: translations, then rotations.
        kind: displacement, rate or acceleration.
    """

    interface: str
    component: int
    kind: Kind = "displacement"

    @staticmethod
    def parse(text: str) -> Channel:
        """``tip:z rate`` to a channel.

        Args:
            text: interface, component and kind.
        """
        name, colon, rest = text.rpartition(":")
        words = rest.split()
        if not colon or not name or not words or words[0] not in COMPONENTS or len(words) > 2:
            raise InputError(
                "a channel is NAME:COMPONENT [KIND]", found=repr(text), expected=f"component {', '.join(COMPONENTS)}"
            )
        kind = words[1] if len(words) == 2 else "displacement"
        if kind not in _KINDS:
            raise InputError("unknown kind of sensor", where=text, found=repr(kind), expected=", ".join(_KINDS))
        return Channel(name, COMPONENTS.index(words[0]), kind)  # type: ignore[arg-type]

    @property
    def text(self) -> str:
        suffix = "" if self.kind == "displacement" else f" {self.kind}"
        return f"{self.interface}:{COMPONENTS[self.component]}{suffix}"


def channels(items: Sequence[str | Channel]) -> tuple[Channel, ...]:
    """Channels from texts or channels."""
    return tuple(item if isinstance(item, Channel) else Channel.parse(item) for item in items)


def shape_of(appendage: ReducedAppendage, channel: Channel) -> FloatArray:
    """(k,) modal row of a channel: motion of the interface along its axis, or minus the coupling to base motion."""
    if channel.interface == BASE:
        return np.asarray(-appendage.integrals.coupling[channel.component])
    point = appendage.interface(channel.interface)
    rows = np.vstack([point.axes @ point.translation, point.axes @ point.rotation])
    return np.asarray(rows[channel.component])


def rows_of(appendage: ReducedAppendage, items: Sequence[Channel]) -> FloatArray:
    """(number, k) modal rows of several channels."""
    if not items:
        raise InputError("at least one channel is needed", where=f"appendage {appendage.name}")
    return np.array([shape_of(appendage, item) for item in items])
