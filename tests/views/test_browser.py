"""The report in a real browser: opened from disk, network blocked, driven by hand."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from support.appendages import polynomial_panel

from tisserand.views.report.appendage_page import appendage_page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as tool:
        flags = [
            "--no-sandbox",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-unsafe-swiftshader",
        ]
        made = tool.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield made
        made.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """Open HTML text from disk with the network blocked; fail on any console error."""
    errors = []
    context = browser.new_context(viewport={"width": 1200, "height": 900}, offline=True, reduced_motion="reduce")

    def opened(text):
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        page = context.new_page()
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield opened
    context.close()
    assert errors == []


def picture(page, canvas="mode-canvas") -> str:
    return page.evaluate(f"document.getElementById('{canvas}').toDataURL()")


def test_modes_switch_amplitude_moves_and_columns_sort(open_page, tmp_path):
    page = open_page(appendage_page(polynomial_panel()))
    first = picture(page)
    page.select_option("#mode-picker", "1")
    second = picture(page)
    assert first != second
    page.evaluate(
        "const s = document.getElementById('mode-amplitude'); s.value = 35; s.dispatchEvent(new Event('input'));"
    )
    assert picture(page) != second
    assert "2.1 Hz" in page.inner_text("#mode-said")
    column = page.locator("#modes th button", has_text="Hz").first
    column.click()
    column.click()
    assert page.inner_text("#modes tbody tr:first-child td:nth-child(4)") == "2.1"
    page.locator("#modes tbody tr").nth(1).click()
    assert "0.7 Hz" in page.inner_text("#mode-said")
    page.focus("#mode-canvas")
    before = picture(page)
    page.keyboard.press("ArrowRight")
    assert picture(page) != before
    page.screenshot(path=str(tmp_path / "report.png"))


@pytest.mark.slow
def test_color_by_strain_energy(open_page):
    """Where the record knows its strain energy the picture can be colored by it; elsewhere nothing is offered."""
    panel = polynomial_panel()
    assert open_page(appendage_page(panel)).locator("#mode-color").count() == 0
    energy = np.column_stack([2.0 - panel.nodes.positions[:, 0]] * 2)
    page = open_page(appendage_page(panel.changed(nodes=replace(panel.nodes, energy=energy))))
    before = picture(page)
    page.select_option("#mode-color", "energy")
    assert picture(page) != before


def test_the_page_works_without_webgl(open_page):
    """Where the browser has no WebGL a plain canvas draws the same shapes."""
    blocked = "<script>HTMLCanvasElement.prototype.getContext = ((real) => function (kind, ...rest) { return kind === 'webgl' ? null : real.call(this, kind, ...rest); })(HTMLCanvasElement.prototype.getContext);</script>"
    page = open_page(appendage_page(polynomial_panel()).replace("<body>", "<body>" + blocked, 1))
    first = picture(page)
    page.select_option("#mode-picker", "1")
    assert picture(page) != first


VEHICLE = """
name = "flexible craft"

[bodies.bus]
mass = 300.0
inertia = [120.0, 110.0, 130.0]

[appendages.wing]
record = "panel.h5"
body = "bus"
position = [0.5, 0.0, 0.0]

[loads.kick]
kind = "torque"
body = "bus"
direction = [0.0, 1.0, 0.0]
strength = { shape = "versine", value = 20.0, duration = 1.0 }

[simulation]
duration = 4.0
output_step = 0.05
"""


@pytest.mark.slow
def test_a_run_replays(open_page, tmp_path):
    """The replay moves with the time slider and with the deflection factor; play advances the clock."""
    from support.command import run

    from tisserand.appendage import save_record

    save_record(polynomial_panel(), tmp_path / "panel.h5")
    (tmp_path / "craft.toml").write_text(VEHICLE)
    run("simulate", tmp_path / "craft.toml", "-o", tmp_path / "run.h5", "-q")
    run("report", tmp_path / "run.h5", "-o", tmp_path / "run.html", "-q")
    page = open_page((tmp_path / "run.html").read_text(encoding="utf-8"))

    def slide(name: str, value: float) -> str:
        page.evaluate(
            f"const s = document.getElementById('{name}'); s.value = {value}; s.dispatchEvent(new Event('input'));"
        )
        return picture(page, "replay-canvas")

    start = picture(page, "replay-canvas")
    later = slide("replay-time", 40)
    assert later != start
    assert page.inner_text("#replay-said") == "t = 2.00 s"
    assert slide("replay-scale", 150) != later
    page.click("#replay-play")
    page.wait_for_function("document.getElementById('replay-said').textContent !== 't = 2.00 s'")
    assert page.locator("svg polyline").count() > 5


@pytest.mark.slow
def test_the_mode_table_is_whole_on_a_laptop_and_scrolls_on_a_narrow_screen(open_page):
    """Thirteen columns of long numbers: at 1300 px none is cut, at 900 px the last is reached inside the table's own frame."""
    from support.appendages import random_bodies

    page = open_page(appendage_page(random_bodies(9)))
    widths = "(() => { const e = document.querySelector('#modes .scroll'); return [e.scrollWidth, e.clientWidth]; })()"
    page.set_viewport_size({"width": 1300, "height": 900})
    inner, frame = page.evaluate(widths)
    assert inner <= frame
    page.set_viewport_size({"width": 900, "height": 900})
    inner, frame = page.evaluate(widths)
    assert page.evaluate("document.documentElement.scrollWidth") <= 900
    assert inner > frame, "the case does not test scrolling"
    page.evaluate("document.querySelector('#modes .scroll').scrollLeft = 5000")
    last = page.locator("#modes tbody tr:first-child td").last.bounding_box()
    assert last["x"] + last["width"] <= 900
