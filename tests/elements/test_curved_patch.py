"""Shells with midside nodes: patch tests, rank, rigid motion, missing midside nodes.

Oracles: exact fields of constant strain, curvature and shear; rigid motions; the quadratic form of two corner-only sides.
"""

import numpy as np
import pytest
from support.second_order import second_grid
from support.surfaces import batch, dense, held, plate_section, rigid_motions, shell_model

from tisserand.assembly import assemble
from tisserand.elements.curved_geometry import curved_geometry
from tisserand.elements.registry import prepare
from tisserand.errors import InvertedCellError
from tisserand.modes import solve_modes

YOUNG, POISSON = 7e10, 0.3
NODES = [6, 8, 9]


def distorted(a, b, triangles=False):
    """Straight sides, no two elements alike, midside nodes in the middle (bilinear in every element of a 2 x 2 grid)."""
    corner = {(0, 0): (0, 0), (0.5, 0): (0.11, 0), (1, 0): (0.24, 0), (0, 0.5): (0, 0.05), (0.5, 0.5): (0.14, 0.075)}
    corner |= {(1, 0.5): (0.24, 0.07), (0, 1): (0, 0.12), (0.5, 1): (0.1, 0.12), (1, 1): (0.24, 0.12)}
    low, high = (np.floor(np.array([a, b]) * 2) / 2), (np.ceil(np.array([a, b]) * 2) / 2)
    around = [corner[x, y] for x in (low[0], high[0]) for y in (low[1], high[1])]
    if triangles and (low < high).all():  # the middle of the diagonal
        around = [around[0], around[3]]
    return tuple(np.mean(around, axis=0))


def curved_sides(a, b):
    """Inner sides bowed in the plane."""
    x, y = distorted(a, b)
    if 0 < a < 1 and 0 < b < 1:
        x, y = x + 0.006 * np.sin(9 * b + 1), y + 0.005 * np.cos(11 * a)
    return x, y


def solved(model, unit, exact):
    """Displacements with the rim held at ``exact`` (n, 6) and everything inside free."""
    stiffness, _ = dense(model)
    rim = np.flatnonzero(((unit == 0) | (unit == 1)).any(axis=1))
    outer = (6 * rim[:, None] + np.arange(6)).ravel()
    inner = np.setdiff1d(np.arange(len(stiffness)), outer)
    u = exact.ravel().copy()
    u[inner] = np.linalg.solve(stiffness[np.ix_(inner, inner)], -stiffness[np.ix_(inner, outer)] @ u[outer])
    return u.reshape(-1, 6)


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("place", [distorted, curved_sides])
@pytest.mark.parametrize("strain", np.eye(3), ids=["exx", "eyy", "gxy"])
def test_constant_membrane_strain_on_straight_and_curved_sides(nodes, place, strain):
    points, cells, unit = second_grid(2, 2, place, nodes)
    model = shell_model(points, cells, plate_section(0.01, YOUNG, POISSON))
    x, y, _ = points.T
    exact = np.zeros((len(points), 6))
    exact[:, 0], exact[:, 1] = strain[0] * x + 0.5 * strain[2] * y, strain[1] * y + 0.5 * strain[2] * x
    u = solved(model, unit, exact)
    assert np.abs(u - exact)[:, :5].max() < 1e-12
    found = prepare(model, model.elements[0]).resultants(u)
    assert np.allclose(found["strain"], strain, atol=1e-10)


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("curvature", np.eye(3), ids=["kxx", "kyy", "kxy"])
@pytest.mark.parametrize("thickness", [1e-4, 0.01, 0.1])
def test_constant_curvature_on_distorted_elements(nodes, curvature, thickness):
    """w = -(kxx x² + kyy y² + kxy x y) / 2 with beta = -grad w; straight sides."""
    points, cells, unit = second_grid(2, 2, lambda a, b: distorted(a, b, nodes == 6), nodes)
    x, y, _ = points.T
    kx, ky, kxy = curvature
    exact = np.zeros((len(points), 6))
    exact[:, 2] = -0.5 * (kx * x**2 + ky * y**2 + kxy * x * y)
    exact[:, 4] = kx * x + 0.5 * kxy * y
    exact[:, 3] = -(ky * y + 0.5 * kxy * x)
    model = shell_model(points, cells, plate_section(thickness, YOUNG, POISSON))
    u = solved(model, unit, exact)
    assert np.abs(u - exact).max() < 1e-8
    found = prepare(model, model.elements[0]).resultants(u)
    assert np.allclose(found["curvature"], curvature, atol=1e-6)
    assert np.abs(found["shear"]).max() < 1e-6 * model.sections[0].bending[0, 0] / 0.1


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("place", [distorted, curved_sides])
def test_constant_transverse_shear_of_a_very_thick_patch(nodes, place):
    """w = x, beta = 0 is equilibrium as the bending stiffness grows against the shear stiffness."""
    points, cells, unit = second_grid(2, 2, place, nodes)
    exact = np.zeros((len(points), 6))
    exact[:, 2] = points[:, 0]
    model = shell_model(points, cells, plate_section(10.0, YOUNG, POISSON, shear=1e-8))
    u = solved(model, unit, exact)
    assert np.abs(u - exact).max() < 1e-6
    assert np.allclose(prepare(model, model.elements[0]).resultants(u)["shear_strain"], [1.0, 0.0], atol=1e-5)


