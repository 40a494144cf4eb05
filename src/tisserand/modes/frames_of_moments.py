"""Floating frames of a deformed, moving body from its mass moments alone, at any number of instants at once (theory section 4).

Symbols: x reference position, y present position, v velocity, each from its own mass center, all in one non-rotating
set of axes;
R turns the axes of the reference body into the frame's axes; w is the frame's angular velocity. Every frame with a constraint
on places has its attitude from moments of place, and its rate from the time derivative of the same constraint: no neighboring
instant is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from tisserand.arrays import LEVI_CIVITA, FloatArray, skew, symmetric
from tisserand.errors import CheckFailedError, ModelError

MovingFrameName = Literal["tisserand", "buckens", "principal", "milne"]
MOVING_FRAMES: tuple[MovingFrameName, ...] = ("tisserand", "buckens", "principal", "milne")
#: Moments closer than this part of the largest leave principal axes undefined.
AMBIGUOUS = 1e-6
#: A second moment below this part of the largest leaves turns about a line undefined.
COLLINEAR = 1e-9
#: Newton steps towards Milne's axes; they double their digits.
MOST_STEPS = 30


@dataclass(frozen=True, eq=False)
class CentralMoments:
    """Moments of a body about its mass centers over n instants.

    yy = int y y' dm, yv = int y v' dm, yx = int y x' dm, vx = int v x' dm (n, 3, 3), xx = int x x' dm (3, 3); spin (n,
    3): angular momentum of rotors, which turn without moving the mass.
    """

    yy: FloatArray
    yv: FloatArray
    yx: FloatArray
    vx: FloatArray
    xx: FloatArray
    spin: FloatArray

    @property
    def inertia(self) -> FloatArray:
        """I (n, 3, 3) of the deformed body."""
        return inertia_of(self.yy)

    @property
    def inertia_rate(self) -> FloatArray:
        """dI/dt (n, 3, 3) in non-rotating axes."""
        return inertia_of(self.yv + _turned(self.yv))

    @property
    def angular(self) -> FloatArray:
        """H (n, 3) about the mass center."""
        return axial(self.yv) + self.spin


class Axes(NamedTuple):
    """Attitude (n, 3, 3), whose columns are the frame's axes, and rate (n, 3) in non-rotating axes."""

    attitude: FloatArray
    rate: FloatArray


class Residuals(NamedTuple):
    """Relative violation of a frame's condition (places) and of its time derivative (rates) over n instants.

    A condition on rates alone (tisserand) leaves ``places`` None.
    """

    places: FloatArray | None
    rates: FloatArray


def inertia_of(second: FloatArray) -> FloatArray:
    """tr(E) 1 - E over the last two axes."""
    trace = np.trace(second, axis1=-2, axis2=-1)
    return np.asarray(trace[..., None, None] * np.eye(3) - second)


def axial(matrix: FloatArray) -> FloatArray:
    """eps_abc M_bc: twice the axial vector of the skew part; int y x v dm of M = int y v' dm."""
    return np.asarray(np.einsum("abc,...bc->...a", LEVI_CIVITA, matrix))


def tisserand_rates(c: CentralMoments) -> FloatArray:
    """w_T = I^-1 H (n, 3), deformed inertia: the rate that leaves int y x (v - w x y) dm = 0 (S0 Eqs 44-46)."""
    return _solved(c.inertia, c.angular)


