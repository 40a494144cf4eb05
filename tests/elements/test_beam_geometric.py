"""Geometric stiffness of beams from moments, shear and torque, against closed forms, and beams against shells."""

import numpy as np
import pytest
from scipy.linalg import eigh
from support.lines import beam_model, straight
from support.surfaces import grid, held, plate_section, shell_model

from tisserand.assembly.assemble import assemble
from tisserand.elements.registry import prepare
from tisserand.model import BeamBlock, BeamSection, BeamStation, Isotropic, Nodes, StructuralModel
from tisserand.modes import solve_modes
from tisserand.statics import geometric_stiffness, nodal_loads, prestress, solve_static

LENGTH, WIDTH, DEPTH, E, G, DENSITY = 1.0, 0.025, 0.0025, 7e10, 3.5e10, 2700.0
STRONG, WEAK, TWIST = E * DEPTH * WIDTH**3 / 12, E * WIDTH * DEPTH**3 / 12, G * WIDTH * DEPTH**3 / 3


def bar(count, *pairs):
    """The strip as beams along x; its width lies along y, so that moment z is the strong one."""
    material = Isotropic(1, E, G, 0.0, DENSITY)
    station = BeamStation(WIDTH * DEPTH, STRONG / E, WEAK / E, torsion_constant=TWIST / G)
    model = beam_model(straight(count, LENGTH), BeamSection(1, material, station), orientation=(0, 1, 0))
    return assemble(model.changed(supports=held(count + 1, *pairs)))


def critical(body, displacement):
    free = ~body.held()
    kg = geometric_stiffness(body, displacement)[free][:, free].toarray()
    return 1 / eigh(-kg, body.stiffness[free][:, free].toarray(), eigvals_only=True)[-1]


def loaded(body, node, values):
    return solve_static(body, nodal_loads(body, {node: values})).displacement[:, 0]


@pytest.mark.parametrize(("component", "stiffness"), [(5, WEAK), (4, STRONG)])
def test_sideways_buckling_under_a_uniform_moment(component, stiffness):
    """Ends held against twist and sideways motion: M = pi sqrt(E I G J)/L, about either axis (Prandtl, Michell 1899)."""
    n = 12
    ends = [0, n]
    body = bar(n, (ends, "234"), ([0], "1"))
    q = np.zeros((n + 1, 6))
    x = np.linspace(0, LENGTH, n + 1)
    q[:, component] = x  # curvature 1
    q[:, 1 if component == 5 else 2] = x**2 / 2 if component == 5 else -(x**2) / 2
    moment = STRONG if component == 5 else WEAK
    found = critical(body, q[body.dofs.node, body.dofs.component]) * moment
    assert found == pytest.approx(np.pi / LENGTH * np.sqrt(stiffness * TWIST), rel=0.01)


@pytest.mark.parametrize(("direction", "stiffness"), [(1, WEAK), (2, STRONG)])
def test_sideways_buckling_of_a_cantilever(direction, stiffness):
    """Tip force: P = 4.0126 sqrt(E I G J)/L² (Prandtl)."""
    body = bar(16, ([0], "123456"))
    found = critical(body, loaded(body, 17, np.eye(3)[direction]))
    assert found == pytest.approx(4.0126 / LENGTH**2 * np.sqrt(stiffness * TWIST), rel=2e-3)


def test_shaft_buckles_under_torque():
    """Greenhill's shaft, both ends clamped against bending, one free to twist: T L/(2 E I) = 4.4934, tan a = a."""
    n, i = 16, 1e-8
    material = Isotropic(1, E, G, 0.0, DENSITY)
    section = BeamSection(1, material, BeamStation(1e-3, i, i, torsion_constant=2 * i))
    supports = held(n + 1, ([0], "123456"), ([n], "2356"))
    body = assemble(beam_model(straight(n, LENGTH), section).changed(supports=supports))
    found = critical(body, loaded(body, n + 1, (0, 0, 0, 1.0, 0, 0)))
    assert found == pytest.approx(2 * 4.49341 * E * i / LENGTH, rel=5e-3)


