"""Pictures are not blank, carry their labels, are the same for the same input, and exist without VTK."""

import numpy as np
import pytest
from matplotlib import image as mpl_image
from support.appendages import polynomial_panel

from tisserand.errors import InputError
from tisserand.views import renderer
from tisserand.views.animation import save_mode_animation
from tisserand.views.geometry import drawn_mode
from tisserand.views.mode_matplotlib import mode_figure
from tisserand.views.pictures import save_mode_picture
from tisserand.views.renderer import Drawing
from tisserand.views.sheet import save_contact_sheet


@pytest.fixture(params=["matplotlib", "best"])
def any_renderer(request, monkeypatch):
    if request.param == "matplotlib":
        for module in ("pictures", "sheet", "animation"):
            monkeypatch.setattr(f"tisserand.views.{module}.choose_renderer", lambda: Drawing("matplotlib", "test"))
    return request.param


def colorfulness(path) -> float:
    """Largest spread between the color channels: zero for a blank or gray picture."""
    pixels = np.asarray(mpl_image.imread(path))[..., :3].reshape(-1, 3)
    return float(np.ptp(pixels, axis=1).max())


def test_a_mode_picture_shows_colors_and_is_repeatable(tmp_path, any_renderer):
    panel = polynomial_panel()
    first, again, other = (save_mode_picture(panel, mode, tmp_path / f"{i}.png") for i, mode in enumerate((1, 1, 2)))
    assert colorfulness(first) > 0.3
    assert first.read_bytes() == again.read_bytes()
    assert first.read_bytes() != other.read_bytes()


def test_a_contact_sheet_holds_every_mode(tmp_path, any_renderer):
    path = save_contact_sheet(polynomial_panel(), tmp_path / "sheet.png")
    assert colorfulness(path) > 0.3


def test_labels_stand_on_the_picture():
    """Title with name and frequency, axes with units, a labeled color bar."""
    made = mode_figure(drawn_mode(polynomial_panel(), 2))
    axes, bar = made.axes
    assert axes.get_title(loc="left") == "mode 2   2.1 Hz"
    assert (axes.get_xlabel(), axes.get_zlabel()) == ("x (m)", "z (m)")
    assert bar.get_ylabel() == "relative displacement (-)"


@pytest.mark.slow
def test_an_animation_moves(tmp_path, monkeypatch):
    from PIL import Image

    monkeypatch.setattr("tisserand.views.animation.choose_renderer", lambda: Drawing("matplotlib", "test"))
    path = save_mode_animation(polynomial_panel(4, 2), 1, tmp_path / "mode.gif")
    with Image.open(path) as film:
        assert film.n_frames == 24
        film.seek(0)
        still = np.asarray(film.convert("RGB")).copy()
        film.seek(6)
        assert np.abs(np.asarray(film.convert("RGB")).astype(int) - still).max() > 50


def test_a_mode_that_does_not_exist_is_named():
    with pytest.raises(InputError, match=r"no such mode; found 3, expected 1 to 2"):
        drawn_mode(polynomial_panel(), 3)


def test_a_machine_without_graphics_gets_matplotlib_and_advice(monkeypatch):
    monkeypatch.setattr(renderer, "_probe", lambda extra: False)
    monkeypatch.delenv("TISSERAND_RENDERER", raising=False)
    renderer.choose_renderer.cache_clear()
    try:
        drawing = renderer.choose_renderer()
    finally:
        renderer.choose_renderer.cache_clear()
    assert drawing.renderer == "matplotlib"
    assert "libgl1" in drawing.reason


def test_a_probe_that_crashes_is_survived(monkeypatch):
    """The child may die of a signal: that is an answer, not an accident."""
    monkeypatch.setattr(renderer, "_PROBE", "import os; os.abort()")
    assert renderer._probe({}) is False


@pytest.mark.parametrize("mode", [1, 2])
def test_the_shape_fills_its_stage_and_never_reaches_the_color_bar(mode):
    """Where VTK's own camera puts every drawn point, as fractions of the picture."""
    pytest.importorskip("pyvista")
    from tisserand.views.mode_pyvista import STAGE, extreme_points, mode_plotter
    from tisserand.views.style import PICTURE_PIXELS

    drawn = drawn_mode(polynomial_panel(), mode)
    plotter = mode_plotter(drawn)
    bar = plotter.scalar_bars[drawn.label]
    matrix = plotter.camera.GetCompositeProjectionTransformMatrix(PICTURE_PIXELS[0] / PICTURE_PIXELS[1], -1, 1)
    table = np.array([[matrix.GetElement(i, j) for j in range(4)] for i in range(4)])
    cloud = extreme_points(drawn, drawn.scale)
    seen = np.column_stack([cloud, np.ones(len(cloud))]) @ table.T
    places = 0.5 * (seen[:, :2] / seen[:, 3:] + 1.0)
    plotter.close()
    low, top = places.min(axis=0), places.max(axis=0)
    assert np.all(low >= np.array(STAGE[:2]) - 1e-6) and np.all(top <= np.array(STAGE[2:]) + 1e-6)
    assert np.isclose((top - low) / (np.array(STAGE[2:]) - STAGE[:2]), 1.0, atol=1e-6).any()
    assert bar.GetPosition()[1] + bar.GetHeight() < STAGE[1]
