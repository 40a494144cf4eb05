"""Changes of reference point, axes, coordinates and frame: the physics (kinetic energy of any motion) may not
change.

The law used is T = 1/2 m v.v + ... of a flexible body from its modal integrals, evaluated before and after.
"""

import numpy as np
import pytest
from appendage.hand_built import bodies_on_springs, dense_basis
from scipy.spatial.transform import Rotation

from tisserand.appendage import (
    in_frame,
    keep_modes,
    merged,
    mirrored,
    natural,
    normalized,
    placed,
    reduce,
    renamed,
    shifted,
    turned,
)
from tisserand.errors import InputError, ModelError


def energy(appendage, v, w, eta, rate):
    """Kinetic energy, J: v, w velocity of O and rate of the frame in body axes; all terms of second
    degree."""
    q = appendage.integrals
    a = np.einsum("akl,k,l->a", q.turn_first, eta, eta)
    a_rate = 2.0 * np.einsum("akl,k,l->a", q.turn_first, eta, rate)
    A_rate = 2.0 * np.einsum("abkl,k,l->ab", q.turn_second, eta, rate)
    curl = np.array([A_rate[1, 2] - A_rate[2, 1], A_rate[2, 0] - A_rate[0, 2], A_rate[0, 1] - A_rate[1, 0]])
    Cr = q.rotation @ rate + np.einsum("akl,k,l->a", q.cross, eta, rate) + curl
    first = q.mass * q.center + q.translation @ eta + a
    return (
        0.5 * q.mass * v @ v + v @ np.cross(w, first) + 0.5 * w @ q.inertia_at(eta) @ w
        + v @ (q.translation @ rate + a_rate) + w @ Cr + 0.5 * rate @ q.modal_mass @ rate
    )  # fmt: skip


@pytest.fixture(scope="module")
def model():
    return bodies_on_springs()


@pytest.fixture(scope="module")
def clamped(model):
    return reduce(dense_basis(model, held=(0,)), attachment=11)


@pytest.fixture()
def motion(clamped):
    rng = np.random.default_rng(5)
    k = clamped.count
    return rng.normal(size=3), rng.normal(size=3), 0.05 * rng.normal(size=k), 0.05 * rng.normal(size=k)


def test_moving_the_reference_point_changes_no_energy(clamped, motion):
    v, w, eta, rate = motion
    d = np.array([0.7, -1.1, 0.4])
    moved = shifted(clamped, clamped.reference_point + d)
    assert energy(moved, v + np.cross(w, d), w, eta, rate) == pytest.approx(energy(clamped, v, w, eta, rate), rel=1e-12)
    for table in ("nodes", "interfaces"):
        before, after = getattr(clamped, table), getattr(moved, table)
        places = (
            [(before.positions, after.positions)]
            if table == "nodes"
            else [(a.position, b.position) for a, b in zip(before, after)]
        )
        for old, new in places:
            assert np.allclose(old + clamped.reference_point, new + moved.reference_point)
    back = shifted(moved, clamped.reference_point)
    assert np.allclose(back.integrals.inertia, clamped.integrals.inertia, rtol=1e-12, atol=1e-12)
    direct = reduce(dense_basis(bodies_on_springs(), held=(0,)), attachment=11, reference_point=moved.reference_point)
    for word in ("inertia", "rotation", "position_shape", "turn_second"):
        ours, theirs = getattr(moved.integrals, word), getattr(direct.integrals, word)
        assert np.abs(np.abs(ours) - np.abs(theirs)).max() < 1e-9 * max(np.abs(theirs).max(), 1.0), word


def test_turning_the_axes_changes_no_energy(clamped, motion):
    v, w, eta, rate = motion
    Q = Rotation.from_rotvec([0.3, -0.8, 1.1]).as_matrix()
    new = turned(clamped, Q)
    assert energy(new, Q @ v, Q @ w, eta, rate) == pytest.approx(energy(clamped, v, w, eta, rate), rel=1e-12)
    assert max(new.integrals.identity_errors().values()) < 1e-10


def test_a_mirror_image_moves_as_the_mirror_image(clamped, motion):
    """Under a reflection Q velocities are polar (Q v), rates axial (-Q w); the image's interfaces stay
    right-handed."""
    v, w, eta, rate = motion
    n = np.array([0.0, 1.0, 0.0])
    Q = np.eye(3) - 2.0 * np.outer(n, n)
    image = mirrored(clamped, n)
    assert energy(image, Q @ v, -Q @ w, eta, rate) == pytest.approx(energy(clamped, v, w, eta, rate), rel=1e-12)
    assert np.allclose(image.nodes.positions[:, 1], -clamped.nodes.positions[:, 1])
    for point in image.interfaces:
        assert np.linalg.det(point.axes) == pytest.approx(1.0)
    assert max(image.integrals.identity_errors().values()) < 1e-10
    twice = mirrored(image, n)
    assert np.allclose(twice.integrals.position_shape, clamped.integrals.position_shape)
    assert np.allclose(twice.bodies.rotation, clamped.bodies.rotation)


