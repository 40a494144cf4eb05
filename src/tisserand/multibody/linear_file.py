"""A linear model as a file: matrices and names, .npz or MATLAB .mat.

Serves the linear models of S0 Eq 117.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import InputError
from tisserand.files import atomic_path
from tisserand.multibody.linear import LinearModel
from tisserand.stored import write_mat

NAMES = ("coordinates", "inputs", "outputs")
ARRAYS = ("A", "B", "C", "D", "mass", "damping", "gyroscopic", "stiffness", "force")


def save_linear_model(model: LinearModel, target: Path) -> Path:
    """Write A, B, C, D, mass, damping, gyroscopic, stiffness, force and the names of coordinates, inputs and outputs.

    Args:
        model: the linear model.
        target: file; its ending, .npz or .mat, is the format.
    """
    arrays: dict[str, Any] = {word: np.asarray(getattr(model, word)) for word in ARRAYS}
    names = {word: np.array(getattr(model, word), dtype=object) for word in NAMES}
    if target.suffix not in (".mat", ".npz"):
        raise InputError("unsupported file extension", found=target.suffix or target.name, expected=".npz or .mat")
    with atomic_path(target) as temporary:
        if target.suffix == ".mat":
            write_mat(temporary, {**arrays, **{k: v.reshape(-1, 1) for k, v in names.items()}})
        else:
            with open(temporary, "wb") as stream:
                everything: dict[str, Any] = {**arrays, **{k: v.astype(np.str_) for k, v in names.items()}}
                np.savez(stream, **everything)
    return target
