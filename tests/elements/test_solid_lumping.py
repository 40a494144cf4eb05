"""Nastran's lumping of ten-node tetrahedra as ``elements/solid_lumping.py`` states it, and its five-point stiffness."""

from dataclasses import replace
from math import factorial

import numpy as np
import pytest
from support.element_matrices import element_matrices
from support.surfaces import solid_model

from tisserand.elements.quadrature import tet_rule_of_five
from tisserand.elements.solid_shapes import TET_EDGES
from tisserand.errors import ModelError
from tisserand.model import Isotropic

STEEL = Isotropic.from_young(1, 2.1e11, 0.3, 7850.0)
CORNERS = np.array([[0.1, 0.0, 0.2], [1.3, 0.2, 0.0], [0.2, 0.9, 0.1], [0.3, 0.1, 0.5]])
PAIRS = ((0, 5), (1, 3), (2, 4))  # midside nodes of opposite edges


def element(bulge=0.0, density=7850.0):
    points = np.vstack([CORNERS, CORNERS[np.array(TET_EDGES)].mean(axis=1)])
    points[7] += bulge * np.array([0.3, -0.7, 0.2])
    material = Isotropic.from_young(1, 2.1e11, 0.3, density)
    return solid_model(points, [list(range(10))], "tet10", material)


def matrices(model, recipe, integration="full"):
    model = model.changed(sections=tuple(replace(s, integration=integration) for s in model.sections))
    return element_matrices(model, model.elements[0], recipe)


def shares(model, recipe):
    mass = np.diag(matrices(model, recipe).mass[0])[::3]
    return mass, mass / mass.sum()


def test_straight_element_in_closed_form():
    """No curvature: a midside node has 1/5 - s/10 of the mass, s being the squared distance to the opposite midside node as a
    share of the three such squares (the multipliers of the mass center vanish by symmetry).
    """
    model = element()
    middle = model.nodes.positions[4:]
    squares = np.array([((middle[a] - middle[b]) ** 2).sum() for a, b in PAIRS])
    _, share = shares(model, "lumped")
    assert np.abs(share[:4]).max() == 0.0
    for (a, b), square in zip(PAIRS, squares):
        assert share[[4 + a, 4 + b]] == pytest.approx(0.2 - 0.1 * square / squares.sum(), rel=1e-12)


@pytest.mark.parametrize("bulge", [0.0, 0.05, -0.05])
def test_mass_and_center_of_curved_elements_are_kept(bulge):
    model = element(bulge)
    scalar = matrices(model, "consistent").mass[0][::3, ::3]
    lumped, _ = shares(model, "lumped")
    points = model.nodes.positions
    assert lumped.sum() == pytest.approx(scalar.sum(), rel=1e-12)
    assert lumped @ points == pytest.approx(scalar.sum(axis=0) @ points, rel=1e-12)


def test_correction_is_the_least_one():
    """Any other correction that keeps mass and center is longer in the measure sum d_k² / |y_k|²."""
    model = element(0.04)
    scalar = matrices(model, "consistent").mass[0][::3, ::3]
    rows, points = scalar.sum(axis=0), model.nodes.positions
    arms = points[4:] - rows @ points / rows.sum()
    change = shares(model, "lumped")[0][4:] - rows[4:]
    weight = 1.0 / (arms**2).sum(axis=1)
    moments = np.column_stack([np.ones(6), arms])
    kernel = np.linalg.svd(moments.T)[2][4:]  # changes without mass or first moment
    assert np.abs(kernel @ (weight * change)).max() < 1e-12 * np.abs(weight * change).max()


def test_no_density_no_mass_and_too_curved_an_element_is_refused():
    assert not matrices(element(density=0.0), "lumped").mass.any()
    unit = np.vstack([np.zeros(3), np.eye(3)])
    bent = [
        [0.38, 0.15, 0.08],
        [0.29, 0.49, 0.08],
        [-0.02, 0.63, -0.05],
        [-0.07, -0.02, 0.31],
        [0.67, 0.15, 0.3],
        [-0.15, 0.65, 0.31],
    ]
    model = solid_model(np.vstack([unit, bent]), [list(range(10))], "tet10", STEEL)
    with pytest.raises(ModelError, match=r"solid element 1: .* curved so much .* particles"):
        matrices(model, "lumped")
    assert (np.diag(matrices(model, "particles").mass[0]) > 0.0).all()


def test_five_points_integrate_cubics():
    """int x^a y^b z^c over the unit simplex = a! b! c! / (a + b + c + 3)!."""
    points, weights = tet_rule_of_five()
    for a in range(4):
        for b in range(4 - a):
            for c in range(4 - a - b):
                exact = factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3)
                assert weights @ (points ** [a, b, c]).prod(axis=1) == pytest.approx(exact, rel=1e-12)


def test_points_of_the_stiffness_matter_only_when_curved():
    four, five = (matrices(element(), "lumped", word).stiffness for word in ("full", "unlocked"))
    assert np.abs(four - five).max() < 1e-12 * np.abs(four).max()
    four, five = (matrices(element(0.05), "lumped", word).stiffness for word in ("full", "unlocked"))
    assert np.abs(four - five).max() > 1e-4 * np.abs(four).max()
    assert np.linalg.eigvalsh(five[0])[5] > -1e-9 * np.abs(five).max()
