"""``tisserand sweep``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Debug, Json, Quiet, VehicleFile
from tisserand.cli.screen import Screen

NAME = "sweep"


def command(
    vehicle: VehicleFile,
    over: Annotated[
        list[str],
        typer.Option(
            "--over",
            metavar="KEY=VALUES",
            help="Key of the file and its values: initial.joints_deg.drive=0:180:13 or a,b,c; "
            "KEY+KEY=... ties keys to the same values. Repeatable.",
        ),
    ],
    closed_loop: Annotated[
        bool, typer.Option("--closed-loop", help="Include the linear controllers.")
    ] = False,
    matrices: Annotated[
        bool, typer.Option("--matrices", help="Put A, B, C, D of every sample into the JSON.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Parallel processes.")] = 1,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write CSV.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Write a plot as PNG.")] = None,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Frequencies, damping and poles against any values of the vehicle file (array angle, mass, ...)."""
    from tisserand.errors import InputError
    from tisserand.workflows.sweep import sweep_modes, values_of

    wanted = {}
    for text in over:
        key, _, values = text.partition("=")
        if not values:
            raise InputError(
                "not a key with values", found=repr(text), expected="KEY=from:to:count or KEY=a,b,c"
            )
        wanted[key] = values_of(values)
    screen = Screen(json=json, quiet=quiet)
    with screen.counting("Sweeping") as progress:
        result = sweep_modes(
            vehicle,
            wanted,
            closed_loop=closed_loop,
            jobs=jobs,
            output=output,
            plot=plot,
            matrices=matrices,
            progress=progress,
        )
    screen.result(result.as_dict())
    most = min(max((len(s.result["frequencies_hz"]) for s in result.samples if s.result), default=0), 8)
    rows = []
    for s in result.samples:
        f = s.result["frequencies_hz"][:most] if s.result else []
        rows.append([*s.values.values(), *f, *[""] * (most - len(f)), s.failure or ""])
    screen.table("System modes", [*result.keys, *(f"mode {i + 1} Hz" for i in range(most)), "failure"], rows)
    doubtful = result.doubtful
    if doubtful:
        assert doubtful[0].result is not None
        values = ", ".join(f"{key} = {value:.6g}" for key, value in doubtful[0].values.items())
        screen.warn(f"{len(doubtful)} of {len(result.samples)} samples, first {values}: {doubtful[0].result['warnings'][0]}")
    for path in result.paths:
        screen.say(f"Wrote [bold]{path}[/bold]")
    if result.came_to_nothing:
        raise typer.Exit(1)
