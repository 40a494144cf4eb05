"""Shells with midside nodes on classic benchmarks, against published targets, closed forms and Rayleigh-Ritz.

Targets: Scordelis-Lo 0.3024, pinched cylinder 1.82488e-5, hemisphere with hole 0.0940, twisted beam 0.005424 and 0.001754
(MacNeal and Harder 1985) and, thin, 5256 and 1294 (Belytschko 1989).
"""

import numpy as np
import pytest
from elements.test_shell_geometric import critical
from elements.test_shell_statics import displaced, nearest
from elements.test_shell_vibration import (
    DENSITY,
    POISSON,
    YOUNG,
    cantilever,
    clamped,
    free,
    mindlin,
    rhombus,
    ritz,
    simply_supported,
    square,
    tapered,
)
from oracles.plate_ritz import converged, membrane
from support.second_order import SHARES, second_grid
from support.surfaces import held, plate_section, shell_model

from tisserand.assembly.assemble import assemble
from tisserand.elements.registry import prepare
from tisserand.modes import solve_modes
from tisserand.statics import nodal_loads, solve_static

pytestmark = pytest.mark.slow


def roof(n, nodes):
    """Scordelis-Lo roof, a quarter: free-edge midpoint over 0.3024."""
    radius, angle = 25.0, np.radians(40)
    points, cells, unit = second_grid(
        n, n, lambda a, b: (radius * np.sin(angle * b), 25.0 * a, radius * np.cos(angle * b)), nodes
    )
    a, b = unit.T
    supports = held(len(points), (a == 0, "13"), (a == 1, "246"), (b == 0, "156"))
    area = 25.0 * radius * angle / len(cells)
    weight = np.zeros(len(points))
    np.add.at(weight, cells.ravel(), 90.0 * area * np.tile(SHARES[nodes], len(cells)))
    forces = {i: (0.0, 0.0, -w) for i, w in enumerate(weight)}
    u = displaced(points, cells, plate_section(0.25, 4.32e8, 0.0), supports, forces, (0, 1, 0))
    return -u[np.flatnonzero((a == 1) & (b == 1))[0], 2] / 0.3024


def cylinder(n, nodes):
    """Pinched cylinder with end diaphragms, an eighth: deflection under the load over 1.82488e-5."""
    points, cells, unit = second_grid(
        n, n, lambda a, b: (300 * np.sin(np.pi / 2 * b), 300 * a, 300 * np.cos(np.pi / 2 * b)), nodes
    )
    a, b = unit.T
    supports = held(len(points), (a == 0, "13"), (a == 1, "246"), (b == 0, "156"), (b == 1, "345"))
    top = int(np.flatnonzero((a == 1) & (b == 0))[0])
    u = displaced(points, cells, plate_section(3.0, 3e6, 0.3), supports, {top: (0, 0, -0.25)}, (0, 1, 0))
    return -u[top, 2] / 1.82488e-5


def hemisphere(n, nodes):
    """Hemisphere with an 18 degree hole under alternating radial loads, a quarter: over 0.0940."""

    def place(a, b):
        phi, theta = np.pi / 2 * a, np.radians(18 + 72 * b)
        return 10 * np.sin(theta) * np.cos(phi), 10 * np.sin(theta) * np.sin(phi), 10 * np.cos(theta)

    points, cells, _ = second_grid(n, n, place, nodes)
    x, y, _ = points.T
    a, b = nearest(points, (10, 0, 0)), nearest(points, (0, 10, 0))
    supports = held(len(points), (np.abs(y) < 1e-6, "246"), (np.abs(x) < 1e-6, "156"), ([a], "3"))
    section = plate_section(0.04, 6.825e7, 0.3)
    return displaced(points, cells, section, supports, {a: (1, 0, 0), b: (0, -1, 0)}, (0.6, 0.6, 0.5))[a, 0] / 0.0940


def twisted_beam(thickness, direction, nodes):
    """Cantilever 12 x 1.1 twisted by 90 degrees, 6 x 1 cells: tip displacement per unit load."""

    def place(a, b):
        angle, width = np.pi / 2 * a, 1.1 * (b - 0.5)
        return 12 * a, width * np.cos(angle), width * np.sin(angle)

    points, cells, unit = second_grid(6, 1, place, nodes)
    tip = np.flatnonzero(unit[:, 0] == 1)
    force = np.zeros((3, 3))
    force[:, direction] = np.array([1.0, 4.0, 1.0]) / 6
    supports = held(len(points), (unit[:, 0] == 0, "123456"))
    u = displaced(points, cells, plate_section(thickness, 29e6, 0.22), supports, dict(zip(tip, force)), (1, 0, 0))
    return u[tip[1], direction]


