"""Sloshing liquid as a rigid part and pendulums or spring masses, from the geometry of a tank and its fill.

Small lateral motion of an ideal liquid in an upright cylinder or a sphere under a steady acceleration along the tank's -z axis:
each mode of the free surface acts like a pendulum (or a mass on springs), the rest like a rigid body that does not turn with the
tank about its axis. The cylinder has closed forms. The sphere is solved with harmonic polynomials: the energy of a velocity
potential against its square on the free surface is stationary where walls and surface keep their conditions.

Not covered: damping (given, not computed), low gravity, baffles, large amplitudes. Reference: theory section 14; [Abramson1966],
[Dodge2000].
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, frozen
from tisserand.errors import VehicleError
from tisserand.multibody.joints import Joint, fixed, prismatic, universal
from tisserand.multibody.vehicle import Body, Vehicle

SloshModel = Literal["pendulum", "spring"]
#: Terms of the series of the inertia of a cylinder under a lid; what follows is below 1e-12 of it.
TERMS = 2000
#: Degrees of the harmonic polynomials and multipoles in a sphere, points of quadrature, smallest part of one that still counts.
DEGREE, POLES, POINTS, RANK = 45, 30, 200, 1e-13
#: Most modes of a cylinder, which has closed forms, and of a sphere: frequencies of the first six are converged to 2e-4 at a
#: depth of 0.9 of the diameter, to 1e-3 at 0.97 and to 5e-3 at the fullest; of the tenth to 1e-3 at 0.9, 4 % at the fullest.
MOST, MOST_OF_SPHERE = 20, 6


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class SloshParameters:
    """Mechanical equivalent of the liquid in a tank; heights above the lowest point of the tank, m.

    Attributes:
        mass: of the liquid, kg.
        center: height of its mass center.
        depth: of the liquid, m.
        rigid_mass: m0, kg: what does not belong to a mode that is kept.
        rigid_height: of the mass center of m0.
        rigid_inertia: I0, about that center and across the axis of the tank, kg m².
        masses: (n,) of the modes, kg.
        heights: (n,) of the bobs or spring masses at rest.
        lengths: (n,) of the pendulums, m: acceleration over the square of the natural frequency.
    """

    mass: float
    center: float
    depth: float
    rigid_mass: float
    rigid_height: float
    rigid_inertia: float
    masses: FloatArray
    heights: FloatArray
    lengths: FloatArray

    def rates(self, acceleration: float) -> FloatArray:
        """Natural frequencies (n,) rad/s with the tank held, under an acceleration, m/s²."""
        return np.sqrt(acceleration / self.lengths)


@checked_arguments
def cylinder(radius: float, depth: float, mass: float, modes: int = 1) -> SloshParameters:
    """An upright circular cylinder, filled to a depth.

    Args:
        radius: m.
        depth: of the liquid, m.
        mass: of the liquid, kg.
        modes: how many are kept.
    """
    _positive("cylinder", radius=radius, depth=depth, mass=mass)
    from scipy.special import jnp_zeros

    zeros = jnp_zeros(1, max(TERMS, _count(modes)))
    every = zeros * depth / radius
    share = 2.0 * radius * np.tanh(every) / (zeros * (zeros**2 - 1.0) * depth)
    series = float(np.sum(np.tanh(0.5 * every) / (zeros**3 * (zeros**2 - 1.0))))
    lid = mass * (depth**2 / 12.0 - 0.75 * radius**2 + 16.0 * radius**3 / depth * series)
    xi = zeros[:modes]
    m = mass * share[:modes]
    z = 0.5 * depth - 2.0 * radius / xi * np.tanh(0.5 * every[:modes])  # from the mass center of the liquid
    rest = mass - float(m.sum())
    z0 = -float(m @ z) / rest
    return SloshParameters(
        mass=mass, center=0.5 * depth, depth=depth, rigid_mass=rest, rigid_height=0.5 * depth + z0,
        rigid_inertia=max(lid - rest * z0**2 - float(m @ z**2), 0.0), masses=frozen(m), heights=frozen(0.5 * depth + z),
        lengths=frozen(radius / (xi * np.tanh(every[:modes]))),
    )  # fmt: skip


#: Depths of a sphere over its diameter between which the modes are right. Empty: rounding in ``1 - level²`` leaves 1e-10 of the
#: frequency at 1e-6, and ten times more at a tenth of it. Full: halving the error by more polynomials and multipoles changes
#: the frequency by 2e-4 at 1 - 1e-4 (1e-4 at 1 - 1e-3); only 4e-6 of the liquid sloshes there, and the frequency is within 0.3 %
#: of that of a small hole in a lid on infinitely deep water, w² a/g = 2.75475 (a: its radius).
EMPTY, FULL = 1e-6, 1.0 - 1e-4
#: Modes of a sphere that are told apart; the mass center of all parts then is that of the liquid to 1e-11 of the radius.
TOLD_APART = 20


@checked_arguments
def sphere(radius: float, depth: float, mass: float, modes: int = 1) -> SloshParameters:
    """A sphere, filled to a depth: every pendulum hinges at its center, where the rest of the liquid acts.

    Args:
        radius: m.
        depth: of the liquid at its deepest, m.
        mass: of the liquid, kg.
        modes: how many are kept, at most 6.
    """
    _positive("sphere", radius=radius, depth=depth, mass=mass)
    if not depth < 2.0 * radius:
        raise VehicleError(
            "the liquid is deeper than its spherical tank", found=f"{depth:g} m", expected=f"less than {2 * radius:g} m"
        )
    filled = depth / (2.0 * radius)
    if not EMPTY <= filled <= FULL:
        raise VehicleError(
            "the sphere is too empty or too full for slosh", found=f"depth {filled:.3g} of its diameter",
            expected=f"{EMPTY:g} to {FULL:g}", advice="a full tank is a rigid body; a film has no such modes",
        )  # fmt: skip
    _count(modes, MOST_OF_SPHERE)
    values, share = _cap_modes(depth / radius)
    kept = slice(0, TOLD_APART)  # the following ones count as rigid where their bobs hang
    lengths, m = radius / values[kept], mass * share[kept]
    still = mass - float(m.sum())
    bobs = radius - lengths
    rest = mass - float(m[:modes].sum())
    z0 = (still * radius + float(m[modes:] @ bobs[modes:])) / rest
    inertia = still * (radius - z0) ** 2 + float(m[modes:] @ (bobs[modes:] - z0) ** 2)
    center = radius - 0.75 * (2.0 * radius - depth) ** 2 / (3.0 * radius - depth)
    return SloshParameters(
        mass=mass, center=center, depth=depth, rigid_mass=rest, rigid_height=z0, rigid_inertia=inertia,
        masses=frozen(m[:modes]), heights=frozen(bobs[:modes]), lengths=frozen(lengths[:modes]),
    )  # fmt: skip


def _cap_modes(depth: float) -> tuple[FloatArray, FloatArray]:
    """Frequencies w² R/g and masses m_n/m of a sphere of radius 1 filled to a depth.

    Potentials r^l P_l^1(cos) cos(angle) about a point inside, and r^-(l+1) P_l^1 cos(angle) about a point as far above the
    surface as that is wide, without which a small surface is not resolved: K = int |grad phi|² dV = int phi dphi/dn dS,
    M = int phi² dS on the surface, K a = lambda M a, m_n = rho lambda (int x phi dS)² / int phi² dS.
    """
    from scipy.linalg import eigh

    level = depth - 1.0
    rim = np.sqrt(1.0 - level**2)
    middle, size = 0.5 * (level - 1.0), max(rim if level < 0.0 else 1.0, 0.5 * depth)
    x, w = np.polynomial.legendre.leggauss(POINTS)
    r, arc = 0.5 * rim * (x + 1.0), 0.5 * np.arccos(-level) * (x + 1.0)
    on_surface = 0.5 * rim * w * r * np.pi
    on_wall = 0.5 * np.arccos(-level) * w * np.sin(arc) * np.pi
    (phi, _, up), (wall, wall_out, wall_up) = (
        [np.vstack(both) for both in zip(_harmonics(*at, middle, size), _multipoles(*at, level + rim, rim))]
        for at in ((r, np.full_like(r, level)), (np.sin(arc), -np.cos(arc)))
    )
    M = (phi * on_surface) @ phi.T
    K = (phi * on_surface) @ up.T + (wall * on_wall) @ (wall_out * np.sin(arc) - wall_up * np.cos(arc)).T
    scale = 1.0 / np.sqrt(np.diag(K))
    values, vectors = eigh(0.5 * (K + K.T) * scale[:, None] * scale)
    kept = values > RANK * values[-1]
    basis = scale[:, None] * vectors[:, kept] / np.sqrt(values[kept])
    squares, shapes = eigh(basis.T @ M @ basis)
    shapes, squares = (basis @ shapes)[:, ::-1], squares[::-1]
    moments = (phi * (on_surface * r)).sum(axis=1) @ shapes
    volume = np.pi * depth**2 * (3.0 - depth) / 3.0
    return 1.0 / squares, moments**2 / (squares**2 * volume)


def _harmonics(
    r: FloatArray, z: FloatArray, middle: float, size: float, degree: int = DEGREE
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Potentials (degree, n) of one wave around the axis at radii r and heights z, and their slopes along r and z."""
    a, b = r / size, (z - middle) / size
    square = a * a + b * b
    found = np.zeros((degree + 1, len(r)))
    found[1] = a
    for k in range(2, degree + 1):
        found[k] = ((2 * k - 1) * b * found[k - 1] - k * square * found[k - 2]) / (k - 1)
    order = np.arange(1, degree + 1)[:, None]
    up = (order + 1) * found[:-1] / size
    out = (order * found[1:] - b * size * up) / r
    return found[1:], out, up


