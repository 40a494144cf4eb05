"""Percentiles, exceedance and numbers of runs, against scipy, published numbers and the coverage that they promise."""

import math

import numpy as np
import pytest
from scipy import stats

import tisserand as ts
from tisserand.errors import InputError
from tisserand.statistics.exceedance import probability
from tisserand.statistics.limits import exceedance, limit_of
from tisserand.statistics.order_statistics import bounding_ranks, covered_part, percentile


@pytest.mark.parametrize(
    ("coverage", "confidence", "order", "runs"),
    [
        # Wilks' numbers as nuclear safety analysis tabulates them (95/95: 59, 93, 124 for the first three orders)
        (0.95, 0.95, 1, 59), (0.95, 0.95, 2, 93), (0.95, 0.95, 3, 124), (0.99, 0.95, 1, 299), (0.90, 0.90, 1, 22),
        (0.9973, 0.90, 1, math.ceil(math.log(0.1) / math.log(0.9973))),
    ],
)  # fmt: skip
def test_numbers_of_runs(coverage, confidence, order, runs):
    assert ts.runs_needed(coverage, confidence, order) == runs
    assert covered_part(runs, confidence, order) >= coverage > covered_part(runs - 1, confidence, order)


def test_99_73_percent_at_90_percent_are_852_runs():
    assert ts.runs_needed(0.9973, 0.90) == 852


@pytest.mark.parametrize(("coverage", "confidence"), [(0.0, 0.9), (1.0, 0.9), (0.9, 1.0), (99.73, 0.9)])
def test_numbers_that_are_no_parts_are_refused(coverage, confidence):
    with pytest.raises(InputError, match="is not a part"):
        ts.runs_needed(coverage, confidence)


@pytest.mark.parametrize("level", [0.05, 0.5, 0.95])
@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.99])
def test_bounds_are_those_of_scipy(level, confidence):
    for count in (60, 137, 400):
        x = np.random.default_rng(count).normal(size=count)
        ours = percentile(x, level, confidence)
        theirs = stats.quantile_test(x, p=level).confidence_interval(confidence)
        low, high = (np.nan_to_num(end, nan=bad) for end, bad in zip(theirs, (-np.inf, np.inf)))
        assert (ours.low, ours.high) == (low, high)
        assert ours.value == pytest.approx(np.quantile(x, level), rel=1e-14)


def test_bounds_enclose_the_percentile_of_a_linear_system_as_often_as_promised():
    """y = 2 a - 3 b + 1 with normal a, b: exact percentiles. Coverage from the ranks is exact, that of 2000 studies agrees."""
    level, confidence, count = 0.95, 0.9, 120
    exact = stats.norm(1.0, math.hypot(2.0, 3.0)).ppf(level)
    rng = np.random.default_rng(5)
    found = [percentile(2.0 * a - 3.0 * b + 1.0, level, confidence) for a, b in rng.normal(size=(2000, 2, count))]
    inside = np.mean([one.low <= exact <= one.high for one in found])
    low, high = bounding_ranks(count, level, confidence)
    promised = stats.binom.cdf(high - 1, count, level) - stats.binom.cdf(low - 1, count, level)
    assert promised >= confidence
    assert abs(inside - promised) < 4.0 * math.sqrt(promised * (1.0 - promised) / 2000)
    assert percentile([1.0, 2.0], 0.95, 0.9).high == math.inf and percentile([], 0.5, 0.9).low == -math.inf


@pytest.mark.parametrize(("count", "runs"), [(0, 60), (3, 60), (60, 60), (1, 1000)])
def test_probabilities_have_the_intervals_of_clopper_and_pearson(count, runs):
    theirs = stats.binomtest(count, runs).proportion_ci(0.9, method="exact")
    ours = probability(count, runs, 0.9)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12) and ours.value == count / runs


@pytest.mark.parametrize(
    ("text", "name", "value", "above"),
    [
        ("rate.peak<0.01", "rate.peak", 0.01, False), ("{tip x}.max >= -2e-3", "tip x.max", -2e-3, True),
        ("rms(after(rate, 3)) <= 1", "rms(after(rate, 3))", 1.0, False),
    ],
)  # fmt: skip
def test_limits_are_read(text, name, value, above):
    limit = limit_of(text)
    assert (limit.measure, limit.value, limit.above) == (name, value, above)


@pytest.mark.parametrize("text", ["rate.peak", "rate.peak<x", "rate.peak = 3", "<3", "a<1<2", "a<inf"])
def test_other_limits_are_refused(text):
    with pytest.raises(InputError, match="limit: "):
        limit_of(text)


def test_a_limit_counts_what_is_beyond_it_and_leaves_out_what_is_not_defined():
    values = np.array([1.0, 2.0, 3.0, math.inf, math.nan])
    for text, count in (("x<2", 2), ("x>2", 1)):
        one = exceedance(limit_of(text), values, 0.9)
        assert (one.exceeded.count, one.exceeded.runs) == (count, 4), text
