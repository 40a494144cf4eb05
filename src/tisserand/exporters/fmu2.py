"""Functional mock-up unit, FMI 2.0, of an appendage."""

from __future__ import annotations

from pathlib import Path

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.exporters.fmu.linear import appendage_unit, scaled_parts
from tisserand.exporters.fmu.package import compiler, write_fmu
from tisserand.exporters.fmu.reading import difference
from tisserand.exporters.statespace import state_space
from tisserand.exporters.statespace_npz import losses

__all__ = ["losses", "notes", "read_back", "write"]


def notes(appendage: ReducedAppendage) -> list[str]:
    """Whether the file holds a binary."""
    return [] if compiler() else ["no C compiler was found: the file holds sources only"]


def write(appendage: ReducedAppendage, path: Path, version: int = 2) -> list[Path]:
    write_fmu(appendage_unit(appendage), path, version)
    return [path]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    """The matrices of the sources in the archive."""
    return difference(path, scaled_parts(state_space(appendage)))
