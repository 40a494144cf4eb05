"""Loads, static solutions and inertia relief against closed forms and rigid-body mechanics."""

import numpy as np
import pytest
from support.lines import STEEL, beam_model, rectangle, straight
from support.surfaces import grid, held, plate_section, shell_model, solid_model

from tisserand.assembly.assemble import assemble
from tisserand.errors import ModelError
from tisserand.model import BeamSection, Isotropic, Nodes, RodBlock, RodSection, StructuralModel, Supports
from tisserand.statics import acceleration_loads, nodal_loads, solve_static, spin_load, spin_loads

BRICK = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)


def beam(count=8, length=2.0, **values):
    section = BeamSection(1, STEEL, rectangle(0.05, 0.08))
    return assemble(beam_model(straight(count, length), section, **values))


def plate(recipe="consistent", triangles=False):
    points, cells = grid(4, 3, lambda a, b: (2 * a + 0.2 * b, b + 0.1 * a * b, 0.3 * a * a), triangles)
    model = shell_model(points, cells, plate_section(0.02, 7e10, 0.3, 2700.0), offset=0.03)
    return assemble(model, recipe)


def block():
    material = Isotropic.from_young(1, 7e10, 0.3, 2700.0)
    rng = np.random.default_rng(0)
    return assemble(solid_model(BRICK + 0.1 * rng.random((8, 3)), [list(range(8))], "hex8", material, "unlocked"))


