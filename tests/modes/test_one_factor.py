"""One factor above the modes: the search for its shift, and the bound that a complete count allows."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse import csr_array
from support.hand_built import plate

from tisserand.linalg import pencil_of
from tisserand.modes.eigen import Eigenproblem
from tisserand.modes.eigenvalue_bounds import bounds_of_all_below, bounds_of_steps
from tisserand.modes.upper_shift import upper_shift


@pytest.mark.parametrize("off", [0.1, 0.4, 1.0, 2.5, 20.0])
def test_a_guess_far_off_is_put_right_by_counts(off):
    """Membrane of 30 x 30: between 12 and 28 of its modes below the shift after at most three factors, whatever the guess."""
    model, exact = plate(30)
    pencil = pencil_of(model.stiffness, model.mass, None, model.dofs.node, model.nodes.positions)
    problem = Eigenproblem(pencil, np.zeros((pencil.size, 0)), 8.0, 12, "superlu", 0)
    assert upper_shift(problem, off * 1.01 * exact[15], 12)
    below = int((exact < problem.upper * (1.0 + 1e-12)).sum())
    assert 12 <= below <= 28
    assert problem.count_below(problem.upper) == below


def test_no_shift_is_taken_without_modes_below():
    model, exact = plate(30)
    pencil = pencil_of(model.stiffness, model.mass, None, model.dofs.node, model.nodes.positions)
    problem = Eigenproblem(pencil, np.zeros((pencil.size, 0)), 8.0, 12, "superlu", 0)
    assert not upper_shift(problem, 0.5 * exact[0], 12) and problem.upper is None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [1e-3, 1e-5, 1e-7])
def test_the_bound_of_a_complete_set_holds_and_is_a_square(seed, size):
    """Random pencils of known spectrum, eigenvectors disturbed by ``size``: errors lie below it, it lies below one pair's."""
    rng = np.random.default_rng(seed)
    n, k = 40, 6
    half = rng.normal(size=(n, n))
    M = half @ half.T + n * np.eye(n)
    turn = np.linalg.qr(rng.normal(size=(n, n)))[0]
    root = np.linalg.cholesky(M)
    spectrum = np.concatenate([10.0 ** rng.uniform(0.0, 3.0, k), 10.0 ** rng.uniform(3.1, 6.0, n - k)])
    K = root @ (turn * spectrum) @ turn.T @ root.T
    K, shift = 0.5 * (K + K.T), 10.0**3.05
    values, vectors = eigh(K, M)
    disturbed = vectors[:, :k] + size * vectors @ rng.normal(size=(n, k)) / np.sqrt(n)
    basis = disturbed @ np.linalg.inv(np.linalg.cholesky(disturbed.T @ M @ disturbed)).T
    inverse = np.linalg.inv(K - shift * M)
    own = np.linalg.eigh(basis.T @ M @ inverse @ M @ basis)[1]
    x = basis @ own[:, ::-1]
    ritz = np.einsum("ik,ik->k", x, K @ x)
    pencil = pencil_of(csr_array(K), csr_array(M))
    step = inverse @ (K @ x - M @ x * ritz)
    bound = bounds_of_all_below(M @ x, step, pencil, shift, ritz)
    alone = bounds_of_steps(pencil, step, shift, np.zeros((n, 0)), ritz)
    order = np.argsort(ritz)
    true = np.abs(ritz[order] - values[:k]) / ritz[order]
    assert (true <= bound[order] * (1.0 + 1e-6) + 1e-11).all()
    if size < 1e-3:
        assert bound.max() < 1e-2 * alone.max()


def test_the_guess_is_the_same_from_full_and_sparse_parts(monkeypatch):
    """Membrane of 70 x 70, 13 modes: both solutions of the coarse model agree to the tolerance of the sparse one."""
    import tisserand.modes.guess as guess

    model, _ = plate(70)
    pencil = pencil_of(model.stiffness, model.mass, None, model.dofs.node, model.nodes.positions)
    places = model.nodes.positions[pencil.groups]
    full = guess.guessed_eigenvalue(pencil, places, model.rigid_body_vectors, 13)
    monkeypatch.setattr(guess, "_FEW_PARTS", 0)
    sparse = guess.guessed_eigenvalue(pencil, places, model.rigid_body_vectors, 13)
    assert full is not None and full == pytest.approx(sparse, rel=1e-2)
