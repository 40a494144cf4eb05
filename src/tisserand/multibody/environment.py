"""Loads and sensors of an orbit: gravity of a planet, magnetic torque, drag, pressure of light, eclipse.

The inertial origin is the planet's center, and the vehicle's position is its place in orbit (``orbits.orbit_state``). All of
these are loads or signals like any other: give them to a simulation or a linear model. Their work counts as work of loads.
References: theory section 10; [Vallado2013].
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.environment_law import EnvironmentLaw, Plate
from tisserand.multibody.loads import Load, force, torque
from tisserand.multibody.planet import EARTH, Planet, Sun
from tisserand.multibody.profiles import Profile, constant
from tisserand.multibody.signals import Signal
from tisserand.multibody.vehicle import Vehicle

__all__ = [
    "EARTH",
    "Planet",
    "Plate",
    "Sun",
    "altitude",
    "carried_gravity",
    "drag",
    "gravity",
    "magnetic",
    "magnetometer",
    "plate",
    "solar_pressure",
    "sunlight",
]


def _place(point: ArrayLike | str) -> FloatArray | str:
    return point if isinstance(point, str) else np.asarray(point, float)


@checked_arguments
def plate(
    area: float,
    normal: ArrayLike,
    point: ArrayLike | str = "origin",
    *,
    drag_coefficient: float = 2.2,
    specular: float = 0.0,
    diffuse: float = 0.0,
    two_sided: bool = False,
) -> Plate:
    """A flat surface of a body, on which air and light press.

    Args:
        area: m².
        normal: (3,) outward, body axes.
        point: center of pressure: a named point or (3,) m in body axes.
        drag_coefficient: on the area across the flow.
        specular: part of the light that is mirrored.
        diffuse: part of the light that is scattered.
        two_sided: the back counts too.
    """
    return Plate(
        area=area, normal=np.asarray(normal, float), point=_place(point), drag_coefficient=drag_coefficient,
        specular=specular, diffuse=diffuse, two_sided=two_sided,
    )  # fmt: skip


@checked_arguments
def gravity(planet: Planet = EARTH, name: str = "gravity") -> Load:
    """The gravity of a planet on every body and every mode: its value and its gradient at each body's mass center.

    Gravity-gradient forces and torques follow from the same field. Within one body it is linear, so that the second power of
    its size over the distance to the planet is left out.

    Args:
        planet: at the inertial origin, with J2 or without.
        name: of the load.
    """
    return Load(name, "environment", "", environment=EnvironmentLaw(kind="gravity", planet=planet))


@checked_arguments
def carried_gravity(vehicle: Vehicle, acceleration: ArrayLike, carrier: str, name: str = "weight") -> tuple[Load, ...]:
    """Weight that turns with a body, such as a laboratory on a turning planet: a force at the mass center of every other body.

    Args:
        vehicle: of rigid bodies; appendages and rotors with mass are refused, since forces at centers do not bend or load them.
        acceleration: (3,) m/s², in the axes of the carrier.
        carrier: body in whose axes it is fixed.
        name: of the loads, before a dot and the body.
    """
    heavy = [mounted.name for mounted in vehicle.appendages]
    heavy += [rotor.name for rotor in vehicle.rotors if rotor.mass > 0.0]
    if heavy:
        raise VehicleError(
            "gravity that turns with a body acts on rigid bodies alone", where=f"load {name}", found=", ".join(heavy)
        )
    vehicle.body(carrier)
    g = np.asarray(acceleration, float)
    return tuple(
        Load(f"{name}.{body.name}", "force", body.name, constant(body.mass), g, point=body.center, axes_of=carrier)
        for body in vehicle.bodies
        if body.mass > 0.0 and body.name != carrier
    )


@checked_arguments
def magnetic(
    body: str,
    dipole: ArrayLike,
    strength: Profile | str | float | None = 1.0,
    *,
    planet: Planet = EARTH,
    name: str = "",
) -> Load:
    """Torque m x B on a body in the field of a planet's dipole, N m: m = ``strength`` times ``dipole`` (3,), A m², body axes.

    Args:
        strength: a profile, a number, the name of an input, or None for a controller to set (a magnetorquer).
        planet: its ``dipole`` turns with it.
        name: of the load.
    """
    source = constant(float(strength)) if isinstance(strength, (int, float)) else strength
    law = EnvironmentLaw(kind="magnetic", planet=planet, body=body)
    return Load(name or f"{body}.magnetic", "magnetic", body, source, np.asarray(dipole, float), environment=law)


@checked_arguments
def drag(body: str, plates: Sequence[Plate], planet: Planet = EARTH, name: str = "") -> Load:
    """Drag on the plates of a body: each -1/2 rho cd A (n.v) v where it faces the flow, v its velocity in the turning air.

    Args:
        plates: surfaces, each with its own center of pressure.
        planet: with its atmosphere.
        name: of the load.
    """
    label = name or f"{body}.drag"
    if not planet.density > 0.0:
        raise VehicleError(
            "the planet has no atmosphere",
            where=f"load {label}",
            found=f"density {planet.density:g} kg/m³",
            advice="give density, density_altitude and scale_height",
        )
    return _on_plates("drag", body, plates, planet, None, label)


@checked_arguments
def solar_pressure(body: str, plates: Sequence[Plate], sun: Sun, planet: Planet = EARTH, name: str = "") -> Load:
    """Pressure of sunlight on the plates of a body: -p A c [(1 - s) e + 2 (s c + d/3) n] where they face the sun, c = n.e.

    Args:
        plates: surfaces; s their specular and d their diffuse part.
        sun: its direction e, pressure p and the shape of the shadow.
        planet: that casts the shadow.
        name: of the load.
    """
    return _on_plates("light", body, plates, planet, sun, name or f"{body}.light")


def _on_plates(kind: str, body: str, plates: Sequence[Plate], planet: Planet, sun: Sun | None, name: str) -> Load:
    if not plates:
        raise VehicleError("a load on surfaces needs at least one plate", where=f"load {name}")
    law = EnvironmentLaw(kind=kind, planet=planet, body=body, plates=tuple(plates), sun=sun)  # type: ignore[arg-type]
    return Load(name, "environment", body, environment=law)


@checked_arguments
def sunlight(
    sun: Sun, planet: Planet = EARTH, *, body: str = "", point: ArrayLike | str = "origin", name: str = "sunlight"
) -> Signal:
    """The part of the sun's disk that a body sees, 0 in the planet's shadow to 1: an event at 0.5 is the edge of the eclipse.

    Args:
        sun: its direction and the shape of the shadow.
        planet: that casts the shadow.
        body: the base by default.
        point: of the body.
        name: of the signal.
    """
    law = EnvironmentLaw(kind="sunlight", planet=planet, body=body, sun=sun, point=_place(point))
    return Signal(name, "environment", body, environment=law)


@checked_arguments
def altitude(
    planet: Planet = EARTH, *, body: str = "", point: ArrayLike | str = "origin", name: str = "altitude"
) -> Signal:
    """Height of a point of a body above the planet's equatorial radius, m.

    Args:
        planet: at the inertial origin.
        body: the base by default.
        point: of the body.
        name: of the signal.
    """
    law = EnvironmentLaw(kind="altitude", planet=planet, body=body, point=_place(point))
    return Signal(name, "environment", body, environment=law)


@checked_arguments
def magnetometer(
    direction: ArrayLike, planet: Planet = EARTH, *, body: str = "", point: ArrayLike | str = "origin", name: str = ""
) -> Signal:
    """The planet's magnetic field along a direction of a body, T.

    Args:
        direction: (3,) in body axes, of any length but zero.
        planet: its ``dipole`` turns with it.
        body: the base by default.
        point: of the body.
        name: of the signal.
    """
    along = np.asarray(direction, float)
    size = float(np.linalg.norm(along))
    if not (np.isfinite(size) and size > 0.0):
        raise VehicleError("a magnetometer needs a direction", where=f"signal {name}", found=along.tolist())
    law = EnvironmentLaw(kind="magnetometer", planet=planet, body=body, direction=along / size, point=_place(point))
    return Signal(name or f"{body or 'base'}.field", "environment", body, environment=law)


@checked_arguments
def parts_of(load: Load) -> list[Load]:
    """The plain loads of an environment: gravity on all bodies, or force and torque at the origin of one, driven by inputs.

    Args:
        load: one of this module.
    """
    law, name = load.environment, load.name
    assert law is not None
    if law.kind == "gravity":
        return [Load(name, "gradient", "", f"{name}#0", environment=law)]
    made = []
    for i, direction in enumerate(np.eye(3)):
        made.append(force(law.body, direction, f"{name}#{i}", inertial=True, name=f"{name}.{'xyz'[i]}"))
    for i, direction in enumerate(np.eye(3)):
        made.append(torque(law.body, direction, f"{name}#{3 + i}", inertial=True, name=f"{name}.turn.{'xyz'[i]}"))
    return made
