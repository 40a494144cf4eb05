"""Exact frames of a deformed, moving body from the positions and velocities of its nodes (theory section 4).

All vectors are in one non-rotating set of axes unless said otherwise. Symbols: x reference position, y present position,
both from the respective mass center; a node may carry a rigid body (m, s, Pi) turned by R_n at rate w_n; R turns the axes
of the reference body into the frame's axes; w is the frame's angular velocity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tisserand.arrays import LEVI_CIVITA, FloatArray, frozen, skew, symmetric
from tisserand.errors import CheckFailedError, ModelError

MovingFrameName = Literal["tisserand", "buckens", "principal", "milne"]
#: Moments closer than this part of the largest leave principal axes undefined.
AMBIGUOUS = 1e-6


@dataclass(frozen=True, eq=False)
class MovingBody:
    """Nodes of a body in motion, kg, m, m/s.

    masses (n,); reference, positions, velocities (n, 3). Nodal bodies, optional: first_moments s = int rho dm (n, 3) and
    second_moments Pi = int rho rho' dm (n, 3, 3) about the node in reference axes, turns R_n (n, 3, 3) and
    rates w_n (n, 3).
    """

    masses: FloatArray
    reference: FloatArray
    positions: FloatArray
    velocities: FloatArray
    first_moments: FloatArray | None = None
    second_moments: FloatArray | None = None
    turns: FloatArray | None = None
    rates: FloatArray | None = None

    def __post_init__(self) -> None:
        n = len(np.asarray(self.masses))
        defaults = {
            "first_moments": np.zeros((n, 3)),
            "second_moments": np.zeros((n, 3, 3)),
            "turns": np.broadcast_to(np.eye(3), (n, 3, 3)),
            "rates": np.zeros((n, 3)),
        }
        for word, value in defaults.items():
            if getattr(self, word) is None:
                object.__setattr__(self, word, value)
        shapes = {
            "masses": (n,), "reference": (n, 3), "positions": (n, 3), "velocities": (n, 3),
            "first_moments": (n, 3), "second_moments": (n, 3, 3), "turns": (n, 3, 3), "rates": (n, 3),
        }  # fmt: skip
        for word, shape in shapes.items():
            object.__setattr__(self, word, frozen(getattr(self, word), shape=shape))
        if not self.mass > 0.0:
            raise ModelError("a moving body needs mass", found=f"{self.mass:g} kg")

    @property
    def mass(self) -> float:
        return float(np.sum(self.masses))


@dataclass(frozen=True, eq=False)
class Momentum:
    """mass kg; center and velocity of the mass center; inertia I (3, 3) and angular momentum H about it; kinetic energy J.

    The inertia is that of the deformed body.
    """

    mass: float
    center: FloatArray
    velocity: FloatArray
    inertia: FloatArray
    angular: FloatArray
    energy: float


@dataclass(frozen=True, eq=False)
class MovingFrame:
    """A frame following the body: attitude R (3, 3) columns are its axes, rate w (3,), and what is left of the motion.

    relative_momentum: int rho x rho' dm seen in the frame (zero for tisserand), so that H = I w + relative_momentum;
    bend_momentum: int u x u' dm in non-rotating axes; relative_energy: 1/2 int u'.u' dm, J.
    attitude is None for tisserand, whose attitude is the integral of its rate.
    """

    name: MovingFrameName
    attitude: FloatArray | None
    rate: FloatArray
    relative_momentum: FloatArray
    bend_momentum: FloatArray | None = None
    relative_energy: float = field(default=0.0)


class _Cloud:
    """First and second moments of the body about its mass centers: now, its rate, and crossed with the reference."""

    def __init__(self, body: MovingBody) -> None:
        m, s, Pi = body.masses, body.first_moments, body.second_moments
        assert s is not None and Pi is not None and body.turns is not None and body.rates is not None
        Q = body.turns
        dQ = skew(body.rates) @ Q
        sy, dsy = np.einsum("nab,nb->na", Q, s), np.einsum("nab,nb->na", dQ, s)
        self.mass = body.mass
        self.reference_center = (m @ body.reference + s.sum(axis=0)) / self.mass
        self.center = (m @ body.positions + sy.sum(axis=0)) / self.mass
        self.velocity = (m @ body.velocities + dsy.sum(axis=0)) / self.mass
        x, y = body.reference - self.reference_center, body.positions - self.center
        v = body.velocities - self.velocity

        def moment(a: FloatArray, A: FloatArray | None, b: FloatArray, B: FloatArray | None) -> FloatArray:
            """sum int (a + A rho)(b + B rho)' dm, A or B None for the unit matrix."""
            As = s if A is None else np.einsum("nab,nb->na", A, s)
            Bs = s if B is None else np.einsum("nab,nb->na", B, s)
            left = Pi if A is None else A @ Pi
            inner = left if B is None else left @ B.transpose(0, 2, 1)
            out = np.einsum("n,na,nb->ab", m, a, b) + a.T @ Bs + As.T @ b + inner.sum(axis=0)
            return np.asarray(out)

        self.xx, self.yy, self.yx = moment(x, None, x, None), moment(y, Q, y, Q), moment(y, Q, x, None)
        self.vx, self.yv, self.vv = moment(v, dQ, x, None), moment(y, Q, v, dQ), moment(v, dQ, v, dQ)
        self.inertia = np.trace(self.yy) * np.eye(3) - self.yy
        self.angular = axial(self.yv)
        self.energy = 0.5 * float(np.trace(self.vv)) + 0.5 * self.mass * float(self.velocity @ self.velocity)


