"""The files that a case's ``[outputs]`` asks for: record, mode table, pictures and report of its modes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.files import check_outputs, keep_inputs
from tisserand.workflows.named_files import named_files
from tisserand.workflows.sources import RECORD_SUFFIXES, Source

#: What each output may be called; the ending decides what is written.
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "record": RECORD_SUFFIXES,
    "modes": (".csv", ".json"),
    "pictures": (".png", ".gif", ".mp4", ".glb", ".vtu"),
    "report": (".html",),
}


def wanted_outputs(source: Source, record: str | Path | None, *, stated: bool = True, force: bool = False) -> dict[str, Path]:
    """The files to write, by kind, checked; ``record`` of the command line wins over the case's.

    stated: also what the case's ``[outputs]`` asks for; force: wherever it asks.
    """
    wanted = dict(source.case.outputs) if stated and source.case is not None else {}
    if record is not None:
        wanted.pop("record", None)
    check_outputs(source.path if source.case is None else source.case.path, wanted, ENDINGS, anywhere=force)
    if record is not None:
        wanted["record"] = Path(record)
    read = () if source.structure is None else source.structure.sources
    keep_inputs(wanted.values(), [source.path, *read, *named_files(source.path)])
    return wanted


def write_outputs(appendage: ReducedAppendage, wanted: Mapping[str, Path]) -> tuple[Path, ...]:
    """Write each file (folders are made as needed); returns their paths in the order of ``ENDINGS``."""
    written: list[Path] = []
    for kind in (kind for kind in ENDINGS if kind in wanted):
        path = wanted[kind]
        if kind == "record":
            from tisserand.appendage import save_record

            written.append(save_record(appendage, path))
        elif kind == "modes":
            _write_table(appendage, path)
            written.append(path)
        else:
            from tisserand.workflows.view import save_view

            written.extend(save_view(appendage, path, mode=1).paths)
    return tuple(written)


def _write_table(appendage: ReducedAppendage, path: Path) -> None:
    import json

    from tisserand.appendage import mode_table
    from tisserand.files import write_text

    table = mode_table(appendage)
    as_json = path.suffix.lower() == ".json"
    write_text(path, json.dumps(table.as_dict(), indent=1) + "\n" if as_json else table.as_csv())
