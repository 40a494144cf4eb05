"""The page of a record in a real browser: opened from disk, network blocked, driven by hand."""

from dataclasses import replace

import numpy as np
import pytest
from support.appendages import polynomial_panel, random_bodies
from support.browser import changes, clocked, hover, overlay, picture, set_value, unreadable, until
from support.one_node import one_node

from tisserand.appendage import compare
from tisserand.appendage.frames.transformed_records import combined
from tisserand.appendage.record.named_sets import sets_report
from tisserand.views.report.appendage_page import appendage_page
from tisserand.views.report.packing import packed


def test_every_control_of_the_mode_viewer_changes_the_picture(open_page):
    panel = polynomial_panel()
    energy = np.column_stack([2.0 - panel.nodes.positions[:, 0]] * 2)
    page = open_page(appendage_page(panel.changed(nodes=replace(panel.nodes, energy=energy))))
    assert changes(page, lambda: page.select_option("#mode-picker", "1"))
    assert "2.1 Hz" in page.inner_text("#mode-said")
    for color in ("z", "energy", "displacement"):
        assert changes(page, lambda c=color: page.select_option("#mode-color", c)), color
    assert changes(page, lambda: set_value(page, "mode-amplitude", 35))
    assert changes(page, lambda: set_value(page, "mode-phase", 200))
    assert changes(page, lambda: page.click("#mode-ghost"))
    assert changes(page, lambda: page.keyboard.press("n")) is False  # the last mode
    page.locator("#mode-canvas").focus()
    assert changes(page, lambda: page.keyboard.press("p"))
    assert "0.7 Hz" in page.inner_text("#mode-said")
    for key in ("ArrowRight", "ArrowUp", "+"):
        assert changes(page, lambda k=key: page.keyboard.press(k)), key
    assert changes(page, lambda: page.click("#mode-fit"))
    assert changes(page, lambda: page.click("#theme"))
    with page.expect_download() as saved:
        page.click("#mode-shot")
    assert saved.value.suggested_filename == "panel_mode_1.png"
    page.click("#mode-play")
    first = picture(page)
    until(page, f"document.getElementById('mode-canvas').toDataURL() !== {first!r}")


@pytest.mark.slow
def test_the_bar_has_units_and_the_largest_value(open_page):
    panel = polynomial_panel()
    page = open_page(appendage_page(panel))
    largest = np.linalg.norm(panel.nodes.translation[:, :, 0], axis=1).max()
    assert float(page.inner_text("#bar-top")) == pytest.approx(largest, rel=5e-3)
    assert page.inner_text("#bar-label").endswith("(kg⁻½)") or "per unit" in page.inner_text("#bar-label")


@pytest.mark.slow
def test_shapes_have_good_light_in_every_phase(open_page):
    """Luminance of what is drawn, not of the background: never near black, in both themes."""
    page = open_page(appendage_page(polynomial_panel()))
    read = """() => { const c = document.getElementById('mode-canvas'), g = document.createElement('canvas'); g.width = c.width; g.height = c.height;
      const k = g.getContext('2d'); k.drawImage(c, 0, 0); const d = k.getImageData(0, 0, g.width, g.height).data, back = [d[0], d[1], d[2]]; const out = [];
      for (let i = 0; i < d.length; i += 4) if (Math.abs(d[i] - back[0]) + Math.abs(d[i+1] - back[1]) + Math.abs(d[i+2] - back[2]) > 24) out.push(0.2126 * d[i] + 0.7152 * d[i+1] + 0.0722 * d[i+2]);
      out.sort((a, b) => a - b); return [out.length, out[Math.floor(out.length * 0.02)]]; }"""
    page.click("#mode-ghost")
    for phase in (0, 45, 90, 180, 270):
        set_value(page, "mode-phase", phase)
        count, darkest = page.evaluate(read)
        assert count > 5000, "the model fills the picture"
        assert darkest > 45