def one(nodes, rng, bent=0.2):
    points, cells, _ = second_grid(1, 1, lambda a, b: (1.2 * a, b, bent * (a * a - 0.5 * a * b)), nodes)
    points, cells = points[np.unique(cells[:1])], [list(range(nodes))]
    order = np.unique(second_grid(1, 1, lambda a, b: (a, b), nodes)[1][:1], return_inverse=True)[1].ravel()
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return (points[order] + 0.04 * rng.normal(size=(nodes, 3))) @ turn.T + rng.normal(size=3), cells


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("offset", [0.0, 0.07])
def test_six_rigid_motions_and_no_other_without_energy(nodes, offset):
    """Curved, warped, offset: rank is exactly full, without spurious modes."""
    rng = np.random.default_rng(nodes)
    for _ in range(5):
        points, cells = one(nodes, rng)
        model = shell_model(points, cells, plate_section(0.05, YOUNG, POISSON), rng.normal(size=3), offset=offset)
        k = batch(model).stiffness[0]
        assert np.abs(k @ rigid_motions(points)).max() < 1e-12 * np.abs(k).max() * np.abs(points).max()
        values = np.linalg.eigvalsh(k)
        assert (np.abs(values) < 1e-10 * values[-1]).sum() == 6
        assert values[6] > 1e-8 * values[-1]


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("missing", [False, True])
def test_rigid_rotation_turns_forces_wholly_and_moments_half(nodes, missing):
    """K_geo (phi x r, phi) = (phi x f, phi x m / 2) at every node of a curved, offset, stressed element."""
    rng = np.random.default_rng(3 * nodes)
    points, cells = one(nodes, rng)
    if missing:
        cells[0][5] = cells[0][{6: 2, 8: 1, 9: 1}[nodes]]
    model = shell_model(points, cells, plate_section(0.05, YOUNG, POISSON), rng.normal(size=3), offset=0.03)
    part, at = prepare(model, model.elements[0]), np.array(cells[0])
    u = 1e-3 * rng.normal(size=(nodes, 6))
    force = (part.stiffness()[0] @ u[at].ravel()).reshape(-1, 6)
    geometric = part.geometric_stiffness(u)[0]
    for phi in np.eye(3):
        turned = np.concatenate([np.cross(phi, points[at]), np.tile(phi, (nodes, 1))], axis=1)
        expected = np.concatenate([np.cross(phi, force[:, :3]), 0.5 * np.cross(phi, force[:, 3:])], axis=1)
        found = (geometric @ turned.ravel()).reshape(-1, 6)
        assert np.abs(found - expected).max() < 1e-11 * np.abs(force).max()


