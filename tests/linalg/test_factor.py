"""Every backend: solves, inertia by Sylvester's law, refactoring, and refusals."""

import numpy as np
import pytest
from scipy.sparse import csr_array, diags_array, eye_array, kron

from tisserand.errors import InputError, ModelError, SingularMatrixError, SolverError
from tisserand.linalg import BACKENDS, available_backends, factorize, pencil_of

EVERY_BACKEND = [
    pytest.param(name, marks=pytest.mark.skipif(name not in available_backends(), reason=f"{name} is not installed"))
    for name in BACKENDS
]


def grid(n=9):
    """Vector Laplacian on a cube of nodes with three coupled dofs each, and its exact eigenvalues."""
    line = diags_array([np.full(n - 1, -1.0), np.full(n, 2.0), np.full(n - 1, -1.0)], offsets=[-1, 0, 1])
    one = eye_array(n)
    scalar = kron(kron(line, one), one) + kron(kron(one, line), one) + kron(kron(one, one), line)
    small = np.array([[2.0, 0.3, 0.1], [0.3, 2.0, 0.2], [0.1, 0.2, 2.0]])
    w = 2.0 - 2.0 * np.cos(np.pi * np.arange(1, n + 1) / (n + 1))
    values = (w[:, None, None] + w[:, None] + w).reshape(-1, 1) * np.linalg.eigvalsh(small)
    return csr_array(kron(scalar, small)), np.sort(values.ravel()), np.repeat(np.arange(n**3), 3)


@pytest.mark.parametrize("size", [6, 11])
@pytest.mark.parametrize("backend", EVERY_BACKEND)
def test_inertia_counts_the_eigenvalues_below_a_shift(backend, size):
    """Sylvester: negative pivots of A - s equal the eigenvalues below s, known in closed form."""
    A, values, groups = grid(size)
    pencil = pencil_of(A, csr_array(eye_array(A.shape[0])), groups=groups)
    factor = factorize(pencil.shifted(0.0), backend=backend, groups=groups)
    assert factor.negative_count == 0 and factor.trusted
    for at in (3, 40, 200):
        shift = 0.5 * (values[at - 1] + values[at]) if values[at] - values[at - 1] > 1e-9 else values[at] + 1e-7
        factor = factor.renewed(pencil.shifted(shift))
        assert factor.negative_count == (values < shift).sum()


@pytest.mark.parametrize("size", [6, 11])
@pytest.mark.parametrize("backend", EVERY_BACKEND)
def test_block_and_single_solves(backend, size):
    A, _, groups = grid(size)
    factor = factorize(A, backend=backend, groups=groups)
    wanted = np.random.default_rng(0).normal(size=(A.shape[0], 5))
    assert factor.solve(A @ wanted) == pytest.approx(wanted, abs=1e-10)
    assert factor.solve(A @ wanted[:, 0]) == pytest.approx(wanted[:, 0], abs=1e-10)
    assert factor.memory_bytes > 0
    factor.release()


def test_compiled_and_plain_merging_agree():
    from tisserand.linalg import pencil as module

    A, _, groups = grid(8)
    rng = np.random.default_rng(1)
    M = csr_array(
        diags_array(rng.uniform(1, 2, A.shape[0]))
        + csr_array((np.ones(5), (np.arange(5), np.arange(5) + 700)), shape=A.shape)
    )
    M = csr_array(M + M.T)
    free = rng.uniform(size=A.shape[0]) > 0.2
    place = np.full(A.shape[0], -1, np.int64)
    place[free] = np.arange(free.sum())
    plain = module._merged_numpy(place, int(free.sum()), A, M)
    quick = module._merged_compiled(place, int(free.sum()), A, M)
    for one, two in zip(plain, quick):
        assert np.array_equal(one, two)
    pencil = pencil_of(A, M, free, groups)
    dense = A.toarray()[np.ix_(free, free)] - 0.3 * M.toarray()[np.ix_(free, free)]
    np.testing.assert_allclose(pencil.shifted(0.3).toarray(), dense, rtol=1e-12, atol=1e-12)
    assert np.array_equal(pencil.shifted(0.0).indices, pencil.shifted(0.7).indices)


