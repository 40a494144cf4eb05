"""The page of a run in a real browser: cameras, arrows, factors of deflection, scrubber, linked charts."""

import numpy as np
import pytest
from support.appendages import polynomial_panel
from support.browser import changes, clocked, hover, overlay, set_value, unreadable, until

from tisserand.appendage import save_record
from tisserand.studies.simulate import simulate
from tisserand.views.report.trajectory_page import trajectory_page

CRAFT = """
name = "flexible craft"
[bodies.bus]
mass = 300.0
inertia = [120.0, 110.0, 130.0]
[bodies.arm]
mass = 20.0
inertia = [4.0, 4.0, 4.0]
[joints.elbow]
parent = "bus"
child = "arm"
axis = [0.0, 1.0, 0.0]
parent_point = [-1.0, 0.0, 0.0]
child_point = [0.5, 0.0, 0.0]
stiffness = 40.0
[appendages.wing]
record = "panel.h5"
body = "bus"
position = [0.5, 0.0, 0.0]
[appendages.tail]
record = "panel.h5"
body = "arm"
[loads.kick]
kind = "torque"
body = "bus"
direction = [0.0, 1.0, 0.0]
strength = { shape = "versine", value = 20.0, duration = 1.0 }
[loads.push]
kind = "force"
body = "bus"
point = [0.0, 0.3, 0.0]
direction = [0.0, 0.0, 1.0]
strength = 5.0
[sensors.rate]
kind = "rate"
body = "bus"
direction = [0.0, 1.0, 0.0]
[events.fast]
sensor = "rate"
level = 0.02
direction = "rising"
[initial]
velocity = [0.5, 0.0, 0.0]
[simulation]
duration = 4.0
output_step = 0.05
"""


@pytest.fixture(scope="module")
def flown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("craft")
    save_record(polynomial_panel(6, 3), folder / "panel.h5")
    (folder / "craft.toml").write_text(CRAFT)
    return simulate(folder / "craft.toml").trajectory


def test_every_control_of_the_replay(open_page, flown):
    page = open_page(trajectory_page(flown))

    def moved(act) -> bool:
        return changes(page, act, "replay-canvas")

    assert moved(lambda: set_value(page, "replay-time", 40))
    assert page.inner_text("#replay-said") == "t = 2.00 s"
    for appendage in (0, 1):  # each has its own factor
        assert moved(lambda a=appendage: set_value(page, f"replay-scale-{a}", 150)), appendage
        assert page.inner_text(f"#replay-times-{appendage}") == "× 150"
    for control in ("replay-trails", "replay-axes", "replay-loads", "replay-joints"):
        assert changes(page, lambda c=control: page.click(f"#{c}"), "replay-canvas", overlay), control
    for camera in ("fixed", "free", "follow"):
        assert moved(lambda c=camera: page.select_option("#replay-camera", c)), camera
    assert moved(lambda: page.select_option("#replay-target", "1"))
    page.locator("#replay-canvas").focus()
    for key in ("ArrowRight", "+", ".", "f"):
        assert moved(lambda k=key: page.keyboard.press(k)), key
    assert changes(page, lambda: page.click("#theme"), "replay-canvas")
    with page.expect_download() as saved:
        page.click("#replay-shot")
    assert saved.value.suggested_filename == "replay_2.05_s.png"


def test_speed_fit_keys_and_mouse_of_the_replay(open_page, flown):
    """At 10 times the speed a tenth of a second is one second of the run, at 1 a tenth of one."""
    page = open_page(clocked(trajectory_page(flown)))
    shown = "tisserandReplay.frame"
    page.keyboard.press(" ")
    for speed, frames in ((10, 20), (1, 2)):
        set_value(page, "replay-speed", speed)
        page.evaluate("step(1000)")
        page.evaluate("step(1000)")
        start = page.evaluate(shown)
        page.evaluate("step(1100)")
        assert page.evaluate(shown) - start == frames, speed
    page.keyboard.press(" ")
    start = page.evaluate(shown)
    page.evaluate("step(1200)")
    assert page.evaluate(shown) == start, "space stops"
    page.keyboard.press(",")
    assert page.evaluate(shown) == start - 1
    box = page.locator("#replay-canvas").bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"]

    def drag():
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y + 25, steps=2)
        page.mouse.up()

    assert changes(page, drag, "replay-canvas"), "drag"
    scale = "tisserandReplay.viewer.camera.scale"
    far = page.evaluate(scale)
    page.mouse.wheel(0, -400)
    until(page, f"{scale} > 1.2 * {far}")
    close = page.evaluate(scale)
    assert changes(page, lambda: page.click("#replay-fit"), "replay-canvas"), "fit"
    assert page.evaluate(scale) != close


