"""Pages in a real browser: opened from disk with the network blocked, and asked what they show."""

import shutil
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
#: Most seconds to wait for anything.
PATIENCE = 120.0
FLAGS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-unsafe-swiftshader",
)


def picture(page, canvas="mode-canvas") -> str:
    """What a canvas shows, without its overlay."""
    return page.evaluate(f"document.getElementById('{canvas}').toDataURL()")


def overlay(page, canvas="mode-canvas") -> str:
    """Arrows, triads, masses and words over a canvas."""
    return page.evaluate(f"document.querySelector('#{canvas} + .over').toDataURL()")


def set_value(page, name: str, value, event: str = "input") -> None:
    page.evaluate(
        f"const s = document.getElementById('{name}'); s.value = '{value}'; s.dispatchEvent(new Event('{event}'));"
    )


def until(page, condition: str) -> None:
    """Wait for a condition, however busy the machine; the page's own policy forbids the browser to poll it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


def clocked(text: str) -> str:
    """A page whose frames come when the test says so: ``step(milliseconds)`` draws one at that time."""
    script = (
        "<script>window.queued = []; window.requestAnimationFrame = (f) => queued.push(f);"
        " window.step = (t) => { const now = queued; queued = []; now.forEach((f) => f(t)); };</script>"
    )
    return text.replace("<body>", "<body>" + script, 1)


def hover(page, chart, across: float) -> tuple[float, float]:
    """Move the mouse into a chart (part of its width) until it shows the values there; the place on the page."""
    area = chart.locator(".nsewdrag").first
    area.wait_for(state="attached")
    box = area.bounding_box()
    x, y = box["x"] + across * box["width"], box["y"] + 0.5 * box["height"]
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        page.mouse.move(x - 2, y)
        page.mouse.move(x, y, steps=2)
        if chart.locator(".hoverlayer > *").count():
            return x, y
        page.wait_for_timeout(50)
    raise AssertionError("the chart shows no values where the mouse is")


def changes(page, act, canvas="mode-canvas", seen=picture) -> bool:
    before = seen(page, canvas)
    act()
    return seen(page, canvas) != before


def contrast(a, b):
    """Contrast of two colors by WCAG."""

    def level(c):
        parts = [v / 255 for v in c]
        parts = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((level(a), level(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


_COLORS = """(selector) => {
  const e = document.querySelector(selector); if (!e) return null;
  let b = e; while (b && /rgba\\(0, 0, 0, 0\\)|transparent/.test(getComputedStyle(b).backgroundColor)) b = b.parentElement;
  const numbers = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  return [numbers(getComputedStyle(e).color), numbers(b ? getComputedStyle(b).backgroundColor : 'rgb(255,255,255)')];
}"""


def unreadable(page, selectors) -> list:
    """Which texts have less than 4.5 (WCAG AA) of contrast, or are not on the page, as the browser computes their colors."""
    found = [(selector, page.evaluate(_COLORS, selector)) for selector in selectors]
    return [(selector, colors) for selector, colors in found if colors is None or contrast(*colors) < 4.5]
