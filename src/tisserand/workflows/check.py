"""Is a model sound? Reads, assembles and runs the list of checks an analyst would sign."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tisserand.errors import InputError
from tisserand.workflows.sources import open_source

if TYPE_CHECKING:
    from tisserand.assembly.model_checks import CheckReport


@dataclass(frozen=True, eq=False)
class CheckResult:
    """Checks, mass properties and ledger of one model; ``passed`` is False when a check failed."""

    name: str
    report: CheckReport
    mass: float
    center_of_mass: Any
    inertia: Any
    ledger: dict[str, Any]
    passed: bool
    units: str = "SI"

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
        }


def check(
    path: str | Path, *, units: str | None = None, mass: str | None = None, allow: tuple[str, ...] = ()
) -> CheckResult:
    """Read and check the model at ``path``. A failed check is a result here; the command turns it into exit code 1."""
    from tisserand.assembly.model_checks import check_model

    source = open_source(path, units=units, allow=allow)
    assembled = source.assembled(mass)
    if source.structure is None:
        raise InputError(
            "checks need a structural model, not bare matrices", where=str(path), expected="a deck or a case"
        )
    report = check_model(source.structure, assembled)
    properties = assembled.mass_properties()
    return CheckResult(
        name=source.structure.name,
        report=report,
        mass=properties.mass,
        center_of_mass=properties.center,
        inertia=properties.inertia,
        ledger=assembled.ledger.as_dict(),
        passed=report.passed,
        units=source.structure.unit_system,
    )
