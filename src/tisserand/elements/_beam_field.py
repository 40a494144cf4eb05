"""Exact static field of a beam: stiffness from equilibrium, and motion of every section from the end motions.

Forces at a section x follow from those at end b by equilibrium, s(x) = R(L - x)' F_b; strains from the
section's compliance, e = c s; the end deformation d = q_b - R(L) q_a = f F_b with f = int R c R' dx. So K =
G' f^-1 G with G = [-R(L), 1], exact for any taper, shear flexibility, product of inertia and neutral-axis
offset. Integrating e again gives the motion q(x) = R(x) q_a + int_0^x R(x - s) e ds of every section. R(x)
carries rigid motion along the axis. Motions are q = [u; theta] of the shear center in element axes.

Force method as in [Przemieniecki1968].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements._beam_section import SectionValues

#: q(x) = (1 + x E) q(0) for rigid motion: u_y += theta_z x, u_z -= theta_y x.
_E = np.zeros((6, 6))
_E[1, 5], _E[2, 4] = 1.0, -1.0


@dataclass(frozen=True, eq=False)
class Stations:
    """g Gauss points on [0, 1]: fraction, weight (g,); once, twice (g, g) integrate nodal values from 0 to a point."""

    fraction: FloatArray
    weight: FloatArray
    once: FloatArray
    twice: FloatArray


@cache
def stations(count: int) -> Stations:
    """Gauss points and the integrals of their Lagrange polynomials: once = int l_j, twice = int (t_i - t) l_j."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    t, w = 0.5 * (nodes + 1.0), 0.5 * weights
    once, twice = np.zeros((count, count)), np.zeros((count, count))
    for j in range(count):
        others = np.delete(t, j)
        lagrange = np.polynomial.Polynomial.fromroots(others) / np.prod(t[j] - others)
        first = lagrange.integ()
        once[:, j], twice[:, j] = first(t), first.integ()(t)
    return Stations(t, w, once, twice)


@dataclass(frozen=True, eq=False)
class BeamField:
    """Stiffness and section motion of m beams over their end motions [q_a; q_b], element axes.

    stiffness (m, 12, 12); motion (m, g, 6, 12): q at the stations; strain (m, g, 6, 12): extension, shears,
    twist and curvatures there; end_force (m, 6, 12): forces and moments on end b.
    """

    points: Stations
    stiffness: FloatArray
    motion: FloatArray
    strain: FloatArray
    end_force: FloatArray


def _rigid(x: FloatArray) -> FloatArray:
    return np.asarray(np.eye(6) + x[..., None, None] * _E)


def _inverse_or_zero(values: FloatArray) -> FloatArray:
    return np.asarray(np.divide(1.0, values, out=np.zeros_like(values), where=values > 0.0))


def _to_neutral_axis(y: FloatArray, z: FloatArray) -> FloatArray:
    """(..., 6, 6) from section forces about the shear center to those about the neutral axis at (y, z)."""
    out = np.zeros((*y.shape, 6, 6))
    out[..., range(6), range(6)] = 1.0
    out[..., 4, 0], out[..., 5, 0] = -z, y
    return out


def _compliance(values: dict[str, FloatArray], section: SectionValues) -> FloatArray:
    """(m, g, 6, 6) section compliance about the shear center; motions without stiffness count as zero here."""
    E, G = section.young[:, None], section.shear[:, None]
    c = np.zeros((*values["area"].shape, 6, 6))
    c[..., 0, 0] = _inverse_or_zero(E * values["area"])
    c[..., 1, 1] = _inverse_or_zero(G * values["area"] * section.shear_factors[:, :1])
    c[..., 2, 2] = _inverse_or_zero(G * values["area"] * section.shear_factors[:, 1:])
    c[..., 3, 3] = _inverse_or_zero(G * values["torsion_constant"])
    yy, zz, yz = E * values["i_yy"], E * values["i_zz"], E * values["i_yz"]
    coupled = yz != 0.0
    determinant = np.where(coupled, yy * zz - yz**2, 1.0)
    c[..., 4, 4] = np.where(coupled, zz / determinant, _inverse_or_zero(yy))
    c[..., 5, 5] = np.where(coupled, yy / determinant, _inverse_or_zero(zz))
    c[..., 4, 5] = c[..., 5, 4] = np.where(coupled, yz / determinant, 0.0)
    shift = _to_neutral_axis(values["neutral_y"], values["neutral_z"])
    return np.asarray(shift.swapaxes(-1, -2) @ c @ shift)


