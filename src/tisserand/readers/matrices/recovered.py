"""Additional points of reduced matrices, located by their own rigid motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, vstack

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import DofTable
from tisserand.model import Nodes
from tisserand.readers.matrices.raw import RecoveredPoints

#: A point whose rigid motion differs from one by more than this is not carried rigidly.
_RIGID = 1e-5


@dataclass(frozen=True, eq=False)
class PlacedPoints:
    """ids (p,), positions (p, 3) m, and rows (p, 6, d) that give their motion in basic axes."""

    ids: IntArray
    positions: FloatArray
    rows: FloatArray


def moved_along(stiffness: csr_array, rigid: FloatArray, modal: BoolArray) -> FloatArray:
    """Rigid motions (d, 6) with what modal dofs do in them: K_qq q = -K_qb S_b, zero where the boundary is fixed in the modes."""
    inner = stiffness[modal][:, modal].toarray()
    force = -(stiffness[modal][:, ~modal] @ rigid[~modal])
    if not len(inner) or np.abs(force).max(initial=0.0) <= 1e-9 * np.abs(stiffness.data).max(initial=0.0):
        return rigid
    out = rigid.copy()
    out[modal] = np.linalg.lstsq(inner, force, rcond=1e-12)[0]
    return out


def placed(
    points: RecoveredPoints, scale: FloatArray, length: float, rigid: FloatArray, notes: list[str]
) -> PlacedPoints:
    """Where the points are: for unit rigid motions a point at r with axes T moves by [T, -T r~; 0, T].

    scale: (d,) from SI to the file's numbers; length: m per unit of the file.
    """
    out = np.array([length] * 3 + [1.0] * 3)
    rows = points.rows.reshape(-1, 6, points.rows.shape[1]) * scale * out[:, None]
    ids, places, turned, lost = [], [], [], []
    for number, own in zip(points.ids.tolist(), rows):
        moved = own @ rigid
        T = moved[:3, :3]
        R = -T.T @ moved[:3, 3:]  # r~
        size = max(float(np.abs(R).max()), length)
        if np.abs(T @ T.T - np.eye(3)).max() > _RIGID or np.abs(R + R.T).max() > _RIGID * size:
            lost.append(number)
            continue
        ids.append(number)
        places.append([R[2, 1], R[0, 2], R[1, 0]])
        turned.append(np.concatenate([T.T @ own[:3], T.T @ own[3:]]))
    if ids:
        listed = ", ".join(map(str, ids[:8])) + (" ..." if len(ids) > 8 else "")
        notes.append(f"MUG1 carries points {listed}: their places and axes follow from their rigid motion")
    if lost:
        listed = ", ".join(map(str, lost[:8]))
        notes.append(f"points {listed} of MUG1 do not move rigidly with the boundary and are left out")
    shape = (len(ids), 6, rows.shape[2])
    return PlacedPoints(np.array(ids, np.int64), np.array(places).reshape(-1, 3), np.array(turned).reshape(shape))


def with_points(
    nodes: Nodes, dofs: DofTable, recovery: csr_array, more: PlacedPoints
) -> tuple[Nodes, DofTable, csr_array]:
    """Nodes, dofs and recovery with the points added, in order of id."""
    if not len(more.ids):
        return nodes, dofs, recovery
    n, p = len(nodes), len(more.ids)
    ids = np.concatenate([nodes.ids, more.ids])
    order = np.argsort(ids, kind="stable")
    place = np.empty(n + p, np.int64)
    place[order] = np.arange(n + p)
    axes = None
    if nodes.axes is not None:
        axes = np.concatenate([nodes.axes, np.broadcast_to(np.eye(3), (p, 3, 3))])[order]
    scalar = None if nodes.scalar is None else np.concatenate([nodes.scalar, np.zeros(p, np.bool_)])[order]
    table = Nodes(ids[order], np.concatenate([nodes.positions, more.positions])[order], axes, scalar)
    whole = csr_array(vstack([recovery, csr_array(more.rows.reshape(6 * p, -1))]))
    rows = (6 * order[:, None] + np.arange(6)).ravel()
    return table, DofTable(place[dofs.node], dofs.component, n + p), csr_array(whole[rows])
