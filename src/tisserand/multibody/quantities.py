"""Units of what a run records by name: joints, modal coordinates, signals, commands and loads.

They travel with the run (``settings["units"]``), so that a run read from a file still knows them.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tisserand.multibody.controllers import Controller
from tisserand.multibody.force_elements import plain_loads
from tisserand.multibody.joints import coordinate_units, effort_units, speed_units
from tisserand.multibody.loads import Load
from tisserand.multibody.measurements import unit_of
from tisserand.multibody.signals import Signal
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import Vehicle

#: Unit of each kind of signal that does not depend on its joint. The user defines units of profiles, inputs and modal sums.
SIGNAL_UNITS = {
    "profile": "as given", "profile_rate": "as given", "input": "as given", "modal": "as weighted", "modal_rate": "as weighted",
    "rate": "rad/s", "attitude": "rad", "position": "m", "velocity": "m/s", "node": "m", "node_rate": "m/s",
    "rotor_rate": "rad/s", "rotor_angle": "rad", "rotor_inertial": "rad/s", "loop": "N or N m", "environment": "-",
}  # fmt: skip
#: Unit of the strength of each kind of load that does not hang on its joint.
LOAD_UNITS = {
    "force": "N", "torque": "N m", "node_force": "N", "node_torque": "N m", "rotor": "N m", "gradient": "-", "magnetic": "-",
    "element": "N", "wheel": "N", "loop": "N", "environment": "N",
}  # fmt: skip
#: Mass-normalized modes: half of eta'^2 is a kinetic energy, J.
ETA = "kg^0.5 m"


def units_of(
    vehicle: Vehicle,
    *,
    loads: Sequence[Load] = (),
    controllers: Sequence[Controller] = (),
    signals: Sequence[Signal] = (),
) -> dict[str, dict[str, str]]:
    """Unit of every named history: ``joints``, ``joint_effort``, ``modal``, ``signals``, ``load_strength``."""
    kinds: dict[str, str] = {joint.name: joint.kind for joint in vehicle.joints}
    strengths = {load.name: _load_unit(load, kinds) for load in plain_loads(loads)}
    commands = {f"{c.name}/{out.name}": _load_unit(out, kinds) for c in controllers for out in c.outputs}
    inner = {f"{c.name}/{s.name}": _signal_unit(s, kinds) for c in controllers for s in c.inputs}
    return {
        "joints": {name: _listed(coordinate_units(kind)) for name, kind in kinds.items()},
        "joint_effort": {name: _listed(effort_units(kind)) for name, kind in kinds.items()},
        "modal": {mounted.name: _eta_unit(mounted.record.integrals.modal_mass) for mounted in vehicle.appendages},
        "signals": {**inner, **commands, **{s.name: _signal_unit(s, kinds) for s in signals}},
        "load_strength": {**strengths, **commands},
    }


def unit_in(run: Trajectory, group: str, name: str, unknown: str) -> str:
    """Unit of the history ``name`` in ``group`` of a run; ``unknown`` for runs recorded without units."""
    units: Mapping[str, Any] = run.settings.get("units", {})
    return str(units.get(group, {}).get(name, unknown))


def _signal_unit(signal: Signal, kinds: Mapping[str, str]) -> str:
    kind = kinds.get(signal.target, "hinge")
    if signal.kind == "joint":
        return coordinate_units(kind)[signal.axis]
    if signal.kind == "joint_rate":
        return f"{speed_units(kind)[signal.axis]}/s"
    if signal.kind == "gravity":
        return effort_units(kind)[signal.axis]
    if signal.kind == "measured":
        return unit_of(signal.measures)  # type: ignore[arg-type]
    if signal.environment is not None:
        return {"altitude": "m", "magnetometer": "T"}.get(signal.environment.kind, "-")
    return SIGNAL_UNITS[signal.kind]


def _load_unit(load: Load, kinds: Mapping[str, str]) -> str:
    if load.kind == "joint":
        return effort_units(kinds.get(load.target, "hinge"))[load.axis]
    return LOAD_UNITS[load.kind]


def _listed(units: Sequence[str]) -> str:
    """Units in order, each once; a joint that does not move has that of angles."""
    return ", ".join(dict.fromkeys(units)) or "rad"


def _eta_unit(modal_mass: Any) -> str:
    """kg^0.5 m for mass-normalized shapes, else it follows the scale of the shapes."""
    normalized = np.allclose(np.diag(modal_mass), 1.0, rtol=1e-6) if len(modal_mass) else True
    return ETA if normalized else "by the shapes' scale"
