"""The command ``tisserand``: one thin function per command, each in its own file."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tisserand.cli import (
    campbell,
    check,
    demo,
    diff,
    export,
    formats,
    info,
    linearise,
    modes,
    montecarlo,
    report,
    response,
    simulate,
    sweep,
    system_modes,
    view,
)
from tisserand.cli.guard import guarded

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="From appendage meshes to flexible multibody spacecraft simulation.\n\n"
    "Typical path:\n\n"
    "- `tisserand check wing.bdf --units SI` — is the model sound?\n"
    "- `tisserand modes wing.bdf --units SI --count 20 -o wing.h5` — modes, proof, reduced record\n"
    "- `tisserand report wing.h5 -o wing.html` — look at the shapes\n"
    "- `tisserand simulate vehicle.toml -o run.h5` — fly it\n\n"
    "`tisserand demo` does all of it on a shipped solar-array wing.\n\n"
    "Exit codes: 0 done, 1 a check failed, 2 bad input, 3 a solver failed.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from tisserand import __version__

        typer.echo(f"tisserand {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """From appendage meshes to flexible multibody spacecraft simulation."""


_COMMANDS = (
    demo, info, check, modes, view, report, diff, export, simulate, linearise, system_modes, response, sweep, campbell,
    montecarlo, formats,
)  # fmt: skip
for _module in _COMMANDS:
    app.command(_module.NAME)(guarded(_module.command))


def main() -> None:
    """Entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()


if __name__ == "__main__":
    main()
