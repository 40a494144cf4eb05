"""Kane's equations of a tree of bodies, modal appendages and rotors with a choice of motion variables, solved for u'.

M u' = F - b, M = sum m V'V + W' I W, b = sum V' m a0 + W'(I alpha0 + w x I w) over the bodies, about their mass centers; without
translation the mass center of the vehicle rests: M - S'S / m, b - S' s0 / m with S = sum m V, s0 = sum m a0 in axes of the base.
Bodies with appendages: ``appendages``. Uniform gravity g is an acceleration -g of the base.

References: S3 Eqs 13-41, Tables 1 and 3; S4 9.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import sympy as sp

from tisserand.arguments import checked_arguments
from tisserand.errors import InputError, VehicleError
from tisserand.exporters.equations.appendages import flexible_part, rotor_part
from tisserand.exporters.equations.chain import Motion, Moved, Speeds
from tisserand.exporters.equations.counting import Operations, counted
from tisserand.exporters.equations.joints import at_point
from tisserand.exporters.equations.ledger import Columns, Expr, Ledger, Vector, constants
from tisserand.exporters.equations.ledger import constant as number
from tisserand.exporters.equations.pushes import load_pushes
from tisserand.exporters.equations.walk import moving
from tisserand.exporters.left_out import named, without_limits
from tisserand.multibody.loads import Load
from tisserand.multibody.tree import Tree, TreeBody, expand
from tisserand.multibody.vehicle import Vehicle


@dataclass(frozen=True, eq=False, repr=False)
class Equations:
    """q' and u' as functions of q, u and torques: ``statements`` name intermediate variables in order.

    Attributes:
        name: of the vehicle.
        speeds: the choice of motion variables.
        coordinates: symbols of q.
        rates: symbols of u.
        torques: symbols of drives and of the load on the base.
        statements: (symbol, expression) in order.
        q_dot: expressions of q'.
        u_dot: expressions of u'.
        notes: what is left out of appendages and joints.
    """

    name: str
    speeds: Speeds
    coordinates: tuple[sp.Symbol, ...]
    rates: tuple[sp.Symbol, ...]
    torques: tuple[sp.Symbol, ...]
    _: KW_ONLY
    statements: tuple[tuple[sp.Symbol, Any], ...]
    q_dot: tuple[Any, ...]
    u_dot: tuple[Any, ...]
    notes: tuple[str, ...] = ()

    @property
    def operations(self) -> Operations:
        """What one evaluation of q' and u' costs."""
        return counted([expression for _, expression in self.statements], [*self.q_dot, *self.u_dot])

    def __repr__(self) -> str:
        return f"<Equations of {self.name!r}: {len(self.rates)} speeds ({self.speeds}), {self.operations.total} operations>"


@checked_arguments
def equations_of(
    vehicle: Vehicle,
    speeds: Speeds = "inertial",
    *,
    translation: bool = True,
    scales: bool = False,
    loads: Sequence[Load] = (),
) -> Equations:
    """Equations of motion of a tree of bodies with modal appendages and rotors.

    Args:
        vehicle: bodies on hinges, sliders, balls and fixed joints, appendages held on them, rotors driven by torques;
            anything else is refused by name.
        speeds: motion variables: ``inertial`` components of angular velocity, ``hinge`` rates, or rates of ``angles``.
        translation: whether a free base translates; False eliminates the mass center, on which no force acts.
        scales: factors on springs and dampers of joints and rotors, and on Ke and De of appendages, as four more torques.
        loads: forces and torques on bodies in their axes, each with a strength among the torques, named after it.
    """
    tree = expand(vehicle)
    if not translation and tree.bodies[0].kind != "free":
        raise InputError("only a free base has a translation to leave out", where=f"vehicle {vehicle.name}")
    if not translation and np.any(vehicle.gravity):
        raise InputError("gravity moves the mass center, which is left out", where=f"vehicle {vehicle.name}")
    motion = moving(tree, speeds, translation=translation, scales=scales)
    ledger, n = motion.ledger, motion.count
    pushes = load_pushes(motion, tree, loads)
    motion.torques += [motion.stiffer, motion.damped, motion.modal_stiffer, motion.modal_damped] if scales else []
    M = [[sp.Integer(0)] * n for _ in range(n)]
    b: Vector = [sp.Integer(0)] * n
    momenta = []
    for body, moved, carried in zip(tree.bodies, motion.bodies, motion.carried):
        part = (
            flexible_part(motion, body, moved, carried, M, b) if carried.blocks else _inertia(motion, body, moved, M, b)
        )
        momenta.append(part)
        rotor_part(motion, moved, carried, M, b)
    if not translation:
        _without_translation(motion, tree, momenta, M, b)
    M = [[ledger.keep(M[max(i, j)][min(i, j)]) for j in range(n)] for i in range(n)]
    forces = _forces(motion, pushes)
    right = [ledger.keep(f - x) for f, x in zip(forces, b)]
    u_dot = _solved(ledger, M, right)
    statements, results = ledger.without_single_use([*motion.kinematics, *u_dot])
    size = len(motion.kinematics)
    return Equations(
        vehicle.name, speeds, tuple(motion.coordinates), tuple(motion.rates), tuple(motion.torques),
        statements=tuple(statements), q_dot=tuple(results[:size]), u_dot=tuple(results[size:]),
        notes=_notes(tree),
    )  # fmt: skip


def _notes(tree: Tree) -> tuple[str, ...]:
    """What the equations leave out: second-degree displacement of appendages, limits of joints."""
    blocks = [block for body in tree.bodies for block in body.blocks]
    turned = [b.name for b in blocks if b.level != "constant" and (b.integrals.turns or len(b.bodies))]
    first = "displacements are of first degree: turning nodes and geometric stiffness are left out"
    return (*named(first, turned), *without_limits(tree.vehicle))


def _inertia(motion: Motion, body: TreeBody, moved: Moved, M: Any, b: Vector) -> tuple[Vector, Columns]:
    """Add a body's part to M (lower triangle) and b; returns its mass times a0 and V of its mass center."""
    ledger, n = motion.ledger, motion.count
    center = body.first / body.mass if body.mass > 0.0 else np.zeros(3)
    a0, V = at_point(motion, moved, list(constants(center)))
    about = body.inertia - body.mass * (center @ center * np.eye(3) - np.outer(center, center))
    scale = float(np.abs(body.inertia).max(initial=0.0))
    about = np.where(np.abs(about) <= 1e-14 * scale, 0.0, about)
    mass = number(float(body.mass))
    heavy = [ledger.scaled(mass, v) for v in V]
    if body.mass > 0.0:
        for i in range(n):
            for j in range(i + 1):
                M[i][j] = M[i][j] + ledger.dot(heavy[i], V[j])
            b[i] = b[i] + ledger.dot(heavy[i], a0)
    if about.any():
        I = constants(about)
        spun = [ledger.times(I, w) if any(x != 0 for x in w) else w for w in moved.W]
        torque = ledger.add(ledger.times(I, moved.alpha0), ledger.cross(moved.w, ledger.times(I, moved.w)))
        for i in range(n):
            for j in range(i + 1):
                M[i][j] = M[i][j] + ledger.dot(moved.W[i], spun[j])
            b[i] = b[i] + ledger.dot(moved.W[i], torque)
    return ledger.scaled(mass, a0), heavy


