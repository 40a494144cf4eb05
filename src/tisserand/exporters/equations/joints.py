"""One body after the other: how a base, a hinge, a slider, a ball and a fixed joint move what they carry."""

from __future__ import annotations

import re
from keyword import iskeyword
from typing import Any

import numpy as np
import sympy as sp

from tisserand.exporters.equations.chain import (
    Motion,
    Moved,
    Turn,
    angle_rates,
    angles_matrix,
    arm,
    rate_columns,
    rate_remainder,
)
from tisserand.exporters.equations.ledger import Columns, Expr, Vector
from tisserand.multibody.tree import TreeBody

_ZERO = [sp.Integer(0)] * 3


#: Words of C and of its mathematics, and names of the generated functions' own arguments.
_RESERVED = re.compile(
    "auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|"
    "return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|main|math|sin|cos|tan|sqrt|pow|"
    r"fabs|exp|log|gamma|[yj][01n]|q|u|torque|q_dot|u_dot|z\d+"
)


def word(name: str) -> str:
    """A name as C and Python know it."""
    text = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    text = text if text[:1].isalpha() else f"n_{text}"
    return f"{text}_" if _RESERVED.fullmatch(text) or iskeyword(text) else text


def place(motion: Motion, body: TreeBody, translation: bool) -> None:
    """Add a body with its coordinates, speeds and partial velocities."""
    if body.parent < 0:
        motion.turns.append(None)
        motion.bodies.append(_fixed_base(motion) if body.kind == "fixed" else _free_base(motion, body, translation))
        return
    parent = motion.bodies[body.parent]
    if body.kind == "ball":
        made, turn = _ball(motion, parent, body)
    elif body.kind == "hinge":
        made, turn = _hinge(motion, parent, body)
    else:
        made, turn = _slider(motion, parent, body)
    motion.turns.append(turn)  # type: ignore[arg-type]
    motion.bodies.append(made)


def _fixed_base(motion: Motion) -> Moved:
    nothing: Columns = [list(_ZERO) for _ in range(motion.count)]
    weight = [-x for x in arm(motion.gravity)]
    return Moved(list(_ZERO), list(_ZERO), weight, nothing, [list(v) for v in nothing])


def _free_base(motion: Motion, body: TreeBody, translation: bool) -> Moved:
    ledger, name = motion.ledger, word(body.name)
    q = [motion.coordinate(f"{name}_angle{i}") for i in (1, 2, 3)]
    matrix, t = angles_matrix(ledger, q)
    torques = [motion.torque(f"{name}_torque{i}") for i in (1, 2, 3)]
    W: Columns = [list(_ZERO) for _ in range(motion.count)]
    V: Columns = [list(_ZERO) for _ in range(motion.count)]
    u = [motion.speed(f"{name}_u{i}")[0] for i in (1, 2, 3)]
    if motion.speeds == "angles":
        W[:3] = rate_columns(ledger, t)
        w = [ledger.total([(u[r], W[r][i]) for r in range(3)]) for i in range(3)]
        alpha0 = rate_remainder(ledger, t, u)  # type: ignore[arg-type]
        motion.kinematics += list(u)
    else:
        W[:3] = [[sp.Integer(int(i == r)) for i in range(3)] for r in range(3)]
        w, alpha0 = list(u), list(_ZERO)
        motion.kinematics += angle_rates(ledger, w, t)
    a0, drives = list(_ZERO), [(torques[i], [W[r][i] for r in range(motion.count)]) for i in range(3)]
    if translation:
        for axis in "xyz":
            motion.coordinate(f"{name}_{axis}")
        v = [motion.speed(f"{name}_v{i}")[0] for i in (1, 2, 3)]
        forces = [motion.torque(f"{name}_force{i}") for i in (1, 2, 3)]
        if motion.speeds == "angles":
            V[3:6] = [list(matrix[:, r]) for r in range(3)]
            motion.kinematics += list(v)
        else:
            V[3:6] = [[sp.Integer(int(i == r)) for i in range(3)] for r in range(3)]
            a0 = ledger.cross(w, v)
            motion.kinematics += ledger.times(matrix.T, v)
        drives += [(forces[i], [V[r][i] for r in range(motion.count)]) for i in range(3)]
        if motion.gravity.any():
            a0 = ledger.add(a0, ledger.times(matrix, [-x for x in arm(motion.gravity)]))
    return Moved(w, alpha0, a0, W, V, drives)


