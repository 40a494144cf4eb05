"""``tisserand frames``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.multibody.run_frames import FRAME_CAPTION, FRAME_COLUMNS
from tisserand.studies.frames import FramesResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: FramesResult) -> None:
    span = f"{result.times[0]:.6g} to {result.times[-1]:.6g} s, {len(result.times)} output times"
    screen.say(f"[bold]{shown(result.vehicle)}[/bold]  {span}, frames of {shown(', '.join(result.bodies))}")
    screen.table("Floating frames", FRAME_COLUMNS, result.rows(), caption=FRAME_CAPTION)
    screen.wrote(result.paths)
