"""Rigid arms to second degree against exact finite rotation: platforms on rods, whose energy follows from their lengths."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.lines import STEEL, beam_block, beam_model, bodies, rectangle, rod_model, turned
from support.surfaces import grid, plate_section, shell_model

from tisserand.assembly import assemble
from tisserand.assembly.rigid_arms import rigid_arms
from tisserand.model import (
    BeamSection,
    BushBlock,
    Equation,
    Interpolation,
    Nodes,
    RigidElement,
    StructuralModel,
    Supports,
)
from tisserand.statics import geometric_stiffness, prestress, second_displacement

LEGS = np.array([[1.0, 0, 0], [0.9, 0.3, 0], [-0.5, 0.8, 0.1], [-0.7, 0.6, 0], [-0.4, -0.9, 0], [-0.1, -1.0, -0.1]])
FEET = np.array(
    [[1.3, 0.5, -1], [1.2, -0.6, -1], [-0.2, 1.3, -1.1], [-1.3, 0.3, -1], [-1.0, -0.8, -1], [0.5, -1.2, -1]]
)
HUB = np.array([0.2, -0.1, 0.5])
EA = 1e4


def dofs(node, components="123456"):
    return [(node, int(c) - 1) for c in components]


def equations(lead, follow, nodes, first):
    """Three equations that state a rigid link of the translations, as decks write them, in the nodes' own axes."""
    rho = nodes.positions[follow] - nodes.positions[lead]
    own, other = (np.eye(3) if nodes.axes is None else nodes.axes[i] for i in (follow, lead))
    out = []
    for c in range(3):
        values = np.concatenate([other @ own[c], np.cross(other, rho) @ own[c]])
        used = np.flatnonzero(values)
        out.append(Equation(first + c, [(follow, c), *((lead, int(k)) for k in used)], [1.0, *-values[used]]))
    return out


def ties(kind, nodes):
    """Node 12 leads the platform's nodes 0..5, in several spellings."""
    if kind == "one element":
        return [RigidElement(1, dofs(12), [d for i in range(6) for d in dofs(i, "123")])]
    if kind == "chain":  # 12 leads 13, 13 leads the first three and 14, 14 leads the rest
        return [
            RigidElement(3, dofs(14), [d for i in range(3, 6) for d in dofs(i, "123")]),
            RigidElement(2, dofs(13), [*(d for i in range(3) for d in dofs(i, "123")), *dofs(14)]),
            RigidElement(1, dofs(12), dofs(13)),
        ]
    if kind == "bar with dofs at both ends":
        bar = RigidElement(1, [*dofs(12, "1234"), *dofs(13, "23")], [*dofs(12, "56"), *dofs(13, "1456")], "RBAR")
        return [bar, RigidElement(2, dofs(13), [d for i in range(6) for d in dofs(i, "123")])]
    if kind == "equations":
        return [e for i in range(6) for e in equations(12, i, nodes, 10 * i + 1)]
    raise ValueError(kind)


KINDS = ["one element", "chain", "bar with dofs at both ends", "equations"]


def platform(kind, axes=False):
    """A rigid platform on six rods; node 12 is its hub, 13 and 14 stand on it."""
    extra = HUB + np.array([[0.8, 0.0, 0.0], [0.5, 0.7, 0.2]])
    positions = np.concatenate([LEGS, FEET, [HUB], extra])
    model = rod_model(positions, [[i, i + 6] for i in range(6)], young=EA, area=1.0, density=0.1)
    masses = bodies([12], 3.0, inertia=np.diag([0.2, 0.3, 0.4]))
    nodes = model.nodes
    if axes:
        rng = np.random.default_rng(4)
        nodes = Nodes(nodes.ids, nodes.positions, np.array([turned(v) for v in rng.normal(size=(len(positions), 3))]))
    held = np.zeros((6, 6), bool)
    held[:, :3] = True
    return model.changed(
        nodes=nodes,
        elements=(*model.elements, masses),
        constraints=tuple(ties(kind, nodes)),
        supports=Supports(np.arange(6, 12), held),
    )


def exact_lengths(hub):
    """Rod lengths with the hub moved by hub[:3] and turned by the rotation vector hub[3:]."""
    R = Rotation.from_rotvec(hub[3:]).as_matrix()
    tops = HUB + hub[:3] + (LEGS - HUB) @ R.T
    return np.linalg.norm(tops - FEET, axis=1)


REST = exact_lengths(np.zeros(6))


def exact_energy(hub):
    return float((0.5 * EA / REST * (exact_lengths(hub) - REST) ** 2).sum())


