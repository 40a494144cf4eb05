"""Eigenvalues of uniform members, none missed: counted by Wittrick and Williams, refined on the boundary determinant.

The number of eigenvalues below a trial value is that of the member with both ends held, known in closed form, plus the number of
negative eigenvalues of the dynamic stiffness of the ends (W. H. Wittrick and F. W. Williams, Q. J. Mech. Appl. Math. 24,
1971, p. 263). Symbols: lambda = beta L for bending (EI w'''' = mu omega² w, omega² = lambda⁴ EI / mu L⁴) and
lambda = omega L sqrt(mu / S) for axial motion, torsion and strings (S u'' = -mu omega² u); L = mu = S = EI = 1 below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from tisserand.arrays import FloatArray
from tisserand.errors import SolverError

EndKind = Literal["clamped", "pinned", "free"]
_LARGEST = 1e4


@dataclass(frozen=True)
class EndBody:
    """A rigid body on the second end, in units of the member.

    Mass over mu L, offset over L beyond the end, and inertia about its center of mass over mu L³ (axial motion, torsion and
    strings use ``mass`` alone, as the ratio of inertias).
    """

    mass: float = 0.0
    offset: float = 0.0
    inertia: float = 0.0

    @property
    def matrix(self) -> FloatArray:
        """(2, 2) mass matrix over displacement and slope of the end."""
        m, d = self.mass, self.offset
        return np.array([[m, m * d], [m * d, self.inertia + m * d * d]])


class Bending:
    """Bending of an Euler-Bernoulli member with given ends."""

    order = 2

    def __init__(self, ends: tuple[EndKind, EndKind], body: EndBody) -> None:
        self.body = body
        held = [(end != "free", end == "clamped") for end in ends]
        self.free = ~np.array([*held[0], *held[1]])
        rigid = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 1.0]])
        self.rigid = 2 - int(np.linalg.matrix_rank(rigid[~self.free])) if (~self.free).any() else 2

    def count(self, x: float) -> int:
        """Eigenvalues below lambda = x, zero ones included."""
        s, c, t = np.sin(x), np.cos(x), np.tanh(x)
        sech = 1.0 / np.cosh(x) if x < 300.0 else 0.0
        delta = sech - c  # (1 - cos cosh) / cosh
        whole = int(x // np.pi)
        both_held = whole - (1 - (-1 if whole % 2 else 1) * int(np.sign(delta))) // 2
        k11, k12, k22 = x**3 * (c * t + s), x**2 * s * t, x * (s - c * t)
        k13, k14, k24 = -(x**3) * (s * sech + t), x**2 * (1.0 - c * sech), x * (t - s * sech)
        K = (
            np.array([[k11, k12, k13, k14], [k12, k22, -k14, k24], [k13, -k14, k11, -k12], [k14, k24, -k12, k22]])
            / delta
        )
        K[2:, 2:] -= x**4 * self.body.matrix
        own = K[np.ix_(self.free, self.free)]
        return both_held + (int((np.linalg.eigvalsh(own) < 0.0).sum()) if own.size else 0)

    def rows(self, x: float) -> FloatArray:
        """(4, 4) boundary conditions on the coefficients of cos, sin, exp(-lambda xi) and exp(-lambda (1 - xi))."""
        w0, w1, w2, w3 = self.shapes(x, np.array([0.0, 1.0]))
        first = [w3[:, 0] if self.free[0] else w0[:, 0], w2[:, 0] if self.free[1] else w1[:, 0] / x]
        m = self.body.matrix
        force = w3[:, 1] + x**4 * (m[0, 0] * w0[:, 1] + m[0, 1] * w1[:, 1])
        moment = w2[:, 1] - x**4 * (m[1, 0] * w0[:, 1] + m[1, 1] * w1[:, 1])
        last = [force if self.free[2] else w0[:, 1], moment if self.free[3] else w1[:, 1] / x]
        rows = np.array([*first, *last])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))

    @staticmethod
    def shapes(x: float, xi: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """The four functions (4, n) and their first three derivatives; bounded for any lambda."""
        c, s = np.cos(x * xi), np.sin(x * xi)
        a, b = np.exp(-x * xi), np.exp(-x * (1.0 - xi))
        return (
            np.array([c, s, a, b]),
            x * np.array([-s, c, -a, b]),
            x**2 * np.array([-c, -s, a, b]),
            x**3 * np.array([s, -c, -a, b]),
        )


class Waves:
    """Axial motion, torsion, or a string: second-order members. A pinned end is held."""

    order = 1

    def __init__(self, ends: tuple[EndKind, EndKind], body: EndBody) -> None:
        self.body = body
        self.free = np.array([end == "free" for end in ends])
        self.rigid = int(self.free.all())

    def count(self, x: float) -> int:
        """Eigenvalues below lambda = x, zero ones included."""
        s, c = np.sin(x), np.cos(x)
        K = x * np.array([[c, -1.0], [-1.0, c]]) / s
        K[1, 1] -= x**2 * self.body.mass
        own = K[np.ix_(self.free, self.free)]
        return int(x // np.pi) + (int((np.linalg.eigvalsh(own) < 0.0).sum()) if own.size else 0)

    def rows(self, x: float) -> FloatArray:
        """(2, 2) boundary conditions on the coefficients of cos and sin."""
        u, slope, *_ = self.shapes(x, np.array([0.0, 1.0]))
        first = slope[:, 0] if self.free[0] else u[:, 0]
        last = slope[:, 1] - x**2 * self.body.mass * u[:, 1] if self.free[1] else u[:, 1]
        rows = np.array([first, last])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))

    @staticmethod
    def shapes(x: float, xi: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """cos and sin (2, n) and their first three derivatives."""
        c, s = np.cos(x * xi), np.sin(x * xi)
        return (np.array([c, s]), x * np.array([-s, c]), -(x**2) * np.array([c, s]), x**3 * np.array([s, -c]))


Member = Bending | Waves


def roots(member: Member, count: int) -> FloatArray:
    """The lowest ``count`` values of lambda above zero, ascending, to round-off."""
    found = [_root(member, member.rigid + i + 1) for i in range(count)]
    return np.array(found)


def coefficients(member: Member, x: float) -> FloatArray:
    """Coefficients of the shape at a root: the null vector of the boundary conditions."""
    return np.asarray(np.linalg.svd(member.rows(x))[2][-1])


def _root(member: Member, number: int) -> float:
    """Eigenvalue ``number`` (from 1, zero ones counted): isolated by counting, then refined."""
    high = 2.0000137  # no root and no pole lies at this or at what follows from it
    while member.count(high) < number:
        high *= 1.7
        if high > _LARGEST:
            raise SolverError("an eigenvalue of a uniform member was not found", found=f"number {number}")
    low = 0.0
    while not (high - low < 0.05 * high and _alone(member, low, high, number)):
        middle = 0.5 * (low + high)
        if member.count(middle) >= number:
            high = middle
        else:
            low = middle
        if high - low < 1e-12 * high:
            return 0.5 * (low + high)
    return float(
        scipy.optimize.brentq(lambda x: np.linalg.det(member.rows(x)), low, high, xtol=1e-15 * high, rtol=8.9e-16)
    )


def _alone(member: Member, low: float, high: float, number: int) -> bool:
    """Whether one eigenvalue lies between, seen by the count and by the determinant's sign."""
    if not (low > 0.0 and member.count(high) == number and member.count(low) == number - 1):
        return False
    return float(np.linalg.det(member.rows(low)) * np.linalg.det(member.rows(high))) < 0.0
