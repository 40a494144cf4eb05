"""Concentrated masses: CONM2 as rigid nodal bodies, CONM1 as direct mass terms."""

from __future__ import annotations

import numpy as np

from tisserand.model import DirectMatrix, NodalBodies
from tisserand.readers.nastran.draft import Draft


def read_bodies(draft: Draft) -> list[NodalBodies]:
    """All CONM2 as one block; WTMASS applied, offset and inertia turned into basic axes."""
    rows = list(draft.bulk.rows("CONM2"))
    if not rows:
        return []
    found = []
    for row in rows:
        number, node = row.integer(0), draft.node(row, 1)
        if draft.is_scalar(node):
            raise row.error(1, "a nodal body cannot sit on a scalar point", found=row.integer(1))
        frame = row.integer(2, 0)
        mass = row.real(3, 0.0) * draft.mass_factor
        if mass < 0.0:
            raise row.error(3, "the mass is negative", found=row.real(3))
        offset = np.array([row.real(4 + k, 0.0) for k in range(3)]) * draft.units.length
        # fields: I11 I21 I22 I31 I32 I33, with the products entering negatively
        i11, i21, i22, i31, i32, i33 = (row.real(8 + k, 0.0) for k in range(6))
        inertia = np.array([[i11, -i21, -i31], [-i21, i22, -i32], [-i31, -i32, i33]])
        inertia = inertia * draft.mass_factor * draft.units.area
        if min(i11, i22, i33) < 0.0:
            raise row.error(8, "a moment of inertia is negative", found=min(i11, i22, i33))
        if frame == -1:
            offset = offset - draft.nodes.positions[node]
        elif frame != 0:
            axes = draft.system(row, 2, frame).axes_at(draft.nodes.positions[node : node + 1])[0]
            offset, inertia = offset @ axes, axes.T @ inertia @ axes
        found.append((number, node, mass, offset, inertia))
    found.sort(key=lambda item: item[0])
    ids, nodes, masses, offsets, inertias = zip(*found)
    return [
        NodalBodies(np.array(ids), np.array(nodes)[:, None], np.array(masses), np.array(offsets), np.array(inertias))
    ]


def read_mass_matrices(draft: Draft) -> list[DirectMatrix]:
    """All CONM1 as direct mass terms in node axes."""
    rows = list(draft.bulk.rows("CONM1"))
    if not rows:
        return []
    ids, nodes, components, values = [], [], [], []
    length = np.array([1.0] * 3 + [draft.units.length] * 3)
    for row in rows:
        number, node, frame = row.integer(0), draft.node(row, 1), row.integer(2, 0)
        matrix = np.zeros((6, 6))
        lower = np.array([row.real(3 + k, 0.0) for k in range(21)])
        matrix[np.tril_indices(6)] = lower
        matrix = matrix + np.tril(matrix, -1).T
        matrix = matrix * draft.mass_factor * np.outer(length, length)
        given = draft.system(row, 2, frame).axes_at(draft.nodes.positions[node : node + 1])[0]
        turn = np.kron(np.eye(2), draft.axes_of(np.array([node]))[0] @ given.T)
        matrix = turn @ matrix @ turn.T
        for i, j in np.argwhere(matrix != 0.0).tolist():
            ids.append(number)
            nodes.append((node, node))
            components.append((i, j))
            values.append(matrix[i, j])
    if not ids:
        return []
    return [DirectMatrix(np.array(ids), np.array(nodes), np.array(components), np.array(values), "mass")]
