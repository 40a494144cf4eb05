"""State space as a NumPy file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.exporters.metadata import describe
from tisserand.exporters.readback import worst
from tisserand.exporters.statespace import state_space

MATRICES = ("A", "B", "C", "D")
NAMES = ("states", "inputs", "outputs", "input_units", "output_units")


def losses(appendage: ReducedAppendage) -> list[str]:
    """What a linear state space cannot carry."""
    return ["a state space is linear about rest: inertia changes with deformation and spin terms are lost"]


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    """``description`` is JSON text as bytes: ``json.loads(data["description"].tobytes())``."""
    system = state_space(appendage)
    arrays: dict[str, Any] = {name: getattr(system, name) for name in MATRICES}
    words: dict[str, Any] = {name: np.array(getattr(system, name), dtype=np.str_) for name in NAMES}
    with open(path, "wb") as stream:
        np.savez(
            stream, **arrays, **words, description=np.frombuffer(json.dumps(describe(appendage)).encode(), np.uint8)
        )
    return [path]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    system = state_space(appendage)
    with np.load(path, allow_pickle=False) as data:
        return worst((data[name], getattr(system, name)) for name in MATRICES)