@pytest.mark.parametrize("axes", [False, True], ids=["basic axes", "turned axes"])
@pytest.mark.parametrize("kind", KINDS)
def test_cubic_strain_energy_vanishes_along_the_second_degree_motion(kind, axes):
    """E(phi eta + 1/2 psi eta²) - 1/2 K eta² falls with the fourth power of eta; without psi, with the third."""
    model = assemble(platform(kind, axes))
    rng = np.random.default_rng(3)
    free = ~model.held()
    Phi = np.where(free[:, None], rng.normal(size=(model.size, 1)), 0.0)
    Phi /= np.linalg.norm(model.displacements(Phi)[12])
    second = second_displacement(model, Phi)
    assert second.gauge == "attachment"
    hub, psi = model.displacements(Phi)[12, :, 0], second.displacement[12, :, 0]
    energy = float(Phi[:, 0] @ (model.stiffness @ Phi[:, 0]))
    left, plain = [], []
    for eta in (0.04, 0.02):
        left.append(exact_energy(hub * eta + 0.5 * psi * eta**2) - 0.5 * energy * eta**2)
        plain.append(exact_energy(hub * eta) - 0.5 * energy * eta**2)
    assert left[0] / left[1] == pytest.approx(16.0, rel=0.15)
    assert plain[0] / plain[1] == pytest.approx(8.0, rel=0.3)


@pytest.mark.parametrize("kind", KINDS)
def test_slaves_move_by_exact_rotation_to_second_degree(kind):
    model = assemble(platform(kind))
    rng = np.random.default_rng(8)
    Phi = np.where(~model.held(), rng.normal(size=model.size), 0.0)[:, None]
    shapes, psi = model.displacements(Phi)[..., 0], second_displacement(model, Phi).displacement[..., 0]
    errors = []
    for eta in (0.04, 0.02):
        hub = shapes[12] * eta + 0.5 * psi[12] * eta**2
        R = Rotation.from_rotvec(shapes[12, 3:] * eta).as_matrix()
        exact = hub[:3] + (LEGS - HUB) @ (R - np.eye(3)).T
        exact += np.cross(0.5 * psi[12, 3:] * eta**2, LEGS - HUB)
        errors.append(np.abs(shapes[:6, :3] * eta + 0.5 * psi[:6, :3] * eta**2 - exact).max())
    assert errors[0] / errors[1] == pytest.approx(8.0, rel=0.1)


@pytest.mark.parametrize("kind", ["one element", "chain", "equations"])  # where the hub's motion is linear in the dofs
def test_geometric_stiffness_is_the_force_times_the_second_degree_of_the_length(kind):
    """phi' Kgeo(v) phi = sum N(v) d²l/d eta² with lengths of the exactly turned platform."""
    model = assemble(platform(kind))
    rng = np.random.default_rng(5)
    phi, v = (np.where(~model.held(), rng.normal(size=model.size), 0.0) for _ in range(2))
    hub, h = model.displacements(phi)[12, :, 0], 1e-3
    slope = (
        exact_lengths(h * model.displacements(v)[12, :, 0]) - exact_lengths(-h * model.displacements(v)[12, :, 0])
    ) / (2 * h)
    bend = (exact_lengths(h * hub) - 2 * REST + exact_lengths(-h * hub)) / h**2
    found = phi @ (geometric_stiffness(model, v) @ phi)
    assert found == pytest.approx(float((EA / REST * slope * bend).sum()), rel=1e-4)


def test_a_weight_hanging_on_an_arm_is_a_pendulum():
    """Rotational spring k at the master, dead weight f at the end of an arm l: k + f l, or k - f l upside down."""
    arm, weight, k = 0.7, 9.0, 50.0
    for side in (-1.0, 1.0):
        nodes = Nodes([1, 2], [[0.0, 0, 0], [0, 0, side * arm]])
        spring = BushBlock([1], [[0, -1]], [[1e6, 1e6, 1e6, k, k, k]], np.zeros((1, 6)), [np.eye(3)], [[0.0, 0, 0]])
        model = assemble(
            StructuralModel(
                "pendulum", nodes, (spring, bodies([1], 1.0)), constraints=(RigidElement(1, dofs(0), dofs(1)),)
            )
        )
        stiff = prestress(model, np.zeros(model.size), dead_loads={2: (0.0, 0.0, -weight)})
        tilt = model.dofs.index[0, 3:]
        found = stiff.stiffness.toarray()[np.ix_(tilt, tilt)]
        assert np.diag(found) == pytest.approx([k - side * weight * arm, k - side * weight * arm, k], rel=1e-12)


