"""One HTML page of a record or a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tisserand.errors import FileError, InputError
from tisserand.files import existing_file, write_text
from tisserand.workflows.misplaced import RUN_SUFFIXES, vehicle_table


@dataclass(frozen=True)
class ReportResult:
    """Where the page is and how large."""

    path: Path
    bytes: int
    kind: str

    def as_dict(self) -> dict[str, Any]:
        return {"path": str(self.path), "bytes": self.bytes, "kind": self.kind}


def write_report(
    source: str | Path, *, output: str | Path | None = None, reference: str | Path | None = None
) -> ReportResult:
    """Write the report of a record (``reference`` adds the MAC against another record) or of a simulation run."""
    source = existing_file(source)
    _refuse_models(source)
    target = Path(output) if output is not None else source.with_suffix(".html")
    from tisserand.appendage import is_record, load_record

    if is_record(source):
        from tisserand.views.report.appendage_page import appendage_page

        appendage = load_record(source)
        comparison = None
        if reference is not None:
            from tisserand.appendage import compare

            comparison = compare(load_record(reference), appendage)
        page, kind = appendage_page(appendage, comparison), "reduced appendage"
    else:
        if reference is not None:
            raise InputError("--reference goes with a record, not with a run", where=str(source))
        from tisserand.multibody import load_trajectory
        from tisserand.views.report.trajectory_page import trajectory_page

        page, kind = trajectory_page(load_trajectory(source)), "trajectory"
    write_text(target, page)
    return ReportResult(target, target.stat().st_size, kind)


def _refuse_models(source: Path) -> None:
    """A report is made of results; a deck, case or vehicle file is told which command makes them."""
    if source.suffix.lower() in RUN_SUFFIXES:
        return
    made = source.with_suffix(".h5").name
    vehicle = vehicle_table(source) is not None
    command = f"simulate {source.name} -o {made}" if vehicle else f"modes {source.name} -o {made}"
    raise FileError(
        source,
        "is a vehicle file" if vehicle else "is neither a record nor a run",
        expected="an HDF5 file (.h5) that modes or simulate wrote",
        advice=f"make one with 'tisserand {command}'",
    )