@pytest.mark.parametrize(
    ("problem", "n", "nodes", "low", "high"),
    [
        (roof, 4, 8, 0.984, 1.002), (roof, 8, 6, 0.984, 1.002), (cylinder, 4, 8, 0.93, 1.01), (cylinder, 8, 8, 0.98, 1.01),
        (cylinder, 8, 6, 0.90, 1.01), (hemisphere, 4, 8, 0.97, 1.01), (hemisphere, 8, 6, 0.97, 1.01),
        (hemisphere, 4, 9, 0.97, 1.01),
    ],
)  # fmt: skip
def test_curved_shells(problem, n, nodes, low, high):
    assert low < problem(n, nodes) < high


@pytest.mark.parametrize("nodes", [6, 8])
@pytest.mark.parametrize(("direction", "thick", "thin"), [(2, 0.005424, 5256.0), (1, 0.001754, 1294.0)])
def test_twisted_beam(nodes, direction, thick, thin):
    """Warped elements, thickness 0.32 and 0.0032 (L/t 3750)."""
    assert twisted_beam(0.32, direction, nodes) == pytest.approx(thick, rel=0.01)
    assert twisted_beam(0.0032, direction, nodes) == pytest.approx(thin, rel=0.05 if nodes == 6 else 0.01)


@pytest.mark.parametrize("nodes", [6, 8, 9])
@pytest.mark.parametrize("warped", [0.0, 0.3])
def test_clamped_plate_does_not_lock(nodes, warped):
    """Clamped square plate under a central load: w = 0.00560 P a²/D, the same from t/a = 1e-3 to 1e-5, also with curved sides."""

    def place(a, b):
        bump = warped / 4 * np.sin(np.pi * a) * np.sin(np.pi * b)
        return 0.5 * (a + bump * np.cos(9 * a)), 0.5 * (b + bump * np.cos(7 * b))

    points, cells, unit = second_grid(4, 4, place, nodes)
    a, b = unit.T
    supports = held(len(points), (slice(None), "126"), ((a == 1) | (b == 1), "345"), (a == 0, "5"), (b == 0, "4"))
    values = []
    for ratio in (1e-3, 1e-4, 1e-5):
        section = plate_section(ratio, 1e7, 0.3)
        u = displaced(points, cells, section, supports, {0: (0, 0, 0.25)}, (1, 0, 0))
        values.append(u[0, 2] * section.bending[0, 0])
    assert values == pytest.approx([0.00560] * 3, rel=0.02)
    assert values[1:] == pytest.approx([values[0]] * 2, rel=1e-3)


def frequencies(n, place, thickness, boundary, count, nodes, recipe="consistent", m=None):
    points, cells, unit = second_grid(n, m or n, place, nodes)
    section = plate_section(thickness, YOUNG, POISSON, DENSITY)
    model = shell_model(points, cells, section, supports=held(len(points), *boundary(*unit.T)))
    return np.array(solve_modes(assemble(model, recipe), count=count).frequencies_hz)


@pytest.mark.parametrize("nodes", [6, 8])
def test_fv12_and_fv16(nodes):
    """Free and cantilevered thin plate, 8 x 8: within 0.5 % of the converged solution, 1 % of the targets."""
    found = frequencies(8, square, 0.05, free, 5, nodes)
    assert np.allclose(found, [1.622, 2.360, 2.922, 4.190, 4.190], rtol=0.005)
    assert np.allclose(found, ritz(square, "ffff", 0.05, 5), rtol=0.005)
    found = frequencies(8, square, 0.05, cantilever, 6, nodes)
    assert np.allclose(found, [0.421, 1.029, 2.582, 3.306, 3.753, 6.555], rtol=0.01)
    assert np.allclose(found, ritz(square, "cfff", 0.05, 6), rtol=0.005)


def test_fv15_and_fv22_rhombic_plates():
    """Clamped, 45 degrees, thin and thick, eight-node elements at the standard meshes: within 1 % of the converged solution."""
    assert np.allclose(frequencies(12, rhombus, 0.05, clamped, 6, 8), ritz(rhombus, "cccc", 0.05, 6, 18), rtol=0.01)
    assert np.allclose(frequencies(10, rhombus, 1.0, clamped, 6, 8), ritz(rhombus, "cccc", 1.0, 6), rtol=0.01)


@pytest.mark.parametrize("nodes", [6, 8])
def test_fv32_tapered_membrane(nodes):
    """In the plane: all six modes within 1.5 % of the converged solution on 8 x 4 elements, 0.1 % on 16 x 8."""

    def flat(u, v):
        return [(slice(None), "345"), (u == 0, "126")]

    corners = [tapered(0, 0), tapered(1, 0), tapered(1, 1), tapered(0, 1)]
    exact = converged(lambda d: membrane(corners, "cfff", YOUNG, POISSON, DENSITY, 6, d), 18, 1e-4)
    assert np.allclose(frequencies(8, tapered, 0.05, flat, 6, nodes, m=4), exact, rtol=0.015)
    found = frequencies(16, tapered, 0.05, flat, 6, nodes, m=8)
    assert np.allclose(found, [44.623, 130.03, 162.70, 246.05, 379.90, 391.44], rtol=0.001)
    assert np.allclose(found, exact, rtol=0.001)


