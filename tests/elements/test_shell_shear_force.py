"""Transverse shear forces of plates, Q = -D grad lap w, where twist and Poisson's effect count as much as bending."""

import numpy as np
import pytest
from support.surfaces import grid, held, plate_section, shell_model

from tisserand.assembly.assemble import assemble
from tisserand.elements.registry import prepare
from tisserand.statics import nodal_loads, solve_static

E, NU = 7e10, 0.3


def simply_supported(thickness, n, triangles, shear=5 / 6, wave=0.0, over=False, bending="waves"):
    """Square plate under q = sin(pi x) sin(pi y): shear forces found and exact in basic axes, and the elements' centers.

    ``wave`` makes the cells uneven; ``over`` numbers every third element the other way round, so that its normal points down.
    """
    points, cells = grid(n, n, lambda a, b: (a + wave * np.sin(np.pi * a) * np.sin(2 * np.pi * b), b), triangles)
    down = np.zeros(len(cells), bool)
    if over:
        down[::3] = True
        cells[down] = cells[down, ::-1]
    x, y, _ = points.T
    ends, sides = np.isclose(x * (1 - x), 0), np.isclose(y * (1 - y), 0)
    supports = held(len(points), (ends | sides, "3"), (ends, "4"), (sides, "5"), (slice(None), "126"))
    section = plate_section(thickness, E, NU, shear=shear)
    model = shell_model(points, cells, section, bending=bending, supports=supports)
    body = assemble(model)
    load = np.zeros(len(points))
    corner = points[cells]
    first, second = corner[:, 2] - corner[:, 0], corner[:, -1] - corner[:, 1]
    area = 0.5 * np.abs(np.cross(first, second)[:, 2])
    np.add.at(load, cells, (area / cells.shape[1])[:, None])
    load *= np.sin(np.pi * x) * np.sin(np.pi * y)
    forces = {int(i) + 1: (0, 0, load[i]) for i in np.flatnonzero(load > 1e-12)}
    u = body.displacements(solve_static(body, nodal_loads(body, forces)).displacement)[:, :, 0]
    block = model.elements[0]
    found = np.array(prepare(model, block).resultants(u)["shear"])
    found[down, 0] *= -1.0  # z and y point the other way: Q_x changes its sign, Q_y does not
    center = corner.mean(axis=1)
    a, b = np.pi * center[:, 0], np.pi * center[:, 1]
    exact = np.stack([np.cos(a) * np.sin(b), np.sin(a) * np.cos(b)], axis=1) / (2 * np.pi)
    return found, exact, center


@pytest.mark.parametrize(("thickness", "shear"), [(0.005, 5 / 6), (0.005, None), (0.05, 5 / 6), (0.2, 5 / 6)])
def test_quads(thickness, shear):
    """Navier: Q_x = cos(pi x) sin(pi y)/(2 pi), thin, rigid in shear, and thick; on 16 x 16."""
    found, exact, _ = simply_supported(thickness, 16, False, shear)
    assert np.abs(found - exact).max() < 0.008 * np.abs(exact).max()


@pytest.mark.parametrize("thickness", [0.05, 0.2])
def test_quads_of_nastran(thickness):
    """The forces of the slips; in plates thinner than a tenth of an element they need a finer mesh (t = 0.005: 6 % here, 0.6 % on
    32 x 32).
    """
    found, exact, _ = simply_supported(thickness, 16, False, bending="nastran")
    assert np.abs(found - exact).max() < 0.008 * np.abs(exact).max()


def test_strip_with_poisson_s_effect():
    """Thin cantilever strip: inside, Q = V/b/(1 + nu), since Q = D (w,xxx + w,xyy) with w,yy = -nu w,xx; the rest of V runs
    along the free edges as twisting moment (Kirchhoff).
    """
    points, cells = grid(16, 4, lambda a, b: (a, 0.1 * (b - 0.5)))
    x, y, _ = points.T
    model = shell_model(points, cells, plate_section(0.002, E, NU), supports=held(len(points), (x == 0, "123456")))
    body = assemble(model)
    tip = np.flatnonzero(np.isclose(x, 1))
    share = np.where(np.isclose(np.abs(y[tip]), 0.05), 0.125, 0.25)
    load = nodal_loads(body, {int(i) + 1: (0, 0, s) for i, s in zip(tip, share)})
    u = body.displacements(solve_static(body, load).displacement)
    block = model.elements[0]
    found = prepare(model, block).resultants(u[:, :, 0])["shear"][:, 0]
    middle = np.abs(points[cells].mean(axis=1)[:, 0] - 0.5) < 0.25
    assert found[middle] == pytest.approx(10.0 / (1 + NU), rel=0.02)


def test_uneven_quads():
    """Skewed cells, up to a third wider than others; numbered the other way round they tell the same."""
    plain, exact, _ = simply_supported(0.01, 16, False, wave=0.05)
    turned, _, _ = simply_supported(0.01, 16, False, wave=0.05, over=True)
    error = np.abs(plain - exact) / np.abs(exact).max()
    assert np.sqrt((error**2).mean()) < 0.03 and error.max() < 0.12
    assert np.abs(turned - plain).max() < 1e-8 * np.abs(exact).max()


@pytest.mark.parametrize(
    ("thickness", "over"),
    [
        (0.005, True),
        (0.05, False),
        pytest.param(0.005, False, marks=pytest.mark.slow),
        pytest.param(0.05, True, marks=pytest.mark.slow),
    ],
)
def test_triangles(thickness, over):
    """The same by the slope of the moments: 4 % inside, 11 % at the edges on 16 x 16, about half on a mesh twice as fine."""
    limits = {16: (0.04, 0.11), 32: (0.015, 0.06)}
    for n, (inside, everywhere) in limits.items():
        found, exact, center = simply_supported(thickness, n, True, over=over)
        error = np.abs(found - exact).max(axis=1) / np.abs(exact).max()
        away = (np.abs(center[:, :2] - 0.5) < 0.5 - 1.5 / n).all(axis=1)
        assert error[away].max() < inside and error.max() < everywhere


def test_triangles_look_across_a_fold_of_up_to_20_degrees():
    """How far the forces are from those of two plates that touch and share no node: it drops where the other side is left out.

    A rest remains, because the moments at a fold depend on the normals of its nodes.
    """

    def apart(fold):
        points, cells = grid(4, 2, lambda a, b: (a - 0.5, b), True)
        points[:, 2] = np.where(points[:, 0] > 0, np.sin(np.radians(fold)) * points[:, 0], 0.0)
        points[:, 0] *= np.where(points[:, 0] > 0, np.cos(np.radians(fold)), 1.0)
        split = np.where((points[cells].mean(axis=1)[:, 0] > 0)[:, None], cells + len(points), cells)
        u = np.random.default_rng(3).normal(size=(len(points), 6))
        one, two = (
            prepare(model, model.elements[0]).resultants(moved)["shear"]
            for model, moved in (
                (shell_model(points, cells, plate_section(0.01, E, NU)), u),
                (shell_model(np.vstack([points, points]), split, plate_section(0.01, E, NU)), np.vstack([u, u])),
            )
        )
        return np.abs(one - two).max() / np.abs(two).max()

    for sign in (1.0, -1.0):
        assert apart(20.1 * sign) < 0.1 * apart(19.9 * sign)
