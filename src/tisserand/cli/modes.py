"""``tisserand modes``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Allow, Debug, Force, Json, Mass, Model, Quiet, Units
from tisserand.cli.screen import Screen

NAME = "modes"


def command(
    model: Model,
    count: Annotated[
        int | None,
        typer.Option("--count", "-n", help="Number of elastic modes; with --fmax too, at most that many."),
    ] = None,
    fmax: Annotated[
        float | None, typer.Option("--fmax", metavar="HZ", help="All modes up to this frequency.")
    ] = None,
    units: Units = None,
    frame: Annotated[
        str | None,
        typer.Option(
            "--frame",
            help="Floating frame the shapes are seen from: connection, node:ID, buckens, tisserand, milne or free. "
            "It changes shapes and modal mass, not the supports (see --free). "
            "Default: connection if supported, else buckens.",
        ),
    ] = None,
    free: Annotated[bool, typer.Option("--free", help="Ignore the deck's supports.")] = False,
    mass: Mass = None,
    allow: Allow = None,
    allow_mechanisms: Annotated[
        bool, typer.Option("--allow-mechanisms", help="Keep and label strain-free motions.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="RECORD.h5", help="Write the reduced record here.")
    ] = None,
    geometric: Annotated[
        bool,
        typer.Option(
            "--geometric",
            help="Add geometric stiffness for acceleration and spin (needed for spinning bodies).",
        ),
    ] = False,
    attachment: Annotated[
        str | None,
        typer.Option("--attachment", metavar="NODE", help="Node id or point that carries the appendage; becomes O."),
    ] = None,
    point: Annotated[
        list[str] | None,
        typer.Option("--point", metavar="NAME=NODE", help="Name a node, such as tip=4021. Repeatable."),
    ] = None,
    damping: Annotated[
        float | None,
        typer.Option("--damping", metavar="RATIO", help="Damping ratio of every mode, such as 0.003."),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Ignore the deck's own reduction (ASET, QSET).")
    ] = False,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Compute modes with proof, reduce the appendage, and write its record."""
    from tisserand.workflows.modes import compute_modes

    screen = Screen(json=json, quiet=quiet)
    with screen.working(f"Solving {model.name}"):
        result = compute_modes(
            model,
            count=count,
            fmax_hz=fmax,
            units=units,
            frame=frame,
            free=free,
            mass=mass,
            allow=tuple(allow or ()),
            allow_mechanisms=allow_mechanisms,
            geometric=geometric,
            full=full,
            output=output,
            case_outputs=True,
            force=force,
            attachment=attachment,
            points=tuple(point or ()),
            damping=damping,
        )
    for warning in result.warnings:
        screen.warn(warning)
    screen.result(result.as_dict())
    show_modes(screen, result)


def show_modes(screen: Screen, result: object) -> None:
    """The tables of the command."""
    from tisserand.appendage.integrals.effective_masses import shown_effective_masses
    from tisserand.arrays import without_roundoff
    from tisserand.workflows.modes import ModesResult

    assert isinstance(result, ModesResult)
    appendage = result.appendage
    reach = float(abs(appendage.nodes.positions).max(initial=0.0) + abs(appendage.reference_point).max())
    center = ", ".join(f"{value:.5g}" for value in without_roundoff(result.center_of_mass, reach))
    known = appendage.unit_system != "consistent"
    kg, m, kg_m2 = ("kg", "m", "kg m²") if known else ("mass units", "length units", "inertia units")
    screen.say(
        f"[bold]{appendage.name}[/bold]  {result.mass:.6g} {kg}, centre ({center}) {m}, frame {appendage.frame.name}"
    )
    shown = shown_effective_masses(result.effective_mass, appendage.integrals.rigid_mass)
    named = any(name != f"mode {i + 1}" for i, name in enumerate(appendage.mode_names))
    rows = [
        [i + 1, *([name] if named else []), float(f), float(zeta), *(f"{value:.4g}" for value in effective)]
        for i, (name, f, zeta, effective) in enumerate(
            zip(appendage.mode_names, result.frequencies_hz, without_roundoff(appendage.damping_ratios), shown)
        )
    ]
    point = ", ".join(f"{value:.4g}" for value in without_roundoff(appendage.reference_point, reach))
    screen.table(
        "Modes",
        ["#", *(["name"] if named else []), "Hz", "zeta", "Mx", "My", "Mz", "Ix", "Iy", "Iz"],
        rows,
        caption=f"effective masses ({kg}, {kg_m2}) about ({point}) {m}; {result.rigid_body_modes} rigid-body modes",
    )
    if appendage.count and not appendage.damping.any():
        chosen = isinstance(appendage.reports.get("damping", {}).get("stated"), list)
        screen.say("Damping is stated as zero" if chosen else "No damping stated: zeta 0 (--damping RATIO gives one)")
    if result.proof is not None:
        screen.say(
            f"Proof: {result.proof['missed']} modes missed (Sturm count), eigenvalues within {result.proof['worst_error']:.1e}, "
            f"orthogonality {result.proof['worst_orthogonality']:.1e}, {result.proof['backend']}"
        )
    entries = result.ledger.get("entries", [])
    odd = [entry for entry in entries if entry["fate"] != "used"]
    if odd:
        screen.table(
            "Import ledger (cards not simply used)",
            ["card", "count", "fate", "why"],
            [list(e.values()) for e in odd],
        )
    for path in result.written:
        screen.say(f"Wrote [bold]{path}[/bold]")
