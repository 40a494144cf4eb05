"""Booms, frames, trusses and masts against closed forms of beam theory and statics."""

import numpy as np
import pytest

import tisserand as ts

CLAMPED_FREE = np.array([1.87510407, 4.69409113, 7.85475744])
FREE_FREE = np.array([4.73004074, 7.85320462, 10.99560784])


def frequency(root, length, EI, mu):
    """Hz of an Euler-Bernoulli beam: root = beta L (Blevins, table 8-1)."""
    return (root / length) ** 2 * np.sqrt(EI / mu) / (2 * np.pi)


def deflection(model, at, force):
    """Displacement (6,) at a point under a force (6,) there."""
    assembled = ts.assemble(model)
    load = np.zeros(assembled.size)
    node = model.at(at)[0]
    for c, value in enumerate(force):
        if value:
            load[assembled.dofs.index[node, c]] = value
    return assembled.displacements(ts.solve_static(assembled, load).displacement)[node, :, 0]


@pytest.mark.parametrize("clamped", [True, False])
def test_boom_frequencies(clamped):
    model = ts.boom(3.2, ts.rigidities((100.0, 400.0), 1.5), elements=40, clamped=clamped)
    found = ts.solve_modes(ts.assemble(model), count=6).frequencies_hz
    roots = CLAMPED_FREE if clamped else FREE_FREE
    wanted = np.sort([frequency(r, 3.2, EI, 1.5) for EI in (100.0, 400.0) for r in roots])[:4]
    np.testing.assert_allclose(found[:4], wanted, rtol=1e-5)


def test_boom_with_tip_mass_on_a_light_beam():
    """w^2 = 3 EI / (L^3 (m + 33/140 mu L)) (Rayleigh's estimate, within 2e-4 for m = 10 mu L)."""
    L, EI, mu = 2.0, 50.0, 0.1
    model = ts.boom(L, ts.rigidities(EI, mu), tip_mass=10 * mu * L)
    found = ts.solve_modes(ts.assemble(model), count=2).frequencies_hz[0]
    wanted = np.sqrt(3 * EI / (L**3 * (10 + 33 / 140) * mu * L)) / (2 * np.pi)
    assert found == pytest.approx(wanted, rel=2e-4)


def test_rigidities_act_where_they_are_stated():
    """Tip stiffness 3 EI / L^3 in the plane of `up` and across it, EA / L along, GJ / L in torsion."""
    L, EIy, EIz, EA, GJ = 2.0, 300.0, 70.0, 5e4, 40.0
    model = ts.boom(L, ts.rigidities((EIy, EIz), 1.0, axial=EA, torsion=GJ))
    for component, stiffness in ((2, 3 * EIy / L**3), (1, 3 * EIz / L**3), (0, EA / L), (3, GJ / L)):
        force = np.zeros(6)
        force[component] = 1.0
        assert deflection(model, "tip", force)[component] == pytest.approx(1 / stiffness, rel=1e-8)


@pytest.mark.parametrize("direction, up", [((1, 0, 0), None), ((0, 0, 1), None), ((1, 1, 0), (1, -1, 0))])
def test_a_tube_bends_by_its_own_second_moment(direction, up):
    """I = pi (D^4 - d^4) / 64, with the shear of Timoshenko's beam (factor 0.5): F L^3 / 3 EI + F L / k G A."""
    D, t, L = 0.05, 0.002, 1.5
    model = ts.boom(L, ts.tube(D, t), ts.ALUMINUM, direction=direction, up=up)
    d = D - 2 * t
    I, A = np.pi * (D**4 - d**4) / 64, np.pi * (D**2 - d**2) / 4
    E, G = ts.ALUMINUM.young, ts.ALUMINUM.shear
    across = np.cross(direction, (0.3, 0.2, 0.5))
    across = across / np.linalg.norm(across)
    moved = deflection(model, "tip", [*across, 0, 0, 0])[:3] @ across
    assert moved == pytest.approx(L**3 / (3 * E * I) + L / (0.5 * G * A), rel=1e-6)


def test_mass_properties_of_a_boom_with_a_tip_body():
    L, mu, m, arm = 3.0, 0.8, 2.0, np.array([0.1, 0.0, 0.2])
    inertia = np.diag([0.3, 0.2, 0.1])
    model = ts.boom(L, ts.rigidities(10.0, mu), tip_mass=m, tip_offset=arm, tip_inertia=inertia)
    found = ts.mass_properties_of(ts.assemble(model))
    at = np.array([L, 0, 0]) + arm
    total = mu * L + m
    center = (mu * L * np.array([L / 2, 0, 0]) + m * at) / total

    def about(mass, offset):
        return mass * (offset @ offset * np.eye(3) - np.outer(offset, offset))

    wanted = np.diag([0, 1, 1]) * mu * L**3 / 12 + about(mu * L, np.array([L / 2, 0, 0]) - center)
    wanted = wanted + inertia + about(m, at - center)
    assert found.mass == pytest.approx(total, rel=1e-12)
    np.testing.assert_allclose(found.center, center, atol=1e-12)
    np.testing.assert_allclose(found.inertia, wanted, atol=1e-10)


