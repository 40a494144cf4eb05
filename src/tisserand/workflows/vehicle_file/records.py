"""Records named by a vehicle file: read, or reduced on the fly from a case and cached by content."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from tisserand.appendage import load_record, save_record
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.errors import FileError
from tisserand.files import existing_file, sha256_of
from tisserand.schema import Table
from tisserand.studies.source import open_appendage


def record_at(table: Table) -> ReducedAppendage:
    """``record = "wing.h5"`` or ``case = "wing.toml"``; a record without known units cannot fly."""
    which = table.one_of("record", "case")
    path = table.path(which)
    try:
        existing_file(path)
    except FileError as error:
        raise table.error(which, error.what, found=str(path), expected=error.expected or "a file") from error
    appendage = load_record(path) if which == "record" else reduced_case(path)
    if appendage.unit_system == "consistent":
        raise table.error(
            which, "the record's lengths have no known unit", found=str(path), expected="a record in real units",
            advice="make it again without --units consistent",
        )  # fmt: skip
    return appendage


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
    """
    from tisserand import __version__
    from tisserand.appendage.record.layout import SCHEMA_VERSION
    from tisserand.linalg.factor import available_backends

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
    for file in sorted(Path(__file__).parents[2].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
