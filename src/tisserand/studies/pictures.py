"""Modes as a file: picture, animation, page or 3-D scene, by the ending of its name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.errors import InputError
from tisserand.exporters.registry import export_appendage
from tisserand.files import write_text
from tisserand.task_result import TaskResult
from tisserand.views.animation import FILMS, check_film, save_mode_animation
from tisserand.views.renderer import choose_renderer
from tisserand.views.report.appendage_page import appendage_page
from tisserand.views.sheet import save_contact_sheet

SAVED = (".png", ".gif", ".mp4", ".webm", ".glb", ".vtu", ".html")


@dataclass(frozen=True)
class ViewResult(TaskResult):
    """Files written (none when a window was shown), and a word for the user."""

    task: ClassVar = "view"

    paths: tuple[Path, ...]
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {"paths": [str(path) for path in self.paths], "note": self.note}


def check_target(target: Path) -> None:
    """Refuse an ending that is not written, or whose packages are missing, before anything is solved."""
    suffix = target.suffix.lower()
    if suffix not in SAVED:
        raise InputError("unsupported file extension", found=target.suffix or str(target), expected=", ".join(SAVED))
    if suffix in FILMS:
        check_film(target)


def save_view(appendage: ReducedAppendage, target: Path, mode: int = 1, color: str = "displacement") -> ViewResult:
    """Write one file by its ending."""
    check_target(target)
    suffix = target.suffix.lower()
    if appendage.count == 0:
        raise InputError("there are no modes to draw", where=f"appendage {appendage.name}")
    note = ""
    if suffix == ".png":
        save_contact_sheet(appendage, target, color)
        note = choose_renderer().reason
    elif suffix in FILMS:
        save_mode_animation(appendage, mode, target, color)
        note = choose_renderer().reason
    elif suffix == ".html":
        write_text(target, appendage_page(appendage))
    else:
        format = {".glb": "gltf", ".vtu": "vtu"}[suffix]
        return ViewResult(export_appendage(appendage, format, target, force=True).paths)
    return ViewResult((target,), note)