def test_a_click_picks_the_node_under_it(open_page):
    """Every node of the far corners, found through the viewer's own projection, is named with its place."""
    panel = polynomial_panel()
    page = open_page(appendage_page(panel))
    set_value(page, "mode-amplitude", 0)
    box = page.locator("#mode-canvas").bounding_box()
    for row in (0, len(panel.nodes) - 1):
        x, y, z = panel.nodes.positions[row]
        at = page.evaluate(f"tisserandModes.first.viewer.project([{x}, {y}, {z}], 0)")
        page.mouse.click(box["x"] + at[0], box["y"] + at[1])
        said = page.inner_text("#mode-picked")
        assert f"node {panel.nodes.ids[row]} " in said
        assert f"({x:.4g}, {y:.4g}, {z:.4g}) m" in said.replace("-0,", "0,")


@pytest.mark.slow
def test_faces_of_the_cube_look_along_axes(open_page):
    page = open_page(appendage_page(polynomial_panel()))
    for _ in range(3):
        face = page.evaluate(
            "(() => { const f = tisserandModes.first.viewer.faces[0], p = f[0]; return [(p[0][0] + p[2][0]) / 2, (p[0][1] + p[2][1]) / 2, f[1], f[2]]; })()"
        )
        box = page.locator("#mode-canvas").bounding_box()
        page.mouse.click(box["x"] + face[0], box["y"] + face[1])
        toward = page.evaluate("tisserandModes.camera.rows()[2]")
        assert toward[face[2]] * face[3] == pytest.approx(1.0, abs=1e-3)
        page.evaluate("tisserandModes.camera.look(-0.9, 0.42)")


@pytest.mark.slow
def test_two_modes_move_in_sync_with_their_mac(open_page):
    panel = polynomial_panel()
    page = open_page(appendage_page(panel))
    page.click("#mode-compare")
    assert page.is_visible("#mode-canvas-b")
    shapes = panel.nodes.translation.reshape(-1, 2)
    mac = (shapes[:, 0] @ shapes[:, 1]) ** 2 / ((shapes[:, 0] ** 2).sum() * (shapes[:, 1] ** 2).sum())
    assert page.inner_text("#mode-mac") == f"MAC {mac:.3f}"
    for act in (lambda: set_value(page, "mode-phase", 30), lambda: page.keyboard.press("ArrowLeft")):
        page.locator("#mode-canvas").focus()
        before = picture(page), picture(page, "mode-canvas-b")
        act()
        after = picture(page), picture(page, "mode-canvas-b")
        assert before[0] != after[0] and before[1] != after[1]
    page.select_option("#mode-other", "0:0")
    assert page.inner_text("#mode-mac") == "MAC 1.000"
    assert picture(page) == picture(page, "mode-canvas-b")


@pytest.mark.slow
def test_a_reference_record_stands_beside(open_page):
    panel = polynomial_panel()
    other = panel.changed(name="other")
    page = open_page(appendage_page(panel, compare(other, panel), other))
    page.click("#mode-compare")
    assert page.inner_text("#mode-mac") == "MAC 1.000"
    assert page.inner_text("#caption-b").startswith("other, ")
    page.locator("#comparison .chart").scroll_into_view_if_needed()
    page.locator("#comparison .chart.drawn").wait_for(state="attached")


@pytest.mark.slow
def test_the_table_sorts_filters_and_chooses(open_page):
    page = open_page(appendage_page(polynomial_panel()))
    column = page.locator("#modes th button", has_text="Hz").first
    place = page.evaluate(
        "[...document.querySelectorAll('#modes th')].findIndex((th) => th.textContent.trim().startsWith('Hz')) + 1"
    )
    column.click()
    column.click()
    assert page.inner_text(f"#modes tbody tr:first-child td:nth-child({place})") == "2.1"
    page.locator("#modes tbody tr").nth(1).click()
    assert "0.7 Hz" in page.inner_text("#mode-said")
    share = page.evaluate("tisserandModes.data.share")
    least = 100.0 * 0.5 * (min(share) + max(share)) if max(share) < 0.4 else 20.0
    set_value(page, "mode-filter", least)
    hidden = page.locator("#modes tbody tr[hidden]").count()
    assert hidden == sum(100.0 * s < float(page.input_value("#mode-filter")) for s in share)


