"""State space as a MATLAB file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.exporters.matfile import load_mat, save_mat
from tisserand.exporters.readback import worst
from tisserand.exporters.statespace import state_space
from tisserand.exporters.statespace_npz import MATRICES, NAMES, losses

__all__ = ["losses", "read_back", "write"]


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    system = state_space(appendage)
    values: dict[str, object] = {name: getattr(system, name) for name in MATRICES}
    values |= {name: np.array(getattr(system, name), dtype=object).reshape(-1, 1) for name in NAMES}
    save_mat(appendage, path, values)
    return [path]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    system = state_space(appendage)
    data = load_mat(path)
    return worst((data[name].reshape(getattr(system, name).shape), getattr(system, name)) for name in MATRICES)
