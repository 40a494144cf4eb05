"""Axes that turn with an orbit, in which the fields of a circular one are constant.

Theory section 10: x along the local vertical, y along the track, z along the orbit normal; rate n about z.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.loads import Load
from tisserand.multibody.planet import Planet

#: An orbit this close to a circle is one.
UNEVEN = 1e-6


@dataclass(frozen=True, eq=False)
class OrbitAxes:
    """Orbiting (Hill) axes R at one epoch: rate n, rad/s; C_RN (3, 3), rows = R's axes in inertial axes."""

    rate: float
    C_RN: FloatArray

    @property
    def w_RN_R(self) -> FloatArray:
        """(3,) angular velocity of R in its own axes, rad/s."""
        return np.array([0.0, 0.0, self.rate])


def orbit_axes(loads: Sequence[Load], time: float = 0.0, motion: Sequence[FloatArray] = ()) -> OrbitAxes | None:
    """The orbiting axes that the fields among ``loads`` imply at ``time``; None without such a field.

    Two fields must agree on the orbit: their rates to 1e-9 and their axes to 1e-9 rad. ``motion``: position and velocity of the
    mass center, inertial axes, which give the orbit where the gravity of a planet acts.
    """
    found: OrbitAxes | None = None
    if motion and _planet(loads) is not None:
        x, v = motion
        h = np.cross(x, v)
        if not np.linalg.norm(h) > 0.0:
            return None
        e, z = x / np.linalg.norm(x), h / np.linalg.norm(h)
        found = OrbitAxes(float(np.linalg.norm(h) / (x @ x)), np.array([e, np.cross(z, e), z]))
    for load in loads:
        if load.environment is not None:
            continue
        if load.kind == "gradient":
            vertical, along = load.direction, load.extra
        elif load.kind == "magnetic" and load.orbit.any():
            vertical, along = load.orbit
        else:
            continue
        c, s = np.cos(load.rate * time), np.sin(load.rate * time)
        x = c * vertical + s * along
        y = c * along - s * vertical
        axes = OrbitAxes(load.rate, np.array([x, y, np.cross(x, y)]))
        if found is None:
            found = axes
        elif abs(axes.rate - found.rate) > 1e-9 * abs(found.rate) or np.abs(axes.C_RN - found.C_RN).max() > 1e-9:
            raise VehicleError(
                "two fields describe different orbits, so no axes exist in which both are constant",
                where=f"load {load.name}",
                found=f"rate {load.rate:g} rad/s, vertical {np.round(vertical, 6).tolist()}",
                advice="give all fields one orbit_rate, vertical and along",
            )
    return found


def _planet(loads: Sequence[Load]) -> Planet | None:
    """The planet whose gravity acts."""
    laws = (load.environment for load in loads)
    return next((law.planet for law in laws if law is not None and law.kind == "gravity"), None)


def _uneven_orbit(loads: Sequence[Load], motion: Sequence[FloatArray], time: float) -> list[str]:
    """Sentences about an orbit that is no steady motion: elliptic, or about an oblate planet but not in its equator."""
    planet = _planet(loads)
    notes: list[str] = []
    if planet is None or not motion:
        return notes
    x, v = motion
    r = float(np.linalg.norm(x))
    pull = float(-x @ planet.gravity(x)) / r
    uneven = max(abs(float(v @ v) / r / pull - 1.0), abs(float(x @ v)) / (r * float(np.linalg.norm(v)) + 1e-300))
    if uneven > UNEVEN:
        notes.append(
            f"the orbit is not circular (by {uneven:.2g}), so gravity changes along it; it is frozen at t = {time:g} s"
        )
    h = np.cross(x, v)
    if planet.j2 and np.linalg.norm(np.cross(h, planet.pole)) > UNEVEN * np.linalg.norm(h):
        notes.append(f"the oblateness of the planet acts along an inclined orbit; it is frozen at t = {time:g} s")
    return notes


def frozen_fields(
    loads: Sequence[Load], w_BN_R: FloatArray, axes: OrbitAxes | None, time: float, motion: Sequence[FloatArray] = ()
) -> tuple[str, ...]:
    """One sentence per field that a linear model must freeze because it changes along the orbit or seen from the vehicle.

    ``w_BN_R``: (3,) angular velocity of the base in orbiting axes, rad/s; ``motion``: as in ``orbit_axes``.
    """
    if axes is None:
        return ()
    notes = _uneven_orbit(loads, motion, time)
    for load in loads:
        law = load.environment
        if law is not None and law.kind != "gravity":
            what = {"magnetic": "the field", "drag": "the air", "light": "the light"}[law.kind]
            notes.append(f"{what} of load {load.name} is frozen at t = {time:g} s")
            continue
        if load.kind == "magnetic" and load.orbit.any():
            normal = np.cross(*load.orbit)
            across = load.extra - normal * (load.extra @ normal)
            if np.linalg.norm(across) > 1e-9 * np.linalg.norm(load.extra):
                notes.append(f"the field of load {load.name} varies along the orbit; it is frozen at t = {time:g} s")
    slip = float(np.linalg.norm(w_BN_R - axes.w_RN_R))
    if slip > 1e-6 * abs(axes.rate):
        notes.append(
            f"the base turns by {slip:.3g} rad/s relative to the orbiting axes, so the local vertical moves in it; "
            f"it is frozen at t = {time:g} s"
        )
    return tuple(notes)
