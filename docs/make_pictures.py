"""Renew the pictures of pages and window: ``python docs/make_pictures.py`` (needs the extra ``dev`` and Chromium).

Writes report, report_compared, replay and window into docs/images, 1000 pixels wide with a small palette.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

import tisserand as ts
from tisserand.studies.simulate import simulate
from tisserand.views.window import ModeWindow

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
WIDTH, COLORS, SCREEN = 1000, 256, {"width": 1440, "height": 900}


def shrunk(source: Path, name: str) -> None:
    """A screenshot as a small file of the gallery."""
    picture = Image.open(source).convert("RGB")
    picture = picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)
    picture.quantize(COLORS, dither=Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)


def slide(page: Any, name: str, value: float) -> None:
    """Set a slider as a hand would."""
    page.evaluate(
        f"(() => {{ const s = document.getElementById('{name}'); s.value = '{value}'; s.dispatchEvent(new Event('input')); }})()"
    )


def of_record(page: Any) -> None:
    slide(page, "mode-phase", 90)
    page.click(".sets summary")


def compared(page: Any) -> None:
    page.click("#theme")
    page.click("#mode-compare")
    slide(page, "mode-phase", 90)


def of_run(page: Any) -> None:
    slide(page, "replay-time", 15)
    for wing in (0, 1):
        slide(page, f"replay-scale-{wing}", 100)


SHOTS: dict[str, tuple[str, Callable[[Any], None]]] = {
    "report": ("wing", of_record),
    "report_compared": ("wing", compared),
    "replay": ("run", of_run),
}


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as made, sync_playwright() as tool:
        folder = Path(made)
        wing = ts.modes(ROOT / "meshes" / "wing.bdf", units="SI", count=8, output=folder / "wing.h5").appendage
        simulate(ROOT / "examples" / "two_wing.toml", set={"simulation.duration": 4.0}, output=folder / "run.h5")
        for name in ("wing", "run"):
            ts.report(folder / f"{name}.h5", output=folder / f"{name}.html")
        browser = tool.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--enable-unsafe-swiftshader"])
        for name, (page_name, act) in SHOTS.items():
            page = browser.new_page(viewport=SCREEN, reduced_motion="reduce")
            page.goto((folder / f"{page_name}.html").as_uri())
            act(page)
            page.wait_for_timeout(2000)  # charts appear one after the other
            page.screenshot(path=folder / f"{name}.png")
            shrunk(folder / f"{name}.png", name)
        browser.close()
        window = ModeWindow(wing, 3, off_screen=True)
        window._fit()
        window.plotter.screenshot(folder / "window.png")
        shrunk(folder / "window.png", "window")


if __name__ == "__main__":
    main()
