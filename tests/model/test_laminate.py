"""Shell sections against classical lamination theory (Jones, Mechanics of Composite Materials) and sandwich theory."""

import numpy as np
import pytest

from tisserand.errors import ModelError
from tisserand.model import Isotropic, Orthotropic2D, Ply
from tisserand.model.laminate import homogeneous_shell, laminate

ALUMINUM = Isotropic.from_young(1, 70e9, 0.3, 2700.0)
CARBON = Orthotropic2D(
    2, young_1=140e9, young_2=10e9, poisson_12=0.3, shear_12=5e9, shear_1z=5e9, shear_2z=3.5e9, density=1600.0
)


def test_a_plate_of_one_material():
    """A = E t/(1-nu²), D = A t²/12, shear 5/6 G t; a stack of thinner plies is the same plate."""
    plate = homogeneous_shell(1, ALUMINUM, 0.01)
    stack = laminate(1, [Ply(ALUMINUM, 0.002)] * 5)
    assert plate.membrane[0, 0] == pytest.approx(70e9 * 0.01 / 0.91)
    assert plate.bending[0, 0] == pytest.approx(70e9 * 0.01**3 / 12 / 0.91)
    assert plate.shear == pytest.approx(5 / 6 * ALUMINUM.shear * 0.01 * np.eye(2))
    for word in ("membrane", "bending", "shear", "areal_mass", "areal_inertia"):
        assert getattr(stack, word) == pytest.approx(getattr(plate, word), rel=1e-12), word
    assert np.abs(stack.coupling).max() < 1e-9 * stack.membrane.max() * 0.01


def test_angle_plies_follow_the_invariants():
    """Tsai-Pagano: Q11 + Q22 + 2 Q12 and Q66 - Q12 do not change with the angle; at 90 degrees 1 and 2 swap."""
    from tisserand.model.laminate import plane_stiffness, rotated

    q = plane_stiffness(CARBON)
    for angle in np.radians([15.0, 37.0, 60.0]):
        turned = rotated(q, angle)
        assert turned[0, 0] + turned[1, 1] + 2 * turned[0, 1] == pytest.approx(q[0, 0] + q[1, 1] + 2 * q[0, 1])
        assert turned[2, 2] - turned[0, 1] == pytest.approx(q[2, 2] - q[0, 1])
    swapped = rotated(q, np.pi / 2)
    assert swapped[0, 0] == pytest.approx(q[1, 1]) and swapped[1, 1] == pytest.approx(q[0, 0])
    assert rotated(q, 0.4)[0, 2] > 0.0 > rotated(q, -0.4)[0, 2]


def test_unsymmetric_cross_ply_coupling():
    """[0/90] of two plies t/2: B11 = (Q22 - Q11) t²/8 = -B22 (Jones 4.4.2 with z upward), the rest zero."""
    t = 0.002
    section = laminate(1, [Ply(CARBON, t / 2), Ply(CARBON, t / 2, np.pi / 2)])
    scale = 1 / (1 - 0.3 * 0.3 * 10 / 140)
    expected = (10e9 - 140e9) * scale * t**2 / 8
    assert section.coupling[0, 0] == pytest.approx(expected) and section.coupling[1, 1] == pytest.approx(-expected)
    assert abs(section.coupling[0, 1]) < 1e-9 * abs(expected)
    symmetric = laminate(1, [Ply(CARBON, t / 4), Ply(CARBON, t / 4, np.pi / 2)], option="SYM")
    assert np.abs(symmetric.coupling).max() < 1e-9 * abs(expected) and symmetric.thickness == pytest.approx(t)


def test_honeycomb_sandwich():
    """Stiff thin faces, soft core: D = E t d²/2/(1-nu²), shear = G_c d²/c (Allen 1969), each direction with its own G."""
    t, c = 0.0002, 0.03
    core = Orthotropic2D(
        3, young_1=1e3, young_2=1e3, poisson_12=0.0, shear_12=1e3, shear_1z=400e6, shear_2z=200e6, density=50.0
    )
    section = laminate(1, [Ply(ALUMINUM, t), Ply(core, c), Ply(ALUMINUM, t)])
    d = c + t
    assert section.bending[0, 0] == pytest.approx(70e9 / 0.91 * t * d**2 / 2, rel=1e-4)
    assert section.shear[0, 0] == pytest.approx(400e6 * d**2 / c, rel=2e-4)
    assert section.shear[1, 1] == pytest.approx(200e6 * d**2 / c, rel=2e-4)
    turned = laminate(1, [Ply(ALUMINUM, t), Ply(core, c, np.pi / 2), Ply(ALUMINUM, t)])
    assert turned.shear[0, 0] == pytest.approx(section.shear[1, 1], rel=1e-9)
    assert section.areal_mass == pytest.approx(2 * 2700 * t + 50 * c)


def test_options_and_reference_surface():
    """SMEAR: D = A t²/12; MEM and BEND keep one part; a shift of the reference surface obeys the parallel-axis rule."""
    plies = [Ply(CARBON, 0.001), Ply(CARBON, 0.001, 0.7)]
    plain, smeared = laminate(1, plies), laminate(1, plies, option="SMEAR")
    assert smeared.bending == pytest.approx(smeared.membrane * 0.002**2 / 12) and not smeared.coupling.any()
    assert not laminate(1, plies, option="MEM").bending.any() and not laminate(1, plies, option="BEND").membrane.any()
    z = 0.0035
    shifted = laminate(1, plies, bottom=-0.001 + z)
    assert shifted.coupling == pytest.approx(plain.coupling + z * plain.membrane)
    assert shifted.bending == pytest.approx(plain.bending + 2 * z * plain.coupling + z**2 * plain.membrane)
    assert shifted.areal_first_moment == pytest.approx(plain.areal_first_moment + z * plain.areal_mass)
    assert shifted.shear == pytest.approx(plain.shear, rel=1e-9)
    core = Orthotropic2D(
        3, young_1=1e6, young_2=1e6, poisson_12=0.0, shear_12=1e6, shear_1z=4e8, shear_2z=4e8, density=50.0
    )
    smcore = laminate(1, [Ply(ALUMINUM, 0.001), Ply(core, 0.01)], option="SMCORE")
    explicit = laminate(1, [Ply(ALUMINUM, 0.0005), Ply(core, 0.01), Ply(ALUMINUM, 0.0005)])
    assert smcore.bending == pytest.approx(explicit.bending) and smcore.areal_mass == pytest.approx(explicit.areal_mass)


def test_bad_sections():
    for make in (
        lambda: homogeneous_shell(7, ALUMINUM, 0.0),
        lambda: laminate(7, []),
        lambda: laminate(7, [Ply(ALUMINUM, -0.1)]),
    ):
        with pytest.raises(ModelError, match=r"7|ply"):
            make()
