"""Mass of beams under the five recipes.

``consistent``: the whole displacement field, rotary inertia of bending and torsion included. ``bodies``: each
half of the member is a rigid body on its node. ``particles``: half the mass at each node. ``lumped``:
Nastran's default, half the mass at each end of the element, plus for ``beam`` elements the polar inertia of
half the member about the axis. ``coupled``: Nastran's COUPMASS, a field of points on the axis.

Recipes: theory section 1.2 and [NastranQRG].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements._beam_section import SectionValues
from tisserand.elements._moments import point_moments


def section_moments(section: SectionValues, fraction: FloatArray) -> FloatArray:
    """Mass moments per length mu (m, g, 4, 4) about the shear center, element axes.

    Structural mass is centered on the neutral axis, non-structural mass on the mass center; the non-structural
    inertia (polar) is shared equally by the two transverse directions.
    """
    v = section.at(fraction)
    density = section.density[:, None]
    zero = np.zeros_like(v["area"])
    structural = point_moments(density * v["area"], np.stack([zero, v["neutral_y"], v["neutral_z"]], axis=-1))
    structural[..., 2, 2] += density * v["i_zz"]
    structural[..., 3, 3] += density * v["i_yy"]
    structural[..., 2, 3] += density * v["i_yz"]
    structural[..., 3, 2] += density * v["i_yz"]
    added = point_moments(v["nonstructural_mass"], np.stack([zero, v["mass_y"], v["mass_z"]], axis=-1))
    added[..., 2, 2] += 0.5 * v["nonstructural_inertia"]
    added[..., 3, 3] += 0.5 * v["nonstructural_inertia"]
    return np.asarray(structural + added)


def moments_in_axes(moments: FloatArray, axes: FloatArray, arm: FloatArray) -> FloatArray:
    """Moments (m, ..., 4, 4), given in element axes about a point, in basic axes about the point minus ``arm``.

    axes (m, 3, 3) rows; arm (m, ..., 3) in basic axes from the new reference point to the old one.
    """
    turn = np.zeros((*moments.shape[:-2], 4, 4))
    extra = (1,) * (moments.ndim - 3)
    turn[..., 0, 0] = 1.0
    turn[..., 1:, 0] = arm
    turn[..., 1:, 1:] = axes.swapaxes(1, 2).reshape(len(axes), *extra, 3, 3)
    return np.asarray(turn @ moments @ turn.swapaxes(-1, -2))


def half_member_moments(
    section: SectionValues, length: FloatArray, axes: FloatArray, offsets: FloatArray
) -> FloatArray:
    """mu (m, 2, 4, 4) about the nodes, basic axes, of the two halves of each member as rigid bodies."""
    nodes, weights = np.polynomial.legendre.leggauss(4)
    t, w = 0.25 * (nodes + 1.0), 0.25 * weights
    halves = []
    for end, fraction in ((0, t), (1, 1.0 - t)):
        along = np.outer(length, fraction - end)
        arm = offsets[:, None, end] + along[:, :, None] * axes[:, None, 0]
        at_node = moments_in_axes(section_moments(section, fraction), axes, arm)
        halves.append(np.einsum("g,mgij->mij", w, at_node) * length[:, None, None])
    return np.stack(halves, axis=1)


def member_moments(section: SectionValues, length: FloatArray) -> FloatArray:
    """mu (m, 4, 4) of the whole member about its axis, element axes, all mass brought to one cross-section."""
    nodes, weights = np.polynomial.legendre.leggauss(4)
    t, w = 0.5 * (nodes + 1.0), 0.5 * weights
    return np.asarray(np.einsum("g,mgij->mij", w, section_moments(section, t)) * length[:, None, None])


def lumped_end_moments(
    section: SectionValues, length: FloatArray, axes: FloatArray, offsets: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Nastran's lumping: particles at the ends (m, 2, 4, 4) about the nodes, and the polar inertia (m,) of half a member.

    The particles sit at the mean center of mass of the cross-sections; the polar inertia is about that
    center.
    """
    mu = member_moments(section, length)
    mass = mu[:, 0, 0]
    center = np.divide(mu[:, 0, 1:], mass[:, None], out=np.zeros((len(mass), 3)), where=mass[:, None] > 0.0)
    polar = mu[:, 2, 2] + mu[:, 3, 3] - mass * (center**2).sum(axis=1)
    arm = offsets + np.einsum("mij,mi->mj", axes, center)[:, None]
    return point_moments(np.repeat(0.5 * mass[:, None], 2, axis=1), arm), 0.5 * polar


