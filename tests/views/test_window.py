"""The interactive window, driven without a screen."""

import json
import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from support.appendages import polynomial_panel
from support.mesh_scripts import MESHES

from tisserand.studies.modes import modes
from tisserand.views.renderer import choose_renderer


@pytest.fixture(autouse=True)
def drawing():
    """Asked when a test runs: a process of its own tries VTK, which takes seconds."""
    if choose_renderer().renderer != "pyvista":
        pytest.skip("VTK cannot draw here")


@pytest.fixture
def window():
    from tisserand.views.window import ModeWindow

    made = ModeWindow(modes(MESHES / "boom.bdf", units="SI", count=3).appendage, off_screen=True)
    yield made
    made.plotter.close()


def test_modes_amplitude_and_phase_move_the_shape(window):
    first = np.array(window.skin.points)
    window.show_mode(3)
    third = np.array(window.skin.points)
    assert np.abs(third - first).max() > 0.1
    window._set_phase(0.0)
    assert np.abs(window.skin.points - window.drawn.skin.rest(window.drawn.points)).max() < 1e-6
    window.show_mode(99)
    assert window.mode == 3


def test_color_switches_to_strain_energy(window):
    before = np.array(window.skin["u"])
    window._next_color()
    after = np.array(window.skin["u"])
    root = np.argmin(window.drawn.points[window.drawn.skin.source, 0])
    assert before[root] == pytest.approx(0.0, abs=1e-9)
    assert after[root] == pytest.approx(1.0)


def test_picking_names_the_nearest_node_and_element(window):
    window._set_amplitude(0.0)
    window._picked((3.01, 0.04, 0.0))
    said = window.plotter.actors["picked"].GetText(1)
    assert said == "node 13 at (3, 0, 0) m, element 13"


def test_a_beam_is_drawn_as_thick_as_its_tube(window):
    """Radius 40 mm: the skin reaches so far from the axis, and no point is inside."""
    rest = window.drawn.skin.rest(window.drawn.points)
    assert np.linalg.norm(rest[:, 1:], axis=1) == pytest.approx(np.full(len(rest), 0.04))


def test_bodies_without_known_mass_still_show():
    from tisserand.views.geometry import drawn_mode

    drawn = drawn_mode(polynomial_panel(4, 2), 1)
    assert drawn.body_radius == pytest.approx([0.012 * 2.0])


def test_a_click_in_the_panel_shows_that_mode_and_elsewhere_nothing(window):
    window.click(100, window._height(1) + 8)
    assert window.mode == 2
    window.click(900, window._height(0) + 8)
    assert window.mode == 2
    assert "2 " in window.lines[2].input and window.lines[2].prop.bold
    assert not window.lines[1].prop.bold


def test_a_fitted_shape_fills_the_space_beside_the_panel_and_is_not_cut(window):
    """By VTK's own projection, at both ends of the motion and for the largest amplitude of the slider."""
    from vtkmodules.vtkRenderingCore import vtkCoordinate

    from tisserand.views.window import PANEL, PIXELS

    place = vtkCoordinate()
    place.SetCoordinateSystemToWorld()
    window._set_amplitude(0.4)
    window._fit()
    seen = []
    for phase in (90.0, 270.0):
        window._set_phase(phase)
        for point in window.drawn.moved(window._factor()):
            place.SetValue(*map(float, point))
            seen.append(place.GetComputedDoubleDisplayValue(window.plotter.renderer))
    low, high = np.min(seen, axis=0), np.max(seen, axis=0)
    assert low[0] > PANEL and low[1] > 0.0 and high[0] < PIXELS[0] and high[1] < PIXELS[1]
    assert (high[0] - low[0]) / (PIXELS[0] - PANEL) > 0.7 or (high[1] - low[1]) / PIXELS[1] > 0.7


_SHOWN = """
import json, os, pathlib, sys
from tisserand.appendage import load_record
from tisserand.views.window import ModeWindow
window = ModeWindow(load_record(sys.argv[1]))
seen, state = set(), pathlib.Path(sys.argv[3])
tick = window._tick
def told(step):
    tick(step)
    seen.add(window.phase)
    eye = list(window.plotter.camera.position)
    said = {"mode": window.mode, "phases": len(seen), "amplitude": window.amplitude, "eye": eye, "first": window.first}
    state.with_suffix(".new").write_text(json.dumps(said))
    os.replace(state.with_suffix(".new"), state)
window._tick = told
window.show(pathlib.Path(sys.argv[2]))
"""


