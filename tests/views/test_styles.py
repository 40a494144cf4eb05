"""Plots for the screen and for papers, and Bode plots with one channel in each panel."""

import numpy as np
import pytest

from tisserand.multibody.margins import LoopMargins
from tisserand.views.bode import MOST_PANELS, bode_figure, save_bode
from tisserand.views.style import drawn_as, figure, save_figure


def second_order(count_in=1, count_out=1):
    hz = np.geomspace(0.01, 10.0, 400)
    s = 2j * np.pi * hz
    one = 1.0 / (s**2 + 0.02 * 2.0 * np.pi * s + (2.0 * np.pi) ** 2)
    return hz, np.tile(one[:, None, None], (1, count_out, count_in))


def loop(hz=0.5):
    return LoopMargins(
        command="torque", gain_margin=4.0, lower_gain_margin=0.0, phase_margin_deg=35.0, crossover_hz=hz,
        delay_margin=0.2, modulus_margin=0.5, stable=True,
    )  # fmt: skip


def test_paper_is_smaller_finer_and_has_serif_letters():
    wide = figure(9.0, 6.0)
    with drawn_as("paper"):
        narrow = figure(9.0, 6.0)
    again = figure(9.0, 6.0)
    assert narrow.get_figwidth() < 0.7 * wide.get_figwidth()
    assert narrow.dpi == 300 and again.dpi == wide.dpi


def test_all_letters_on_paper_are_small_and_serif(tmp_path):
    hz, values = second_order()
    made = bode_figure(hz, values, ("u",), ("y",))
    title = made.axes[0]._left_title.get_fontsize()
    with drawn_as("paper"):
        save_figure(made, tmp_path / "p.pdf")
        save_figure(made, tmp_path / "p.pdf")
    made.draw_without_rendering()
    letters = [
        *made.axes[0].get_xticklabels(),
        *made.axes[0].get_yticklabels(),
        made.axes[0].yaxis.label,
        made.axes[0]._left_title,
    ]
    assert {text.get_fontfamily()[0] for text in letters} == {"serif"}
    assert made.axes[0]._left_title.get_fontsize() == pytest.approx(0.8 * title)
    assert made.axes[0].yaxis.label.get_fontsize() == 8.0


def test_every_channel_has_a_panel_and_crossovers_are_marked():
    hz, values = second_order(2, 3)
    made = bode_figure(hz, values, ("a", "b"), ("x", "y", "z"), [loop()])
    titled = [axes for axes in made.axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in titled] == ["x / a", "x / b", "y / a", "y / b", "z / a", "z / b"]
    magnitude = titled[0].lines[0].get_ydata()
    assert magnitude.max() == pytest.approx(20 * np.log10(np.abs(values).max()))
    assert any(line.get_xdata()[0] == 0.5 for line in titled[0].lines[1:])
    assert "phase margin 35.0" in made._supxlabel.get_text()


def test_channels_beyond_the_panels_are_counted():
    hz, values = second_order(5, 5)
    names = tuple("abcde")
    made = bode_figure(hz, values, names, names)
    assert len(made.axes) == 2 * MOST_PANELS
    assert "9 more channels" in made._supxlabel.get_text()


@pytest.mark.parametrize("ending", ["png", "pdf", "svg"])
def test_files_by_their_ending_are_the_same_twice(tmp_path, ending):
    hz, values = second_order()
    first = save_bode(hz, values, ("u",), ("y",), tmp_path / f"a.{ending}").read_bytes()
    with drawn_as("paper"):
        paper = save_bode(hz, values, ("u",), ("y",), tmp_path / f"p.{ending}").read_bytes()
    assert first == save_bode(hz, values, ("u",), ("y",), tmp_path / f"b.{ending}").read_bytes()
    assert paper != first
    assert first[:4] in (b"\x89PNG", b"%PDF", b"<?xm")
