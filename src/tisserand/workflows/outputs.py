"""The files that a case's ``[outputs]`` asks for: record, mode table, pictures and report of its modes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.readers.case import AppendageCase
from tisserand.workflows.sources import RECORD_SUFFIXES

#: What each output may be called; the ending decides what is written.
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "record": RECORD_SUFFIXES,
    "modes": (".csv", ".json"),
    "pictures": (".png", ".gif", ".mp4", ".glb", ".vtu"),
    "report": (".html",),
}


def wanted_outputs(case: AppendageCase | None, record: str | Path | None) -> dict[str, Path]:
    """The files to write, by kind, after a look at their endings; ``record`` of the command line wins over the case's."""
    wanted = {} if case is None else dict(case.outputs)
    if record is not None:
        wanted["record"] = Path(record)
    for kind, path in wanted.items():
        if case is not None and path.suffix.lower() not in ENDINGS[kind]:
            raise case.error(
                f"outputs.{kind}", "is no name for such a file", found=path.name, expected=" or ".join(ENDINGS[kind])
            )
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
