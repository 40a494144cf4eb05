"""The surroundings of a vehicle in orbit: the planet, its sun, and what they press on or let be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar

import numpy as np

from tisserand.declarations import Declared, Key, check, needs, option, problem, ruled
from tisserand.declarations.common_values import Vector
from tisserand.multibody import environment
from tisserand.multibody.controllers import Controller
from tisserand.multibody.environment_law import Plate
from tisserand.multibody.loads import Load
from tisserand.multibody.planet import EARTH, Planet, Shadow, Sun
from tisserand.multibody.signals import Signal
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.file_values import Direction, Point, unit

#: Stands for the sun of the file until it is known.
_ANY_SUN = Sun(direction=np.array([1.0, 0.0, 0.0]))
Part = TypeVar("Part", Load, Signal)


class EnvironmentTable(Declared):
    """A planet at the inertial origin, the Earth by default, and the sun."""

    gravity: bool = option(True, "true: the planet attracts every body; false: only its air, field and shadow count")
    mu: float = option(EARTH.mu, "gravitational parameter", unit="m³/s²", above=0.0)
    radius: float = option(EARTH.radius, "equatorial radius", unit="m", above=0.0)
    j2: float = option(EARTH.j2, "oblateness; 0 for a round planet")
    pole: Direction = option((0.0, 0.0, 1.0), "axis of its turn, in inertial axes")
    turn_rate: float = option(EARTH.turn_rate, "rate of its turn; air and magnetic field turn with it", unit="rad/s")
    dipole: Vector = option(
        tuple(EARTH.dipole.tolist()), "magnetic dipole at the start: B = (radius/r)³ [3 (d.e) e - d]", unit="T"
    )
    density: float = option(EARTH.density, "of the air at 'density_altitude'", unit="kg/m³", at_least=0.0)
    density_altitude: float = option(EARTH.density_altitude, "where that density is", unit="m")
    scale_height: float = option(EARTH.scale_height, "over which the density falls by e", unit="m", above=0.0)
    sun: Direction | None = option(None, "direction of the sun, in inertial axes; default: no sun")
    sun_distance: float = option(_ANY_SUN.distance, "of the sun", unit="m", above=0.0)
    sun_radius: float = option(_ANY_SUN.radius, "of the sun", unit="m", above=0.0)
    light_pressure: float = option(_ANY_SUN.pressure, "of sunlight on a black surface", unit="N/m²", above=0.0)
    shadow: Shadow = option("cone", "shape of the planet's shadow: cone (umbra and penumbra), cylinder or none")

    _of_the_sun = ruled(*(needs(word, "sun") for word in ("sun_distance", "sun_radius", "light_pressure", "shadow")))

    def planet(self) -> Planet:
        words = ("mu", "radius", "j2", "turn_rate", "density", "density_altitude", "scale_height")
        return Planet(pole=self.pole, dipole=self.dipole, **{word: getattr(self, word) for word in words})  # type: ignore[arg-type]

    def loads(self) -> tuple[Load, ...]:
        """What acts without being named: gravity."""
        return (environment.gravity(self.planet()),) if self.gravity else ()

    def around(self, part: Part, key: Key) -> Part:
        """A load or signal in these surroundings instead of those it was made with."""
        law = part.environment
        if law is None:
            return part
        sun = law.sun
        if sun is not None:
            if self.sun is None:
                raise key.error(
                    "needs the direction of the sun", found="no sun", expected="environment.sun = [x, y, z]"
                )
            sun = Sun(
                direction=np.array(self.sun), distance=self.sun_distance, radius=self.sun_radius, pressure=self.light_pressure,
                shadow=self.shadow,
            )  # fmt: skip
        planet = self.planet()
        if law.kind == "drag" and not planet.density > 0.0:
            raise key.error("needs an atmosphere", found="environment.density = 0", expected="a density above 0")
        return replace(part, environment=replace(law, planet=planet, sun=sun))


def placed(table: EnvironmentTable | None, part: Part, key: Key) -> Part:
    """A load or signal in the surroundings of the file; one that needs them without a table is an error at ``key``."""
    if part.environment is None:
        return part
    if table is None:
        raise key.error(
            "acts in the surroundings of a planet, which the file does not state",
            expected="a table [environment] (an empty one is the Earth)",
        )
    return table.around(part, key)


def placed_controller(table: EnvironmentTable | None, law: Controller, key: Key) -> Controller:
    """A control law whose loads are in the surroundings of the file; its sensors are already."""
    if all(one.environment is None for one in law.outputs):
        return law
    return replace(law, outputs=tuple(placed(table, one, key.at("outputs")) for one in law.outputs))


class PlateTable(Declared):
    """A flat surface of a body."""

    area: float = option(..., "area", unit="m²", above=0.0)
    normal: Direction = option(..., "outward, in body axes")
    point: Point = option("origin", "center of pressure", unit="m")
    two_sided: bool = option(False, "true: the back counts too")


class AirPlate(PlateTable):
    """A flat surface of a body in the air."""

    drag_coefficient: float = option(2.2, "on the area across the flow", at_least=0.0)


class LightPlate(PlateTable):
    """A flat surface of a body in sunlight."""

    specular: float = option(0.0, "part of the light that is mirrored", at_least=0.0, at_most=1.0)
    diffuse: float = option(0.0, "part of the light that is scattered", at_least=0.0, at_most=1.0)

    @check
    def _no_more_than_all(self) -> None:
        if self.specular + self.diffuse > 1.0:
            most = f"at most {1.0 - self.specular:g}"
            raise problem("diffuse", "reflects more light than arrives", found=self.diffuse, expected=most)


class _OnSurfaces(Declared):
    body: str = option(..., "body with the surfaces")

    def _made(self, plates: Sequence[PlateTable], vehicle: Vehicle, key: Key) -> list[Plate]:
        made = []
        for i, one in enumerate(plates):
            if isinstance(one.point, str):
                with key.at("plates", str(i), "point").blamed():
                    vehicle.body(self.body).point(one.point)
            stated: dict[str, Any] = {word: value for word, value in one if word not in ("normal", "point")}
            made.append(environment.plate(normal=one.normal, point=one.point, **stated))
        return made


class Drag(_OnSurfaces):
    """Drag of the planet's turning air on surfaces of a body."""

    kind: Literal["drag"] = option(..., "kind of load")
    plates: tuple[AirPlate, ...] = option(..., "the surfaces, at least one")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        with key.blamed():
            return environment.drag(self.body, self._made(self.plates, vehicle, key), name=name)


class SolarPressure(_OnSurfaces):
    """Pressure of sunlight on surfaces of a body, outside the planet's shadow."""

    kind: Literal["solar_pressure"] = option(..., "kind of load")
    plates: tuple[LightPlate, ...] = option(..., "the surfaces, at least one")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        with key.blamed():
            return environment.solar_pressure(self.body, self._made(self.plates, vehicle, key), _ANY_SUN, name=name)


class _Seen(Declared):
    body: str = option(..., "body that carries it")
    point: Point = option("origin", "where it sits", unit="m")


class SkySensor(_Seen):
    """The visible part of the sun's disk (0 in the shadow to 1), or the height above the planet's radius (m)."""

    kind: Literal["sunlight", "altitude"] = option(..., "what is measured")

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        if self.kind == "sunlight":
            return environment.sunlight(_ANY_SUN, body=self.body, point=self.point, name=name)
        return environment.altitude(body=self.body, point=self.point, name=name)


class Magnetometer(_Seen):
    """The planet's magnetic field along a direction, T."""

    kind: Literal["magnetometer"] = option(..., "what is measured")
    direction: Direction = option(..., "in body axes")

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        return environment.magnetometer(unit(self.direction), body=self.body, point=self.point, name=name)
