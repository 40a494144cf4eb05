"""Plane waves on endless meshes of quads: the error of the frequency falls as the fourth power of the mesh size. On
triangles it falls as the second power, and its mean over all directions vanishes.

The exact waves are closed forms: Mindlin's plate (shear factor 5/6, rotary inertia) and, for any bending stiffness,
Kirchhoff's. A wave multiplies every corner by its phase, so one element holds the whole mesh.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import eigh
from support.surfaces import batch, plate_section, shell_model

YOUNG, POISSON, DENSITY = 200e9, 0.3, 8000.0
ANGLES = np.linspace(0.0, np.pi, 13)[:-1]
BENDING = np.add.outer(6 * np.arange(4), [2, 3, 4]).ravel()
SKEW = {
    "square": [[1, 0], [0, 1]],
    "rectangle": [[2, 0], [0, 1]],
    "rhombus": [[1, 0], [np.sqrt(0.5), np.sqrt(0.5)]],
    "parallelogram": [[1.5, 0], [0.6, 0.8]],
}

FORMS = pytest.mark.parametrize("form", ["waves", "nastran"])


def wave_values(sides, section, wave, cells=((0, 1, 2, 3),)):
    """Lowest eigenvalue (rad/s)² of the endless mesh for each wave vector (n, 2)."""
    a, b = np.array(sides, float)
    points = np.zeros((4, 3))
    points[1, :2], points[2, :2], points[3, :2] = a, a + b, b
    element = batch(shell_model(points, cells, section))
    bending = BENDING[: 3 * len(cells[0])]
    out = []
    for k in wave:
        total = np.zeros((2, 3, 3), complex)
        for row, cell in enumerate(cells):
            phase = np.kron(np.exp(1j * points[list(cell), :2] @ k)[:, None], np.eye(3))
            for place, m in enumerate((element.stiffness[row], element.mass[row])):
                total[place] += phase.conj().T @ m[np.ix_(bending, bending)] @ phase
        out.append(eigh(*total, eigvals_only=True)[0])
    return np.array(out)


def errors(sides, section, exact, size, **cells):
    """Relative errors of the frequency for waves of ``size`` radians per meter in all directions."""
    wave = size * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
    return np.sqrt(wave_values(sides, section, wave, **cells) / exact(wave)) - 1


def mindlin_waves(thickness):
    d = YOUNG * thickness**3 / 12 / (1 - POISSON**2)
    s = 5 / 6 * YOUNG / 2 / (1 + POISSON) * thickness
    inertia = DENSITY * np.diag([thickness, thickness**3 / 12])

    def exact(wave):
        size = np.linalg.norm(wave, axis=1)
        pairs = [np.array([[s * k * k, s * k], [s * k, d * k * k + s]]) for k in size]
        return np.array([eigh(pair, inertia, eigvals_only=True)[0] for pair in pairs])

    return exact


@pytest.mark.parametrize("thickness", [1e-3, 0.1, 0.5])
@pytest.mark.parametrize("shape", SKEW)
def test_plane_waves_of_every_direction(shape, thickness):
    """Half the wave number, a sixteenth of the error; 0.4 radians per meter give less than 1e-3."""
    section = plate_section(thickness, YOUNG, POISSON, DENSITY)
    coarse, fine = (np.abs(errors(SKEW[shape], section, mindlin_waves(thickness), k)).max() for k in (0.4, 0.2))
    assert coarse < 1e-3
    assert coarse / fine > 14.0


def test_waves_of_an_anisotropic_plate():
    """Kirchhoff's k_i k_j D_ijkl k_k k_l for a laminate with bending-twisting coupling on skew elements."""
    stiff = 1e3 * np.array([[10.0, 2.0, 1.5], [2.0, 3.0, 0.5], [1.5, 0.5, 2.5]])
    section = replace(plate_section(1e-3, YOUNG, POISSON, DENSITY, shear=None), bending=stiff)

    def exact(wave):
        x, y = wave.T
        bend = np.stack([x * x, y * y, 2 * x * y], axis=1)
        return np.einsum("na,ab,nb->n", bend, stiff, bend) / section.areal_mass

    coarse, fine = (np.abs(errors(SKEW["parallelogram"], section, exact, k)).max() for k in (0.4, 0.2))
    assert coarse < 2e-3
    assert coarse / fine > 14.0


def test_waves_as_short_as_the_plate_is_thick():
    """Elements as long as the plate is thick, k t from 0.4 to 1.2: within 0.1, 0.25 and 0.8 %."""
    section = plate_section(1.0, YOUNG, POISSON, DENSITY)
    for size, tolerance in ((0.4, 1e-3), (0.8, 2.5e-3), (1.2, 8e-3)):
        assert np.abs(errors(SKEW["square"], section, mindlin_waves(1.0), size)).max() < tolerance


def sandwich_waves(softness):
    """A plate with D = 1, S = 1 / softness, m = 1 and no rotary inertia, and (rad/s)² of its waves: k⁴ / (1 + softness k²)."""
    section = plate_section(0.1, 1.0, POISSON, 1.0)
    size = section.bending[0, 0]
    section = replace(
        section, bending=section.bending / size, shear=np.eye(2) / softness, areal_mass=1.0, areal_inertia=0.0
    )

    def exact(wave):
        square = (wave**2).sum(axis=1)
        return square**2 / (1 + softness * square)

    return section, exact


