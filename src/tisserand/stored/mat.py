"""MATLAB files without a date: the same values give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

_HEAD = b"MATLAB 5.0 MAT-file, written by tisserand".ljust(116)


def write_mat(path: Path, values: Mapping[str, Any], **options: Any) -> None:
    """Write variables; ``options`` are those of scipy's ``savemat``."""
    from scipy.io import savemat

    savemat(path, dict(values), appendmat=False, **options)
    with open(path, "r+b") as stream:  # scipy puts the date into the text of 116 bytes in front
        stream.write(_HEAD)
