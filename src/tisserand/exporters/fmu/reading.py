"""Arrays of the sources in a unit, to compare with what was meant."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray


def matrices_of(path: Path) -> dict[str, FloatArray]:
    """Name -> values of every array in ``matrices.h`` of the archive."""
    with zipfile.ZipFile(path) as archive:
        text = archive.read("sources/matrices.h").decode()
    found = re.findall(r"static const double (\w+)\[\d+\] = \{([^}]*)\}", text)
    return {name: np.array([float(value) for value in body.split(",")]) for name, body in found}
