"""Node axes: turning element matrices and motions between basic axes and each node's displacement axes."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.model import Nodes


def turned_nodes(nodes: Nodes) -> BoolArray:
    """(n,) True where a node's axes differ from the basic ones."""
    if nodes.axes is None:
        return np.zeros(len(nodes), np.bool_)
    return np.asarray((nodes.axes != np.eye(3)).any(axis=(1, 2)))


def to_node_axes(
    matrices: FloatArray, nodes: IntArray, components: tuple[int, ...], table: Nodes, turned: BoolArray
) -> FloatArray:
    """Element matrices (m, nd, nd) from basic to node axes; untouched elements are passed through."""
    if table.axes is None or not turned.any():
        return matrices
    touched = (turned[nodes] & (nodes >= 0)).any(axis=1)
    if not touched.any():
        return matrices
    axes = np.where((nodes[touched] >= 0)[..., None, None], table.axes[nodes[touched]], np.eye(3))
    m, k = axes.shape[:2]
    width = len(components)
    turn = np.zeros((m, k, width, k, width))
    for group in range(width // 3):
        rows = slice(3 * group, 3 * group + 3)
        for a in range(k):
            turn[:, a, rows, a, rows] = axes[:, a]
    square = turn.reshape(m, k * width, k * width)
    out = np.array(matrices)
    out[touched] = square @ matrices[touched] @ square.swapaxes(1, 2)
    return out


def rigid_rows(nodes: Nodes, node: IntArray, component: IntArray, origin: FloatArray | None = None) -> FloatArray:
    """(p, 6) motion of dofs (node, component), in node axes, under unit rigid motions about ``origin``.

    Scalar points do not move with the body: their rows are zero.
    """
    out = np.zeros((len(node), 6))
    positions = nodes.positions if origin is None else nodes.positions - origin
    if nodes.axes is None:
        for c, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):  # e_c . (theta x arm)
            moves, turns = np.flatnonzero(component == c), component == c + 3
            at = node[moves]
            out[moves, c] = 1.0
            out[moves, 3 + i], out[moves, 3 + j] = positions[at, j], -positions[at, i]
            out[turns, 3 + c] = 1.0
    else:
        moving = component < 3
        axes, arm = nodes.axes[node, component % 3], positions[node]
        out[moving, :3] = axes[moving]
        out[moving, 3:] = np.cross(arm[moving], axes[moving])  # axis . (theta x arm)
        out[~moving, 3:] = axes[~moving]
    if nodes.scalar is not None:
        out[nodes.scalar[node]] = 0.0
    return out


def to_basic(nodes: Nodes, node: IntArray, component: IntArray) -> csr_array:
    """(6 n, p) from dofs (node, component) in node axes to all nodes' [u; beta] in basic axes."""
    count = len(node)
    column = np.arange(count)
    turned = turned_nodes(nodes)[node]
    rows, cols, values = [(6 * node + component)[~turned]], [column[~turned]], [np.ones(int((~turned).sum()))]
    if nodes.axes is not None and turned.any():
        axes = nodes.axes[node[turned], component[turned] % 3]
        start = 6 * node[turned] + 3 * (component[turned] // 3)
        for i in range(3):
            rows.append(start + i)
            cols.append(column[turned])
            values.append(axes[:, i])
    shape = (6 * len(nodes), count)
    matrix = coo_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))), shape=shape).tocsr()
    matrix.eliminate_zeros()
    return matrix
