"""Work in threads gives the same bits as work in one, and every part of it is done once."""

import os
import signal

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

import tisserand.threads as threads
from tisserand.linalg import available_backends, factorize, pencil_of
from tisserand.linalg import products as module
from tisserand.linalg.factor import analyze
from tisserand.linalg.products import product
from tisserand.modes._kernels import rigid_parts
from tisserand.modes.eigenvalue_bounds import data_errors, rounded


@pytest.fixture(params=[1, 3])
def count(request, monkeypatch):
    monkeypatch.setattr(threads, "thread_count", lambda: request.param)
    return request.param


@pytest.mark.parametrize("rows", [1, 2, 7, 100])
def test_every_row_is_worked_on_once(count, rows):
    seen = np.zeros(rows, int)

    def work(begin, end):
        seen[begin:end] += 1

    threads.over_rows(work, rows)
    assert (seen == 1).all()


def test_results_come_in_order_and_errors_are_raised(count):
    assert list(threads.in_order(lambda i=i: i * i for i in range(20))) == [i * i for i in range(20)]
    with pytest.raises(ZeroDivisionError):
        list(threads.in_order(lambda i=i: 1 / (5 - i) for i in range(20)))


def test_tasks_that_share_out_work_themselves_do_not_wait_for_each_other(count):
    inner = [lambda i=i: sum(threads.in_order(lambda j=j: i * j for j in range(9))) for i in range(12)]
    assert list(threads.in_order(inner)) == [36 * i for i in range(12)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_threads_of_its_own(count):
    assert list(threads.in_order(lambda i=i: i for i in range(4))) == [0, 1, 2, 3]
    child = os.fork()
    if not child:
        signal.alarm(20)  # a pool without threads would wait for ever
        os._exit(0 if sum(threads.in_order(lambda i=i: i for i in range(9))) == 36 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_products_have_the_bits_of_scipy(count, monkeypatch):
    monkeypatch.setattr(module, "_LARGE", 0)
    rng = np.random.default_rng(1)
    matrix = csr_array(random_array((60, 60), density=0.2, rng=rng))
    for block in (rng.normal(size=(60, 5)), np.asfortranarray(rng.normal(size=(60, 8))), rng.normal(size=60)):
        assert np.array_equal(product(matrix, block), matrix @ block)


def test_rounding_of_both_matrices_in_one_pass(count):
    rng = np.random.default_rng(2)
    half = random_array((40, 40), density=0.1, rng=rng)
    K, M = csr_array(half + half.T + 3.0 * np.eye(40)), csr_array(np.diag(rng.uniform(1.0, 2.0, 40)))
    pencil = pencil_of(K, M)
    x, values = rng.normal(size=(40, 3)), np.array([1.0, -2.0, 5.0])
    expected = rounded(pencil.k, x) / np.abs(values) + rounded(pencil.m, x)
    assert data_errors(pencil, values, x) == pytest.approx(expected, rel=1e-12)


def test_rigid_parts_are_the_projection_of_a_free_structure():
    """Three parts of a chain of springs in space, translations: P'K P by dense products."""
    rng = np.random.default_rng(3)
    n = 12
    chain = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    chain[0, 0] = chain[-1, -1] = 1.0
    K = csr_array(np.kron(chain, np.diag([1.0, 2.0, 3.0])))
    parts = np.repeat(np.arange(3), n)  # four nodes of three dofs each
    shapes = np.zeros((3 * n, 6))
    shapes[np.arange(3 * n), np.arange(3 * n) % 3] = 1.0
    turn = np.kron(np.eye(2), np.linalg.qr(rng.normal(size=(3, 3)))[0])
    shapes = shapes @ turn
    P = np.zeros((3 * n, 18))
    for i in range(3 * n):
        P[i, 6 * parts[i] : 6 * parts[i] + 6] = shapes[i]
    out = np.zeros((18, 18))
    rigid_parts(K.indptr, K.indices, K.data, parts, shapes, np.zeros((3, 6)), np.empty(3, np.int64), out)
    assert out == pytest.approx(P.T @ K.toarray() @ P, abs=1e-13)


@pytest.mark.skipif("pardiso" not in available_backends(), reason="MKL is not installed")
def test_a_pattern_analyzed_ahead_serves_any_values():
    rng = np.random.default_rng(4)
    n = 50
    chain = csr_array(2.1 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    ready = analyze(chain, backend="pardiso")
    shifted = csr_array(chain - 1.0 * csr_array(np.eye(n)))
    factor, load = ready.renewed(shifted), rng.normal(size=(n, 2))
    direct = factorize(shifted, backend="pardiso")
    assert factor.solve(load) == pytest.approx(direct.solve(load), rel=1e-12)
    assert factor.negative_count == direct.negative_count == (np.linalg.eigvalsh(shifted.toarray()) < 0.0).sum()
    assert analyze(chain, backend="superlu") is None
