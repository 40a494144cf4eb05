"""Geometric stiffness of shells from membrane forces, moments and shear, against finite rotations and closed forms."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.optimize import minimize_scalar
from support.finite_shell import POISSON, THICKNESS, YOUNG, PlateState, second_variation, smooth_motion
from support.surfaces import grid, held, plate_section, shell_model

from tisserand.assembly.assemble import assemble
from tisserand.elements.registry import prepare
from tisserand.model import Isotropic, Ply, ShellSection
from tisserand.model.laminate import laminate
from tisserand.statics import geometric_stiffness, nodal_loads, solve_static

STATES = {
    "membrane": PlateState(strain=(1.0, 0.5, 0.7)),
    "bending": PlateState(curvature=(1.0, 0.0, 0.0)),
    "twist": PlateState(curvature=(0.0, 0.0, 1.0)),
    "shear": PlateState(slope=1.0),
    "all": PlateState((1e-3, 0.5e-3, -0.7e-3), (1.0, -0.6, 0.8), 1.5),
}


def quadratic_form(state, n, triangles):
    """q' K_geo q of the smooth motion on an n x n mesh of uneven cells."""

    def place(a, b):
        wave = 0.06 * np.array([np.sin(np.pi * a) * np.sin(2 * np.pi * b), np.sin(2 * np.pi * a) * np.sin(np.pi * b)])
        return a + wave[0], b + wave[1]

    points, cells = grid(n, n, place, triangles)
    model = shell_model(points, cells, plate_section(THICKNESS, YOUNG, POISSON), drilling=0.0)
    block, (x, y, _) = model.elements[0], points.T
    k = prepare(model, block).geometric_stiffness(state.displacement(x, y))
    q = np.hstack(smooth_motion(x, y))[block.nodes].reshape(len(block), -1)
    return float(np.einsum("mi,mij,mj->", q, k, q, optimize=True))


@pytest.mark.parametrize("triangles", [False, True])
@pytest.mark.parametrize("name", STATES)
def test_second_variation_of_the_exact_strain(name, triangles):
    """K_geo is the second degree of int sigma : E dV with E the Green-Lagrange strain of finitely turned normals: the error falls
    as h², and its limit is zero. Moments alone (bending, twist, shear) have no membrane force at all.
    """
    exact = second_variation(STATES[name])
    coarse, fine = (quadratic_form(STATES[name], n, triangles) / exact - 1 for n in (16, 32))
    assert abs(fine) < 0.035
    assert (4 * fine - coarse) / 3 == pytest.approx(0.0, abs=0.016 if triangles else 0.008)


@pytest.mark.parametrize("triangles", [False, True])
@pytest.mark.parametrize("offset", [0.0, 0.03])
@pytest.mark.parametrize("warp", [0.0, 0.1])
@pytest.mark.parametrize("bending", ["waves", "nastran"])
def test_rigid_rotation_turns_forces_wholly_and_moments_half(triangles, offset, warp, bending):
    """K_geo (phi x r, phi) = (phi x f, phi x m / 2) on every element in any state of bending, from objectivity of the energy
    over rotation vectors: theta' = log(exp(phi) exp(theta)) = theta + phi + phi x theta / 2.
    """
    points, cells = grid(2, 2, lambda a, b: (a + 0.1 * a * b, b, warp * np.sin(2 * a) * b), triangles)
    zero = np.zeros((3, 3))
    section = ShellSection(
        1,
        membrane=zero,
        coupling=zero,
        bending=np.diag([20.0, 15.0, 6.0]),
        shear=np.diag([4e5, 3e5]),
        areal_mass=1.0,
        areal_first_moment=0.0,
        areal_inertia=0.0,
        thickness=0.01,
    )
    model = shell_model(points, cells, section, offset=offset, bending=bending)
    block, m = model.elements[0], len(cells)
    q = 1e-3 * np.random.default_rng(3).normal(size=(len(points), 6))
    stiffness = prepare(model, block).stiffness()
    f = (stiffness @ q[block.nodes].reshape(m, -1, 1)).reshape(m, -1, 6)
    k = prepare(model, block).geometric_stiffness(q)
    phi = np.array([0.3, -0.5, 0.2])
    turn = np.hstack([np.cross(phi, points), np.tile(phi, (len(points), 1))])[block.nodes].reshape(m, -1, 1)
    found = (k @ turn).reshape(m, -1, 6)
    assert np.abs(f[..., 3:]).max() > 0
    for part, share in ((slice(0, 3), 1.0), (slice(3, 6), 0.5)):
        expected = share * np.cross(phi, f[..., part])
        assert np.abs(found[..., part] - expected).max() < 1e-12 * np.abs(expected).max()
    assert np.abs(k - k.transpose(0, 2, 1)).max() < 1e-14 * np.abs(k).max()