def test_charts_hover_and_download(open_page):
    page = open_page(appendage_page(polynomial_panel()))
    chart = page.locator("#effective .chart").nth(1)
    chart.scroll_into_view_if_needed()
    hover(page, chart, 0.2)
    assert chart.locator(".hoverlayer text").count() > 1, "hovering shows the values"
    box = chart.locator(".nsewdrag").first.bounding_box()
    plot = "document.querySelectorAll('#effective .chart')[1].querySelector('.plot')"
    zoomed = f"{plot}._fullLayout.xaxis.range.join()"
    before = page.evaluate(zoomed)
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.7 * box["height"], steps=4)
    page.mouse.up()
    until(page, f"{zoomed} !== '{before}'")
    names = chart.locator(".legendtoggle")
    names.first.click(force=True)
    until(page, f"{plot}.data[0].visible === 'legendonly'")
    with page.expect_download() as saved:
        chart.locator('[data-title^="Download the numbers"]').click(force=True)
    lines = saved.value.path().read_text().splitlines()
    assert lines[0].startswith("modes kept,x,y,z") and len(lines) == 3


TEXTS = (
    "h2", "td", "th", ".hint", "nav a", "header p", ".card span", ".verdict", "#mode-play", ".controls label", "#mode-said",
    "#bar-label", "figcaption", ".mark-ok, .mark-warn, .mark-fail", "summary", "td.share",
)  # fmt: skip


@pytest.mark.slow
def test_both_themes_are_readable(open_page):
    """WCAG AA: 4.5 for text on its background, measured on the colors that the browser computes."""
    page = open_page(appendage_page(polynomial_panel()))
    seen = set()
    for _ in range(2):
        seen.add(page.evaluate("document.documentElement.dataset.theme"))
        assert unreadable(page, TEXTS) == []
        page.click("#theme")
    assert seen == {"light", "dark"}


@pytest.mark.slow
def test_the_page_works_without_webgl(open_page):
    """Where the browser has no WebGL a plain canvas draws the same shapes."""
    blocked = "<script>HTMLCanvasElement.prototype.getContext = ((real) => function (kind, ...rest) { return kind === 'webgl' ? null : real.call(this, kind, ...rest); })(HTMLCanvasElement.prototype.getContext);</script>"
    page = open_page(appendage_page(polynomial_panel()).replace("<body>", "<body>" + blocked, 1))
    assert changes(page, lambda: page.select_option("#mode-picker", "1"))


@pytest.mark.slow
def test_the_mode_table_is_whole_on_a_laptop_and_scrolls_on_a_narrow_screen(open_page):
    """Eleven columns of long numbers: at 1900 px none is cut, at 480 px the last is reached inside the table's own frame."""
    page = open_page(appendage_page(random_bodies(9)))
    widths = "(() => { const e = document.querySelector('#modes .scroll'); return [e.scrollWidth, e.clientWidth]; })()"
    page.set_viewport_size({"width": 1900, "height": 1000})
    inner, frame = page.evaluate(widths)
    assert inner <= frame
    page.set_viewport_size({"width": 480, "height": 900})
    inner, frame = page.evaluate(widths)
    assert page.evaluate("document.documentElement.scrollWidth") <= 480
    assert inner > frame, "the case does not test scrolling"
    page.evaluate("document.querySelector('#modes .scroll').scrollLeft = 5000")
    last = page.locator("#modes tbody tr:first-child td").last.bounding_box()
    assert last["x"] + last["width"] <= 480


@pytest.mark.slow
def test_a_phone_shows_everything(open_page):
    """390 px: nothing is wider than the screen except inside frames that scroll, and the picture with its controls is within reach."""
    page = open_page(appendage_page(random_bodies(9)))
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#effective .chart").first.scroll_into_view_if_needed()
    page.locator("#effective .chart.drawn").first.wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = """[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > 391 && !e.closest('.scroll, nav, svg')).map((e) => e.tagName + e.className)"""
    assert page.evaluate(wide) == []
    assert page.locator("nav").bounding_box()["height"] < 60, "the menu stays on one line over the page"
    for control in ("#mode-picker", "#mode-play", "#mode-fit", "#mode-compare", "#mode-filter"):
        page.locator(control).scroll_into_view_if_needed()
        box = page.locator(control).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, control


