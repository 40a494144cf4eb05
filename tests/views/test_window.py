"""The interactive window, driven without a screen."""

import numpy as np
import pytest
from support.appendages import polynomial_panel
from support.mesh_scripts import MESHES

from tisserand.studies.modes import modes
from tisserand.views.renderer import choose_renderer

pytestmark = pytest.mark.skipif(choose_renderer().renderer != "pyvista", reason="VTK cannot draw here")


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
