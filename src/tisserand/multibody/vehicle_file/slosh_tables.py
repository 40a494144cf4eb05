"""Liquids in the tanks of a vehicle file."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tisserand.declarations import Declared, Key, check, one_of, option, problem, ruled
from tisserand.multibody import slosh
from tisserand.multibody.slosh import SloshModel, SloshParameters
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.file_values import Attitude, Point, rotation


class SloshTable(Declared):
    """Liquid in an upright cylinder or a sphere: a rigid part and pendulums or spring masses."""

    body: str = option(..., "body that carries the tank")
    shape: Literal["cylinder", "sphere"] = option(..., "shape of the tank")
    radius: float = option(..., "of the tank", unit="m", above=0.0)
    depth: float = option(..., "of the liquid at its deepest", unit="m", above=0.0)
    mass: float | None = option(None, "of the liquid", unit="kg", above=0.0)
    density: float | None = option(None, "of the liquid, instead of its mass", unit="kg/m³", above=0.0)
    position: Point = option("origin", "lowest point of the tank", unit="m")
    attitude: Attitude | None = option(None, "rotation from tank axes (z up, against the acceleration) to body axes")
    modes: int = option(1, "modes that are kept", at_least=1, at_most=slosh.MOST)
    model: SloshModel = option("pendulum", "pendulums, which follow any acceleration, or masses on springs")
    acceleration: float = option(9.80665, "for spring stiffness and damping", unit="m/s²", above=0.0)
    damping: float = option(0.0, "damping ratio of every mode", at_least=0.0)

    _amount = ruled(one_of("mass", "density"))

    @check
    def _fits(self) -> None:
        if self.shape == "sphere" and not self.depth < 2.0 * self.radius:
            most = f"less than {2.0 * self.radius:g} m in a sphere of radius {self.radius:g} m"
            raise problem("depth", "is more than the tank holds", found=self.depth, expected=most)

    def liquid(self) -> SloshParameters:
        R, h = self.radius, self.depth
        volume = np.pi * (R**2 * h if self.shape == "cylinder" else h**2 * (3.0 * R - h) / 3.0)
        mass = self.mass if self.mass is not None else float(volume) * (self.density or 0.0)
        return (slosh.cylinder if self.shape == "cylinder" else slosh.sphere)(R, h, mass, self.modes)

    def filled(self, name: str, vehicle: Vehicle, key: Key) -> Vehicle:
        """The vehicle with this liquid."""
        known = {one.name: one for one in vehicle.bodies}
        if self.body not in known:
            raise key.at("body").unknown(self.body, known, "is not a body")
        with key.at("position").blamed():
            place = known[self.body].point(self.position) if isinstance(self.position, str) else self.position
        with key.blamed():
            return slosh.with_tank(
                vehicle, name, self.body, self.liquid(), position=place, attitude=rotation(self.attitude),
                model=self.model, acceleration=self.acceleration, damping=self.damping,
            )  # fmt: skip
