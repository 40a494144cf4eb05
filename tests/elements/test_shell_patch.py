"""Patch tests (Irons): any patch of distorted elements must reproduce constant strain, curvature and shear
exactly.
"""

import numpy as np
import pytest
from support.surfaces import batch, dense, grid, plate_section, rigid_motions, shell_model

from tisserand.elements.registry import prepare

YOUNG, POISSON = 7e10, 0.3

#: MacNeal and Harder's patch: 0.24 x 0.12 rectangle with four interior nodes.
PATCH = np.array(
    [[0, 0], [0.24, 0], [0.24, 0.12], [0, 0.12], [0.04, 0.02], [0.18, 0.03], [0.16, 0.08], [0.08, 0.08]], float
)
QUADS = np.array([[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [4, 5, 6, 7]])
TRIANGLES = np.vstack([QUADS[:, [0, 1, 2]], QUADS[:, [0, 2, 3]]])
FORMS = pytest.mark.parametrize("form", ["waves", "nastran"])


def patch(cells, thickness=0.01, shear=5 / 6, **values):
    points = np.column_stack([PATCH, np.zeros(8)])
    return shell_model(points, cells, plate_section(thickness, YOUNG, POISSON, shear=shear), **values)


def solved(model, exact):
    """Displacements with the outer nodes held at ``exact`` (n, 6) and the inner ones free."""
    stiffness, _ = dense(model)
    outer = (6 * np.arange(4)[:, None] + np.arange(6)).ravel()
    inner = np.setdiff1d(np.arange(len(stiffness)), outer)
    u = exact.ravel().copy()
    u[inner] = np.linalg.solve(stiffness[np.ix_(inner, inner)], -stiffness[np.ix_(inner, outer)] @ u[outer])
    return u.reshape(-1, 6)


@FORMS
@pytest.mark.parametrize("cells", [QUADS, TRIANGLES], ids=["quads", "triangles"])
@pytest.mark.parametrize("strain", np.eye(3), ids=["exx", "eyy", "gxy"])
def test_constant_membrane_strain(cells, strain, form):
    x, y = PATCH.T
    exact = np.zeros((8, 6))
    exact[:, 0], exact[:, 1] = strain[0] * x + 0.5 * strain[2] * y, strain[1] * y + 0.5 * strain[2] * x
    model = patch(cells, bending=form)
    u = solved(model, exact)
    assert np.abs(u - exact)[:, :5].max() < 1e-12
    assert np.abs(u - exact)[:, 5].max() < 1e-8  # drilling is 5000 times softer
    block = model.elements[0]
    found = prepare(model, block).resultants(u)
    assert np.allclose(found["strain"], strain, atol=1e-11)
    assert np.allclose(found["membrane"], model.sections[0].membrane @ strain, rtol=1e-10, atol=1e-3)


@FORMS
@pytest.mark.parametrize("cells", [QUADS, TRIANGLES], ids=["quads", "triangles"])
@pytest.mark.parametrize("curvature", np.eye(3), ids=["kxx", "kyy", "kxy"])
@pytest.mark.parametrize("thickness", [1e-4, 0.01, 0.1])
def test_constant_curvature(cells, curvature, thickness, form):
    """w = -(kxx x² + kyy y² + kxy x y) / 2 with beta = -grad w (no shear)."""
    x, y = PATCH.T
    kx, ky, kxy = curvature
    exact = np.zeros((8, 6))
    exact[:, 2] = -0.5 * (kx * x**2 + ky * y**2 + kxy * x * y)
    exact[:, 4] = kx * x + 0.5 * kxy * y  # theta_y = beta_x
    exact[:, 3] = -(ky * y + 0.5 * kxy * x)  # theta_x = -beta_y
    model = patch(cells, thickness, bending=form)
    u = solved(model, exact)
    assert np.abs(u - exact).max() < 1e-9
    block = model.elements[0]
    found = prepare(model, block).resultants(u)
    assert np.allclose(found["curvature"], curvature, atol=1e-8)
    assert np.abs(found["shear_strain"]).max() < 1e-8


@FORMS
@pytest.mark.parametrize("cells", [QUADS, TRIANGLES], ids=["quads", "triangles"])
def test_constant_transverse_shear_of_a_very_thick_patch(cells, form):
    """A plate soft in shear: w = g x, beta = 0 is equilibrium as the bending stiffness grows against the
    shear stiffness.
    """
    exact = np.zeros((8, 6))
    exact[:, 2] = PATCH[:, 0]
    model = patch(cells, 10.0, shear=1e-8, bending=form)
    u = solved(model, exact)
    block = model.elements[0]
    found = prepare(model, block).resultants(u)
    assert np.abs(u - exact).max() < 1e-6
    assert np.allclose(found["shear_strain"], [1.0, 0.0], atol=1e-6)


def random_shell(rng, corners):
    points = np.array([[0, 0, 0], [1.2, 0.1, 0], [1.4, 1.1, 0], [0.2, 0.9, 0]], float)[:corners]
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return (points + 0.15 * rng.normal(size=points.shape)) @ turn.T + rng.normal(size=3)


@FORMS
@pytest.mark.parametrize("corners", [3, 4])
@pytest.mark.parametrize("offset", [0.0, 0.07])
def test_six_rigid_motions_and_no_other_without_energy(corners, offset, form):
    """Warped, offset, generally placed: K r = 0 to round-off for six rigid motions; every other motion has
    energy.
    """
    rng = np.random.default_rng(corners)
    for _ in range(5):
        points = random_shell(rng, corners)
        model = shell_model(
            points,
            [list(range(corners))],
            plate_section(0.05, YOUNG, POISSON),
            rng.normal(size=3),
            offset=offset,
            bending=form,
        )
        k = batch(model).stiffness[0]
        assert np.abs(k - k.T).max() == 0.0
        assert np.abs(k @ rigid_motions(points)).max() < 1e-13 * np.abs(k).max() * np.abs(points).max()
        values = np.linalg.eigvalsh(k)
        assert (np.abs(values) < 1e-10 * values[-1]).sum() == 6
        assert values[0] > -1e-10 * values[-1]


@FORMS
@pytest.mark.parametrize("triangles", [False, True])
def test_stiffness_and_mass_turn_with_the_body(triangles, form):
    """Turning and moving a curved surface turns K and M: eigenvalues of the free body do not change."""
    rng = np.random.default_rng(7)
    points, cells = grid(2, 2, lambda a, b: (a, b, 0.3 * a * a - 0.2 * a * b), triangles)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    section = plate_section(0.02, YOUNG, POISSON, 2700.0)
    k, m = dense(shell_model(points, cells, section, bending=form))
    k2, m2 = dense(shell_model(points @ turn.T + 3.0, cells, section, turn[:, 0], bending=form))
    block = np.kron(np.eye(2 * len(points)), turn)
    assert np.abs(block @ k @ block.T - k2).max() < 1e-9 * np.abs(k).max()
    assert np.abs(block @ m @ block.T - m2).max() < 1e-10 * np.abs(m).max()


@FORMS
def test_element_does_not_depend_on_its_first_node_or_its_side(form):
    """Renumbering the corners or flipping the normal of a distorted quad leaves the stiffness (symmetric
    laminate).
    """
    points = np.array([[0, 0, 0], [1.3, 0.1, 0.05], [1.1, 0.9, -0.04], [-0.1, 1.0, 0.02]])
    section = plate_section(0.05, YOUNG, POISSON, 2700.0)
    first, _ = dense(shell_model(points, [[0, 1, 2, 3]], section, bending=form))
    for order in ([1, 2, 3, 0], [2, 3, 0, 1], [0, 3, 2, 1]):
        other, _ = dense(shell_model(points, [order], section, bending=form))
        assert np.abs(first - other).max() < 1e-10 * np.abs(first).max()


@pytest.mark.parametrize("inline", [0.5, 0.1, 1e-3, 0.0])
def test_drilling_with_two_sides_nearly_in_line(inline):
    """A corner on (or just off) the line between its neighbors has no gradient of its own: the stiffness stays bounded
    and continuous, rigid motions and constant strain with theta_z = (dv/dx - du/dy)/2 stay free of drilling.
    """
    points = np.array([[0, 0, 0], [1, 0, 0], [0.5 + 0.5 * inline, 0.5 + 0.5 * inline, 0], [0, 1, 0]], float)
    section = plate_section(0.01, 7e10, 0.3)
    stiff, soft = (batch(shell_model(points, [[0, 1, 2, 3]], section, drilling=d)).stiffness[0] for d in (100.0, 0.0))
    drilling = stiff - soft
    size = np.abs(drilling).max()
    assert 0.0 < size < 5e-3 * np.abs(stiff).max()
    assert np.abs(drilling @ rigid_motions(points)).max() < 1e-9 * size
    shear = np.zeros((4, 6))
    shear[:, 0], shear[:, 5] = points[:, 1], -0.5  # u = y: turns by -1/2
    assert np.abs(drilling @ shear.ravel()).max() < 1e-9 * size
    assert np.count_nonzero(np.linalg.eigvalsh(drilling) > 1e-9 * size) == 4
