"""One browser for each test file, and pages opened in it without a network."""

import pytest
from support.browser import CHROMIUM, FLAGS, PATIENCE


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    with playwright.sync_playwright() as tool:
        made = tool.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield made
        made.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """Open HTML text from disk with the network blocked; fail on any console error and any request."""
    errors = []
    context = browser.new_context(viewport={"width": 1200, "height": 900}, offline=True, reduced_motion="reduce")

    def opened(text, **options):
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        page = context.new_page()
        page.set_default_timeout(1000.0 * PATIENCE)
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "request",
            lambda asked: errors.append(asked.url) if not asked.url.startswith(("file:", "data:", "blob:")) else None,
        )
        page.goto(file.as_uri(), **options)
        return page

    yield opened
    context.close()
    assert errors == []
