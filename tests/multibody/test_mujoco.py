"""Random rigid trees of 1 to 50 bodies against MuJoCo: accelerations of both engines and of the particle
oracle.

Free base, hinges with springs, dampers and motors, forces and torques on every body, uniform gravity, nominal
frames that do not coincide. MuJoCo computes with a composite-rigid-body matrix of its own.
"""

import numpy as np
import pytest
from support.mujoco_trees import mujoco_accelerations
from support.recursive_calls import evaluate
from support.trees import flat, named_state, random_tree, vehicle_loads, vehicle_of

from tisserand.multibody import likins

pytest.importorskip("mujoco")

SIZES = [1, 2, 3, 5, 8, 13, 21, 34, 50]


def rigid(bodies):
    return random_tree(1000 + bodies, bodies=bodies, modes=0, rotors=False, aligned=bodies % 2 == 1)


@pytest.mark.parametrize("bodies", SIZES)
def test_likins_accelerations_are_those_of_mujoco(bodies):
    tree = rigid(bodies)
    expected = mujoco_accelerations(tree)
    got = flat(tree, likins.accelerations(likins.build(vehicle_of(tree)), named_state(tree), vehicle_loads(tree)))
    assert np.abs(got - expected).max() < 1e-11 * np.abs(expected).max()


@pytest.mark.parametrize("bodies", [1, 3, 8, 21])
def test_the_particle_oracle_agrees_with_mujoco(bodies):
    """What decides between our engines is itself decided by an engine that nobody here wrote."""
    tree = rigid(bodies)
    expected = mujoco_accelerations(tree)
    assert np.abs(tree.expected() - expected).max() < 1e-11 * np.abs(expected).max()


@pytest.mark.parametrize("bodies", SIZES)
def test_recursive_accelerations_are_those_of_mujoco(bodies):
    tree = rigid(bodies)
    expected = mujoco_accelerations(tree)
    got = flat(tree, evaluate(vehicle_of(tree), named_state(tree), vehicle_loads(tree)))
    assert np.abs(got - expected).max() < 1e-11 * np.abs(expected).max()
