"""Rough estimates before any factorization: a scale of K against M, and of the n-th eigenvalue, to place a shift.

The nodes are split into compact parts by recursive bisection and every part moves as a rigid body. Such a model is far too stiff,
by a power of the nodes per part; two splittings show the power, and the estimate is extrapolated to parts of one node.
It is good
to a factor of a few, which is enough: the inertia at the shift then gives the exact number of modes below it.

Serves the shift of [Grimes1994].
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.errors import ModelError, SolverError, TisserandError
from tisserand.linalg import Pencil, factorize, pencil_of
from tisserand.modes._kernels import crossing_rows, rigid_parts
from tisserand.modes.lanczos import lanczos

#: The guess is aimed at a little more than the modes wanted; measured on plates of 12k to 58k dofs it falls short by _SHORT.
_MARGIN = 1.25
_SHORT = 3.0
#: Units of round-off in a sum of stiffness terms.
_ROUNDING = 1e3 * np.finfo(float).eps
#: Up to so many parts the coarse model is solved as a full matrix.
_FEW_PARTS = 256


def stiffness_scale(pencil: Pencil, smooth: FloatArray) -> float:
    """A scale of K against M that round-off obeys, rad²/s².

    The larger of ten times sum K_ii s_i² / s'M s for smooth motions s (about the sum of |K| in them) and the median of
    K_ii / M_ii (reduced models carry no stiffness in their smooth motions).
    """
    stiff, mass = pencil.k.diagonal(), pencil.m.diagonal()
    scales = [0.0]
    inertia = float(np.einsum("ik,ik->", smooth, pencil.m @ smooth))
    if inertia > 0.0:
        scales.append(10.0 * float(np.einsum("i,ik,ik->", np.abs(stiff), smooth, smooth)) / inertia)
    both = (stiff > 0.0) & (mass > 0.0)
    if both.any():
        with np.errstate(over="ignore"):
            scales.append(float(np.median(stiff[both] / mass[both])))
    if not np.isfinite(scales).all():
        raise SolverError(
            "stiffness and mass are too far apart for numbers of this machine",
            found=f"{np.abs(stiff).max():.3g} over {np.abs(mass).max():.3g} on the diagonals",
            advice="look for values that are far too large or too small",
        )
    if max(scales) > 0.0:
        return max(scales)
    if not mass.any():
        raise ModelError(
            "the model has no mass where it can move, so it has no modes",
            found="a mass matrix of zeros",
            advice="give the materials density and the sections area",
        )
    raise SolverError("no free dof has both mass and stiffness", advice="give the model density and stiffness")


def stiffness_noise(pencil: Pencil, scale: float) -> float:
    """How much round-off in K can change an eigenvalue, rad²/s²: anything below its negative is an instability."""
    mass = pencil.m.diagonal()
    rows = np.asarray(np.abs(pencil.k).sum(axis=1)).ravel()
    heavy = mass > 0.0
    return max(_ROUNDING * float((rows[heavy] / mass[heavy]).max(initial=0.0)), 1e-4 * scale)


def guessed_eigenvalue(pencil: Pencil, positions: FloatArray, motions: FloatArray, count: int) -> float | None:
    """About the ``count``-th eigenvalue (rigid motions included), rad²/s²; None where no guess can be made.

    positions: (m, 3) of the node that owns each free dof, m; motions: (m, 6) the unit rigid motions over the free dofs.
    """
    _, first, member = np.unique(pencil.groups, return_index=True, return_inverse=True)
    member = member.reshape(-1)
    nodes = len(first)
    wanted = int(_MARGIN * count) + 2
    levels = max(7, int(np.ceil(np.log2(1.5 * wanted))))
    if nodes < 8 * 2**levels:
        return None
    fine = _bisected(positions[first], levels)[member]
    found = []
    for parts in (fine, fine >> 2):
        value = _stiff_value(pencil, positions, motions, parts, wanted)
        if value is None:
            return None
        found.append(value)
    per_halving = max(np.sqrt(found[1] / found[0]), 1.0)
    return float(_SHORT * found[0] / per_halving ** np.log2(nodes / 2**levels))


def _bisected(points: FloatArray, levels: int) -> IntArray:
    """(n,) part of each point after halving every part ``levels`` times across its longest side."""
    parts = [np.arange(len(points))]
    for _ in range(levels):
        halves = []
        for part in parts:
            along = points[part, int(np.argmax(np.ptp(points[part], axis=0)))]
            order = np.argsort(along, kind="stable")
            halves += [part[order[: len(part) // 2]], part[order[len(part) // 2 :]]]
        parts = halves
    out = np.empty(len(points), np.int64)
    for number, part in enumerate(parts):
        out[part] = number
    return out


def _stiff_value(
    pencil: Pencil, positions: FloatArray, motions: FloatArray, parts: IntArray, wanted: int
) -> float | None:
    """The ``wanted``-th eigenvalue of the model whose parts are rigid, mass lumped on its dofs."""
    total = int(parts.max()) + 1
    center = np.stack([np.bincount(parts, positions[:, i], total) for i in range(3)], axis=1)
    x, y, z = (center / np.bincount(parts, minlength=total)[:, None])[parts].T
    shapes = np.array(motions)
    shapes[:, 3] += motions[:, 1] * z - motions[:, 2] * y
    shapes[:, 4] += motions[:, 2] * x - motions[:, 0] * z
    shapes[:, 5] += motions[:, 0] * y - motions[:, 1] * x
    mass = np.abs(pencil.m.diagonal())
    gram = np.empty((total, 6, 6))
    for i in range(6):
        for j in range(i + 1):
            gram[:, i, j] = gram[:, j, i] = np.bincount(parts, mass * shapes[:, i] * shapes[:, j], total)
    size = np.sqrt(np.maximum(np.einsum("aii->ai", gram), 0.0))
    size = np.where(size > 0.0, size, 1.0)
    values, turn = np.linalg.eigh(gram / size[:, :, None] / size[:, None, :])
    good = values > 1e-8
    unit = np.where(good[:, None, :], turn / np.sqrt(np.where(good, values, 1.0))[:, None, :] / size[:, :, None], 0.0)
    shapes = np.einsum("ik,ikl->il", shapes, unit[parts])
    keep = good.ravel()
    if wanted >= int(keep.sum()):
        return None
    # masses are one by the scaling of the shapes, but for the share that a diagonal mass leaves out
    share = float(mass.sum()) / max(float(np.abs(pencil.m.sum(axis=1)).sum()), 1e-300)
    value = (_few_parts if total <= _FEW_PARTS else _many_parts)(pencil, parts, shapes, keep, wanted)
    return None if value is None else max(value, 0.0) * share


def _few_parts(pencil: Pencil, parts: IntArray, shapes: FloatArray, keep: BoolArray, wanted: int) -> float | None:
    """The ``wanted``-th eigenvalue of P'K P, as a full matrix."""
    total = len(keep) // 6
    coarse, scratch = np.zeros((6 * total, 6 * total)), (np.zeros((total, 6)), np.empty(total, np.int64))
    rigid_parts(pencil.indptr, pencil.indices, pencil.stiffness, parts, shapes, *scratch, coarse)
    small = coarse[np.ix_(keep, keep)]
    try:
        found = eigh(small + small.T, eigvals_only=True, subset_by_index=(wanted - 1, wanted - 1), check_finite=False)
    except np.linalg.LinAlgError:
        return None
    return 0.5 * float(found[0])


