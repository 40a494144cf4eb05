"""The turning bodies of a record: gathered, kept, carried, and rebuilt for records of the first schema."""

from __future__ import annotations

import numpy as np
import pytest
from appendage.hand_built import bodies_on_springs, dense_basis
from scipy.spatial.transform import Rotation
from support.edited import edited

from tisserand.appendage import (
    in_frame,
    keep_modes,
    load_record,
    merged,
    mirrored,
    placed,
    reduce,
    save_record,
    shifted,
    turned,
)
from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.record.turning_bodies import MOST_BODIES, gathered_bodies
from tisserand.errors import RecordError
from tisserand.model import NodalBodies, Nodes, StructuralModel


@pytest.fixture(scope="module")
def record():
    return reduce(dense_basis(bodies_on_springs(), held=(0,)), attachment=11)


def places(appendage, eta):
    """Mass centers and attitudes of the turning bodies at eta, from their record alone, by finite rotation."""
    b = appendage.bodies
    psi, twist = b.psi(False)
    move = b.translation @ eta + 0.5 * np.einsum("nakl,k,l->na", psi, eta, eta)
    turn = Rotation.from_rotvec(b.rotation @ eta + 0.5 * np.einsum("nakl,k,l->na", twist, eta, eta))
    return b.positions + move + turn.apply(np.array(b.offsets)), turn.as_matrix()


def test_bodies_are_part_of_the_integrals(record):
    b = record.bodies
    own = nodal_body_integrals(b.positions, b.masses, b.offsets, b.inertias, b.translation, b.rotation)
    assert len(b) and 0.0 < own.mass <= record.mass
    assert np.allclose(record.nodes.positions[b.rows], b.positions)
    assert record.reports["turning_bodies"] == {"found": len(b), "exact": len(b)}


def test_bodies_on_one_node_join_and_particles_stay_out():
    """Two bodies on one node are one rigid body; a particle has nothing that turns; of too many the largest are kept."""
    rng = np.random.default_rng(1)
    n = MOST_BODIES + 4
    ids = np.arange(1, n + 3)
    positions = rng.normal(size=(n + 2, 3))
    mass, offset = np.linspace(1.0, 2.0, n), rng.normal(size=(n, 3))
    offset /= np.linalg.norm(offset, axis=1)[:, None]
    nodes = np.concatenate([[0, 0], np.arange(2, n), [n]])[:n, None]
    offset[-1] = 0.0  # a particle
    block = NodalBodies(np.arange(1, n + 1), nodes, mass, offset, np.zeros((n, 3, 3)))
    found = gathered_bodies(StructuralModel("many", Nodes(ids, positions), (block,)))
    assert found.found == n - 2 and len(found.nodes) == MOST_BODIES
    assert n not in found.nodes and 2 not in found.nodes  # the particle, and the lightest of the single ones
    assert found.masses[0] == pytest.approx(mass[0] + mass[1])
    assert found.offsets[0] == pytest.approx((mass[0] * offset[0] + mass[1] * offset[1]) / (mass[0] + mass[1]))
    apart = offset[1] - offset[0]
    reduced_mass = mass[0] * mass[1] / (mass[0] + mass[1])
    assert found.inertias[0] == pytest.approx(reduced_mass * (apart @ apart * np.eye(3) - np.outer(apart, apart)))
    assert sum(int(m.sum()) for m in found.members) == MOST_BODIES + 1


