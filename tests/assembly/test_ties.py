"""Rigid elements, interpolation and equations: exact elimination, chains, and errors that name the
element.
"""

import numpy as np
import pytest
from support.lines import STEEL, beam_model, bodies, eigenvalues, rectangle, solve, straight, turned

from tisserand.assembly import assemble
from tisserand.errors import ModelError
from tisserand.model import BeamSection, Equation, Interpolation, Nodes, RigidElement, Supports

SECTION = BeamSection(1, STEEL, rectangle(0.1, 0.2))


def dofs(node, components="123456"):
    return [(node, int(c) - 1) for c in components]


def rbe2(id, lead, followers, components="123456"):
    return RigidElement(id, dofs(lead), [pair for node in followers for pair in dofs(node, components)])


def two_beams(gap=(0.3, 0.2, -0.1), axes=None):
    """Beams 0-1 and 2-3 with a gap between nodes 1 and 2, and a tip body."""
    points = np.array([[0.0, 0, 0], [1.0, 0, 0], [0, 0, 0], [0, 0, 0]])
    points[2] = points[1] + gap
    points[3] = points[2] + [1.0, 0.4, 0.2]
    model = beam_model(points, SECTION, axes=axes, extra=(bodies([3], 2.0, inertia=0.1 * np.eye(3)),))
    block = model.elements[0].select(np.array([0, 2]))
    return model.changed(elements=(block, *model.elements[1:]))


def test_rigid_link_equals_an_offset_beam():
    """RBE2 across a gap is the same structure as a beam whose end is offset by the gap."""
    gap = np.array([0.3, 0.2, -0.1])
    linked = assemble(two_beams(gap).changed(constraints=(rbe2(7, 1, [2]),)))
    model = two_beams(gap)
    block = model.elements[0]
    offsets = np.zeros((2, 2, 3))
    offsets[1, 0] = gap
    nodes = block.nodes.copy()
    nodes[1, 0] = 1
    offset_block = type(block)(
        block.ids, nodes, block.section, block.orientation, offsets, block.releases, block.recipe
    )
    offset = assemble(model.changed(elements=(offset_block, *model.elements[1:])))
    assert linked.size == offset.size == 18
    assert eigenvalues(linked)[6:] == pytest.approx(eigenvalues(offset)[6:], rel=1e-9)
    K = linked.stiffness
    assert np.linalg.norm(K @ linked.rigid_body_vectors) < 1e-12 * np.linalg.norm(K.data)


def test_recovery_moves_dependents_as_a_rigid_body_in_turned_axes():
    """u_2 = u_1 + theta_1 x gap, whatever axes the nodes use; rigid motion is recovered at every node."""
    rng = np.random.default_rng(2)
    axes = np.array([turned(v) for v in rng.normal(size=(4, 3))])
    assembled = assemble(two_beams(axes=axes).changed(constraints=(rbe2(7, 1, [2]),)))
    motion = assembled.displacements(rng.normal(size=assembled.size))[:, :, 0]
    gap = assembled.nodes.positions[2] - assembled.nodes.positions[1]
    assert motion[2, :3] == pytest.approx(motion[1, :3] + np.cross(motion[1, 3:], gap), abs=1e-12)
    assert motion[2, 3:] == pytest.approx(motion[1, 3:], abs=1e-12)
    rigid = assembled.displacements(assembled.rigid_body_vectors)
    assert rigid[:, :3, 4] == pytest.approx(np.cross([0, 1.0, 0], assembled.nodes.positions), abs=1e-12)


def test_rigid_bar_with_independents_at_both_ends():
    """RBAR with six independent dofs spread over two nodes equals the same bar led by one node."""
    model = two_beams(gap=(0.4, 0.0, 0.0))
    split = RigidElement(3, [*dofs(1, "1234"), *dofs(2, "23")], [*dofs(1, "56"), *dofs(2, "1456")], "RBAR")
    one = assemble(model.changed(constraints=(rbe2(3, 1, [2]),)))
    two = assemble(model.changed(constraints=(split,)))
    assert eigenvalues(one)[6:] == pytest.approx(eigenvalues(two)[6:], rel=1e-8)


