"""From the pairs of SLEPc to proven ones: rigid motions taken out, every step checked with our matrices, bounds from the steps.

With A = K - sigma M and the step d = A^-1 (K x - lambda M x) of a pair, A^-1 M x = (x - d) / (lambda - sigma): whatever is
formed of the vectors has a step formed of theirs, so no factor is needed here. That a step is the right one is seen by A d,
which is compared with a residual of twice the digits.

Bounds from residuals: [Parlett1980].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.errors import MissedModesError, NotConvergedError
from tisserand.linalg import Pencil
from tisserand.modes.dense_pencil import projected
from tisserand.modes.eigenpairs import Pairs
from tisserand.modes.eigenvalue_bounds import bounds_of_all_below, bounds_of_steps, fine_residuals, long_residuals
from tisserand.modes.slepc.solution import Solution

#: Share of a vector in the rigid motions from which on it is separated from them together with others like it.
_SHARED = 1e-6
#: Largest part of a residual that its step may leave, in units of the diagonal: what the script forms with 64 bits and we with
#: twice the digits differs by a thousandth, a wrong pair or step by as much as the residual itself.
UNEXPLAINED = 0.05
#: What 64 bits leave of the terms of a residual, a sixtieth of what storing the vector with 53 bits leaves.
_FLOOR = 2.0**-58
#: Bounds are multiplied by this for what the steps leave.
SAFETY = 2.0


def sharpened(pencil: Pencil, rigid: FloatArray, found: Solution) -> Pairs:
    """Pairs without the rigid motions (m, r), one step of inverse iteration sharper, with bounds on their errors."""
    _verify(pencil, found)
    values, vectors, steps, mixed = _without_rigid(pencil, rigid, found)
    shift = found.top
    quotients = fine_residuals(pencil, values, vectors)[0]
    steps = steps - (vectors - steps) * ((quotients - values) / (values - shift))
    values = quotients
    weight = pencil.m @ vectors
    errors = bounds_of_steps(pencil, steps, shift, rigid, values)
    if found.below == 0 and len(values) + rigid.shape[1] == found.counted and (values < shift).all():
        errors = np.minimum(errors, bounds_of_all_below(weight, steps, pencil, shift, values))
    image = vectors - steps
    if rigid.shape[1]:
        image -= rigid @ (rigid.T @ (pencil.m @ image))
    near, turn = projected(image.T @ (weight * (values - shift)), image.T @ (pencil.m @ image), False)
    order, before = np.argsort(near, kind="stable"), np.argsort(values, kind="stable")
    shapes = np.asarray(image @ turn[:, order])
    polished = fine_residuals(pencil, shift + near[order], shapes)[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.abs(polished - values[before]) / np.abs(values[before])
    errors = SAFETY * errors[before] + np.where(np.isfinite(moved), moved, np.inf)
    return Pairs(polished, shapes, np.where(mixed[before], np.inf, errors))


def _without_rigid(
    pencil: Pencil, rigid: FloatArray, found: Solution
) -> tuple[FloatArray, FloatArray, FloatArray, BoolArray]:
    """Values, vectors, steps without the rigid motions, for which K R = 0 and A^-1 M R = -R / sigma."""
    values, vectors, steps, shift = found.values, found.vectors, found.steps, found.top
    if found.below or not rigid.shape[1]:
        return values, vectors, steps, np.zeros(len(values), np.bool_)
    part = rigid.T @ (pencil.m @ vectors)
    vectors, steps = vectors - rigid @ part, steps - rigid @ (part * (values / shift))
    shared = np.einsum("rk,rk->k", part, part) > _SHARED
    group = np.flatnonzero(shared)
    gram = vectors[:, group].T @ (pencil.m @ vectors[:, group])
    sizes, turn = np.linalg.eigh(0.5 * (gram + gram.T))
    extra = len(group) - rigid.shape[1]
    kept = sizes > 0.5
    if extra < 0 or kept.sum() != extra or (sizes[~kept] > 1e-3).any():
        raise MissedModesError(
            "the solution does not contain the rigid motions of the model",
            found=f"{int(len(group) - kept.sum())} of {rigid.shape[1]}",
            advice="solve again; if it persists, state the same boundary as for the export",
        )
    change = turn[:, kept] / np.sqrt(sizes[kept])
    loose, old = vectors[:, group] @ change, values[group]
    images = ((vectors[:, group] - steps[:, group]) / (old - shift)) @ change
    theta, own = np.linalg.eigh(_symmetric(loose.T @ (pencil.m @ images)))
    loose, images = loose @ own, images @ own
    soft = shift + 1.0 / theta
    rest = ~shared
    return (
        np.concatenate([soft, values[rest]]),
        np.hstack([loose, vectors[:, rest]]),
        np.hstack([loose - images * (soft - shift), steps[:, rest]]),
        np.concatenate([np.ones(extra, np.bool_), np.zeros(int(rest.sum()), np.bool_)]),
    )


def _symmetric(matrix: FloatArray) -> FloatArray:
    return 0.5 * (matrix + matrix.T)


def _verify(pencil: Pencil, found: Solution) -> None:
    """Compare A d with the residual of every pair as it was read; one that fails is refused."""
    values, vectors, steps = found.values, found.vectors, found.steps
    size = np.sqrt(np.einsum("ik,ik->k", vectors, pencil.m @ vectors))
    wrong = np.flatnonzero(~(np.abs(size - 1.0) < 1e-6))
    if len(wrong):
        raise _refused(values[wrong[0]], f"a modal mass of {size[wrong[0]] ** 2:.6g}", "1")
    left = long_residuals(pencil, values, vectors)
    K = pencil.k
    scale = np.sqrt(np.abs(K.diagonal()))
    scale = 1.0 / np.where(scale > 0.0, scale, 1.0)[:, None]
    rest = np.linalg.norm(scale * (left - K @ steps + found.top * (pencil.m @ steps)), axis=0)
    terms = np.linalg.norm(scale * (abs(K) @ np.abs(vectors)), axis=0)
    ratio = rest / np.maximum(np.linalg.norm(scale * left, axis=0) + _FLOOR / UNEXPLAINED * terms, 1e-300)
    if len(ratio) and not ratio.max() <= UNEXPLAINED:
        worst = int(np.argmax(ratio))
        raise _refused(
            values[worst], f"{ratio[worst]:.2g} of its residual left by its step", f"at most {UNEXPLAINED:g}"
        )


def _refused(value: float, found: str, expected: str) -> NotConvergedError:
    hertz = float(np.sqrt(max(value, 0.0)) / (2.0 * np.pi))
    return NotConvergedError(
        f"the pair of {hertz:.6g} Hz does not solve the eigenproblem of this model", found=found, expected=expected,
        advice="solve again, with the same model and boundary as here",
    )  # fmt: skip
