"""Motion along the tree: rotation, angular velocity, partial velocities and accelerations without u', in axes of each body.

Speeds (S3 Eqs 13-41): ``inertial`` takes components of angular velocity in inertial space (base and balls in their own axes, a
hinge along its axis), ``hinge`` rates of joints and relative rates of balls, ``angles`` rates of all angles (1-2-3 for base and
balls).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal

import numpy as np
import sympy as sp

from tisserand.arrays import FloatArray
from tisserand.exporters.equations.ledger import Columns, Expr, Ledger, Vector, constants
from tisserand.multibody.tree import TreeBody

Speeds = Literal["inertial", "hinge", "angles"]
_ZERO = [sp.Integer(0)] * 3


@dataclass(frozen=True, eq=False)
class Moved:
    """A body in motion: w, alpha0 and a0 (3,) of its origin, W and V partials by speed; the joint's rate and force partials."""

    w: Vector
    alpha0: Vector
    a0: Vector
    W: Columns
    V: Columns
    drives: list[tuple[Expr, Vector]] = field(default_factory=list)


@dataclass(eq=False)
class Motion:
    """What is being built: names of coordinates and speeds, q' and the bodies."""

    ledger: Ledger
    speeds: Speeds
    count: int
    _: KW_ONLY
    coordinates: list[sp.Symbol] = field(default_factory=list)
    rates: list[sp.Symbol] = field(default_factory=list)
    kinematics: list[Expr] = field(default_factory=list)
    torques: list[sp.Symbol] = field(default_factory=list)
    bodies: list[Moved] = field(default_factory=list)
    stiffer: Expr = 1
    damped: Expr = 1
    modal_stiffer: Expr = 1
    modal_damped: Expr = 1
    turns: list[tuple[Any, Any, Any] | None] = field(default_factory=list)
    #: Modes and rotors of every body (``appendages.Carried``).
    carried: list[Any] = field(default_factory=list)
    #: Uniform gravity (3,) m/s², inertial axes.
    gravity: FloatArray = field(default_factory=lambda: np.zeros(3))

    def coordinate(self, name: str) -> sp.Symbol:
        self.coordinates.append(sp.Symbol(name, real=True))
        return self.coordinates[-1]

    def speed(self, name: str) -> tuple[sp.Symbol, int]:
        self.rates.append(sp.Symbol(name, real=True))
        return self.rates[-1], len(self.rates) - 1

    def torque(self, name: str) -> sp.Symbol:
        self.torques.append(sp.Symbol(name, real=True))
        return self.torques[-1]

    def unit(self, place: int, vector: Vector) -> Columns:
        return [list(vector) if i == place else list(_ZERO) for i in range(self.count)]


class Turn:
    """Rotation of vectors from the parent's axes into the child's: constant frame, then hinge, then constant frame."""

    def __init__(self, ledger: Ledger, body: TreeBody, angle: Expr | None, matrix: Any = None) -> None:
        self.ledger, self.axis = ledger, np.asarray(body.axis, float)
        self.before = None if np.array_equal(body.parent_frame, np.eye(3)) else constants(body.parent_frame.T)
        self.after = None if np.array_equal(body.child_frame, np.eye(3)) else constants(body.child_frame)
        self.matrix = matrix
        self.sine: Any = None
        self.cosine: Any = None
        if angle is not None:
            self.sine, self.cosine = ledger.keep(sp.sin(angle)), ledger.keep(sp.cos(angle))

    def into_child(self, vector: Vector) -> Vector:
        if all(x == 0 for x in vector):
            return list(_ZERO)
        if self.before is not None:
            vector = self.ledger.times(self.before, vector)
        if self.matrix is not None:
            vector = self.ledger.times(self.matrix, vector)
        elif self.sine is not None:
            vector = self._hinged(vector, -self.sine)
        return self.child_axes(vector)

    def into_parent(self, vector: Vector) -> Vector:
        if all(x == 0 for x in vector):
            return list(_ZERO)
        vector = self.joint_axes(vector)
        if self.matrix is not None:
            vector = self.ledger.times(np.asarray(self.matrix).T, vector)
        elif self.sine is not None:
            vector = self._hinged(vector, self.sine)
        return vector if self.before is None else self.ledger.times(self.before.T, vector)

    def child_axes(self, vector: Vector) -> Vector:
        """From the joint's frame on the child into axes of the child."""
        return vector if self.after is None else self.ledger.times(self.after, vector)

    def joint_axes(self, vector: Vector) -> Vector:
        """From axes of the child into the joint's frame on it."""
        return vector if self.after is None else self.ledger.times(self.after.T, vector)

    def _hinged(self, v: Vector, sine: Expr) -> Vector:
        """Active rotation by the angle of ``sine`` about the axis."""
        along = np.flatnonzero(self.axis)
        if len(along) == 1:
            j = int(along[0])
            a, b = (j + 1) % 3, (j + 2) % 3
            s = sine if self.axis[j] > 0 else -sine
            out = list(v)
            out[a] = self.ledger.total([(self.cosine, v[a]), (-s, v[b])])
            out[b] = self.ledger.total([(s, v[a]), (self.cosine, v[b])])
            return out
        g = list(constants(self.axis))
        rest = self.ledger.total([(self.ledger.dot(g, v), 1 - self.cosine)])
        side = self.ledger.cross(g, v)
        return [self.ledger.total([(self.cosine, v[i]), (g[i], rest), (sine, side[i])]) for i in range(3)]