@pytest.mark.parametrize("nodes", [6, 8, 9])
def test_stretching_waves_converge_with_the_fourth_power(nodes):
    """A fixed-free bar of flat elements in extension: f = sqrt(E/rho)/4 L; from 4 to 8 elements the error falls tenfold."""
    errors = []
    for n in (4, 8):
        points, cells, unit = second_grid(n, 1, lambda a, b, n=n: (a, b / n), nodes)
        supports = held(len(points), (slice(None), "23456"), (unit[:, 0] == 0, "1"))
        model = shell_model(points, cells, plate_section(0.1, 1.0, 0.0, 1.0), supports=supports)
        errors.append(4.0 * solve_modes(assemble(model), count=1).frequencies_hz[0] - 1)
    assert abs(errors[1]) < 1e-4 and abs(errors[0]) > 10.0 * abs(errors[1])


@pytest.mark.parametrize(("nodes", "order"), [(6, 3.0), (8, 3.5), (9, 3.5)])
def test_frequencies_converge_with_the_fourth_power_of_the_mesh_size(nodes, order):
    """Simply supported plate against Navier: from 4 x 4 to 8 x 8 the error of modes 1, 2 and 4 falls by 2^order or more."""
    exact = np.array([mindlin(0.05, *waves) for waves in ((1, 1), (1, 2), (2, 2))])
    errors = [frequencies(n, square, 0.05, simply_supported, 4, nodes)[[0, 1, 3]] / exact - 1 for n in (4, 8)]
    assert (np.abs(errors[0] / errors[1]) > 2.0**order).all()


@pytest.mark.parametrize("nodes", [6, 8])
@pytest.mark.parametrize("recipe", ["lumped", "coupled", "bodies"])
def test_every_mass_converges(nodes, recipe):
    exact = mindlin(0.05, 1, 1)
    errors = [abs(frequencies(n, square, 0.05, simply_supported, 1, nodes, recipe)[0] / exact - 1) for n in (4, 8)]
    assert errors[1] < 0.015 and errors[1] < errors[0] / 3


@pytest.mark.parametrize("nodes", [6, 8, 9])
def test_plate_buckles_at_the_closed_form(nodes):
    """Simply supported thin square plate pressed along x: N = 4 pi² D / a², 4 x 4 cells."""
    points, cells, unit = second_grid(4, 4, lambda a, b: (a, b), nodes)
    a, b = unit.T
    section = plate_section(1e-3, 7e10, 0.3)
    ends, sides = (a == 0) | (a == 1), (b == 0) | (b == 1)
    supports = held(
        len(points), (ends | sides, "3"), (ends, "4"), (sides, "5"), (a == 0, "1"), (b == 0, "2"), (slice(None), "6")
    )
    body = assemble(shell_model(points, cells, section, supports=supports))
    edge = np.flatnonzero(a == 1)[np.argsort(b[a == 1])]
    share = np.zeros(len(edge))
    for start in range(0, len(edge) - 1, 2):
        share[start : start + 3] += np.array([1.0, 4.0, 1.0]) / 24
    load = nodal_loads(body, {int(i) + 1: (-s, 0, 0) for i, s in zip(edge, share)})
    found = critical(body, solve_static(body, load).displacement[:, 0])
    assert found == pytest.approx(4 * np.pi**2 * section.bending[0, 0], rel=0.02)


@pytest.mark.parametrize("nodes", [6, 8])
def test_shear_force_of_a_cantilever_plate(nodes):
    """Tip load: Q = F/b and M = F (L - x)/b at the center of every cell of a strip without Poisson effect."""
    length, width = 2.0, 0.5
    points, cells, unit = second_grid(8, 2, lambda a, b: (length * a, width * b), nodes)
    a, b = unit.T
    section = plate_section(0.01, 7e10, 0.0)
    body = assemble(
        shell_model(points, cells, section, supports=held(len(points), (a == 0, "123456"), (slice(None), "4")))
    )
    tip = np.flatnonzero(a == 1)[np.argsort(b[a == 1])]
    share = np.array([1.0, 4.0, 2.0, 4.0, 1.0]) / 12
    state = solve_static(body, nodal_loads(body, {int(i) + 1: (0, 0, 6.0 * s) for i, s in zip(tip, share)}))
    model = body.structure
    found = prepare(model, model.elements[0]).resultants(body.displacements(state.displacement)[:, :, 0])
    middle = points[cells[:, :3] if nodes == 6 else cells[:, :4]].mean(axis=1)
    assert np.abs(found["shear"][:, 0]) == pytest.approx(6.0 / width, rel=0.02)
    assert np.abs(found["moment"][:, 0]) == pytest.approx(6.0 * (length - middle[:, 0]) / width, rel=0.01)
