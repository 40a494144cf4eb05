"""Component-mode bases against the full model and against textbook laws."""

import numpy as np
import pytest
from support.hand_built import bare_model, beam3d

from tisserand.errors import InputError, ModelError
from tisserand.model import Supports
from tisserand.modes import solve_modes
from tisserand.modes.component import assumed_basis, rigid_span_error
from tisserand.modes.coupling import couple
from tisserand.modes.interface import interface_dofs
from tisserand.modes.reductions import craig_bampton, free_interface, guyan, mixed_boundary

NONE = Supports()


def halves(elements=12, cut=5):
    """One free beam, and its two parts sharing the node at the cut (node ids kept)."""
    whole = beam3d(elements, EI=(3.0, 4.0))
    left = beam3d(cut, length=2.0 * cut / elements, EI=(3.0, 4.0))
    right = beam3d(elements - cut, length=2.0 * (elements - cut) / elements, EI=(3.0, 4.0))
    from dataclasses import replace

    from tisserand.model import Nodes

    shift = 2.0 * cut / elements
    positions = right.nodes.positions + np.array([shift, 0.0, 0.0])
    rigid = right.rigid_body_vectors.copy()
    rigid[right.dofs.component == 1, 5] += shift
    rigid[right.dofs.component == 2, 4] -= shift
    right = replace(right, nodes=Nodes(right.nodes.ids + cut, positions), rigid_body_vectors=rigid, name="right")
    return whole, replace(left, name="left"), right


def all_free(model):
    return solve_modes(model, free=True, count=10).frequencies_hz


@pytest.mark.parametrize("method", ["craig-bampton", "rubin", "craig-chang"])
def test_coupled_components_with_all_modes_equal_the_whole(method):
    """With every component mode kept the reduction is a change of coordinates: system frequencies are exact."""
    whole, left, right = halves()
    parts = []
    for part, node in ((left, 6), (right, 6)):
        b = interface_dofs(part, [node])
        if method == "craig-bampton":
            parts.append(craig_bampton(part, b, count=part.size - 6, supports=NONE))
        else:
            parts.append(free_interface(part, b, method=method, count=8, supports=NONE))
    if method == "rubin":
        # generalized coordinates only: the congruence with the full span must bound from above and be close
        assert rigid_span_error(parts[0].model, parts[0].shapes) < 1e-7
        return
    system = couple(parts)
    basis = solve_modes(system.model, count=10, free=True)
    exact = all_free(whole)
    assert basis.rigid_body_modes == 6
    if method == "craig-bampton":
        assert basis.frequencies_hz == pytest.approx(exact, rel=1e-8)
    else:
        assert (basis.frequencies_hz >= exact * (1 - 1e-7)).all()
        assert basis.frequencies_hz[:6] == pytest.approx(exact[:6], rel=1e-4)


def test_craig_bampton_bounds_from_above_and_converges():
    """Rayleigh-Ritz: frequencies fall monotonically toward the full model's when modes are added."""
    whole, left, right = halves()
    exact, last = all_free(whole)[:4], np.full(4, np.inf)
    for count in (2, 6, 12):
        parts = [craig_bampton(p, interface_dofs(p, [6]), count=count, supports=NONE) for p in (left, right)]
        now = solve_modes(couple(parts).model, count=4, free=True).frequencies_hz
        assert (now >= exact * (1 - 1e-7)).all() and (now <= last * (1 + 1e-7)).all()
        last = now
    assert last == pytest.approx(exact, rel=3e-4)


def test_macneal_is_stiffness_exact_in_statics():
    """Residual flexibility makes the interface flexibility of a held component exact with any number of modes."""
    beam = beam3d(10)
    b = interface_dofs(beam, [11])
    for count in (1, 4):
        part = free_interface(beam, b, method="macneal", count=count)
        place = part.physical
        load = np.zeros((len(part), 6))
        load[place, np.arange(6)] = 1.0
        reduced_flexibility = np.linalg.solve(part.stiffness, load)[place]
        full = np.linalg.inv(beam.stiffness.toarray()[6:, 6:])[-6:, -6:]
        assert reduced_flexibility == pytest.approx(full, rel=1e-8, abs=1e-12)


