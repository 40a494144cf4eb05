"""Examples of modes and frames: their numbers against closed forms and published tables."""

import numpy as np
import pytest
from support.examples import numbers


def test_free_beam_has_the_classical_wave_numbers():
    """cos(bL) cosh(bL) = 1: 4.730041, 7.853205, 10.995608; six rigid motions; no momentum of deformation."""
    found = numbers("01_free_beam")
    assert [found[f"beta L {i}"] for i in (1, 2, 3)] == pytest.approx([4.7300407, 7.8532046, 10.9956078], rel=1e-5)
    assert found["rigid-body modes"] == 6 and found["modes missed"] == 0
    assert found["momentum of deformation"] < 1e-12
    assert found["angular momentum of deformation"] < 1e-12
    assert found["riding frame moves its node"] < 1e-12


def test_three_bodies_three_ways():
    """TR 32-1593 III-A-3 at rest: 1.609756 and 3.795918 rad²/s²; hinge and one-mode models agree when spinning."""
    found = numbers("03_three_bodies")
    for way in ("closed form", "hinges", "appendages"):
        assert found[f"{way} symmetric"] == pytest.approx(1.609756, abs=1e-6)
        assert found[f"{way} antisymmetric"] == pytest.approx(3.795918, abs=1e-6)
    assert found["spinning, hinges against appendages"] < 1e-9
    # the place of a modal rod is right to second degree: the gap is of third, a few times 0.02³
    assert found["angle, hinges against appendages (rad)"] < 4.0 * 0.02**3


def test_beam_with_end_bodies_in_four_frames():
    """TR 32-1593 Fig. 4: 57.5 rad²/s² and tip ratio -0.3 of the massless beam; the principal frame puts the end bodies on
    the other side (ratio by hand); H = I w holds in the Tisserand frame only."""
    found = numbers("09_frames")
    assert found["eigenvalue (rad2/s2)"] == pytest.approx(57.5, rel=2e-5)
    assert found["tip deflection over turn, Tisserand"] == pytest.approx(-0.3, rel=1e-4)
    assert found["tip deflection over turn, principal"] == pytest.approx(found["closed form, principal"], rel=1e-4)
    assert found["closed form, principal"] > 0.0
    assert found["H - I w over H, Tisserand"] < 1e-12
    assert found["H - I w over H, Buckens"] > 1e-3
    assert found["H - I w over H, principal"] > 0.1
    # Milne differs from the principal frame at second degree, Tisserand from Buckens too; the principal frame at first
    assert found["Milne against principal (rad)"] < 0.1 * found["swing of the principal frame (rad)"]
    assert 1e-4 < found["Tisserand against Buckens (rad)"] < 0.2 * found["swing of the principal frame (rad)"]
    assert found["angular momentum balance"] < 1e-10


def test_truncation_of_the_truss():
    """Published eigenvalues of the truss; the share of the release that 1 and 3 modes miss is predicted, then measured."""
    found = numbers("10_truncation")
    published = [
        0.0373322, 0.0668532, 0.0668532, 0.244379, 0.488054, 0.495117,
        0.666667, 0.666667, 0.973587, 0.973587, 0.986458, 1.16287,
    ]  # fmt: skip
    assert [found[f"lambda m/k {i + 1}"] for i in range(12)] == pytest.approx(published, rel=3e-6)
    shares = [found[f"measured share left out, {n} modes"] for n in (1, 3, 12)]
    for share, n in zip(shares[:2], (1, 3)):
        assert share == pytest.approx(found[f"predicted share left out, {n} modes"], rel=1e-3)
    assert shares[2] == 0.0 and np.all(np.diff(shares) < 0)
