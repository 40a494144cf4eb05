"""Geometric stiffness, spin and prestressed models against closed forms."""

import numpy as np
import pytest
from scipy.linalg import eigh
from support.lines import beam_model, straight
from support.surfaces import grid, held, plate_section, shell_model, solid_model

from tisserand.assembly.assemble import assemble
from tisserand.model import BeamSection, BeamStation, Isotropic, NodalBodies, Supports
from tisserand.modes import solve_modes
from tisserand.statics import (
    geometric_stiffness,
    gyroscopic_matrix,
    nodal_loads,
    prestress,
    softening_matrix,
    solve_static,
    spin_load,
    spun,
)


def unit_beam(count=24):
    """E I = rho A = L = 1, stiff along the axis, no rotary inertia worth naming."""
    material = Isotropic(1, 1e8, 5e7, 0.0, 1.0)
    section = BeamSection(1, material, BeamStation(1.0, 1e-8, 1e-8, 0.0, 1e-8))
    return assemble(beam_model(straight(count, 1.0), section))


@pytest.mark.parametrize(("speed", "flap"), [(0.0, 3.51601527), (1.0, 3.68164681), (12.0, 13.17015049)])
def test_flap_of_a_rotating_beam(speed, flap):
    """theory.md 6: clamped beam, no hub; flap feels K_geo only, lag also the softening: lag² = flap² -
    Omega².
    """
    body = unit_beam()
    supports = Supports.clamp([0])
    state = solve_static(body, spin_load(body, (0, 0, speed)), supports)
    stiff = prestress(body, state.displacement[:, 0])
    free = ~body.held(supports)
    k = (stiff.stiffness + softening_matrix(body, (0, 0, speed)))[free][:, free].toarray()
    m = body.mass[free][:, free].toarray()
    values = np.sqrt(eigh(k, m, eigvals_only=True)[:2])
    assert values[1] == pytest.approx(flap, rel=1e-4)
    assert values[0] ** 2 == pytest.approx(flap**2 - speed**2, rel=1e-3)


def test_beam_along_the_spin_axis_whirls_at_the_sum_and_difference():
    """Bending frequencies |w_n +- Omega|: gyroscopic matrix and softening together (theory.md 6)."""
    body = unit_beam(12)
    speed = 1.3
    free = ~body.held(Supports.clamp([0]))
    k = (body.stiffness + softening_matrix(body, (speed, 0, 0)))[free][:, free].toarray()
    g = gyroscopic_matrix(body, (speed, 0, 0))[free][:, free].toarray()
    m = body.mass[free][:, free].toarray()
    assert np.abs(g + g.T).max() < 1e-12 * np.abs(g).max()
    n = len(m)
    first_order = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(m, k), -np.linalg.solve(m, g)]])
    found = np.sort(np.abs(np.linalg.eigvals(first_order).imag))
    for omega in (3.51601527 - speed, 3.51601527 + speed):
        assert np.abs(found - omega).min() < 2e-4 * omega


def test_disc_at_the_tip_tilts_with_the_spin():
    """A thin disc spun about its axis on a soft massless mount: tilt stiffness Omega² (I3 - I1) beyond the
    spring (theory.md 2).
    """
    from tisserand.model import BushBlock, Nodes, StructuralModel

    i1, i3, speed, k = 2.0, 4.0, 3.0, 50.0
    nodes = Nodes([1], np.zeros((1, 3)))
    disc = NodalBodies([1], [[0]], [10.0], np.zeros((1, 3)), np.diag([i1, i1, i3])[None])
    mount = BushBlock([2], [[0, -1]], [[1e6] * 3 + [k] * 3], np.zeros((1, 6)), np.eye(3)[None], np.zeros((1, 3)))
    body = assemble(StructuralModel("disc", nodes, (disc, mount)))
    soft = softening_matrix(body, (0, 0, speed)).toarray()
    assert soft[3, 3] == pytest.approx(speed**2 * (i3 - i1), rel=1e-12)
    assert soft[5, 5] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("triangles", [False, True])