def angles_matrix(ledger: Ledger, q: list[sp.Symbol]) -> tuple[Any, dict[str, Expr]]:
    """Rotation from the outer into the turned axes for body angles 1-2-3, and the sines and cosines that it shares."""
    s = [ledger.keep(sp.sin(x)) for x in q]
    c = [ledger.keep(sp.cos(x)) for x in q]
    keep, t = ledger.keep, ledger.total
    ss, sc = keep(s[0] * s[1]), keep(c[0] * s[1])
    rows = [
        [t([(c[1], c[2])]), t([(c[0], s[2]), (ss, c[2])]), t([(s[0], s[2]), (-sc, c[2])])],
        [-t([(c[1], s[2])]), t([(c[0], c[2]), (-ss, s[2])]), t([(s[0], c[2]), (sc, s[2])])],
        [s[1], -t([(s[0], c[1])]), t([(c[0], c[1])])],
    ]
    return np.array(rows, dtype=object), {"s2": s[1], "c2": c[1], "s3": s[2], "c3": c[2]}


def angle_rates(ledger: Ledger, w: Vector, t: dict[str, Expr]) -> Vector:
    """q' of body angles 1-2-3 for the relative angular velocity w in turned axes."""
    first = ledger.keep(ledger.total([(t["c3"], w[0]), (-t["s3"], w[1])]) / t["c2"])
    return [
        first,
        ledger.total([(t["s3"], w[0]), (t["c3"], w[1])]),
        ledger.total([(sp.Integer(1), w[2]), (-t["s2"], first)]),
    ]


def rate_columns(ledger: Ledger, t: dict[str, Expr]) -> list[Vector]:
    """Partial angular velocities of the three angle rates, in turned axes."""
    return [[ledger.keep(t["c2"] * t["c3"]), -ledger.keep(t["c2"] * t["s3"]), t["s2"]], [t["s3"], t["c3"], sp.Integer(0)],
            [sp.Integer(0), sp.Integer(0), sp.Integer(1)]]  # fmt: skip


def rate_remainder(ledger: Ledger, t: dict[str, Expr], u: list[Expr]) -> Vector:
    """Angular acceleration of body angles 1-2-3 without u', in turned axes."""
    columns = rate_columns(ledger, t)
    u12, u13, u23 = (ledger.keep(u[i] * u[j]) for i, j in ((0, 1), (0, 2), (1, 2)))
    return [
        ledger.total([(-ledger.keep(t["s2"] * t["c3"]), u12), (columns[0][1], u13), (t["c3"], u23)]),
        ledger.total([(ledger.keep(t["s2"] * t["s3"]), u12), (-columns[0][0], u13), (-t["s3"], u23)]),
        ledger.total([(t["c2"], u12)]),
    ]


def arm(values: FloatArray) -> Vector:
    """A constant vector."""
    return list(constants(np.asarray(values, float)))
