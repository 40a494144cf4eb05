"""Mass of shells: total mass, center, inertia and the directional identities of theory.md section 2."""

from dataclasses import replace

import numpy as np
import pytest
from support.surfaces import batch, plate_section, rigid_motions, shell_model

from tisserand.arrays import LEVI_CIVITA, skew
from tisserand.elements.element_data import DIRECTIONS
from tisserand.elements.registry import prepare
from tisserand.errors import InvertedCellError, ModelError

RECIPES = ("consistent", "lumped", "coupled", "particles", "bodies")
POINTS = np.array([[0.1, 0.2, 0.3], [1.3, 0.1, 0.35], [1.2, 1.1, 0.2], [0.05, 0.9, 0.33]])


def model_of(corners, offset=0.0, points=POINTS):
    section = plate_section(0.08, 7e10, 0.3, 2700.0)
    return shell_model(points[:corners], [list(range(corners))], section, offset=offset)


def directional(model, recipe):
    block = model.elements[0]
    values = prepare(model, block).directional_mass(recipe)[0]
    full = np.zeros((3, 3, *values.shape[1:]))
    for i, (a, b) in enumerate(DIRECTIONS):
        full[a, b] = values[i]
        full[b, a] = values[i].T
    return full


@pytest.mark.parametrize("corners", [3, 4])
@pytest.mark.parametrize("recipe", RECIPES)
def test_directional_masses_sum_to_the_mass(corners, recipe):
    model = model_of(corners, 0.03)
    full = directional(model, recipe)
    mass = batch(model, recipe).mass[0]
    assert np.abs(np.einsum("aaij->ij", full) - mass).max() < 1e-13 * np.abs(mass).max()
    assert np.linalg.eigvalsh(mass)[0] > -1e-12 * np.abs(mass).max()


@pytest.mark.parametrize("corners", [3, 4])
@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_is_a_displacement_field(corners, recipe):
    """Both ways to int r_a u_d agree: eps_bca S_c' M^{bd} for either b (theory 2)."""
    model = model_of(corners, 0.03)
    full = directional(model, recipe)
    turn = rigid_motions(model.nodes.positions)[:, 3:]
    scale = np.abs(full).max()
    for a in range(3):
        for d in range(3):
            ways = []
            for b in range(3):
                for c in range(3):
                    if LEVI_CIVITA[b, c, a]:
                        ways.append(LEVI_CIVITA[b, c, a] * turn[:, c] @ full[b, d])
            assert np.abs(ways[0] - ways[1]).max() < 1e-12 * scale


@pytest.mark.parametrize("recipe", ["consistent", "bodies"])
@pytest.mark.parametrize("offset", [0.0, 0.04])
def test_rigid_mass_of_a_flat_triangle_is_exact(recipe, offset):
    """A uniform triangular slab: m = rho t A, center at the centroid raised by the offset,
    J = m/12 (sum x_i x_i' + 9 c c')-type moments plus m t²/12 through the thickness."""
    model = model_of(3, offset)
    points = model.nodes.positions
    mass = batch(model, recipe).mass[0]
    s = rigid_motions(points)
    rigid = s.T @ mass @ s
    normal = np.cross(points[1] - points[0], points[2] - points[0])
    area = 0.5 * np.linalg.norm(normal)
    n = normal / (2 * area)
    total = 2700.0 * 0.08 * area
    centroid = points.mean(axis=0)
    second = total * (sum(np.outer(p, p) for p in points) + 9 * np.outer(centroid, centroid)) / 12
    second += total * offset * (np.outer(centroid, n) + np.outer(n, centroid)) + total * (
        offset**2 + 0.08**2 / 12
    ) * np.outer(n, n)
    inertia = np.trace(second) * np.eye(3) - second
    assert rigid[0, 0] == pytest.approx(total, rel=1e-12)
    assert np.allclose(rigid[:3, 3:], -total * skew(centroid + offset * n), atol=1e-10 * total)
    assert np.allclose(rigid[3:, 3:], inertia, atol=1e-10 * total)


@pytest.mark.parametrize("corners", [3, 4])
@pytest.mark.parametrize("recipe", ["lumped", "particles"])
def test_lumped_mass_is_an_equal_share_on_translations(corners, recipe):
    """Nastran's lumped shells: a quarter (or third) of the mass at each corner, no rotary inertia."""
    model = model_of(corners)
    mass = batch(model, recipe).mass[0]
    diagonal = np.diag(mass).reshape(corners, 6)
    assert np.count_nonzero(mass - np.diag(np.diag(mass))) == 0
    assert np.ptp(diagonal[:, :3]) < 1e-12 * diagonal.max() and not diagonal[:, 3:].any()


def test_a_warped_quad_keeps_its_mass_properties_in_every_field_recipe():
    """Mass, center and inertia of consistent and bodies agree: both integrate the same surface."""
    model = model_of(4, 0.02)
    s = rigid_motions(model.nodes.positions)
    first, second = (s.T @ batch(model, recipe).mass[0] @ s for recipe in ("consistent", "bodies"))
    assert np.abs(first - second).max() < 1e-12 * np.abs(first).max()


@pytest.mark.parametrize(
    ("points", "order"),
    [(POINTS, [0, 2, 1, 3]), (POINTS, [0, 1, 1, 3]), (POINTS[[0, 0, 0, 0]], [0, 1, 2, 3])],
    ids=["crossed", "repeated node", "no area"],
)
def test_bad_quads_are_named(points, order):
    section = plate_section(0.08, 7e10, 0.3, 2700.0)
    model = shell_model(points, [order], section)
    with pytest.raises(InvertedCellError, match="shell element 1"):
        batch(model)


def test_zero_thickness_and_bad_axis_are_named():
    model = model_of(4)
    flat = plate_section(0.08, 7e10, 0.3)
    zero = replace(flat, id=3, areal_mass=0.0, areal_inertia=0.0, thickness=0.0)
    with pytest.raises(ModelError, match=r"shell element 1, section 3.*thickness"):
        batch(model.changed(sections=(zero,)))
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    with pytest.raises(ModelError, match="material axis"):
        batch(shell_model(points, [[0, 1, 2, 3]], flat, axis=(0, 0, 1)))


def test_an_empty_block_gives_empty_matrices():
    model = model_of(4)
    block = model.elements[0].select(slice(0, 0))
    family = prepare(model, block)
    assert family.stiffness().shape == (0, 24, 24)
    assert family.directional_mass("lumped").shape == (0, 6, 24, 24)
    assert family.geometric_stiffness(np.zeros((4, 6))).shape == (0, 24, 24)
