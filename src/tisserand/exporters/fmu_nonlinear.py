"""Functional mock-up unit, FMI 2.0, of a nonlinear vehicle: bodies, joints, appendages, rotors; all else is refused by name."""

from __future__ import annotations

import zipfile
from functools import lru_cache
from pathlib import Path

from tisserand.errors import InputError
from tisserand.exporters.fmu.drives import DRIVES
from tisserand.exporters.fmu.package import compiler, write_fmu
from tisserand.exporters.fmu.unit import Unit
from tisserand.exporters.left_out import named, not_measured
from tisserand.multibody.vehicle_file import VehicleCase


@lru_cache(maxsize=1)
def _unit(case: VehicleCase) -> Unit:
    """The unit; losses, files and their check ask for the same one."""
    try:
        from tisserand.exporters.fmu.nonlinear_vehicle import nonlinear_unit
    except ImportError as error:
        raise InputError("sympy is not installed", advice="pip install 'tisserand[equations]'") from error
    return nonlinear_unit(case)


def losses(case: VehicleCase) -> list[str]:
    """What the unit leaves to its surroundings."""
    lost = ["angles 1-2-3 of the base and of balls are singular where the second is 90 degrees"]
    free, driven = ([x.name for x in case.loads if (x.kind in DRIVES) == drives] for drives in (False, True))
    inputs = "inputs, zero until they are set"
    lost += named(f"strengths of loads are {inputs}", free)
    lost += named(
        f"loads on joints and rotors are left out: the drives of those joints and rotors are {inputs}", driven
    )
    lost += named("loops are open: controllers are left out", [controller.name for controller in case.controllers])
    return [*lost, *not_measured(case), *_unit(case).notes[1:]]


def notes(case: VehicleCase) -> list[str]:
    """Whether the file holds a binary."""
    return [] if compiler() else ["no C compiler was found: the file holds sources only"]


def write(case: VehicleCase, path: Path, version: int = 2) -> list[Path]:
    write_fmu(_unit(case), path, version)
    return [path]


def read_back(case: VehicleCase, path: Path) -> float:
    """Zero where the archive holds the sources that were meant."""
    with zipfile.ZipFile(path) as archive:
        same = archive.read("sources/model.c").decode() == _unit(case).generated["model.c"]
    return 0.0 if same else float("inf")