def _end_stiffness(flexibility: FloatArray, section: SectionValues) -> FloatArray:
    """(m, 6, 6) inverse of the end flexibility, with zero rows for the motions that the section leaves limp."""
    ends = section.at(np.array([0.0, 1.0]))
    E, G = section.young, section.shear
    axial = (E > 0.0) & (ends["area"].min(axis=1) > 0.0)
    twist = (G > 0.0) & (ends["torsion_constant"].min(axis=1) > 0.0)
    plane_y = (E > 0.0) & (ends["i_zz"].min(axis=1) > 0.0)
    plane_z = (E > 0.0) & (ends["i_yy"].min(axis=1) > 0.0)
    stiff = np.stack([axial, plane_y, plane_z, twist, plane_z, plane_y], axis=1)
    back = _to_neutral_axis(-ends["neutral_y"][:, 1], -ends["neutral_z"][:, 1])
    f = back.swapaxes(1, 2) @ flexibility @ back
    both = stiff[:, :, None] & stiff[:, None, :]
    f = np.where(both, f, np.eye(6))
    scale = 1.0 / np.sqrt(np.einsum("mii->mi", f))
    scaled = scale[:, :, None] * f * scale[:, None, :]
    k = scale[:, :, None] * np.linalg.inv(scaled) * scale[:, None, :]
    k = np.where(both, 0.5 * (k + k.swapaxes(1, 2)), 0.0)
    return np.asarray(back @ k @ back.swapaxes(1, 2))


def section_forces(
    field: BeamField, length: FloatArray, values: dict[str, FloatArray], moved: FloatArray
) -> FloatArray:
    """(m, g, 6) forces and moments about the neutral axis at the stations; moved (m, 12) end motions, element axes."""
    at_b = np.einsum("mij,mj->mi", field.end_force, moved)
    rest = length[:, None] - np.outer(length, field.points.fraction)
    about_center = np.einsum("mgji,mj->mgi", _rigid(rest), at_b)
    shift = _to_neutral_axis(values["neutral_y"], values["neutral_z"])
    return np.asarray(np.einsum("mgij,mgj->mgi", shift, about_center))


def beam_field(section: SectionValues, length: FloatArray) -> BeamField:
    """Solve the static field of every beam; 4 stations are exact for uniform sections, 12 serve tapered ones."""
    points = stations(12 if section.tapered else 4)
    x = np.outer(length, points.fraction)
    compliance = _compliance(section.at(points.fraction), section)
    to_end = _rigid(length[:, None] - x)
    carried = compliance @ to_end.swapaxes(-1, -2)
    flexibility = np.einsum("g,mgij->mij", points.weight, to_end @ carried) * length[:, None, None]
    k = _end_stiffness(flexibility, section)
    G = np.concatenate([-_rigid(length), np.broadcast_to(np.eye(6), (len(length), 6, 6))], axis=2)
    end_force = k @ G
    strain = carried @ end_force[:, None]
    motion = np.zeros_like(strain)
    motion[..., :6] = _rigid(x)
    motion += np.einsum("ij,mjab->miab", points.once, strain) * length[:, None, None, None]
    motion += np.einsum("ij,ac,mjcb->miab", points.twice, _E, strain, optimize=True) * (length**2)[:, None, None, None]
    return BeamField(points, G.swapaxes(1, 2) @ end_force, motion, strain, end_force)
