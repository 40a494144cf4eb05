"""Every option of every task, declared once. Importing this imports no mechanics, so that help stays quick."""

from __future__ import annotations

from tisserand.studies.options.delivery_options import AcceptStudy, CorrelateStudy, CoupleStudy, ReduceStudy
from tisserand.studies.options.environment_options import BaseDriveStudy, CoupledLoadsStudy, JitterStudy
from tisserand.studies.options.file_options import (
    DemoStudy,
    ExportStudy,
    FormatsStudy,
    ReportStudy,
    SchemaStudy,
    StudyFileStudy,
    Target,
)
from tisserand.studies.options.model_options import (
    CampbellStudy,
    CheckStudy,
    DiffStudy,
    Format,
    InfoStudy,
    MassRecipe,
    ModesStudy,
    Mounting,
    ViewStudy,
)
from tisserand.studies.options.vehicle_options import (
    EquationsStudy,
    FramesStudy,
    LinearizeStudy,
    MergeStudy,
    MonteCarloStudy,
    RerunStudy,
    ResponseStudy,
    SimulateStudy,
    SweepStudy,
    SystemModesStudy,
    UncertainStudy,
)
from tisserand.studies.study_type import Study

__all__ = [
    "STUDIES",
    "AcceptStudy",
    "BaseDriveStudy",
    "CampbellStudy",
    "CheckStudy",
    "CorrelateStudy",
    "CoupleStudy",
    "CoupledLoadsStudy",
    "DemoStudy",
    "DiffStudy",
    "EquationsStudy",
    "ExportStudy",
    "Format",
    "FormatsStudy",
    "FramesStudy",
    "InfoStudy",
    "JitterStudy",
    "LinearizeStudy",
    "MassRecipe",
    "MergeStudy",
    "ModesStudy",
    "MonteCarloStudy",
    "Mounting",
    "ReduceStudy",
    "ReportStudy",
    "RerunStudy",
    "ResponseStudy",
    "SchemaStudy",
    "SimulateStudy",
    "StudyFileStudy",
    "SweepStudy",
    "SystemModesStudy",
    "Target",
    "UncertainStudy",
    "ViewStudy",
]

#: Every task in the order of the help page.
STUDIES: tuple[type[Study], ...] = (
    DemoStudy, InfoStudy, CheckStudy, ModesStudy, ReduceStudy, CoupleStudy, AcceptStudy, CorrelateStudy, BaseDriveStudy,
    CoupledLoadsStudy, JitterStudy, ViewStudy,
    ReportStudy, DiffStudy,
    ExportStudy, SimulateStudy, FramesStudy,
    LinearizeStudy, EquationsStudy, SystemModesStudy, ResponseStudy, UncertainStudy, SweepStudy, CampbellStudy, MonteCarloStudy,
    MergeStudy, RerunStudy, FormatsStudy, SchemaStudy, StudyFileStudy,
)  # fmt: skip