def _multipoles(r: FloatArray, z: FloatArray, middle: float, size: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Likewise (POLES, n), falling with the distance from a point of the axis outside the liquid: h / s^(2l+1)."""
    inner, out, up = _harmonics(r, z, middle, size, POLES)
    a, b = r / size, (z - middle) / size
    square = a * a + b * b
    order = 2 * np.arange(1, POLES + 1)[:, None] + 1
    fall = square ** (-0.5 * order)
    turn = order * inner / (square * size)
    return inner * fall, (out - a * turn) * fall, (up - b * turn) * fall


def _positive(what: str, **values: float) -> None:
    for word, value in values.items():
        if not (np.isfinite(value) and value > 0.0):
            raise VehicleError(f"{word} of a tank must be positive", where=what, found=value)


def _count(modes: int, most: int = MOST) -> int:
    if not 1 <= modes <= most:
        raise VehicleError("the number of slosh modes is out of range", found=modes, expected=f"1 to {most}")
    return modes


@checked_arguments
def with_tank(
    vehicle: Vehicle,
    name: str,
    body: str,
    liquid: SloshParameters,
    *,
    position: ArrayLike = (0.0, 0.0, 0.0),
    attitude: ArrayLike = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    model: SloshModel = "pendulum",
    acceleration: float = 9.80665,
    damping: float = 0.0,
) -> Vehicle:
    """The vehicle with a liquid: bodies ``NAME.rigid`` and ``NAME.1``, ..., on joints of the same names.

    A pendulum swings about two axes in whatever acceleration the vehicle has. A spring mass slides along two axes (joints
    ``NAME.1.x`` and ``NAME.1.y``) with the stiffness of the stated acceleration, which must act in the run, too.

    Args:
        vehicle: without the liquid.
        name: of the liquid.
        body: that carries the tank.
        liquid: of ``cylinder`` or ``sphere``.
        position: lowest point of the tank, m, body axes.
        attitude: (3, 3) from tank axes (z upward, against the acceleration) to body axes.
        model: ``pendulum`` or ``spring``.
        acceleration: m/s², for spring stiffness and damping.
        damping: ratio of every mode.
    """
    place, axes = np.asarray(position, float), np.asarray(attitude, float)
    _positive(f"tank {name}", acceleration=acceleration)
    if not (np.isfinite(damping) and damping >= 0.0):
        raise VehicleError("the damping of a tank must not be negative", where=f"tank {name}", found=damping)
    if axes.shape != (3, 3) or np.abs(axes.T @ axes - np.eye(3)).max() > 1e-6:
        raise VehicleError("the attitude of a tank must be a rotation matrix", where=f"tank {name}")
    I0 = liquid.rigid_inertia
    bodies = [Body(f"{name}.rigid", liquid.rigid_mass, inertia=axes @ np.diag([I0, I0, 0.0]) @ axes.T)]
    at_rest = place + axes @ [0.0, 0.0, liquid.rigid_height]
    joints: list[Joint] = [fixed(f"{name}.rigid", body, f"{name}.rigid", parent_point=at_rest)]
    for i, (m, height, length) in enumerate(zip(liquid.masses, liquid.heights, liquid.lengths), start=1):
        one, w = f"{name}.{i}", float(np.sqrt(acceleration / length))
        bodies.append(Body(one, float(m)))
        if model == "pendulum":
            hinge_point = place + axes @ [0.0, 0.0, height + length]
            swing: dict[str, Any] = {"damping": [2.0 * damping * w * m * length**2] * 2}
            arm = -axes @ [0.0, 0.0, -length]
            joints.append(universal(one, body, one, axes[:, :2].T, parent_point=hinge_point, child_point=arm, **swing))
            continue
        law: dict[str, Any] = {"stiffness": float(m * w**2), "damping": float(2.0 * damping * w * m)}
        bodies.append(Body(f"{one}.x", 0.0))
        start = place + axes @ [0.0, 0.0, height]
        joints.append(prismatic(f"{one}.x", body, f"{one}.x", axes[:, 0], parent_point=start, **law))
        joints.append(prismatic(f"{one}.y", f"{one}.x", one, axes[:, 1], **law))
    return replace(vehicle, bodies=(*vehicle.bodies, *bodies), joints=(*vehicle.joints, *joints), base=vehicle.base)