def _without_translation(motion: Motion, tree: Tree, momenta: list[tuple[Vector, Columns]], M: Any, b: Vector) -> None:
    """Subtract what the mass center of the vehicle would take: sums of m V and m a0, gathered from the leaves to the base."""
    ledger, n = motion.ledger, motion.count
    sums = [[*columns, start] for start, columns in momenta]
    for k in reversed(range(1, len(tree.bodies))):
        turn: Any = motion.turns[k]
        parent = sums[tree.bodies[k].parent]
        for r, vector in enumerate(sums[k]):
            if any(x != 0 for x in vector):
                parent[r] = ledger.add(parent[r], turn.into_parent(vector))
    whole = sum(float(body.mass) + sum(block.integrals.mass for block in body.blocks) for body in tree.bodies)
    total = number(1.0 / whole)
    S, s0 = sums[0][:n], sums[0][n]
    light = [ledger.scaled(total, v) for v in S]
    for i in range(n):
        for j in range(i + 1):
            M[i][j] = M[i][j] - ledger.dot(light[i], S[j])
        b[i] = b[i] - ledger.dot(light[i], s0)


def _forces(motion: Motion, pushes: list[tuple[Expr, Vector]]) -> Vector:
    """Generalized active forces of drives, springs, dampers, rotors and loads."""
    pairs: list[list[tuple[Expr, Expr]]] = [[] for _ in range(motion.count)]
    for carried in motion.carried:
        for _, mode, torque in carried.rotors:
            pairs[mode.place].append((torque, sp.Integer(1)))
    for torque, partial in [*(drive for body in motion.bodies for drive in body.drives), *pushes]:
        for r, p in enumerate(partial):
            if p != 0:
                pairs[r].append((torque, motion.ledger.keep(p)))
    return [motion.ledger.total(row) for row in pairs]


def _solved(ledger: Ledger, M: list[list[Expr]], right: Vector) -> Vector:
    """x of M x = right by symmetric elimination from the last speed to the first; zeros of the structure cost nothing."""
    n = len(right)
    M, x = [list(row) for row in M], list(right)
    inverse: Vector = [sp.Integer(0)] * n
    for k in reversed(range(n)):
        if M[k][k] == 0:
            raise VehicleError("the equations are singular: a joint moves no mass", found=f"speed {k + 1}")
        inverse[k] = ledger.keep(1 / M[k][k])
        for i in range(k):
            if M[i][k] == 0:
                continue
            factor = ledger.total([(M[i][k], inverse[k])])
            for j in range(i + 1):
                if M[j][k] != 0:
                    M[i][j] = M[j][i] = ledger.keep(M[i][j] - ledger.total([(factor, M[j][k])]))
            x[i] = ledger.keep(x[i] - ledger.total([(factor, x[k])]))
    out: Vector = [sp.Integer(0)] * n
    for k in range(n):
        rest = ledger.keep(x[k] - ledger.total([(M[k][j], out[j]) for j in range(k)]))
        out[k] = ledger.total([(rest, inverse[k])])
    return out
