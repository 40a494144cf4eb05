"""Options that every command shares, in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the full traceback of an error.")]
Force = Annotated[
    bool, typer.Option("--force", help="Let [outputs] of the file write outside its folder; inputs are kept all the same.")
]
Units = Annotated[
    str | None,
    typer.Option(
        "--units",
        "-u",
        help="Units of a deck that carries none: SI, mm-t-s, mm-kg-ms, in-lbf-s, ft-slug-s, cm-g-s, "
        "length,mass,time factors, or consistent (numbers as they are).",
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow", metavar="CARD", help="Go on although this card matters and is dropped. Repeatable."
    ),
]
Model = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A deck, a TOML case, a mesh with its case, or a record.")
]
Mass = Annotated[
    str | None,
    typer.Option(
        "--mass",
        help="Mass model: consistent, lumped, coupled, particles or bodies. Default: what the source asks for.",
    ),
]
VehicleFile = Annotated[Path, typer.Argument(metavar="VEHICLE.toml", help="A vehicle file.")]
