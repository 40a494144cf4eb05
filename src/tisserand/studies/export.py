"""Export of a record, a structural model or a vehicle to another tool."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tisserand.appendage import load_record
from tisserand.errors import FileError, InputError
from tisserand.exporters.registry import ExportResult, export_appendage, export_model, export_vehicle, target_of
from tisserand.model import StructuralModel, Supports
from tisserand.readers.case.case_file import AnalysisTable
from tisserand.studies.idle_options import refuse_idle
from tisserand.studies.kinds import kind_of, refuse_other
from tisserand.studies.look import Look
from tisserand.studies.options import ExportStudy
from tisserand.studies.source import open as opened
from tisserand.studies.study_type import task
from tisserand.studies.vehicles import read_vehicle


@task(ExportStudy)
def export(study: ExportStudy) -> ExportResult:
    """Write a record, model or vehicle in the format of another tool, after listing what that format cannot represent."""
    look, target = Look(study.record), target_of(study.to)
    options = {"strict": study.strict, "force": study.force}
    if target.takes("vehicle") and kind_of(look).name == "vehicle":
        refuse_idle(study, ("reference_point", "units", "read_units"), "the export of a vehicle")
        return export_vehicle(read_vehicle(study.record), study.to, _path(study), **options)
    if target.takes("model") and not target.takes("record"):
        refuse_idle(study, ("reference_point",), "the export of a structural model")
        source = opened(study.record, units=study.read_units)
        model = source.structure
        if model is None:
            raise InputError(
                f"the target {target.name} takes a structural model",
                where=str(study.record),
                expected="a deck or a case",
            )
        if target.name == "petsc" and source.case is not None:
            model = _as_analyzed(model, source.case.analysis)
        return export_model(model, study.to, _path(study), units=study.units, **options)
    refuse_other(look, "a record (.h5) that modes wrote", "record")
    refuse_idle(study, ("read_units",), "a record, which states its units")
    return export_appendage(
        load_record(study.record), study.to, _path(study),
        reference_point=study.reference_point, units=study.units, **options,
    )  # fmt: skip


def _path(study: ExportStudy) -> Path:
    """Where the file goes: as stated, in a stated folder, or next to the source."""
    path = study.output or study.record
    suffix = target_of(study.to).suffix
    if study.output is not None and (not path.is_dir() or path.suffix == suffix):
        if suffix and not path.suffix:
            raise FileError(
                path, "is no folder, and has no extension",
                expected=f"a file such as {path.name}{suffix}, or a folder that exists",
            )  # fmt: skip
        return path
    folder = path if path.is_dir() else path.parent
    return folder / f"{study.record.stem}{suffix}"


def _as_analyzed(model: StructuralModel, wish: AnalysisTable) -> StructuralModel:
    """The model with the boundary, mass and number of modes that its case states, as ``modes`` takes them."""
    asked = model.analysis
    if wish.count is not None or wish.fmax_hz is not None:
        asked = replace(asked, count=wish.count, fmax_hz=wish.fmax_hz)
    supports = Supports() if wish.free else model.supports
    return replace(model, analysis=asked, supports=supports, mass_recipe=wish.mass or model.mass_recipe)
