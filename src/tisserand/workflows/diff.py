"""Compare two appendages: the release gate of a structural model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tisserand.workflows.modes import compute_modes

if TYPE_CHECKING:
    from tisserand.appendage.comparison.compare_records import Comparison


@dataclass(frozen=True, eq=False)
class DiffResult:
    """The comparison and what it means for a gate."""

    comparison: Comparison

    @property
    def passed(self) -> bool:
        return self.comparison.passed

    @property
    def breaches(self) -> tuple[str, ...]:
        return self.comparison.breaches

    def rows(self) -> list[list[object]]:
        """One row per pair: mode of A, Hz, mode of B, Hz, relative change, MAC, verdict."""
        return self.comparison.rows()

    def as_dict(self) -> dict[str, Any]:
        return self.comparison.as_dict()


def diff(
    first: str | Path,
    second: str | Path,
    *,
    units: str | None = None,
    tolerances: str | Path | None = None,
    picture: str | Path | None = None,
) -> DiffResult:
    """Compare B with the reference A; both may be records, decks or cases."""
    from tisserand.appendage import compare, read_tolerances

    a = compute_modes(first, units=units).appendage
    b = compute_modes(second, units=units).appendage
    limits = None if tolerances is None else read_tolerances(tolerances)
    comparison = compare(a, b, limits)
    if picture is not None:
        from tisserand.views.mac import save_mac_picture

        save_mac_picture(comparison, picture)
    return DiffResult(comparison)
