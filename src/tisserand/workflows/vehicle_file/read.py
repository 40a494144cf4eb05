"""From a TOML file to a vehicle and everything that a run of it needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import UnknownKeyError
from tisserand.multibody.accelerometers import Accelerometer
from tisserand.multibody.controllers import LinearController, SampledController
from tisserand.multibody.events import Event
from tisserand.multibody.loads import Load
from tisserand.multibody.signals import Signal
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle
from tisserand.schema import Table, read_toml
from tisserand.workflows.vehicle_file.accelerometers import accelerometer_of
from tisserand.workflows.vehicle_file.controllers import controller_of
from tisserand.workflows.vehicle_file.initial import initial_of, settled
from tisserand.workflows.vehicle_file.loads import load_of
from tisserand.workflows.vehicle_file.parts import appendage_of, base_motion_of, body_of, joint_of, rotor_of
from tisserand.workflows.vehicle_file.places import at_key
from tisserand.workflows.vehicle_file.sensors import sensor_of

METHODS = ("auto", "dop853", "rk4", "radau", "bdf", "lsoda")
ENGINES = ("recursive", "likins")
TABLES = (
    "name", "gravity", "bodies_include_rotors", "bodies_include_appendages", "base", "bodies", "joints", "rotors", "appendages",
    "sensors", "controllers", "loads", "events", "initial", "simulation", "outputs",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class RunWishes:
    """How to run: duration and output_step s, method, tolerances, step s for fixed-step methods, engine."""

    duration: float
    output_step: float | None = None
    method: str = "auto"
    rtol: float = 1e-8
    atol: float = 1e-10
    step: float | None = None
    engine: str = "recursive"
    stop_at_limits: bool = False
    segment: float | None = None


@dataclass(frozen=True, eq=False)
class VehicleCase:
    """A vehicle file, read and checked."""

    path: Path
    vehicle: Vehicle
    initial: State
    run: RunWishes
    loads: tuple[Load, ...] = ()
    controllers: tuple[LinearController | SampledController, ...] = ()
    sensors: tuple[Signal, ...] = ()
    events: tuple[Event, ...] = ()
    accelerometers: tuple[Accelerometer, ...] = ()
    outputs: dict[str, Path] = field(default_factory=dict)


def read_vehicle(path: str | Path, overrides: dict[str, Any] | None = None) -> VehicleCase:
    """Read a vehicle file; ``docs/vehicle-files.md`` describes every key. ``overrides`` (dotted key -> value) serves sweeps."""
    table = read_toml(path)
    for key, value in (overrides or {}).items():
        override(table, key, value)
    for key in table.values:
        if key not in TABLES:
            raise table.unknown_key(key, TABLES)
    bodies = {name: body_of(name, t) for name, t in table.named_tables("bodies")}
    if not bodies:
        raise table.error("bodies", "the vehicle has no body", expected="[bodies.NAME] with a mass")
    joints = [joint_of(name, t, bodies) for name, t in table.named_tables("joints")]
    rotors = [rotor_of(name, t, bodies) for name, t in table.named_tables("rotors")]
    appendages = [appendage_of(name, t, bodies) for name, t in table.named_tables("appendages")]
    base = table.table("base", {})
    with at_key(table):
        vehicle = Vehicle(
            table.text("name", table.file.stem), tuple(bodies.values()), tuple(joints), tuple(rotors), tuple(appendages),
            base=base.maybe_text("body"),
            base_motion=base_motion_of(base),
            gravity=table.vector("gravity", 3, np.zeros(3)),
            bodies_include_rotors=table.flag("bodies_include_rotors", False),
            bodies_include_appendages=table.flag("bodies_include_appendages", False),
        )  # fmt: skip
    sensors: dict[str, Signal] = {}
    accelerometers = []
    for name, facts in table.named_tables("sensors"):
        if facts.values.get("kind") == "accelerometer":
            facts.text("kind")
            accelerometers.append(accelerometer_of(name, facts, vehicle))
        else:
            sensors[name] = sensor_of(name, facts, vehicle)
    controllers = [controller_of(name, t, vehicle, sensors) for name, t in table.named_tables("controllers")]
    loads = [load_of(name, t, vehicle) for name, t in table.named_tables("loads")]
    events = [_event(name, t, sensors) for name, t in table.named_tables("events")]
    start = table.table("initial", {})
    initial = settled(start, vehicle, initial_of(start, vehicle), loads, controllers)
    case = VehicleCase(
        table.file, vehicle, initial, _run(table.table("simulation")), tuple(loads),
        tuple(controllers), tuple(sensors.values()), tuple(events), tuple(accelerometers),
        _outputs(table.table("outputs", {})),
    )  # fmt: skip
    table.close()
    return case


def override(table: Table, key: str, value: Any) -> None:
    """Replace one value that the file states (``bodies.bus.mass``, ``initial.joints_deg.drive``, ``loads.kick.strength``).

    The last word may be a key that the file leaves out; tables are made under ``initial`` only, so that no body or joint
    comes into being by a misspelt name.
    """
    *parents, last = key.split(".")
    inner: Any = table.values
    for number, word in enumerate([*parents, last]):
        if not isinstance(inner, dict):
            found = f"a value at {'.'.join(parents[:number])}"
            raise UnknownKeyError(table.file, key, "no such key to change", found=found, expected="a table there")
        if word not in inner and number < len(parents) and parents[0] != "initial":
            raise table.unknown(key, word, inner, "no such key to change")
        if number < len(parents):
            inner = inner.setdefault(word, {})
    inner[last] = value


def _event(name: str, table: Table, sensors: dict[str, Signal]) -> Event:
    sensor = table.text("sensor")
    if sensor not in sensors:
        raise table.unknown("sensor", sensor, sensors, "is not a sensor")
    direction = {"both": 0, "rising": 1, "falling": -1}[
        table.choice("direction", ("both", "rising", "falling"), "both")
    ]
    return Event(name, sensors[sensor], table.number("level", 0.0), direction, table.flag("stop", False))


def _run(table: Table) -> RunWishes:
    return RunWishes(
        duration=table.number("duration", above=0.0),
        output_step=table.maybe_number("output_step", above=0.0),
        method=table.choice("method", METHODS, "auto"),
        rtol=table.number("rtol", 1e-8, above=0.0, below=1.0),
        atol=table.number("atol", 1e-10, above=0.0),
        step=table.maybe_number("step", above=0.0),
        engine=table.choice("engine", ENGINES, "recursive"),
        stop_at_limits=table.flag("stop_at_limits", False),
        segment=table.maybe_number("segment", above=0.0),
    )


def _outputs(table: Table) -> dict[str, Path]:
    return {key: table.path(key) for key in ("trajectory", "csv", "plot", "report") if table.has(key)}
