"""``tisserand demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Debug, Json, Quiet
from tisserand.cli.screen import Screen

NAME = "demo"


def command(
    folder: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")] = Path("tisserand-demo"),
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """The whole way on a shipped solar-array wing: mesh, checks, modes, reduction, slew, pictures."""
    from tisserand.workflows.demo import run_demo

    screen = Screen(json=json, quiet=quiet)
    if screen.talks:
        screen.say("[bold]Tisserand demo[/bold]: a solar-array wing, from its mesh to a slewing satellite\n")
    result = run_demo(folder, tell=lambda text: screen.say(text))
    screen.result(result.as_dict())
