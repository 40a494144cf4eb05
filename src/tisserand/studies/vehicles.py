"""Vehicle files, read with their appendages: records, or cases that are reduced on the fly and cached by content."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import tisserand
from tisserand.appendage import save_record
from tisserand.appendage.record.record_file import shared_record
from tisserand.appendage.record.record_layout import SCHEMA_VERSION
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.errors import FileError, TisserandError
from tisserand.files import existing_file, only_ours, sha256_of
from tisserand.linalg.factor import available_backends
from tisserand.multibody import vehicle_file
from tisserand.multibody.vehicle_file import VehicleCase
from tisserand.studies.kinds import refuse_other
from tisserand.studies.look import Look
from tisserand.studies.source import open_appendage

__all__ = ["VehicleCase", "cache_folder", "read_vehicle", "reduced_case"]


@checked_arguments
def read_vehicle(
    path: str | Path, overrides: Mapping[str, Any] | None = None, *, data: dict[str, Any] | None = None
) -> VehicleCase:
    """Read a vehicle file; ``docs/vehicle-files.md`` describes every key.

    Parameters
    ----------
    path : str or Path
        The TOML file.
    overrides : mapping, optional
        Values that replace those of the file, by dotted path (``bodies.bus.inertia.0``).
    data : dict, optional
        The content of the file, where it was read already.
    """
    if data is None:
        look = Look(path)
        refuse_other(look, "a vehicle file", "vehicle")
        data = look.table
    return vehicle_file.read_vehicle(path, overrides, reduce_case=reduced_case, data=data)


def cache_folder() -> Path:
    """Where reduced cases are kept; ``TISSERAND_CACHE`` overrides the user's cache folder."""
    chosen = os.environ.get("TISSERAND_CACHE")
    if chosen:
        return Path(chosen) / "records"
    stated = os.environ.get(
        "XDG_CACHE_HOME", ""
    )  # empty or relative counts as unset (XDG Base Directory Specification)
    try:
        base = Path(stated) if os.path.isabs(stated) else Path.home() / ".cache"
    except RuntimeError:  # there is no home folder
        user = os.getuid() if hasattr(os, "getuid") else "user"
        return Path(tempfile.gettempdir()) / f"tisserand-{user}" / "records"
    return base / "tisserand" / "records"


def _safe(folder: Path) -> bool:
    """Whether nobody else can put records into a cache folder; the one that ``TISSERAND_CACHE`` names is the user's choice."""
    return bool(os.environ.get("TISSERAND_CACHE")) or only_ours(folder)


@checked_arguments
def reduced_case(path: Path) -> ReducedAppendage:
    """Modes of a case, from the cache if nothing that affects them changed.

    The cache key covers files (INCLUDEs too), schema, version and source code of this package, and backend.

    Args:
        path: the file.
    """
    existing_file(path)
    facts = {
        "files": list(_digests(path).values()),
        "version": tisserand.__version__,
        "programs": _programs(),
        "schema": SCHEMA_VERSION,
        "backend": available_backends()[0],
    }
    key = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]
    kept = cache_folder() / f"{path.stem}-{key}.h5"
    if not _safe(kept.parent):
        _log.warning("tisserand: note: the cache %s is not used, because others can write to it", kept.parent)
        return open_appendage(path).reduce()
    stored = _from_cache(kept)
    if stored is not None:
        return stored
    appendage = open_appendage(path).reduce()
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        save_record(appendage, kept)
    except OSError as error:
        _log.warning("tisserand: note: the reduced case is not cached: %s", error)
    except FileError as error:
        _log.warning("tisserand: note: the reduced case is not cached: %s", error.sentence())
    return appendage


_log = logging.getLogger(__name__)
#: Files of the cases that were read, with their digests: studies ask for the same case again and again.
_READ: dict[Path, dict[Path, str]] = {}


def _digests(path: Path) -> dict[Path, str]:
    """Digests of all files of a case; it is read for them once, and again when one has changed."""
    known = _READ.get(path.resolve())
    if known is None or any(not file.is_file() or sha256_of(file) != digest for file, digest in known.items()):
        source = open_appendage(path)
        assert source.structure is not None
        files = sorted({path.resolve(), *(Path(p).resolve() for p in source.structure.sources)})
        known = _READ[path.resolve()] = {file: sha256_of(file) for file in files}
    return known


def files_of_case(path: Path) -> list[Path]:
    """A case and every file that it is read from, INCLUDEs too, as absolute paths."""
    return list(_digests(path))


def _from_cache(kept: Path) -> ReducedAppendage | None:
    """The cached record; None, with a note, if it cannot be read, since it can be recomputed."""
    try:
        return shared_record(kept) if kept.exists() else None
    except (TisserandError, OSError) as error:
        _log.warning("tisserand: note: a cached record is damaged and is recomputed: %s", error)
        return None


@cache
def _programs() -> str:
    """Digest of this package's sources: the version alone does not identify the code between releases."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
