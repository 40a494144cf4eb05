"""Open and assemble a model, and run the model checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tisserand.assembly.check_report import Check
from tisserand.assembly.model_checks import CheckReport, check_model
from tisserand.errors import InputError
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.delivery_checks import DeliveryCheck, check_delivered
from tisserand.studies.delivery import check_dict
from tisserand.studies.idle_options import refuse_idle
from tisserand.studies.options import CheckStudy
from tisserand.studies.source import open_appendage
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckResult(TaskResult):
    """Checks, mass properties and ledger of one model; ``passed`` is False when one failed; ``delivery``: of delivered ones."""

    task: ClassVar = "check"

    name: str
    report: CheckReport
    mass: float
    center_of_mass: Any
    inertia: Any
    ledger: dict[str, Any]
    passed: bool
    units: str = "SI"
    warnings: tuple[str, ...] = ()
    delivery: DeliveryCheck | None = None

    @property
    def exit_code(self) -> int:
        return 0 if self.passed else 1

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {
            "name": self.name,
            "passed": self.passed,
            "checks": self.report.as_dict(),
            "mass": self.mass,
            "center_of_mass": self.center_of_mass,
            "inertia": self.inertia,
            "units": self.units,
            "ledger": self.ledger,
            "warnings": list(self.warnings),
            **({} if self.delivery is None else {"delivery": check_dict(self.delivery)}),
        }


@task(CheckStudy)
def check(study: CheckStudy) -> CheckResult:
    """Read and check a model. A failed check is a result here; the command turns it into exit code 1."""
    source = open_appendage(study.model, units=study.units, format=study.format, allow=study.allow, **study.choices)
    if source.delivered is not None:
        refuse_idle(study, ("mass", "units", "allow"), "a delivered model", where=study.model)
        return _of_delivered(source.delivered)
    assembled = source.assemble(study.mass)
    if source.structure is None:
        raise InputError(
            "checks need a structural model, not bare matrices", where=str(study.model), expected="a deck or a case"
        )
    report, properties = check_model(source.structure, assembled), assembled.mass_properties()
    return CheckResult(
        name=source.structure.name,
        report=report,
        mass=properties.mass,
        center_of_mass=properties.center,
        inertia=properties.inertia,
        ledger=assembled.ledger.as_dict(),
        passed=report.passed,
        units=source.structure.unit_system,
        warnings=source.structure.ledger.assumptions,
    )


def _of_delivered(model: DeliveredModel) -> CheckResult:
    """Checks of a delivered model by its own matrices."""
    found = check_delivered(model)
    rows = tuple(
        Check(row.name, row.value, row.limit, "ok" if row.passed else "fail", f"{row.value:.3g}: {row.meaning}")
        for row in found.rows.rows
    )
    properties = found.properties["geometry"]
    return CheckResult(
        name=model.name,
        report=CheckReport(model.name, rows, ()),
        mass=properties.mass,
        center_of_mass=properties.center,
        inertia=properties.inertia,
        ledger={},
        passed=found.passed,
        units=model.unit_system,
        delivery=found,
    )
