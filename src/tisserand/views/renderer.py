"""Whether VTK can render on this machine, tested in a child process because a missing graphics library can crash it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from typing import Literal

Renderer = Literal["pyvista", "matplotlib"]

_PROBE = (
    "import pyvista, numpy; p = pyvista.Plotter(off_screen=True, window_size=(64, 64)); "
    "p.add_mesh(pyvista.Sphere(), color='red'); image = p.screenshot(return_img=True); "
    "raise SystemExit(0 if numpy.ptp(image) > 50 else 7)"
)
_OSMESA = "vtkOSOpenGLRenderWindow"
_VARIABLE = "VTK_DEFAULT_OPENGL_WINDOW"


@dataclass(frozen=True)
class Drawing:
    """Which renderer to use, and in plain words why."""

    renderer: Renderer
    reason: str


@cache
def choose_renderer() -> Drawing:
    """PyVista where VTK can draw off screen, matplotlib elsewhere. ``TISSERAND_RENDERER`` overrides."""
    wish = os.environ.get("TISSERAND_RENDERER", "").lower()
    if wish == "matplotlib":
        return Drawing("matplotlib", "selected by TISSERAND_RENDERER")
    if _probe({}):
        return Drawing("pyvista", "VTK renders off-screen")
    if _VARIABLE not in os.environ and _probe({_VARIABLE: _OSMESA}):
        os.environ[_VARIABLE] = _OSMESA
        return Drawing("pyvista", "VTK renders through OSMesa")
    return Drawing(
        "matplotlib",
        "VTK cannot draw on this machine; the system packages libgl1 and libegl1 (or libosmesa6) give better pictures",
    )


def _probe(extra: dict[str, str]) -> bool:
    """Whether a child process can render one sphere."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", _PROBE],
            env={**os.environ, **extra},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