def mean_axes(c: CentralMoments) -> Axes:
    """Buckens' frame for any rotation: int x x (R'y) dm = 0, the polar factor of int y x' dm (Eckart's frame).

    Rate from d/dt of the same condition: (tr S 1 - S) R'w = -axial(R' int v x' dm), S = R' int y x' dm.
    """
    U, sizes, Vt = np.linalg.svd(c.yx)
    sign = np.sign(np.linalg.det(U @ Vt))
    if (sizes[:, 1] <= COLLINEAR * sizes[:, 0]).any():
        raise ModelError("mean axes of a collinear body are not unique: it may spin freely about its line")
    if (sizes[:, 1] + sign * sizes[:, 2] <= COLLINEAR * sizes[:, 0]).any():
        raise ModelError(
            "mean axes are not defined: the parts have turned too far from the reference configuration",
            advice="use the tisserand or principal frame, or the mean axes of fewer bodies",
        )
    U[:, :, 2] *= sign[:, None]
    R = U @ Vt
    stretch = symmetric(_turned(R) @ c.yx)
    rate = _solved(inertia_of(stretch), -axial(_turned(R) @ c.vx))
    return Axes(R, np.einsum("nab,nb->na", R, rate))


def principal_axes(c: CentralMoments, start: FloatArray | None = None, carrier: FloatArray | None = None) -> Axes:
    """Principal axes of the deformed body, continuous over the instants and with ``start`` (3, 3), S0 Eq 50.

    w_1 = (P' dI/dt P)_23/(I_2 - I_3), cyclic. Equal moments at any instant are refused. ``carrier`` (n, 3, 3): attitude
    of a part
    of the body, against which the axes are followed, so that the body may turn by any angle between two instants.
    """
    values, vectors = np.linalg.eigh(c.inertia)
    refuse_equal(values, "deformed")
    P = continued(vectors, start) if carrier is None else carrier @ continued(_turned(carrier) @ vectors, start)
    seen = _turned(P) @ c.inertia @ P
    D = np.einsum("naa->na", seen)
    moving = _turned(P) @ c.inertia_rate @ P
    rate = np.stack([
        moving[:, 1, 2] / (D[:, 1] - D[:, 2]), moving[:, 2, 0] / (D[:, 2] - D[:, 0]), moving[:, 0, 1] / (D[:, 0] - D[:, 1])
    ], axis=-1)  # fmt: skip
    return Axes(P, np.einsum("nab,nb->na", P, rate))


def milne_axes(c: CentralMoments) -> Axes:
    """Axes in which int (x_j u_k + x_k u_j) dm = 0, j != k, u = R'y - x, x in principal axes of the reference.

    S0 Eq 50d without u_j u_k; for small turns the rows of :func:`tisserand.modes.milne.milne_rows`.
    Newton's method from the mean axes; the attitude turns reference axes, as Buckens' does.
    """
    moments, axes = np.linalg.eigh(inertia_of(c.xx))
    refuse_equal(moments[None], "undeformed")
    R = np.array(mean_axes(c).attitude)
    for _ in range(MOST_STEPS):
        products, slope = _milne_products(c, R, axes)
        step = -_solved(slope, products)
        R = R @ rotations(step)
        if np.abs(step).max() < 1e-15:
            break
    products, slope = _milne_products(c, R, axes)
    if np.abs(products).max() > 1e-10 * np.trace(c.xx):
        raise CheckFailedError("Milne's axes were not found", advice="the body is deformed beyond their use")
    moved = _products(axes.T @ _turned(_turned(R) @ c.vx) @ axes)
    return Axes(R, np.einsum("nab,nb->na", R, -_solved(slope, moved)))


def residuals(name: MovingFrameName, c: CentralMoments, attitude: FloatArray, rate: FloatArray) -> Residuals:
    """Violation of a frame's condition and of its time derivative, over n instants.

    Places relative to the size of the moments, rates to that size times the largest rate of the mass (root mean square).

    Args:
        name: of the frame.
        c: moments of the body.
        attitude: (n, 3, 3).
        rate: (n, 3), non-rotating axes.
    """
    size = np.trace(c.xx)
    pace = np.abs(rate).max(initial=0.0) + np.abs(c.yv).max(initial=0.0) / size
    pace = pace if pace > 0.0 else 1.0
    seen = c.yv - c.yy @ _turned(skew(rate))  # int y (v - w x y)' dm
    if name == "tisserand":
        return Residuals(None, np.abs(axial(seen) + c.spin).max(axis=1) / (size * pace))
    if name == "principal":
        places = _products(_turned(attitude) @ c.yy @ attitude)
        rates = _products(_turned(attitude) @ (seen + _turned(seen)) @ attitude)
    else:
        at, moving = _turned(attitude) @ c.yx, _turned(attitude) @ (c.vx - skew(rate) @ c.yx)
        axes = np.linalg.eigh(inertia_of(c.xx))[1]
        if name == "milne":
            places, rates = (_products(axes.T @ _turned(part) @ axes) for part in (at, moving))
        else:
            places, rates = axial(at), axial(moving)
    return Residuals(np.abs(places).max(axis=1) / size, np.abs(rates).max(axis=1) / (size * pace))


