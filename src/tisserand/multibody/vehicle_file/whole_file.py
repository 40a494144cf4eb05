"""The vehicle file as a declared type, and the case assembled from its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from tisserand.arguments import checked_arguments
from tisserand.declarations import Declared, FilePath, Key, check, declared, needs, option, problem, read_toml, ruled
from tisserand.declarations.angle_sets import AngleSet
from tisserand.declarations.common_values import ORIGIN, Vector
from tisserand.declarations.paths import set_at
from tisserand.errors import InputError, TisserandError
from tisserand.files import storable
from tisserand.multibody.controllers import Controller
from tisserand.multibody.environment import carried_gravity
from tisserand.multibody.events import Event
from tisserand.multibody.loads import Load
from tisserand.multibody.measurements import Measurement
from tisserand.multibody.run_options import MOST_TIMES, RunOptions
from tisserand.multibody.signals import Signal
from tisserand.multibody.signals import sensor as sampled_sensor
from tisserand.multibody.simulation import Simulation
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.controller_tables import ControllerTable
from tisserand.multibody.vehicle_file.environment_tables import EnvironmentTable, placed, placed_controller
from tisserand.multibody.vehicle_file.initial_table import InitialTable
from tisserand.multibody.vehicle_file.joint_tables import JointTable
from tisserand.multibody.vehicle_file.load_tables import LoadTable
from tisserand.multibody.vehicle_file.loop_tables import LoopTable, switched_by
from tisserand.multibody.vehicle_file.part_tables import AppendageTable, BaseTable, BodyTable, ReduceCase, RotorTable
from tisserand.multibody.vehicle_file.sensor_tables import ErrorsTable, SensorTable
from tisserand.multibody.vehicle_file.slosh_tables import SloshTable
from tisserand.multibody.vehicle_file.wheel_tables import WheelTable
from tisserand.notebook_html import html_table


class EventTable(Declared):
    """A sensor that crosses a level."""

    sensor: str = option(..., "the sensor")
    level: float = option(0.0, "the level, in the sensor's unit")
    direction: Literal["both", "rising", "falling"] = option("both", "which way it is crossed")
    stop: bool = option(False, "true: the run ends there")

    def event(self, name: str, sensors: dict[str, Signal], key: Key) -> Event:
        if self.sensor not in sensors:
            raise key.at("sensor").unknown(self.sensor, sensors, "is not a sensor")
        sign = {"both": 0, "rising": 1, "falling": -1}[self.direction]
        return Event(name, sensors[self.sensor], self.level, sign, self.stop)


class OutputsTable(Declared):
    """Files that a run writes."""

    trajectory: FilePath | None = option(None, "the whole run (.h5)")
    csv: FilePath | None = option(None, "time histories (.csv or .parquet)")
    angles: AngleSet | None = option(None, "orientation angles of the base, and their rates, to add to 'csv'")
    plot: FilePath | None = option(None, "a plot (.png)")
    report: FilePath | None = option(None, "a page with a replay (.html)")


class VehicleFile(Declared):
    """A spacecraft and a run of it; SI throughout, keys that end in _deg are degrees."""

    name: str | None = option(None, "name; default: the file's")
    gravity: Vector = option(ORIGIN, "uniform, in inertial axes unless 'gravity_carrier' is given", unit="m/s²")
    gravity_carrier: str | None = option(
        None, "body in whose axes gravity is fixed, such as a laboratory on a turning planet; vehicles of rigid bodies"
    )
    bodies_include_rotors: bool = option(False, "true: the bodies' masses and inertias include their rotors")
    bodies_include_appendages: bool = option(False, "true: the bodies' masses and inertias include their appendages")
    base: BaseTable = option(BaseTable(), "the root of the tree and how it moves")
    bodies: Annotated[dict[str, BodyTable], Field(min_length=1)] = option(..., "rigid bodies, at least one")
    joints: dict[str, JointTable] = option({}, "joints between bodies")
    rotors: dict[str, RotorTable] = option({}, "wheels and rotors")
    wheels: dict[str, WheelTable] = option({}, "reaction wheels: rotors with limits, friction and imbalance")
    appendages: dict[str, AppendageTable] = option({}, "flexible appendages")
    sensors: dict[str, SensorTable] = option({}, "recorded signals, inputs of controllers and events")
    controllers: dict[str, ControllerTable] = option({}, "control laws")
    loads: dict[str, LoadTable] = option({}, "loads")
    slosh: dict[str, SloshTable] = option({}, "liquids in tanks")
    environment: EnvironmentTable | None = option(None, "the planet that the vehicle orbits; default: none")
    loops: dict[str, LoopTable] = option({}, "closed loops, rolling contacts, locks, latches and end stops")
    events: dict[str, EventTable] = option({}, "what a run watches for")
    initial: InitialTable = option(InitialTable(), "the state at the start")
    simulation: RunOptions = option(..., "how it is run")
    outputs: OutputsTable = option(OutputsTable(), "files that a run writes")

    _of_gravity = ruled(needs("gravity_carrier", "gravity"))

    @check
    def _weight_that_turns_is_not_compensated(self) -> None:
        """Joint controllers know inertial gravity alone."""
        for name, law in self.controllers.items():
            if self.gravity_carrier is not None and getattr(law, "gravity_compensation", False):
                place = ("controllers", name, "gravity_compensation")
                raise problem(place, "cannot balance gravity that turns with a body", found=True, expected=False)

    @check
    def _samples_can_be_counted(self) -> None:
        """Sampled controllers and sensors stop the integrator at every sample."""
        sampled: dict[tuple[str, ...], Any] = {("controllers", name): law for name, law in self.controllers.items()}
        sampled |= {("sensors", name, "errors"): getattr(one, "errors", None) for name, one in self.sensors.items()}
        sampled |= {("wheels", name, "tachometer"): one.tachometer for name, one in self.wheels.items()}
        for place, table in sampled.items():
            period = getattr(table, "period", None)
            if period is not None and self.simulation.duration > period * MOST_TIMES:
                least = f"at least {self.simulation.duration / MOST_TIMES:.3g} s"
                raise problem((*place, "period"), "is too short for the duration", found=period, expected=least)


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class VehicleCase:
    """A vehicle file, read and checked.

    Attributes:
        path: of the file.
        tables: what the file states.
        initial: state at the start.
        run: duration, tolerances and method.
        loads: loads and loops of the file.
        controllers: by the file.
        sensors: by name.
        events: by the file.
        measurements: accelerometers, node rotations and joint loads, evaluated after the run.
        outputs: files that the case requests.
    """

    path: Path
    tables: VehicleFile
    vehicle: Vehicle
    initial: State
    run: RunOptions
    loads: tuple[Load, ...] = ()
    controllers: tuple[Controller, ...] = ()
    sensors: tuple[Signal, ...] = ()
    events: tuple[Event, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    outputs: dict[str, Path] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<vehicle file {str(self.path)!r}: {self.vehicle.name}, {self.run.duration:g} s>"

    def _repr_html_(self) -> str:
        parts = {"load": self.loads, "controller": self.controllers, "sensor": self.sensors, "event": self.events}
        rows = [(kind, item.name) for kind, items in parts.items() for item in items]
        title = f"{self.path.name}, {self.run.duration:g} s"
        return self.vehicle._repr_html_() + html_table(title, ("acts or measures", "name"), rows)

    def simulation(self) -> Simulation:
        """A simulation that is ready to step, as the file states it."""
        return Simulation(
            self.vehicle, self.initial, loads=self.loads, controllers=self.controllers,
            outputs=(*self.sensors, *self.measurements), events=self.events, **self.run.integration,
        )  # fmt: skip


def read_vehicle(
    path: str | Path,
    overrides: Mapping[str, Any] | None = None,
    *,
    reduce_case: ReduceCase | None = None,
    data: dict[str, Any] | None = None,
) -> VehicleCase:
    """Read a vehicle file; ``reduce_case`` makes records of the cases that it names, ``data`` is its content if known."""
    data = read_toml(path) if data is None else data
    return vehicle_case(_replaced(data, overrides or {}, path), path, reduce_case=reduce_case)


def _replaced(data: dict[str, Any], overrides: Mapping[str, Any], path: str | Path) -> VehicleFile:
    """The tables with values replaced by dotted path; all mistakes, of paths and of values, are reported at once."""
    mistakes: list[TisserandError] = []
    for key, value in overrides.items():
        try:
            set_at(VehicleFile, data, key, value, path)
        except InputError as error:
            mistakes.append(error)
    try:
        tables = declared(VehicleFile, data, path)
    except InputError as error:
        mistakes += [error, *error.others]
    if mistakes:
        raise mistakes[0].with_others(mistakes[1:])
    return tables


def vehicle_case(file: VehicleFile, path: str | Path, *, reduce_case: ReduceCase | None = None) -> VehicleCase:
    """Put the tables together: every name that one of them uses must be defined in another."""
    key = Key(Path(path))
    bodies = {}
    for name, body in file.bodies.items():
        with key.at("bodies", name).blamed():
            bodies[name] = body.body(name, key.at("bodies", name))
    parts: dict[str, list[Any]] = {"joints": [], "rotors": [], "appendages": []}
    for word, made in parts.items():
        for name, table in getattr(file, word).items():
            here = key.at(word, name)
            more = (reduce_case,) if word == "appendages" else ()
            with here.blamed():
                made.append(getattr(table, word.removesuffix("s"))(name, bodies, here, *more))
    wheels = {name: table.wheel(name, bodies, key.at("wheels", name)) for name, table in file.wheels.items()}
    parts["rotors"] += [wheel.rotor for wheel in wheels.values()]
    if file.base.body is not None and file.base.body not in bodies:
        raise key.at("base", "body").unknown(file.base.body, bodies, "is not a body")
    with key.blamed(body="bodies", joint="joints", rotor="rotors", appendage="appendages", base="base"):
        vehicle = Vehicle(
            file.name or storable(key.file.stem), tuple(bodies.values()), **{word: tuple(made) for word, made in parts.items()},
            base=file.base.body, base_motion=file.base.base_motion(), gravity=ORIGIN if file.gravity_carrier else file.gravity,  # type: ignore[arg-type]
            bodies_include_rotors=file.bodies_include_rotors, bodies_include_appendages=file.bodies_include_appendages,
        )  # fmt: skip
    for name, tank in file.slosh.items():
        vehicle = tank.filled(name, vehicle, key.at("slosh", name))
    _refuse_unknown_bodies(file, vehicle, key)
    sensors: dict[str, Signal | Measurement] = {}
    for name, sensor in file.sensors.items():
        here = key.at("sensors", name)
        with here.blamed():
            make = sensor.signal if hasattr(sensor, "signal") else sensor.measurement
            seen = make(name, vehicle, here)
            seen = placed(file.environment, seen, here) if isinstance(seen, Signal) else seen
            sensors[name] = seen
            sensors |= _with_errors(name, seen, getattr(sensor, "errors", None))
    sensors |= {f"{name}.speed": wheels[name].tachometer for name, table in file.wheels.items() if table.tachometer}
    signals = {name: made for name, made in sensors.items() if isinstance(made, Signal)}
    measurements = tuple(made for made in sensors.values() if not isinstance(made, Signal))
    controllers = []
    for name, law in file.controllers.items():
        here = key.at("controllers", name)
        with here.blamed():
            control = law.controller(name, vehicle, signals, here)
        controllers.append(placed_controller(file.environment, control, here))
    events = tuple(event.event(name, signals, key.at("events", name)) for name, event in file.events.items())
    acting = [(key.at("loads", name), name, one) for name, one in file.loads.items()]
    loads = tuple(placed(file.environment, one.acting(name, vehicle, here), here) for here, name, one in acting)
    for name, loop in file.loops.items():
        here = key.at("loops", name)
        loads += (switched_by(loop.acting(name, vehicle, here), loop, events, here),)
    loads += tuple(load for name, rotor in file.rotors.items() for load in rotor.loads(name))
    loads += tuple(load for name, table in file.wheels.items() for load in (*table.loads(name), *wheels[name].loads))
    if file.gravity_carrier is not None:
        loads += _weight(file.gravity, file.gravity_carrier, vehicle, key.at("gravity_carrier"))
    if file.environment is not None:
        loads = (*file.environment.loads(), *loads)
    here = key.at("initial")
    planet = None if file.environment is None else file.environment.planet()
    guess = file.initial.closed(vehicle, file.initial.state(vehicle, here, planet), loads, here)
    initial = file.initial.settled(vehicle, guess, loads, controllers, here)
    outputs = {word: path for word, path in file.outputs if isinstance(path, Path)}
    return VehicleCase(
        path=key.file,
        tables=file,
        vehicle=vehicle,
        initial=initial,
        run=file.simulation,
        loads=loads,
        controllers=tuple(controllers),
        sensors=tuple(signals.values()),
        events=events,
        measurements=measurements,
        outputs=outputs,
    )


def _with_errors(
    name: str, sensor: Signal | Measurement, errors: ErrorsTable | None
) -> dict[str, Signal | Measurement]:
    """The sampled sensor; the measurement that it samples is recorded beside it."""
    if errors is None:
        return {}
    made: dict[str, Signal | Measurement] = {name: sampled_sensor(sensor, errors.errors())}
    if not isinstance(sensor, Signal):
        made[f"{name}.true"] = replace(sensor, name=f"{name}.true")
    return made


def _weight(gravity: Sequence[float], carrier: str, vehicle: Vehicle, key: Key) -> tuple[Load, ...]:
    """The loads of gravity that turns with a body."""
    names = [body.name for body in vehicle.bodies]
    if carrier not in names:
        raise key.unknown(carrier, names, "is not a body")
    with key.blamed():
        return carried_gravity(vehicle, gravity, carrier)


def _refuse_unknown_bodies(file: VehicleFile, vehicle: Vehicle, key: Key) -> None:
    """Loads, sensors and controllers act on bodies by name; nodes of appendages have keys of their own."""
    known = [body.name for body in vehicle.bodies]
    for word in ("loads", "sensors", "controllers"):
        for name, table in getattr(file, word).items():
            stated = getattr(table, "body", None)
            if stated is not None and stated not in known:
                raise key.at(word, name, "body").unknown(stated, known, "is not a body")
            loop = getattr(table, "loop", None)
            if loop is not None and loop not in file.loops:
                raise key.at(word, name, "loop").unknown(loop, file.loops, "is not a loop")
