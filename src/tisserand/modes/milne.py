"""Rows of Milne's frame: the products of inertia of first degree, from the elements' directional mass matrices.

Symbols: rho position from the undeformed mass centre, L_ab = int rho_a u_b dm, principal axes 1, 2, 3 of the undeformed body.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.assembly.types import AssembledModel
from tisserand.elements.registry import family_of
from tisserand.elements.types import DIRECTIONS
from tisserand.errors import ModelError
from tisserand.model import StructuralModel

#: Principal moments closer than this (relative to the largest) leave the axes undefined.
AMBIGUOUS = 1e-6
_CHUNK = 4096


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
    products = np.stack(
        [turned[1, 2] + turned[2, 1], turned[2, 0] + turned[0, 2], turned[0, 1] + turned[1, 0]]
    )
    return np.vstack([translation, products])


def position_displacement_rows(model: AssembledModel, center: FloatArray) -> FloatArray:
    """(3, 3, d) rows of L_ab = int rho_a u_b dm over the independent dofs.

    With elements at hand L_ad = eps_bca S_r[:, c]' M^{bd} for one b != a (exact for every displacement field); bare
    matrices and recipes without a field take the translations of the nodes as the field, rho_a e_b M.
    """
    structure = model.structure
    if structure is not None:
        rows = _from_elements(structure, model.mass_recipe, center)
        if rows is not None:
            flat = model.recovery.T @ rows.reshape(9, -1).T
            return np.asarray(flat.T).reshape(3, 3, model.size)
    arm = (model.nodes.positions - center)[model.dofs.node]
    direction = model.rigid_body_vectors[:, :3] * (model.dofs.component < 3)[:, None]
    fields = np.einsum("na,nb->nab", arm, direction).reshape(model.size, 9)
    return np.asarray((model.mass @ fields).T).reshape(3, 3, model.size)


def _from_elements(structure: StructuralModel, recipe: str, center: FloatArray) -> FloatArray | None:
    """(3, 3, n, 6) rows over all nodes in basic axes, None where some mass comes from no displacement field."""
    rows = np.zeros((3, 3, len(structure.nodes), 6))
    order = {pair: i for i, pair in enumerate(DIRECTIONS)}
    for block in structure.elements:
        if block.family == "direct matrix":
            if getattr(block, "kind", "") == "mass":
                return None
            continue
        family = family_of(block)
        for first in range(0, len(block), _CHUNK):
            part = block.select(slice(first, first + _CHUNK))
            batch = family.matrices(structure, part, recipe)
            if batch.mass is None or not batch.mass.any():
                continue
            if batch.scalar_components is not None:
                return None
            directional = family.directional_mass(structure, part, recipe)
            if directional is None:
                return None
            _add(rows, batch.nodes, batch.components, directional, structure.nodes.positions - center, order)
    return rows


def _add(
    rows: FloatArray,
    nodes: FloatArray,
    components: tuple[int, ...],
    directional: FloatArray,
    arms: FloatArray,
    order: dict[tuple[int, int], int],
) -> None:
    count, per = nodes.shape[1], len(components)
    turn = np.zeros((len(nodes), count, 6, 3))
    x, y, z = np.moveaxis(arms[nodes], -1, 0)
    turn[:, :, 1, 0], turn[:, :, 2, 0] = -z, y
    turn[:, :, 0, 1], turn[:, :, 2, 1] = z, -x
    turn[:, :, 0, 2], turn[:, :, 1, 2] = -y, x
    turn[:, :, 3, 0] = turn[:, :, 4, 1] = turn[:, :, 5, 2] = 1.0
    rotation = turn[:, :, list(components)].reshape(len(nodes), count * per, 3)
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        sign = 1.0  # eps_bca with (b, c, a) a cyclic turn of (a, b, c)
        for d in range(3):
            if (b, d) in order:
                matrix = directional[:, order[(b, d)]]
            else:
                matrix = directional[:, order[(d, b)]].transpose(0, 2, 1)
            row = sign * np.einsum("mi,mij->mj", rotation[:, :, c], matrix).reshape(len(nodes), count, per)
            target = rows[a, d]
            for slot, component in enumerate(components):
                np.add.at(target[:, component], nodes, row[:, :, slot])
