"""Export of a record to another tool."""

from __future__ import annotations

from tisserand.appendage import load_record
from tisserand.exporters.registry import ExportResult, export_appendage, target_of
from tisserand.studies.kinds import refuse_other
from tisserand.studies.look import Look
from tisserand.studies.options import ExportStudy
from tisserand.studies.study_type import task


@task(ExportStudy)
def export(study: ExportStudy) -> ExportResult:
    """Write a record in the format of another tool, after listing what that format cannot represent."""
    refuse_other(Look(study.record), "a record (.h5) that modes wrote", "record")
    path = study.output or study.record
    if study.output is None or path.is_dir():
        folder = path if path.is_dir() else path.parent
        path = folder / f"{study.record.stem}{target_of(study.to).suffix}"
    return export_appendage(
        load_record(study.record), study.to, path,
        reference_point=study.reference_point, units=study.units, strict=study.strict, force=study.force,
    )  # fmt: skip
