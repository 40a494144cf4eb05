"""Solids: interpolation, patch tests, rigid motions, locking, mass, and errors that name the element."""

import numpy as np
import pytest
from support.element_matrices import element_matrices
from support.surfaces import batch, rigid_motions, solid_model

from tisserand.elements.registry import prepare
from tisserand.elements.solid_material import VOIGT, isotropic_moduli, tensor
from tisserand.elements.solid_shapes import (
    HEX_CORNERS,
    HEX_EDGES,
    NODE_COUNT,
    SHAPES,
    TET_EDGES,
    mass_table,
    stiffness_table,
)
from tisserand.errors import InvertedCellError, ModelError
from tisserand.model import Anisotropic3D, Isotropic, SolidSection

STEEL = Isotropic.from_young(1, 2.1e11, 0.3, 7800.0)
WEDGE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]], float)
WEDGE_EDGES = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
TET = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
PYRAMID_EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4))
PYRAMID = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1]], float)


def with_middles(corners, edges, thirds=False):
    if thirds:
        return np.vstack([corners, [((3 - k) * corners[a] + k * corners[b]) / 3 for a, b in edges for k in (1, 2)]])
    return np.vstack([corners, [(corners[a] + corners[b]) / 2 for a, b in edges]])


REFERENCE = {
    "tet4": TET, "tet10": with_middles(TET, TET_EDGES), "hex8": HEX_CORNERS, "hex20": with_middles(HEX_CORNERS, HEX_EDGES),
    "wedge6": WEDGE, "wedge15": with_middles(WEDGE, WEDGE_EDGES), "pyramid5": PYRAMID,
    "hex32": with_middles(HEX_CORNERS, HEX_EDGES, thirds=True), "pyramid13": with_middles(PYRAMID, PYRAMID_EDGES),
}  # fmt: skip
KINDS = tuple(NODE_COUNT)
CASES = [(kind, "full") for kind in KINDS] + [
    ("hex8", "unlocked"),
    ("hex8", "incompatible"),
    ("hex8", "selective"),
    ("hex20", "reduced"),
    ("wedge6", "sampled"),
]


def distorted(kind, seed=0):
    """A general placement; corners moved, middles halfway (so quadratic kinds stay complete)."""
    rng = np.random.default_rng(seed)
    higher = {
        "tet10": (4, TET_EDGES), "hex20": (8, HEX_EDGES), "hex32": (8, HEX_EDGES), "wedge15": (6, WEDGE_EDGES),
        "pyramid13": (5, PYRAMID_EDGES),
    }  # fmt: skip
    count, edges = higher.get(kind, (NODE_COUNT[kind], ()))
    corners = REFERENCE[kind][:count] @ (np.eye(3) + 0.3 * rng.random((3, 3))) + 0.1 * rng.random((count, 3))
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    corners = corners @ (turn * np.sign(np.linalg.det(turn))).T
    return with_middles(corners, edges, kind == "hex32") if edges else corners


def one(kind, integration="full", points=None, material=STEEL):
    points = distorted(kind) if points is None else points
    return solid_model(points, [list(range(len(points)))], kind, material, integration)


@pytest.mark.parametrize("kind", KINDS)
def test_shape_functions_interpolate_and_their_gradients_are_right(kind):
    rng = np.random.default_rng(3)
    points = 0.2 + 0.2 * rng.random((4, 3))
    values, gradients = SHAPES[kind].functions(points)
    assert np.abs(values.sum(axis=1) - 1).max() < 1e-14
    for a in range(3):
        step = 1e-6 * np.eye(3)[a]
        change = (SHAPES[kind].functions(points + step)[0] - SHAPES[kind].functions(points - step)[0]) / 2e-6
        assert np.abs(change - gradients[:, a]).max() < 1e-8
    if not kind.startswith("pyramid"):
        assert np.abs(SHAPES[kind].functions(REFERENCE[kind])[0] - np.eye(NODE_COUNT[kind])).max() < 1e-14


