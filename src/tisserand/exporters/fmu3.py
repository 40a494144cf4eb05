"""Functional mock-up unit, FMI 3.0, of an appendage."""

from __future__ import annotations

from pathlib import Path

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.exporters import fmu2
from tisserand.exporters.fmu2 import losses, notes, read_back

__all__ = ["losses", "notes", "read_back", "write"]


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    return fmu2.write(appendage, path, 3)