def test_normalization_and_natural_modes(clamped):
    scaled = normalized(clamped, "displacement")
    assert np.linalg.norm(scaled.nodes.translation, axis=1).max(axis=0) == pytest.approx(np.ones(scaled.count))
    assert scaled.frequencies_hz == pytest.approx(clamped.frequencies_hz, rel=1e-12)
    again = normalized(scaled, "mass")
    assert np.diag(again.integrals.modal_mass) == pytest.approx(np.ones(again.count))
    rng = np.random.default_rng(0)
    from tisserand.appendage import combined

    mixed = combined(clamped, rng.normal(size=(clamped.count, clamped.count)))
    assert natural(mixed).frequencies_hz == pytest.approx(clamped.frequencies_hz, rel=1e-8)
    named = renamed(clamped, {0: "first flap", "mode 2": "twist"})
    assert named.mode_names[:3] == ("first flap", "twist", "mode 3")
    with pytest.raises(InputError, match="unknown mode"):
        renamed(clamped, {"mode 99": "nothing"})
    kept = keep_modes(clamped, [2, 0])
    assert kept.mode_names == (clamped.mode_names[2], clamped.mode_names[0])


def test_buckens_shapes_of_a_clamped_record_equal_those_reduced_from_scratch(model, clamped, motion):
    """d <- d - S (S'MS)^-1 S'M d on the record must equal the reduction of the projected shapes: all integrals of the linear
    field. a, A differ: the two linear fields are different bodies in second degree."""
    import dataclasses

    from tisserand.modes.modal_basis import FrameConstraint

    basis = dense_basis(model, held=(0,))
    S, M = model.rigid_body_vectors, model.mass
    projected = basis.shapes - S @ np.linalg.solve(S.T @ (M @ S), S.T @ (M @ basis.shapes))
    scratch = reduce(
        dataclasses.replace(
            basis, shapes=projected, fixed=np.zeros(model.size, bool), frame=FrameConstraint("buckens", "", (M @ S).T)
        ),
        attachment=11,
        reference_point=clamped.reference_point,
    )
    ours = in_frame(clamped, "buckens")
    assert ours.count == clamped.count
    for field in dataclasses.fields(ours.integrals):
        if field.name.startswith("turn"):
            continue
        left, right = (
            np.asarray(getattr(ours.integrals, field.name)),
            np.asarray(getattr(scratch.integrals, field.name)),
        )
        assert np.abs(left - right).max() <= 1e-10 * max(1.0, np.abs(right).max()), field.name
    assert np.allclose(ours.nodes.translation, scratch.nodes.translation, atol=1e-10)
    assert np.abs(ours.integrals.coupling).max() < 1e-11
    assert max(ours.frame.residuals) < 1e-11

    there_and_back = in_frame(ours, "connection", interface="attachment")
    assert np.allclose(there_and_back.integrals.shape_shape, clamped.integrals.shape_shape, atol=1e-9)
    assert np.allclose(there_and_back.integrals.turn_second, clamped.integrals.turn_second, atol=1e-9)


def test_frame_change_is_only_a_change_of_words_at_first_degree(clamped, motion):
    """Same motion, two frames: v, w, eta' differ by the rigid part of each mode; T agrees at eta = 0."""
    v, w, _, rate = motion
    zero = np.zeros(clamped.count)
    other = in_frame(clamped, "buckens")
    rigid = np.linalg.solve(clamped.integrals.rigid_mass, clamped.integrals.coupling) @ rate
    before = energy(clamped, v, w, zero, rate)
    after = energy(other, v + rigid[:3], w + rigid[3:], zero, rate)
    assert after == pytest.approx(before, rel=1e-12)


def test_milne_frame_has_no_products_of_inertia_of_first_degree(clamped):
    """TR 32-1593 Eq 50d without its quadratic term: dJ/d eta has no off-diagonal part in principal axes."""
    from tisserand.appendage.integrals.integral_changes import shifted_integrals, turned_integrals

    new = in_frame(clamped, "milne").integrals
    central = shifted_integrals(new, new.center)
    _, axes = np.linalg.eigh(central.inertia)
    J1 = turned_integrals(central, axes.T).inertia_first
    off = J1[~np.eye(3, dtype=bool)]
    assert np.abs(off).max() < 1e-10 * np.abs(J1).max()
    assert np.abs(new.translation).max() < 1e-10


def test_merging_adds_energies_and_keeps_names(clamped, motion):
    v, w, eta, rate = motion
    left = placed(clamped.changed(name="left"), [0.0, 1.0, 0.0])
    right = mirrored(left, name="right")
    both = merged([left, right], name="wings", point=[0.0, 0.0, 0.0])
    parts = sum(
        energy(p, v + np.cross(w, p.reference_point), w, e, r)
        for p, e, r in ((left, eta, rate), (right, 2 * eta, -rate))
    )
    joint = energy(both, v, w, np.concatenate([eta, 2 * eta]), np.concatenate([rate, -rate]))
    assert joint == pytest.approx(parts, rel=1e-12)
    assert both.mass == pytest.approx(2 * clamped.mass)
    assert "left.tip" in [i.name for i in both.interfaces] and both.mode_names[-1].startswith("right: ")
    assert both.integrals.center[1] == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(ModelError, match="different names"):
        merged([clamped, clamped])
    with pytest.raises(ModelError, match="fixed in the body"):
        merged([in_frame(clamped, "buckens")])