def fingers(page, kind, places):
    """Touch events of two fingers on the canvas, as a browser sends them."""
    page.evaluate(
        """([kind, places]) => { const c = document.getElementById('mode-canvas'), b = c.getBoundingClientRect(); c.setPointerCapture = () => {};
      places.forEach(([x, y], i) => c.dispatchEvent(new PointerEvent(kind, { pointerId: i + 5, pointerType: 'touch', clientX: b.left + x, clientY: b.top + y, bubbles: true }))); }""",
        [kind, places],
    )


@pytest.mark.slow
def test_two_fingers_zoom_and_one_tap_picks(open_page):
    page = open_page(appendage_page(polynomial_panel()))
    before = page.evaluate("({ scale: tisserandModes.camera.scale, yaw: tisserandModes.camera.yaw })")
    fingers(page, "pointerdown", [(100, 100), (200, 100)])
    fingers(page, "pointermove", [(100, 100), (300, 100)])
    fingers(page, "pointerup", [(100, 100), (300, 100)])
    after = page.evaluate("({ scale: tisserandModes.camera.scale, yaw: tisserandModes.camera.yaw })")
    assert after["scale"] == pytest.approx(2.0 * before["scale"]) and after["yaw"] == before["yaw"]
    assert page.inner_text("#mode-picked") == ""
    page.evaluate("document.getElementById('mode-fit').click()")
    now = page.evaluate("Array.from(tisserandModes.first.parts[0].now.subarray(0, 3))")
    at = page.evaluate(f"tisserandModes.first.viewer.project({now}, 0)")
    fingers(page, "pointerdown", [(at[0], at[1])])
    fingers(page, "pointerup", [(at[0], at[1])])
    assert page.inner_text("#mode-picked").startswith("node ")


@pytest.mark.slow
def test_keys_work_after_a_switch_was_clicked(open_page):
    page = open_page(appendage_page(polynomial_panel()))
    page.click("#mode-ghost")
    page.keyboard.press("n")
    assert "2.1 Hz" in page.inner_text("#mode-said")


@pytest.mark.slow
def test_paper_has_whole_charts_and_undistorted_shapes(open_page):
    """Before printing every chart is drawn and fits its column; the picture keeps its proportions."""
    page = open_page(appendage_page(polynomial_panel()))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator("#effective .chart").first.scroll_into_view_if_needed()
    page.locator("#effective .chart.drawn").first.wait_for(state="attached")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    until(page, "document.querySelectorAll('.chart').length === document.querySelectorAll('.chart.drawn').length")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 900})
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    until(
        page, "[...document.querySelectorAll('.chart .main-svg')].every((s) => s.getBoundingClientRect().right <= 689)"
    )
    shape = page.evaluate(
        "(() => { const c = document.getElementById('mode-canvas'), b = c.getBoundingClientRect(); return [c.width / c.height, b.width / b.height]; })()"
    )
    assert shape[0] == pytest.approx(shape[1], rel=0.02)


def free_body(panel):
    """The same panel without coupling to rigid motions, as shapes of a free body have none."""
    still = replace(panel.integrals, translation=np.zeros((3, 2)), rotation=np.zeros((3, 2)))
    return panel.changed(integrals=still)


def many_modes(count=500):
    panel = polynomial_panel(6, 3)
    wide = combined(panel, np.random.default_rng(0).normal(size=(2, count)))
    words = ("integrals", "stiffness", "damping", "nodes", "interfaces", "frame", "mode_names", "mode_kinds")
    return panel.changed(**{word: getattr(wide, word) for word in words}, recovery={}, geometric_stiffness={})


