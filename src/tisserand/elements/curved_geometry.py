"""Surface, normals and frames of the shells with midside nodes.

The surface is that of the shape functions, x = N_i x_i, and the normals that turn with the nodes are n = N_i n_i, with one
normal per node shared by the elements of a smooth surface (``shell_normals``). A midside node that a deck leaves out is stated
by the corner before it: the side is then straight, and everything along it is linear (its place, normal and motion are the
mean of its corners'). Motions are u_i and beta_i = theta_i x n_i of the f functions; ``to_motion`` gives them over nodal dofs
and the motion of the ninth node.

Degenerated shells: [Ahmad1970]; assumed strains: [Bucalem1993].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, skew
from tisserand.elements.curved_shapes import ShapeTable, gauss_table, node_table
from tisserand.elements.curved_surface import SurfacePoints, completed, surface_normals, surface_points
from tisserand.elements.shell_normals import node_normals
from tisserand.elements.shell_refusals import refuse_collapsed, refuse_normal_axis
from tisserand.model import ShellBlock, StructuralModel

#: Least area per size^2: at a point of integration, and at a node, whose rotation about the normal has no meaning without one.
_WORST, _FLAT_NODE = 1e-6, 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class CurvedGeometry:
    """m shells of k nodes and f functions.

    points (m, f, 3) m and normals (m, f, 3) of the functions; straight (m, sides): a side without midside node; to_motion (m, 6f,
    6k + inner): u and beta of every function, node-major, over nodal dofs in basic axes and the inner motion; size (m,) m.
    """

    points: FloatArray
    normals: FloatArray
    straight: BoolArray
    to_motion: FloatArray
    nodes: int
    size: FloatArray

    @property
    def functions(self) -> int:
        return int(self.points.shape[1])

    @property
    def arms(self) -> FloatArray:
        """(m, f, 3) m from the mean of all places to each; zero for the bubble, which has none."""
        placed = 6 if self.functions == 7 else 9
        out = self.points - self.points[:, :placed].mean(axis=1, keepdims=True)
        out[:, placed:] = 0.0
        return np.asarray(out)

    @property
    def inner(self) -> int:
        """Motions of the ninth node or of the bubble that the element eliminates."""
        return int(self.to_motion.shape[2]) - 6 * self.nodes


def curved_geometry(model: StructuralModel, block: ShellBlock) -> CurvedGeometry:
    """Geometry of every shell of the block; a folded or collapsed element raises InvertedCellError."""
    k, positions = block.nodes.shape[1], model.nodes.positions[block.nodes]
    straight = block.straight_sides
    points = completed(positions, straight)
    size = np.linalg.norm(positions.max(axis=1) - positions.min(axis=1), axis=1)
    _check(block, points, size)
    own = surface_normals(points)
    shared = node_normals(model)[block.nodes]
    side = np.einsum("mki,mki->mk", shared, own[:, :k])[..., None]
    normals = completed(np.where(side == 0.0, own[:, :k], shared * np.where(side < 0.0, -1.0, 1.0)), straight)
    to_motion = _to_motion(normals, straight, k)
    return CurvedGeometry(points=points, normals=normals, straight=straight, to_motion=to_motion, nodes=k, size=size)


def curved_ratio(block: ShellBlock, table: ShapeTable) -> FloatArray:
    """(m, g): thickness over that of the section at the points of a table; (1, 1) of ones where it does not vary."""
    if block.taper is None:
        return np.ones((1, 1))
    return np.asarray(completed(block.taper[..., None], block.straight_sides)[..., 0] @ table.values.T)


def _to_motion(normals: FloatArray, straight: BoolArray, k: int) -> FloatArray:
    m, f, _ = normals.shape
    inner = {6: 2, 8: 5, 9: 0}[k]
    out = np.zeros((m, f, 2, 3, 6 * k + inner))
    turn = -skew(normals)
    for i in range(k):
        out[:, i, 0, :, 6 * i : 6 * i + 3] = np.eye(3)
        out[:, i, 1, :, 6 * i + 3 : 6 * i + 6] = turn[:, i]
    sides = straight.shape[1]
    for side in range(sides):
        mean = 0.5 * (out[:, side] + out[:, (side + 1) % sides])
        out[:, sides + side] = np.where(straight[:, side, None, None, None], mean, out[:, sides + side])
    if inner:
        up = normals[:, k] if k == 8 else normals[:, :3].mean(axis=1)
        first = np.cross(np.eye(3)[np.argmin(np.abs(up), axis=1)], up)
        first /= np.linalg.norm(first, axis=1, keepdims=True)
        second = np.cross(up, first)
        second /= np.linalg.norm(second, axis=1, keepdims=True)
        out[:, k, 1, :, -2], out[:, k, 1, :, -1] = first, second
        if k == 8:
            out[:, k, 0, :, 6 * k : 6 * k + 3] = np.eye(3)
    return out.reshape(m, 6 * f, 6 * k + inner)


def material_frame(block: ShellBlock, at: SurfacePoints) -> FloatArray:
    """(m, g, 2, 2): derivatives of the reference coordinates a along the material axes i at every point, [i, a]."""
    axis = np.broadcast_to(np.asarray(block.material_axis)[:, None], at.normal.shape)
    first = axis - np.einsum("mgi,mgi->mg", axis, at.normal)[..., None] * at.normal
    length = np.linalg.norm(first, axis=-1)
    refuse_normal_axis(block, length)
    first = first / length[..., None]
    frame = np.stack([first, np.cross(at.normal, first)], axis=2)
    return np.asarray(np.linalg.inv(np.einsum("mgai,mgci->mgac", at.base, frame)))


def _check(block: ShellBlock, points: FloatArray, size: FloatArray) -> None:
    at = surface_points(points, gauss_table(points.shape[1], 3))
    mean = at.normal.mean(axis=1)
    turned = np.einsum("mgi,mi->mg", at.normal, mean)
    flat = at.area.min(axis=1) / np.maximum(size**2, 1e-300)
    ends = surface_points(points, node_table(points.shape[1])).base
    corner = np.linalg.norm(np.cross(ends[:, :, 0], ends[:, :, 1]), axis=-1).min(axis=1) / np.maximum(size**2, 1e-300)
    bad = ~((turned > 0.0).all(axis=1) & (flat > _WORST) & (corner > _FLAT_NODE))
    expected = "distinct corners in order around the element and midside nodes near the middle of their sides"
    refuse_collapsed(block, bad, at.area.sum(axis=1), size, expected)
