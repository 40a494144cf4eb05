"""Plates, cylinders and blocks against Navier's series, sandwich theory, ring theory and mass properties."""

import numpy as np
import pytest

import tisserand as ts
from tisserand.model.laminate import homogeneous_shell


def frequencies(model, count=4):
    return ts.solve_modes(ts.assemble(model), count=count).frequencies_hz


def test_simply_supported_plate():
    """Navier: f_mn = pi/2 sqrt(D / rho h) ((m/a)^2 + (n/b)^2)."""
    a, b, h = 1.2, 0.8, 0.004
    model = ts.plate(a, b, ts.sheet(ts.ALUMINUM, h), elements=(36, 24)).with_support("edge", "123")
    D = ts.ALUMINUM.young * h**3 / 12 / (1 - ts.ALUMINUM.poisson**2)
    wanted = sorted(
        np.pi / 2 * np.sqrt(D / (2700 * h)) * ((m / a) ** 2 + (n / b) ** 2) for m in range(1, 4) for n in range(1, 4)
    )[:4]
    np.testing.assert_allclose(frequencies(model), wanted, rtol=4e-3)


def test_simply_supported_sandwich():
    """Thin faces on a core: w^2 m = D k^4 / (1 + D k^2 / S), D = E t d^2 / 2 (1 - nu^2), S = G d^2 / c for both directions."""
    a = b = 0.9
    t, c = 0.3e-3, 0.02
    core = ts.orthotropic(1.0, 1.0, 0.0, 1.0, 50.0, shear_1z=100e6, shear_2z=100e6)
    wall = ts.honeycomb(ts.ALUMINUM, t, core, c)
    assert wall.areal_mass == pytest.approx(2 * 2700 * t + 50 * c, rel=1e-12)
    model = ts.plate(a, b, wall, elements=(24, 24))
    for edge, held in (
        ("x-", "1234"),
        ("x+", "1234"),
        ("y-", "1235"),
        ("y+", "1235"),
    ):  # no turn of the edge's fibers along it
        model = model.with_support(edge, held)
    d = c + t
    D = ts.ALUMINUM.young * t * d**2 / 2 / (1 - ts.ALUMINUM.poisson**2)
    S = 100e6 * d**2 / c
    k2 = np.pi**2 * (1 / a**2 + 1 / b**2)
    wanted = np.sqrt(D * k2**2 / (1 + D * k2 / S) / wall.areal_mass) / (2 * np.pi)
    assert frequencies(model, 1)[0] == pytest.approx(wanted, rel=6e-3)


def test_specially_orthotropic_laminate():
    """Cross-ply, simply supported: f = pi/2 sqrt((D11/a^4 + 2 (D12 + 2 D66)/(a b)^2 + D22/b^4) / mass) for m = n = 1, thin."""
    ply = ts.CARBON_T300
    wall = ts.laminate([(ply, 2e-4, 0.0), (ply, 2e-4, 90.0)], symmetric=True)
    a, b = 1.0, 0.7
    model = ts.plate(a, b, wall, elements=(30, 22)).with_support("edge", "123")
    E1, E2, nu, G = 181e9, 10.3e9, 0.28, 7.17e9
    Q = np.array([[E1, nu * E2], [nu * E2, E2]]) / (1 - nu**2 * E2 / E1)
    z = np.array([-4e-4, -2e-4, 2e-4, 4e-4])
    outer, inner = (z[1] ** 3 - z[0] ** 3) * 2 / 3, (z[2] ** 3 - z[1] ** 3) / 3
    D11, D22 = Q[0, 0] * outer + Q[1, 1] * inner, Q[1, 1] * outer + Q[0, 0] * inner
    D12, D66 = Q[0, 1] * (outer + inner), G * (outer + inner)
    k = D11 / a**4 + 2 * (D12 + 2 * D66) / (a * b) ** 2 + D22 / b**4
    wanted = np.pi / 2 * np.sqrt(k / (1600 * 8e-4))
    assert frequencies(model, 1)[0] == pytest.approx(wanted, rel=6e-3)


def test_plate_names_its_edges():
    model = ts.plate(2.0, 1.0, ts.sheet(ts.STEEL, 0.01), elements=(6, 4))
    x = model.nodes.positions
    for word, column, value in (("x-", 0, 0.0), ("x+", 0, 2.0), ("y-", 1, -0.5), ("y+", 1, 0.5)):
        assert sorted(model.at(word)) == np.flatnonzero(np.abs(x[:, column] - value) < 1e-12).tolist()
    np.testing.assert_allclose(model.position("root"), [0, 0, 0], atol=1e-15)
    np.testing.assert_allclose(model.position("tip"), [2, 0, 0], atol=1e-15)
    assert "root" not in ts.plate(2.0, 1.0, ts.sheet(ts.STEEL, 0.01), elements=(6, 3)).interfaces


