"""Roots of uniform members against the literature (Blevins, *Formulas for Natural Frequency and Mode Shape*, tables 8-1, 8-8) and
against the frequency equations themselves."""

import numpy as np
import pytest

from tisserand.continua.roots import Bending, EndBody, Waves, roots

TABLE = {
    "clamped-free": (1.87510407, 4.69409113, 7.85475744, 10.99554073, 14.13716839),
    "free-free": (4.73004074, 7.85320462, 10.9956079, 14.1371655, 17.2787597),
    "clamped-clamped": (4.73004074, 7.85320462, 10.9956079, 14.1371655, 17.2787597),
    "clamped-pinned": (3.92660231, 7.06858275, 10.21017612, 13.35176878, 16.49336143),
    "pinned-free": (3.92660231, 7.06858275, 10.21017612, 13.35176878, 16.49336143),
    "pinned-pinned": tuple(np.pi * np.arange(1, 6)),
}


@pytest.mark.parametrize("ends", TABLE)
def test_bending_without_a_body(ends):
    for turned in (ends.split("-"), ends.split("-")[::-1]):
        found = roots(Bending(tuple(turned), EndBody()), 5)
        np.testing.assert_allclose(found, TABLE[ends], atol=1e-7)  # printed digits
        sign = {"clamped-free": -1.0, "free-free": 1.0, "clamped-clamped": 1.0}.get(ends)
        if sign:
            np.testing.assert_allclose(np.cos(found) - sign / np.cosh(found), 0.0, atol=2e-14)


@pytest.mark.parametrize("count", [40])
def test_high_modes_of_a_cantilever(count):
    """lambda -> (n - 1/2) pi: at n = 40 the difference is below round-off."""
    found = roots(Bending(("clamped", "free"), EndBody()), count)
    assert found[-1] == pytest.approx((count - 0.5) * np.pi, rel=1e-14)
    assert (np.diff(found) > 2.0).all()


@pytest.mark.parametrize("mass", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("inertia", [0.0, 0.05, 2.0])
def test_bending_with_a_tip_body_satisfies_its_equation(mass, inertia):
    """1 + c ch + r l (c sh - s ch) - j l^3 (s ch + c sh) + r j l^4 (1 - c ch) = 0; and as many roots as it changes sign."""

    def equation(x):
        c, s, ch, sh = np.cos(x), np.sin(x), np.cosh(x), np.sinh(x)
        r, j = mass, inertia
        value = 1 + c * ch + r * x * (c * sh - s * ch) - j * x**3 * (s * ch + c * sh) + r * j * x**4 * (1 - c * ch)
        return value / (ch * (1 + r * x + j * x**3 + r * j * x**4))

    found = roots(Bending(("clamped", "free"), EndBody(mass, 0.0, inertia)), 6)
    np.testing.assert_allclose(equation(found), 0.0, atol=2e-14)
    grid = np.linspace(1e-3, found[-1] * 1.0001, 200_001)
    assert int((np.diff(np.sign(equation(grid))) != 0).sum()) == 6


def test_offset_body_is_a_rigid_arm():
    """Massless limit of the beam, tip body at distance d: two frequencies of the (2, 2) flexibility problem."""
    m, d, J = 1e7, 0.3, 1e6
    found = roots(Bending(("clamped", "free"), EndBody(m, d, J)), 2)
    flexibility = np.array([[1 / 3, 1 / 2], [1 / 2, 1.0]])
    mass = np.array([[m, m * d], [m * d, J + m * d * d]])
    wanted = np.sort(1 / np.linalg.eigvals(flexibility @ mass).real) ** 0.25
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_waves():
    np.testing.assert_allclose(
        roots(Waves(("clamped", "free"), EndBody()), 4), (np.arange(4) + 0.5) * np.pi, rtol=1e-14
    )
    np.testing.assert_allclose(roots(Waves(("free", "free"), EndBody()), 4), (np.arange(4) + 1) * np.pi, rtol=1e-14)
    for mass in (0.1, 1.0, 50.0):
        found = roots(Waves(("clamped", "free"), EndBody(mass)), 5)
        np.testing.assert_allclose(np.sin(found) - np.cos(found) / (mass * found), 0.0, atol=1e-13)
        assert (found > np.pi * np.arange(5)).all() and (found < np.pi * (np.arange(5) + 0.5)).all()


def test_a_count_never_decreases():
    """The count of Wittrick and Williams at many trial values: monotonic, and one step per root."""
    rng = np.random.default_rng(3)
    for ends in (("clamped", "free"), ("free", "free"), ("pinned", "pinned")):
        body = EndBody(0.7, 0.2, 0.1) if ends[1] == "free" else EndBody()
        member = Bending(ends, body)
        trial = np.sort(rng.uniform(0.2, 20.0, 400))
        counts = [member.count(float(x)) for x in trial]
        assert (np.diff(counts) >= 0).all()
        found = roots(member, 5)
        np.testing.assert_array_equal(
            [int((found < x).sum()) + member.rigid for x in trial[trial < found[4]]], np.array(counts)[trial < found[4]]
        )
