"""Options of the tasks on files of ours and on none: report, export, demo, formats, schema, study."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from tisserand.declarations import FilePath, option
from tisserand.studies.study_type import Study
from tisserand.studies.values import PointOrCenter, Units

#: Names of the registry of exporters, written out so that help does not import it; a test compares.
Target = Literal[
    "statespace", "matlab", "sdtlib", "effective-mass", "participation", "modelica", "fmu2", "fmu3", "fmu2-nonlinear",
    "fmu3-nonlinear", "simscape", "op4", "dmig", "bdf", "calculix", "petsc", "mjcf", "basilisk", "basilisk-modal",
    "exudyn", "42", "sid", "uff", "vtu", "gltf",
]  # fmt: skip


class ReportStudy(Study):
    """Write a self-contained HTML page: verdict, tables, charts and animated 3-D shapes. It works offline."""

    task: ClassVar = "report"
    arguments: ClassVar = ("source",)
    reads: ClassVar = ("reference",)
    doing: ClassVar = "Writing the report of"

    source: FilePath = option(..., "a reduced record or a run", metavar="FILE.h5")
    output: FilePath | None = option(
        None, "page to write; default: next to the file", short="-o", metavar="REPORT.html"
    )
    reference: FilePath | None = option(None, "record to compare the modes with (MAC)", metavar="RECORD.h5")


class ExportStudy(Study):
    """Export a record, a vehicle or a model for another tool, after listing what that format cannot represent."""

    task: ClassVar = "export"
    arguments: ClassVar = ("record",)
    elsewhere: ClassVar = {
        "nastran": "Nastran's own are op4 and dmig of a record, bdf of a model",
        "paraview": "ParaView's is vtu",
        "simpack": "SIMPACK's is sid",
    }

    record: FilePath = option(
        ..., "a reduced record; a vehicle file or a deck for targets that take one", metavar="FILE"
    )
    to: Target = option(..., "target; see 'tisserand formats'", metavar="TARGET")
    output: FilePath | None = option(
        None, "file to write, or folder to write into; default: next to the record", short="-o"
    )
    reference_point: PointOrCenter | None = option(
        None, "reference point O in the file: x,y,z in basic axes, or center (of mass); default: that of the record",
        unit="m", metavar="X,Y,Z",
    )  # fmt: skip
    units: Units = option("SI", "unit system of the numbers in the file", metavar="SYSTEM")
    read_units: Units | None = option(None, "units of a deck that does not state them", metavar="SYSTEM")
    strict: bool = option(False, "refuse if the target cannot represent everything")
    force: bool = option(False, "replace existing files")


class DemoStudy(Study):
    """Run the complete workflow on an included solar-array wing: mesh, checks, modes, reduction, slew, pictures."""

    task: ClassVar = "demo"

    output: Path = option(Path("tisserand-demo"), "folder to write", short="-o")


class FormatsStudy(Study):
    """List the supported input and output formats."""

    task: ClassVar = "formats"


class SchemaStudy(Study):
    """Print the JSON Schema of case, vehicle, modes, jitter, profile or study files, for editors that check them."""

    task: ClassVar = "schema"
    arguments: ClassVar = ("of",)

    of: Literal["case", "vehicle", "modes", "jitter", "profile", "study"] = option(
        ..., "kind of file: case, vehicle, modes, jitter (budgets), profile (of accept) or study", metavar="KIND"
    )


class StudyFileStudy(Study):
    """Run the tasks of a study file: one table per task, such as [modes] or [simulate], with the options as keys."""

    task: ClassVar = "study"
    arguments: ClassVar = ("file",)

    file: FilePath = option(..., "a study file", metavar="STUDY.toml")
    force: bool = option(False, "allow the file to write outside its folder; inputs are never overwritten")