def test_drilling_rotation_gets_no_stiffness_from_moments():
    """Rotation about the normal of a flat plate in bending turns nothing: the moments of the elements round a node cancel."""
    points, cells = grid(4, 4, lambda a, b: (a + 0.05 * np.sin(3 * b) * a * (1 - a), b))
    body = assemble(shell_model(points, cells, plate_section(THICKNESS, YOUNG, POISSON)))
    q = PlateState(curvature=(1.0, -0.6, 0.8)).displacement(points[:, 0], points[:, 1])
    k = geometric_stiffness(body, q[body.dofs.node, body.dofs.component]).toarray()
    inside = ((points[:, :2] > 0) & (points[:, :2] < 1)).all(axis=1)
    drilling = inside[body.dofs.node] & (body.dofs.component == 5)
    assert np.abs(k[drilling]).max() < 1e-12 * np.abs(k).max()


def critical(body, displacement):
    """The smallest positive load factor of K + lambda K_geo."""
    free = ~body.held()
    k = body.stiffness[free][:, free].toarray()
    values = eigh(-geometric_stiffness(body, displacement)[free][:, free].toarray(), k, eigvals_only=True)
    return 1 / values[-1]


LENGTH, WIDTH, DEPTH, E, G = 1.0, 0.1, 0.01, 7e10, 3.5e10


def strip(n, across, width=WIDTH, depth=DEPTH, **supports):
    points, cells = grid(n, across, lambda a, b: (LENGTH * a, width * (b - 0.5)))
    x, y, _ = points.T
    root, tip, axis = np.isclose(x, 0), np.isclose(x, LENGTH), np.isclose(y, 0)
    pairs = [(dict(root=root, ends=root | tip, pivots=(root | tip) & axis, pivot=root & axis)[key], digits)
             for key, digits in supports.items()]  # fmt: skip
    model = shell_model(points, cells, plate_section(depth, E, 0.0), supports=held(len(points), *pairs))
    return points, assemble(model)


def lateral_stiffness(width, depth, about_strong):
    """sqrt(E I G J) of a thin strip; I is that of the bending that follows the twist."""
    second = width * depth**3 / 12 if about_strong else depth * width**3 / 12
    return np.sqrt(E * second * G * width * depth**3 / 3)


def test_strip_twists_sideways_under_a_plate_bending_moment():
    """Uniform moment, ends held against twist and sideways motion: M = pi sqrt(E I G J)/L (Prandtl, Michell 1899), here with the
    moment as plate bending, so that there is no membrane force and K_geo is the moments' alone.
    """
    points, body = strip(16, 2, ends="34", pivots="2", pivot="1")
    q = np.zeros((len(points), 6))
    q[:, 2], q[:, 4] = -(points[:, 0] ** 2) / 2, points[:, 0]  # curvature 1
    moment = E * WIDTH * DEPTH**3 / 12
    found = critical(body, q[body.dofs.node, body.dofs.component]) * moment
    assert found == pytest.approx(np.pi / LENGTH * lateral_stiffness(WIDTH, DEPTH, False), rel=0.01)


@pytest.mark.parametrize("strong", [True, False])
def test_cantilever_strip_twists_sideways_under_a_tip_force(strong):
    """P = 4.0126 sqrt(E I G J)/L² (Prandtl): in the plane of the strip by membrane stress, across it by moments and shear.
    A clamped root keeps the section from warping, which lifts the load by about half the width over the length.
    """
    width, depth = 0.025, 0.0025
    points, body = strip(24, 2, width, depth, root="123456")
    tip = int(np.flatnonzero(np.isclose(points[:, 0], LENGTH) & np.isclose(points[:, 1], 0))[0])
    force = (0.0, 1.0, 0.0) if strong else (0.0, 0.0, 1.0)
    u = solve_static(body, nodal_loads(body, {tip + 1: force})).displacement[:, 0]
    expected = 4.0126 / LENGTH**2 * lateral_stiffness(width, depth, strong)
    assert critical(body, u) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("triangles", [False, True])
