"""``tisserand formats``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.formats import FormatsResult


def show(screen: Screen, result: FormatsResult) -> None:
    screen.table("Reads", ["format", "files", "gives"], [[f["name"], f["files"], f["gives"]] for f in result.read])
    screen.table(
        "Writes (export --to)", ["target", "for", "files"], [[f["name"], f["for"], f["files"]] for f in result.write]
    )