def test_truss_statics():
    """Two bars at 45 degrees under a load W: each carries W / sqrt 2, the tip sinks by W L / (E A) with bars of length L."""
    L, A = 2.0, 1e-4
    h = L / np.sqrt(2)
    model = ts.truss(
        {"left": (-h, 0, 0), "right": (h, 0, 0), "tip": (0, 0, -h)}, [("left", "tip"), ("right", "tip")], A, ts.STEEL
    )
    model = model.with_support("left", "123").with_support("right", "123").with_support("tip", "2")
    W = 1000.0
    moved = deflection(model, "tip", [0, 0, -W, 0, 0, 0])
    assert moved[2] == pytest.approx(-W * L / (ts.STEEL.young * A), rel=1e-9)
    assert abs(moved[0]) < 1e-15


def test_portal_frame_under_side_load():
    """Clamped portal, span and height h, equal EI: sway P h^3 / EI * (3 k + 2) / (12 (6 k + 1)), k = 1 (Kleinlogel), axially
    stiff."""
    h, EI, P = 2.0, 1000.0, 10.0
    stiff = ts.rigidities(EI, 1.0, axial=1e9)
    points = {"a": (0, 0, 0), "b": (0, 0, h), "c": (h, 0, h), "d": (h, 0, 0)}
    model = ts.frame(points, [("a", "b"), ("b", "c"), ("c", "d")], stiff).with_support("a").with_support("d")
    sway = deflection(model, "b", [P, 0, 0, 0, 0, 0])[0]
    assert sway == pytest.approx(P * h**3 / EI * 5 / 84, rel=1e-4)


def test_mast_bends_like_its_longerons():
    """A long mast: tip rotation under a moment is M L / EI with EI = E A sum z^2 (battens and diagonals share no moment when
    diagonals are slack, here they are a thousand times thinner)."""
    L, R, A = 20.0, 0.4, np.pi * 0.02**2 / 4
    thin = ts.round_bar(0.02 / np.sqrt(1e3))
    model = ts.mast(L, 40, R, ts.round_bar(0.02), ts.ALUMINUM, diagonal=thin)
    EI = ts.ALUMINUM.young * A * 1.5 * R**2
    turned = deflection(model, "tip", [0, 0, 0, 0, 1.0, 0])[4]
    assert turned == pytest.approx(L / EI, rel=5e-3)
    assert ts.check_model(model, ts.assemble(model)).passed


def test_mast_mass_is_that_of_its_members():
    L, bays, R, d = 3.0, 5, 0.2, 0.01
    model = ts.mast(L, bays, R, ts.round_bar(d), ts.STEEL, sides=4)
    side, bay = R * np.sqrt(2), L / bays
    length = 4 * L + 4 * (bays + 1) * side + 8 * bays * np.hypot(side, bay)
    assert ts.mass_properties_of(ts.assemble(model)).mass == pytest.approx(8000 * np.pi * d**2 / 4 * length, rel=1e-12)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: ts.boom(-1.0, ts.tube(0.05, 0.001), ts.STEEL), "positive"),
        (lambda: ts.boom(1.0, ts.tube(0.05, 0.001)), "material"),
        (lambda: ts.boom(1.0, ts.rigidities(1.0, 1.0), ts.STEEL), "material"),
        (lambda: ts.boom(1.0, ts.rigidities(1.0, 1.0), direction=(0, 0, 0)), "direction"),
        (lambda: ts.boom(1.0, ts.rigidities(1.0, 1.0), up=(2, 0, 0)), "height"),
        (lambda: ts.truss({"a": (0, 0, 0)}, [("a", "b")], 1e-4, ts.STEEL), "known points"),
        (lambda: ts.truss({"a": (0, 0, 0), "b": (0, 0, 0)}, [("a", "b")], 1e-4, ts.STEEL), "length"),
        (lambda: ts.tube(0.05, 0.03), "wall 0.03"),
        (lambda: ts.boom(1.0, ts.rigidities(1.0, 1.0)).with_mass("top", 1.0), "root, tip"),
        (lambda: ts.boom(1.0, ts.rigidities(1.0, 1.0)).with_mass((0.51, 0, 0), 1.0), "nearest"),
        (lambda: ts.boom(1.0, ts.rigidities(1.0, 1.0)).with_support("tip", "7"), "digits"),
        (lambda: ts.boom(1.0, ts.rigidities(1.0, 1.0)).with_mass("tip", -1.0), "zero or more"),
    ],
)
def test_refusals_say_what_is_wrong(make, words):
    with pytest.raises(ts.InputError, match=words):
        make()
