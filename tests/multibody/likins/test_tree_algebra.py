"""Path and network elements, barycenters and the generalized mass matrix on random trees (TR 32-1576, Defs
29-44)."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path
from support.likins_trees import loads_of, state_of, system_of
from support.trees import batched, random_tree

from tisserand.errors import VehicleError
from tisserand.multibody.likins.configuration import configure
from tisserand.multibody.likins.equations import assemble
from tisserand.multibody.likins.momenta import momenta
from tisserand.multibody.likins.network import network


def random_parents(seed, n):
    rng = np.random.default_rng(seed)
    return [-1] + [int(rng.integers(0, k)) for k in range(1, n)]


def graph_step(parents):
    """N_kr from an undirected shortest-path search: step[k, r] is the next body on the way from k to r."""
    n = len(parents)
    edges = [(k, p) for k, p in enumerate(parents) if p >= 0]
    graph = csr_array((np.ones(n - 1), tuple(np.array(edges).T)), shape=(n, n))
    _, before = shortest_path(graph, directed=False, unweighted=True, return_predecessors=True)
    return before.T  # the body before k on the way from r to k


@pytest.mark.parametrize("seed", range(5))
def test_path_and_network_elements_follow_from_graph_search(seed):
    """eps_sk, N_kr, B_r and B_jk against scipy's shortest paths on the undirected tree."""
    parents = random_parents(seed, 12)
    tree, step = network(parents), graph_step(parents)
    for k in range(12):
        for r in range(12):
            assert tree.toward[k, r] == (k if k == r else step[k, r])
        path, body = set(), k
        while body:
            path.add(body)
            body = step[body, 0]
        assert set(np.flatnonzero(tree.path[:, k])) == path
        branches = [r for j in tree.neighbors(k) for r in tree.branch(k, j)]
        assert sorted(branches) == sorted(set(range(12)) - {k})


def test_bodies_must_be_numbered_outward():
    for parents in ([0, 0], [-1, 2, 0], [-1, -1], []):
        with pytest.raises(VehicleError, match="numbered outward"):
            network(parents)


@pytest.mark.parametrize("seed", range(4))
def test_barycentric_vectors_balance(seed):
    """sum_s M_s D^{rs} = 0 for every body r (identity after Def 36)."""
    b = system_of(random_tree(seed, bodies=7, massless=seed % 2 == 1)).barycenters
    assert np.abs(np.einsum("s,rsa->ra", b.masses, b.D)).max() < 1e-13 * b.total


@pytest.mark.parametrize("seed", range(4))
def test_mass_centers_by_equation_19_are_those_of_forward_kinematics(seed):
    """rho^r = sum_s (D^{sr} + M_s/M c^s) - c^r, and sum M_r rho^r = 0 (Eqs 19, 21), against particle
    positions."""
    tree = random_tree(seed, bodies=6, aligned=seed % 2 == 0)
    system, oracle = system_of(tree), tree.particles()
    rho = momenta(system, state_of(tree)).rho
    x = np.real(oracle.places(batched(tree.pose))[0][0])
    m, total = oracle.masses, oracle.masses.sum()
    starts = oracle.particle_start
    centers = np.array([m[a:b] @ x[a:b] / m[a:b].sum() for a, b in pairwise(starts)])
    expected = (centers - m @ x / total) @ tree.pose.R0
    assert np.abs(rho - expected).max() < 1e-13 * np.abs(x).max()
    assert np.abs(system.barycenters.masses @ rho).max() < 1e-12 * total


@pytest.mark.parametrize("seed", range(4))
def test_mass_matrix_is_the_double_sum_and_that_of_the_particles(seed):
    """MASS = sum_k sum_r Pk' Akr Pr is symmetric positive definite (S0 307) and equals the particle mass
    matrix.

    The particle matrix is reduced to fixed mass center (Schur complement of translation) and free rotors
    likewise.
    """
    tree = random_tree(seed, bodies=6, modes=0)
    system, state = system_of(tree), state_of(tree)
    at = configure(system, state, first_degree=False)
    linear = assemble(system, state, loads_of(tree, system), at)
    P, D, M = at.rates.partial, at.D, system.barycenters.total
    double = np.zeros_like(linear.mass)
    for k in range(6):
        for r in range(6):
            A = -M * ((D[k, r] @ D[r, k]) * np.eye(3) - np.outer(D[r, k], D[k, r]))  # S0 Def 39
            if k == r:
                C = at.rates.C0[k]
                A = C @ (system.barycenters.K[k] + system.substructures[k].inertia) @ C.T
                for Js, b in zip(system.substructures[k].rotor_inertia, system.substructures[k].rotor_axes @ C.T):
                    A = A - Js * np.outer(b, b)
            double += P[k].T @ A @ P[r]
    oracle = tree.particles()
    full = oracle.mass_matrix(batched(tree.pose))
    n = oracle.hinges
    keep, drop = np.arange(3, 6 + n), np.r_[0:3, 6 + n : 6 + n + oracle.rotors]
    schur = full[np.ix_(keep, keep)] - full[np.ix_(keep, drop)] @ np.linalg.solve(
        full[np.ix_(drop, drop)], full[np.ix_(drop, keep)]
    )
    size = np.abs(schur).max()
    assert np.abs(linear.mass - double).max() < 1e-13 * size
    assert np.abs(linear.mass - schur).max() < 1e-12 * size
    assert np.linalg.eigvalsh(linear.mass)[0] > 0.0
