"""Frames as rows: every basis in every frame, and back."""

import numpy as np
import pytest
from support.hand_built import bare_model, beam3d

from tisserand.errors import InputError, ModelError
from tisserand.model import Supports
from tisserand.modes import buckens, connection, converted, milne, node_frame, solve_modes, tisserand
from tisserand.modes.component import assumed_basis
from tisserand.modes.floating_frames import in_frame
from tisserand.modes.interface import interface_dofs
from tisserand.modes.reductions import craig_bampton


def cloud(seed=0, n=9):
    """Random particles tied by random springs: a body of no symmetry with diagonal mass."""
    rng = np.random.default_rng(seed)
    positions = rng.normal(size=(n, 3)) * [3.0, 2.0, 1.0]
    K = np.zeros((3 * n, 3 * n))
    for i in range(n):
        for j in range(i):
            e = positions[i] - positions[j]
            e = e / np.linalg.norm(e)
            k = rng.uniform(1.0, 2.0) * np.outer(e, e)
            s, t = slice(3 * i, 3 * i + 3), slice(3 * j, 3 * j + 3)
            K[s, s] += k
            K[t, t] += k
            K[s, t] -= k
            K[t, s] -= k
    masses = rng.uniform(0.5, 2.0, n)
    return bare_model(K, np.diag(np.repeat(masses, 3)), positions, [0, 1, 2]), masses


def bases(model):
    free = solve_modes(model, count=5, free=True)
    held = solve_modes(model, count=5, supports=Supports.clamp([0, 1, 2], "123"))
    rng = np.random.default_rng(1)
    return {"free": free, "held": held, "assumed": assumed_basis(model, rng.normal(size=(model.size, 4)))}


@pytest.mark.parametrize("source", ["free", "held", "assumed"])
@pytest.mark.parametrize("frame", [buckens, tisserand, milne])
def test_rows_hold_on_every_basis(source, frame):
    model, masses = cloud()
    basis = converted(bases(model)[source], frame(model))
    assert basis.frame_residuals.max() <= 1e-12
    # the rows mean what they say: sums over particles
    u = basis.shapes.reshape(-1, 3, len(basis))
    x = model.nodes.positions - masses @ model.nodes.positions / masses.sum()
    scale = np.abs(u).max() * masses.sum() * np.abs(x).max()
    assert np.abs(np.einsum("n,nak->ak", masses, u)).max() <= 1e-12 * scale
    if frame is milne:
        inertia = np.einsum("n,na,nb->ab", masses, x, x)
        _, axes = np.linalg.eigh(np.trace(inertia) * np.eye(3) - inertia)
        r, v = x @ axes, np.einsum("nak,ab->nbk", u, axes)
        products = np.einsum("n,na,nbk->abk", masses, r, v)
        products = products + products.transpose(1, 0, 2)
        assert np.abs(products[[1, 2, 0], [2, 0, 1]]).max() <= 1e-11 * scale
    else:
        moment = np.einsum("n,nak->ak", masses, np.cross(x[:, :, None], u, axis=1))
        assert np.abs(moment).max() <= 1e-12 * scale


def test_conversion_goes_there_and_back():
    """Connection -> Buckens -> node frame -> connection returns the shapes; strain energy never changes."""
    beam = beam3d(12)
    clamped = solve_modes(beam, count=6)
    K = beam.stiffness
    energy = np.einsum("ik,ik->k", clamped.shapes, K @ clamped.shapes)
    mean = converted(clamped, buckens(beam))
    tip = converted(mean, node_frame(beam, 13))
    back = converted(tip, connection(beam))
    for basis in (mean, tip, back):
        assert np.einsum("ik,ik->k", basis.shapes, K @ basis.shapes) == pytest.approx(energy, rel=1e-9)
        assert basis.frame_residuals.max() < 1e-12
    assert back.shapes == pytest.approx(clamped.shapes, abs=1e-10)
    assert np.abs(beam.displacements(tip.shapes)[12]).max() < 1e-12


def test_buckens_mass_is_the_old_mass_less_the_rigid_share():
    """Me becomes Me - A (S'M S)^-1 A' with A = Phi'M S (theory section 4)."""
    beam = beam3d(12)
    basis = solve_modes(beam, count=6)
    mean = converted(basis, buckens(beam))
    S, M = beam.rigid_body_vectors, beam.mass
    A = basis.shapes.T @ (M @ S)
    expected = np.eye(6) - A @ np.linalg.solve(S.T @ (M @ S), A.T)
    assert mean.shapes.T @ (M @ mean.shapes) == pytest.approx(expected, abs=1e-11)


def test_craig_bampton_basis_in_mean_axes_drops_its_rigid_columns():
    """A six-dof interface has six rigid constraint modes: zero in any floating frame, dropped and named."""
    beam = beam3d(8)
    part = craig_bampton(beam, interface_dofs(beam, [1]), count=4, supports=Supports())
    basis = converted(part.as_basis(), buckens(part.model))
    assert len(basis) == 4 and set(basis.kinds) == {"elastic"}
    assert basis.frame_residuals.max() < 1e-12
    assert any("node 1 T1" in note for note in basis.notes)


def test_milne_rows_refuse_equal_inertias_and_frames_refuse_nonsense():
    square = bare_model(np.eye(12), np.eye(12), [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], [0, 1, 2])
    with pytest.raises(ModelError, match="equal"):
        milne(square)
    with pytest.raises(ModelError, match="rotation"):
        node_frame(square, 1)
    with pytest.raises(InputError, match="supports"):
        connection(square, Supports())
    beam = beam3d(6)
    free = solve_modes(beam, count=3, free=True)
    with pytest.raises(InputError, match="move relative to each other"):
        converted(free, connection(beam, Supports.clamp([0, 6])))
    with pytest.raises(InputError, match="unknown frame"):
        solve_modes(beam, count=1, frame="eckart")


def test_tisserand_is_buckens_rows_with_another_meaning():
    beam = beam3d(6)
    basis = solve_modes(beam, count=3, free=True, frame="tisserand")
    assert basis.frame.name == "tisserand" and "u x u'" in basis.frame.meaning
    assert np.array_equal(basis.frame.rows, buckens(beam).rows)


def test_a_frame_fixed_at_points_close_together_takes_the_whole_motion_away():
    """Three points 5 mm apart in a body of 5 m hold a frame: only what bends is seen from it; the text counts the nodes."""
    far = [[3.0, 4.0, 0.0], [0.0, 0.0, 5.0], [1.0, 1.0, 1.0]]
    points = np.array([[0.0, 0.0, 0.0], [5e-3, 0.0, 0.0], [0.0, 5e-3, 0.0], *far])
    model = bare_model(np.zeros((18, 18)), np.eye(18), points, [0, 1, 2])
    frame = connection(model, Supports.clamp([0, 1, 2], "123"))
    w, v = np.array([0.3, -0.5, 0.7]), np.array([1.0, 2.0, -1.0])
    bent = np.zeros((6, 3))
    bent[5] = [0.1, -0.2, 0.3]
    seen = in_frame(model, (bent + v + np.cross(w, points)).reshape(-1, 1), frame)
    assert seen.reshape(6, 3) == pytest.approx(bent, abs=1e-9)
    assert "nodes 1, 2, 3" in frame.meaning and "more" not in frame.meaning
    assert "nodes 1, 2, 3, 4 and 2 more" in connection(model, Supports.clamp(range(6), "123")).meaning