BODIES = {
    "beam": beam, "plate": plate, "triangles": lambda: plate(triangles=True), "lumped plate": lambda: plate("lumped"),
    "plate of bodies": lambda: plate("bodies"), "block": block,
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_resultants_of_inertial_loads_are_those_of_the_rigid_body(name):
    """S'f of unit accelerations is -M_rr; of a spin w about p it is [-m w x (w x c); -w x J w] about p:
    Euler's equations.
    """
    body = BODIES[name]()
    about = np.array([0.3, -0.2, 0.5])
    properties = body.mass_properties()
    s = body.rigid_body_vectors
    loads = acceleration_loads(body, about)
    inertia = properties.inertia_about(about)
    arm = properties.center - about
    from tisserand.arrays import skew

    rigid_here = np.array(s)
    rigid_here[:, 3:] += s[:, :3] @ skew(about)
    m = properties.mass
    expected = np.block([[m * np.eye(3), -m * skew(arm)], [m * skew(arm), inertia]])
    assert np.allclose(rigid_here.T @ loads, -expected, atol=1e-10 * np.abs(expected).max())
    w = np.array([0.7, -1.1, 0.4])
    total = rigid_here.T @ spin_load(body, w, about)
    force = -m * np.cross(w, np.cross(w, arm))
    torque = -np.cross(w, inertia @ w)
    assert np.allclose(total, np.concatenate([force, torque]), atol=1e-10 * np.abs(expected).max())


def test_products_of_rates_add_up_to_any_spin():
    body = plate()
    w = np.array([0.3, 0.8, -0.5])
    x, y, z = w
    direct = spin_loads(body) @ [x * x, y * y, z * z, x * y, y * z, z * x]
    assert np.allclose(direct, spin_load(body, w))
    turned = spin_load(body, -w)
    assert np.allclose(direct, turned)


def test_cantilever_under_tip_load_and_its_reactions():
    """w = P L³/(3 E I); the reaction is -P and P L."""
    body = beam()
    tip = len(body.nodes)
    solution = solve_static(body, nodal_loads(body, {tip: (0, 0, 100.0)}), Supports.clamp([0]))
    u = body.displacements(solution.displacement)[-1, :, 0]
    inertia = 0.08 * 0.05**3 / 12  # the section's y axis is the orientation vector z
    assert u[2] == pytest.approx(100 * 8 / (3 * STEEL.young * inertia), rel=1e-9)
    reactions = np.zeros((len(body.nodes), 6))
    reactions[body.dofs.node, body.dofs.component] = solution.reactions[:, 0]
    assert np.allclose(reactions[0], [0, 0, -100.0, 0, 200.0, 0], atol=1e-6)
    assert solution.residual < 1e-8 and not solution.acceleration.any()


@pytest.mark.parametrize("bending", ["waves", "nastran"])
def test_thin_shells_balance_their_loads(bending):
    """Sums of the assembled matrix have too few digits for a film that lies obliquely, and for MacNeal and Harder's thin
    twisted beam (tip 5256e-6 in its plane, 1294e-6 across, load 1e-6) of 24 x 4 elements.
    """
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    deflections = []
    for axes in (np.eye(3), turn):
        points, cells = grid(20, 20, lambda a, b: (a, b, 0.0))
        film = shell_model(points @ axes.T, cells, plate_section(1e-5, 7e10, 0.3, 2700.0), bending=bending)
        body = assemble(film)
        root = np.flatnonzero(points[:, 0] < 1e-9)
        force = nodal_loads(body, {len(points): tuple(1e-6 * axes[:, 2])})
        solution = solve_static(body, force, Supports.clamp(root))
        deflections.append(body.displacements(solution.displacement)[-1, :3, 0] @ axes[:, 2])
    assert deflections[1] == pytest.approx(deflections[0], rel=1e-6)

    def place(a, b):
        return 12.0 * a, 1.1 * (b - 0.5) * np.cos(np.pi * a / 2), 1.1 * (b - 0.5) * np.sin(np.pi * a / 2)

    points, cells = grid(24, 4, place)
    body = assemble(shell_model(points, cells, plate_section(0.0032, 29e6, 0.22, 1.0), bending=bending))
    tip, root = np.flatnonzero(points[:, 0] > 11.99), np.flatnonzero(points[:, 0] < 1e-9)
    shares = 1e-6 * np.array([0.125, 0.25, 0.25, 0.25, 0.125])
    for axis, expected in ((2, 5256e-6), (1, 1294e-6)):
        pushes = {int(n) + 1: tuple(share * np.eye(3)[axis]) for n, share in zip(tip, shares)}
        solution = solve_static(body, nodal_loads(body, pushes), Supports.clamp(root))
        found = body.displacements(solution.displacement)[tip[2], axis, 0]
        assert found == pytest.approx(expected, rel=0.02)


def test_bar_stretched_by_its_own_spin():
    """Bar along x spinning about z: u(L) = rho w² L³/(3 E) (axial, exact at the nodes for linear elements
    with exact loads).
    """
    body = beam(count=16)
    solution = solve_static(body, spin_load(body, (0, 0, 50.0)), Supports.clamp([0]))
    u = body.displacements(solution.displacement)[-1, 0, 0]
    assert u == pytest.approx(STEEL.density * 2500 * 8 / (3 * STEEL.young), rel=1e-6)


@pytest.mark.parametrize("name", ["beam", "plate", "block"])
def test_inertia_relief_of_a_free_body(name):
    """A free body under a force accelerates as M_rr^-1 f; no rigid part stays in u; deformation is
    self-equilibrated.
    """
    body = BODIES[name]()
    last = int(body.nodes.ids[-1])
    load = nodal_loads(body, {last: (30.0, -20.0, 50.0)})
    with pytest.raises(ModelError, match="rigid motions free"):
        solve_static(body, load, Supports())
    solution = solve_static(body, load, Supports(), inertia_relief=True)
    s = body.rigid_body_vectors
    rigid_mass = s.T @ (body.mass @ s)
    u = solution.displacement[:, 0]
    assert np.allclose(rigid_mass @ solution.acceleration[:, 0], s.T @ load, atol=1e-8 * np.abs(load).max())
    assert np.abs(s.T @ (body.mass @ u)).max() < 1e-10 * np.abs(rigid_mass).max() * np.abs(u).max()
    left = load - body.mass @ (s @ solution.acceleration[:, 0])
    assert np.abs(body.stiffness @ u - left).max() < 1e-7 * np.abs(load).max()


def test_partial_supports_leave_the_other_motions_to_inertia():
    """A plate held in its plane only: one hinge line left free, relief acts on the three remaining motions."""
    points, cells = grid(2, 2, lambda a, b: (a, b))
    model = shell_model(points, cells, plate_section(0.02, 7e10, 0.3, 2700.0), supports=held(9, (slice(None), "126")))
    body = assemble(model)
    load = nodal_loads(body, {9: (0, 0, 10.0)})
    solution = solve_static(body, load, inertia_relief=True)
    assert np.allclose(solution.acceleration[[0, 1, 5], 0], 0.0, atol=1e-12)
    assert solution.acceleration[2, 0] != 0.0


def test_a_moment_on_a_solid_is_refused():
    with pytest.raises(ModelError, match="component without elements"):
        nodal_loads(block(), {1: (0, 0, 0, 1.0, 0, 0)})


def strut(turned=False, auto=True):
    """A rod from a clamp along x (or a direction that is none of the axes): it carries load along itself alone."""
    along = np.array([2.0, 1.0, -0.5]) / np.sqrt(5.25) if turned else np.array([1.0, 0.0, 0.0])
    nodes = Nodes(np.array([1, 2]), np.array([np.zeros(3), 3.0 * along]))
    rod = RodBlock(np.array([1]), np.array([[0, 1]]), np.zeros(1, int))
    supports = Supports.clamp(np.array([0]), "123456")
    section = RodSection(1, STEEL, 1e-4, 0.0)
    return assemble(StructuralModel("strut", nodes, (rod,), (section,), supports=supports, auto_constrain=auto)), along


@pytest.mark.parametrize("turned", [False, True])
def test_a_load_where_nothing_is_stiff_is_refused_or_told(turned):
    """A rod moves by F L / (E A) under F along it; a load across it is carried by nothing, whatever holds the dof."""
    body, along = strut(turned)
    stretched = solve_static(body, nodal_loads(body, {2: 500.0 * along}))
    moved = body.displacements(stretched.displacement[:, 0])[1, :3, 0]
    assert stretched.notes == () and moved @ along == pytest.approx(500.0 * 3.0 / (STEEL.young * 1e-4), rel=1e-9)
    across = np.cross(along, [0.0, 0.3, 1.0])
    with pytest.raises(ModelError, match=r"no stiffness.*2 loaded dofs.*node 2 \(") as refusal:
        solve_static(body, nodal_loads(body, {2: 500.0 * along + 20.0 * across}))
    assert refusal.value.exit_code == 2
    held_there = solve_static(body, nodal_loads(body, {2: 500.0 * along + 20.0 * across}), uncarried="hold")
    assert "held automatically: node 2" in held_there.notes[0]


def test_a_support_of_the_deck_carries_its_load():
    """The same load on a dof that the deck itself supports is a reaction, not a lost load."""
    body, _ = strut()
    supports = Supports(np.array([0, 1]), np.array([[True] * 6, [False, True, True, True, True, True]]))
    state = solve_static(body, nodal_loads(body, {2: (500.0, 20.0, 0.0)}), supports)
    assert state.notes == () and state.reactions.sum(axis=0)[0] == pytest.approx(-520.0)