@pytest.mark.parametrize("pinned", [False, True])
def test_rigid_rotation_turns_forces_wholly_and_moments_half(pinned):
    """K_geo (phi x r, phi) = (phi x f, phi x m / 2) at both ends in any state; tapered, offset, neutral axis apart, pinned."""
    material = Isotropic(1, E, G, 0.0, DENSITY)
    a = BeamStation(1e-3, 2e-7, 1e-7, 3e-8, 2e-7, neutral_axis=(0.01, -0.02))
    b = BeamStation(2e-3, 3e-7, 2e-7, 1e-8, 2e-7, neutral_axis=(0.0, 0.01))
    section = BeamSection(1, material, a, b, shear_y=0.8, shear_z=0.7)
    releases = np.zeros((1, 2, 6), bool)
    releases[0, 1, 4:] = pinned
    points = np.array([[0.1, 0.2, 0.3], [1.0, 0.5, -0.2]])
    offsets = np.array([[[0.05, 0.02, -0.03], [0.0, 0.04, 0.01]]])
    block = BeamBlock([1], [[0, 1]], [0], [[0.0, 0.0, 1.0]], offsets, releases)
    model = StructuralModel("beam", Nodes([1, 2], points), (block,), (section,), materials=(material,))
    q = 1e-3 * np.random.default_rng(2).normal(size=(2, 6))
    family = prepare(model, block)
    f = (family.stiffness()[0] @ q.ravel()).reshape(2, 6)
    k = family.geometric_stiffness(q)[0]
    phi = np.array([0.3, -0.5, 0.2])
    found = (k @ np.hstack([np.cross(phi, points), [phi, phi]]).ravel()).reshape(2, 6)
    expected = np.hstack([np.cross(phi, f[:, :3]), 0.5 * np.cross(phi, f[:, 3:])])
    assert np.abs(found - expected).max() < 1e-11 * np.abs(expected).max()
    assert np.abs(k - k.T).max() < 1e-13 * np.abs(k).max()


@pytest.mark.parametrize(
    ("load", "share"),
    [((1.0, 0, 0), 3.0), ((-1.0, 0, 0), 0.5), ((0, 1.0, 0), 0.7), ((0, 0, 1.0), 0.7)],
    ids=["pulled", "pushed", "loaded in its plane", "loaded across"],
)
def test_strip_of_shells_and_row_of_beams_agree_under_the_same_prestress(load, share):
    """First four frequencies of a cantilever strip under a tip force, a stated share of its critical load: shells and beams
    within 2 % (the clamped root of the shells also keeps the section from warping).
    """
    n = 24
    points, cells = grid(n, 2, lambda a, b: (LENGTH * a, WIDTH * (b - 0.5)))
    root = np.isclose(points[:, 0], 0)
    shells = assemble(
        shell_model(points, cells, plate_section(DEPTH, E, 0.0, DENSITY), supports=held(len(points), (root, "123456")))
    )
    beams = bar(n, ([0], "123456"))
    middle = int(np.flatnonzero(np.isclose(points[:, 0], LENGTH) & np.isclose(points[:, 1], 0))[0]) + 1
    pull = (
        np.pi**2 / 4 * WEAK / LENGTH**2
        if load[0]
        else 4.0126 / LENGTH**2 * np.sqrt((WEAK if load[1] else STRONG) * TWIST)
    )
    found = []
    for body, node in ((shells, middle), (beams, n + 1)):
        state = loaded(body, node, share * pull * np.array(load))
        found.append(solve_modes(prestress(body, state), count=4).frequencies_hz)
    plain = solve_modes(beams, count=4).frequencies_hz
    assert np.abs(found[0] / found[1] - 1).max() < 0.02
    assert np.abs(found[1] / plain - 1).max() > 0.2  # the prestress matters
