"""Exact frames of a deformed, moving body from the positions and velocities of its nodes (theory section 4).

All vectors are in one non-rotating set of axes unless stated otherwise. Symbols: x reference position, y present position,
both from the respective mass center; a node may carry a rigid body (m, s, Pi) turned by R_n at rate w_n; R turns the axes
of the reference body into the frame's axes; w is the frame's angular velocity.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field

import numpy as np

from tisserand.arrays import FloatArray, frozen, skew
from tisserand.errors import CheckFailedError, ModelError
from tisserand.modes.frames_of_moments import (
    CentralMoments,
    MovingFrameName,
    axial,
    mean_axes,
    milne_axes,
    principal_axes,
    tisserand_rates,
)


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
    _: KW_ONLY
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

        self.vv = moment(v, dQ, v, dQ)
        self.moments = CentralMoments(
            moment(y, Q, y, Q)[None], moment(y, Q, v, dQ)[None], moment(y, Q, x, None)[None],
            moment(v, dQ, x, None)[None], moment(x, None, x, None), np.zeros((1, 3)),
        )  # fmt: skip
        self.inertia, self.angular = self.moments.inertia[0], self.moments.angular[0]
        self.energy = 0.5 * float(np.trace(self.vv)) + 0.5 * self.mass * float(self.velocity @ self.velocity)


def momentum_of(body: MovingBody) -> Momentum:
    """Momentum and kinetic energy by summation over nodes, exact for finite rotations of nodal bodies."""
    c = _Cloud(body)
    return Momentum(c.mass, c.center, c.velocity, c.inertia, c.angular, c.energy)


def tisserand_frame(body: MovingBody) -> MovingFrame:
    """The frame in which int rho x rho' dm = 0: w_T = I^-1 H with the deformed inertia (S0 Eqs 44-46)."""
    c = _Cloud(body)
    rate = tisserand_rates(c.moments)[0]
    return MovingFrame("tisserand", None, rate, c.angular - c.inertia @ rate, None, _relative_energy(c, rate))


def buckens_frame(body: MovingBody) -> MovingFrame:
    """Mean axes for any rotation: int x x (R'y) dm = 0 (:func:`tisserand.modes.frames_of_moments.mean_axes`)."""
    c = _Cloud(body)
    return _with_attitude("buckens", c, *(part[0] for part in mean_axes(c.moments)))


def principal_frame(body: MovingBody, previous: FloatArray | None = None) -> MovingFrame:
    """Principal axes of the deformed body, continuous with ``previous`` (3, 3); equal moments are refused (S0 Eq 50)."""
    c = _Cloud(body)
    R, rate = (part[0] for part in principal_axes(c.moments, previous))
    return _with_attitude("principal", c, R, rate, bend=False)


def milne_frame(body: MovingBody) -> MovingFrame:
    """Axes in which the products int (x_j u_k + x_k u_j) dm vanish (:func:`tisserand.modes.frames_of_moments.milne_axes`)."""
    c = _Cloud(body)
    return _with_attitude("milne", c, *(part[0] for part in milne_axes(c.moments)))


def _with_attitude(name: MovingFrameName, c: _Cloud, R: FloatArray, rate: FloatArray, bend: bool = True) -> MovingFrame:
    """Relative momenta of a frame of given attitude and rate. u = R'y - x, u' = R'(v - w x y), in the frame's axes."""
    relative = c.angular - c.inertia @ rate
    m = c.moments
    seen = m.yv[0] - m.yy[0] @ skew(rate).T  # int y (v - w x y)'
    crossed = m.vx[0] - skew(rate) @ m.yx[0]  # int (v - w x y) x'
    bent = R @ axial(R.T @ seen @ R - (R.T @ crossed).T) if bend else None
    return MovingFrame(name, R, rate, relative, bent, _relative_energy(c, rate))


def _relative_energy(c: _Cloud, rate: FloatArray) -> float:
    """1/2 int |v - w x y|^2 dm."""
    w = skew(rate)
    flow = w @ c.moments.yv[0]
    square = c.vv - flow - flow.T + w @ c.moments.yy[0] @ w.T
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