def test_charts_and_events_are_linked_to_the_scrubber(open_page, flown):
    page = open_page(trajectory_page(flown))
    page.locator("#replay-linked .chart.drawn").first.wait_for(state="attached")
    left = "parseFloat(document.querySelector('#replay-linked .cursor').style.left)"
    set_value(page, "replay-time", 20)
    before = page.evaluate(left)
    set_value(page, "replay-time", 60)
    assert page.evaluate(left) > before, "the chart follows the scrubber"
    page.mouse.click(*hover(page, page.locator("#replay-linked .chart").first, 0.25))
    until(page, "Math.abs(tisserandReplay.frame - 20) <= 2")
    (event,) = flown.events
    page.click("#replay-events button")
    shown = page.evaluate("tisserandReplay.frame")
    assert abs(flown.times[shown] - event.time) <= 0.026
    charts = page.locator("#replay-linked .chart").count()
    page.click("#replay-signals summary")
    page.get_by_label("Velocity of the base's origin").check()
    assert page.locator("#replay-linked .chart").count() == charts + 1
    page.click("#replay-play")
    until(page, f"tisserandReplay.frame !== {shown}")


@pytest.mark.slow
def test_followed_the_vehicle_stays_in_the_middle_and_in_the_picture(open_page, flown):
    """The whole craft: the drawn points stay inside the picture at all times; a body: its origin stays where it was."""
    page = open_page(trajectory_page(flown))
    inside = """() => { const v = tisserandReplay.viewer, w = v.canvas.clientWidth, h = v.canvas.clientHeight; let worst = 0;
      for (const p of v.parts) for (let i = 0; i < p.now.length; i += 3) { const q = v.project(p.now, i); worst = Math.max(worst, Math.abs(q[0] - w / 2) / (w / 2), Math.abs(q[1] - h / 2) / (h / 2)); }
      return worst; }"""
    worst = []
    for frame in (0, 30, 80):
        set_value(page, "replay-time", frame)
        worst.append(page.evaluate(inside))
    assert max(worst) < 1.0 and max(worst) > 0.6, "nothing leaves the picture, and the craft fills it"
    page.select_option("#replay-target", str(flown.bodies.index("arm")))
    places = []
    for frame in (0, 80):
        set_value(page, "replay-time", frame)
        o = flown.origin[frame, flown.bodies.index("arm")]
        places.append(page.evaluate(f"tisserandReplay.viewer.project({o.tolist()}, 0)")[:2])
    assert np.abs(np.subtract(*places)).max() < 0.5, "pixels"


@pytest.mark.slow
def test_arrows_are_as_long_as_their_loads(open_page, flown):
    """The torque arrow at the peak of the versine (0.5 s) is the longest: 20 N m is written beside it, at the end nothing."""
    page = open_page(trajectory_page(flown))
    words = """() => { const v = tisserandReplay.viewer, said = [], g = v.over.getContext('2d'), real = g.fillText.bind(g);
      g.fillText = (text, ...rest) => { said.push(text); real(text, ...rest); }; v.draw(); g.fillText = real; return said; }"""
    set_value(page, "replay-time", 10)
    assert {"kick 20 N m", "push 5 N"} <= set(page.evaluate(words))
    page.click("#replay-joints")
    elbow = float(np.linalg.norm(flown.joint_force["elbow"][10]))
    named = [text for text in page.evaluate(words) if text.startswith("elbow force")]
    assert named and float(named[0].split()[2]) == pytest.approx(elbow, rel=6e-3)
    set_value(page, "replay-time", 80)
    assert not any(text.startswith("kick") for text in page.evaluate(words))


@pytest.mark.slow
def test_both_themes_of_a_run_are_readable(open_page, flown):
    texts = (
        "h2",
        "td",
        ".hint",
        "nav a",
        ".card span",
        ".verdict",
        "#replay-said",
        ".controls label",
        "#bar-label",
        "#replay-events button",
    )
    page = open_page(trajectory_page(flown))
    for _ in range(2):
        assert unreadable(page, texts) == []
        page.click("#theme")


def test_the_same_run_gives_the_same_page(flown):
    assert trajectory_page(flown) == trajectory_page(flown)