def bending_rotary_inertia(section: SectionValues, length: FloatArray, axes: FloatArray) -> FloatArray:
    """Rotary inertia of bending of half a member (m, 3, 3), basic axes: rho I L / 2 about y and z, none about x.

    Lumped bars of recent Simcenter Nastran carry it; it comes from no displacement field.
    """
    v = section.at(np.array([0.25, 0.75]))
    out = np.zeros((len(length), 3, 3))
    scale = 0.5 * section.density * length
    out[:, 1, 1] = scale * v["i_yy"].mean(axis=1)
    out[:, 2, 2] = scale * v["i_zz"].mean(axis=1)
    out[:, 1, 2] = out[:, 2, 1] = -scale * v["i_yz"].mean(axis=1)
    return np.asarray(axes.swapaxes(1, 2) @ out @ axes)


def coupled_local(section: SectionValues, length: FloatArray) -> FloatArray:
    """COUPMASS of a bar (m, 12, 12) in element axes: Hermite bending, 5/12 and 1/12 along the axis, no torsion."""
    mass = member_moments(section, length)[:, 0, 0]
    out = np.zeros((len(length), 12, 12))
    out[:, 0, 0] = out[:, 6, 6] = 5.0 / 12.0
    out[:, 0, 6] = out[:, 6, 0] = 1.0 / 12.0
    L = length
    hermite = np.empty((len(L), 4, 4))
    rows = (
        (156.0 + 0 * L, 22.0 * L, 54.0 + 0 * L, -13.0 * L),
        (22.0 * L, 4.0 * L**2, 13.0 * L, -3.0 * L**2),
        (54.0 + 0 * L, 13.0 * L, 156.0 + 0 * L, -22.0 * L),
        (-13.0 * L, -3.0 * L**2, -22.0 * L, 4.0 * L**2),
    )
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            hermite[:, i, j] = value / 420.0
    sign = np.array([1.0, -1.0, 1.0, -1.0])
    for dofs, signs in (((1, 5, 7, 11), np.ones(4)), ((2, 4, 8, 10), sign)):
        out[np.ix_(range(len(L)), dofs, dofs)] = hermite * np.outer(signs, signs)
    return np.asarray(out * mass[:, None, None])


def coupled_field(section: SectionValues, length: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The displacement field of COUPMASS: moments (m, g, 4, 4) of points on the axis, motion (m, g, 6, 12); element axes.

    Bending is Hermite's; along the axis the first and the last quarter follow their ends and the middle is linear between them:
    int N1² = 5/12, int N1 N2 = 1/12. Nothing turns, so that torsion has no inertia.
    """
    nodes, weights = np.polynomial.legendre.leggauss(4)
    cuts = np.array([0.0, 0.25, 0.75, 1.0])
    t = (cuts[:-1, None] + np.diff(cuts)[:, None] * 0.5 * (nodes + 1.0)).ravel()
    w = (np.diff(cuts)[:, None] * 0.5 * weights).ravel()
    along = np.clip(1.5 - 2.0 * t, 0.0, 1.0)
    motion = np.zeros((len(length), len(t), 6, 12))
    motion[:, :, 0, 0], motion[:, :, 0, 6] = along, 1.0 - along
    first, turn = 1.0 - 3.0 * t**2 + 2.0 * t**3, np.multiply.outer(length, t * (1.0 - t) ** 2)
    last, far = 3.0 * t**2 - 2.0 * t**3, np.multiply.outer(length, t**2 * (t - 1.0))
    for row, dofs, sign in ((1, (1, 5, 7, 11), 1.0), (2, (2, 4, 8, 10), -1.0)):
        for dof, values in zip(dofs, (first, sign * turn, last, sign * far)):
            motion[:, :, row, dof] = values
    moments = np.zeros((len(length), len(t), 4, 4))
    moments[..., 0, 0] = member_moments(section, length)[:, 0, 0, None] * w
    return moments, motion