def _many_parts(pencil: Pencil, parts: IntArray, shapes: FloatArray, keep: BoolArray, wanted: int) -> float | None:
    """The same of a sparse matrix: a rigid part feels no force inside, so only rows that reach into another part count."""
    crossing = np.zeros(len(parts), np.bool_)
    crossing_rows(pencil.indptr, pencil.indices, parts, crossing)
    rows = np.flatnonzero(crossing)
    columns = (6 * parts[:, None] + np.arange(6)).ravel()
    prolong = csr_array((shapes.ravel(), columns, np.arange(0, 6 * len(parts) + 1, 6)), shape=(len(parts), len(keep)))
    half = csr_array(0.5 * (prolong[rows].T @ (pencil.k[rows] @ prolong)))
    coarse = csr_array(half + half.T)  # forces to ground leave it unsymmetric
    small = pencil_of(coarse, csr_array((np.ones(len(keep)), (np.arange(len(keep)),) * 2)), keep)
    shift = -1e-6 * float(np.median(small.k.diagonal()))
    try:
        factor = factorize(small.shifted(shift), backend="superlu")
        ritz = lanczos(lambda _, loads: factor.solve(loads), small.m, wanted, block=6, tolerance=1e-3)
    except TisserandError:
        return None
    return shift + 1.0 / float(ritz.theta[wanted - 1])
