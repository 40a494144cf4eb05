"""What the ``likins`` engine finds at a state, by the names of the vehicle.

References: S1 Eqs 10, 11, 15, 33-54; theory section 16.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tisserand.arrays import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Accelerations:
    """Accelerations and joint loads at a state.

    velocity (3,) m/s²: origin of the base, inertial axes; angular_velocity (3,) rad/s²: base axes; joints, modal, rotors: by
    name; joint_forces, joint_torques: by joint name (3,), applied to the child, N, N m about the hinge point, inertial axes;
    joint_drives: by joint name, torque along each axis (motor, spring, damper, or what a prescribed motion needs); origins
    (bodies of the tree, 3) m/s² and body_rates (bodies, 3) rad/s²: acceleration of the origin and angular acceleration of every
    body, inertial axes (Eq 54).
    """

    velocity: FloatArray
    angular_velocity: FloatArray
    joints: Mapping[str, FloatArray]
    modal: Mapping[str, FloatArray]
    rotors: Mapping[str, float]
    joint_forces: Mapping[str, FloatArray]
    joint_torques: Mapping[str, FloatArray]
    joint_drives: Mapping[str, FloatArray]
    origins: FloatArray
    body_rates: FloatArray


@dataclass(frozen=True, eq=False)
class Bookkeeping:
    """Energy and momenta of the vehicle in inertial axes, all degrees kept.

    kinetic, potential J (springs, strain, uniform gravity); linear (3,) N s, angular (3,) N m s about the inertial origin; mass
    kg; center (3,) m: mass center of the vehicle.
    """

    kinetic: float
    potential: float
    linear: FloatArray
    angular: FloatArray
    mass: float
    center: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Poses:
    """Bodies of the tree in inertial axes.

    rotation (bodies, 3, 3): body to inertial; origin (bodies, 3) m; velocity of the origin (bodies, 3) m/s; rate (bodies, 3)
    rad/s.
    """

    rotation: FloatArray
    origin: FloatArray
    velocity: FloatArray
    rate: FloatArray
