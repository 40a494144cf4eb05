"""The files that a case's ``[outputs]`` requests: record, mode table, pictures and report of its modes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tisserand.appendage import mode_table, save_record
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.errors import FileError
from tisserand.files import check_outputs, keep_inputs, write_text
from tisserand.studies.look import HDF5_SUFFIXES
from tisserand.studies.named_files import named_files
from tisserand.studies.pictures import save_view
from tisserand.studies.source import Source

#: What each output may be called; the ending decides what is written.
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "record": HDF5_SUFFIXES,
    "modes": (".csv", ".json"),
    "pictures": (".png", ".gif", ".mp4", ".glb", ".vtu"),
    "report": (".html",),
}


def check_ending(kind: str, path: Path) -> None:
    """Refuse a name whose ending belongs to another kind of file."""
    if path.suffix.lower() not in ENDINGS[kind]:
        raise FileError(
            path,
            f"unsupported file extension for a {kind}",
            found=repr(path.suffix),
            expected=" or ".join(ENDINGS[kind]),
        )


def wanted_outputs(source: Source, record: Path | None, *, stated: bool = True, force: bool = False) -> dict[str, Path]:
    """The files to write, by kind, checked; a ``record`` stated here overrides that of the case.

    stated: also what the case's ``[outputs]`` requests; force: wherever it asks.
    """
    wanted = dict(source.case.outputs) if stated and source.case is not None else {}
    if record is not None:
        wanted.pop("record", None)
    check_outputs(source.path, wanted, ENDINGS, anywhere=force)
    if record is not None:
        wanted["record"] = record
    if wanted:
        read = () if source.structure is None else source.structure.sources
        tables = None if source.case is None else source.case.tables
        keep_inputs(wanted.values(), [source.path, *read, *named_files(source.path, tables)])
    return wanted


def write_outputs(appendage: ReducedAppendage, wanted: Mapping[str, Path]) -> tuple[Path, ...]:
    """Write each file; returns their paths in the order of ``ENDINGS``."""
    written: list[Path] = []
    for kind in (kind for kind in ENDINGS if kind in wanted):
        path = wanted[kind]
        if kind == "record":
            written.append(save_record(appendage, path))
        elif kind == "modes":
            table = mode_table(appendage)
            as_json = path.suffix.lower() == ".json"
            write_text(path, json.dumps(table.as_dict(), indent=1) + "\n" if as_json else table.as_csv())
            written.append(path)
        else:
            written.extend(save_view(appendage, path).paths)
    return tuple(written)
