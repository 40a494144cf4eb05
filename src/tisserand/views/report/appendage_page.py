"""The report of a reduced appendage: verdict first, then everything behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tisserand.appendage.comparison.pairing import mac_matrix
from tisserand.appendage.integrals.effective_masses import shown_effective_masses
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.support_mass import listed_modes
from tisserand.appendage.verdict import verdict_of
from tisserand.arrays import without_roundoff
from tisserand.views.report import charts, html
from tisserand.views.report.dossier import dossier_sections, facts
from tisserand.views.report.html import Markup, Section
from tisserand.views.report.page_words import damping_words, identity_words
from tisserand.views.report.scene import mode_scene
from tisserand.views.report.viewers import mode_viewer

_NO_EFFECTIVE = "The shapes of a free body carry no momentum, so there are no effective masses: the rigid-body motions have all of it."
EFFECTIVE_COLUMNS = ("Mx %", "My %", "Mz %", "Ix %", "Iy %", "Iz %")
#: Kinds of shapes that are modes of vibration, and what the others are called.
VIBRATING = ("elastic", "assumed")
_COUNTED = {"rigid": "rigid shapes", "mechanism": "mechanisms", "residual": "residual shapes"}
DIRECTIONS = ("x", "y", "z", "about x", "about y", "about z")


def appendage_page(
    appendage: ReducedAppendage, comparison: Any = None, reference: ReducedAppendage | None = None
) -> str:
    """The whole HTML page of a record; ``comparison`` with ``reference`` adds the MAC matrix and its shapes beside these."""
    sections = [
        _shapes(appendage, comparison, reference),
        _verdict(appendage),
        _effective(appendage),
        _mass(appendage),
        _frame(appendage),
    ]
    for extra in (_damping(appendage), _selection(appendage), _comparison(comparison), *dossier_sections(appendage)):
        if extra is not None:
            sections.append(extra)
    sections.append(_provenance(appendage))
    verdict = verdict_of(appendage)
    subtitle = f"Reduced appendage in the {appendage.frame.name} frame: {appendage.frame.meaning}"
    return html.page(
        appendage.name,
        subtitle,
        sections,
        ("modes.js",),
        verdict=(verdict.overall, verdict.words),
        reasons=verdict.reasons,
        figures=_figures(appendage),
    )


def effective_fractions(appendage: ReducedAppendage) -> tuple[np.ndarray, np.ndarray]:
    """Effective masses (k, 6), round-off as zero, and the rigid values (6,) they add up toward, about the reference point."""
    integrals = appendage.integrals
    rigid = np.diag(integrals.rigid_mass)
    if appendage.count == 0:
        return np.zeros((0, 6)), rigid
    return shown_effective_masses((integrals.coupling / integrals.sizes).T ** 2, rigid), rigid


def _figures(appendage: ReducedAppendage) -> Markup:
    """The numbers that matter, below the title: modes are those that vibrate, other shapes are counted by their kind."""
    kinds = np.array(appendage.mode_kinds, dtype=str)
    vibrating = np.isin(kinds, VIBRATING)
    others = [
        (_COUNTED.get(str(kind), f"{kind} shapes"), int((kinds == kind).sum()))
        for kind in dict.fromkeys(kinds[~vibrating])
    ]
    f = listed_modes(appendage)[0][vibrating]
    f = f[np.isfinite(f)]
    turning = appendage.reports.get("spinning")
    rows: list[tuple[str, object]] = [
        ("mass, kg", appendage.mass if appendage.mass > 0.0 else "unknown"),
        ("modes", int(vibrating.sum())),
        *others,
        *([("first mode, Hz", float(f.min()))] if len(f) else []),
        *([("last mode, Hz", float(f.max()))] if len(f) > 1 else []),
        *([("free rigid-body motions", appendage.rigid_body_modes)] if appendage.rigid_body_modes else []),
        *([("spin of the turning shapes, rpm", float(turning["rate"]) * 30.0 / np.pi)] if turning else []),
        ("nodes", len(appendage.nodes)),
        *([("inertia level", appendage.inertia_level)] if appendage.inertia_level != "full" else []),
    ]  # fmt: skip
    return html.cards(rows)


def _verdict(appendage: ReducedAppendage) -> Section:
    """What was checked, and why the record is accepted or not."""
    rows = [
        [Markup(f'<span class="mark-{r.verdict}">{r.verdict}</span>'), r.what, r.finding]
        for r in verdict_of(appendage).rows
    ]
    return Section("summary", "Verdict", (html.table(["", "check", "finding"], rows),))


def _shapes(appendage: ReducedAppendage, comparison: Any, reference: ReducedAppendage | None) -> Section:
    """The moving shapes beside the table of modes."""
    data, factor = mode_scene(appendage)
    scenes = [data, *([mode_scene(reference)[0]] if reference is not None else [])]
    effective, rigid = effective_fractions(appendage)
    share = effective / np.where(rigid > 0.0, rigid, np.inf)
    content = [
        mode_viewer(scenes, energy=appendage.nodes.energy is not None),
        html.data_block(
            "mode-data",
            {
                "scenes": scenes,
                "mac": _mac_tables(appendage, comparison, reference),
                "share": [float(f"{v:.5g}") for v in share.max(axis=1, initial=0.0)],
            },
        ),
    ]
    if factor > 1.001:
        content.append(
            html.paragraph(
                f"Drawn with one node in {factor:.1f} of the surface; all numbers use the full model.", "hint"
            )
        )
    drawn = "".join(part.html for part in content)
    return Section(
        "modes", "Modes", (Markup(f'<div class="split"><div class="left">{drawn}</div>{_modes(appendage).html}</div>'),)
    )


def _mac_tables(appendage: ReducedAppendage, comparison: Any, reference: ReducedAppendage | None) -> list[Any]:
    """MAC of the modes among themselves and, (k, modes of the reference), against it; None where its modes are not those drawn."""
    shapes = np.nan_to_num(appendage.nodes.translation).reshape(3 * len(appendage.nodes), appendage.count)
    tables: list[Any] = [np.round(mac_matrix(shapes, shapes), 4).tolist()]
    if reference is not None and comparison is not None:
        across = np.asarray(comparison.mac, float).T
        fits = across.shape == (appendage.count, reference.count)
        tables.append(np.round(across, 4).tolist() if fits else None)
    return tables


def _modes(appendage: ReducedAppendage) -> Markup:
    """The table of modes with its filter."""
    effective, rigid = effective_fractions(appendage)
    P, H = appendage.integrals.translation, appendage.integrals.rotation
    pitch = float(np.sqrt(rigid[:3].max() * rigid[3:].max())) * float(
        np.diag(appendage.integrals.modal_mass).max(initial=0.0)
    )
    couplings = [float(without_roundoff(P[:, k] @ H[:, k], pitch)) for k in range(appendage.count)]
    residuals = appendage.frame.residuals or (float("nan"),) * appendage.count
    hz, ratios = listed_modes(appendage)
    plain = all(name == f"mode {k + 1}" for k, name in enumerate(appendage.mode_names))
    listing: list[tuple[str, list[Any]]] = [
        ("#", list(range(1, appendage.count + 1))),
        *([] if plain else [("name", list(appendage.mode_names))]),
        *([] if set(appendage.mode_kinds) <= {"elastic"} else [("kind", list(appendage.mode_kinds))]),
        ("Hz", [float(f) if np.isfinite(f) else "static" for f in hz]),
        ("damping %", [100.0 * float(z) for z in ratios]),
        *(
            (name, [_share(v, rigid[i], "kg" if i < 3 else "kg m²") for v in effective[:, i]])
            for i, name in enumerate(EFFECTIVE_COLUMNS if effective.any() else ())
        ),
        *([("P·H kg m", couplings)] if any(couplings) else []),
        *([("frame residual", [float(v) for v in residuals])] if any(residuals) else []),
    ]
    columns, rows = [name for name, _ in listing], list(zip(*(values for _, values in listing)))
    point = ", ".join(f"{v:.4g}" for v in appendage.reference_point)
    said = (
        f"Effective masses M and inertias I about the reference point ({point}) m, in percent of the rigid body; "
        "hover for kg and kg m². Click a row to see its shape."
        if effective.any()
        else "Click a row to see its shape."
    )
    note = html.paragraph(said if appendage.count else "The record has no modes: it is a rigid body.", "hint")
    filtered = (
        '<label class="filter">Effective mass or inertia <input type="range" id="mode-filter" min="0" max="20" step="0.5" value="0"> '
        '<output id="mode-filtered">≥ 0 %</output></label>'
    )
    filtered = filtered if effective.any() else ""
    listed = html.table(columns, rows, sortable=True, row_attribute="data-mode")
    return Markup(f'<div class="right">{filtered}{listed.html}{note.html}</div>')


def _share(value: float, whole: float, unit: str) -> html.Share:
    return html.Share(float(value / whole) if whole > 0.0 else 0.0, f"{value:.5g} of {whole:.5g} {unit}")


def _effective(appendage: ReducedAppendage) -> Section:
    effective, rigid = effective_fractions(appendage)
    if appendage.count == 0 or not effective.any():
        why = "There are no modes." if appendage.count == 0 else _NO_EFFECTIVE
        return Section("effective", "Effective mass", (html.paragraph(why),))
    share = effective / np.where(rigid > 0.0, rigid, np.inf)
    running = np.cumsum(share, axis=0)
    labels = [str(k + 1) for k in range(appendage.count)]
    content = []
    for title, columns in (("translation", slice(0, 3)), ("rotation", slice(3, 6))):
        names = DIRECTIONS[columns]
        series = [(name, share[:, columns][:, i]) for i, name in enumerate(names)]
        sums = [(name, running[:, columns][:, i]) for i, name in enumerate(names)]
        behind = html.table(
            ["mode", *(f"share {n}" for n in names), *(f"sum {n}" for n in names)],
            [[k + 1, *share[k, columns], *running[k, columns]] for k in range(appendage.count)],
        )
        drawn = charts.bars(labels, series, "mode", "share of rigid (-)", f"effective mass {title}")
        content.append(html.figure(drawn, f"Effective mass per mode, {title}", behind))
        drawn = charts.curves(
            np.arange(1, appendage.count + 1, dtype=float),
            sums,
            "modes kept",
            "running sum (-)",
            name=f"running sum {title}",
        )
        content.append(html.figure(drawn, f"Running sum against the rigid body, {title}"))
    return Section(
        "effective",
        "Effective mass",
        (Markup('<div class="charts pairs">' + "".join(f"<div>{c.html}</div>" for c in content) + "</div>"),),
    )


def _mass(appendage: ReducedAppendage) -> Section:
    integrals = appendage.integrals
    rigid = np.diag(integrals.rigid_mass)
    reach = float(np.sqrt(rigid[3:].max() / integrals.mass)) if integrals.mass > 0.0 else 1.0
    center = without_roundoff(integrals.center, reach)
    inertia = without_roundoff(integrals.inertia, float(rigid[3:].max()))
    rows = [
        ["mass", f"{integrals.mass:.9g} kg"],
        ["reference point O (source axes)", _vector(appendage.reference_point, "m")],
        ["mass center from O", _vector(center, "m")],
        *[[f"inertia about O, row {axis}", _vector(row, "kg m²")] for axis, row in zip("xyz", inertia)],
    ]
    size = np.sqrt(np.repeat([rigid[:3].max(), rigid[3:].max()], 3))
    residual = without_roundoff(integrals.residual_mass, np.outer(size, size))
    held = html.table(["", *DIRECTIONS], [[name, *(float(v) for v in row)] for name, row in zip(DIRECTIONS, residual)])
    return Section(
        "mass",
        "Mass properties",
        (html.table(["quantity", "value"], rows), html.details("Mass not carried by the modes (6 x 6, about O)", held)),
    )


def _vector(values: Any, unit: str) -> str:
    return "(" + ", ".join(f"{float(v):.7g}" for v in values) + f") {unit}"


def _frame(appendage: ReducedAppendage) -> Section:
    frame = appendage.frame
    worst = max(frame.residuals, default=0.0)
    errors = integrals_report(appendage)
    content = [
        html.paragraph(f"Frame {frame.name}: {frame.meaning}"),
        html.paragraph(f"Worst violation of the frame's rows over all modes: {worst:.2e} (relative)."),
    ]
    content.append(
        html.table(
            ["identity of the modal integrals", "relative error"],
            [[identity_words(k), float(v)] for k, v in errors.items()],
        )
    )
    if appendage.interfaces:
        rows = [
            [i.name, i.node_id, _vector(i.position, "m"), "attachment" if i.name == appendage.attachment else ""]
            for i in appendage.interfaces
        ]
        content.append(html.table(["interface", "node", "position from O", "role"], rows))
    return Section("frame", "Frame, interfaces and identities", tuple(content))


def integrals_report(appendage: ReducedAppendage) -> dict[str, float]:
    """Identity errors stored with the record, or computed from its integrals."""
    stored = appendage.reports.get("integrals")
    if isinstance(stored, Mapping) and isinstance(stored.get("identities"), Mapping):
        return {str(k): float(v) for k, v in stored["identities"].items()}
    return appendage.integrals.identity_errors()


def _damping(appendage: ReducedAppendage) -> Section | None:
    report = appendage.reports.get("damping")
    if not isinstance(report, Mapping):
        return None
    shown = damping_words(report)
    return Section("damping", "Damping", (facts(shown),)) if shown else None


def _selection(appendage: ReducedAppendage) -> Section | None:
    report = appendage.reports.get("selection")
    if not report:
        return None
    content = []
    curve = report.get("error_curve") if isinstance(report, Mapping) else None
    if isinstance(curve, Mapping) and "hz" in curve and "error" in curve:
        drawn = charts.curves(
            np.asarray(curve["hz"], float),
            [("relative error", np.asarray(curve["error"], float))],
            "frequency (Hz)",
            "relative error (-)",
            log=True,
        )
        content.append(html.figure(drawn, "Error of the kept modes against all modes"))
        report = {key: value for key, value in report.items() if key != "error_curve"}
    content.append(facts(report))
    return Section("selection", "Mode selection", tuple(content))


def _comparison(comparison: Any) -> Section | None:
    if comparison is None:
        return None
    matrix = np.asarray(comparison.mac, float)
    return Section(
        "comparison",
        "Against the reference record",
        (
            html.figure(
                charts.heat_map(matrix, "mode of this record", "mode of the reference"), "MAC: 1 means the same shape"
            ),
            html.table(
                [
                    "mode of the reference",
                    "Hz",
                    "mode of this record",
                    "Hz",
                    "change",
                    "MAC",
                    "effective mass",
                    "verdict",
                ],
                comparison.rows(),
            ),
            html.details("Mass properties, pairing of nodes and tolerances", facts(_compared(comparison))),
        ),
    )


def _compared(comparison: Any) -> dict[str, Any]:
    """What a comparison found beside its pairs."""
    hidden = ("pairs", "mac", "unpaired_a", "unpaired_b")
    without = {
        "modes of the reference without a partner": comparison.unpaired_a,
        "modes of this record": comparison.unpaired_b,
    }
    return {
        **{key.replace("_", " "): value for key, value in comparison.as_dict().items() if key not in hidden},
        **{key: [k + 1 for k in modes] for key, modes in without.items()},
    }


def _provenance(appendage: ReducedAppendage) -> Section:
    proof = appendage.reports.get("proof")
    content = [facts(dict(appendage.provenance))]
    if proof:
        content.insert(0, html.details("Proof of the eigensolution", facts(proof)))
    notes = appendage.reports.get("notes")
    if notes:
        content.append(
            html.details("Notes", Markup("<ul>" + "".join(f"<li>{html.text(n)}</li>" for n in notes) + "</ul>"))
        )
    return Section("provenance", "Provenance", tuple(content))
