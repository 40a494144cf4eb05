"""Sections with coupling, offsets, material axes and honeycomb shear against closed forms."""

import numpy as np
import pytest
from support.surfaces import grid, held, plate_section, shell_model

from tisserand.assembly.assemble import assemble
from tisserand.elements.registry import prepare
from tisserand.model import ShellSection
from tisserand.statics import nodal_loads, solve_static

LENGTH, WIDTH = 1.0, 0.1


def strip(section, load, n=6, triangles=False, axis=(1.0, 0.0, 0.0), offset=0.0):
    """Cantilevered strip along x under a tip load (3,): displacements (n, 6), model and tip rows."""
    points, cells = grid(n, 1, lambda a, b: (LENGTH * a, WIDTH * b), triangles)
    root = points[:, 0] == 0
    model = shell_model(points, cells, section, axis, offset=offset, supports=held(len(points), (root, "123456")))
    body = assemble(model)
    tip = np.flatnonzero(np.isclose(points[:, 0], LENGTH))
    f = nodal_loads(body, {int(i) + 1: np.array(load) / len(tip) for i in tip})
    return body.displacements(solve_static(body, f).displacement)[:, :, 0], model, tip


def section(a, b, d, shear=None):
    """Section without Poisson effect: one number each for membrane, coupling, bending."""
    q = np.diag([1.0, 1.0, 0.5])
    return ShellSection(
        1,
        membrane=a * q,
        coupling=b * q,
        bending=d * q,
        shear=None if shear is None else np.diag(shear),
        areal_mass=10.0,
        areal_first_moment=0.0,
        areal_inertia=0.0,
        thickness=0.01,
    )


@pytest.mark.parametrize("triangles", [False, True])
def test_coupled_strip_bends_with_its_reduced_stiffness(triangles):
    """An unsymmetric section free to stretch: w = P L³/(3 D* b), D* = D - B²/A, and it stretches by B/A times
    the rotation.
    """
    a, b, d = 1e6, 3e3, 20.0
    u, _, tip = strip(section(a, b, d), (0, 0, 1.0), triangles=triangles)
    reduced = d - b * b / a
    assert u[tip, 2].mean() == pytest.approx(LENGTH**3 / (3 * reduced * WIDTH), rel=0.02 if triangles else 2e-3)
    assert u[tip, 0].mean() == pytest.approx(-b / a * u[tip, 4].mean(), rel=0.03 if triangles else 1e-3)


def test_offset_strip_is_the_strip_seen_from_other_nodes():
    """Bending of a strip whose nodes lie o below it: the same deflection; the nodes move by -o theta along x."""
    plain, _, tip = strip(section(1e6, 0.0, 20.0), (0, 0, 1.0))
    lifted, _, _ = strip(section(1e6, 0.0, 20.0), (0, 0, 1.0), offset=0.05)
    assert np.allclose(lifted[tip, 2], plain[tip, 2], rtol=1e-9)
    assert np.allclose(lifted[tip, 0], plain[tip, 0] - 0.05 * plain[tip, 4], rtol=1e-9)


def test_offset_and_shifted_section_agree():
    """Offset o of a symmetric section is the section B = o A, D + o² A on the nodes (to mesh error)."""
    o, a, d = 0.004, 1e6, 20.0
    by_offset, _, tip = strip(section(a, 0.0, d), (5.0, 0, 1.0), offset=o)
    by_section, _, _ = strip(section(a, o * a, d + o * o * a), (5.0, 0, 1.0))
    assert np.allclose(by_offset[tip], by_section[tip], rtol=2e-3, atol=1e-5)


@pytest.mark.parametrize("shear", [(2e4, 1e7), (1e7, 2e4)])
def test_honeycomb_shear_is_directional(shear):
    """w = P L³/(3 D b) + P L/(S_x b): only the stiffness along the strip matters."""
    u, _, tip = strip(section(1e6, 0.0, 2000.0, shear), (0, 0, 1.0))
    expected = LENGTH**3 / (3 * 2000.0 * WIDTH) + LENGTH / (shear[0] * WIDTH)
    assert u[tip, 2].mean() == pytest.approx(expected, rel=2e-3)


def test_material_axes_turn_an_orthotropic_strip():
    """Fibers along x, then across: bending stiffness D11, then D22; resultants are reported in material axes.

    Strips of one element in width and six in length: the moments are exact, the deflection to what waves in wide plates
    ask of the element (it falls as the square of the element size).
    """
    d11, d22 = 100.0, 5.0
    made = ShellSection(
        1,
        membrane=np.diag([1e6, 1e5, 1e5]),
        coupling=np.zeros((3, 3)),
        bending=np.diag([d11, d22, 2.0]),
        shear=None,
        areal_mass=10.0,
        areal_first_moment=0.0,
        areal_inertia=0.0,
        thickness=0.01,
    )
    along, model, tip = strip(made, (0, 0, 1.0))
    across, turned, _ = strip(made, (0, 0, 1.0), axis=(0.0, 1.0, 0.0))
    assert along[tip, 2].mean() == pytest.approx(LENGTH**3 / (3 * d11 * WIDTH), rel=1e-3)
    assert across[tip, 2].mean() == pytest.approx(LENGTH**3 / (3 * d22 * WIDTH), rel=1e-3)
    first = prepare(model, model.elements[0]).resultants(along)["moment"]
    second = prepare(turned, turned.elements[0]).resultants(across)["moment"]
    arm = LENGTH - (np.arange(6) + 0.5) / 6
    assert np.allclose(np.abs(first[:, 0]), arm / WIDTH, rtol=1e-6)
    assert np.allclose(np.abs(second[:, 1]), arm / WIDTH, rtol=1e-6)


def test_membrane_only_and_bending_only_sections():
    """A section without bending carries in-plane load and nothing else; one without membrane the reverse."""
    plate = plate_section(0.01, 7e10, 0.3)
    zero = np.zeros((3, 3))
    skin = ShellSection(
        1,
        membrane=plate.membrane,
        coupling=zero,
        bending=zero,
        shear=None,
        areal_mass=1.0,
        areal_first_moment=0.0,
        areal_inertia=0.0,
        thickness=0.01,
    )
    bend = ShellSection(
        1,
        membrane=zero,
        coupling=zero,
        bending=plate.bending,
        shear=plate.shear,
        areal_mass=1.0,
        areal_first_moment=0.0,
        areal_inertia=0.0,
        thickness=0.01,
    )
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    for made, quiet, loud in ((skin, [2, 3, 4], [0, 1]), (bend, [0, 1, 5], [2, 3, 4])):
        model = shell_model(points, [[0, 1, 2, 3]], made)
        block = model.elements[0]
        k = prepare(model, block).stiffness()[0].reshape(4, 6, 4, 6)
        assert not np.abs(k[:, quiet]).any() and np.abs(k[:, loud][:, :, :, loud]).max() > 0
        assert np.isfinite(k).all()
