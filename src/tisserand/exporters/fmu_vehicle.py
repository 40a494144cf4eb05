"""Functional mock-up unit, FMI 2.0, of a vehicle, linear about the initial state of its file."""

from __future__ import annotations

from pathlib import Path

from tisserand.exporters.fmu.linear_vehicle import vehicle_parts, vehicle_unit
from tisserand.exporters.fmu.package import compiler, write_fmu
from tisserand.exporters.fmu.reading import difference
from tisserand.exporters.left_out import named, without_limits
from tisserand.multibody.vehicle_file import VehicleCase


def losses(case: VehicleCase) -> list[str]:
    """What a linear unit cannot carry."""
    lost = ["linear about the initial state: large rotations, spin-up and changes of inertia are lost"]
    commands = "loops are open, and the commands of controllers are inputs"
    lost += named(commands, [controller.name for controller in case.controllers])
    inexact = [sensor.name for sensor in case.sensors if sensor.errors is not None]
    return [
        *lost,
        *named("events are lost", [event.name for event in case.events]),
        *named("errors of sensors (noise, samples, latency) are left out", inexact),
        *without_limits(case.vehicle),
    ]


def notes(case: VehicleCase) -> list[str]:
    """Whether the file holds a binary."""
    return [] if compiler() else ["no C compiler was found: the file holds sources only"]


def write(case: VehicleCase, path: Path, version: int = 2) -> list[Path]:
    write_fmu(vehicle_unit(case), path, version)
    return [path]


def read_back(case: VehicleCase, path: Path) -> float:
    """The matrices of the sources in the archive."""
    return difference(path, vehicle_parts(case)[1])