def continued(axes: FloatArray, start: FloatArray | None) -> FloatArray:
    """Columns permuted and signed, right-handed, so that each instant lies nearest to the one before.

    The first lies nearest to ``start``, or to the basic axes.
    """
    before = np.concatenate([(np.eye(3) if start is None else np.asarray(start))[None], axes[:-1]])
    overlap = _turned(before) @ axes
    order = _PERMUTATIONS[np.argmax(np.abs(overlap[:, np.arange(3), _PERMUTATIONS]).sum(axis=-1), axis=-1)]
    rows, columns = np.arange(len(axes))[:, None], np.arange(3)
    kept = overlap[rows, columns, order]
    Q = np.zeros_like(axes)  # axes Q: columns of an instant named as those of the one before
    Q[rows, order, columns] = np.where(kept < 0.0, -1.0, 1.0)
    mirrored = np.linalg.det(axes @ Q) * np.linalg.det(before) < 0.0
    weakest = np.argmin(np.abs(kept), axis=1)
    Q[mirrored, :, weakest[mirrored]] *= -1.0
    return np.asarray(axes @ running_products(Q))


_PERMUTATIONS = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])


def running_products(steps: FloatArray) -> FloatArray:
    """Q_n Q_(n-1) ... Q_0 for every n, (n, 3, 3), by doubling."""
    out, reach = np.array(steps), 1
    while reach < len(out):
        out[reach:] = out[reach:] @ out[:-reach].copy()
        reach *= 2
    return out


def rotations(vectors: FloatArray) -> FloatArray:
    """Rotation matrices of rotation vectors (n, 3), rad."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_rotvec(vectors).as_matrix())


def refuse_equal(moments: FloatArray, which: str) -> None:
    """Refuse principal axes where two of the moments (n, 3), ascending, are equal at some instant."""
    gap = np.diff(moments, axis=1).min(axis=1) / moments[:, 2]
    worst = int(np.argmin(gap))
    if gap[worst] <= AMBIGUOUS:
        raise ModelError(
            f"principal axes of the {which} body are not defined: two principal moments are equal",
            found=", ".join(f"{m:.6g}" for m in moments[worst]) + " kg m²",
            advice="use the tisserand or buckens frame",
        )


def _milne_products(c: CentralMoments, R: FloatArray, axes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Products of sym(int x (R'y)' dm) in reference principal axes (n, 3), and their slope (n, 3, 3) in the turn R exp(t~)."""
    G = _turned(_turned(R) @ c.yx)
    slope = np.stack([_products(axes.T @ (G @ skew(e)) @ axes) for e in np.eye(3)], axis=-1)
    return _products(axes.T @ G @ axes), slope


def _products(matrix: FloatArray) -> FloatArray:
    M = matrix + _turned(matrix)
    return np.stack([M[..., 1, 2], M[..., 2, 0], M[..., 0, 1]], axis=-1)


def _turned(matrix: FloatArray) -> FloatArray:
    return np.swapaxes(matrix, -1, -2)


def _solved(matrix: FloatArray, right: FloatArray) -> FloatArray:
    if (np.linalg.cond(matrix) > 1e12).any():
        raise ModelError("the body is collinear, so its rate about the line is not defined")
    return np.asarray(np.linalg.solve(matrix, right[..., None])[..., 0])
