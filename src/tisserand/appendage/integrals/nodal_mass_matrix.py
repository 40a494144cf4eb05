"""Bare matrices: the mass over dofs spread to the (node, component) places of all nodes, in basic axes."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from tisserand.appendage.integrals.from_elements import axes_matrix
from tisserand.arrays import FloatArray
from tisserand.assembly.assembled_model import AssembledModel


def spread_mass(model: AssembledModel) -> tuple[csr_array, csr_array]:
    """The map from dofs to places (6 n, d), and the mass (6 n, 6 n) at the independent dofs themselves, basic axes.

    Dofs that were eliminated carry no mass of their own here: theirs is already in the independent ones.
    """
    n, d = len(model.nodes), model.size
    place = 6 * model.dofs.node + model.dofs.component
    spread = csr_array((np.ones(d), (place, np.arange(d))), shape=(6 * n, d))
    if model.nodes.axes is not None:
        spread = csr_array(axes_matrix(model.nodes.axes).T @ spread)
    return spread, csr_array(spread @ model.mass @ spread.T)


def mass_at_nodes(model: AssembledModel, Phi: FloatArray) -> tuple[csr_array, FloatArray]:
    """Mass (6 n, 6 n) and shapes (n, 6, k) at the independent dofs, basic axes."""
    spread, mass = spread_mass(model)
    return mass, np.asarray(spread @ Phi).reshape(len(model.nodes), 6, -1)