def test_refusals():
    A, _, _ = grid(4)
    for missing in set(BACKENDS) - set(available_backends()):
        with pytest.raises(InputError, match="not installed"):
            factorize(A, backend=missing)
    with pytest.raises(InputError, match="unknown"):
        factorize(A, backend="umfpack")
    with pytest.raises(SolverError, match="finite"):
        factorize(csr_array(np.array([[np.nan, 0.0], [0.0, 1.0]])))
    with pytest.raises(SingularMatrixError):
        factorize(csr_array(np.array([[1.0, 0.0], [0.0, 0.0]])), backend="superlu")
    with pytest.raises(ModelError, match="no free dof"):
        pencil_of(A, A, np.zeros(A.shape[0], bool))


@pytest.mark.skipif("pardiso" not in available_backends(), reason="MKL is not installed")
def test_node_ordering_fills_no_more_than_dof_ordering_with_uneven_nodes():
    """Nodes of three and of six dofs, numbered at random: ordering their graph must not cost fill."""
    from tisserand.linalg.pardiso import PardisoFactor

    A, _, _ = grid(16)
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(16**3), 3)
    groups[: 3 * 1600] //= 2  # pairs of neighboring nodes become one of six dofs
    mixed = rng.permutation(A.shape[0])
    A, groups = csr_array(A[mixed][:, mixed]), groups[mixed]
    A.sort_indices()
    by_dof, by_node = PardisoFactor(A, None), PardisoFactor(A, groups)
    assert by_node.memory_bytes < 1.25 * by_dof.memory_bytes
    wanted = rng.normal(size=A.shape[0])
    assert by_node.solve(A @ wanted) == pytest.approx(wanted, abs=1e-9)


def test_superlu_pivots_read_in_place_are_those_that_scipy_shows():
    """The diagonal of U, without the copy that scipy makes, bit for bit; and the copy where the store looks strange."""
    from types import SimpleNamespace

    from tisserand.linalg.superlu import SuperluFactor
    from tisserand.linalg.superlu_pivots import _in_place, _layout_is_known, pivots

    A, values, _ = grid(8)
    shift = 0.5 * (values[70] + values[90])
    factor = SuperluFactor(csr_array(A - shift * eye_array(A.shape[0])))
    assert _layout_is_known()
    found = _in_place(factor._lu)
    assert np.array_equal(found, factor._lu.U.diagonal())
    assert factor.negative_count == (values < shift).sum()
    stranger = SimpleNamespace(shape=(5, 5), U=SimpleNamespace(diagonal=lambda: np.arange(5.0)))
    assert np.array_equal(pivots(stranger), np.arange(5.0))


@pytest.mark.parametrize("placed", [True, False], ids=["positions", "graph distances"])
def test_fronts_of_loose_parts_and_of_singular_matrices(placed):
    """Two blocks that nothing joins, cut by positions or by distances: solves, counts, fill; a zero row is perturbed and told."""
    from tisserand.linalg.multifrontal import MultifrontalFactor

    A, values, groups = grid(7)
    both = csr_array(kron(eye_array(2), A))
    both.sort_indices()
    owners = np.concatenate([groups, groups + 343])
    axis = np.arange(7.0)
    one = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    places = np.vstack([one, one + np.array([40.0, 0.0, 0.0])]) if placed else None
    shift = 0.5 * (values[49] + values[50])
    if values[50] - values[49] < 1e-9:
        shift = values[50] + 1e-7
    shifted = csr_array(both - shift * eye_array(both.shape[0]))
    factor = MultifrontalFactor(shifted, owners, places)
    assert factor.trusted and factor.negative_count == 2 * (values < shift).sum()
    wanted = np.random.default_rng(0).normal(size=(both.shape[0], 3))
    assert factor.solve(shifted @ wanted) == pytest.approx(wanted, abs=1e-6)
    assert factor.memory_bytes < 8 * 0.4 * both.shape[0] ** 2  # dissected, not dense
    lame = both.tolil()
    lame[7, :] = 0.0
    lame[:, 7] = 0.0
    assert not MultifrontalFactor(csr_array(lame), owners, places).trusted
