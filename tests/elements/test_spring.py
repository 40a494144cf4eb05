"""Scalar springs and masses: forces, ground, and the two-mass oscillator."""

import numpy as np
import pytest
from support.lines import eigenvalues, turned

from tisserand.assembly import assemble
from tisserand.elements.registry import prepare
from tisserand.errors import ModelError
from tisserand.model import Nodes, ScalarMassBlock, ScalarSpringBlock, StructuralModel


def chain(stiffness=(2.0, 3.0), damping=(0.0, 0.0), masses=(1.0, 2.0), axes=None):
    nodes = Nodes([1, 2], np.array([[0.0, 0, 0], [1, 0, 0]]), axes)
    springs = ScalarSpringBlock([1, 2], [[0, -1], [0, 1]], [[1, 0], [1, 1]], stiffness, damping)
    weights = ScalarMassBlock([3, 4], [[0, -1], [1, -1]], [[1, 0], [1, 0]], masses)
    return StructuralModel("chain", nodes, (springs, weights))


def test_two_mass_chain_has_the_textbook_frequencies():
    """m1 m2 w^4 - (k2 m1 + (k1 + k2) m2) w^2 + k1 k2 = 0."""
    k1, k2, m1, m2 = 2.0, 3.0, 1.0, 2.0
    exact = np.sort(np.roots([m1 * m2, -(k2 * m1 + (k1 + k2) * m2), k1 * k2]))
    assert eigenvalues(assemble(chain((k1, k2), masses=(m1, m2)))) == pytest.approx(exact, rel=1e-12)


def test_spring_force_acts_in_node_axes():
    """F = k (u_a - u_b) along the node's own component; ground does not move."""
    axes = np.array([turned([0, 0, np.pi / 2])] * 2)
    model = chain(axes=axes)
    block = model.elements[0]
    motion = np.zeros((2, 6))
    motion[0, :3], motion[1, :3] = 0.5 * axes[0, 1], 0.2 * axes[1, 1]
    force = prepare(model, block).resultants(motion)["force"]
    assert force == pytest.approx([2.0 * 0.5, 3.0 * 0.3])


def test_dampers_fill_the_damping_matrix():
    assembled = assemble(chain(damping=(0.4, 0.1)))
    assert assembled.damping.toarray() == pytest.approx(np.array([[0.5, -0.1], [-0.1, 0.1]]))
    assert assemble(chain()).damping is None


def test_values_that_are_no_numbers_are_refused_by_name():
    with pytest.raises(ModelError, match="spring 2"):
        assemble(chain(stiffness=(1.0, np.inf)))
    with pytest.raises(ModelError, match="scalar mass 3"):
        assemble(chain(masses=(np.nan, 1.0)))
