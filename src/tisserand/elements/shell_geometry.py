"""Element axes, flat geometry, section stiffness in element axes and the map from basic dofs, for many shells.

Local axes: z is the normal of the mean plane (for quads the plane parallel to both diagonals, through the
mean height), x lies along the first side. Rows of ``axes`` are the local unit vectors in basic axes.

Serves the flat facets of [Katili1993].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.elements.distinct import distinct
from tisserand.elements.shell_normals import node_normals
from tisserand.elements.shell_refusals import refuse_collapsed, refuse_normal_axis
from tisserand.elements.shell_shapes import SurfaceTable, center, sides, table
from tisserand.elements.shell_taper import check_layers, grown, ratio_at
from tisserand.errors import ModelError
from tisserand.model import ShellBlock, ShellSection, StructuralModel

_WORST_AREA = 1e-8
_CORNERS = "distinct corners in order around a convex element"


@dataclass(frozen=True, eq=False, kw_only=True)
class ShellGeometry:
    """m shells of k corners.

    axes (m, 3, 3); flat (m, k, 2) corner positions in the mean plane, m; height (m, k) of the corners above
    it, m; side_length (m, k) m and side_direction (m, k, 2); area (m,) m²; director (m, k, 3) node normals in local axes;
    offset (m,) m of the reference surface.
    """

    axes: FloatArray
    flat: FloatArray
    height: FloatArray
    side_length: FloatArray
    side_direction: FloatArray
    area: FloatArray
    director: FloatArray
    offset: FloatArray

    @property
    def corners(self) -> int:
        return int(self.flat.shape[1])

    @property
    def to_nodes(self) -> FloatArray:
        """(m, 6k, 6k): basic dofs to local dofs (u, v, w, theta) at the nodes."""
        return self._maps[0]

    @property
    def to_local(self) -> FloatArray:
        """(m, 6k, 6k): basic dofs to local dofs on the flat reference surface."""
        return self._maps[1]

    @cached_property
    def _maps(self) -> tuple[FloatArray, FloatArray]:
        return _to_local(self.axes, self.flat, self.height, self.director, self.offset)


def shell_geometry(model: StructuralModel, block: ShellBlock) -> ShellGeometry:
    """Geometry of every shell of the block; a folded, re-entrant or collapsed element raises InvertedCellError."""
    points = model.nodes.positions[block.nodes]
    k = points.shape[1]
    side = points[:, 1] - points[:, 0]
    first, second = (
        (points[:, 2] - points[:, 0], points[:, 3] - points[:, 1]) if k == 4 else (side, points[:, 2] - points[:, 0])
    )
    normal = np.cross(first, second)
    area = 0.5 * np.linalg.norm(normal, axis=1)
    longest = np.linalg.norm(points - np.roll(points, 1, axis=1), axis=2).max(axis=1)
    refuse_collapsed(block, ~(area > _WORST_AREA * longest**2), area, longest, _CORNERS)
    z = normal / (2.0 * area)[:, None]
    x = side - np.einsum("mi,mi->m", side, z)[:, None] * z
    x /= np.linalg.norm(x, axis=1)[:, None]
    axes = np.stack([x, np.cross(z, x), z], axis=1)
    local = np.einsum("mij,mkj->mki", axes, points - points.mean(axis=1, keepdims=True))
    flat, height = local[..., :2], local[..., 2]
    edge = np.roll(flat, -1, axis=1) - flat
    length = np.linalg.norm(edge, axis=2)
    refuse_collapsed(block, ~(length > 1e-7 * longest[:, None]).all(axis=1), area, longest, _CORNERS)
    turn = edge[..., 0] * np.roll(edge, -1, axis=1)[..., 1] - edge[..., 1] * np.roll(edge, -1, axis=1)[..., 0]
    refuse_collapsed(block, ~(turn > -1e-9 * longest[:, None] ** 2).all(axis=1), area, longest, _CORNERS)
    return ShellGeometry(
        axes=axes,
        flat=flat,
        height=height,
        side_length=length,
        side_direction=edge / length[..., None],
        area=area,
        director=_directors(model, block, axes),
        offset=np.asarray(block.offset),
    )


def _to_local(
    axes: FloatArray, flat: FloatArray, height: FloatArray, director: FloatArray, offset: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Local dofs at the nodes (to_nodes) and on the flat reference surface (to_local), over basic dofs.

    A corner at height h above the mean plane moves the plane's point by u - Omega x h n, where Omega is the
    rotation of the element at its center (from the w of all corners): rigid motions stay exact and no
    spurious nodal moments arise. Rotations are taken less their part about the node's normal d, which the
    element replaces by its own in-plane rotation omega: theta* = theta - d (theta_z - omega) / d_z. An offset
    o moves with that rotation: u + theta* x o n.
    """
    m, k = height.shape
    plane = np.zeros((m, 6 * k, 6 * k))
    for i in range(2 * k):
        plane[:, 3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = axes
    nodes = plane.copy()
    gradient = physical_gradient(flat, center(k).corner_gradient)[0][:, 0]  # (m, 2, k)
    if np.abs(height).max(initial=0.0) > 0.0:
        slope = np.einsum("mck,mkj->mcj", gradient, plane[:, 2::6])  # dw/dx, dw/dy over basic dofs
        plane[:, 0::6] += height[:, :, None] * slope[:, None, 0]
        plane[:, 1::6] += height[:, :, None] * slope[:, None, 1]
    tilt = director[..., :2] / director[..., 2:]
    if np.abs(tilt).max(initial=0.0) > 1e-12:
        omega = 0.5 * np.einsum("mk,mkj->mj", gradient[:, 0], plane[:, 1::6])
        omega -= 0.5 * np.einsum("mk,mkj->mj", gradient[:, 1], plane[:, 0::6])
        excess = plane[:, 5::6] - omega[:, None]
        for c in range(2):
            plane[:, 3 + c :: 6] -= tilt[..., c, None] * excess
            nodes[:, 3 + c :: 6] -= tilt[..., c, None] * excess
    local = plane.copy()
    local[:, 0::6] += offset[:, None, None] * plane[:, 4::6]
    local[:, 1::6] -= offset[:, None, None] * plane[:, 3::6]
    return nodes, local


def _directors(model: StructuralModel, block: ShellBlock, axes: FloatArray) -> FloatArray:
    """(m, k, 3) node normals in local axes on the element's side; the element normal where the node has none."""
    director = np.einsum("mij,mkj->mki", axes, node_normals(model)[block.nodes])
    director *= np.where(director[..., 2:] < 0.0, -1.0, 1.0)
    director[(director == 0.0).all(axis=-1)] = (0.0, 0.0, 1.0)
    return np.asarray(director)


def physical_gradient(flat: FloatArray, gradient: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Gradients (m, g, 2, f) of functions with reference gradients (g, 2, f = k corners), and determinants (m, g)."""
    det, inverse = inverse_2x2(jacobian_at(flat, gradient))
    return turned_gradient(inverse, gradient), det


def jacobian_at(flat: FloatArray, gradient: FloatArray) -> FloatArray:
    """(m, g, 2, 2): d(x, y)_b / d(xi, eta)_a at points with reference gradients (g, 2, k)."""
    m, (g, two, k) = len(flat), gradient.shape
    rows = flat.transpose(0, 2, 1).reshape(2 * m, k) @ gradient.reshape(g * two, k).T
    return np.ascontiguousarray(rows.reshape(m, 2, g, two).transpose(0, 2, 3, 1))


def turned_gradient(inverse: FloatArray, gradient: FloatArray) -> FloatArray:
    """(m, g, 2, f): reference gradients (g, 2, f) by the inverse Jacobians (m, g, 2, 2)."""
    out = inverse[..., :1] * gradient[:, :1]
    out += inverse[..., 1:] * gradient[:, 1:]
    return out


def incompatible_strain(geometry: ShellGeometry, at: SurfaceTable, det: FloatArray) -> FloatArray:
    """(m, g, 3, 4) strains of the incompatible modes of quads, with the Jacobian of the center ([Taylor1976])."""
    middle = jacobian_at(geometry.flat, center(4).corner_gradient)
    det0, inverse0 = inverse_2x2(middle)
    slope = np.zeros((len(at.points), 2, 2))
    slope[:, 0, 0], slope[:, 1, 1] = -2.0 * at.points[:, 0], -2.0 * at.points[:, 1]
    gradient = np.einsum("mba,gaf->mgbf", inverse0[:, 0], slope) * (det0 / det)[..., None, None]
    out = np.zeros((*det.shape, 3, 4))
    out[:, :, 0, 0:2] = out[:, :, 2, 2:4] = gradient[:, :, 0]
    out[:, :, 1, 2:4] = out[:, :, 2, 0:2] = gradient[:, :, 1]
    return out


def inverse_2x2(jacobian: FloatArray, floor: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """Determinants and inverses over the last two axes; ``floor`` bounds the divisor from below."""
    a, b, c, d = jacobian[..., 0, 0], jacobian[..., 0, 1], jacobian[..., 1, 0], jacobian[..., 1, 1]
    det = a * d - b * c
    divisor = det if floor is None else np.maximum(det, floor)
    adjugate = np.stack([np.stack([d, -b], axis=-1), np.stack([-c, a], axis=-1)], axis=-2)
    return det, adjugate / divisor[..., None, None]


@dataclass(frozen=True, eq=False, kw_only=True)
class ShellStiffness:
    """Section stiffness of m shells in element axes.

    generalized (m, 6, 6) = [A B; B' D] and shear (m, 2, 2), zero where rigid, of the section: at points inside by ``at``, taper
    (m, k) as in ShellBlock. Means over the element: bending (m, 3, 3), D with free membrane; shear_flexibility (m, 2, 2);
    drilling (m,) N/m: 1e-6 K6ROT A_66. shear_ratio (m, k): phi_k = 12 D_ss F_ss / L² in the middle of a side, with D_ss its
    bending stiffness (free membrane) and F_ss its shear flexibility. to_material (m, 3, 3): strains of element axes to
    material axes. form: ``ShellBlock.bending``.
    """

    generalized: FloatArray
    shear: FloatArray
    shear_ratio: FloatArray
    bending: FloatArray
    shear_flexibility: FloatArray
    drilling: FloatArray
    to_material: FloatArray
    turn: FloatArray
    taper: FloatArray | None
    form: str

    def at(self, points: SurfaceTable) -> tuple[FloatArray, FloatArray]:
        """[A B; B' D] (m, n, 6, 6) and shear stiffness (m, n, 2, 2) at the n points; n = 1 where thickness does not vary."""
        if self.taper is None:
            return self.generalized[:, None], self.shear[:, None]
        ratio = ratio_at(self.taper, points.corner)
        return grown(self.generalized, ratio), self.shear[:, None] * ratio[..., None, None]


def sections_of(model: StructuralModel, block: ShellBlock) -> tuple[list[ShellSection], IntArray]:
    """The distinct shell sections of a block and each element's place among them."""
    used, place = distinct(block.section)
    sections = [cast(ShellSection, model.sections[i]) for i in used]
    for index, section in zip(used, sections):
        if section.thickness > 0.0:
            continue
        row = int(np.argmax(block.section == index))
        raise ModelError(
            "a shell needs a shell section of positive thickness",
            ids=(int(block.ids[row]),),
            where=f"shell element {block.ids[row]}, section {section.id}",
            found=f"thickness {section.thickness}",
        )
    return sections, place


def shell_stiffness(model: StructuralModel, block: ShellBlock, geometry: ShellGeometry) -> ShellStiffness:
    """Section matrices turned into element axes."""
    sections, place = sections_of(model, block)
    check_layers(block, sections, place)
    c, s = material_angle(block, geometry)
    nil = np.zeros_like(c)
    strain = np.stack(
        [
            np.stack([c * c, s * s, c * s], axis=-1),
            np.stack([s * s, c * c, -c * s], axis=-1),
            np.stack([-2 * c * s, 2 * c * s, c * c - s * s], axis=-1),
        ],
        axis=-2,
    )
    turn = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=-2)
    stacked = np.array([np.block([[x.membrane, x.coupling], [x.coupling.T, x.bending]]) for x in sections])[place]
    double = np.zeros((len(place), 6, 6))
    double[:, :3, :3] = double[:, 3:, 3:] = strain
    generalized = double.transpose(0, 2, 1) @ stacked @ double
    rigid = np.array([x.shear is None for x in sections])
    shear = (
        turn.transpose(0, 2, 1)
        @ np.array([np.zeros((2, 2)) if x.shear is None else x.shear for x in sections])[place]
        @ turn
    )
    flexible = np.array([np.zeros((2, 2)) if x.shear is None else np.linalg.pinv(x.shear) for x in sections])[place]
    flexible = turn.transpose(0, 2, 1) @ flexible @ turn
    free = np.array([x.bending - x.coupling.T @ np.linalg.pinv(x.membrane) @ x.coupling for x in sections])[place]
    bending = strain.transpose(0, 2, 1) @ free @ strain
    t = geometry.side_direction
    along = np.stack([t[..., 0] ** 2, t[..., 1] ** 2, 2.0 * t[..., 0] * t[..., 1]], axis=-1)
    d_ss = np.einsum("mka,mab,mkb->mk", along, bending, along)
    f_ss = np.einsum("mka,mab,mkb->mk", t, flexible, t)
    ratio = 12.0 * np.maximum(d_ss, 0.0) * f_ss / geometry.side_length**2
    ratio[rigid[place]] = 0.0
    drilling = 1e-6 * model.drilling * np.array([x.membrane[2, 2] for x in sections])[place]
    if block.taper is not None:
        inside = ratio_at(block.taper, table(geometry.corners, 2 if geometry.corners == 4 else 3).corner)
        mean, cube = inside.mean(axis=1), (inside**3).mean(axis=1)
        bending, flexible = cube[:, None, None] * bending, flexible / mean[:, None, None]
        drilling = mean * drilling
        first, last = np.transpose(sides(geometry.corners))
        ratio = ratio * (0.5 * (block.taper[:, first] + block.taper[:, last])) ** 2
    return ShellStiffness(
        generalized=generalized,
        shear=shear,
        shear_ratio=ratio,
        bending=bending,
        shear_flexibility=flexible,
        drilling=drilling + nil,
        to_material=strain,
        turn=turn,
        taper=block.taper,
        form=block.bending,
    )


def material_angle(block: ShellBlock, geometry: ShellGeometry) -> tuple[FloatArray, FloatArray]:
    """Cosine and sine of the angle from the element's x axis to the projected material axis."""
    flat = np.einsum("mij,mj->mi", geometry.axes[:, :2], block.material_axis)
    size = np.linalg.norm(flat, axis=1)
    refuse_normal_axis(block, size)
    return flat[:, 0] / size, flat[:, 1] / size
