"""The verdict on a record: what was checked, what was found, and whether the record is accepted.

A record is accepted if the proof of its modes, the checks of its model, its units, its import ledger and its mass are
all present and good. Missing evidence is a warning, never a reason to accept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.model.ledger import ASSUMED

Mark = Literal["ok", "warn", "fail"]
WORDS: dict[Mark, str] = {
    "ok": "Accepted: every check passed",
    "warn": "Usable, with warnings",
    "fail": "Not acceptable",
}
#: What a model assumes is a note that begins so (written by the readers).
_NAMED = 3


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

    @property
    def words(self) -> str:
        """The banner: accepted, usable or not acceptable."""
        return WORDS[self.overall]

    @property
    def reasons(self) -> tuple[str, ...]:
        """What keeps the record from being accepted, the worst first."""
        order = {"fail": 0, "warn": 1}
        found = sorted((row for row in self.rows if row.verdict in order), key=lambda row: order[row.verdict])
        return tuple(f"{row.what}: {row.finding}" for row in found)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        rows = [{"verdict": row.verdict, "what": row.what, "finding": row.finding} for row in self.rows]
        return {"overall": self.overall, "accepted": self.overall == "ok", "rows": rows}


def verdict_of(appendage: ReducedAppendage) -> Verdict:
    """Judge a record by its stored evidence."""
    rows = (
        _mass(appendage),
        _proof(appendage),
        _identities(appendage),
        _frame(appendage),
        _completeness(appendage),
        _checks(appendage),
        _ledger(appendage),
        _assumptions(appendage),
        _units(appendage),
        *_mechanisms(appendage),
    )
    return Verdict(rows)


def _mechanisms(appendage: ReducedAppendage) -> tuple[Finding, ...]:
    """Strain-free motions besides the rigid body's: a warning where they were allowed, otherwise a failure."""
    told = appendage.reports.get("mechanisms")
    if not isinstance(told, Mapping):
        return ()
    mark: Mark = "warn" if told.get("allowed", True) else "fail"
    return (Finding(mark, "strain-free motions beyond the rigid body", "; ".join(map(str, told["motions"]))),)


def _mass(appendage: ReducedAppendage) -> Finding:
    if appendage.mass > 0.0:
        return Finding("ok", "mass", f"{appendage.mass:.6g}, from positions that are known")
    return Finding("fail", "mass", "unknown: no dof has a known position, so mass, integrals and loads are missing")


def _checks(appendage: ReducedAppendage) -> Finding:
    checks = appendage.reports.get("checks")
    if not isinstance(checks, Mapping) or "passed" not in checks:
        return Finding("warn", "model checks", "none stored: the model behind the record was not checked")
    rows = [row for row in checks.get("rows", ()) if row["verdict"] != "ok"]
    words = "; ".join(f"{row['name']}: {row['message']}" for row in rows[:_NAMED])
    words += f"; and {len(rows) - _NAMED} more" if len(rows) > _NAMED else ""
    if not checks["passed"]:
        return Finding("fail", "model checks", words or "at least one failed")
    return Finding("warn" if rows else "ok", "model checks", words or f"{len(checks.get('rows', ()))} passed")


def _assumptions(appendage: ReducedAppendage) -> Finding:
    ledger = appendage.reports.get("ledger")
    notes = ledger.get("notes", ()) if isinstance(ledger, Mapping) else ()
    assumed = [str(note).removeprefix(ASSUMED) for note in notes if str(note).startswith(ASSUMED)]
    if not assumed:
        return Finding("ok", "assumptions of the reader", "none")
    words = "; ".join(assumed[:_NAMED]) + (f"; and {len(assumed) - _NAMED} more" if len(assumed) > _NAMED else "")
    return Finding("warn", "assumptions of the reader", words)


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
    if not entries:
        return Finding("warn", "import ledger", "empty: how the source was read is not recorded")
    if approximated:
        return Finding("warn", "import ledger", "approximated: " + ", ".join(e["card"] for e in approximated))
    return Finding("ok", "import ledger", f"{len(entries)} kinds of card, none dropped")


def _units(appendage: ReducedAppendage) -> Finding:
    if appendage.unit_system == "consistent":
        return Finding(
            "warn", "units", "consistent units: the length unit is unknown, so vehicles cannot use this record"
        )
    doubts = appendage.reports.get("units_doubt", ())
    if doubts:
        return Finding("warn", "units", "; ".join(map(str, list(doubts)[:_NAMED])))
    return Finding("ok", "units", f"read in {appendage.unit_system}, SI inside")