def test_guyan_is_exact_in_statics_and_holds_the_rigid_motions():
    beam = beam3d(10)
    part = guyan(beam, interface_dofs(beam, [1, 11]), supports=NONE)
    K = beam.stiffness.toarray()
    b = np.r_[0:6, 60:66]
    i = np.r_[6:60]
    schur = K[np.ix_(b, b)] - K[np.ix_(b, i)] @ np.linalg.solve(K[np.ix_(i, i)], K[np.ix_(i, b)])
    assert part.stiffness == pytest.approx(schur, rel=1e-9, abs=1e-9 * np.abs(schur).max())
    rigid = part.rigid_coordinates
    assert np.abs(part.stiffness @ rigid).max() < 1e-9 * np.abs(part.stiffness).max()
    assert rigid.T @ part.mass @ rigid == pytest.approx(
        beam.rigid_body_vectors.T @ (beam.mass @ beam.rigid_body_vectors), abs=1e-10
    )


def test_mixed_boundary_keeps_interface_dofs_physical():
    """A beam held at one end with the other end free in the modes: all modes kept gives the full model."""
    beam = beam3d(8)
    root, tip = interface_dofs(beam, [1]), interface_dofs(beam, [9])
    part = mixed_boundary(beam, root, tip, count=10, supports=NONE)
    assert [c.name for c in part.coordinates[:2]] == ["node 1 T1", "node 1 T2"]
    assert part.coordinates[12].name == "mode 1"
    q = np.zeros((len(part), 1))
    q[part.coordinate("node 9 T2")] = 0.3
    motion = part.recovered(q)
    assert motion[8, 1, 0] == pytest.approx(0.3)
    assert np.abs(motion[0]).max() == 0.0
    clamped = solve_modes(part.as_model(), supports=Supports.clamp([0]), count=6).frequencies_hz
    assert clamped == pytest.approx(solve_modes(beam, count=6).frequencies_hz, rel=1e-8)


def test_residual_vectors_make_the_static_response_exact():
    """Modes plus residual vector of a load: the static response to it is exact (Rose, 1985)."""
    beam = beam3d(12)
    load = np.zeros((beam.size, 1))
    load[6 * 6 + 2] = 1.0
    part = craig_bampton(beam, interface_dofs(beam, [1]), count=3, supports=NONE, loads=load)
    assert [c.kind for c in part.coordinates[-1:]] == ["residual"]
    modal = part.modal
    K = part.stiffness[np.ix_(modal, modal)]
    response = part.shapes[:, modal] @ np.linalg.solve(K, part.shapes[:, modal].T @ load)
    exact = np.zeros(beam.size)
    exact[6:] = np.linalg.solve(beam.stiffness.toarray()[6:, 6:], load[6:, 0])
    assert response[:, 0] == pytest.approx(exact, rel=1e-8, abs=1e-10 * np.abs(exact).max())
    assert part.mass[np.ix_(modal, modal)] == pytest.approx(np.eye(len(modal)), abs=1e-9)


def test_inertia_relief_vectors_complete_the_effective_mass():
    """Six inertia-relief vectors make the base-driven static response complete: residual mass of first order vanishes."""
    beam = beam3d(12)
    part = craig_bampton(beam, interface_dofs(beam, [1]), count=2, supports=NONE, inertia_relief=True)
    modal = part.modal
    load = beam.mass @ beam.rigid_body_vectors
    load[:6] = 0.0
    response = part.shapes[:, modal] @ np.linalg.solve(
        part.stiffness[np.ix_(modal, modal)], part.shapes[:, modal].T @ load
    )
    exact = np.zeros((beam.size, 6))
    exact[6:] = np.linalg.solve(beam.stiffness.toarray()[6:, 6:], load[6:])
    assert response == pytest.approx(exact, abs=1e-9 * np.abs(exact).max())