def at_point(motion: Motion, body: Moved, point: Vector) -> tuple[Vector, Columns]:
    """a0 and partial velocities of a point of a body, arm in its axes."""
    ledger = motion.ledger
    if all(x == 0 for x in point):
        return body.a0, body.V
    swing = ledger.cross(body.w, ledger.cross(body.w, point))
    a0 = ledger.add(body.a0, ledger.cross(body.alpha0, point), swing)
    V = [ledger.add(v, ledger.cross(w, point)) if any(x != 0 for x in w) else v for w, v in zip(body.W, body.V)]
    return a0, V


def _carried(motion: Motion, turn: Turn, vectors: Columns) -> Columns:
    return [turn.into_child(v) for v in vectors]


def _settled(motion: Motion, body: TreeBody, w: Vector, alpha0: Vector, W: Columns, a0: Vector, V: Columns) -> Moved:
    """From the joint's point to the origin of the child."""
    here = Moved(w, alpha0, a0, W, V)
    back = arm(-np.asarray(body.child_point))
    a0, V = at_point(motion, here, back)
    return Moved(w, alpha0, a0, W, V)


def _law(motion: Motion, body: TreeBody, torque: Expr, value: Expr, rate: Expr) -> Expr:
    """Torque of the drive, spring and damper."""
    stiffness, damping, rest = (float(x) for x in body.law)
    total = torque
    if stiffness:
        pull = motion.ledger.keep(motion.stiffer * (value - (sp.Float(rest, 17) if rest else 0)))
        total = total - sp.Float(stiffness, 17) * pull
    if damping:
        total = total - sp.Float(damping, 17) * motion.ledger.keep(motion.damped * rate)
    return motion.ledger.keep(sp.expand(total))


def _hinge(motion: Motion, parent: Moved, body: TreeBody) -> tuple[Moved, Turn]:
    ledger, name = motion.ledger, word(_joint(body))
    q = motion.coordinate(f"{name}_angle")
    u, own = motion.speed(f"{name}_u")
    turn = Turn(ledger, body, q)
    g = arm(body.child_frame @ body.axis)
    w_A, alpha_A, W_A = turn.into_child(parent.w), turn.into_child(parent.alpha0), _carried(motion, turn, parent.W)
    along = [ledger.dot(g, column) for column in W_A]
    partial: Vector = [sp.Integer(int(r == own)) for r in range(motion.count)]
    if motion.speeds == "inertial":
        rate = ledger.keep(u - ledger.dot(g, w_A))
        partial = [p - a for p, a in zip(partial, along)]
        w = _replaced(motion, w_A, g, u)
        W = [_replaced(motion, column, g, sp.Integer(int(r == own))) for r, column in enumerate(W_A)]
        alpha0 = _replaced(motion, ledger.add(alpha_A, ledger.scaled(rate, ledger.cross(w_A, g))), g, sp.Integer(0))
    else:
        rate = u
        w = [ledger.total([(sp.Integer(1), w_A[i]), (g[i], u)]) for i in range(3)]
        W = [list(g) if r == own else column for r, column in enumerate(W_A)]
        alpha0 = ledger.add(alpha_A, ledger.scaled(u, ledger.cross(w_A, g)))
    motion.kinematics.append(rate)
    a0, V = at_point(motion, parent, arm(body.parent_point))
    made = _settled(motion, body, w, alpha0, W, turn.into_child(a0), _carried(motion, turn, V))
    torque = _law(motion, body, motion.torque(f"{name}_torque"), q, rate)
    return Moved(made.w, made.alpha0, made.a0, made.W, made.V, [(torque, partial)]), turn


def _replaced(motion: Motion, vector: Vector, g: Vector, value: Expr) -> Vector:
    """A vector whose component along g is ``value``."""
    along = [i for i in range(3) if g[i] != 0]
    if len(along) == 1:
        out = list(vector)
        out[along[0]] = value * g[along[0]]
        return out
    rest = motion.ledger.keep(value - motion.ledger.dot(g, vector))
    return [motion.ledger.total([(sp.Integer(1), vector[i]), (g[i], rest)]) for i in range(3)]


