"""Every history of a trajectory under its own name, whichever part holds it.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tisserand.arrays import FloatArray
from tisserand.multibody.trajectory_parts import (
    EventRecord,
    ForceHistories,
    MotionHistories,
    Named,
    RunOutcome,
    StateHistories,
    StepStatistics,
)


class NamedHistories:
    """Fields of the parts of a trajectory, over its n output times."""

    coordinates: StateHistories
    motion: MotionHistories
    forces: ForceHistories
    outcome: RunOutcome

    @property
    def position(self) -> FloatArray:
        """Origin of the base (n, 3), inertial axes, m."""
        return self.coordinates.position

    @property
    def attitude(self) -> FloatArray:
        """Attitude of the base (n, 4), scalar first, base to inertial."""
        return self.coordinates.attitude

    @property
    def velocity(self) -> FloatArray:
        """Velocity of the origin of the base (n, 3), inertial axes, m/s."""
        return self.coordinates.velocity

    @property
    def angular_velocity(self) -> FloatArray:
        """Angular velocity of the base (n, 3), base axes, rad/s."""
        return self.coordinates.angular_velocity

    @property
    def joints(self) -> Named:
        """Coordinates of joints: name -> (n, k), rad or m; four of a quaternion for balls."""
        return self.coordinates.joints

    @property
    def joint_rates(self) -> Named:
        """Speeds of joints: name -> (n, k), rad/s or m/s."""
        return self.coordinates.joint_rates

    @property
    def modal(self) -> Named:
        """Modal coordinates: appendage -> (n, k)."""
        return self.coordinates.modal

    @property
    def modal_rates(self) -> Named:
        """Modal rates: appendage -> (n, k)."""
        return self.coordinates.modal_rates

    @property
    def rotor_angles(self) -> Named:
        """Angles of rotors: name -> (n,), rad."""
        return self.coordinates.rotor_angles

    @property
    def rotor_rates(self) -> Named:
        """Rates of rotors: name -> (n,), rad/s."""
        return self.coordinates.rotor_rates

    @property
    def controllers(self) -> Named:
        """States of controllers: name -> (n, k)."""
        return self.coordinates.controllers

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the b bodies, floating appendages and imaginary bodies."""
        return self.motion.bodies

    @property
    def rotation(self) -> FloatArray:
        """Attitudes of bodies (n, b, 3, 3), body to inertial."""
        return self.motion.rotation

    @property
    def origin(self) -> FloatArray:
        """Origins of bodies (n, b, 3), inertial axes, m."""
        return self.motion.origin

    @property
    def origin_velocity(self) -> FloatArray:
        """Velocities of origins (n, b, 3), inertial axes, m/s."""
        return self.motion.origin_velocity

    @property
    def rate(self) -> FloatArray:
        """Angular velocities of bodies (n, b, 3), inertial axes, rad/s."""
        return self.motion.rate

    @property
    def origin_acceleration(self) -> FloatArray:
        """Accelerations of origins (n, b, 3), inertial axes, m/s²."""
        return self.motion.origin_acceleration

    @property
    def angular_acceleration(self) -> FloatArray:
        """Angular accelerations of bodies (n, b, 3), inertial axes, rad/s²."""
        return self.motion.angular_acceleration

    @property
    def modal_accelerations(self) -> Named:
        """Modal accelerations: appendage -> (n, k)."""
        return self.motion.modal_accelerations

    @property
    def joint_force(self) -> Named:
        """Force on the child at each joint: name -> (n, 3), inertial axes, N; a held base under its own name."""
        return self.forces.joint_force

    @property
    def joint_torque_vector(self) -> Named:
        """Torque on the child at each joint: name -> (n, 3), inertial axes, N m."""
        return self.forces.joint_torque_vector

    @property
    def joint_effort(self) -> Named:
        """Effort about the axes of each joint: name -> (n, k), N m or N."""
        return self.forces.joint_effort

    @property
    def load_strength(self) -> Named:
        """Strengths of loads: name -> (n,)."""
        return self.forces.load_strength

    @property
    def loop_force(self) -> Named:
        """Forces of loops: name -> (n, rows), N and N m."""
        return self.forces.loop_force

    @property
    def loop_drift(self) -> Named:
        """Residual, m, and rate, m/s, of loops before projections: name -> (n, 2)."""
        return self.forces.loop_drift

    @property
    def statistics(self) -> StepStatistics:
        """Statistics of the steps taken."""
        return self.outcome.statistics

    @property
    def complete(self) -> bool:
        """False when the run stopped early, for ``reason``."""
        return self.outcome.complete

    @property
    def reason(self) -> str:
        """Why the run stopped early."""
        return self.outcome.reason

    @property
    def events(self) -> tuple[EventRecord, ...]:
        """Events that happened."""
        return self.outcome.events

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings in words."""
        return self.outcome.warnings

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings of the run."""
        return self.outcome.settings