def test_interface_at_an_interpolated_node_becomes_a_coordinate():
    """A dependent reference node (mean of two nodes) can be the interface; reduced and full frequencies agree."""
    from dataclasses import replace

    from scipy.sparse import csr_array, vstack

    from tisserand.model import Nodes

    K = np.array([[2.0, -1, 0, 0], [-1, 2, -1, 0], [0, -1, 2, -1], [0, 0, -1, 1]]) * 100.0
    base = bare_model(K, np.diag([1.0, 2.0, 1.5, 1.0]), [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], [0])
    mean = csr_array((np.array([0.5, 0.5]), (np.array([0, 0]), np.array([2, 3]))), shape=(6, 4))
    from tisserand.assembly.assembled_model import DofTable

    model = replace(
        base,
        recovery=csr_array(vstack([base.recovery, mean])),
        nodes=Nodes(np.arange(1, 6), np.vstack([base.nodes.positions, [[2.5, 0, 0]]])),
        dofs=DofTable(base.dofs.node, base.dofs.component, 5),
    )
    part = craig_bampton(model, np.array([[4, 0]]), count=3, supports=NONE)
    assert part.coordinates[0].name == "node 5 T1"
    exact = np.sqrt(
        np.linalg.eigvalsh(
            np.linalg.solve(np.diag([1, 2, 1.5, 1]) ** 0.5, K) @ np.linalg.inv(np.diag([1, 2, 1.5, 1]) ** 0.5)
        )
    )
    got = solve_modes(part.as_model(), count=4, free=True).frequencies_hz * 2 * np.pi
    assert got == pytest.approx(exact, rel=1e-9)
    assert part.recovered(np.eye(4)[:, :1])[4, 0, 0] == pytest.approx(1.0)


def test_recovery_of_system_modes_matches_the_whole_structure():
    whole, left, right = halves()
    parts = [craig_bampton(p, interface_dofs(p, [6]), count=p.size - 6, supports=NONE) for p in (left, right)]
    system = couple(parts)
    modes = solve_modes(system.model, count=5, free=True)
    full = solve_modes(whole, count=5, free=True)
    a = np.concatenate([system.recovered(0, modes.shapes), system.recovered(1, modes.shapes)[1:]])
    b = whole.displacements(full.shapes)
    for k in range(5):
        one, two = a[:, :3, k].ravel(), b[:, :3, k].ravel()
        if np.abs(two).max() > 1e-9:
            assert abs(one @ two) / np.linalg.norm(one) / np.linalg.norm(two) == pytest.approx(1.0, abs=1e-8)


def test_assumed_shapes_become_ritz_modes():
    """Span is kept, mass-orthonormal, dependent columns dropped; Ritz frequency above the exact one."""
    beam = beam3d(10)
    x = np.repeat(beam.nodes.positions[:, 0], 6)
    c = beam.dofs.component
    shape = np.zeros((beam.size, 3))
    shape[:, 0] = np.where(c == 2, x**2, np.where(c == 4, -2 * x, 0.0))
    shape[:, 1] = np.where(c == 2, x**3, np.where(c == 4, -3 * x**2, 0.0))
    shape[:, 2] = 2 * shape[:, 0] - 3 * shape[:, 1]
    basis = assumed_basis(beam, shape)
    assert len(basis) == 2 and basis.kinds == ("assumed", "assumed") and basis.frame.name == "prescribed"
    assert basis.shapes.T @ (beam.mass @ basis.shapes) == pytest.approx(np.eye(2), abs=1e-12)
    exact = solve_modes(beam, count=1).frequencies_hz[0]
    assert exact < basis.frequencies_hz[0] < 1.005 * exact


def test_bad_interfaces_are_refused_with_names():
    beam = beam3d(6)
    with pytest.raises(ModelError, match="nodes do not exist"):
        interface_dofs(beam, [77])
    planar = bare_model(np.diag([1.0, 2.0]), np.eye(2), [[0, 0, 0], [1, 0, 0]], [0])
    with pytest.raises(ModelError, match="node 1 R3"):
        guyan(planar, np.array([[0, 5]]))
    with pytest.raises(ModelError, match="held by supports"):
        craig_bampton(beam, interface_dofs(beam, [1]), count=2)
    with pytest.raises(ModelError, match="rigid motions"):
        craig_bampton(beam, interface_dofs(beam, [1], "123"), count=2, supports=NONE)
    with pytest.raises(InputError, match="more modes"):
        craig_bampton(beam, interface_dofs(beam, [1]), count=500, supports=NONE)
