"""Shear panels against closed forms: rectangle, parallelogram and trapezoid [Garvey1951]; rods along the sides by PSHEAR."""

from __future__ import annotations

import numpy as np
import pytest

from tisserand.elements.registry import prepare
from tisserand.errors import ModelError
from tisserand.model import Isotropic, Nodes, ShearPanelBlock, ShearPanelSection, StructuralModel

E, NU, T = 7e10, 0.3, 2e-3
G = E / 2 / (1 + NU)
METAL = Isotropic(1, E, G, NU, 2700.0)
QUADS = {
    "rectangle": [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)],
    "general": [(0, 0, 0), (2, 0.2, 0), (1.7, 1.4, 0), (-0.1, 0.9, 0)],
    "warped": [(0, 0, 0), (2, 0.2, 0.1), (1.7, 1.4, 0), (-0.1, 0.9, 0.1)],
}


def panel(points, extension=(0.0, 0.0), order=(0, 1, 2, 3)):
    block = ShearPanelBlock(np.array([1]), np.array([order]), np.array([0]))
    section = ShearPanelSection(1, METAL, T, 0.0, extension)
    return prepare(StructuralModel("panel", Nodes([1, 2, 3, 4], np.array(points, float)), (block,), (section,)), block)


def sheared(points, gamma=1e-3):
    """(4, 6) corner displacements of a uniform shear strain in the x-y plane."""
    u = np.zeros((4, 6))
    u[:, 0] = gamma * np.array(points, float)[:, 1]
    return u


def test_uniform_shear_of_a_rectangle_gives_the_flow_of_hookes_law():
    """q = G t gamma and the energy G t gamma² A / 2; tolerance 1e-12."""
    part, u = panel(QUADS["rectangle"]), sheared(QUADS["rectangle"])
    assert part.resultants(u)["shear flow"][0] == pytest.approx(-G * T * 1e-3, rel=1e-12)
    assert part.energy(u[..., None])[0, 0] == pytest.approx(0.5 * G * T * 1e-6 * 2.0, rel=1e-12)


@pytest.mark.parametrize("lean", (0.3, -0.8))
def test_parallelogram(lean):
    """Flexibility A / (G t) (1 + 2 tan² / (1 + nu)) of a parallelogram that leans by ``lean``; tolerance 1e-12."""
    points = [(0, 0, 0), (2, 0, 0), (2 + lean, 1, 0), (lean, 1, 0)]
    part = panel(points)
    c = 0.5 * np.array(
        [points[2], np.subtract(points[1], points[3]), np.negative(points[2]), np.subtract(points[3], points[1])]
    )
    Z = 2.0 / (G * T) * (1 + 2 * lean**2 / (1 + NU))
    assert part.stiffness()[0] == pytest.approx(np.outer(c, c) / Z, rel=1e-12, abs=1e-6)


def test_trapezoid():
    """Two parallel sides: int q² (1 + 2 tan² / (1 + nu)) dA in closed form, mean of tan² between both slants; tolerance 1e-10."""
    points = [(0, 0, 0), (3, 0, 0), (2.2, 1, 0), (0.4, 1, 0)]
    apex = 3.0 / (3.0 - 1.8)  # height where the slanted sides meet
    left, right = 0.4, -0.8  # tangents of the sides against the perpendicular of the parallel ones
    p1, p3, area = apex, apex - 1.0, 2.4
    Z = p1**2 / p3**2 * area / (G * T) * (1 + 2 / (3 * (1 + NU)) * (left**2 + left * right + right**2))
    stiffness = panel(points).stiffness()[0]
    force = 0.5 * (np.array([3.0, 0, 0]) + (p1 / p3) * np.array([0.4, 1, 0]))  # half the forces of sides 1-2 and 1-4
    assert stiffness[:3, :3] == pytest.approx(np.outer(force, force) / Z, rel=1e-10, abs=1e-6)


@pytest.mark.parametrize("shape", QUADS)
def test_the_first_corner_does_not_matter(shape):
    """The flow is stated along side 1-2, the stiffness is not: any corner may be the first, in either sense. Tolerance 1e-9."""
    expected = panel(QUADS[shape]).stiffness()[0].reshape(4, 3, 4, 3)
    for order in ((1, 2, 3, 0), (2, 3, 0, 1), (3, 2, 1, 0)):
        found = panel(QUADS[shape], order=order).stiffness()[0].reshape(4, 3, 4, 3)
        assert found == pytest.approx(
            expected[np.ix_(order, range(3), order, range(3))], abs=1e-9 * np.abs(expected).max()
        )


def test_one_state_and_six_rigid_motions():
    """Rank one without rods: a panel resists nothing but shear."""
    values = np.linalg.eigvalsh(panel(QUADS["warped"]).stiffness()[0])
    assert (values > 1e-9 * values.max()).sum() == 1


def test_extension_factors():
    """F1 = 1 carries uniform stretch along 1-2 as the whole sheet (without Poisson), F1 = 30 as 15 thicknesses per side."""
    u = np.zeros((4, 6))
    u[1:3, 0] = 1e-3  # stretch of 0.5e-3
    strain = 0.5e-3
    for factor, area in ((1.0, 1.0 * T), (0.4, 0.4 * T), (30.0, 2 * 0.5 * 30.0 * T**2)):
        part = panel(QUADS["rectangle"], (factor, 0.0))
        assert part.energy(u[..., None])[0, 0] == pytest.approx(0.5 * E * area * strain**2 * 2.0, rel=1e-12)
        assert part.resultants(u)["side force"][0] == pytest.approx(
            0.5 * E * area * strain * np.array([1, -1, 0, 0]) * [1, -1, 0, 0], rel=1e-12
        )


def test_a_folded_panel_is_refused_by_name():
    with pytest.raises(ModelError, match="shear panel 1: a corner of the panel reaches 180 degrees"):
        panel([(0, 0, 0), (2, 0, 0), (0.3, 0.3, 0), (0, 2, 0)]).stiffness()