def axial(matrix: FloatArray) -> FloatArray:
    """eps_abc M_bc: twice the axial vector of the skew part; int y x v dm of M = int y v' dm."""
    return np.asarray(np.einsum("abc,bc->a", LEVI_CIVITA, matrix))


def momentum_of(body: MovingBody) -> Momentum:
    """Momentum and kinetic energy by summation over nodes, exact for finite rotations of nodal bodies."""
    c = _Cloud(body)
    return Momentum(c.mass, c.center, c.velocity, c.inertia, c.angular, c.energy)


def tisserand_frame(body: MovingBody) -> MovingFrame:
    """The frame in which int rho x rho' dm = 0: w_T = I^-1 H with the deformed inertia (S0 Eqs 44-46)."""
    c = _Cloud(body)
    rate = _solved(c.inertia, c.angular)
    return MovingFrame("tisserand", None, rate, c.angular - c.inertia @ rate, None, _relative_energy(c, rate))


def buckens_frame(body: MovingBody) -> MovingFrame:
    """Mean axes for any rotation: int x x (R'y) dm = 0, the polar decomposition of int y x' dm (Eckart frame).

    The rate follows from d/dt of the same condition: (tr S 1 - S) R'w = axial(R' int v x' dm), S = R' int y x' dm.
    """
    c = _Cloud(body)
    U, sizes, Vt = np.linalg.svd(c.yx)
    if sizes[1] <= 1e-9 * sizes[0]:
        raise ModelError("mean axes of a collinear body are not unique: it may spin freely about its line")
    sign = float(np.sign(np.linalg.det(U @ Vt)))
    R = U @ np.diag([1.0, 1.0, sign]) @ Vt
    return _with_attitude("buckens", c, R, _polar_rate(c, R))


def _polar_rate(c: _Cloud, R: FloatArray) -> FloatArray:
    stretch = symmetric(R.T @ c.yx)
    turning = -axial(R.T @ c.vx)
    return np.asarray(R @ _solved(np.trace(stretch) * np.eye(3) - stretch, turning))


def principal_frame(body: MovingBody, previous: FloatArray | None = None) -> MovingFrame:
    """Principal axes of the deformed body, continuous with ``previous`` (3, 3); equal moments are refused (S0 Eq 50)."""
    c = _Cloud(body)
    moments, axes = np.linalg.eigh(c.inertia)
    _refuse_equal(moments, "deformed")
    P = _continued(axes, previous)
    D = np.diag(P.T @ c.inertia @ P)
    rate_of = P.T @ _inertia_rate(c) @ P
    rate = np.array([
        rate_of[1, 2] / (D[1] - D[2]), rate_of[2, 0] / (D[2] - D[0]), rate_of[0, 1] / (D[0] - D[1])
    ])  # fmt: skip
    return _with_attitude("principal", c, P, P @ rate, bend=False)


def milne_frame(body: MovingBody) -> MovingFrame:
    """Axes in which the products int (x_j u_k + x_k u_j) dm vanish, u = R'y - x, x in principal axes of the reference.

    Newton's method from the mean axes; the returned attitude turns reference axes, as for buckens.
    """
    c = _Cloud(body)
    moments, axes = np.linalg.eigh(np.trace(c.xx) * np.eye(3) - c.xx)
    _refuse_equal(moments, "undeformed")
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] = -axes[:, 0]
    R = np.asarray(buckens_frame(body).attitude)
    for _ in range(30):
        products, slope = _milne_products(c, R, axes)
        step = np.asarray(np.linalg.solve(slope, -products), float)
        R = R @ _rotation(step)
        if np.abs(step).max() < 1e-15:
            break
    products, slope = _milne_products(c, R, axes)
    if np.abs(products).max() > 1e-10 * np.trace(c.xx):
        raise CheckFailedError("Milne's axes were not found", advice="the body is deformed beyond their use")
    moved = _products(axes.T @ (R.T @ c.vx).T @ axes)
    return _with_attitude("milne", c, R, R @ np.linalg.solve(slope, -moved))


