"""``tisserand modes``."""

from __future__ import annotations

import math

from tisserand.appendage.integrals.effective_masses import shown_effective_masses
from tisserand.arrays import without_roundoff
from tisserand.cli.screen import Screen
from tisserand.studies.modes import ModesResult
from tisserand.studies.shown import shown
from tisserand.studies.supplier import SupplierResult


def show(screen: Screen, result: ModesResult) -> None:
    appendage = result.appendage
    reach = float(abs(appendage.nodes.positions).max(initial=0.0) + abs(appendage.reference_point).max())
    center = ", ".join(f"{value:.5g}" for value in without_roundoff(result.center_of_mass, reach))
    known = appendage.unit_system != "consistent"
    kg, m, kg_m2 = ("kg", "m", "kg m²") if known else ("mass units", "length units", "inertia units")
    mass = f"{result.mass:.6g} {kg}, center ({center}) {m}" if result.mass > 0.0 else "mass unknown"
    screen.say(f"[bold]{shown(appendage.name)}[/bold]  {mass}, frame {shown(appendage.frame.name)}")
    if not result.mass > 0.0:
        _show_frequencies(screen, result)
        if result.supplier is not None and result.supplier.verification is not None:
            _show_supplier(screen, result.supplier)
        return
    effective_masses = shown_effective_masses(result.effective_mass, appendage.integrals.rigid_mass)
    named = any(name != f"mode {i + 1}" for i, name in enumerate(appendage.mode_names))
    rows = [
        [i + 1, *([name] if named else []), *_of_mode(float(f), float(zeta)), *(f"{value:.4g}" for value in effective)]
        for i, (name, f, zeta, effective) in enumerate(
            zip(appendage.mode_names, result.frequencies_hz, without_roundoff(result.damping_ratios), effective_masses)
        )
    ]
    point = ", ".join(f"{value:.4g}" for value in without_roundoff(appendage.reference_point, reach))
    columns = ["#", *(["name"] if named else []), "Hz", "zeta", "Mx", "My", "Mz", "Ix", "Iy", "Iz"]
    screen.table(
        "Modes",
        columns,
        [row for row, proven in zip(rows, result.proven) if proven],
        caption=f"{_what(result)}effective masses ({kg}, {kg_m2}) about ({point}) {m}, {result.reference_rule}; "
        f"{result.rigid_body_modes} rigid-body modes",
    )
    if not all(result.proven):
        title, caption = _about_residuals(result)
        screen.table(title, columns, [row for row, proven in zip(rows, result.proven) if not proven], caption=caption)
    ritz = result.ritz_frequencies_hz
    if ritz is not None:
        few = ", ".join(f"{value:.5g}" for value in ritz[:6]) + (" ..." if len(ritz) > 6 else "")
        screen.say(f"Free by this basis (Ritz values from above, no proof): {few} Hz")
    if appendage.count and not appendage.damping.any():
        chosen = isinstance(appendage.reports.get("damping", {}).get("stated"), list)
        screen.say("Damping is specified as zero" if chosen else "No damping specified: zeta = 0 (use --damping RATIO)")
    if result.proof is not None:
        screen.say(
            f"Proof: {result.proof['missed']} modes missed (Sturm count), eigenvalues within {result.proof['worst_error']:.1e}, "
            f"orthogonality {result.proof['worst_orthogonality']:.1e}, {result.proof['backend']}"
        )
    entries = result.ledger.get("entries", [])
    odd = [entry for entry in entries if entry["fate"] != "used"]
    if odd:
        screen.table(
            "Import ledger (cards not simply used)", ["card", "count", "fate", "why"], [list(e.values()) for e in odd]
        )
    if result.supplier is not None:
        _show_supplier(screen, result.supplier)
    _show_verdict(screen, result)
    screen.wrote(result.written)


def _about_residuals(result: ModesResult) -> tuple[str, str]:
    """Title and caption of shapes that are not modes, from a supplier's run or from our own basis."""
    if "supplier" in result.appendage.reports:
        return (
            "Residual vectors",
            "added to the modes by the run that the file is of; their frequencies are Ritz values",
        )
    static = "; static: it moves the attachment against the mean axes and no mass"
    return (
        "Residual attachment shapes",
        "Ritz frequencies, from above, without proof: each shape alone bends as a load at the attachment does"
        + (static if result.appendage.massless.any() else ""),
    )


def _show_verdict(screen: Screen, result: ModesResult) -> None:
    """The verdict in one line, and the reasons against it."""
    verdict = result.verdict
    color = {"ok": "green", "warn": "yellow", "fail": "red"}[verdict.overall]
    screen.say(f"[{color}]{verdict.words}[/{color}]")
    for reason in verdict.reasons:
        screen.say(f"  {shown(reason)}")


def _of_mode(hz: float, zeta: float) -> list[float | str]:
    return [hz, zeta] if math.isfinite(hz) else ["static", "-"]


def _show_frequencies(screen: Screen, result: ModesResult) -> None:
    """Modes whose masses are unknown: names and frequencies."""
    appendage = result.appendage
    rows = [
        [f"{name} (residual)" if kind == "residual" and not name.startswith("residual") else name, float(f)]
        for name, kind, f in zip(appendage.mode_names, appendage.mode_kinds, result.frequencies_hz)
    ]
    screen.table("Modes of the file", ["mode", "Hz"], rows, caption="for viewing; the record cannot be simulated")


def _show_supplier(screen: Screen, found: SupplierResult) -> None:
    """The verification of a supplier's run by its deck, or what the results alone allow."""
    for sentence in found.sentences:
        screen.say(shown(sentence))
    verification = found.verification
    if verification is None:
        return
    columns = ["mode", "theirs Hz", "in our K, M", "residual", "modal mass", "ours", "Hz", "change", "MAC"]
    screen.table("Verification by the deck", columns, verification.rows())
    if verification.mass is not None:
        screen.say(
            f"Mass of the deck against the stated table: {100 * verification.mass:+.3g} %, center {verification.center:.3g} m, "
            f"inertia {100 * (verification.inertia or 0.0):.3g} % of its trace"
        )
    if verification.orthogonality is not None:
        screen.say(f"Orthogonality of their modes over our mass: {verification.orthogonality:.1e}")
    for breach in verification.breaches:
        screen.say(f"[red]breach:[/red] {shown(breach)}")
    words = "verified" if verification.mac is not None else "verified, but for the shapes"
    screen.say(f"[green]{words}[/green]" if verification.passed else "[red]the run is not verified by its deck[/red]")


def _what(result: ModesResult) -> str:
    """Meaning of the listed frequencies and damping ratios, if the frame leaves it open."""
    frame = shown(result.appendage.frame.name)
    if result.mounting == "clamped":
        return f"proven modes held at the attachment, with their zeta, seen from the {frame} frame; "
    if result.mounting is None:
        return ""
    words = "proven free modes; " if result.mounting == "residual" else "proven free modes alone; "
    if not result.appendage.damping.any():
        return words
    support = result.appendage.reports.get("damping", {}).get("support")
    whose = (
        "as stated for them"
        if support == "free"
        else "as it follows from the ratios stated for the modes held at the attachment"
    )
    return f"{words}zeta: of these free modes, {whose}; "
