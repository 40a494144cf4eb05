"""S0 Eq 352 and Propositions 2 and 3: the rotational equations are those of the total angular momentum."""

import numpy as np
import pytest
from support.likins_trees import state_of, system_of
from support.trees import random_tree

from tisserand.multibody.likins.configuration import configure
from tisserand.multibody.likins.equations import assemble
from tisserand.multibody.likins.momenta import momenta
from tisserand.multibody.likins.system import AppliedLoads, LikinsState


def no_loads(system):
    n, q = system.tree.bodies, system.rotors
    return AppliedLoads(
        np.zeros((n, 3)),
        np.zeros((n, 3)),
        np.zeros(system.modes),
        np.zeros(n - 1),
        np.zeros(q),
        np.zeros(q),
        np.ones(q, bool),
    )


@pytest.mark.parametrize("seed", range(3))
def test_angular_momentum_is_the_derivative_of_kinetic_energy(seed):
    """H = dT/dw (S0 352); T is quadratic in w, so a central difference is exact."""
    tree = random_tree(seed, bodies=5)
    system, state = system_of(tree), state_of(tree)

    def kinetic(w0):
        return momenta(system, LikinsState(w0, *[getattr(state, f) for f in FIELDS])).kinetic

    slope = [(kinetic(state.w0 + e) - kinetic(state.w0 - e)) / 2.0 for e in np.eye(3)]
    H = momenta(system, state).angular
    assert np.abs(slope - H).max() < 1e-12 * np.abs(H).max()


FIELDS = ("angles", "angle_rates", "rotor_rates", "eta", "eta_rates")


@pytest.mark.parametrize("seed, bodies", [(0, 5), (1, 5), (2, 5), (3, 1), (4, 1)])
def test_sum_of_W_is_minus_the_rate_of_angular_momentum(seed, bodies):
    """Prop. 3 (and 2 for a single elastic body): without loads, sum_k W^k = -[d/dt (dT/dw) + w x dT/dw] for
    ANY accelerations (not only solutions).

    The rate is taken by an eighth-order difference of the momentum along a motion with the chosen
    accelerations.
    """
    tree = random_tree(seed, bodies=bodies)
    system, state = system_of(tree), state_of(tree)
    rng = np.random.default_rng(seed)
    a0, gdd, edd = rng.normal(size=3), rng.normal(size=system.hinges), rng.normal(size=system.modes)

    def angular(t):
        moved = LikinsState(
            state.w0 + t * a0,
            state.angles + t * state.angle_rates + 0.5 * t * t * gdd,
            state.angle_rates + t * gdd,
            state.rotor_rates,
            state.eta + t * state.eta_rates + 0.5 * t * t * edd,
            state.eta_rates + t * edd,
        )
        return momenta(system, moved).angular

    h = 2e-3
    weights = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280]) / h
    rate = sum(c * (angular(i * h) - angular(-i * h)) for i, c in enumerate(weights, start=1))
    at = configure(system, state, first_degree=False)
    linear = assemble(system, state, no_loads(system), at)
    a = np.einsum("kaj,j->ka", at.rates.partial, np.r_[a0, gdd]) + at.rates.bias
    W = linear.W(a, edd)
    expected = -(rate + np.cross(state.w0, angular(0.0)))
    assert np.abs(W.sum(axis=0) - expected).max() < 1e-9 * np.abs(expected).max()
