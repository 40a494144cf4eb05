"""Sobol indices and regression, against closed forms and scipy."""

import numpy as np
import pytest
from scipy import stats

from tisserand.statistics.regression import regression
from tisserand.statistics.sobol_indices import saltelli_points, sobol_indices
from tisserand.studies.ensembles.draws import points

A, B = 7.0, 0.1


def ishigami(x):
    return np.sin(x[:, 0]) + A * np.sin(x[:, 1]) ** 2 + B * x[:, 2] ** 4 * np.sin(x[:, 0])


def known():
    """First and total indices of the function of Ishigami and Homma (1990) on (-pi, pi)^3, by their integrals."""
    v1 = 0.5 * (1.0 + B * np.pi**4 / 5.0) ** 2
    v2, v13 = A**2 / 8.0, B**2 * np.pi**8 * (1.0 / 18.0 - 1.0 / 50.0)
    return np.array([v1, v2, 0.0]) / (v1 + v2 + v13), np.array([v1 + v13, v2, v13]) / (v1 + v2 + v13)


def test_indices_of_ishigami():
    """A Sobol design of 2^12 rows; the error of a random one of this size would be 0.03."""
    u = saltelli_points(points("sobol", 4096, 6, 1))
    found = sobol_indices(ishigami(np.pi * (2.0 * u - 1.0)), 3, 0.9)
    first, total = known()
    assert np.abs(found.first - first).max() < 0.01 and np.abs(found.total - total).max() < 0.01
    assert (found.first_low < first + 0.01).all() and (found.total_high > total - 0.01).all()


def test_bounds_of_indices_cover_the_truth_as_often_as_promised():
    first, total = known()
    inside = []
    for seed in range(40):
        u = saltelli_points(points("random", 256, 6, seed))
        one = sobol_indices(ishigami(np.pi * (2.0 * u - 1.0)), 3, 0.9, seed)
        inside += [
            *((one.first_low <= first) & (first <= one.first_high)),
            *((one.total_low <= total) & (total <= one.total_high)),
        ]
    assert 0.8 < np.mean(inside) < 0.97  # 240 correlated trials of 0.9


def test_indices_are_those_of_scipy():
    """The same estimators on the same numbers (scipy.stats.sobol_indices, saltelli_2010)."""
    u = saltelli_points(points("random", 128, 6, 3))
    f = ishigami(np.pi * (2.0 * u - 1.0)).reshape(5, 128)
    theirs = stats.sobol_indices(func={"f_A": f[:1], "f_B": f[1:2], "f_AB": f[2:, None]}, n=128)
    ours = sobol_indices(f.ravel(), 3, 0.9)
    assert ours.total == pytest.approx(theirs.total_order.ravel(), abs=1e-12)
    assert ours.first == pytest.approx(theirs.first_order.ravel(), abs=1e-12)


def test_rows_that_failed_are_left_out_and_constants_have_no_indices():
    u = saltelli_points(points("random", 64, 6, 3))
    f = ishigami(np.pi * (2.0 * u - 1.0))
    lost = f.copy()
    lost[[3, 64 + 9, 3 * 64 + 20]] = np.nan
    kept = f.reshape(5, 64)[:, [i for i in range(64) if i not in (3, 9, 20)]]
    found = sobol_indices(lost, 3, 0.9)
    assert found.rows == 61 and np.array_equal(found.first, sobol_indices(kept.ravel(), 3, 0.9).first)
    assert sobol_indices(np.ones(20), 3, 0.9) is None


def test_the_design_mixes_one_column_at_a_time():
    u = points("random", 4, 4, 0)
    rows = saltelli_points(u).reshape(4, 4, 2)
    assert np.array_equal(rows[0], u[:, :2]) and np.array_equal(rows[1], u[:, 2:])
    assert np.array_equal(rows[2], np.column_stack([u[:, 2], u[:, 1]]))
    assert np.array_equal(rows[3], np.column_stack([u[:, 0], u[:, 3]]))


def test_coefficients_of_a_linear_model_are_its_shares_of_the_deviation():
    """y = sum c_i x_i: c_i s_i / s_y in the population; in the sample exactly so with the deviations of the sample."""
    x = np.random.default_rng(2).normal(size=(500, 3)) * [1.0, 2.0, 0.5]
    y = x @ [3.0, -1.0, 0.0] + 7.0
    found = regression(x, y, 0.9)
    assert found.coefficients == pytest.approx(np.array([3.0, -1.0, 0.0]) * x.std(axis=0) / y.std(), abs=1e-12)
    assert found.fit == pytest.approx(1.0, abs=1e-12)


def test_one_key_is_scipys_line_and_ranks_are_spearmans():
    rng = np.random.default_rng(4)
    x = rng.uniform(size=80)
    y = np.exp(4.0 * x) + rng.normal(size=80)
    found = regression(x[:, None], y, 0.95)
    line = stats.linregress((x - x.mean()) / x.std(), (y - y.mean()) / y.std())
    reach = stats.t(78).ppf(0.975) * line.stderr
    assert found.coefficients[0] == pytest.approx(line.slope, rel=1e-12)
    assert (found.low[0], found.high[0]) == pytest.approx((line.slope - reach, line.slope + reach), rel=1e-10)
    assert found.ranked[0] == pytest.approx(stats.spearmanr(x, y).statistic, rel=1e-12)
    assert found.ranked_fit > found.fit


def test_too_few_runs_and_still_keys():
    assert regression(np.ones((3, 2)), np.arange(3.0), 0.9) is None
    x = np.column_stack([np.arange(9.0), np.ones(9)])
    assert regression(x, 2.0 * np.arange(9.0), 0.9).coefficients == pytest.approx([1.0, 0.0])