def _milne_products(c: _Cloud, R: FloatArray, axes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Products of sym(int x (R'y)' dm) in reference principal axes, and their slope in the rotation R exp(t~)."""
    G = (R.T @ c.yx).T
    slope = np.column_stack([_products(axes.T @ (G @ skew(e)) @ axes) for e in np.eye(3)])
    return _products(axes.T @ G @ axes), slope


def _products(matrix: FloatArray) -> FloatArray:
    return np.array([matrix[1, 2] + matrix[2, 1], matrix[2, 0] + matrix[0, 2], matrix[0, 1] + matrix[1, 0]])


def _with_attitude(name: MovingFrameName, c: _Cloud, R: FloatArray, rate: FloatArray, bend: bool = True) -> MovingFrame:
    """Relative momenta of a frame of given attitude and rate. u = R'y - x, u' = R'(v - w x y), in the frame's axes."""
    relative = c.angular - c.inertia @ rate
    seen = c.yv - c.yy @ skew(rate).T  # int y (v - w x y)'
    crossed = c.vx - skew(rate) @ c.yx  # int (v - w x y) x'
    bent = R @ axial(R.T @ seen @ R - (R.T @ crossed).T) if bend else None
    return MovingFrame(name, R, rate, relative, bent, _relative_energy(c, rate))


def _relative_energy(c: _Cloud, rate: FloatArray) -> float:
    """1/2 int |v - w x y|^2 dm."""
    w = skew(rate)
    square = c.vv - w @ c.yv - (w @ c.yv).T + w @ c.yy @ w.T
    return 0.5 * float(np.trace(square))


def frame_differences(body: MovingBody) -> dict[str, dict[str, FloatArray]]:
    """Rate of each frame minus the Tisserand rate, rad/s, and attitude against the mean axes as a rotation vector, rad.

    Frames that are not defined for this body (equal inertias) are left out.
    """
    reference = tisserand_frame(body).rate
    mean = buckens_frame(body)
    out: dict[str, dict[str, FloatArray]] = {"tisserand": {"rate": np.zeros(3)}}
    out["buckens"] = {"rate": mean.rate - reference, "turn": np.zeros(3)}
    try:
        axes = milne_frame(body)
    except (ModelError, CheckFailedError):
        return out
    assert mean.attitude is not None and axes.attitude is not None
    out["milne"] = {"rate": axes.rate - reference, "turn": rotation_vector(mean.attitude.T @ axes.attitude)}
    return out


def rotation_vector(R: FloatArray) -> FloatArray:
    """Rotation vector of a rotation matrix, rad."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(R).as_rotvec())


def _rotation(vector: FloatArray) -> FloatArray:
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_rotvec(vector).as_matrix())


def _inertia_rate(c: _Cloud) -> FloatArray:
    second = c.yv + c.yv.T
    return np.asarray(np.trace(second) * np.eye(3) - second)


def _solved(matrix: FloatArray, right: FloatArray) -> FloatArray:
    if np.linalg.cond(matrix) > 1e12:
        raise ModelError("the body is collinear, so its rate about the line is not defined")
    return np.asarray(np.linalg.solve(matrix, right))


def _refuse_equal(moments: FloatArray, which: str) -> None:
    if np.diff(moments).min() <= AMBIGUOUS * moments[-1]:
        raise ModelError(
            f"principal axes of the {which} body are not defined: two principal moments are equal",
            found=", ".join(f"{m:.6g}" for m in moments) + " kg m²",
            advice="use the tisserand or buckens frame",
        )


def _continued(axes: FloatArray, previous: FloatArray | None) -> FloatArray:
    """Columns permuted and signed to lie nearest to ``previous`` (or to the basic axes), right-handed."""
    from scipy.optimize import linear_sum_assignment

    target = np.eye(3) if previous is None else np.asarray(previous)
    overlap = target.T @ axes
    _, column = linear_sum_assignment(-np.abs(overlap))
    out = axes[:, column] * np.where(overlap[np.arange(3), column] < 0.0, -1.0, 1.0)
    if np.linalg.det(out) < 0.0:
        weakest = int(np.argmin(np.abs(overlap[np.arange(3), column])))
        out[:, weakest] = -out[:, weakest]
    return np.asarray(out)
