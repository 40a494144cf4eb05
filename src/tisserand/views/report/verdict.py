"""The acceptance dossier in one table: what was checked, what was found, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage

Mark = Literal["ok", "warn", "fail"]


@dataclass(frozen=True)
class Finding:
    verdict: Mark
    what: str
    finding: str


@dataclass(frozen=True)
class Verdict:
    """Findings and the worst of them."""

    rows: tuple[Finding, ...]

    @property
    def overall(self) -> Mark:
        marks = {row.verdict for row in self.rows}
        return "fail" if "fail" in marks else "warn" if "warn" in marks else "ok"


def verdict_of(appendage: ReducedAppendage) -> Verdict:
    """Judge a record by what it carries."""
    rows = [
        _proof(appendage),
        _identities(appendage),
        _frame(appendage),
        _completeness(appendage),
        _ledger(appendage),
        _units(appendage),
    ]
    checks = appendage.reports.get("checks")
    if isinstance(checks, Mapping) and "passed" in checks:
        rows.append(
            Finding(
                "ok" if checks["passed"] else "fail",
                "model checks",
                "all passed" if checks["passed"] else "at least one failed, see below",
            )
        )
    return Verdict(tuple(rows))


def _proof(appendage: ReducedAppendage) -> Finding:
    proof = appendage.reports.get("proof")
    what = "no mode missing (Sturm count), errors of the eigenvalues"
    if not isinstance(proof, Mapping):
        return Finding("warn", what, "no proof stored: the shapes were given, not computed here")
    missed = int(proof["missed"])
    bound = "worst_error" in proof  # older records hold a residual only
    error = float(proof["worst_error" if bound else "worst_residual"])
    words = f"{missed} missed below {float(proof['sturm_shift_hz']):.4g} Hz, "
    words += f"eigenvalues within {error:.1e}" if bound else f"worst residual {error:.1e}"
    return Finding("fail" if missed else "ok" if error < 1e-5 else "warn", what, words)


def _identities(appendage: ReducedAppendage) -> Finding:
    worst = max(appendage.integrals.identity_errors().values())
    level = appendage.inertia_level
    mark: Mark = "ok" if worst < 1e-8 else "warn" if level != "full" else "fail"
    return Finding(
        mark, "identities of the modal integrals", f"worst relative error {worst:.1e}, inertia level {level}"
    )


def _frame(appendage: ReducedAppendage) -> Finding:
    worst = max(appendage.frame.residuals, default=0.0)
    return Finding(
        "ok" if worst <= 1e-9 else "warn",
        f"shapes satisfy the {appendage.frame.name} frame",
        f"worst relative violation {worst:.1e}",
    )


def _completeness(appendage: ReducedAppendage) -> Finding:
    what = "share of the rigid mass carried by the modes"
    if appendage.rigid_body_modes:
        return Finding("ok", what, "free body: the frame carries the rigid motion")
    rigid = np.diag(appendage.integrals.rigid_mass)
    carried = 1.0 - np.diag(appendage.integrals.residual_mass) / np.where(rigid > 0.0, rigid, 1.0)
    low = float(carried[:3].min())
    words = ", ".join(f"{axis} {100 * value:.1f} %" for axis, value in zip("xyz", carried[:3]))
    return Finding("ok" if low > 0.5 else "warn", what, words)


def _ledger(appendage: ReducedAppendage) -> Finding:
    ledger = appendage.reports.get("ledger")
    entries = ledger.get("entries", []) if isinstance(ledger, Mapping) else []
    dropped = [e for e in entries if e["fate"] == "dropped"]
    approximated = [e for e in entries if e["fate"] == "approximated"]
    if dropped:
        return Finding(
            "fail", "import ledger", "dropped even though it matters: " + ", ".join(e["card"] for e in dropped)
        )
    if approximated:
        return Finding("warn", "import ledger", "approximated: " + ", ".join(e["card"] for e in approximated))
    return Finding("ok", "import ledger", f"{len(entries)} kinds of card, none dropped")


def _units(appendage: ReducedAppendage) -> Finding:
    if appendage.unit_system == "consistent":
        return Finding(
            "warn", "units", "consistent units: the length unit is unknown, so vehicles cannot use this record"
        )
    return Finding("ok", "units", f"read in {appendage.unit_system}, SI inside")
