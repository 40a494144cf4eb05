"""Sections of a record's page that come from its reports: checks, acceptance, responses, import ledger, and any other facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.views.branches import covered
from tisserand.views.report import charts, html
from tisserand.views.report.html import Markup, Section
from tisserand.views.report.response_charts import drive_content

#: Marks of outcomes, as the page colors them.
_MARKS = {"pass": "ok", "ok": "ok", "not applicable": "ok", "missing": "warn", "warn": "warn"}


def mark(word: str) -> Markup:
    """An outcome in its color."""
    return Markup(f'<span class="mark-{_MARKS.get(word, "fail")}">{html.text(word)}</span>')


def facts(data: Any) -> Markup:
    """Any JSON-like data as nested tables."""
    if isinstance(data, Mapping):
        if not data:
            return Markup("–")
        return html.table(["what", "value"], [[key, facts(value)] for key, value in data.items()])
    if isinstance(data, list | tuple):
        if data and all(isinstance(item, Mapping) for item in data):
            columns = list(dict.fromkeys(key for item in data for key in item))
            return html.table(columns, [[_short(item.get(key)) for key in columns] for item in data])
        return Markup(", ".join(html.text(_short(item)) for item in data) or "–")
    return Markup(html.text(data))


def _short(value: Any) -> object:
    return value if value is None or isinstance(value, str | int | float | bool) else facts(value)


def dossier_sections(record: ReducedAppendage) -> list[Section]:
    """What the record's reports hold beyond its modes."""
    made = (_checks(record), _acceptance(record), _responses(record), _campbell(record), _ledger(record))
    return [section for section in made if section is not None]


def _checks(record: ReducedAppendage) -> Section | None:
    report = record.reports.get("checks")
    if not isinstance(report, Mapping):
        return None
    rows = [
        [mark(str(row.get("verdict"))), row.get("name"), row.get("message"), row.get("value"), row.get("limit")]
        for row in report.get("rows", ())
    ]
    content = [html.table(["", "check", "finding", "value", "limit"], rows)]
    if report.get("mass"):
        content.append(html.details("Mass by section and nodal body", facts(report["mass"])))
    return Section("checks", "Model checks", tuple(content))


def _acceptance(record: ReducedAppendage) -> Section | None:
    """One table per profile: value, limit, clause and outcome."""
    content: list[Markup] = []
    for report in record.reports.get("acceptance") or ():
        word = "accepted" if report["accepted"] else "not accepted"
        content.append(
            Markup(f"<h3>{html.text(report['profile'])}: {mark('pass' if report['accepted'] else word).html}</h3>")
        )
        rows = [
            [mark(row["outcome"]), row["measure"], row["value"], _limit(row), row["words"], f"{row['source']} {row['clause']}"]
            for row in report["criteria"]
        ]  # fmt: skip
        content.append(html.table(["", "measure", "value", "limit", "finding", "clause"], rows))
    return Section("acceptance", "Acceptance", tuple(content)) if content else None


def _limit(row: Mapping[str, Any]) -> str:
    parts = [("≥", row["at_least"]), ("≤", row["at_most"])]
    return " and ".join(f"{sign} {value:.6g}" for sign, value in parts if value is not None)


def _responses(record: ReducedAppendage) -> Section | None:
    content = [part for report in record.reports.get("responses") or () for part in drive_content(report)]
    return Section("responses", "Responses", tuple(content)) if content else None


def _campbell(record: ReducedAppendage) -> Section | None:
    report = record.reports.get("campbell")
    if not isinstance(report, Mapping):
        return None
    rates, lines = np.asarray(report["spin_rates"], float), np.asarray(report["frequencies_hz"], float)
    series = [(f"branch {i + 1}", lines[:, i]) for i in range(lines.shape[1])]
    hidden = [i for i, below in enumerate(covered(lines)) if below is not None]
    drawn = charts.curves(
        rates * 30.0 / np.pi,
        series,
        "spin rate (rpm)",
        "frequency (Hz)",
        name="Campbell diagram",
        pointed=True,
        dashed=hidden,
    )
    content = [html.figure(drawn, "Frequencies in the spinning frame")]
    if record.reports.get("spinning"):
        rate = record.reports["spinning"]["rate"]
        content.append(
            html.paragraph(
                f"The shapes at {rate * 30.0 / np.pi:.4g} rpm ({rate:.4g} rad/s), which turn around, are in the list of modes.",
                "hint",
            )
        )
    return Section("campbell", "Campbell diagram", tuple(content))


def _ledger(record: ReducedAppendage) -> Section | None:
    report = record.reports.get("ledger")
    if not isinstance(report, Mapping) or not (report.get("entries") or report.get("balance")):
        return None
    rows = [[e["card"], e["count"], e["fate"], e["reason"]] for e in report.get("entries", [])]
    content = [html.table(["card", "count", "fate", "why"], rows, sortable=True)]
    if report.get("balance"):
        content.append(html.details("Mass balance: imported and assembled", facts(report["balance"])))
    if report.get("notes"):
        content.append(facts(report["notes"]))
    return Section("ledger", "Import ledger", tuple(content))
