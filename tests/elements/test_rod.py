"""Rods: stiffness, the mass recipes, and the geometric stiffness of a stretched string."""

import numpy as np
import pytest
from support.lines import eigenvalues, rod_model, straight

from tisserand.assembly import assemble
from tisserand.elements.element_data import DIRECTIONS
from tisserand.elements.registry import prepare
from tisserand.errors import ModelError
from tisserand.model import Supports

TRUSS_NODES = np.array(
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, -1], [1, 0, -1], [1, 1, -1], [0, 1, -1]], float
)
TRUSS_MEMBERS = ["12", "23", "34", "41", "15", "26", "37", "48", "13", "16", "18", "36", "38"]


def test_truss_eigenvalues_of_the_textbook():
    """13-member truss with node masses by halves: twelve printed eigenvalues lambda m / k."""
    printed = [0.0373322, 0.0668532, 0.0668532, 0.244379, 0.488054, 0.495117,
               0.666667, 0.666667, 0.973587, 0.973587, 0.986458, 1.16287]  # fmt: skip
    pairs = [(int(a) - 1, int(b) - 1) for a, b in TRUSS_MEMBERS]
    model = rod_model(TRUSS_NODES, pairs, supports=Supports.clamp([4, 5, 6, 7]))
    assembled = assemble(model)
    assert assembled.has_field
    values = eigenvalues(assembled)
    digits = [float(f"{value:.6g}") for value in values]
    assert digits == pytest.approx(printed, rel=1e-9)


@pytest.mark.parametrize("recipe", ["consistent", "particles"])
def test_fixed_free_bar_converges_with_order_two(recipe):
    """omega = (pi / 2) sqrt(E / rho) / L; linear elements are second order in the frequency."""
    counts, errors = np.array([8, 16, 32, 64]), []
    for count in counts:
        pairs = np.column_stack([np.arange(count), np.arange(1, count + 1)])
        model = rod_model(straight(count, 1.0), pairs, recipe=recipe)
        assembled = assemble(model)
        fixed = (assembled.dofs.component > 0) | (assembled.dofs.node == 0)
        errors.append(abs(np.sqrt(eigenvalues(assembled, fixed)[0]) - np.pi / 2))
    rate = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert rate == pytest.approx(2.0, abs=0.02)


def test_coupled_mass_is_nastrans():
    """COUPMASS: 5/12 and 1/12 along the axis, halves across it."""
    model = rod_model([[0, 0, 0], [2.0, 0, 0]], [(0, 1)], density=3.0)
    mass = prepare(model, model.elements[0]).mass("coupled")[0]
    assert mass[0, [0, 3]] == pytest.approx([2.5, 0.5])
    assert mass[1, [1, 4]] == pytest.approx([3.0, 0.0])
    assert not assemble(model, "coupled").has_field


def test_torsion_appears_only_with_a_torsion_constant():
    """G J / L couples the rotations about the axis; a rod without J has no rotations at all."""
    limp = assemble(rod_model([[0, 0, 0], [2.0, 0, 0]], [(0, 1)]))
    assert set(limp.dofs.component) == {0, 1, 2}
    stiff = assemble(rod_model([[0, 0, 0], [2.0, 0, 0]], [(0, 1)], torsion=3.0))
    i, j = stiff.dofs.index[0, 3], stiff.dofs.index[1, 3]
    assert stiff.stiffness.toarray()[i, [i, j]] == pytest.approx([0.6, -0.6])


def test_stretched_string_and_axial_force():
    """A rod stretched by N stands against transverse motion with N / L (string)."""
    model = rod_model([[0, 0, 0], [0, 2.0, 0]], [(0, 1)], young=5.0, area=2.0, torsion=1.0)
    family = prepare(model, model.elements[0])
    u = np.zeros((2, 6))
    u[1, 1], u[1, 4] = 0.3, 0.2
    found = family.resultants(u)
    assert found["axial force"] == pytest.approx([1.5])
    assert found["torque"] == pytest.approx([0.4 * 5.0 * 0.2 / 2.0])
    geometric = family.geometric_stiffness(u)[0].reshape(2, 6, 2, 6)
    assert geometric[1, 0, :, 0] == pytest.approx([-0.75, 0.75])
    assert geometric[1, 1] == pytest.approx(0.0)


def test_forces_of_a_rod_whose_ends_both_move():
    """N = E A dL / L with dL the derivative of the length (complex step), T = G J (twist) / L; the energy is theirs too."""
    rng = np.random.default_rng(3)
    x, u = rng.normal(size=(2, 3)), rng.normal(size=(2, 6))
    model = rod_model(x, [(0, 1)], young=5.0, area=2.0, torsion=0.7)
    family = prepare(model, model.elements[0])
    EA, GJ, L = 10.0, 0.4 * 5.0 * 0.7, np.linalg.norm(x[1] - x[0])
    there = x + 1e-30j * u[:, :3]
    stretch = np.sqrt(((there[1] - there[0]) ** 2).sum()).imag / 1e-30
    twist = (u[1, 3:] - u[0, 3:]) @ (x[1] - x[0]) / L
    found = family.resultants(u)
    assert found["axial force"] == pytest.approx([EA * stretch / L], rel=1e-12)
    assert found["torque"] == pytest.approx([GJ * twist / L], rel=1e-12)
    energy = 0.5 * u.ravel() @ family.stiffness()[0] @ u.ravel()
    assert energy == pytest.approx(0.5 * (EA * stretch**2 + GJ * twist**2) / L, rel=1e-12)


def test_consistent_mass_is_the_kinetic_energy_of_a_linear_field():
    """int rho A |v|^2 ds by Gauss points for velocities that vary linearly between the ends."""
    rng = np.random.default_rng(4)
    x, v = rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    model = rod_model(x, [(0, 1)], area=2.0, density=3.0)
    family = prepare(model, model.elements[0])
    points, weights = np.polynomial.legendre.leggauss(3)
    field = np.outer(0.5 * (1 - points), v[0]) + np.outer(0.5 * (1 + points), v[1])
    twice = 6.0 * np.linalg.norm(x[1] - x[0]) * 0.5 * np.einsum("g,ga,gb->ab", weights, field, field)
    mass, parts = family.mass("consistent")[0], family.directional_mass("consistent")[0]
    assert v.ravel() @ mass @ v.ravel() == pytest.approx(np.trace(twice), rel=1e-13)
    for part, (a, b) in zip(parts, DIRECTIONS, strict=True):
        assert v.ravel() @ part @ v.ravel() == pytest.approx(twice[a, b], rel=1e-12)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"area": -1.0}, "area"),
        ({"positions": [[0, 0, 0], [0, 0, 0]]}, "no length"),
        ({"torsion": float("nan")}, "torsion constant"),
    ],
)
def test_bad_rods_are_refused_by_name(change, words):
    positions = change.pop("positions", [[0, 0, 0], [1.0, 0, 0]])
    with pytest.raises(ModelError, match=words) as caught:
        assemble(rod_model(positions, [(0, 1)], **change))
    assert caught.value.ids == (1,)
    assert "rod 1" in str(caught.value)
