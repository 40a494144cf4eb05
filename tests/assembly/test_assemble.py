"""Assembly: against a dense reference, in turned node axes, with springs, direct terms and chunks."""

import sys

import numpy as np
import pytest
from support.lines import (
    STEEL,
    beam_block,
    beam_model,
    bodies,
    dense,
    eigenvalues,
    rectangle,
    rod_model,
    straight,
    turned,
)

from tisserand.assembly import assemble
from tisserand.elements.registry import prepare
from tisserand.errors import ModelError
from tisserand.model import (
    BeamSection,
    BushBlock,
    DirectMatrix,
    Ledger,
    Nodes,
    ScalarMassBlock,
    ScalarSpringBlock,
    StructuralModel,
    Supports,
)

SECTION = BeamSection(1, STEEL, rectangle(0.1, 0.2), None, shear_y=0.8, shear_z=0.8)


def frame_model(count=12, seed=0, axes=None, **values) -> StructuralModel:
    """Points joined at random by beams, some with bodies."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(-2, 2, (count, 3))
    chain = np.column_stack([np.arange(count - 1), np.arange(1, count)])
    extra = np.array([(i, j) for i in range(count) for j in range(i + 2, count) if rng.uniform() < 0.2])
    pairs = np.vstack([chain, extra])
    block = beam_block(pairs, orientation=rng.normal(size=(len(pairs), 3)))
    body = bodies([1, 4, 4], [3.0, 2.0, 1.0], offset=[0.1, 0.2, -0.1], inertia=np.diag([0.1, 0.2, 0.25]))
    nodes = Nodes(np.arange(10, 10 + count), points, axes)
    return StructuralModel("frame", nodes, (block, body), (SECTION,), **values)


@pytest.mark.parametrize("chunk", [1, 3, 10**6])
def test_sparse_assembly_equals_the_dense_sum(chunk, monkeypatch):
    """Any chunk size gives the plain sum of the element matrices."""
    module = sys.modules[assemble.__module__]
    monkeypatch.setattr(module, "_CHUNK_BYTES", chunk * 16 * 144)
    model = frame_model()
    assembled = assemble(model)
    for word in ("stiffness", "mass"):
        reference = dense(model, word=word)
        found = getattr(assembled, word)
        assert found.has_sorted_indices
        assert np.abs(found.toarray() - reference).max() <= 1e-13 * np.abs(reference).max()


def test_node_axes_change_the_matrices_and_nothing_else():
    """Turned node axes: K_node = A K A', the same eigenvalues, and recovery back to basic axes."""
    rng = np.random.default_rng(5)
    axes = np.array([turned(v) for v in rng.normal(size=(12, 3))])
    axes[3] = np.eye(3)
    plain, local = assemble(frame_model()), assemble(frame_model(axes=axes))
    big = np.zeros((72, 72))
    for i in range(24):
        big[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = axes[i // 2]
    for word in ("stiffness", "mass"):
        reference = big @ getattr(plain, word).toarray() @ big.T
        assert getattr(local, word).toarray() == pytest.approx(reference, abs=1e-12 * np.abs(reference).max())
    assert local.recovery.toarray() == pytest.approx(big.T, abs=1e-15)
    assert big @ plain.rigid_body_vectors == pytest.approx(local.rigid_body_vectors, abs=1e-13)
    a, b = eigenvalues(plain)[6:], eigenvalues(local)[6:]
    eps = np.finfo(float).eps
    assert np.all(np.abs(a - b) <= np.maximum(1e-10, 100 * eps * a[-1] / a) * a)


def test_rotated_model_has_the_same_frequencies():
    """Turning the whole model: relative change of each eigenvalue below max(1e-10, 100 eps lmax / l)."""
    model = frame_model()
    R = turned([0.3, 1.2, -0.8])
    block, body = model.elements
    moved = model.changed(
        nodes=Nodes(model.nodes.ids, model.nodes.positions @ R.T + [3.0, -1.0, 2.0]),
        elements=(
            beam_block(block.nodes, orientation=block.orientation @ R.T),
            bodies(body.nodes[:, 0], body.mass, body.offset @ R.T, R @ body.inertia @ R.T),
        ),
    )
    a, b = eigenvalues(assemble(model))[6:], eigenvalues(assemble(moved))[6:]
    assert np.all(np.abs(a - b) <= np.maximum(1e-10, 100 * np.finfo(float).eps * a[-1] / a) * a)


def test_six_rigid_motions_cost_nothing():
    """||K r|| <= 1e-10 ||K|| ||r|| and recovery carries rigid motion to every node."""
    rng = np.random.default_rng(1)
    axes = np.array([turned(v) for v in rng.normal(size=(12, 3))])
    assembled = assemble(frame_model(axes=axes))
    K, r = assembled.stiffness, assembled.rigid_body_vectors
    norm = np.linalg.norm(K.data)
    assert np.linalg.norm(K @ r, axis=0).max() <= 1e-13 * norm * np.linalg.norm(r)
    full = assembled.displacements(r)
    positions = assembled.nodes.positions
    assert full[:, :3, :3] == pytest.approx(np.tile(np.eye(3), (12, 1, 1)), abs=1e-14)
    assert full[:, :3, 5] == pytest.approx(np.cross([0, 0, 1.0], positions), abs=1e-13)
    assert full[:, 3:, 3:] == pytest.approx(np.tile(np.eye(3), (12, 1, 1)), abs=1e-14)


def test_springs_masses_and_direct_terms_live_in_node_axes():
    """Two-mass chain on springs: exact eigenvalues; a turned node axis turns the spring with it."""
    axes = np.array([turned([0, 0, np.pi / 2])] * 2)
    nodes = Nodes([1, 2], np.zeros((2, 3)), axes)
    springs = ScalarSpringBlock([1, 2], [[0, -1], [0, 1]], [[0, 0], [0, 0]], [2.0, 3.0], [0.1, 0.0])
    masses = ScalarMassBlock([3, 4], [[0, -1], [1, -1]], [[0, 0], [0, 0]], [1.0, 2.0])
    added = DirectMatrix([1], [[0, 0]], [[0, 0]], [4.0], "mass")
    model = StructuralModel("chain", nodes, (springs, masses, added))
    assembled = assemble(model)
    assert assembled.size == 2
    assert not assembled.has_field
    K, M = np.array([[5.0, -3.0], [-3.0, 3.0]]), np.diag([5.0, 2.0])
    assert assembled.stiffness.toarray() == pytest.approx(K)
    assert assembled.mass.toarray() == pytest.approx(M)
    assert assembled.damping.toarray() == pytest.approx(np.diag([0.1, 0.0]))
    motion = assembled.displacements(np.array([1.0, 0.0]))[:, :, 0]
    assert motion[0, :3] == pytest.approx([0, -1, 0] if axes[0, 0, 1] < 0 else [0, 1, 0])


def test_scalar_points_own_one_dof_and_no_rigid_motion():
    nodes = Nodes([1, 2], np.zeros((2, 3)), None, [True, False])
    springs = ScalarSpringBlock([1], [[0, 1]], [[0, 2]], [2.0], [0.0])
    masses = ScalarMassBlock([2, 3], [[0, -1], [1, -1]], [[0, 0], [2, 2]], [1.0, 1.0])
    assembled = assemble(StructuralModel("scalar", nodes, (springs, masses)))
    assert assembled.size == 2
    assert assembled.rigid_body_vectors[0] == pytest.approx(0.0)
    assert assembled.rigid_body_vectors[1, 2] == 1.0


def test_bush_sits_where_the_card_puts_it():
    """A bush off the line of its nodes: rigid motion costs nothing; stiffness acts in its own axes."""
    nodes = Nodes([1, 2], np.array([[0.0, 0, 0], [1.0, 0.5, 0]]))
    k = np.array([[100.0, 200.0, 300.0, 4.0, 5.0, 6.0]])
    axes = turned([0.2, 0.5, -0.4])[None]
    block = BushBlock([9], [[0, 1]], k, 0.1 * k, axes, [[0.3, 0.8, -0.2]])
    model = StructuralModel("bush", nodes, (block, bodies([0, 1], 1.0, inertia=np.eye(3))))
    assembled = assemble(model)
    K, r = assembled.stiffness.toarray(), assembled.rigid_body_vectors
    assert np.abs(K @ r).max() < 1e-12 * np.abs(K).max()
    values = np.linalg.eigvalsh(K)
    assert (values > 1e-9 * values[-1]).sum() == 6
    assert assembled.damping.toarray() == pytest.approx(0.1 * K)
    grounded = BushBlock([9], [[0, -1]], k, 0 * k, np.eye(3)[None], [[0.0, 0, 0]])
    alone = assemble(StructuralModel("bush", nodes, (grounded, bodies([0], 1.0, inertia=np.eye(3)))))
    assert alone.stiffness.toarray() == pytest.approx(np.diag(k[0]))
    family = prepare(model, grounded)
    u = np.zeros((2, 6))
    u[0, 1] = 0.5
    assert family.resultants(u)["force"] == pytest.approx(np.array([[0, -100.0, 0]]))


def test_dofs_without_stiffness_and_mass_are_left_out_and_reported():
    """A body without inertia on a rod: its rotations have nothing, so they go, with a note."""
    model = rod_model([[0, 0, 0], [1.0, 0, 0]], [(0, 1)])
    assembled = assemble(model.changed(elements=(*model.elements, bodies([1], 2.0))))
    assert set(assembled.dofs.component) == {0, 1, 2}
    assert any("3 dofs at 1 nodes have neither stiffness nor mass" in note for note in assembled.notes)


@pytest.mark.parametrize("hold", [True, False])
def test_dofs_with_mass_but_no_stiffness_are_reported_and_held_only_on_request(hold):
    """A plane truss cannot resist motion out of its plane: AUTOSPC's decision is data, not baked in."""
    model = rod_model([[0, 0, 0], [1.0, 0, 0], [0.5, 0.8, 0]], [(0, 1), (1, 2), (2, 0)], auto_constrain=hold)
    assembled = assemble(model)
    assert assembled.size == 9
    assert any("no stiffness at their node" in note for note in assembled.notes)
    assert any("carry mass" in note for note in assembled.notes)
    held = assembled.dofs.fixed_by(assembled.auto_supports)
    assert held.sum() == (3 if hold else 0)
    assert set(assembled.dofs.component[held]) <= {2}


def test_ledger_balances_mass_center_and_inertia():
    model = frame_model(ledger=Ledger(source="deck", balance={"mass read": 1.0}))
    assembled = assemble(model)
    balance, found = assembled.ledger.balance, assembled.mass_properties()
    assert balance["mass read"] == 1.0
    assert balance["mass assembled"] == pytest.approx(found.mass)
    assert balance["center y assembled"] == pytest.approx(found.center[1])
    m, c = found.mass, found.center  # inertia about the basic origin, as readers state it
    assert balance["inertia zx assembled"] == pytest.approx(found.inertia[2, 0] - m * c[2] * c[0])
    assert balance["inertia xx assembled"] == pytest.approx(found.inertia[0, 0] + m * (c[1] ** 2 + c[2] ** 2))


def test_supports_are_passed_on_not_applied():
    model = beam_model(straight(3, 1.0), SECTION).changed(supports=Supports.clamp([0], "123"))
    assembled = assemble(model)
    assert assembled.size == 24
    assert assembled.held().sum() == 3


def test_models_without_anything_are_refused():
    with pytest.raises(ModelError, match="no elements"):
        assemble(StructuralModel("empty", Nodes([1], np.zeros((1, 3))), ()))
    with pytest.raises(ModelError, match="no element of the model has stiffness or mass"):
        assemble(StructuralModel("nothing", Nodes([1], np.zeros((1, 3))), (bodies([0], 0.0),)))
