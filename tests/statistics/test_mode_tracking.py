"""Modes followed through crossings and veerings, against two oscillators whose branches are known in closed form."""

import numpy as np
import pytest

from tisserand.statistics.mode_tracking import crossings, paired, tracked

X = np.linspace(0.0, 2.0, 21)


def pair(x, coupling):
    """Poles and shapes of two oscillators, k1 = 1 + x, k2 = 3 - x, m = 1, coupled by ``coupling``: they meet at x = 1."""
    values, shapes = np.linalg.eigh([[1.0 + x + coupling, -coupling], [-coupling, 3.0 - x + coupling]])
    return 1j * np.sqrt(values), shapes.astype(complex)


def test_a_crossing_is_found_where_the_closed_form_has_it():
    modes = [pair(x, 0.0) for x in X + 0.01]  # no sample on the crossing itself
    found = tracked(X + 0.01, [m[0] for m in modes], [m[1] for m in modes])
    exact = np.sqrt(np.column_stack([1.01 + X, 2.99 - X])) / (2.0 * np.pi)
    np.testing.assert_allclose(found.hz, exact, rtol=1e-12)
    (one,) = crossings(found)
    assert one.branches == (0, 1) and one.value == pytest.approx(1.0, abs=1e-4)
    assert one.hz == pytest.approx(np.sqrt(2.0) / (2.0 * np.pi), rel=1e-3) and one.likeness == pytest.approx(1.0)
    assert (found.modes[0] == [0, 1]).all() and (found.modes[-1] == [1, 0]).all()


def test_a_crossing_on_a_sample_is_found_once():
    modes = [pair(x, 0.0) for x in X]
    found = crossings(tracked(X, [m[0] for m in modes], [m[1] for m in modes]))
    assert [c.value for c in found] == [pytest.approx(1.0, abs=1e-9)]


def test_modes_that_veer_slowly_do_not_cross():
    modes = [pair(x, 0.4) for x in np.linspace(0.0, 2.0, 81)]
    found = tracked(np.linspace(0.0, 2.0, 81), [m[0] for m in modes], [m[1] for m in modes])
    assert crossings(found) == () and (found.hz[:, 0] < found.hz[:, 1]).all()
    assert np.nanmin(found.likeness) > 0.9


def test_samples_in_no_order_are_paired_with_a_reference():
    """Of a reference before the crossing, samples on either side; the MAC of weakly coupled oscillators stays near 1."""
    reference = pair(0.5, 0.01)
    for x in (0.0, 0.8, 1.2, 1.9):
        partner, mac = paired(*reference, *pair(x, 0.01))
        assert partner.tolist() == ([0, 1] if x < 1.0 else [1, 0]) and mac.min() > 0.95


def test_a_mode_without_partner_and_other_coordinates():
    poles, shapes = pair(0.5, 0.0)
    partner, mac = paired(poles, shapes, poles[:1], shapes[:, :1])
    assert partner.tolist() == [0, -1] and mac[0] == pytest.approx(1.0) and np.isnan(mac[1])
    partner, mac = paired(poles, shapes, poles, np.eye(3)[:, :2].astype(complex))
    assert partner.tolist() == [0, 1] and np.isnan(mac).all()
