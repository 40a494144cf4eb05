"""Controllers of a vehicle file: attitude and joint loops, wheels, state-space blocks, notch filters, thruster logic."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody import controllers
from tisserand.multibody.controllers import LinearController, SampledController
from tisserand.multibody.notch import with_notch
from tisserand.multibody.signals import Signal
from tisserand.multibody.thruster_logic import on_off_law
from tisserand.multibody.vehicle import Vehicle
from tisserand.schema import Table
from tisserand.workflows.vehicle_file.loads import load_of
from tisserand.workflows.vehicle_file.places import at_key, attitude_quaternion
from tisserand.workflows.vehicle_file.profiles import profile_at

KINDS = ("attitude", "joint", "wheel_speed", "state_space", "thruster_logic")


def controller_of(
    name: str, table: Table, vehicle: Vehicle, sensors: Mapping[str, Signal]
) -> LinearController | SampledController:
    kind = table.choice("kind", KINDS)
    with at_key(table):
        if kind == "thruster_logic":
            return _thruster_logic(name, table, vehicle, sensors)
        made = {"attitude": _attitude, "joint": _joint, "wheel_speed": _wheel, "state_space": _block}[kind](
            name, table, vehicle, sensors
        )
        for notch in table.list_of_tables("notch"):
            hz, width = notch.number("frequency_hz", above=0.0), notch.number("width", 0.5, above=0.0)
            made = with_notch(made, hz, width, notch.number("depth", 0.02, minimum=0.0, below=1.0))
        return made


def _attitude(name: str, table: Table, vehicle: Vehicle, sensors: Mapping[str, Signal]) -> LinearController:
    """Gains in N m/rad, N m s/rad, N m/(rad s): one number or three; ``rotors`` share the torque."""

    def gain(key: str, default: float | None = None) -> FloatArray | float:
        if isinstance(table.raw(key, default), list):
            return table.vector(key, 3)
        return table.number(key) if default is None else table.number(key, default)

    rotors = [(rotor, vehicle.rotor(rotor).axis) for rotor in table.words("rotors", ())]
    slew = profile_at(table, "slew_deg").scaled(float(np.radians(1.0))) if table.has("slew_deg") else None
    return controllers.attitude_pd(
        table.text("body"), gain("kp"), gain("kd"), gain("ki", 0.0), reference=attitude_quaternion(table, "reference"),
        slew_axis=table.vector("slew_axis", 3, np.array([0.0, 0.0, 1.0])), slew=slew, rotors=rotors,
        limit=table.maybe_number("limit", above=0.0), name=name,
    )  # fmt: skip


def _joint(name: str, table: Table, vehicle: Vehicle, sensors: Mapping[str, Signal]) -> LinearController:
    reference = profile_at(table, "reference", 0.0)
    if table.has("reference_deg"):
        reference = profile_at(table, "reference_deg").scaled(float(np.radians(1.0)))
    return controllers.joint_pid(
        table.text("joint"), table.number("kp"), table.number("kd", 0.0), table.number("ki", 0.0), reference=reference,
        axis=table.integer("axis", 1, minimum=1) - 1, limit=table.maybe_number("limit", above=0.0),
        gravity=table.flag("gravity_compensation", False), name=name,
    )  # fmt: skip


def _wheel(name: str, table: Table, vehicle: Vehicle, sensors: Mapping[str, Signal]) -> LinearController:
    return controllers.rotor_speed(
        table.text("rotor"), table.number("kp"), table.number("ki", 0.0), reference=profile_at(table, "reference", 0.0),
        limit=table.maybe_number("limit", above=0.0), name=name,
    )  # fmt: skip


def _inputs(table: Table, sensors: Mapping[str, Signal]) -> list[Signal]:
    chosen = []
    for word in table.words("inputs"):
        if word not in sensors:
            raise table.unknown("inputs", word, sensors, "is not a sensor")
        chosen.append(sensors[word])
    return chosen


def _block(name: str, table: Table, vehicle: Vehicle, sensors: Mapping[str, Signal]) -> LinearController:
    inputs = _inputs(table, sensors)
    outputs = [
        load_of(f"{name}.{i + 1}", t, vehicle, driven=True)
        for i, t in enumerate(table.list_of_tables("outputs"))
    ]
    n = len(table.raw("A", []))
    A, B = (
        table.matrix("A", n, n, np.zeros((0, 0))),
        table.matrix("B", n, len(inputs), np.zeros((0, len(inputs)))),
    )
    C = table.matrix("C", len(outputs), n, np.zeros((len(outputs), 0)))
    D = table.matrix("D", len(outputs), len(inputs), np.zeros((len(outputs), len(inputs))))
    limit = table.maybe_number("limit", above=0.0)
    limits = None if limit is None else np.tile([-limit, limit], (len(outputs), 1))
    return LinearController(name, tuple(inputs), tuple(outputs), D, A, B, C, limits)


def _thruster_logic(
    name: str, table: Table, vehicle: Vehicle, sensors: Mapping[str, Signal]
) -> SampledController:
    """On/off with hysteresis: fires against ``angle + lead rate`` beyond the deadband, stops inside ``hysteresis`` of it."""
    inputs = _inputs(table, sensors)
    if len(inputs) != 2:
        raise table.error("inputs", "needs an angle and a rate", found=len(inputs), expected="two sensors")
    outputs = [
        load_of(f"{name}.{i + 1}", t, vehicle, driven=True)
        for i, t in enumerate(table.list_of_tables("outputs"))
    ]
    if len(outputs) != 1:
        raise table.error(
            "outputs", "needs one load (its direction is the positive torque)", found=len(outputs)
        )
    law = on_off_law(
        np.radians(table.number("deadband_deg", above=0.0)), table.number("hysteresis", 0.2, minimum=0.0, below=1.0),
        table.number("lead", 0.0, minimum=0.0), table.number("strength", above=0.0),
    )  # fmt: skip
    return SampledController(
        name,
        tuple(inputs),
        tuple(outputs),
        law,
        table.number("period", above=0.0),
        table.number("delay", 0.0, minimum=0.0),
    )