@pytest.mark.parametrize(("kind", "integration"), CASES)
def test_rigid_motions_and_rank(kind, integration):
    """Six rigid motions without energy; reduced bricks of 20 nodes have six known extra ones, wedges of two points one."""
    model = one(kind, integration)
    k = batch(model).stiffness[0]
    points = model.nodes.positions
    assert np.abs(k @ rigid_motions(points, 3)).max() < 1e-12 * np.abs(k).max() * 3
    values = np.linalg.eigvalsh(k)
    more = {("wedge6", "sampled"): 1, ("hex20", "reduced"): 6}.get((kind, integration), 0)
    assert (values < 1e-9 * values[-1]).sum() == 6 + more
    assert values[0] > -1e-9 * values[-1]


@pytest.mark.parametrize(("kind", "integration"), CASES)
def test_constant_strain_gives_constant_stress_and_balanced_forces(kind, integration):
    """The patch test of one element: nodal forces of a constant stress are its surface tractions: sum f x' =
    sigma V.
    """
    rng = np.random.default_rng(5)
    model = one(kind, integration)
    block, points = model.elements[0], model.nodes.positions
    slope = 1e-3 * rng.normal(size=(3, 3))
    u = np.zeros((len(points), 6))
    u[:, :3] = points @ slope.T
    stress = np.einsum("abcd,cd->ab", tensor(isotropic_moduli(STEEL)), 0.5 * (slope + slope.T))
    found = prepare(model, block).resultants(u)
    assert np.allclose(
        found["stress"][0], [stress[a, b] for a, b in VOIGT], rtol=1e-9, atol=1e-6 * np.abs(stress).max()
    )
    assert np.allclose(found["mean_stress"], found["stress"], rtol=1e-9, atol=1e-6 * np.abs(stress).max())
    forces = (batch(model).stiffness[0] @ u[:, :3].ravel()).reshape(-1, 3)
    volume = batch(model).mass[0][0::3, 0::3].sum() / STEEL.density
    assert np.allclose(forces.T @ points, stress * volume, rtol=1e-9, atol=1e-9 * np.abs(stress).max())


def hex_patch():
    """MacNeal and Harder's cube with eight inner nodes: seven distorted bricks."""
    outer = 0.5 * (HEX_CORNERS + 1)
    inner = np.array(
        [[0.249, 0.342, 0.192], [0.826, 0.288, 0.288], [0.850, 0.649, 0.263], [0.273, 0.750, 0.230],
         [0.320, 0.186, 0.643], [0.677, 0.305, 0.683], [0.788, 0.693, 0.644], [0.165, 0.745, 0.702]]
    )  # fmt: skip
    faces = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    cells = [list(range(8, 16))]
    points = np.vstack([outer, inner])
    for face in faces:
        cell = face + [i + 8 for i in face]
        x = points[cell]
        if np.linalg.det(x[[1, 3, 4]] - x[0]) < 0:
            cell = face[::-1] + [i + 8 for i in face[::-1]]
        cells.append(cell)
    return points, np.array(cells)


@pytest.mark.parametrize("integration", ["full", "unlocked"])
def test_patch_of_distorted_bricks(integration):
    points, cells = hex_patch()
    model = solid_model(points, cells, "hex8", STEEL, integration)
    slope = 1e-3 * np.array([[2, 1, 1], [1, 2, 1], [1, 1, 2]]) / 2
    exact = points @ slope.T
    k = np.zeros((48, 48))
    for cell, matrix in zip(cells, batch(model).stiffness):
        rows = (3 * cell[:, None] + np.arange(3)).ravel()
        k[np.ix_(rows, rows)] += matrix
    u = exact.ravel().copy()
    u[24:] = np.linalg.solve(k[24:, 24:], -k[24:, :24] @ u[:24])
    assert np.abs(u - exact.ravel()).max() < 1e-15


