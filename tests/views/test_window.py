"""The interactive window, driven without a screen."""

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


_SHOWN = """
import sys, pathlib
from tisserand.appendage import load_record
from tisserand.views.window import ModeWindow
window = ModeWindow(load_record(sys.argv[1]))
seen = []
tick = window._tick
window._tick = lambda step: (tick(step), seen.append(window.phase))
window.show(pathlib.Path(sys.argv[2]))
print("mode", window.mode, "phases", len(set(seen)))
"""


@pytest.mark.slow
def test_a_real_window_is_driven_by_a_real_mouse(tmp_path):
    """Under Xvfb: the shape moves by itself, a click on the second line shows mode 2, the camera is remembered."""
    if not (shutil.which("Xvfb") and shutil.which("xdotool")):
        pytest.skip("Xvfb or xdotool is not installed")
    from tisserand.appendage import save_record

    save_record(modes(MESHES / "boom.bdf", units="SI", count=3).appendage, tmp_path / "boom.h5")
    screen = f":{90 + os.getpid() % 400}"
    server = subprocess.Popen(["Xvfb", screen, "-screen", "0", "1600x1000x24"], stderr=subprocess.DEVNULL)
    env = {**os.environ, "DISPLAY": screen}

    def tool(*words):
        return subprocess.run(
            ["xdotool", *map(str, words)], env=env, capture_output=True, text=True, check=False
        ).stdout

    try:
        memory = tmp_path / "cameras.json"
        command = [sys.executable, "-c", _SHOWN, str(tmp_path / "boom.h5"), str(memory)]
        shown = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(600):
            found = tool("search", "--name", "Tisserand: boom").split()
            if found:
                break
            time.sleep(0.2)
        time.sleep(5.0)
        place = dict(line.split("=") for line in tool("getwindowgeometry", "--shell", found[-1]).split())
        from tisserand.views.window import PIXELS, ModeWindow

        y = int(place["Y"]) + PIXELS[1] - ModeWindow._height(1) - 8
        tool("mousemove", int(place["X"]) + 100, y)
        tool("click", 1)
        time.sleep(3.0)
        tool("key", "--window", found[-1], "q")
        said, errors = shown.communicate(timeout=60)
        assert said.startswith("mode 2 "), (said, errors)
        assert int(said.split()[-1]) > 5
        assert "boom" in memory.read_text()
    finally:
        shown.kill()
        server.kill()
        server.wait()