def _slider(motion: Motion, parent: Moved, body: TreeBody) -> tuple[Moved, Turn]:
    """A slider, or a fixed joint, which is a slider that stands still."""
    ledger = motion.ledger
    turn = Turn(ledger, body, None)
    point, drives, slide = arm(body.parent_point), [], None
    if body.kind == "prismatic":
        name = word(_joint(body))
        q, (u, own) = motion.coordinate(f"{name}_travel"), motion.speed(f"{name}_u")
        g = arm(body.parent_frame @ body.axis)
        point = [ledger.total([(sp.Integer(1), point[i]), (g[i], q)]) for i in range(3)]
        motion.kinematics.append(u)
        force = _law(motion, body, motion.torque(f"{name}_force"), q, u)
        drives = [(force, [sp.Integer(int(r == own)) for r in range(motion.count)])]
        slide = (g, u, own)
    a0, V = at_point(motion, parent, point)
    if slide is not None:
        g, u, own = slide
        a0 = ledger.add(a0, ledger.scaled(2 * u, ledger.cross(parent.w, g)))
        V = [ledger.add(v, g) if r == own else v for r, v in enumerate(V)]
    made = _settled(
        motion, body, turn.into_child(parent.w), turn.into_child(parent.alpha0), _carried(motion, turn, parent.W),
        turn.into_child(a0), _carried(motion, turn, V),
    )  # fmt: skip
    return Moved(made.w, made.alpha0, made.a0, made.W, made.V, drives), turn


def _ball(motion: Motion, parent: Moved, body: TreeBody) -> tuple[Moved, Turn]:
    ledger, name = motion.ledger, word(_joint(body))
    q = [motion.coordinate(f"{name}_angle{i}") for i in (1, 2, 3)]
    u, places = zip(*(motion.speed(f"{name}_u{i}") for i in (1, 2, 3)))
    matrix, t = angles_matrix(ledger, q)
    turn = Turn(ledger, body, None, matrix)
    w_A, alpha_A, W_A = turn.into_child(parent.w), turn.into_child(parent.alpha0), _carried(motion, turn, parent.W)
    unit = [[sp.Integer(int(i == r)) for i in range(3)] for r in range(3)]
    relative: Any  # in axes of the joint's frame on the child
    if motion.speeds == "inertial":
        w, alpha0 = list(u), list(_ZERO)
        W = [unit[places.index(r)] if r in places else list(_ZERO) for r in range(motion.count)]
        relative = turn.joint_axes(ledger.add(w, [-x for x in w_A]))
        slips = [turn.joint_axes(ledger.add(W[r], [-x for x in W_A[r]])) for r in range(motion.count)]
        partials = [[slips[r][i] for r in range(motion.count)] for i in range(3)]
    else:
        columns = rate_columns(ledger, t) if motion.speeds == "angles" else unit
        relative = [ledger.total([(u[r], columns[r][i]) for r in range(3)]) for i in range(3)]
        turned = turn.child_axes(relative)
        w = ledger.add(w_A, turned)
        W = [turn.child_axes(columns[places.index(r)]) if r in places else column for r, column in enumerate(W_A)]
        alpha0 = ledger.add(alpha_A, ledger.cross(w_A, turned))
        if motion.speeds == "angles":
            alpha0 = ledger.add(alpha0, turn.child_axes(rate_remainder(ledger, t, list(u))))
        partials = [
            [columns[places.index(r)][i] if r in places else sp.Integer(0) for r in range(motion.count)]
            for i in range(3)
        ]
    motion.kinematics += list(u) if motion.speeds == "angles" else angle_rates(ledger, relative, t)
    a0, V = at_point(motion, parent, arm(body.parent_point))
    made = _settled(motion, body, w, alpha0, W, turn.into_child(a0), _carried(motion, turn, V))
    drives = [(motion.torque(f"{name}_torque{i + 1}"), partials[i]) for i in range(3)]
    return Moved(made.w, made.alpha0, made.a0, made.W, made.V, drives), turn


def _joint(body: TreeBody) -> str:
    return f"{body.joint}_{body.joint_axis + 1}" if body.joint_axis else str(body.joint)