@pytest.mark.slow
@pytest.mark.parametrize("case", ["one node", "free", "markup", "500 modes", "300k dofs"])
def test_odd_records_open_without_an_error(open_page, case):
    """The fixture fails on any console error; what can be chosen is shown."""
    record = {
        "one node": one_node,
        "free": lambda: free_body(polynomial_panel()),
        "markup": lambda: polynomial_panel(name="<b>x</b>").changed(mode_names=("</script>", "b & <i>")),
        "500 modes": many_modes,
        "300k dofs": lambda: polynomial_panel(250, 199),
    }[case]()
    text = appendage_page(record)
    assert len(text.encode()) < 25e6
    page = open_page(text)
    assert page.locator("#mode-picker option").count() == record.count
    if record.count > 1:
        assert changes(page, lambda: page.select_option("#mode-picker", "1"))
        assert page.locator("tr[data-mode]").count() == record.count
    if case == "markup":
        assert page.inner_text("h1") == "<b>x</b>" and page.locator("h1 b").count() == 0
    paint = page.evaluate("performance.getEntriesByType('paint').map((e) => e.startTime)")
    assert paint, "the page was painted"


def in_sets(panel):
    """The panel with named sets: its elements by halves, and its outer edge."""
    count = len(panel.topology.triangles) // 2
    numbered = replace(panel.topology, triangle_ids=np.tile(np.arange(1, count + 1), 2))
    outer = panel.nodes.ids[panel.nodes.positions[:, 0] == 2.0]
    sets = sets_report({"outer edge": outer}, {"inner <half>": np.arange(1, count // 2 + 1), "outer half": [count]})
    return panel.changed(topology=numbered, reports={"sets": sets})


def test_sets_of_elements_are_switched_off_and_sets_of_nodes_are_marked(open_page):
    """The half that is switched off is not drawn and cannot be picked; marks of nodes lie on the overlay."""
    panel = in_sets(polynomial_panel())
    page = open_page(appendage_page(panel))
    page.click(".sets summary")
    set_value(page, "mode-amplitude", 0)
    drawn = "tisserandModes.first.parts[0].cells('triangles').length"
    whole = page.evaluate(drawn)
    x, y, z = panel.nodes.positions[60]  # of the inner half
    at = page.evaluate(f"tisserandModes.first.viewer.project([{x}, {y}, {z}], 0)")
    assert (
        page.evaluate(f"tisserandModes.pick({at[0]}, {at[1]}).part.nodes[tisserandModes.pick({at[0]}, {at[1]}).point]")
        == 61
    )
    assert changes(page, lambda: page.get_by_label("inner <half>").click())
    assert page.evaluate(drawn) == whole // 2
    assert page.evaluate(f"tisserandModes.pick({at[0]}, {at[1]})") is None
    assert changes(page, lambda: page.get_by_label("inner <half>").click())
    assert page.evaluate(drawn) == whole
    mark = page.get_by_label("nodes outer edge")
    assert changes(page, mark.click, seen=overlay)
    assert page.evaluate("tisserandModes.first.parts[0].nodeSets[0].points.length") == 11


@pytest.mark.slow
def test_interfaces_masses_and_kinds_are_switched_off(open_page):
    page = open_page(appendage_page(polynomial_panel()))
    for control in ("show-masses", "show-interfaces"):
        assert changes(page, lambda c=control: page.click(f"#{c}"), seen=overlay), control
    for kind in ("beams", "shells and solids"):
        assert changes(page, lambda k=kind: page.get_by_label(k).click()), kind


def spun(panel):
    """The panel with one turning shape: real part bending, imaginary part twisting."""
    n, three, _ = panel.nodes.translation.shape
    shape = panel.nodes.translation[:, :, 0] / 4.0 + 0.5j * panel.nodes.translation[:, :, 1]
    whole = np.rint(32767.0 * shape / np.abs(shape).max()).reshape(n, three, 1)
    kept = {
        "rate": 2.0, "axis": [0.0, 0.0, 1.0], "frequencies_hz": [0.9],
        "real": packed(whole.real, "i2"), "imaginary": packed(whole.imag, "i2"),
    }  # fmt: skip
    return panel.changed(reports={"spinning": kept})


def test_a_turning_shape_is_never_at_rest(open_page):
    """A real shape passes through zero in every cycle. A complex one does not: its points go around."""
    panel = spun(polynomial_panel())
    page = open_page(appendage_page(panel))
    assert page.locator("#mode-picker option").last.inner_text() == "branch 1 at 19.1 rpm: 0.9 Hz"
    farthest = "(() => { const u = tisserandModes.first.parts[0].moved; let top = 0; for (const v of u) top = Math.max(top, Math.abs(v)); return top; })()"

    def over_the_cycle(mode):
        page.select_option("#mode-picker", str(mode))
        found = []
        for phase in range(0, 360, 45):
            set_value(page, "mode-phase", phase)
            found.append(page.evaluate(farthest))
        return np.array(found)

    standing, turning = over_the_cycle(0), over_the_cycle(2)
    assert standing.min() < 1e-6 * standing.max()
    assert turning.min() > 0.3 * turning.max()
    at_zero = page.evaluate("Array.from(tisserandModes.first.parts[0].shapes[2].imaginary)")
    assert np.abs(at_zero).max() > 1000
    assert page.inner_text("#bar-label") == "displacement (of the largest)"


def test_mouse_and_every_key_do_what_the_page_says(open_page):
    """Drag turns, shift-drag moves and the wheel zooms, each alone; space, f, g, c, b and s are the buttons they stand for."""
    page = open_page(appendage_page(polynomial_panel()))
    box = page.locator("#mode-canvas").bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"]
    eye = "({ yaw: tisserandModes.camera.yaw, pitch: tisserandModes.camera.pitch, scale: tisserandModes.camera.scale })"

    def drag():
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y + 25, steps=2)
        page.mouse.up()

    start = page.evaluate(eye)
    assert changes(page, drag), "drag"
    turned = page.evaluate(eye)
    assert turned["yaw"] != start["yaw"] and turned["pitch"] != start["pitch"] and turned["scale"] == start["scale"]
    page.keyboard.down("Shift")
    assert changes(page, drag), "shift-drag"
    page.keyboard.up("Shift")
    assert page.evaluate(eye) == turned, "it moves the picture and does not turn it"
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    until(page, f"({eye}).scale > 1.2 * {turned['scale']}")
    assert changes(page, lambda: page.keyboard.press("f")), "f"
    assert page.evaluate(eye)["scale"] == pytest.approx(start["scale"], rel=0.3)
    for key, control in (("g", "#mode-ghost"), ("b", "#mode-compare")):
        before = page.is_checked(control)
        page.keyboard.press(key)
        assert page.is_checked(control) is not before, key
    assert page.is_visible("#mode-canvas-b")
    color = page.input_value("#mode-color")
    assert changes(page, lambda: page.keyboard.press("c")) and page.input_value("#mode-color") != color
    with page.expect_download():
        page.keyboard.press("s")
    word = page.inner_text("#mode-play")
    page.keyboard.press(" ")
    assert page.inner_text("#mode-play") != word


def test_speed_and_print(open_page):
    """At 200 % a tenth of a second is 72 degrees, at 5 % it is 2."""
    page = open_page(clocked(appendage_page(polynomial_panel())))
    page.click("#mode-play")
    for speed, turned in ((200, 72.0), (5, 1.8)):
        set_value(page, "mode-speed", speed)
        page.evaluate("step(1000)")
        start = float(page.input_value("#mode-phase"))
        page.evaluate("step(1100)")
        assert (float(page.input_value("#mode-phase")) - start) % 360 == pytest.approx(turned, abs=1.0), speed
    page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    assert page.evaluate("window.printed === undefined")
    page.click("#print")
    assert page.evaluate("window.printed === true")


def test_axes_turn_logarithmic_and_back(open_page):
    page = open_page(appendage_page(polynomial_panel()))
    chart = page.locator("#effective .chart").nth(1)
    chart.scroll_into_view_if_needed()
    chart.locator(".nsewdrag").first.wait_for(state="attached")
    plot = "document.querySelectorAll('#effective .chart')[1].querySelector('.plot')._fullLayout"
    for axis, title in (("yaxis", "Logarithmic or linear values"), ("xaxis", "Logarithmic or linear abscissa")):
        first = page.evaluate(f"{plot}.{axis}.type")
        for expected in ({"linear": "log", "log": "linear"}[first], first):
            chart.locator(f'[data-title="{title}"]').click(force=True)
            until(page, f"{plot}.{axis}.type === '{expected}'")
