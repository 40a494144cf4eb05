"""``tisserand formats``."""

from __future__ import annotations

from tisserand.cli.options import Debug, Json, Quiet
from tisserand.cli.screen import Screen

NAME = "formats"


def command(json: Json = False, quiet: Quiet = False, debug: Debug = False) -> None:
    """List what can be read and what can be written."""
    from tisserand.workflows.formats import formats

    screen = Screen(json=json, quiet=quiet)
    known = formats()
    screen.result(known)
    screen.table(
        "Reads", ["format", "files", "gives"], [[f["name"], f["files"], f["gives"]] for f in known["read"]]
    )
    screen.table(
        "Writes (export --to)",
        ["target", "for", "files"],
        [[f["name"], f["for"], f["files"]] for f in known["write"]],
    )