def test_plate_buckles_at_the_classical_load(triangles):
    """Simply supported square plate under uniform N_x: N_cr = 4 pi² D/a². K + lambda K_geo singular at that
    load.
    """
    points, cells = grid(8, 8, lambda a, b: (a, b), triangles)
    x, y, _ = points.T
    edge = (x == 0) | (x == 1) | (y == 0) | (y == 1)
    section = plate_section(1e-3, 7e10, 0.3, 2700.0)
    supports = held(
        len(points),
        (edge, "3"),
        ((x == 0) | (x == 1), "4"),
        ((y == 0) | (y == 1), "5"),
        (x == 0, "1"),
        (y == 0, "2"),
        (slice(None), "6"),
    )
    body = assemble(shell_model(points, cells, section, supports=supports))
    weight = np.where((y == 0) | (y == 1), 0.5, 1.0) / 8
    load = nodal_loads(body, {int(i) + 1: (-weight[i], 0, 0) for i in np.flatnonzero(x == 1)})
    kg = geometric_stiffness(body, solve_static(body, load).displacement[:, 0])
    free = ~body.held()
    values = eigh(-kg[free][:, free].toarray(), body.stiffness[free][:, free].toarray(), eigvals_only=True)
    critical = 1 / values[-1]
    assert critical == pytest.approx(4 * np.pi**2 * section.bending[0, 0], rel=0.03 if triangles else 0.01)


@pytest.mark.parametrize("kind", ["shell", "solid"])
def test_stretched_strip_vibrates_as_a_string(kind):
    """High tension T: f_1 = sqrt(T/m)/(2 L)."""
    length, width, thickness, young, density, tension = 2.0, 0.1, 0.002, 7e10, 2700.0, 2e4
    if kind == "shell":
        points, cells = grid(24, 1, lambda a, b: (length * a, width * b))
        model = shell_model(points, cells, plate_section(thickness, young, 0.0, density))
    else:
        points, quads = grid(24, 1, lambda a, b: (length * a, width * b))
        n = len(points)
        points = np.vstack([points, points + np.array([0, 0, thickness])])
        cells = np.hstack([quads, quads + n])
        model = solid_model(points, cells, "hex8", Isotropic.from_young(1, young, 0.0, density), "unlocked")
    x = points[:, 0]
    ends = np.isclose(x, 0) | np.isclose(x, length)
    supports = held(len(points), (slice(None), "2"), (ends, "34"), (np.isclose(x, 0), "1"))
    body = assemble(model.changed(supports=supports))
    tip = np.flatnonzero(np.isclose(x, length))
    load = nodal_loads(body, {int(i) + 1: (tension / len(tip), 0, 0) for i in tip})
    stretched = prestress(body, solve_static(body, load).displacement[:, 0])
    found = solve_modes(stretched, count=1).frequencies_hz[0]
    string = np.sqrt(tension / (density * width * thickness)) / (2 * length)
    plate = np.pi / 2 * np.sqrt(young * thickness**2 / 12 / density) / length**2
    assert found == pytest.approx(np.hypot(string, plate), rel=0.01)


@pytest.mark.parametrize("kind", ["shell", "triangles", "solid"])
def test_geometric_stiffness_turns_the_internal_forces(kind):
    """A small rigid rotation theta of a stressed body turns its internal forces: K_geo (theta x r) = theta x
    f_int at every translation, when stresses are membrane stresses.
    """
    rng = np.random.default_rng(1)
    if kind == "solid":
        points = np.array(
            [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float
        )
        points = points + 0.1 * rng.random((8, 3))
        model = solid_model(points, [list(range(8))], "hex8", Isotropic.from_young(1, 7e10, 0.3, 2700.0))
    else:
        points, cells = grid(2, 2, lambda a, b: (a + 0.1 * b * a, b), kind == "triangles")
        model = shell_model(points, cells, plate_section(0.01, 7e10, 0.3, 2700.0), drilling=0.0)
    body = assemble(model)
    moved = np.zeros((len(points), 6))
    moved[:, :3] = points @ (1e-3 * rng.normal(size=(3, 3))) * ([1, 1, 1] if kind == "solid" else [1, 1, 0])
    u = moved[body.dofs.node, body.dofs.component]
    kg = geometric_stiffness(body, u)
    force = np.zeros((len(points), 6))
    force[body.dofs.node, body.dofs.component] = body.stiffness @ u
    theta = np.array([0.3, -0.5, 0.2])
    found = np.zeros((len(points), 6))
    found[body.dofs.node, body.dofs.component] = kg @ (body.rigid_body_vectors[:, 3:] @ theta)
    expected = np.cross(theta, force[:, :3])
    assert np.abs(found[:, :3] - expected).max() < 1e-9 * np.abs(expected).max()


def test_spun_returns_the_stressed_model_and_its_state():
    body = unit_beam(8)
    held_body = type(body)(
        **{**{f: getattr(body, f) for f in body.__dataclass_fields__}, "supports": Supports.clamp([0])}
    )
    stiff, state = spun(held_body, (0, 0, 12.0))
    difference = (stiff.stiffness - body.stiffness).toarray()
    assert np.allclose(difference, geometric_stiffness(body, state.displacement[:, 0]).toarray())
    assert "geometric stiffness" in stiff.notes[-1]