def test_shift_turn_mirror_selection_and_merge_carry_the_bodies(record):
    rng = np.random.default_rng(2)
    eta = 0.1 * rng.normal(size=record.count)
    x, R = places(record, eta)
    d = np.array([0.3, -0.2, 0.7])
    there, attitude = places(shifted(record, record.reference_point + d), eta)
    assert there == pytest.approx(x - d) and attitude == pytest.approx(R)
    Q = Rotation.from_rotvec([0.4, 0.1, -0.9]).as_matrix()
    there, attitude = places(turned(record, Q), eta)
    assert there == pytest.approx(x @ Q.T) and attitude == pytest.approx(Q @ R @ Q.T)
    S = np.diag([1.0, -1.0, 1.0])
    there, attitude = places(mirrored(record), eta)
    assert there == pytest.approx(x @ S) and attitude == pytest.approx(S @ R @ S)
    few = keep_modes(record, [2, 0])
    assert places(few, np.array([0.2, -0.1]))[0] == pytest.approx(
        places(record, np.eye(record.count)[2] * 0.2 - np.eye(record.count)[0] * 0.1)[0]
    )
    both = merged([placed(record.changed(name="one"), [0, 0, 0]), placed(record.changed(name="two"), [0, 2, 0])])
    there, _ = places(both, np.concatenate([eta, 0.5 * eta]))
    assert there[: len(x)] == pytest.approx(x)
    assert there[len(x) :] == pytest.approx(places(record, 0.5 * eta)[0] + [0, 2, 0])
    assert (both.bodies.rows[len(x) :] == record.bodies.rows + len(record.nodes)).all()


def test_frame_change_moves_bodies_and_interfaces_by_a_finite_rotation(record):
    """y_new = exp(-gam~)(y - tau) up to third degree: the error falls by 8 when the deformation halves."""
    rng = np.random.default_rng(3)
    direction = rng.normal(size=record.count)
    direction *= 0.3 / np.abs(record.nodes.rotation @ direction).max()
    new = in_frame(record, "buckens")
    q = record.integrals
    motion = np.linalg.solve(q.rigid_mass, q.coupling)
    errors = []
    for size in (1.0, 0.5):
        eta = size * direction
        tau, gam = np.split(motion @ eta, 2)
        back = Rotation.from_rotvec(-gam)
        x, R = places(record, eta)
        there, attitude = places(new, eta)
        face, seen = record.interfaces[-1], new.interfaces[-1]
        psi, twist = seen.psi
        point = seen.position + seen.translation @ eta + 0.5 * np.einsum("akl,k,l->a", psi, eta, eta)
        turn = seen.rotation @ eta + 0.5 * np.einsum("akl,k,l->a", twist, eta, eta)
        exact = back.apply(face.position + face.translation @ eta - tau)
        both = (back * Rotation.from_rotvec(face.rotation @ eta)).as_rotvec()
        errors.append(
            [
                np.abs(there - back.apply(x - tau)).max(),
                np.abs(attitude - back.as_matrix() @ R).max(),
                np.abs(point - exact).max(),
                np.abs(turn - both).max(),
            ]
        )
    ratios = np.array(errors[0]) / np.maximum(np.array(errors[1]), 1e-300)
    assert (ratios > 7.0).all() and (ratios < 9.0).all()
    held = in_frame(new, "connection", interface=record.attachment)
    assert (
        np.abs(held.interface(record.attachment).psi[0]).max()
        < 1e-10 * np.abs(new.interface(record.attachment).psi[0]).max()
    )
    assert held.integrals.turn_second == pytest.approx(record.integrals.turn_second, abs=1e-9)


def test_records_keep_bodies_and_older_ones_get_them(record, tmp_path):
    path = save_record(in_frame(record, "buckens"), tmp_path / "new.h5")
    new, again = in_frame(record, "buckens"), load_record(path)
    for word in ("rows", "masses", "offsets", "inertias", "translation", "second_translation", "second_rotation"):
        assert np.array_equal(getattr(again.bodies, word), getattr(new.bodies, word))
    assert np.array_equal(again.interfaces[-1].psi[0], new.interfaces[-1].psi[0])
    old = save_record(record, tmp_path / "old.h5")
    with edited(old) as file:
        file.attrs["schema"] = 1
        del file["bodies"]
    rebuilt = load_record(old)
    assert rebuilt.bodies.offsets == pytest.approx(record.bodies.offsets)
    assert rebuilt.bodies.rotation == pytest.approx(record.bodies.rotation)
    assert "schema 1" in rebuilt.reports["upgraded"]
    with edited(path) as file:
        file.attrs["schema"] = 1
        del file["bodies"]
    with pytest.raises(RecordError, match="changed frame"):
        load_record(path)
