"""Shells of varying thickness against closed forms of tapered strips, and by their order of convergence.

A strip with nu = 0 is a beam of width b and thickness t(x) = t0 (1 - x / (2 L)): deflections are integrals, frequencies are
zeros of Bessel functions. Thickness interpolated inside the element leaves the error of the fields alone: the fourth order of
the element length in bending and (quadrilaterals) in stretching, the second in stretching of triangles with constant strain.
One constant thickness per element would leave the second order everywhere. Shells of three and four nodes take the shear of a
side from the slope of its curvature, not from that of its stiffness: in elements longer than they are thick this leaves out
(t/L)² of the deflection, so the order is seen on a thin strip.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import iv, jv, kv, yv
from support.second_order import second_grid
from support.surfaces import grid, held

from tisserand.assembly.assemble import assemble
from tisserand.elements.registry import prepare
from tisserand.model import Isotropic, Nodes, Ply, ShellBlock, StructuralModel
from tisserand.model.laminate import homogeneous_shell, laminate
from tisserand.model.mass_points import mass_points
from tisserand.modes import solve_modes
from tisserand.statics import nodal_loads, ply_stresses, solve_static

LENGTH, WIDTH, THICK, YOUNG, DENSITY = 1.0, 0.25, 3e-4, 70e9, 2700.0
MATERIAL = Isotropic.from_young(1, YOUNG, 0.0, DENSITY)


def thickness(x):
    return THICK * (1.0 - 0.5 * x / LENGTH)


def strip(n, nodes, section=None):
    """Strip of n square cells along, clamped at x = 0; half the thickness at the end."""
    across = max(n // 4, 1)
    if nodes > 4:
        points, cells, _ = second_grid(n, across, lambda a, b: (LENGTH * a, WIDTH * b, 0.0), nodes)
    else:
        points, cells = grid(n, across, lambda a, b: (LENGTH * a, WIDTH * b), triangles=nodes == 3)
    section = section or homogeneous_shell(1, MATERIAL, THICK)
    m, x = len(cells), points[:, 0]
    taper = thickness(x)[cells] / THICK
    block = ShellBlock(np.arange(m) + 1, cells, np.zeros(m, int), np.tile([1.0, 0, 0], (m, 1)), np.zeros(m), taper)
    supports = held(len(points), (x == 0.0, "123456"), (np.ones(len(x), bool), "2"))
    return StructuralModel("strip", Nodes(np.arange(len(x)) + 1, points), (block,), (section,), supports=supports)


def pulled(model, direction):
    """Nodes of the end, their shares of a unit force spread over it, and displacements under it."""
    x, y, _ = model.nodes.positions.T
    end = np.flatnonzero(x == LENGTH)
    end = end[np.argsort(y[end])]
    second = model.elements[0].nodes.shape[1] > 4
    share = np.ones(len(end))
    if second:
        share[1::2], share[0::2] = 4.0, 2.0
    share[[0, -1]] = 1.0 if second else 0.5
    share /= share.sum()
    body = assemble(model)
    state = solve_static(body, nodal_loads(body, {int(k) + 1: s * np.eye(3)[direction] for k, s in zip(end, share)}))
    return body, end, share, state


def tip(n, nodes, direction):
    """Mean displacement of the end under a unit force spread over it."""
    body, end, share, state = pulled(strip(n, nodes), direction)
    return float(share @ body.displacements(state.displacement)[end, direction, 0])


def exact(direction):
    if direction == 0:
        return quad(lambda x: 1.0 / (YOUNG * WIDTH * thickness(x)), 0.0, LENGTH)[0]
    bending = quad(lambda x: 12.0 * (LENGTH - x) ** 2 / (YOUNG * WIDTH * thickness(x) ** 3), 0.0, LENGTH)[0]
    return bending + quad(lambda x: 1.0 / (5 / 6 * YOUNG / 2 * WIDTH * thickness(x)), 0.0, LENGTH)[0]


@pytest.mark.parametrize(
    ("nodes", "direction", "order"),
    [(4, 0, 4), (4, 2, 4), (8, 0, 4), (8, 2, 4), (6, 0, 4), (6, 2, 4), (3, 0, 2), (3, 2, 2)],
)
def test_a_tapered_strip_converges_to_the_integrals_with_the_order_of_its_fields(nodes, direction, order):
    """The order between two meshes of the asymptotic range, to a half; and an error that (h / L)^order allows, for derivatives
    of 1/t and 1/t³ that stay below 6^order with a ratio of two in thickness.
    """
    n, target = (16 if nodes < 5 else 8), exact(direction)
    coarse, fine = (abs(tip(k, nodes, direction) / target - 1.0) for k in (n, 2 * n))
    assert np.log2(coarse / fine) > order - 0.5, (coarse, fine)
    assert fine < (6.0 / (2 * n)) ** order / 24.0


def wedge_frequencies(count):
    """Hz of Euler's beam of width b and t = c s, s the distance from the point of the wedge, clamped at the thick end.

    (s³ w'')'' = kappa² s w has w = Z_1(2 sqrt(kappa s)) / sqrt(s) for Bessel's functions J, Y, I, K.
    """
    c = THICK / (2.0 * LENGTH)  # the point is at x = 2 L
    near, far = LENGTH, 2.0 * LENGTH

    def forms(kappa, s):
        z = 2.0 * np.sqrt(kappa * s)
        root = np.sqrt(kappa / s)
        value = np.array([f(1, z) for f in (jv, yv, iv, kv)]) / np.sqrt(s)
        # d/dz (Z_n / z^n) = -+ Z_(n+1) / z^n
        slope = root * np.array([-jv(2, z), -yv(2, z), iv(2, z), -kv(2, z)]) / np.sqrt(s)
        bend = root**2 * np.array([jv(3, z), yv(3, z), iv(3, z), kv(3, z)]) / np.sqrt(s)
        # s³ w'' = kappa s^(3/2) Z_3 s^(1/2): (z³ Z_3)' = +- z³ Z_2
        push = np.array([jv(2, z), yv(2, z), iv(2, z), -kv(2, z)])
        return value, slope, bend, push

    def determinant(kappa):
        value, slope, _, _ = forms(kappa, far)
        _, _, bend, push = forms(kappa, near)
        rows = np.array([value, slope, bend, push])
        return np.linalg.det(rows / np.abs(rows).max(axis=1, keepdims=True) / np.abs(rows[0]))

    trial = np.linspace(0.5, 80.0, 4000)
    signs = np.sign([determinant(k) for k in trial])
    roots = [brentq(determinant, a, b) for a, b, s in zip(trial, trial[1:], signs[1:] * signs[:-1]) if s < 0]
    return np.array(roots[:count]) * np.sqrt(YOUNG * c * c / (12.0 * DENSITY)) / (2.0 * np.pi)


@pytest.mark.parametrize("nodes", [4, 8])
def test_frequencies_of_a_tapered_strip_are_those_of_the_wedge(nodes):
    """The mesh adds about (k h)^4 / 720 to mode three, k h = 7.9 / 16 (cubic deflection along the strip); that and the order of
    the clamped corner, another as much.
    """
    theirs = wedge_frequencies(3)
    free = np.asarray(solve_modes(assemble(strip(16, nodes)), count=8).frequencies_hz)
    ours = [free[np.argmin(np.abs(free - f))] for f in theirs]
    assert np.asarray(ours) == pytest.approx(theirs, rel=2 * (7.9 / 16) ** 4 / 720)


@pytest.mark.parametrize("nodes", [3, 4, 6, 8])
@pytest.mark.parametrize("recipe", ["consistent", "lumped", "coupled", "bodies"])
def test_mass_of_a_tapered_strip_is_exact(nodes, recipe):
    model = strip(3, nodes)
    mass = prepare(model, model.elements[0]).mass(recipe)
    rigid = np.tile([0.0, 0, 1, 0, 0, 0], mass.shape[1] // 6)
    assert rigid @ mass.sum(axis=0) @ rigid == pytest.approx(DENSITY * WIDTH * THICK * 0.75 * LENGTH, rel=1e-12)


def test_nonstructural_mass_does_not_grow_and_first_moments_of_a_laminate_do():
    """int rho dz = rho t + n, int rho z dz about the bottom = rho t²/2 + n t/2; the points of the mass see the same."""
    plies = (Ply(MATERIAL, 0.6 * THICK), Ply(MATERIAL, 0.4 * THICK, 0.3))
    section = laminate(1, plies, bottom=0.0, nonstructural_mass=3.0)
    model = strip(4, 4, section)
    points, weights = mass_points(model.nodes, model.elements[0], model.sections)
    assert len(model.elements[0]) == 4
    total = DENSITY * WIDTH * THICK * 0.75 * LENGTH + 3.0 * WIDTH * LENGTH
    assert weights.sum() == pytest.approx(total, rel=1e-12)
    height = quad(lambda x: WIDTH * (DENSITY * thickness(x) ** 2 / 2 + 3.0 * thickness(x) / 2), 0.0, LENGTH)[0] / total
    assert weights @ points[:, 2] / weights.sum() == pytest.approx(height, rel=1e-12)
    mass = prepare(model, model.elements[0]).mass("consistent")
    tilt = np.zeros((len(mass), 4, 6))
    tilt[..., 2], tilt[..., 4] = -model.nodes.positions[model.elements[0].nodes, 0], 1.0  # turning about y
    pushed = np.einsum("mij,mj->mi", mass, tilt.reshape(len(mass), -1))
    assert pushed[:, 0::6].sum() == pytest.approx(height * total, rel=1e-12)


@pytest.mark.parametrize("nodes", [4, 8])
def test_surface_stress_of_a_tapered_strip(nodes):
    """6 M / (b t²) at the centers. A linear curvature misses h²/12 of its second derivative at most, c = 12 (L - x) / (E b t³):
    c'' = c (12 t'² / t² - 6 t' / (t (L - x))).
    """
    model = strip(8, nodes)
    body, _, _, state = pulled(model, 2)
    (found,) = ply_stresses(body, state.displacement[:, 0])
    x = model.nodes.positions[model.elements[0].nodes[:, :4], 0].mean(axis=1)
    t, slope = thickness(x), -0.5 * THICK / LENGTH
    exact = 6.0 * (LENGTH - x) / (WIDTH * t**2)
    second = np.abs(12.0 * slope**2 / t**2 - 6.0 * slope / (t * (LENGTH - x)))
    allowed = exact * second * (LENGTH / 8) ** 2 / 12.0
    assert (np.abs(np.abs(found.stress[:, 0, 2, 0]) - exact) < allowed).all()


def test_one_thickness_for_all_nodes_is_a_thicker_section():
    """Taper of 1.7 everywhere equals a section of 1.7 times the thickness, to rounding."""
    plain, thick = strip(3, 4), strip(3, 4, homogeneous_shell(1, MATERIAL, 1.7 * THICK))
    block = plain.elements[0]
    grown = plain.changed(elements=(type(block)(block.ids, block.nodes, block.section, block.material_axis, block.offset,
                                                np.full(block.nodes.shape, 1.7)),))  # fmt: skip
    even = thick.changed(
        elements=(type(block)(block.ids, block.nodes, block.section, block.material_axis, block.offset),)
    )
    first, second = (prepare(m, m.elements[0]) for m in (grown, even))
    moved = np.random.default_rng(3).normal(size=(len(plain.nodes), 6, 1))
    pairs = [(first.stiffness(), second.stiffness()), (first.mass("consistent"), second.mass("consistent"))]
    pairs.append((next(first.geometric_states(moved)), next(second.geometric_states(moved))))
    for ours, theirs in pairs:
        assert np.abs(ours - theirs).max() <= 1e-12 * np.abs(theirs).max()


def test_a_section_without_materials_cannot_vary():
    from support.surfaces import plate_section

    from tisserand.errors import ModelError

    model = strip(2, 4, plate_section(THICK, YOUNG, 0.0, DENSITY))
    with pytest.raises(ModelError, match="varying thickness needs a section made of materials"):
        prepare(model, model.elements[0]).stiffness()


def test_a_shell_may_end_in_a_point():
    """Thickness zero at the end: the mass of the wedge, and a stiffness of full rank."""
    model = strip(3, 4)
    block = model.elements[0]
    x = model.nodes.positions[:, 0]
    sharp = replace(block, taper=(1.0 - x)[block.nodes])
    part = prepare(model.changed(elements=(sharp,)), sharp)
    lift = np.tile([0.0, 0, 1, 0, 0, 0], 4)
    assert lift @ part.mass("consistent").sum(axis=0) @ lift == pytest.approx(DENSITY * WIDTH * THICK / 2, rel=1e-12)
    values = np.linalg.eigvalsh(part.stiffness())
    assert (values[:, 6] > 0.0).all() and (np.abs(values[:, :6]) < 1e-9 * values[:, -1:]).all()
    with pytest.raises(ValueError, match="must not be below zero"):
        replace(block, taper=-np.ones(block.nodes.shape))
