"""Measures of histories, against closed forms of a damped oscillator, and the safe set of expressions."""

import math

import numpy as np
import pytest

from tisserand.errors import InputError
from tisserand.statistics.curves import Curve
from tisserand.statistics.envelopes import QUANTILES, envelope
from tisserand.statistics.history_measures import MEASURES, overshoot, rms, settling, time_above
from tisserand.statistics.measure_expressions import measure

W, Z = 3.0, 0.2
T = np.linspace(0.0, 20.0, 40001)
WD = W * math.sqrt(1.0 - Z * Z)
STEP = 1.0 - np.exp(-Z * W * T) * (np.cos(WD * T) + Z / math.sqrt(1.0 - Z * Z) * np.sin(WD * T))
RESPONSE = Curve(T, STEP)


def test_overshoot_and_peak_of_a_second_order_system():
    """Overshoot exp(-pi z / sqrt(1 - z^2)) at t = pi / wd."""
    expected = math.exp(-math.pi * Z / math.sqrt(1.0 - Z * Z))
    assert overshoot(RESPONSE, 1.0) == pytest.approx(expected, rel=1e-6)
    assert overshoot(RESPONSE) == pytest.approx(expected, rel=1e-4)
    assert MEASURES["peak"](RESPONSE) == pytest.approx(1.0 + expected, rel=1e-6)
    when = measure("t", "time_of_peak(x)", ["x"], []).value({"x": RESPONSE}, {})
    assert when == pytest.approx(math.pi / WD, abs=1e-3)


def test_settling_time_of_a_second_order_system():
    """The last time that the exact response is 2 % away, by its own root; the envelope is there less than half a period later."""
    from scipy.optimize import brentq

    def away(t):
        return math.exp(-Z * W * t) * (math.cos(WD * t) + Z / math.sqrt(1.0 - Z * Z) * math.sin(WD * t))

    last = int(np.flatnonzero(np.abs(1.0 - STEP) > 0.02)[-1])
    edge = math.copysign(0.02, away(T[last]))
    exact = brentq(lambda t: away(t) - edge, T[last], T[last + 1])
    assert settling(RESPONSE, 1.0, 0.02) == pytest.approx(exact, abs=1e-7)
    assert settling(RESPONSE) == pytest.approx(exact, abs=2e-3)  # about its own end
    envelope_time = -math.log(0.02 * math.sqrt(1.0 - Z * Z)) / (Z * W)
    assert envelope_time - math.pi / WD < exact < envelope_time
    assert settling(RESPONSE, 2.0, 0.1) == math.inf and settling(RESPONSE, 1.0, 5.0) == 0.0


def test_mean_squares_are_those_of_straight_lines():
    x = Curve(np.array([0.0, 1.0, 4.0]), np.array([0.0, 2.0, -1.0]))
    assert rms(x) == pytest.approx(math.sqrt((4.0 / 3.0 + 3.0 * (4.0 - 2.0 + 1.0) / 3.0) / 4.0), rel=1e-14)
    sine = Curve(T, np.sin(2.0 * math.pi * T))
    assert rms(sine) == pytest.approx(math.sqrt(0.5), rel=1e-6)
    assert time_above(x, 1.0) == pytest.approx(0.5 + 1.0) and time_above(x, 9.0) == 0.0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("peak(x)", 3.0), ("max(x)", 2.0), ("min(x)", -3.0), ("span(x)", 5.0), ("final(x) - first(x)", -3.0),
        ("peak(after(x, 2))", 3.0), ("max(before(x, 1))", 2.0), ("mean(between(x, 0, 1))", 1.0), ("peak(x) / m", 1.5),
        ("rms(x - x)", 0.0), ("peak(hypot(x, 4))", 5.0), ("max(max(x, 0))", 2.0), ("integral(abs(before(x, 1)))", 1.0),
        ("peak(slope(x))", 3.0), ("peak({tip x}) + x.0", None), ("-peak(x) ** 2", -9.0),
        ("peak(after(x, 1) - before(x, 1))", 0.0),
    ],
)  # fmt: skip
def test_expressions(text, value):
    x = Curve(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 2.0, 0.0, -3.0]))
    if value is None:
        with pytest.raises(InputError, match=r"an expression cannot be read"):
            measure("a", text, ["x"], ["m"])
        return
    assert measure("a", text, ["x"], ["m"]).value({"x": x}, {"m": 2.0}) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "is a history, not a number"), ("peak(m)", "peak takes a history first"), ("peak(y)", "unknown name 'y'"),
        ("open('f')", r"holds \"open\('f'\)\""), ("__import__('os').system('x')", "which is not of the known set"),
        ("x.__class__", "unknown name"), ("[peak(x)]", r"holds '\[peak\(x\)\]'"),
        ("peak(x) < 3", "which is not of the known set"),
        ("peak(x=1)", "not of the known set"), ("peak(*x)", "not of the known set"), ("rms()", "calls rms with 0 arguments"),
        ("after(x, x)", "after takes a history first"), ("peak(x)" + " + 1" * 400, "too long"),
        ("(lambda: 1)()", "not of the known set"),
        ("peak(x) if m else 0", "not of the known set"), ("'a'", "not of the known set"), ("(", "cannot be read"),
    ],
)  # fmt: skip
def test_everything_else_is_refused_by_name(text, said):
    with pytest.raises(InputError, match=said):
        measure("a", text, ["x"], ["m"])


def test_a_number_that_does_not_exist_is_not_a_number():
    x = Curve(np.array([0.0, 1.0]), np.array([0.0, 0.0]))
    for text in ("1 / peak(x)", "peak(after(x, 5))", "overshoot(x)", "log(peak(x) - 1)"):
        assert not math.isfinite(measure("a", text, ["x"], []).value({"x": x}, {})), text


def test_envelopes_are_quantiles_also_in_pieces(monkeypatch):
    values = np.random.default_rng(0).normal(size=(11, 57))
    whole = envelope("x", "m", np.arange(57.0), values)
    monkeypatch.setattr("tisserand.statistics.envelopes.MOST_NUMBERS", 44)
    pieces = envelope("x", "m", np.arange(57.0), [lambda part, row=row: row[part] for row in values])
    assert np.array_equal(whole.bands, np.quantile(values, QUANTILES, axis=0)) and np.array_equal(
        whole.bands, pieces.bands
    )