def test_pyramids_bricks_and_tetrahedra_of_second_order_fit_together():
    """On its base and its sides a pyramid13 interpolates quadratics exactly, as the faces of hex20, wedge15 and tet10 do."""

    def quadratic(x):
        return np.stack([x[:, 0] ** 2 + x[:, 1] * x[:, 2], x[:, 1] ** 2 - x[:, 0], x[:, 2] * x[:, 0]], axis=1)

    apex = np.array([[0.2, -0.1, 1.7]])
    base = REFERENCE["hex20"][4:8]
    nodes = with_middles(np.vstack([base, apex]), PYRAMID_EDGES)
    rng = np.random.default_rng(2)
    places = np.vstack([  # on the base and on the four sides of the collapsed cube
        np.column_stack([rng.random((6, 2)), np.zeros(6)]),
        *[np.insert(rng.random((6, 2)), side, end, axis=1) for side in (0, 1) for end in (0.0, 1.0)],
    ])  # fmt: skip
    values, _ = SHAPES["pyramid13"].functions(places)
    assert np.abs(values @ quadratic(nodes) - quadratic(values @ nodes)).max() < 1e-12


def bar(nx, kind="hex8", length=10.0, height=1.0, ny=1):
    """A row of bricks along x."""
    x, y, z = (np.linspace(0, s, n + 1) for s, n in ((length, nx), (height, ny), (height, ny)))
    points = np.array([[a, b, c] for a in x for b in y for c in z])
    n = ny + 1

    def at(i, j, k):
        return (i * n + j) * n + k

    cells = [
        [at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k),
         at(i, j, k + 1), at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)]
        for i in range(nx) for j in range(ny) for k in range(ny)
    ]  # fmt: skip
    return points, np.array(cells)


def tip_deflection(integration, poisson=0.3, nx=10):
    """Cantilever of bricks under a tip force, over P L³/(3 E I) + P L/(G A 5/6)."""
    from support.surfaces import held

    from tisserand.assembly.assemble import assemble
    from tisserand.statics import nodal_loads, solve_static

    material = Isotropic.from_young(1, 1e7, poisson, 1.0)
    points, cells = bar(nx)
    supports = held(len(points), (points[:, 0] == 0, "1"), ([0], "23"), ([1], "2"))
    model = solid_model(points, cells, "hex8", material, integration, supports=supports)
    tip = np.flatnonzero(np.isclose(points[:, 0], 10.0))
    assembled = assemble(model)
    load = nodal_loads(assembled, {int(i) + 1: (0, 0, 0.25) for i in tip})
    u = assembled.displacements(solve_static(assembled, load).displacement)[:, :, 0]
    return u[tip, 2].mean() / (1000 / (3 * 1e7 / 12) + 10 / (material.shear * 5 / 6))


def test_unlocked_brick_bends_and_the_plain_one_locks():
    assert tip_deflection("unlocked") == pytest.approx(1.0, rel=0.01)
    assert tip_deflection("full") < 0.75


def test_incompatible_modes_bend_and_a_mean_volume_strain_swells_freely():
    """C3D8I bends as the beam does; C3D8 of Abaqus does not lock at nu = 0.4999 (one layer of it bends too far)."""
    assert tip_deflection("incompatible") == pytest.approx(1.0, rel=0.01)
    assert tip_deflection("selective", 0.4999) > 3.0 * tip_deflection("full", 0.4999)


