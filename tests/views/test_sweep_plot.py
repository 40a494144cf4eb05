"""Branches of a sweep go through crossings as the physics does, and every curve can be told from every other."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.image import imread
from support.appendages import random_bodies

from tisserand.appendage import save_record
from tisserand.statistics.mode_tracking import tracked
from tisserand.studies.sweep import sweep
from tisserand.views.sweep_plot import MOST_MODES, SweptModes, save_sweep_plot, sweep_figure

X = np.linspace(0.0, 1.0, 12)
RISING, FALLING = 1.0 + 2.0 * X, 2.7 - 1.5 * X  # they cross between two samples


def followed(*arguments):
    return tracked(*arguments).poles


def sorted_poles(*lines):
    """Modes as a solver gives them: by frequency, whatever branch they are of; and the branch of each."""
    table = 2j * np.pi * np.column_stack(lines)
    order = np.argsort(np.abs(table), axis=1)
    return np.take_along_axis(table, order, axis=1), order


def test_straight_lines_cross_without_a_kink():
    poles, _ = sorted_poles(RISING, FALLING, np.full(12, 4.0))
    table = np.abs(followed(X, list(poles))) / (2.0 * np.pi)
    np.testing.assert_allclose(table, np.column_stack([RISING, FALLING, np.full(12, 4.0)]), rtol=1e-12)


def test_uneven_samples_are_continued_by_slope_not_by_index():
    x = np.array([0.0, 0.05, 0.1, 0.7, 0.75, 1.0])
    poles, _ = sorted_poles(1.0 + 2.0 * x, 2.0 - 0.5 * x)
    table = np.abs(followed(x, list(poles))) / (2.0 * np.pi)
    np.testing.assert_allclose(table[:, 0], 1.0 + 2.0 * x, rtol=1e-12)


def test_shapes_decide_where_frequencies_cannot():
    """A coarse sweep over a sharp bend: by their frequencies alone the two lines look as if they stayed apart."""
    x = np.array([0.0, 1.0])
    poles, order = sorted_poles(np.array([1.0, 2.0]), np.array([2.0, 1.0]))
    scale = np.array([[1.0], [1e4]])  # coordinates in different units
    shapes = [scale * np.eye(2)[:, row].astype(complex) for row in order]
    blind = np.abs(followed(x, list(poles))) / (2.0 * np.pi)
    seeing = np.abs(followed(x, list(poles), shapes)) / (2.0 * np.pi)
    np.testing.assert_allclose(blind, [[1.0, 2.0], [1.0, 2.0]])
    np.testing.assert_allclose(seeing, [[1.0, 2.0], [2.0, 1.0]])


def test_damping_tells_modes_of_one_frequency_apart():
    heavy, light = -0.5 + 2j * np.pi * RISING, -0.01 + 2j * np.pi * FALLING
    rows = [row[np.argsort(np.abs(row))] for row in np.column_stack([heavy, light])]
    table = followed(X, rows)
    np.testing.assert_allclose(table.real, np.column_stack([np.full(12, -0.5), np.full(12, -0.01)]), atol=1e-12)


def test_a_mode_that_ends_leaves_a_gap_and_a_new_one_starts_a_branch():
    poles = [np.array([1j, 2j]), np.array([2j]), np.array([1j, 2j, 9j])]
    table = np.abs(followed([0.0, 1.0, 2.0], poles))
    np.testing.assert_allclose(table, [[1, 2, np.nan], [np.nan, 2, np.nan], [1, 2, 9]])


def test_every_curve_looks_different_and_the_legend_stands_outside():
    poles = tuple(2j * np.pi * np.arange(1.0, MOST_MODES + 4) for _ in X)
    made = sweep_figure(["a.left", "a.right"], [SweptModes(X, poles)])
    (axes,) = made.axes
    looks = {(line.get_color(), line.get_linestyle(), line.get_marker()) for line in axes.lines}
    assert len(looks) == len(axes.lines) == MOST_MODES
    assert axes.get_xlabel() == "a.left = a.right" and "3 higher modes not drawn" in axes.get_title(loc="left")
    made.canvas.draw()
    assert axes.get_legend().get_window_extent().x0 >= axes.get_window_extent().x1
    names = [int(text.get_text().split()[1]) for text in axes.get_legend().get_texts()]
    assert all(a > b for a, b in pairwise(names)), "the legend follows the curves from the top"


TWO_ARMS = """
name = "two arms"
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
[bodies.drive]
mass = 2.0
inertia = [1.0, 1.0, 1.0]
[joints.left]
parent = "bus"
child = "drive"
axis = [0.0, 1.0, 0.0]
motion = 0.0
[appendages.wing]
record = "wing.h5"
body = "drive"
[simulation]
duration = 1.0
"""


def test_a_sweep_of_a_vehicle_draws_a_grid_and_keeps_its_result_free_of_shapes(tmp_path):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    vehicle = tmp_path / "v.toml"
    vehicle.write_text(TWO_ARMS)
    over = {"joints.left.motion": [0.0, 1.0], "bodies.bus.mass": [80.0, 90.0]}
    result = sweep(vehicle, over=over, plot=tmp_path / "s.png")
    assert result.failures == 0 and all("shapes" not in s.result for s in result.samples)
    assert np.ptp(imread(tmp_path / "s.png")) > 0.5


@pytest.mark.parametrize("values", [[], [0.5]])
def test_few_samples_still_draw(values, tmp_path):
    poles = tuple(np.array([1j, 2j]) for _ in values)
    swept = [SweptModes(np.array(values), poles)] if values else []
    assert save_sweep_plot(["k"], swept, tmp_path / "s.png").exists()


def test_branches_that_lie_on_each_other_are_dashed_and_say_so():
    """A pair of symmetric wings: the second curve is dashed, so that the first is seen through its gaps; where it leaves it, it says partly."""
    poles = tuple(2j * np.pi * np.array([1.0, 1.001, 3.0]) for _ in X)
    (axes,) = sweep_figure(["k"], [SweptModes(X, poles)]).axes
    first, second, third = axes.lines
    assert second.get_linestyle() == "--" and first.get_color() != second.get_color()
    assert third.get_linestyle() == first.get_linestyle() == "-"
    assert "mode 2 (on 1)" in [text.get_text() for text in axes.get_legend().get_texts()]
    parting = tuple(2j * np.pi * np.array([1.0, 1.001 + 0.5 * (x > np.median(X)), 3.0]) for x in X)
    (axes,) = sweep_figure(["k"], [SweptModes(X, parting)]).axes
    assert "mode 2 (partly on 1)" in [text.get_text() for text in axes.get_legend().get_texts()]
