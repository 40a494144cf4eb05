"""The parts of a trajectory: the state, the motion of bodies, the forces inside, and how the run went.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from tisserand.arrays import FloatArray, frozen

Named = Mapping[str, FloatArray]


class Histories:
    """A part whose fields are arrays over n output times, mappings of such arrays by name, or texts."""

    def __post_init__(self) -> None:
        for item in fields(self):  # type: ignore[arg-type]
            value = getattr(self, item.name)
            if isinstance(value, Mapping):
                value = MappingProxyType({name: frozen(history) for name, history in value.items()})
            elif not isinstance(value, tuple):
                value = frozen(value)
            object.__setattr__(self, item.name, value)

    def each(self, change: Callable[[FloatArray], FloatArray]) -> Self:
        """The same part with every history changed, as by taking some of its rows."""
        made: dict[str, Any] = {}
        for item in fields(self):  # type: ignore[arg-type]
            value = getattr(self, item.name)
            if isinstance(value, Mapping):
                value = {name: change(history) for name, history in value.items()}
            elif isinstance(value, np.ndarray):
                value = change(value)
            made[item.name] = value
        return type(self)(**made)


@dataclass(frozen=True, eq=False, kw_only=True)
class StateHistories(Histories):
    """Coordinates and speeds over n output times: what a run can go on from.

    position, velocity (n, 3): origin of the base, inertial axes, m, m/s; attitude (n, 4): scalar first, base to inertial;
    angular_velocity (n, 3): base axes, rad/s. joints, joint_rates, modal, modal_rates, controllers: name -> (n, k);
    rotor_angles, rotor_rates: name -> (n,), rad, rad/s.
    """

    position: FloatArray
    attitude: FloatArray
    velocity: FloatArray
    angular_velocity: FloatArray
    joints: Named
    joint_rates: Named
    modal: Named
    modal_rates: Named
    rotor_angles: Named
    rotor_rates: Named
    controllers: Named


@dataclass(frozen=True, eq=False, kw_only=True)
class MotionHistories(Histories):
    """Motion that an engine finds at n output times for b bodies, inertial axes.

    bodies (b): names; rotation (n, b, 3, 3): body to inertial; origin, origin_velocity, rate, origin_acceleration,
    angular_acceleration (n, b, 3): m, m/s, rad/s, m/s², rad/s²; modal_accelerations: appendage -> (n, k).
    """

    bodies: tuple[str, ...]
    rotation: FloatArray
    origin: FloatArray
    origin_velocity: FloatArray
    rate: FloatArray
    origin_acceleration: FloatArray
    angular_acceleration: FloatArray
    modal_accelerations: Named


@dataclass(frozen=True, eq=False, kw_only=True)
class ForceHistories(Histories):
    """Forces that an engine finds at n output times.

    joint_force, joint_torque_vector: joint -> (n, 3) on the child at the joint, inertial axes, N, N m (the reaction of a held
    base under the base's name); joint_effort: joint -> (n, k) about its axes, N m or N; load_strength: load -> (n,);
    loop_force: loop -> (n, rows), N and N m; loop_drift: loop -> (n, 2) residual, m, and rate, m/s, that the steps since the
    output before had left for projections to correct.
    """

    joint_force: Named
    joint_torque_vector: Named
    joint_effort: Named
    load_strength: Named
    loop_force: Named = field(default_factory=dict)
    loop_drift: Named = field(default_factory=dict)


@dataclass(frozen=True)
class StepStatistics:
    """How the integrator worked."""

    method: str
    steps: int = 0
    rejected: int = 0
    calls: int = 0
    smallest_step: float = 0.0
    wall_seconds: float = 0.0


@dataclass(frozen=True)
class EventRecord:
    """An event at ``time``, s."""

    name: str
    time: float


@dataclass(frozen=True, eq=False, kw_only=True)
class RunOutcome:
    """How a run went: statistics of its steps; complete, or stopped for ``reason``; events, warnings in words, settings."""

    statistics: StepStatistics
    complete: bool = True
    reason: str = ""
    events: tuple[EventRecord, ...] = ()
    warnings: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))


#: Parts of a trajectory by their names in it, and the part that has a field.
PARTS = {"coordinates": StateHistories, "motion": MotionHistories, "forces": ForceHistories, "outcome": RunOutcome}
PART_OF = {item.name: part for part, kind in PARTS.items() for item in fields(kind)}


def parts_from(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by field name, of parts or of the trajectory itself, as keywords of ``Trajectory``."""
    made: dict[str, Any] = {word: value for word, value in values.items() if word not in PART_OF}
    for part, kind in PARTS.items():
        made[part] = kind(**{word: value for word, value in values.items() if PART_OF.get(word) == part})
    return made


#: Arrays over the output times, and mappings of such arrays by name, in the order of files.
ARRAYS = (
    "times",
    "position",
    "attitude",
    "velocity",
    "angular_velocity",
    "rotation",
    "origin",
    "origin_velocity",
    "rate",
    "origin_acceleration",
    "angular_acceleration",
)
MAPPINGS = (
    "joints",
    "joint_rates",
    "modal",
    "modal_rates",
    "modal_accelerations",
    "rotor_angles",
    "rotor_rates",
    "controllers",
    "joint_force",
    "joint_torque_vector",
    "joint_effort",
    "signals",
    "load_strength",
    "loop_force",
    "loop_drift",
)
