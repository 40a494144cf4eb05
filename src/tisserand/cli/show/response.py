"""``tisserand response``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.linear import ResponseResult


def show(screen: Screen, result: ResponseResult) -> None:
    screen.say(f"{len(result.hz)} frequencies, {len(result.inputs)} inputs, {len(result.outputs)} outputs")
    for margins in result.margins:
        screen.say(margins.sentence())
    screen.wrote(result.paths)
