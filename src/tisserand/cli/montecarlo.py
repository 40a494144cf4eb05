"""``tisserand montecarlo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Debug, Json, Quiet, VehicleFile
from tisserand.cli.screen import Screen

NAME = "montecarlo"


def command(
    vehicle: VehicleFile,
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary",
            metavar="KEY=LAW",
            help="bodies.bus.mass=normal:800:20 or initial.joints_deg.drive=uniform:0:90; KEY+KEY shares the draw. Repeatable.",
        ),
    ],
    count: Annotated[int, typer.Option("--count", "-n", help="Number of runs.")] = 20,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same samples.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Parallel processes.")] = 1,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write CSV.")] = None,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Fly many vehicles with values drawn at random; failures are recorded, not fatal."""
    from tisserand.errors import InputError
    from tisserand.workflows.sweep import monte_carlo

    if count < 1:
        raise InputError("the number of runs must be one or more", found=count)
    laws = {}
    for text in vary:
        key, _, law = text.partition("=")
        if not law:
            raise InputError(
                "not a key with a distribution", found=repr(text), expected="KEY=normal:mean:deviation"
            )
        laws[key] = law
    screen = Screen(json=json, quiet=quiet)
    with screen.counting("Flying") as progress:
        result = monte_carlo(
            vehicle, laws, count=count, seed=seed, jobs=jobs, output=output, progress=progress
        )
    screen.result(result.as_dict())
    if screen.talks:
        names = sorted({n for s in result.samples if s.result for n in s.result["peak"]})
        rows = []
        for name in names:
            peaks = sorted(s.result["peak"][name] for s in result.samples if s.result)
            rows.append([name, peaks[0], sum(peaks) / len(peaks), peaks[-1]])
        screen.table("Largest value of each sensor over the runs", ["sensor", "least", "mean", "most"], rows)
        screen.say(f"{len(result.samples)} runs, {result.failures} failed")
        for path in result.paths:
            screen.say(f"Wrote [bold]{path}[/bold]")
    if result.came_to_nothing:
        raise typer.Exit(1)