@pytest.mark.parametrize("softness", [0.1, 1.0, 10.0, 100.0])
@pytest.mark.parametrize("shape", ["square", "rectangle", "rhombus"])
def test_refining_a_plate_soft_in_shear(shape, softness):
    """Waves k = 1 of one plate on elements of 0.4, 0.2, 0.1 m: s = softness, so that most of the deflection may be shear. Half
    the size, a sixteenth of the error (a quarter without the inertia of the shear, from (k h)² (s / (1 + s))² / 24).
    """
    section, exact = sandwich_waves(softness)
    sides = np.array(SKEW[shape], float)
    first, second, third = (np.abs(errors(h * sides, section, exact, 1.0)).max() for h in (0.4, 0.2, 0.1))
    assert first < 1e-3
    assert second / third > 14.0


@pytest.mark.parametrize("thickness", [1e-3, 0.3, 1.0])
@pytest.mark.parametrize(
    ("sides", "largest"), [([[1, 0], [0.5, np.sqrt(0.75)]], 1e-3), ([[1, 0], [0, 1]], 3.5e-3)], ids=["equal", "halved"]
)
def test_plane_waves_on_triangles(sides, largest, thickness):
    """Equilateral triangles and halved squares at k h = 0.4: the mean over the directions is below 1e-4."""
    section = plate_section(thickness, YOUNG, POISSON, DENSITY)
    cells = ((0, 1, 3), (1, 2, 3))
    found = errors(sides, section, mindlin_waves(thickness), 0.4, cells=cells)
    assert abs(found.mean()) < 1.5e-4
    assert np.abs(found).max() < largest


@FORMS
def test_distorted_elements_and_exotic_sections_stay_stable(form):
    """Six rigid motions and no negative energy for far from parallel sides, any anisotropy and any thickness."""
    rng = np.random.default_rng(4)
    for turn in range(60):
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + rng.uniform(-0.24, 0.24, (4, 2))
        points = np.zeros((4, 3))
        points[:, :2] = corners * [10 ** rng.uniform(-1, 1), 1.0]
        section = plate_section(10 ** rng.uniform(-3, 1), 1.0, 0.3, 1.0)
        if turn % 2:
            a, b = rng.normal(size=(3, 3)), rng.normal(size=(2, 2))
            size = section.bending[0, 0]
            section = replace(section, bending=size * (a @ a.T + 0.1 * np.eye(3)), shear=b @ b.T + 0.1 * np.eye(2))
        element = batch(shell_model(points, [[0, 1, 2, 3]], section, bending=form))
        stiffness = element.stiffness[0]
        scale = np.sqrt(np.diag(stiffness))
        values = np.linalg.eigvalsh(stiffness / np.outer(scale, scale))
        assert np.abs(values[:6]).max() < 1e-11
        assert values[6] > 1e-11
        assert np.linalg.eigvalsh(element.mass[0]).min() > -1e-12 * np.abs(element.mass[0]).max()


@FORMS
@pytest.mark.parametrize("thickness", [1e-7, 1.0, 1e4])
@pytest.mark.parametrize("stretch", [1.0, 1e-3, 1e3])
def test_slivers_and_extreme_thickness(stretch, thickness, form):
    """Trapezia and slivers of any thickness: a stiffness without negative energy."""
    corners = np.array(
        [[[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 0], [1, 0], [0.9, 0.1], [0, 1]], [[0, 0], [3, 0], [5, 1], [2, 1]]]
    )
    for points in corners * [stretch, 1.0]:
        section = plate_section(thickness, 1e3, 0.3, 1.0)
        model = shell_model(np.column_stack([points, np.zeros(4)]), [[0, 1, 2, 3]], section, bending=form)
        stiffness = batch(model).stiffness[0]
        bending = stiffness[np.ix_(BENDING, BENDING)]
        scale = np.sqrt(np.diag(bending))
        assert np.linalg.eigvalsh(bending / np.outer(scale, scale))[0] > -1e-9


@FORMS
@pytest.mark.parametrize("shear", [None, np.eye(2), np.diag([1.0, 0.0]), 1e-8 * np.eye(2)])
@pytest.mark.parametrize("bending", [(1, 0, 0), (1, 1, 0), (0, 0, 1), (0, 0, 0)])
def test_sections_without_stiffness_in_some_direction(bending, shear, form):
    section = replace(plate_section(0.01, 1.0, 0.3, 1.0), bending=np.diag(np.array(bending, float)), shear=shear)
    points = np.array([[0, 0, 0], [1, 0, 0], [1.2, 1, 0], [0.1, 0.9, 0]])
    for cells in ([[0, 1, 2, 3]], [[0, 1, 2]]):
        element = batch(shell_model(points, cells, section, bending=form))
        values = np.linalg.eigvalsh(element.stiffness[0])
        assert values[0] > -1e-9 * values[-1]
        assert np.isfinite(element.mass).all()
