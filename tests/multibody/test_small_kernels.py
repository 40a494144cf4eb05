"""Vectors, rotations and the solver inside the engine's kernels, uncompiled, against NumPy, SciPy and exact sums."""

import types
from decimal import Decimal, getcontext
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tisserand.multibody.recursive import helper


@cache
def _uncompiled():
    """The kernels as plain Python: compiled helpers have no entry from Python."""
    path = Path(helper.__file__).with_name("_kernels_small.py")
    copy = types.ModuleType("uncompiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(helper, "helper", lambda function: function)
        patch.setattr(helper, "shared_helper", lambda function: function)
        exec(compile(path.read_text(), path, "exec"), copy.__dict__)
    return copy


def plain(name):
    """A kernel as a Python function."""
    return getattr(_uncompiled(), name)


@pytest.fixture(params=range(3))
def rng(request):
    return np.random.default_rng(request.param)


def test_products_of_vectors_and_matrices(rng):
    A, B, v, w = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=3), rng.normal(size=3)
    assert plain("cross")(v, w) == pytest.approx(np.cross(v, w), rel=1e-13)
    assert plain("dot")(v, w) == pytest.approx(v @ w, rel=1e-12)
    assert plain("add")(v, w) == pytest.approx(v + w) and plain("sub")(v, w) == pytest.approx(v - w)
    assert plain("scaled")(0.3, v) == pytest.approx(0.3 * v) and plain("plus")(v, 0.3, w) == pytest.approx(v + 0.3 * w)
    assert plain("times")(A, v) == pytest.approx(A @ v, rel=1e-12)
    assert plain("transposed_times")(A, v) == pytest.approx(A.T @ v, rel=1e-12)
    six = [A[i, j] + A[j, i] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))]
    assert plain("symmetric_times")(six, v) == pytest.approx((A + A.T) @ v, rel=1e-12)
    out = np.zeros((3, 3))
    plain("product")(A, B, out)
    assert out == pytest.approx(A @ B, rel=1e-12, abs=1e-14)
    plain("product_transposed")(A, B, out)
    assert out == pytest.approx(A @ B.T, rel=1e-12, abs=1e-14)


def test_parts_of_six_vectors(rng):
    six, v, w = rng.normal(size=6), rng.normal(size=3), rng.normal(size=3)
    assert plain("vector")(six) == pytest.approx(six[:3]) and plain("angular")(six) == pytest.approx(six[3:])
    out = six.copy()
    plain("increase_both")(out, v, w)
    assert out == pytest.approx(six + np.r_[v, w])
    plain("put_both")(out, v, w)
    assert out.tolist() == [*v, *w]
    plain("increase")(out, v)
    assert out == pytest.approx(np.r_[2.0 * v, w])
    plain("put")(out, w)
    assert out.tolist() == [*w, *w]


def test_rates_of_a_turn_by_its_rotation_vector(rng):
    """exp(b~), Jl(b) b' = its rate, and the rate of that, by differences of SciPy's rotations."""
    b, d, a, h = rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), 1e-4
    c1, c2, d1, d2 = plain("turn_factors")(b @ b)
    R = np.zeros((3, 3))
    plain("turn_matrix")(tuple(b), c1, c2, R)
    assert pytest.approx(Rotation.from_rotvec(b).as_matrix(), abs=1e-14) == R

    def at(s):
        return Rotation.from_rotvec(b + s * d + 0.5 * s * s * a)

    steps = [(at(s + h) * at(s - h).inv()).as_rotvec() / (2.0 * h) for s in (-h, 0.0, h)]
    assert plain("left_jacobian")(tuple(b), c1, c2, tuple(d)) == pytest.approx(steps[1], abs=1e-6)
    slope = (steps[2] - steps[0]) / (2.0 * h)
    assert plain("turn_bias")(tuple(b), tuple(d), tuple(a), c1, c2, d1, d2) == pytest.approx(slope, abs=1e-5)