@pytest.mark.slow
def test_a_real_window_is_driven_by_a_real_mouse(tmp_path):
    """Under Xvfb: the shape moves by itself; a click shows mode 2, the wheel scrolls the list, a slider and the camera are dragged."""
    if not (shutil.which("Xvfb") and shutil.which("xdotool")):
        pytest.skip("Xvfb or xdotool is not installed")
    from tisserand.appendage import save_record
    from tisserand.views.window import PIXELS, ModeWindow

    save_record(modes(MESHES / "boom.bdf", units="SI", count=30).appendage, tmp_path / "boom.h5")
    screen, state, memory = f":{90 + os.getpid() % 400}", tmp_path / "state.json", tmp_path / "cameras.json"
    env = {**os.environ, "DISPLAY": screen}
    command = [sys.executable, "-c", _SHOWN, str(tmp_path / "boom.h5"), str(memory), str(state)]
    server = subprocess.Popen(["Xvfb", screen, "-screen", "0", "1600x1000x24"], stderr=subprocess.DEVNULL)
    shown = None

    def tool(*words):
        return subprocess.run(
            ["xdotool", *map(str, words)], env=env, capture_output=True, text=True, check=False
        ).stdout

    def wait(what, found):
        """The first true answer of ``found``; the window may be slow on a busy machine, but must not have ended."""
        until = time.monotonic() + 120.0
        while time.monotonic() < until:
            if (answer := found()) or (shown is not None and shown.poll() is not None):
                break
            time.sleep(0.05)
        assert answer, (what, state.read_text() if state.exists() else "never drawn")
        return answer

    def now(holds):
        return lambda: state.exists() and holds(json.loads(state.read_text()))

    def drag(start, end):
        tool("mousemove", *start, "mousedown", 1)
        tool("mousemove", *end)
        tool("mouseup", 1)

    try:
        wait("the screen", lambda: subprocess.run(
            ["xdotool", "getdisplaygeometry"], env=env, capture_output=True, check=False
        ).returncode == 0)  # fmt: skip
        shown = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait("it starts moving", now(lambda s: s["phases"] > 5))
        found = wait("its title", lambda: tool("search", "--name", "Tisserand: boom").split())
        place = dict(line.split("=") for line in tool("getwindowgeometry", "--shell", found[-1]).split())
        left, top = int(place["X"]), int(place["Y"])

        tool("mousemove", left + 100, top + PIXELS[1] - ModeWindow._height(1) - 8)
        tool("click", 1)
        wait("a click shows mode 2", now(lambda s: s["mode"] == 2))
        tool("click", 5)
        wait("the wheel scrolls the list", now(lambda s: s["first"] == 3))
        before = json.loads(state.read_text())
        drag((left + 900, top + 400), (left + 1000, top + 460))
        wait("a drag turns the camera", now(lambda s: np.abs(np.subtract(s["eye"], before["eye"])).max() > 0.1))
        height = top + round(PIXELS[1] * (1.0 - 0.13))
        part = before["amplitude"] / 0.4
        along = left + round(PIXELS[0] * (0.01 + 0.1 * part))
        drag((along, height), (left + round(PIXELS[0] * 0.1), height))
        wait("the slider sets the amplitude", now(lambda s: s["amplitude"] > before["amplitude"] + 0.05))
        if kept := os.environ.get("TISSERAND_WINDOW_PICTURE"):
            from PIL import ImageGrab

            ImageGrab.grab(bbox=(left, top, left + PIXELS[0], top + PIXELS[1]), xdisplay=screen).save(kept)
        eye = json.loads(state.read_text())["eye"]
        tool("key", "--window", found[-1], "q")
        _, errors = shown.communicate(timeout=120)
        assert shown.returncode == 0, errors
        (camera,) = json.loads(memory.read_text()).values()
        assert camera[0] == pytest.approx(eye)
    finally:
        if shown is not None:
            shown.kill()
        server.kill()
        server.wait()
