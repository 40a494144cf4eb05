"""Hinge-connected bodies with rotors and flexible appendages: vehicle, engines, integration, trajectory, proof."""

from tisserand.multibody.joints import Joint, ball, fixed, gimbal, hinge, prismatic, universal
from tisserand.multibody.profiles import Profile
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Body, MountedAppendage, PrescribedMotion, Rotor, Vehicle

__all__ = [
    "Body", "Joint", "MountedAppendage", "PrescribedMotion", "Profile", "Rotor", "State", "Vehicle",
    "ball", "fixed", "gimbal", "hinge", "prismatic", "universal",
]
