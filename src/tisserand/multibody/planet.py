"""A planet: gravity with its oblateness, magnetic field, atmosphere, and the shadow it casts.

Everything here is a function of a place x from the planet's center in inertial axes. Gravity and its gradient accept complex
places, so that derivatives by complex step pass through them. References: theory section 10; [Vallado2013].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, GivenArray, frozen, third_axis, zeros
from tisserand.errors import VehicleError

#: Shape of the shadow: none, a cylinder as wide as the planet, or the cones of umbra and penumbra.
Shadow = Literal["none", "cylinder", "cone"]
SHADOWS: tuple[Shadow, ...] = ("none", "cylinder", "cone")


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class Planet:
    """A planet at the inertial origin; what it does not have is zero.

    Attributes:
        mu: gravitational parameter, m³/s².
        radius: equatorial radius, m; altitudes are measured from it.
        j2: oblateness, -.
        pole: (3,) axis about which it turns, inertial axes.
        turn_rate: rate of that turn, rad/s; the atmosphere turns with it.
        dipole: (3,) magnetic dipole at t = 0 in inertial axes, T: B = (radius/r)³ [3 (d.e) e - d]; it turns with the planet.
        density: of the air at ``density_altitude``, kg/m³.
        density_altitude: m.
        scale_height: over which the density falls by e, m.
    """

    mu: float
    radius: float
    j2: float = 0.0
    pole: GivenArray = field(default_factory=third_axis)
    turn_rate: float = 0.0
    dipole: GivenArray = field(default_factory=zeros(3))
    density: float = 0.0
    density_altitude: float = 0.0
    scale_height: float = 1.0

    def __post_init__(self) -> None:
        for word, least in (("mu", 0.0), ("radius", 0.0), ("scale_height", 0.0)):
            if not (np.isfinite(getattr(self, word)) and getattr(self, word) > least):
                raise VehicleError(f"{word} of a planet must be positive", found=getattr(self, word))
        for word in ("j2", "turn_rate", "density", "density_altitude"):
            if not np.isfinite(getattr(self, word)):
                raise VehicleError(f"{word} of a planet is not finite", found=getattr(self, word))
        if self.density < 0.0:
            raise VehicleError("density of a planet must not be negative", found=self.density)
        for word in ("pole", "dipole"):
            values = frozen(getattr(self, word), shape=(3,))
            if not np.isfinite(values).all():
                raise VehicleError(f"{word} of a planet is not finite", found=values.tolist())
            object.__setattr__(self, word, values)
        size = float(np.linalg.norm(self.pole))
        if not size > 0.0:
            raise VehicleError("the pole of a planet has no direction", found=self.pole.tolist())
        object.__setattr__(self, "pole", frozen(self.pole / size))

    def gravity(self, place: Any) -> Any:
        """g (..., 3), m/s²: -mu x/r³ and the term of J2, minus the slope of ``potential``."""
        x = np.asarray(place)
        r, s = self._distance(x)
        k = 1.5 * self.j2 * self.radius**2 / r**2
        return -self.mu / r**3 * ((1.0 + k * (1.0 - 5.0 * s * s)) * x + 2.0 * k * s * r * self.pole)

    def gravity_gradient(self, place: Any) -> Any:
        """G (..., 3, 3), 1/s²: slope of gravity, symmetric and without trace."""
        x = np.asarray(place)
        r, s = (value[..., None] for value in self._distance(x))
        e, p = x / r[..., 0], np.broadcast_to(self.pole, x.shape)
        k = 1.5 * self.j2 * self.radius**2 / r**2
        one = np.eye(3)
        ee, pp = e[..., :, None] * e[..., None, :], p[..., :, None] * p[..., None, :]
        ep = e[..., :, None] * p[..., None, :] + p[..., :, None] * e[..., None, :]
        oblate = (1.0 - 5.0 * s * s) * one + (35.0 * s * s - 5.0) * ee - 10.0 * s * ep + 2.0 * pp
        return -self.mu / r**3 * (one - 3.0 * ee + k * oblate)

    def potential(self, place: Any) -> Any:
        """V (...), J/kg: -mu/r [1 - J2 (radius/r)² (3 s² - 1)/2], s the sine of the latitude."""
        r, s = (value[..., 0] for value in self._distance(np.asarray(place)))
        return -self.mu / r * (1.0 - 0.5 * self.j2 * (self.radius / r) ** 2 * (3.0 * s * s - 1.0))

    def _distance(self, x: Any) -> tuple[Any, Any]:
        """Distance from the center and sine of the latitude, (..., 1)."""
        r = np.sqrt(np.sum(x * x, axis=-1, keepdims=True))
        return r, np.sum(x * self.pole, axis=-1, keepdims=True) / r

    def altitude(self, place: ArrayLike) -> FloatArray:
        """Height (...) above the equatorial radius, m."""
        return np.asarray(self._distance(np.asarray(place))[0][..., 0] - self.radius)

    def air_density(self, place: ArrayLike) -> FloatArray:
        """Density (...) of the exponential atmosphere, kg/m³."""
        return np.asarray(self.density * np.exp((self.density_altitude - self.altitude(place)) / self.scale_height))

    def air_velocity(self, place: ArrayLike) -> FloatArray:
        """Velocity (..., 3) of the air, which turns with the planet, m/s, inertial axes."""
        return np.asarray(np.cross(self.turn_rate * self.pole, np.asarray(place, float)))

    def dipole_at(self, time: float) -> FloatArray:
        """The magnetic dipole (3,) at a time, T, inertial axes."""
        c, s = np.cos(self.turn_rate * time), np.sin(self.turn_rate * time)
        along = self.pole * (self.pole @ self.dipole)
        return np.asarray(along + c * (self.dipole - along) + s * np.cross(self.pole, self.dipole))

    def magnetic_field(self, place: Any, time: float) -> Any:
        """B (..., 3), T: (radius/r)³ [3 (d.e) e - d], inertial axes."""
        x, d = np.asarray(place), self.dipole_at(time)
        r, _ = self._distance(x)
        e = x / r
        return (self.radius / r) ** 3 * (3.0 * np.sum(e * d, axis=-1, keepdims=True) * e - d)


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class Sun:
    """The sun as light: a direction that does not change during the run, and a shadow of the planet.

    Attributes:
        direction: (3,) from the planet to the sun, inertial axes.
        distance: m.
        radius: m.
        pressure: of its light on a black surface, N/m².
        shadow: ``cone``, ``cylinder`` or ``none``.
    """

    direction: FloatArray
    distance: float = 1.495978707e11
    radius: float = 6.957e8
    pressure: float = 4.54e-6
    shadow: Shadow = "cone"

    def __post_init__(self) -> None:
        values = frozen(self.direction, shape=(3,))
        size = float(np.linalg.norm(values))
        if not (np.isfinite(size) and size > 0.0):
            raise VehicleError("the sun needs a direction", found=values.tolist())
        object.__setattr__(self, "direction", frozen(values / size))
        for word in ("distance", "radius", "pressure"):
            if not (np.isfinite(getattr(self, word)) and getattr(self, word) > 0.0):
                raise VehicleError(f"{word} of the sun must be positive", found=getattr(self, word))

    def light(self, planet: Planet, place: ArrayLike) -> FloatArray:
        """Visible part (...) of the sun's disk, 0 to 1: the overlap of two disks in the sky."""
        x = np.asarray(place, float)
        if self.shadow == "none":
            return np.ones(x.shape[:-1])
        if self.shadow == "cylinder":
            along = x @ self.direction
            off = np.linalg.norm(x - along[..., None] * self.direction, axis=-1)
            return np.where((along < 0.0) & (off < planet.radius), 0.0, 1.0)
        to_sun = self.distance * self.direction - x
        far, r = np.linalg.norm(to_sun, axis=-1), np.linalg.norm(x, axis=-1)
        a, b = np.arcsin(np.minimum(self.radius / far, 1.0)), np.arcsin(np.minimum(planet.radius / r, 1.0))
        c = np.arccos(np.clip(-np.sum(x * to_sun, axis=-1) / (r * far), -1.0, 1.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            cut = (c * c + a * a - b * b) / (2.0 * c)
            half = np.sqrt(np.maximum(a * a - cut * cut, 0.0))
            lens = a * a * np.arccos(np.clip(cut / a, -1, 1)) + b * b * np.arccos(np.clip((c - cut) / b, -1, 1))
            partial = 1.0 - (lens - c * half) / (np.pi * a * a)
        whole = np.where(b >= a, 0.0, 1.0 - (b / a) ** 2)
        return np.asarray(np.where(c >= a + b, 1.0, np.where(c <= np.abs(b - a), whole, partial)))


#: The Earth: EGM96's mu, equatorial radius and J2; the dipole of IGRF-13 for 2020 with Greenwich along x at t = 0; the density
#: at 400 km and the scale height there of the exponential atmosphere in [Vallado2013].
EARTH = Planet(
    mu=3.986004418e14,
    radius=6378137.0,
    j2=1.08262668e-3,
    turn_rate=7.2921159e-5,
    dipole=np.array([-1450.9e-9, 4652.5e-9, -29404.8e-9]),
    density=3.725e-12,
    density_altitude=400e3,
    scale_height=58515.0,
)
