"""Look at mode shapes: in a window, or as files."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.errors import InputError
from tisserand.workflows.modes import compute_modes

SAVED = (".png", ".gif", ".mp4", ".glb", ".vtu", ".html")


@dataclass(frozen=True)
class ViewResult:
    """Files written (none when a window was shown), and a word for the user."""

    paths: tuple[Path, ...]
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {"paths": [str(path) for path in self.paths], "note": self.note}


def has_screen() -> bool:
    """Whether a window can be opened here."""
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def view(
    path: str | Path,
    *,
    units: str | None = None,
    mode: int = 1,
    count: int | None = None,
    save: str | Path | None = None,
    color: str = "displacement",
) -> ViewResult:
    """Show the modes of a record, deck or case, coloured by ``displacement`` or strain ``energy``.

    ``save`` decides by its ending what is written.
    """
    appendage = compute_modes(path, units=units, count=count).appendage
    if not 1 <= mode <= max(appendage.count, 1):
        raise InputError(
            "there is no such mode", where=str(path), found=f"--mode {mode}", expected=f"1 to {appendage.count}"
        )
    if save is not None:
        return save_view(appendage, Path(save), mode, color)
    if not has_screen():
        target = Path(f"{Path(path).stem}_modes.png")
        result = save_view(appendage, target, mode, color)
        return ViewResult(
            result.paths, "No screen here, so the modes were drawn into a file (--save chooses which)."
        )
    from tisserand.views.window import open_window

    open_window(appendage, mode, color)
    return ViewResult(())


def save_view(
    appendage: ReducedAppendage, target: Path, mode: int, color: str = "displacement"
) -> ViewResult:
    """Write one file by its ending."""
    suffix = target.suffix.lower()
    if suffix not in SAVED:
        raise InputError(
            "unknown kind of picture", found=target.suffix or str(target), expected=", ".join(SAVED)
        )
    if appendage.count == 0:
        raise InputError("there are no modes to draw", where=f"appendage {appendage.name}")
    from tisserand.views.renderer import choose_renderer

    note = ""
    if suffix == ".png":
        from tisserand.views.sheet import save_contact_sheet

        save_contact_sheet(appendage, target, color)
        note = choose_renderer().reason
    elif suffix in (".gif", ".mp4"):
        from tisserand.views.animation import save_mode_animation

        save_mode_animation(appendage, mode, target, color)
        note = choose_renderer().reason
    elif suffix == ".html":
        from tisserand.files import write_text
        from tisserand.views.report.appendage_page import appendage_page

        write_text(target, appendage_page(appendage))
    else:
        from tisserand.exporters.registry import export_appendage

        return ViewResult(
            export_appendage(appendage, {".glb": "gltf", ".vtu": "vtu"}[suffix], target, force=True).paths
        )
    return ViewResult((target,), note)
