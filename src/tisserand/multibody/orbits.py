"""Orbital elements: the state of a vehicle from its orbit, and the orbit of a state.

References: theory section 10; [Vallado2013].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.attitude import euler_parameters
from tisserand.multibody.planet import EARTH, Planet

#: Below this eccentricity or inclination, rad, an orbit is circular or equatorial: its perigee or node is then along x.
ROUND = 1e-11


@checked_arguments
@dataclass(frozen=True, kw_only=True)
class Orbit:
    """An elliptic orbit about a planet at the inertial origin; node and inclination are those of its pole.

    Attributes:
        semi_major_axis: m.
        eccentricity: from 0 to below 1.
        inclination: to the equator, rad.
        node: right ascension of the ascending node, rad, from the inertial x axis (its part across the pole).
        perigee: argument of perigee, rad; from the node.
        anomaly: true anomaly, rad; from perigee.
    """

    semi_major_axis: float
    eccentricity: float = 0.0
    inclination: float = 0.0
    node: float = 0.0
    perigee: float = 0.0
    anomaly: float = 0.0

    def __post_init__(self) -> None:
        values = (self.semi_major_axis, self.eccentricity, self.inclination, self.node, self.perigee, self.anomaly)
        if not np.isfinite(values).all():
            raise VehicleError("orbital elements must be finite", found=list(values))
        if not self.semi_major_axis > 0.0:
            raise VehicleError("the semi-major axis must be positive", found=self.semi_major_axis)
        if not 0.0 <= self.eccentricity < 1.0:
            raise VehicleError("the eccentricity of an elliptic orbit lies from 0 to below 1", found=self.eccentricity)

    def rate(self, planet: Planet = EARTH) -> float:
        """Mean motion sqrt(mu/a³), rad/s."""
        return float(np.sqrt(planet.mu / self.semi_major_axis**3))

    def state(self, planet: Planet = EARTH) -> tuple[FloatArray, FloatArray]:
        """Position (3,) m and velocity (3,) m/s, inertial axes."""
        a, e, f = self.semi_major_axis, self.eccentricity, self.anomaly
        p = a * (1.0 - e * e)
        r = p / (1.0 + e * np.cos(f))
        speed = np.sqrt(planet.mu / p)
        C = equator(planet) @ _turn(self.node, 2) @ _turn(self.inclination, 0) @ _turn(self.perigee, 2)
        place = np.array([r * np.cos(f), r * np.sin(f), 0.0])
        velocity = speed * np.array([-np.sin(f), e + np.cos(f), 0.0])
        return np.asarray(C @ place), np.asarray(C @ velocity)

    def after(self, time: float, planet: Planet = EARTH) -> Orbit:
        """The orbit a time later, s, on Kepler's ellipse: only the anomaly changes."""
        e = self.eccentricity
        half = np.sqrt((1.0 - e) / (1.0 + e)) * np.tan(0.5 * self.anomaly)
        E = 2.0 * np.arctan(half)
        mean = E - e * np.sin(E) + self.rate(planet) * time
        E = mean + e * np.sin(mean)
        for _ in range(50):
            step = (E - e * np.sin(E) - mean) / (1.0 - e * np.cos(E))
            E -= step
            if abs(step) < 1e-15 * max(1.0, abs(mean)):
                break
        f = np.arctan2(np.sqrt(1.0 - e * e) * np.sin(E), np.cos(E) - e)
        return Orbit(
            semi_major_axis=self.semi_major_axis, eccentricity=e, inclination=self.inclination, node=self.node,
            perigee=self.perigee, anomaly=float(f),
        )  # fmt: skip

    def secular_rates(self, planet: Planet = EARTH) -> tuple[float, float]:
        """Mean rates of the node and of perigee that J2 causes to first order, rad/s.

        node' = -3/2 n J2 (R/p)² cos i;  perigee' = 3/4 n J2 (R/p)² (5 cos² i - 1).
        """
        p = self.semi_major_axis * (1.0 - self.eccentricity**2)
        size = self.rate(planet) * planet.j2 * (planet.radius / p) ** 2
        c = np.cos(self.inclination)
        return float(-1.5 * size * c), float(0.75 * size * (5.0 * c * c - 1.0))


def _turn(angle: float, axis: int) -> FloatArray:
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    C = np.eye(3)
    C[i, i] = C[j, j] = c
    C[i, j], C[j, i] = -s, s
    return C


@checked_arguments
def equator(planet: Planet) -> FloatArray:
    """Columns: the x axis of the equator (the inertial x, or y, across the pole), the next, and the pole.

    Args:
        planet: with its pole.
    """
    z = planet.pole
    across = np.array([1.0, 0.0, 0.0]) if abs(z[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    x = across - z * (z @ across)
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


@checked_arguments
def orbit_of(position: ArrayLike, velocity: ArrayLike, planet: Planet = EARTH) -> Orbit:
    """Osculating elements of a position (3,) m and velocity (3,) m/s; one that is not elliptic raises VehicleError.

    A circular orbit has its perigee at the node, an equatorial one its node along x.

    Args:
        planet: at the inertial origin.
    """
    x, v = np.asarray(position, float), np.asarray(velocity, float)
    r = float(np.linalg.norm(x))
    energy = 0.5 * float(v @ v) - planet.mu / r
    h = np.cross(x, v)
    if not (energy < 0.0 and np.linalg.norm(h) > 0.0):
        raise VehicleError("the orbit is not an ellipse", found=f"energy {energy:.4g} J/kg")
    e = np.cross(v, h) / planet.mu - x / r
    C = equator(planet)
    x, h, e = C.T @ x, C.T @ h, C.T @ e
    n = np.array([-h[1], h[0], 0.0])
    tilted = np.linalg.norm(n) > ROUND * np.linalg.norm(h)
    n = n / np.linalg.norm(n) if tilted else np.array([1.0, 0.0, 0.0])
    size = float(np.linalg.norm(e))
    apse = e / size if size > ROUND else n
    normal = h / np.linalg.norm(h)

    def angle(first: FloatArray, second: FloatArray) -> float:
        return float(np.arctan2(normal @ np.cross(first, second), first @ second) % (2.0 * np.pi))

    return Orbit(
        semi_major_axis=-0.5 * planet.mu / energy,
        eccentricity=size if size > ROUND else 0.0,
        inclination=float(np.arctan2(np.hypot(h[0], h[1]), h[2])),
        node=float(np.arctan2(n[1], n[0]) % (2.0 * np.pi)),
        perigee=angle(n, apse),
        anomaly=angle(apse, x),
    )


@checked_arguments
def orbit_attitude(position: ArrayLike, velocity: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Orbiting axes: quaternion (4,), scalar first, to inertial axes, and their rate (3,) rad/s in these axes.

    x along the local vertical, y along the track, z along the orbit normal, as in theory section 10.

    Args:
        position: (3,) m.
        velocity: (3,) m/s.
    """
    x, v = np.asarray(position, float), np.asarray(velocity, float)
    h = np.cross(x, v)
    size = float(np.linalg.norm(h))
    if not (np.isfinite(size) and size > 0.0):
        raise VehicleError("position and velocity do not define an orbit plane", found=[*x.tolist(), *v.tolist()])
    e, z = x / np.linalg.norm(x), h / size
    C_NR = np.column_stack([e, np.cross(z, e), z])
    return euler_parameters(C_NR), np.array([0.0, 0.0, size / float(x @ x)])
