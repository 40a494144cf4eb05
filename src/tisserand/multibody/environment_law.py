"""What the surroundings do to a vehicle, or what it sees of them: the data of one field, surface load or sensor.

Serves theory section 10.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, GivenArray, frozen, zeros
from tisserand.errors import VehicleError
from tisserand.multibody.planet import Planet, Sun

EnvironmentKind = Literal["gravity", "magnetic", "drag", "light", "sunlight", "altitude", "magnetometer"]
#: Inputs that each kind drives; gravity drives nine for every body of the tree.
INPUTS: dict[str, int] = {
    "gravity": 9, "magnetic": 3, "drag": 6, "light": 6, "sunlight": 1, "altitude": 1, "magnetometer": 1,
}  # fmt: skip


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class Plate:
    """A flat surface of a body.

    Attributes:
        area: m².
        normal: (3,) outward, body axes.
        point: center of pressure: a named point or (3,) m in body axes.
        drag_coefficient: on the area across the flow.
        specular: part of the light that is mirrored.
        diffuse: part of the light that is scattered; the rest is absorbed.
        two_sided: the back counts too.
    """

    area: float
    normal: FloatArray
    point: FloatArray | str = "origin"
    drag_coefficient: float = 2.2
    specular: float = 0.0
    diffuse: float = 0.0
    two_sided: bool = False

    def __post_init__(self) -> None:
        normal = frozen(self.normal, shape=(3,))
        size = float(np.linalg.norm(normal))
        if not (np.isfinite(size) and size > 0.0):
            raise VehicleError("the normal of a plate has no direction", found=normal.tolist())
        object.__setattr__(self, "normal", frozen(normal / size))
        for word in ("area", "drag_coefficient", "specular", "diffuse"):
            if not (np.isfinite(getattr(self, word)) and getattr(self, word) >= 0.0):
                raise VehicleError(f"{word} of a plate must not be negative", found=getattr(self, word))
        if self.specular + self.diffuse > 1.0:
            raise VehicleError(
                "a plate reflects more light than it receives",
                found=f"specular {self.specular:g} and diffuse {self.diffuse:g}",
                expected="a sum of at most 1",
            )


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class EnvironmentLaw:
    """One field, surface load or sensor; what its kind does not use is empty.

    Attributes:
        planet: at the inertial origin.
        body: that carries it; all bodies where gravity acts, the base where a sensor names none.
        plates: surfaces of that body.
        sun: where it stands, for light and shadow.
        direction: (3,) of a magnetometer, body axes.
        point: where a sensor sits: a named point or (3,) m in body axes.
    """

    kind: EnvironmentKind
    planet: Planet
    body: str = ""
    plates: tuple[Plate, ...] = ()
    sun: Sun | None = None
    direction: GivenArray = field(default_factory=zeros(3))
    point: FloatArray | str = "origin"

    def __post_init__(self) -> None:
        object.__setattr__(self, "direction", frozen(self.direction, shape=(3,)))


def signal_input(name: str) -> str:
    """The input that the surroundings fill in for a signal of that name."""
    return f"signal {name}#0"
