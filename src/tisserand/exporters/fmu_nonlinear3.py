"""Functional mock-up unit, FMI 3.0, of a nonlinear vehicle."""

from __future__ import annotations

from pathlib import Path

from tisserand.exporters import fmu_nonlinear
from tisserand.exporters.fmu_nonlinear import losses, notes, read_back
from tisserand.multibody.vehicle_file import VehicleCase

__all__ = ["losses", "notes", "read_back", "write"]


def write(case: VehicleCase, path: Path) -> list[Path]:
    return fmu_nonlinear.write(case, path, 3)