def test_chain_of_rigid_elements_in_any_order():
    """Node 5 follows 4 follows 3 follows 2: the same as all following 2."""
    points = straight(6, 3.0)
    model = beam_model(points, SECTION, extra=(bodies([5], 2.0, inertia=np.eye(3)),))
    keep = model.elements[0].select(np.array([0, 1, 5]))
    model = model.changed(elements=(keep, *model.elements[1:]))
    chain = (rbe2(30, 4, [5]), rbe2(10, 2, [3]), rbe2(20, 3, [4]))
    a = assemble(model.changed(constraints=chain))
    b = assemble(model.changed(constraints=(rbe2(1, 2, [3, 4, 5]),)))
    assert a.size == b.size
    assert np.abs((a.stiffness - b.stiffness).toarray()).max() <= 1e-12 * np.abs(b.stiffness.data).max()
    assert np.abs((a.recovery - b.recovery).toarray()).max() <= 1e-13


def test_interpolation_distributes_a_load_without_stiffening():
    """RBE3: force and moment at the reference arrive at the terms in equilibrium, and K gains no
    stiffness.
    """
    points = np.array([[0.0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [0.8, 1.1, 0.5]])
    springs = beam_model(points[:4], SECTION)
    model = springs.changed(nodes=Nodes([1, 2, 3, 4, 5], points))
    terms = [pair for node in range(4) for pair in dofs(node, "123")]
    tie = Interpolation(5, 4, np.arange(6), terms, np.ones(12))
    assembled = assemble(model.changed(constraints=(tie,)))
    free = assemble(model)
    assert np.abs((assembled.stiffness - free.stiffness).toarray()).max() == 0.0
    rows = assembled.recovery.toarray()[24:30]
    assert rows @ assembled.rigid_body_vectors == pytest.approx(
        np.array([[1, 0, 0, 0, 0.5, -1.1], [0, 1, 0, -0.5, 0, 0.8], [0, 0, 1, 1.1, -0.8, 0],
                  [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]),
        abs=1e-12,
    )  # fmt: skip
    # equal weights: the mean of the corners' motion at their center
    u = np.zeros(assembled.size)
    u[assembled.dofs.index[2, 2]] = 1.0
    center = rows[:3] @ u + np.cross(rows[3:] @ u, np.array([1.0, 1.0, 0.0]) - points[4])
    assert center == pytest.approx([0, 0, 0.25], abs=1e-12)


def test_interpolation_weighs_its_terms():
    """At the weighted centroid the reference moves by the weighted mean of its terms, whatever turns them."""
    corners = np.array([[0.0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]])
    weights = np.array([1.0, 3.0, 2.0, 5.0])
    points = np.vstack([corners, [weights @ corners / weights.sum()]])
    model = beam_model(corners, SECTION).changed(nodes=Nodes([1, 2, 3, 4, 5], points))
    terms = [pair for node in range(4) for pair in dofs(node, "123")]
    tie = Interpolation(5, 4, np.arange(6), terms, np.repeat(weights, 3))
    assembled = assemble(model.changed(constraints=(tie,)))
    motion = assembled.displacements(np.random.default_rng(0).normal(size=assembled.size))[:, :3, 0]
    assert motion[4] == pytest.approx(weights @ motion[:4] / weights.sum(), abs=1e-12)


def test_interpolation_with_moved_dependence():
    """RBE3 solved for other dofs (UM) states the same equations."""
    points = np.array([[0.0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [0.8, 1.1, 0.5]])
    base = beam_model(points, SECTION, extra=(bodies([4], 1.0, inertia=np.eye(3)),))
    model = base.changed(elements=(base.elements[0].select(np.array([0, 1, 2])), *base.elements[1:]))
    terms = [pair for node in range(4) for pair in dofs(node, "123")]
    plain = Interpolation(5, 4, np.arange(6), terms, np.ones(12))
    moved = Interpolation(5, 4, np.arange(6), terms, np.ones(12), [*dofs(0, "123"), *dofs(1, "23"), *dofs(2, "3")])
    a, b = assemble(model.changed(constraints=(plain,))), assemble(model.changed(constraints=(moved,)))
    assert eigenvalues(a)[6:] == pytest.approx(eigenvalues(b)[6:], rel=1e-7)


def test_equation_halves_the_motion():
    """u_2 - 1/2 u_1 - 1/2 u_3 = 0 as an MPC."""
    model = beam_model(straight(3, 3.0), SECTION)
    tie = Equation(9, [(2, 2), (1, 2), (3, 2)], [2.0, -1.0, -1.0])
    assembled = assemble(model.changed(constraints=(tie,)))
    u = solve(assembled, {(3, 2): 1.0, (1, 2): -0.3}, assembled.dofs.node == 0)
    assert u[2, 2] == pytest.approx(0.5 * (u[1, 2] + u[3, 2]), rel=1e-12)


def test_solvable_ring_of_equations_is_solved():
    """u_1 = 1/2 u_2 + u_0, u_2 = 1/2 u_1: a ring that has a solution, u_1 = 4/3 u_0."""
    model = beam_model(straight(3, 3.0), SECTION)
    ties = (Equation(1, [(1, 2), (2, 2), (3, 2)], [1.0, -0.5, -1.0]), Equation(2, [(2, 2), (1, 2)], [1.0, -0.5]))
    assembled = assemble(model.changed(constraints=ties))
    motion = assembled.displacements(np.eye(assembled.size)[assembled.dofs.index[3, 2]])[:, 2, 0]
    assert motion == pytest.approx([0, 4 / 3, 2 / 3, 1])


@pytest.mark.parametrize(
    ("constraints", "words"),
    [
        ((rbe2(1, 0, [1]), rbe2(2, 1, [0])), "cycle: RBE2 1, RBE2 2"),
        ((rbe2(1, 0, [1]), rbe2(2, 1, [2]), rbe2(3, 2, [0])), "cycle: RBE2 1, RBE2 2, RBE2 3"),
        ((rbe2(1, 0, [2]), rbe2(2, 1, [2])), "component 1 of node 3 is made dependent twice, by RBE2 1 and RBE2 2"),
        ((RigidElement(4, dofs(0, "123"), dofs(1)),), "RBE2 4: the independent dofs do not determine"),
        ((RigidElement(4, [*dofs(0), *dofs(2, "1")], dofs(1)),), "RBE2 4: .* redundant"),
        ((RigidElement(4, np.zeros((0, 2)), dofs(1)),), "RBE2 4: a rigid element has no independent dofs"),
        ((Equation(6, [(0, 0), (0, 0)], [1.0, -1.0]),), "MPC 6: the first coefficient"),
        ((Interpolation(8, 3, np.arange(6), dofs(0, "123"), np.ones(3)),), "RBE3 8: .*left open"),
        ((Interpolation(8, 3, np.arange(6), dofs(0), np.zeros(6)),), "RBE3 8: .*positive weights"),
        (
            (Interpolation(8, 3, np.arange(3), dofs(0), np.ones(6), dofs(1, "123")),),
            "RBE3 8: the specified dependent dofs",
        ),
    ],
)
def test_wrong_ties_are_refused_by_name(constraints, words):
    model = beam_model(straight(3, 3.0), SECTION)
    with pytest.raises(ModelError, match=words):
        assemble(model.changed(constraints=constraints))


def test_support_on_a_dependent_dof_is_refused():
    model = beam_model(straight(3, 3.0), SECTION).changed(supports=Supports.clamp([2], "3"))
    with pytest.raises(ModelError, match="component 3 of node 3 is held by a support and made dependent by RBE2 5"):
        assemble(model.changed(constraints=(rbe2(5, 0, [2]),)))
