"""Hinge-connected bodies with rotors and flexible appendages: vehicle, engines, integration, trajectory, proof.

Reference: theory section 5.
"""

from tisserand.multibody import (
    attitude,
    controllers,
    environment,
    force_elements,
    latches,
    loads,
    loops,
    orbits,
    profiles,
    signals,
    slosh,
)
from tisserand.multibody.absorbing import absorb
from tisserand.multibody.audit import audit, nodal_audit, recompute
from tisserand.multibody.balance_sheet import BalanceSheet
from tisserand.multibody.centered import centered
from tisserand.multibody.compiled_law import CompiledLaw
from tisserand.multibody.controllers import LinearController, SampledController
from tisserand.multibody.equilibrium import SteadyState, steady_state
from tisserand.multibody.events import Event
from tisserand.multibody.joints import (
    Joint,
    ball,
    cylindrical,
    fixed,
    free_joint,
    gimbal,
    hinge,
    prismatic,
    slider,
    universal,
)
from tisserand.multibody.linear import LinearModel, linearize
from tisserand.multibody.loads import Load
from tisserand.multibody.loop_projection import assembled
from tisserand.multibody.moments import mass_moments
from tisserand.multibody.profiles import Profile
from tisserand.multibody.run_file import joined, load_trajectory, save_trajectory
from tisserand.multibody.run_frames import FrameMotion, floating_frames, reexpress
from tisserand.multibody.sensor_errors import SensorErrors
from tisserand.multibody.signals import Signal
from tisserand.multibody.simulation import Simulation, simulate
from tisserand.multibody.state import State
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.trajectory_parts import EventRecord, StepStatistics
from tisserand.multibody.vehicle import Body, BodyFrame, MountedAppendage, PrescribedMotion, Rotor, Vehicle
from tisserand.multibody.vehicle_modes import SystemModes, system_modes
from tisserand.multibody.wheels import ReactionWheel, reaction_wheel

__all__ = [
    "BalanceSheet",
    "Body",
    "BodyFrame",
    "CompiledLaw",
    "Event",
    "EventRecord",
    "FrameMotion",
    "Joint",
    "LinearController",
    "LinearModel",
    "Load",
    "MountedAppendage",
    "PrescribedMotion",
    "Profile",
    "ReactionWheel",
    "Rotor",
    "SampledController",
    "SensorErrors",
    "Signal",
    "Simulation",
    "State",
    "SteadyState",
    "StepStatistics",
    "SystemModes",
    "Trajectory",
    "Vehicle",
    "absorb",
    "assembled",
    "attitude",
    "audit",
    "ball",
    "centered",
    "controllers",
    "cylindrical",
    "environment",
    "fixed",
    "floating_frames",
    "force_elements",
    "free_joint",
    "gimbal",
    "hinge",
    "joined",
    "latches",
    "linearize",
    "load_trajectory",
    "loads",
    "loops",
    "mass_moments",
    "nodal_audit",
    "orbits",
    "prismatic",
    "profiles",
    "reaction_wheel",
    "recompute",
    "reexpress",
    "save_trajectory",
    "signals",
    "simulate",
    "slider",
    "slosh",
    "steady_state",
    "system_modes",
    "universal",
]
