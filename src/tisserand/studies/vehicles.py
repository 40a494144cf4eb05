"""Vehicle files, read with their appendages: records, or cases that are reduced on the fly and cached by content."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tisserand.appendage import load_record, save_record
from tisserand.appendage.record.layout import SCHEMA_VERSION
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.files import existing_file, sha256_of
from tisserand.linalg.factor import available_backends
from tisserand.multibody import vehicle_file
from tisserand.multibody.vehicle_file import VehicleCase
from tisserand.studies.source import open_appendage

__all__ = ["VehicleCase", "cache_folder", "read_vehicle", "reduced_case"]


def read_vehicle(path: str | Path, overrides: Mapping[str, Any] | None = None) -> VehicleCase:
    """Read a vehicle file; ``docs/vehicle-files.md`` describes every key.

    Parameters
    ----------
    path : str or Path
        The TOML file.
    overrides : mapping, optional
        Values that replace those of the file, by dotted path (``bodies.bus.inertia.0``).
    """
    return vehicle_file.read_vehicle(path, overrides, reduce_case=reduced_case)


def cache_folder() -> Path:
    """Where reduced cases are kept; ``TISSERAND_CACHE`` overrides the user's cache folder."""
    chosen = os.environ.get("TISSERAND_CACHE")
    base = (
        Path(chosen)
        if chosen
        else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "tisserand"
    )
    return base / "records"


def reduced_case(path: Path) -> ReducedAppendage:
    """Modes of a case, from the cache when nothing that decides them changed: files (INCLUDEs too), schema, version and
    programs of this package, backend.

    Args:
        path: the file.
    """
    from tisserand import __version__

    existing_file(path)
    source = open_appendage(path)
    assert source.structure is not None
    files = sorted({path.resolve(), *(Path(p).resolve() for p in source.structure.sources)})
    facts = {
        "files": [sha256_of(file) for file in files],
        "version": __version__,
        "programs": _programs(),
        "schema": SCHEMA_VERSION,
        "backend": available_backends()[0],
    }
    key = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]
    kept = cache_folder() / f"{path.stem}-{key}.h5"
    if kept.exists():
        stored: ReducedAppendage = load_record(kept)
        return stored
    appendage = source.reduce()
    save_record(appendage, kept)
    return appendage


def _programs() -> str:
    """Digest of this package's sources: between two releases a version says too little."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
