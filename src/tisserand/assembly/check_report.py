"""The report of model checks: lines with value, limit and verdict, and where the mass is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tisserand.arguments import checked_arguments
from tisserand.assembly.partmass import PartMass
from tisserand.notebook_html import html_table

Verdict = Literal["ok", "warn", "fail"]


@dataclass(frozen=True)
class Check:
    """One line of the report: a value against its limit, the verdict, a sentence, and the ids it is about."""

    name: str
    value: float
    limit: float | None
    verdict: Verdict
    message: str
    ids: tuple[int, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The same facts as plain data, for JSON."""
        return {
            "name": self.name,
            "value": self.value,
            "limit": self.limit,
            "verdict": self.verdict,
            "message": self.message,
            "ids": list(self.ids),
        }


@checked_arguments
@dataclass(frozen=True, eq=False)
class CheckReport:
    """All checks of a model and where its mass is.

    Attributes:
        name: of the model.
        rows: the checks.
        parts: mass by part.
    """

    name: str
    rows: tuple[Check, ...]
    parts: tuple[PartMass, ...]

    @property
    def passed(self) -> bool:
        """True unless a check failed; warnings pass."""
        return all(row.verdict != "fail" for row in self.rows)

    def of(self, name: str) -> Check:
        """The check of that name."""
        return next(row for row in self.rows if row.name == name)

    def mass_by_material(self) -> dict[str, float]:
        """Mass of elements by material, kg; nodal bodies and scalar masses have none and are left out."""
        out: dict[str, float] = {}
        for part in self.parts:
            if part.material:
                out[part.material] = out.get(part.material, 0.0) + part.mass
        return out

    def _repr_html_(self) -> str:
        rows = [(row.verdict, row.name, row.message) for row in self.rows]
        parts = [(p.kind, p.id, p.name, p.material, p.elements, p.mass) for p in self.parts]
        heads = ("kind", "id", "name", "material", "elements", "mass (kg)")
        return html_table(f"Checks of {self.name}", ("verdict", "check", "found"), rows) + html_table(
            "Mass", heads, parts
        )

    def as_dict(self) -> dict[str, Any]:
        """The same facts as plain data, for JSON."""
        parts = [
            {"kind": p.kind, "id": p.id, "name": p.name, "material": p.material, "elements": p.elements, "mass": p.mass}
            for p in self.parts
        ]
        return {"name": self.name, "passed": self.passed, "rows": [row.as_dict() for row in self.rows], "mass": parts}