def test_triangles_and_rectangles_have_one_mass():
    wall = ts.sheet(ts.ALUMINUM, 0.003, extra_mass=0.4)
    for triangles in (False, True):
        found = ts.mass_properties_of(ts.assemble(ts.plate(2.0, 1.0, wall, triangles=triangles)))
        m = 2.0 * (0.003 * 2700 + 0.4)
        assert found.mass == pytest.approx(m, rel=1e-12)
        np.testing.assert_allclose(np.diag(found.inertia)[:2], m * np.array([1, 4]) / 12, rtol=1e-4)


def test_cylinder_bends_as_a_tube_and_rings_as_a_ring():
    """Long tube with fittings: tip stiffness of the beam with shear (factor 1/2). Free ring: n = 2,
    w^2 = n^2 (n^2-1)^2 / (n^2+1) * E h^2 / 12 rho R^4 (Love; plane-strain modulus for a long shell)."""
    R, L, h = 0.1, 2.0, 0.002
    model = ts.cylinder(R, L, ts.sheet(ts.ALUMINUM, h), elements=(48, 40), fittings=True).with_support("root")
    assembled = ts.assemble(model)
    node = model.at("tip")[0]
    load = np.zeros(assembled.size)
    load[assembled.dofs.index[node, 2]] = 1.0
    moved = assembled.displacements(ts.solve_static(assembled, load).displacement)[node, 2, 0]
    E, G = ts.ALUMINUM.young, ts.ALUMINUM.shear
    I, A = np.pi * R**3 * h, 2 * np.pi * R * h
    assert moved == pytest.approx(L**3 / (3 * E * I) + L / (0.5 * G * A), rel=0.01)
    ring = ts.cylinder(R, 0.004, ts.sheet(ts.ALUMINUM, h), elements=(96, 1))
    wanted = np.sqrt(36 / 5 * E * h**2 / (12 * 2700 * R**4)) / (2 * np.pi)
    assert frequencies(ring, 1)[0] == pytest.approx(wanted, rel=0.01)


@pytest.mark.parametrize("quadratic", [True, False])
def test_block_mass_and_axial_frequency(quadratic):
    """Free-free bar: f = sqrt(E / rho) / 2 L for the first axial mode of a slender bar (Poisson correction below 1e-3)."""
    size, steel = (1.0, 0.04, 0.06), ts.isotropic(200e9, 0.0, 8000.0)
    model = ts.block(size, steel, elements=(12, 2, 2), quadratic=quadratic)
    assembled = ts.assemble(model)
    found = ts.mass_properties_of(assembled)
    m = 8000 * np.prod(size)
    assert found.mass == pytest.approx(m, rel=1e-12)
    np.testing.assert_allclose(found.center, [0.5, 0, 0], atol=1e-12)
    square = np.array(size) ** 2
    inertia = m / 12 * (square.sum() - square)
    np.testing.assert_allclose(np.diag(found.inertia), inertia, rtol=2e-2 if not quadratic else 1e-9)
    axial = np.sqrt(200e9 / 8000) / 2
    basis = ts.solve_modes(assembled, fmin_hz=0.97 * axial, fmax_hz=1.03 * axial)
    assert any(abs(f / axial - 1) < (4e-3 if not quadratic else 1e-4) for f in basis.frequencies_hz)


def test_sheet_is_the_homogeneous_plate():
    made, known = ts.sheet(ts.TITANIUM, 0.002), homogeneous_shell(1, ts.TITANIUM, 0.002)
    np.testing.assert_array_equal(made.bending, known.bending)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: ts.plate(0.0, 1.0, ts.sheet(ts.STEEL, 0.01)), "length"),
        (lambda: ts.plate(1.0, 1.0, ts.sheet(ts.STEEL, 0.01), elements=(0, 3)), "too few"),
        (lambda: ts.cylinder(1.0, 1.0, ts.sheet(ts.STEEL, 0.01), elements=(2, 3)), "at least 3"),
        (lambda: ts.block((1, 1), ts.STEEL), "three positive"),
        (lambda: ts.sheet(ts.STEEL, 0.0), "thickness"),
        (lambda: ts.orthotropic(1e9, 1e11, 0.3, 1e9, 1.0), "positive definite"),
        (lambda: ts.honeycomb([(ts.STEEL, 1e-3, 0.0)], 1e-3, ts.HONEYCOMB, 0.02), "define their own thickness"),
        (lambda: ts.honeycomb(ts.STEEL, None, ts.HONEYCOMB, 0.02), "needs its thickness"),
    ],
)
def test_refusals_say_what_is_wrong(make, words):
    with pytest.raises(ts.InputError, match=words):
        make()
