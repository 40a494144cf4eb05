"""Hinge-connected bodies with rotors and flexible appendages: vehicle, engines, integration, trajectory, proof."""

from tisserand.multibody import controllers, loads, profiles, signals
from tisserand.multibody.controllers import LinearController, SampledController
from tisserand.multibody.events import Event
from tisserand.multibody.joints import Joint, ball, fixed, gimbal, hinge, prismatic, universal
from tisserand.multibody.loads import Load
from tisserand.multibody.profiles import Profile
from tisserand.multibody.run_file import joined, load_trajectory, save_trajectory
from tisserand.multibody.signals import Signal
from tisserand.multibody.simulation import Simulation, simulate
from tisserand.multibody.state import State
from tisserand.multibody.trajectory import BalanceSheet, EventRecord, StepStatistics, Trajectory
from tisserand.multibody.vehicle import Body, MountedAppendage, PrescribedMotion, Rotor, Vehicle

__all__ = [
    "BalanceSheet", "Body", "Event", "EventRecord", "Joint", "LinearController", "Load", "MountedAppendage", "PrescribedMotion",
    "Profile", "Rotor", "SampledController", "Signal", "Simulation", "State", "StepStatistics", "Trajectory", "Vehicle", "ball",
    "controllers", "fixed", "gimbal", "hinge", "joined", "load_trajectory", "loads", "prismatic", "profiles", "save_trajectory", "signals", "simulate", "universal",
]
