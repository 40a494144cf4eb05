"""Arrays of the sources in a unit, to compare with what was meant."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.exporters.readback import worst


def matrices_of(path: Path) -> dict[str, FloatArray]:
    """Name -> values of every array in ``matrices.h`` of the archive; those that are zero are not there."""
    with zipfile.ZipFile(path) as archive:
        text = archive.read("sources/matrices.h").decode()
    found = re.findall(r"static const double (\w+)\[\d+\] = \{([^}]*)\}", text)
    return {name: np.array([float(value) for value in body.split(",")]) for name, body in found}


def difference(path: Path, meant: Mapping[str, FloatArray]) -> float:
    """Largest relative difference of the arrays in an archive from those that were meant."""
    found = matrices_of(path)
    if set(found) - {"start_states"} - set(meant):
        return float("inf")
    return worst(
        (found[name].reshape(values.shape) if name in found else np.zeros_like(values), values)
        for name, values in meant.items()
        if values.size
    )