def test_offsets_of_beams_are_rigid_arms():
    """Stiffness, mass and geometric stiffness of offset beams equal those of the same beams on RBE2 arms."""
    rng = np.random.default_rng(1)
    section = BeamSection(1, STEEL, rectangle(0.1, 0.2))
    points = np.array([[0.0, 0, 0], [1.0, 0.2, 0], [2.0, 0, 0.3]])
    offsets = 0.3 * rng.normal(size=(2, 2, 3))
    offset = assemble(beam_model(points, section, offsets=offsets))
    ends = [points[0] + offsets[0, 0], points[1] + offsets[0, 1], points[1] + offsets[1, 0], points[2] + offsets[1, 1]]
    on_arms = StructuralModel(
        "arms",
        Nodes(np.arange(1, 8), np.concatenate([points, ends])),
        (beam_block([[3, 4], [5, 6]]),),
        (section,),
        constraints=tuple(
            RigidElement(i, dofs(a), dofs(b)) for i, (a, b) in enumerate([(0, 3), (1, 4), (1, 5), (2, 6)])
        ),
    )
    q = rng.normal(size=18)
    one, two = geometric_stiffness(offset, q), geometric_stiffness(assemble(on_arms), q)
    assert abs(one - two).max() < 1e-13 * abs(one).max()


@pytest.mark.parametrize("triangles", [False, True], ids=["quads", "triangles"])
def test_offsets_of_shells_are_rigid_arms(triangles):
    rng = np.random.default_rng(2)
    points, cells = grid(2, 2, lambda x, y: (x, y + 0.1 * x, 0.0), triangles)
    section, n = plate_section(0.05, 7e10, 0.3, 2700.0), len(points)
    offset = assemble(shell_model(points, cells, section, offset=0.13))
    lifted = shell_model(np.concatenate([points + np.array([0, 0, 0.13]), points]), cells, section)
    arms = tuple(RigidElement(i, dofs(i + n), dofs(i)) for i in range(n))
    q = rng.normal(size=offset.size)
    one, two = geometric_stiffness(offset, q), geometric_stiffness(assemble(lifted.changed(constraints=arms)), q)
    assert abs(one - two).max() < 1e-13 * abs(one).max()


def test_interpolation_and_plain_equations_are_no_arms():
    """An RBE3 averages; an equation with other coefficients is no link; slaves that lead an RBE3 hand on psi."""
    positions = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.3, 0.3, 0.3]])
    model = rod_model(positions, [[0, 1], [1, 2], [2, 3]])
    average = Interpolation(1, 4, np.arange(6), [(i, c) for i in range(4) for c in range(3)], np.ones(12))
    loose = Equation(2, [(1, 0), (0, 0), (0, 4)], [1.0, -1.0, 0.5])
    assert len(rigid_arms(model.changed(constraints=(average,)))) == 0
    assert len(rigid_arms(model.changed(constraints=(loose,)))) == 0
    led = RigidElement(3, dofs(0), [d for i in (1, 2, 3) for d in dofs(i, "123")])
    arms = rigid_arms(model.changed(constraints=(average, led)))
    motion = np.zeros((5, 6, 1))
    b = np.array([0.2, -0.1, 0.3])
    motion[:, 3:, 0] = b
    psi = arms.displacement(motion, motion)[:, :3, 0]
    slaves = np.cross(b, np.cross(b, positions[1:4]))
    assert psi[1:4] == pytest.approx(slaves, abs=1e-14)
    # least-squares rigid motion of the four terms, carried to the reference node
    arm = positions[:4] - positions[4]
    S = np.concatenate([np.concatenate([np.eye(3), -np.cross(np.eye(3), a).T], axis=1) for a in arm])
    wanted = np.linalg.lstsq(S, np.concatenate([[0.0, 0, 0], slaves.ravel()]), rcond=None)[0][:3]
    assert psi[4] == pytest.approx(wanted, abs=1e-12)


def test_an_equation_is_an_arm_to_the_digits_that_decks_print():
    """Arms printed with five digits are rigid links; an arm that is wrong by 0.3 % states something else."""
    positions = np.array([[0.0, 0, 0], [1 / 3, 2 / 3, -1 / 7]])
    model = rod_model(positions, [[0, 1]])
    exact = equations(0, 1, model.nodes, 1)

    def spelled(change):
        return [Equation(e.id, e.terms, [change(float(x)) for x in e.coefficients]) for e in exact]

    printed = spelled(lambda x: float(f"{x:.5g}"))
    wrong = spelled(lambda x: x if abs(x) == 1.0 else 1.003 * x)
    assert len(rigid_arms(model.changed(constraints=tuple(printed)))) == 3
    assert len(rigid_arms(model.changed(constraints=tuple(wrong)))) == 0


def test_a_rigid_element_that_leaves_its_rotation_open_is_named():
    positions = np.array([[0.0, 0, 0], [1, 0, 0]])
    slider = RigidElement(7, dofs(0, "1"), dofs(1, "1"))
    arms = rigid_arms(rod_model(positions, [[0, 1]]).changed(constraints=(slider,)))
    assert arms.linear == ("RBE2 7",)
    assert len(arms) == 0