@pytest.mark.parametrize("nodes", NODES)
def test_fibers_that_turn_have_the_inertia_of_the_mass_matrix(nodes):
    """int r r' dm of the turning pieces about the origin against the consistent mass in rigid rotation, curved and offset."""
    rng = np.random.default_rng(nodes)
    points, cells = one(nodes, rng)
    model = shell_model(points, cells, plate_section(0.2, YOUNG, POISSON, 2700.0), rng.normal(size=3), offset=0.05)
    part = prepare(model, model.elements[0])
    rigid = rigid_motions(points)
    expected = rigid[:, 3:].T @ part.mass("consistent")[0] @ rigid[:, 3:]
    for recipe in ("consistent", "bodies"):
        pieces = part.turning_masses(recipe)
        lift = np.tile(np.eye(4), (*pieces.positions.shape[:2], 1, 1))
        lift[..., 1:, 0] = pieces.positions
        second = (lift @ pieces.moments @ lift.swapaxes(-1, -2)).sum(axis=(0, 1))[1:, 1:]
        assert np.trace(second) * np.eye(3) - second == pytest.approx(expected, abs=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("strain", np.eye(3), ids=["exx", "eyy", "gxy"])
def test_sides_without_midside_node_join_corner_elements(strain):
    """Seven-node elements next to four-node ones, whose common side has corners only: constant strain passes."""
    points, cells, unit = second_grid(2, 2, distorted, 8)
    cells = np.array(cells)
    first, second = cells[0].copy(), cells[1].copy()
    first[[5, 6]] = first[[1, 2]]
    second[[4, 5]] = second[[0, 1]]
    corners = cells[2:, :4]
    used = np.unique(np.concatenate([first, second, corners.ravel()]))
    number = np.full(len(points), -1)
    number[used] = np.arange(len(used))
    model = shell_model(points[used], number[corners], plate_section(0.01, YOUNG, POISSON))
    block = shell_model(points[used], number[[first, second]], model.sections[0]).elements[0]
    model = model.changed(elements=(*model.elements, block))
    x, y, _ = points[used].T
    exact = np.zeros((len(used), 6))
    exact[:, 0], exact[:, 1] = strain[0] * x + 0.5 * strain[2] * y, strain[1] * y + 0.5 * strain[2] * x
    u = solved(model, unit[used], exact)
    assert np.abs(u - exact)[:, :5].max() < 1e-12


def test_a_folded_element_is_refused_by_name():
    points, cells, _ = second_grid(1, 1, lambda a, b: (a, b), 8)
    points = points.copy()
    points[np.array(cells)[0, 4], 1] = 1.5
    with pytest.raises(InvertedCellError, match="shell element 1: a shell is collapsed"):
        batch(shell_model(points, cells, plate_section(0.01, YOUNG, POISSON)))


@pytest.mark.parametrize("nodes", NODES)
def test_a_surface_without_area_at_a_node_is_refused(nodes):
    """Two midside nodes a quarter along their sides: no tangents at the corner, though every point of integration has some."""
    points, cells, _ = second_grid(1, 1, lambda a, b: (a, b), nodes)
    sides = 3 if nodes == 6 else 4
    model = shell_model(points, cells, plate_section(0.01, YOUNG, POISSON))
    assert np.isfinite(prepare(model, model.elements[0]).stiffness()).all()
    corner, after, before = (points[cells[0][i]] for i in (0, 1, sides - 1))
    points[cells[0][sides]] = 0.75 * corner + 0.25 * after
    points[cells[0][2 * sides - 1]] = 0.75 * corner + 0.25 * before
    bad = shell_model(points, cells[:1], plate_section(0.01, YOUNG, POISSON))
    with pytest.raises(InvertedCellError, match="midside nodes near the middle"):
        prepare(bad, bad.elements[0]).stiffness()


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_size_and_normals_are_those_of_the_element_at_any_scale_and_place(nodes, scale):
    """Also of a shell that is numbered against its neighbors: the shared normal, on the side of its own."""
    points, cells, _ = second_grid(2, 1, lambda a, b: (3.0 * a - 1.5, 4.0 * b - 2.0), nodes)
    around = {6: [0, 2, 1, 5, 4, 3], 8: [0, 3, 2, 1, 7, 6, 5, 4], 9: [0, 3, 2, 1, 7, 6, 5, 4, 8]}[nodes]
    cells = np.vstack([cells[:1][:, around], cells[1:]])
    model = shell_model(scale * points, cells, plate_section(0.01 * scale, YOUNG, POISSON))
    found = curved_geometry(model, model.elements[0])
    assert np.allclose(found.size, scale * np.hypot(1.5, 4.0), rtol=1e-12)
    up = np.where(np.arange(len(cells)) == 0, -1.0, 1.0)[:, None]
    own = found.normals[:, :nodes]
    assert np.allclose(own[..., 2], up, rtol=0, atol=1e-12) and np.abs(own[..., :2]).max() < 1e-12


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_an_element_is_flat_by_its_shape_not_by_its_size(nodes, scale):
    for width, sound in ((1e-4, True), (1e-8, False)):
        points, cells, _ = second_grid(1, 1, lambda a, b, width=width: (a, width * b), nodes)
        model = shell_model(scale * points, cells, plate_section(1e-3 * scale, YOUNG, POISSON))
        if sound:
            assert curved_geometry(model, model.elements[0]).nodes == nodes
        else:
            with pytest.raises(InvertedCellError):
                curved_geometry(model, model.elements[0])


@pytest.mark.parametrize(("thickness", "rise", "skew"), [(1e-4, 0.0, 0.0), (1e-4, 0.0, 0.3), (0.01, 0.08, 0.3)])
def test_frequencies_do_not_depend_on_the_axes(thickness, rise, skew):
    """Nine eight-node elements, flat or not, laid obliquely to the basic axes, with an offset: the same frequencies. Thin ones
    lose digits in proportion to A L²/D (1e-16 of the membrane's energy), here 1e-6 at most.
    """
    rng = np.random.default_rng(3)

    def place(a, b):
        x, y = 3 * (a + skew * 0.1 * np.sin(5 * b)), 2.1 * (b + skew * 0.1 * np.sin(4 * a + 1))
        return x, y, rise * np.sin(2 * x + 3 * y)

    points, cells, unit = second_grid(3, 3, place, 8)
    section = plate_section(thickness, YOUNG, POISSON, 2700.0)
    supports = held(len(points), (unit[:, 0] == 0, "123456"))
    found = []
    for turn in (np.eye(3), *(np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(2))):
        turn = turn * np.sign(np.linalg.det(turn))
        model = shell_model(points @ turn.T, cells, section, turn[:, 0], offset=0.02, supports=supports)
        found.append(solve_modes(assemble(model), count=6).frequencies_hz)
    assert np.abs(np.array(found[1:]) / found[0] - 1).max() < 1e-6
