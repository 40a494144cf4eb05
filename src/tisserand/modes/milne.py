"""Rows of Milne's frame: the products of inertia of first degree, from the elements' directional mass matrices.

Symbols: rho position from the undeformed mass center, L_ab = int rho_a u_b dm, principal axes 1, 2, 3 of the undeformed body.

References: [Milne1968], S0 Eq 50d; theory section 4.4.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import ModelError
from tisserand.statics.directional import position_moments

#: Principal moments closer than this (relative to the largest) leave the axes undefined.
AMBIGUOUS = 1e-6


def milne_rows(model: AssembledModel) -> FloatArray:
    """(6, d): int u dm (3 rows) and int (rho_j u_k + rho_k u_j) dm for jk = 23, 31, 12 in principal axes."""
    properties = model.mass_properties()
    if properties.mass <= 0.0:
        raise ModelError("a frame of inertia axes needs mass")
    moments, axes = properties.principal
    if np.diff(moments).min() <= AMBIGUOUS * moments[2]:
        raise ModelError(
            "the principal axes are not defined: two principal moments are equal",
            found=f"moments {moments[0]:.6g}, {moments[1]:.6g}, {moments[2]:.6g} kg m²",
            advice="use the buckens frame",
        )
    translation = (model.mass @ model.rigid_body_vectors[:, :3]).T
    L = position_displacement_rows(model, properties.center)
    turned = np.einsum("ai,abd,bj->ijd", axes, L, axes)
    products = np.stack([turned[1, 2] + turned[2, 1], turned[2, 0] + turned[0, 2], turned[0, 1] + turned[1, 0]])
    return np.vstack([translation, products])


def position_displacement_rows(model: AssembledModel, center: FloatArray) -> FloatArray:
    """(3, 3, d) rows of L_ab = int rho_a u_b dm over the independent dofs.

    If elements are available, they come from the directional mass matrices, exact for every displacement field; bare matrices
    take the translations of their nodes as the field, rho_a e_b M.
    """
    if model.structure is not None:
        moments = position_moments(model, center).reshape(-1, 9)
        return np.asarray((model.recovery.T @ moments).T).reshape(3, 3, model.size)
    arm = (model.nodes.positions - center)[model.dofs.node]
    direction = model.rigid_body_vectors[:, :3] * (model.dofs.component < 3)[:, None]
    fields = np.einsum("na,nb->nab", arm, direction).reshape(model.size, 9)
    return np.asarray((model.mass @ fields).T).reshape(3, 3, model.size)
