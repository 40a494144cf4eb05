"""Compare two appendages: the release gate of a structural model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tisserand.appendage import Comparison, compare, read_tolerances
from tisserand.studies.base import task
from tisserand.studies.options import DiffStudy
from tisserand.studies.source import open_appendage
from tisserand.views.mac import save_mac_picture


@dataclass(frozen=True, eq=False)
class DiffResult:
    """The comparison and what it means for a gate."""

    comparison: Comparison

    @property
    def passed(self) -> bool:
        """Whether every difference is within its tolerance."""
        return bool(self.comparison.passed)

    @property
    def exit_code(self) -> int:
        return 0 if self.passed else 1

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return self.comparison.as_dict()  # type: ignore[no-any-return]


@task(DiffStudy)
def diff(study: DiffStudy) -> DiffResult:
    """Compare B with the reference A; both may be records, decks or cases."""
    a, b = (open_appendage(path, units=study.units).reduce() for path in (study.first, study.second))
    limits = None if study.tolerances is None else read_tolerances(study.tolerances)
    comparison = compare(a, b, limits)
    if study.picture is not None:
        save_mac_picture(comparison, study.picture)
    return DiffResult(comparison)
