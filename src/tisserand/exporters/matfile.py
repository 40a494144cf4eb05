"""MATLAB level-5 files that describe themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.exporters.metadata import describe
from tisserand.stored import write_mat


def save_mat(appendage: ReducedAppendage, path: Path, values: Mapping[str, Any]) -> None:
    """Write variables, and ``description`` as JSON text."""
    described = {**values, "description": json.dumps(describe(appendage))}
    write_mat(path, described, do_compression=True, oned_as="column")


def load_mat(path: Path) -> dict[str, Any]:
    """The variables of a MATLAB file."""
    from scipy.io import loadmat

    return dict(loadmat(path, appendmat=False))
