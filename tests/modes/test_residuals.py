"""Residuals with twice the digits against exact fractions, and the orientation of repeated shapes against its own rule."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array

from tisserand.modes._kernels import residuals
from tisserand.modes.orientation import CLUSTER, clusters, oriented, weights


@pytest.mark.parametrize("seed", range(4))
def test_residuals_are_exact_to_the_last_digit_under_cancellation(seed):
    """K x - value M x of nearly an eigenpair: fifteen digits cancel, the rest must be right (plain doubles keep none)."""
    rng = np.random.default_rng(seed)
    n = 4
    M = rng.normal(size=(n, n)) * 10.0 ** rng.integers(-3, 4, (n, n))
    values = rng.uniform(1.0, 1e6, 2)
    x = rng.normal(size=(n, 2))
    K = values[0] * M + 1e-13 * np.abs(M) * rng.normal(size=(n, n))
    pattern = csr_array(np.ones((n, n)))
    out = np.empty((n, 2))
    residuals(pattern.indptr, pattern.indices, K.ravel(), M.ravel(), values, x, 0, n, out, *np.empty((2, len(values))))
    for i in range(n):
        for c in range(2):
            exact = Fraction(0)
            size = Fraction(0)
            for j in range(n):
                k, m, v, u = (Fraction(float(part)) for part in (K[i, j], M[i, j], values[c], x[j, c]))
                exact += (k - v * m) * u
                size += abs(k * u) + abs(v * m * u)
            # one rounding of the result, and sums that carry 2^-100 of their terms
            assert abs(Fraction(float(out[i, c])) - exact) <= abs(exact) / 2**52 + size / 2**96


def test_clusters_are_runs_of_nearly_equal_values():
    near = 1.0 + 0.5 * CLUSTER
    assert clusters(np.array([])) == []
    assert clusters(np.array([1.0, near, 2.0])) == [slice(0, 2), slice(2, 3)]
    assert clusters(np.array([1.0, 1.0 + 1.5 * CLUSTER])) == [slice(0, 1), slice(1, 2)]
    assert clusters(np.array([-2.0, -2.0 * (1.0 - 0.5 * CLUSTER), 0.0, 0.0])) == [slice(0, 2), slice(2, 4)]
    w = weights(1000)
    assert w.min() == 1.0 and 1.0009 < w.max() < 1.001 and len(np.unique(w)) == 1000


@pytest.mark.parametrize("seed", range(6))
def test_orientation_depends_on_the_subspace_only(seed):
    """However a repeated pair is turned or mirrored, the same shapes come out; the first is positive where most moves."""
    rng = np.random.default_rng(seed)
    shapes = np.linalg.qr(rng.normal(size=(9, 6)))[0]
    values = np.array([1.0, 2.0, 2.0, 2.0, 5.0, 5.0])
    once = oriented(shapes, values)
    turned = shapes.copy()
    for run in ([0], [1, 2, 3], [4, 5]):
        turned[:, run] = shapes[:, run] @ np.linalg.qr(rng.normal(size=(len(run), len(run))))[0]
    assert oriented(turned, values) == pytest.approx(once, abs=1e-12)
    assert once.T @ once == pytest.approx(np.eye(6), abs=1e-13)
    for run in ([0], [1, 2, 3], [4, 5]):
        assert once[:, run] @ once[:, run].T == pytest.approx(shapes[:, run] @ shapes[:, run].T, abs=1e-13)
        most = np.argmax(weights(9) * (shapes[:, run] ** 2).sum(axis=1))
        assert once[most, run[0]] > 0.0 and np.abs(once[most, run[1:]]).max(initial=0.0) < 1e-13