@pytest.mark.parametrize("length", [1.0, 0.7, 1.3])
def test_rotation_of_a_quaternion_of_any_length(rng, length):
    turn = Rotation.random(random_state=int(rng.integers(1000)))
    q = np.r_[5.0, length * turn.as_quat()[[3, 0, 1, 2]]]
    R = np.zeros((3, 3))
    plain("from_quaternion")(q, 1, R)
    assert pytest.approx(turn.as_matrix(), abs=1e-14) == R


def test_rate_of_a_quaternion(rng):
    """A unit quaternion follows the turn; another length comes back to one at the rate (1 - n²) / 2 of its length."""
    turn, w, h = Rotation.random(random_state=int(rng.integers(1000))), rng.normal(size=3), 1e-6
    ends = [(turn * Rotation.from_rotvec(s * h * w)).as_quat()[[3, 0, 1, 2]] for s in (-1.0, 1.0)]
    slope = (ends[1] * np.sign(ends[1] @ ends[0]) - ends[0]) / (2.0 * h)
    q = turn.as_quat()[[3, 0, 1, 2]]
    slope *= np.sign(ends[0] @ q)
    rate = np.zeros(5)
    plain("quaternion_rate")(np.r_[9.0, q], 1, w, rate)
    assert rate[1:] == pytest.approx(slope, abs=1e-8)
    for length in (0.9, 1.2):
        plain("quaternion_rate")(length * q, 0, w, rate)
        assert rate[:4] @ q == pytest.approx(0.5 * (1.0 - length**2) * length, rel=1e-12)
        assert rate[:4] - (rate[:4] @ q) * q == pytest.approx(length * (slope - (slope @ q) * q), abs=1e-8)


def test_turn_about_an_axis(rng):
    axis, angle, R = rng.normal(size=3), rng.uniform(-3.0, 3.0), np.zeros((3, 3))
    axis /= np.linalg.norm(axis)
    plain("axis_turn")(axis, angle, R)
    assert pytest.approx(Rotation.from_rotvec(angle * axis).as_matrix(), abs=1e-14) == R


@pytest.mark.parametrize("t", [0.0, 1e-12, 0.1, 0.5, 0.999, 1.001, 2.0, 7.5])
def test_factors_of_a_turn_are_the_sums_of_their_series(t):
    """(1 - cos b)/b² and (b - sin b)/b³ and their slopes over b, by forty terms in forty digits."""
    getcontext().prec = 40
    x, c1, c2, d1, d2 = Decimal(t), Decimal(0), Decimal(0), Decimal(0), Decimal(0)
    factorial = Decimal(2)  # (2 i + 2)!
    for i in range(40):
        sign = Decimal((-1) ** i)
        c1 += sign * x**i / factorial if i or t else sign / factorial
        c2 += sign * x**i / (factorial * (2 * i + 3)) if i or t else sign / (factorial * 3)
        if i:  # d(t^i)/db / b = 2 i t^(i - 1)
            power = x ** (i - 1) if i > 1 or t else Decimal(1)
            d1 += sign * 2 * i * power / factorial
            d2 += sign * 2 * i * power / (factorial * (2 * i + 3))
        factorial *= (2 * i + 3) * (2 * i + 4)
    expected = [float(value) for value in (c1, c2, d1, d2)]
    assert plain("turn_factors")(t) == pytest.approx(expected, rel=1e-12 if t < 1.0 else 2e-14 / 1e-2)


@pytest.mark.parametrize("n", [1, 3, 4, 5, 9, 14])
@pytest.mark.parametrize("m", [1, 4])
def test_symmetric_systems(rng, n, m):
    root, right = rng.normal(size=(n, n + 2)), rng.normal(size=(n, m))
    matrix = root @ root.T + np.eye(n)
    A, b = np.triu(matrix), right.copy()
    assert plain("solve_spd")(A, b) == 0
    assert b == pytest.approx(np.linalg.solve(matrix, right), rel=1e-9, abs=1e-12)
    assert not np.tril(A, -1).any()
    bad = np.diag(np.r_[np.ones(n - 1), -1.0])
    assert plain("solve_spd")(bad, right.copy()) == 1