def test_euler_load_of_a_strip(triangles):
    """Pinned strip: pi² E I/L², less the shear flexibility (Engesser) and the second moment of the stress, 1e-4 here."""
    points, cells = grid(12, 1, lambda a, b: (LENGTH * a, WIDTH * b), triangles)
    x = points[:, 0]
    supports = held(
        len(points), (np.isclose(x, 0) | np.isclose(x, LENGTH), "3"), (np.isclose(x, 0), "1"), (slice(None), "246")
    )
    body = assemble(shell_model(points, cells, plate_section(DEPTH, E, 0.0), supports=supports))
    tip = np.flatnonzero(np.isclose(x, LENGTH))
    u = solve_static(body, nodal_loads(body, {int(i) + 1: (-0.5, 0, 0) for i in tip})).displacement[:, 0]
    euler = np.pi**2 * E * WIDTH * DEPTH**3 / 12 / LENGTH**2
    assert critical(body, u) == pytest.approx(euler, rel=0.03 if triangles else 1e-3)


@pytest.mark.parametrize("thickness", [0.05, 0.1])
def test_thick_plate_buckles_with_shear_and_the_second_moment_of_the_stress(thickness):
    """Simply supported square Mindlin plate under N: with normals turned by c times the slope, the load is the least over c of
    (D k⁴ c² + S k² (1 - c)²) / (k²/2 (1 + c² k² t²/12)), k² = 2 pi²; the last term is int z² sigma dz on the turning normals.
    """
    n, poisson = 12, 0.3
    points, cells = grid(n, n, lambda a, b: (a, b))
    x, y, _ = points.T
    section = plate_section(thickness, E, poisson)
    ends, sides = (x == 0) | (x == 1), (y == 0) | (y == 1)
    supports = held(
        len(points), (ends | sides, "3"), (ends, "4"), (sides, "5"), (x == 0, "1"), (y == 0, "2"), (slice(None), "6")
    )
    body = assemble(shell_model(points, cells, section, supports=supports))
    load = nodal_loads(body, {int(i) + 1: (-(0.5 if sides[i] else 1.0) / n, 0, 0) for i in np.flatnonzero(x == 1)})
    found = critical(body, solve_static(body, load).displacement[:, 0])
    k2, bending, shear = 2 * np.pi**2, section.bending[0, 0], section.shear[0, 0]

    def load_of(c, second=thickness**2 / 12):
        return (bending * k2**2 * c**2 + shear * k2 * (1 - c) ** 2) / (k2 / 2 * (1 + c * c * k2 * second))

    expected = minimize_scalar(load_of, bounds=(0, 1), method="bounded", options={"xatol": 1e-12}).fun
    without = minimize_scalar(lambda c: load_of(c, 0.0), bounds=(0, 1), method="bounded", options={"xatol": 1e-12}).fun
    assert found == pytest.approx(expected, rel=1e-3)
    assert abs(found / expected - 1) < 0.1 * abs(without / expected - 1)


def test_second_moment_of_an_unsymmetric_laminate_does_not_depend_on_the_reference_surface():
    """K_geo of the same layers referred to another surface, the offset undoing the shift, is the same to mesh error:
    P = D e + F k needs the third moment F of the plies there (2 % without).
    """
    stiff, soft = Isotropic.from_young(1, 7e10, 0.3), Isotropic.from_young(2, 1e9, 0.3)
    plies = (Ply(stiff, 0.05), Ply(soft, 0.15))
    points, cells = grid(8, 8, lambda a, b: (a, b))
    x, y = points[:, 0], points[:, 1]
    q = PlateState((1e-3, -2e-3, 1e-3), (0.1, -0.06, 0.08)).displacement(x, y)
    motion = np.hstack(smooth_motion(x, y))
    found = []
    for shift in (0.0, 0.05):
        model = shell_model(points, cells, laminate(1, plies, bottom=-0.1 + shift), offset=-shift)
        block = model.elements[0]
        k = prepare(model, block).geometric_stiffness(q)
        moved = motion[block.nodes].reshape(len(block), -1)
        found.append(np.einsum("mi,mij,mj->", moved, k, moved, optimize=True))
    assert found[1] == pytest.approx(found[0], rel=1e-3)
