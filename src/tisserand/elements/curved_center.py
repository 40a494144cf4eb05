"""Section forces and strains of the shells with midside nodes at their center, in material axes.

Membrane strain and curvature are those of the functions at the center. Transverse shear forces follow from balance, Q_a = M_ab,b,
with the slope of a plane through the moments of the strain points; in very thick elements, whose moments hardly vary, from the
shear strain. The shear strain given is that of the forces.

Equilibrium of plates: [Zienkiewicz2000].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.curved_geometry import CurvedGeometry, curved_geometry, curved_ratio, material_frame
from tisserand.elements.curved_shapes import center_table, gauss_table
from tisserand.elements.curved_stiffness import curved_section, curved_stiffness, material_strain, strain_order
from tisserand.elements.curved_strain import interpolated_shear
from tisserand.elements.curved_surface import surface_points
from tisserand.elements.shell_geometry import sections_of
from tisserand.elements.shell_taper import grown
from tisserand.model import ShellBlock, StructuralModel

#: phi = 12 D F/L² at which half of the shear force comes from the shear strain, as for three-node triangles.
STOUT = 100.0


def curved_center_values(
    model: StructuralModel, block: ShellBlock, displacements: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Strains and forces (m, 8, q) on the reference surface for displacements (n, 6, q) in basic axes."""
    geometry = curved_geometry(model, block)
    section = curved_section(model, block, geometry)
    stiffness = curved_stiffness(block, geometry, section)
    moved = displacements[block.nodes].reshape(len(block), -1, displacements.shape[2])
    q = stiffness.motion @ moved
    sections, place = sections_of(model, block)
    stacked = np.array([np.block([[x.membrane, x.coupling], [x.coupling.T, x.bending]]) for x in sections])[place]
    lift = np.asarray(block.offset)[:, None, None]
    strain = material_strain(block, geometry, 0)[0][:, 0] @ q
    strain[:, :3] += lift * strain[:, 3:]
    inside = stiffness.strain @ q[:, None]
    inside[:, :, :3] += lift[:, None] * inside[:, :, 3:]
    table = gauss_table(geometry.functions, strain_order(geometry))
    slope = _moment_slope(block, geometry, grown(stacked, curved_ratio(block, table))[:, :, 3:] @ inside)
    ratio = curved_ratio(block, center_table(geometry.functions))
    stacked = grown(stacked, ratio)[:, 0]
    center = surface_points(geometry.points, center_table(geometry.functions))
    slip = material_frame(block, center)[:, 0] @ (interpolated_shear(geometry, 0)[:, 0] @ q)
    across = section.shear.mean(axis=1)
    pushed, flexible = across @ slip, np.linalg.pinv(across)
    bend = np.einsum("mii->m", stacked[:, 3:5, 3:5]) * np.einsum("mii->m", flexible)
    phi = (3.0 * bend / geometry.size**2 / STOUT)[:, None, None]
    shear = (phi * pushed + slope) / (1.0 + phi)
    force = np.concatenate([stacked @ strain, shear], axis=1)
    return np.concatenate([strain, flexible @ shear], axis=1), force


def _moment_slope(block: ShellBlock, geometry: CurvedGeometry, moment: FloatArray) -> FloatArray:
    """(m, 2, q): M_ab,b along the material axes of the center, from moments (m, g, 3, q) at the strain points."""
    center = surface_points(geometry.points, center_table(geometry.functions))
    table = gauss_table(geometry.functions, strain_order(geometry))
    place = np.einsum("gf,mfi->mgi", table.values, geometry.points)
    dual = material_frame(block, center)[:, 0]
    frame = np.einsum("mia,maj->mij", dual, center.base[:, 0])  # d xi_a/d x_i g_a = unit material axes
    flat = np.einsum("mgi,mci->mgc", place - place.mean(axis=1, keepdims=True), frame)
    fit = np.linalg.solve(flat.transpose(0, 2, 1) @ flat, flat.transpose(0, 2, 1))
    rates = np.einsum("mcg,mgiq->mciq", fit, moment)
    return np.stack([rates[:, 0, 0] + rates[:, 1, 2], rates[:, 0, 2] + rates[:, 1, 1]], axis=1)