def test_unlocked_brick_has_no_volume_locking():
    """nu = 0.4999: the beam formula still holds."""
    assert tip_deflection("unlocked", 0.4999) == pytest.approx(1.0, rel=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_mass_of_every_recipe_and_its_directions(kind):
    """Total mass is density times volume; directional masses sum to M; a linear field has the exact energy."""
    model = one(kind)
    block, points = model.elements[0], model.nodes.positions
    volume = (stiffness_table(kind, "full").weights * _determinants(kind, points)).sum()
    for recipe in ("consistent", "coupled", "lumped", "particles"):
        mass = batch(model, recipe).mass[0]
        assert mass[0::3, 0::3].sum() == pytest.approx(STEEL.density * volume, rel=1e-10)
        directional = prepare(model, block).directional_mass(recipe)[0]
        assert np.abs(directional[:3].sum(axis=0) - mass).max() < 1e-12 * mass.max()
        least = np.linalg.eigvalsh(mass)[0]
        assert least == 0.0 if (kind, recipe) == ("tet10", "lumped") else least > 0.0  # Nastran's corners have none
        if recipe in ("lumped", "particles"):
            assert np.count_nonzero(mass - np.diag(np.diag(mass))) == 0


def _determinants(kind, points):
    return np.linalg.det(np.einsum("gak,kb->gab", stiffness_table(kind, "full").gradients, points))


def test_tet_mass_is_the_closed_form():
    """int rho N_i N_j over a linear tetrahedron: rho V (1 + delta_ij) / 20."""
    model = one("tet4")
    points = model.nodes.positions
    volume = np.linalg.det(points[1:] - points[0]) / 6
    scalar = batch(model).mass[0][0::3, 0::3]
    assert np.allclose(scalar, STEEL.density * volume / 20 * (1 + np.eye(4)), rtol=1e-13)


def test_curved_tet10_uses_the_full_rule():
    """A bulged edge: the mass is that of the mapped volume, found by a finer rule."""
    points = distorted("tet10")
    points[4] += 0.05
    model = one("tet10", points=points)
    table = mass_table("tet10")
    det = np.linalg.det(np.einsum("gak,kb->gab", table.gradients, points))
    expected = STEEL.density * np.einsum("gi,gj,g->ij", table.shapes, table.shapes, det * table.weights)
    assert np.allclose(batch(model).mass[0][0::3, 0::3], expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("kind", "integration"), [("tet10", "full"), ("hex8", "full"), ("hex8", "unlocked"), ("hex20", "reduced")]
)
def test_anisotropic_material_in_turned_axes(kind, integration):
    """Turning the body and its material axes together turns the stiffness."""
    rng = np.random.default_rng(2)
    root = rng.normal(size=(6, 6))
    material = Anisotropic3D(1, 1e10 * (root @ root.T + 3 * np.eye(6)), 1500.0)
    points = distorted(kind)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    model = one(kind, integration, points).changed(sections=(SolidSection(1, material, np.eye(3), integration),))
    turned = one(kind, integration, points @ turn.T).changed(sections=(SolidSection(1, material, turn.T, integration),))
    big = np.kron(np.eye(len(points)), turn)
    first, second = batch(model).stiffness[0], batch(turned).stiffness[0]
    assert np.abs(big @ first @ big.T - second).max() < 1e-12 * np.abs(first).max()


def test_sections_with_different_integration_share_a_block():
    points, cells = bar(2)
    plain, free = SolidSection(1, STEEL), SolidSection(2, STEEL, integration="unlocked")
    model = solid_model(points, cells, "hex8", STEEL).changed(sections=(plain, free))
    block = type(model.elements[0])([1, 2], cells, [1, 0], "hex8")
    both = batch(model.changed(elements=(block,))).stiffness
    assert np.array_equal(both[1], batch(solid_model(points, cells, "hex8", STEEL)).stiffness[1])
    assert np.array_equal(both[0], batch(solid_model(points, cells, "hex8", STEEL, "unlocked")).stiffness[0])


@pytest.mark.parametrize(("kind", "integration"), CASES)
def test_inverted_cells_are_named(kind, integration):
    points = distorted(kind) * [1, 1, -1]
    with pytest.raises(InvertedCellError, match="solid element 1"):
        batch(one(kind, integration, points))


def test_flat_cell_wrong_count_and_incompressible_material_are_named():
    with pytest.raises(InvertedCellError, match="solid element 1"):
        batch(one("tet4", points=TET * [1, 1, 0]))
    with pytest.raises(ModelError, match="wrong number of nodes"):
        batch(solid_model(TET, [[0, 1, 2, 3]], "hex8", STEEL))
    with pytest.raises(ModelError, match=r"Poisson.*0\.5"):
        Isotropic.from_young(4, 1e9, 0.5)


def test_an_empty_block_gives_empty_matrices():
    model = one("tet4")
    block = model.elements[0].select(slice(0, 0))
    family = prepare(model, block)
    found = element_matrices(model, block)
    assert found.stiffness.shape == found.mass.shape == (0, 12, 12)
    assert family.directional_mass("lumped").shape == (0, 6, 12, 12)
    assert family.geometric_stiffness(np.zeros((4, 6))).shape == (0, 12, 12)
