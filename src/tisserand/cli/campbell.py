"""``tisserand campbell``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Allow, Debug, Json, Mass, Model, Quiet, Units
from tisserand.cli.screen import Screen

NAME = "campbell"


def command(
    model: Model,
    axis: Annotated[str, typer.Option("--axis", metavar="X,Y,Z", help="Direction of the spin, basic axes.")],
    rates: Annotated[
        str, typer.Option("--rates", metavar="RAD/S", help="Spin rates: 0:10:21 (from:to:count) or a,b,c.")
    ],
    count: Annotated[int, typer.Option("--count", "-n", help="Number of branches.")] = 6,
    about: Annotated[
        str, typer.Option("--about", metavar="X,Y,Z", help="Point on the axis, m, basic axes.")
    ] = "0,0,0",
    unstressed: Annotated[
        bool,
        typer.Option("--unstressed", help="Leave out the geometric stiffness of the centrifugal stress."),
    ] = False,
    units: Units = None,
    mass: Mass = None,
    allow: Allow = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write CSV.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Write the diagram as PNG.")] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="RECORD.h5", help="Add the data to this model's record."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Frequencies of a spinning structure over the rate of spin, branch by branch."""
    from tisserand.workflows.campbell import campbell_of
    from tisserand.workflows.sweep import values_of

    screen = Screen(json=json, quiet=quiet)
    with screen.working(f"Spinning {model.name}"):
        result = campbell_of(
            model,
            values_of(axis),
            values_of(rates),
            count=count,
            about=values_of(about),
            units=units,
            mass=mass,
            allow=tuple(allow or ()),
            stiffened=not unstressed,
            output=output,
            plot=plot,
            record=record,
        )
    screen.result(result.as_dict())
    data = result.data
    heads = ["rad/s", *(f"branch {k + 1} Hz" for k in range(data.frequencies_hz.shape[1]))]
    screen.table("Campbell diagram", heads, [[r, *f] for r, f in zip(data.rates, data.frequencies_hz)])
    for note in data.notes:
        screen.say(note)
    for path in result.paths:
        screen.say(f"Wrote [bold]{path}[/bold]")
