"""Stiffness of the shells with midside nodes, with the motion of the ninth node eliminated.

Energy: membrane, coupling and bending at the 2 x 2 Gauss points (triangles: three); what bows across these points
(``bowed_strain``), by the mean stiffness; transverse shear at 3 x 3 points (triangles: three), from its samples. On a
parallelogram this is the nine-node element of assumed strains at full integration. A section that is rigid in transverse
shear has a shear stiffness of 1e5 times 12 D / L². Drilling: a spring 1e-6 K6ROT A66 a w at every node on theta . n - (dv/dx -
du/dy)/2, a the area and w 4/8, 4/9 or 6/6, so that all nodes together weigh as much as those of shells without midside nodes.

Offsets: strains e + o k on the reference surface; sections act there.

References: [Bucalem1993], [Ahmad1970].
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np

from tisserand.arrays import FloatArray, symmetric
from tisserand.elements.curved_geometry import CurvedGeometry, curved_ratio, material_frame
from tisserand.elements.curved_shapes import CENTER, center_table, gauss_table, node_table
from tisserand.elements.curved_strain import (
    bowed_strain,
    center_tie,
    covariant_strain,
    interpolated_shear,
    relaxed_stretch,
    strain_turn,
)
from tisserand.elements.curved_surface import surface_points
from tisserand.elements.shell_geometry import sections_of
from tisserand.elements.shell_taper import check_layers, grown
from tisserand.model import ShellBlock, StructuralModel

#: Shear stiffness of sections rigid in shear, in units of 12 D / L².
_RIGID = 1e5


@dataclass(frozen=True, eq=False)
class CurvedSection:
    """Section stiffness in material axes about the NODES' surface, at n points per element (1 where uniform).

    generalized (m, n, 6, 6) = [A B; B' D] at the strain points; shear (m, n, 2, 2) at the shear points; drilling (m,) N/m.
    """

    generalized: FloatArray
    shear: FloatArray
    drilling: FloatArray


@dataclass(frozen=True, eq=False)
class CurvedStiffness:
    """Stiffness of m shells and the operators that it is made of.

    matrix (m, 6k, 6k) over nodal dofs in basic axes; motion (m, 6f, 6k): u, beta of every function over them; strain (m, g, 6,
    6f) with its relaxed part (m, g, 3, 6f), shear (m, h, 2, 6f) and bows (m, 4, 6, 6f) with their area (m, 4), in material axes
    over motions; tie (m, 2, 6f) of the center over motions and held (m, 2, 6k) N/m, its forces over nodal dofs; drilling (m, k,
    6k) and its spring (m,) N m.
    """

    matrix: FloatArray
    motion: FloatArray
    strain: FloatArray
    shear: FloatArray
    relaxed: FloatArray | None
    bows: FloatArray | None
    _: KW_ONLY
    bow_area: FloatArray
    tie: FloatArray | None
    held: FloatArray | None
    drilling: FloatArray
    spring: FloatArray


def curved_section(model: StructuralModel, block: ShellBlock, geometry: CurvedGeometry) -> CurvedSection:
    """Section matrices of every element, moved from the reference surface to the nodes."""
    sections, place = sections_of(model, block)
    stacked = np.array([np.block([[x.membrane, x.coupling], [x.coupling.T, x.bending]]) for x in sections])[place]
    check_layers(block, sections, place)
    ratio, fine = (
        curved_ratio(block, gauss_table(geometry.functions, order(geometry))) for order in (strain_order, shear_order)
    )
    generalized = lifted(grown(stacked, ratio), block)
    rigid = np.array([x.shear is None for x in sections])[place]
    shear = np.array([np.zeros((2, 2)) if x.shear is None else x.shear for x in sections])[place]
    bend = np.array([np.trace(x.bending) for x in sections])[place]
    hard = _RIGID * 12.0 * bend / geometry.size**2
    shear = np.where(rigid[:, None, None], hard[:, None, None] * np.eye(2), shear)
    drilling = 1e-6 * model.drilling * np.array([x.membrane[2, 2] for x in sections])[place] * ratio.mean(axis=1)
    return CurvedSection(generalized, shear[:, None] * fine[..., None, None], drilling)


def lifted(generalized: FloatArray, block: ShellBlock) -> FloatArray:
    """[A B; B' D] (m, n, 6, 6) moved from the reference surface to the nodes."""
    lift = np.tile(np.eye(6), (len(block), 1, 1, 1))
    lift[:, 0, :3, 3:] = np.asarray(block.offset)[:, None, None] * np.eye(3)
    return np.asarray(lift.swapaxes(2, 3) @ generalized @ lift)


def shear_order(geometry: CurvedGeometry) -> int:
    """Gauss order of the transverse shear: six points of triangles, 3 x 3 of quadrilaterals."""
    return 6 if geometry.functions == 7 else 3


def strain_order(geometry: CurvedGeometry) -> int:
    """Gauss order of membrane strain and curvature: six points of triangles, 2 x 2 of quadrilaterals."""
    return 6 if geometry.functions == 7 else 2


def curved_stiffness(block: ShellBlock, geometry: CurvedGeometry, section: CurvedSection) -> CurvedStiffness:
    """Stiffness of every element and what it is made of."""
    f, order = geometry.functions, strain_order(geometry)
    at = surface_points(geometry.points, gauss_table(f, order))
    strain, relaxed = material_strain(block, geometry, order)
    full = _summed(strain, at.area, section.generalized)
    fine = surface_points(geometry.points, gauss_table(f, shear_order(geometry)))
    shear = material_frame(block, fine) @ interpolated_shear(geometry, shear_order(geometry))
    full += _summed(shear, fine.area, section.shear)
    bows = None
    if f == 9:
        bows = _scaled_bows(block, geometry)
        full += _summed(bows, _bow_area(at.area), _bow_stiffness(section))
    every = geometry.to_motion.transpose(0, 2, 1) @ full @ geometry.to_motion
    outer = slice(0, 6 * geometry.nodes)
    flexible = _flexibility(every, 6 * geometry.nodes)
    inner = -flexible @ every[:, 6 * geometry.nodes :, outer]
    matrix = every[:, outer, outer] + every[:, outer, 6 * geometry.nodes :] @ inner
    tie = held = None
    if geometry.nodes == 8:
        tie, soft = _tied_center(geometry, section)
        moved = tie @ geometry.to_motion
        at_center = moved[:, :, 6 * geometry.nodes :]
        apart = moved[:, :, outer] + at_center @ inner  # of a center without tie
        yields = at_center @ flexible @ at_center.transpose(0, 2, 1)
        held = _stiff(yields, soft) @ apart
        matrix = matrix + apart.transpose(0, 2, 1) @ held
        inner = inner - flexible @ at_center.transpose(0, 2, 1) @ held
    motion = geometry.to_motion[:, :, outer] + geometry.to_motion[:, :, 6 * geometry.nodes :] @ inner
    twist, weight = drilling_strain(geometry), (6.0 if f == 7 else 4.0) / geometry.nodes
    spring = section.drilling * at.area.sum(axis=1) * weight
    matrix = matrix + spring[:, None, None] * (twist.transpose(0, 2, 1) @ twist)
    return CurvedStiffness(
        symmetric(matrix),
        motion,
        strain,
        shear,
        relaxed,
        bows,
        bow_area=_bow_area(at.area),
        tie=tie,
        held=held,
        drilling=twist,
        spring=spring,
    )


def linear_forces(stiffness: CurvedStiffness, section: CurvedSection, u: FloatArray, pull: FloatArray) -> FloatArray:
    """(m, 6f): forces on the motions from strains that are taken as linear: bows, the tie of the center, relaxed stretch.

    u (m, 6k): nodal dofs; ``pull`` (m, g, 3): membrane forces times area at the strain points.
    """
    q = np.einsum("mij,mj->mi", stiffness.motion, u)
    if stiffness.bows is None:
        return np.zeros_like(q) if stiffness.relaxed is None else np.einsum("mgij,mgi->mj", stiffness.relaxed, pull)
    held: FloatArray | float = 0.0
    if stiffness.tie is not None and stiffness.held is not None:
        held = np.einsum("mij,mik,mk->mj", stiffness.tie, stiffness.held, u, optimize=True)
    strain = np.einsum("mrij,mj->mri", stiffness.bows, q)
    force = np.einsum("mrij,mrj->mri", np.broadcast_to(_bow_stiffness(section), (len(q), 4, 6, 6)), strain)
    return np.asarray(held + np.einsum("mrij,mri,mr->mj", stiffness.bows, force, stiffness.bow_area, optimize=True))


def material_strain(block: ShellBlock, geometry: CurvedGeometry, order: int) -> tuple[FloatArray, FloatArray | None]:
    """Membrane strain and curvature (m, g, 6, 6f) in material axes at the Gauss points of an order (0: the center).

    Second: the part of the membrane strain (m, g, 3, 6f) that ``relaxed_stretch`` adds to triangles, None for quadrilaterals.
    """
    table = gauss_table(geometry.functions, order) if order else center_table(geometry.functions)
    at = surface_points(geometry.points, table)
    turn = strain_turn(material_frame(block, at))
    every = covariant_strain(geometry, table)
    strain = np.concatenate([turn @ every[:, :, :3], turn @ every[:, :, 3:]], axis=2)
    if geometry.functions == 9:
        return strain, None
    relaxed = turn @ relaxed_stretch(geometry, order)
    strain[:, :, :3] += relaxed
    return strain, relaxed


def _scaled_bows(block: ShellBlock, geometry: CurvedGeometry) -> FloatArray:
    """Bows as physical strain along the material axes of the center: (m, 4, 6, 6f)."""
    center = surface_points(geometry.points, center_table(9))
    turn = strain_turn(material_frame(block, center))[:, 0]  # (m, 3, 3)
    bows = bowed_strain(geometry)
    out = np.zeros((len(bows), 4, 6, bows.shape[-1]))
    for row in range(4):
        column = turn[:, :, row // 2]
        for kind in (0, 1):
            out[:, row, 3 * kind : 3 * kind + 3] = column[:, :, None] * bows[:, row, None, kind]
    return out


def _tied_center(geometry: CurvedGeometry, section: CurvedSection) -> tuple[FloatArray, FloatArray]:
    """(m, 2, 6f): how far the ninth node moves in the surface from quadratic fields; (m,) m/N: how its tie yields.

    The tie yields by (3z/t)² / tr A for a rise z of the surface and t² = 12 tr D/tr A. A flat element keeps all quadratic
    fields, which free in-plane waves need (a center that follows statics alone makes them too fast by the second power of the
    mesh size); one that rises by more than a third of its thickness lets the center go, as bending without stretching needs.
    """
    rows, rise = center_tie(geometry)
    stretch = np.einsum("mnii->m", section.generalized[:, :, :3, :3]) / section.generalized.shape[1]
    bend = np.einsum("mnii->m", section.generalized[:, :, 3:, 3:]) / section.generalized.shape[1]
    stiff = stretch > 0.0
    thick = 12.0 * np.divide(bend, stretch, out=np.zeros_like(bend), where=stiff)
    ratio = np.divide((3.0 * rise) ** 2, thick, out=np.ones_like(rise), where=thick > 0.0)
    return rows, np.divide(ratio, stretch, out=np.full_like(ratio, np.inf), where=stiff)


def _stiff(yields: FloatArray, soft: FloatArray) -> FloatArray:
    """(m, 2, 2): (yields + soft)^-1, zero where soft has no bound."""
    some = np.isfinite(soft)
    whole = yields + np.where(some, soft, 0.0)[:, None, None] * np.eye(2)
    return np.asarray(some[:, None, None] * np.linalg.pinv(whole, rcond=1e-12, hermitian=True))


def _bow_area(area: FloatArray) -> FloatArray:
    """(m, 4): int ((3 s² - 1)/2)² over s, times the area of a unit of reference area."""
    return np.repeat(0.4 / 4.0 * area.sum(axis=1)[:, None], 4, axis=1)


def _bow_stiffness(section: CurvedSection) -> FloatArray:
    return np.asarray(section.generalized.mean(axis=1, keepdims=True))


def _summed(strain: FloatArray, area: FloatArray, stiffness: FloatArray) -> FloatArray:
    """(m, s, s): sum over points of strain' stiffness strain area."""
    m, _, _, size = strain.shape
    weighted = (stiffness @ strain) * area[..., None, None]
    return np.asarray(strain.reshape(m, -1, size).transpose(0, 2, 1) @ weighted.reshape(m, -1, size))


def _flexibility(every: FloatArray, outer: int) -> FloatArray:
    """(m, inner, inner): flexibility of the inner dofs."""
    if every.shape[1] == outer:
        return np.zeros((len(every), 0, 0))
    own = symmetric(every[:, outer:, outer:])
    diagonal = np.einsum("mii->mi", own)
    scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))  # a membrane has no bending stiffness, and so on
    balanced = scale[:, :, None] * own * scale[:, None, :]
    inverse = np.linalg.pinv(balanced, rcond=1e-13, hermitian=True)
    return np.asarray(scale[:, :, None] * inverse * scale[:, None, :])


def drilling_strain(geometry: CurvedGeometry) -> FloatArray:
    """(m, k, 6k): theta . n - omega at every node, omega the rotation of the surface about its normal, over nodal dofs."""
    k, f = geometry.nodes, geometry.functions
    at = surface_points(geometry.points, node_table(f))
    dual = np.linalg.inv(np.einsum("mgai,mgbi->mgab", at.base, at.base))
    slope = np.einsum("mgab,gbf,mgai->mgfi", dual, node_table(f).gradient, at.base, optimize=True)  # surface gradient
    spin = 0.5 * np.cross(at.normal[:, :, None], slope)  # omega = n . curl u / 2 = sum (n x grad N) . u / 2
    moving = geometry.to_motion.reshape(len(slope), f, 2, 3, -1)[:, :, 0, :, : 6 * k]
    if k == 8:
        moving = moving.copy()
        moving[:, k] = np.einsum("f,mfij->mij", CENTER, moving[:, :k])
    out = -np.einsum("mgfi,mfij->mgj", spin[:, :k], moving, optimize=True)
    for i in range(k):
        out[:, i, 6 * i + 3 : 6 * i + 6] += at.normal[:, i]
    sides = geometry.straight.shape[1]
    for side in range(sides):
        out[geometry.straight[:, side], sides + side] = 0.0
    return np.asarray(out)
