"""Bodies with modal appendages and rotors: their part of M and b about the origin of the body (theory sections 3 and 5).

The displacement of an appendage is of first degree, y = r + phi_l eta_l, and all that follows from it is kept. With
B_l = int y phi_l' dm = L_l + N_kl eta_k, the first moment s = s0 + P eta, C_l = eps:B_l and the inertia
J = J0 + sum eta_l [tr(L_l + B_l) 1 - sym(L_l + B_l)], a speed r with partials V_r, W_r, and P_r, C_r where it is a mode, gives

    f_r = m V_r + W_r x s + P_r ,   t_r = s x V_r + J W_r + C_r ,   M_rs = V_r.f_s + W_r.t_s + [P_r.V_s + C_r.W_s + Me_rs]
    f_0 = m a0 + alpha0 x s + w x (w x s) + 2 w x P eta'
    t_0 = s x a0 + J alpha0 + w x (J w + C eta') + 2 [tr B_l 1 - sym B_l] eta_l' w
    g_l = P_l.a0 + C_l.alpha0 + 2 w.(int phi_k x phi_l dm) eta_k' - w.w tr B_l + w.B_l w + Ke eta + De eta'

At ``constant`` inertia J = J0, C_l = H_l and terms of w, eta' in g_l are absent, about the point of the joint, as in the engine.
A rotor is a mode with C = Js b, Me = Js and the momentum Js psi' b.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import LEVI_CIVITA, FloatArray
from tisserand.exporters.equations.chain import Motion, Moved
from tisserand.exporters.equations.joints import at_point, word
from tisserand.exporters.equations.ledger import Columns, Expr, Vector, constants
from tisserand.exporters.equations.ledger import constant as number
from tisserand.multibody.body_integrals import carried_integrals
from tisserand.multibody.inertia import point_inertia
from tisserand.multibody.tree import TreeBody
from tisserand.multibody.vehicle import Rotor


@dataclass(frozen=True, eq=False)
class Mode:
    """A modal coordinate or the angle of a rotor: its place among the speeds, symbols of value and rate."""

    place: int
    value: sp.Symbol
    rate: sp.Symbol


@dataclass(frozen=True, eq=False)
class Flexible:
    """An appendage: its integrals in axes of the body about the point of the equations, inertia level and record."""

    integrals: ModalIntegrals
    level: str
    record: ReducedAppendage


@dataclass(frozen=True, eq=False)
class Carried:
    """The modes of a body's appendages, block by block, and its rotors."""

    blocks: tuple[tuple[Flexible, tuple[Mode, ...]], ...]
    rotors: tuple[tuple[Rotor, Mode, Expr], ...]


def mode_count(body: TreeBody) -> int:
    """How many speeds the appendages and rotors of a body add."""
    return body.modes + len(body.rotors)


def carried_by(motion: Motion, body: TreeBody) -> Carried:
    """Coordinates and speeds of the appendages and rotors of a body; q' are the speeds themselves."""

    def mode(value: str, rate: str) -> Mode:
        q = motion.coordinate(value)
        u, place = motion.speed(rate)
        motion.kinematics.append(u)
        return Mode(place, q, u)

    blocks = []
    for block in body.blocks:
        name = word(block.name)
        modes = tuple(mode(f"{name}_eta{l + 1}", f"{name}_u{l + 1}") for l in range(block.integrals.count))
        blocks.append((Flexible(block.integrals, block.level, block.mount.record), modes))
    rotors = []
    for rotor in body.rotors:
        name = word(rotor.name)
        own = mode(f"{name}_angle", f"{name}_u")
        torque = motion.torque(f"{name}_torque")
        if rotor.damping:
            drag = motion.ledger.keep(motion.damped * own.rate)
            torque = motion.ledger.keep(torque - number(float(rotor.damping)) * drag)
        rotors.append((rotor, own, torque))
    return Carried(tuple(blocks), tuple(rotors))


class _Field:
    """First moment, inertia and modal rows of a body with appendages at eta, as names."""

    def __init__(self, motion: Motion, body: TreeBody, carried: Carried) -> None:
        ledger = self.ledger = motion.ledger
        self.motion = motion
        self.mass = body.mass + sum(block.integrals.mass for block, _ in carried.blocks)
        first, J0 = np.array(body.first, float), np.array(body.inertia, float)
        moment: list[list[tuple[Expr, Expr]]] = [[], [], []]
        flow: list[list[tuple[Expr, Expr]]] = [[], [], []]
        added: list[list[Any]] = [[[] for _ in range(3)] for _ in range(3)]
        self.P: dict[int, Vector] = {}
        self.C: dict[int, Vector] = {}
        self.B: dict[int, Any] = {}
        for block, modes in carried.blocks:
            I = block.integrals
            first, J0 = first + I.mass * I.center, J0 + I.inertia
            for l, mode in enumerate(modes):
                self.P[mode.place] = list(constants(I.translation[:, l]))
                for a in range(3):
                    moment[a].append((self.P[mode.place][a], mode.value))
                    flow[a].append((self.P[mode.place][a], mode.rate))
                self._mode(block, modes, l, added)
        s0 = constants(first)
        self.s = [ledger.keep(s0[a] + ledger.total(moment[a])) for a in range(3)]
        self.flow = [ledger.total(flow[a]) for a in range(3)]
        J = constants(J0)
        self.J = [[ledger.keep(J[a, b] + ledger.total(added[a][b])) for b in range(3)] for a in range(3)]
        self.modes = [mode for _, modes in carried.blocks for mode in modes]

    def _mode(self, block: Flexible, modes: tuple[Mode, ...], l: int, added: list[list[Any]]) -> None:
        """B_l and C_l, and what eta_l adds to J."""
        ledger, own, place = self.ledger, modes[l], modes[l].place
        L = block.integrals.position_shape[:, :, l]
        if block.level == "constant":
            self.C[place] = list(constants(block.integrals.rotation[:, l]))
            return
        N = constants(block.integrals.shape_shape[:, :, :, l])
        B = [
            [
                ledger.keep(
                    constants(L)[a, b] + ledger.total([(N[a, b, k], mode.value) for k, mode in enumerate(modes)])
                )
                for b in range(3)
            ]
            for a in range(3)
        ]
        self.B[place] = B
        self.C[place] = [ledger.keep(B[i][j] - B[j][i]) for i, j in ((1, 2), (2, 0), (0, 1))]
        G = [[ledger.keep(constants(L)[a, b] + B[a][b]) for b in range(3)] for a in range(3)]
        for a in range(3):
            others = [G[b][b] for b in range(3) if b != a]
            added[a][a].append((ledger.keep(sp.Add(*others)), own.value))
            for b in range(3):
                if b != a:
                    added[a][b].append(
                        (ledger.keep(-(G[min(a, b)][max(a, b)] + G[max(a, b)][min(a, b)]) / 2), own.value)
                    )

    def spin_up(self, w: Vector) -> tuple[Vector, Vector]:
        """C eta' and J' w."""
        ledger = self.ledger
        spin = [ledger.total([(self.C[m.place][a], m.rate) for m in self.modes]) for a in range(3)]
        rate = [
            [ledger.total([(self._slope(m.place, a, b), m.rate) for m in self.modes if m.place in self.B]) for b in range(3)]
            for a in range(3)
        ]  # fmt: skip
        return spin, ledger.times(rate, w)

    def _slope(self, place: int, a: int, b: int) -> Expr:
        """dJ_ab / d eta_l = 2 tr B_l - (B_l + B_l')_ab."""
        B = self.B[place]
        if a == b:
            return self.ledger.keep(2 * sp.Add(*(B[i][i] for i in range(3) if i != a)))
        return self.ledger.keep(-(B[min(a, b)][max(a, b)] + B[max(a, b)][min(a, b)]))

    def swing(self, place: int, w: Vector) -> Expr:
        """-1/2 w.(dJ / d eta_l) w."""
        ledger = self.ledger
        if place not in self.B:
            return sp.Integer(0)
        turned = [ledger.dot([self._slope(place, a, b) for b in range(3)], w) for a in range(3)]
        return ledger.keep(-ledger.dot(w, turned) / 2)


def flexible_part(
    motion: Motion, body: TreeBody, moved: Moved, carried: Carried, M: Any, b: Vector
) -> tuple[Vector, Columns]:
    """Add a body with appendages to M (lower triangle) and b; returns f_0 and f_r."""
    ledger, n = motion.ledger, motion.count
    if body.parent >= 0 and any(block.level == "constant" for block, _ in carried.blocks):
        body, moved, carried = _about(motion, body, moved, carried, body.child_point)
    field = _Field(motion, body, carried)
    mass, s, w, J = number(float(field.mass)), field.s, moved.w, field.J
    f: Columns = []
    t: Columns = []
    for r in range(n):
        V, W = moved.V[r], moved.W[r]
        parts = [ledger.scaled(mass, V), ledger.cross(W, s), field.P.get(r, [sp.Integer(0)] * 3)]
        f.append(ledger.add(*parts))
        t.append(ledger.add(ledger.cross(s, V), ledger.times(J, W), field.C.get(r, [sp.Integer(0)] * 3)))
    spin, inertia_rate = field.spin_up(w)
    f0 = ledger.add(
        ledger.scaled(mass, moved.a0), ledger.cross(moved.alpha0, s), ledger.cross(w, ledger.cross(w, s)),
        ledger.scaled(sp.Integer(2), ledger.cross(w, field.flow)),
    )  # fmt: skip
    momentum = ledger.add(ledger.times(J, w), spin)
    t0 = ledger.add(ledger.cross(s, moved.a0), ledger.times(J, moved.alpha0), ledger.cross(w, momentum), inertia_rate)
    for i in range(n):
        for j in range(i + 1):
            M[i][j] = M[i][j] + ledger.dot(moved.V[i], f[j]) + ledger.dot(moved.W[i], t[j])
        b[i] = b[i] + ledger.dot(moved.V[i], f0) + ledger.dot(moved.W[i], t0)
    for block, modes in carried.blocks:
        _modal_rows(motion, moved, field, (block, modes), M, b)
    return f0, f


def _about(
    motion: Motion, body: TreeBody, moved: Moved, carried: Carried, point: FloatArray
) -> tuple[TreeBody, Moved, Carried]:
    """The same about another point of the body, in whose axes everything stays."""
    a0, V = at_point(motion, moved, list(constants(point)))
    center = body.first / body.mass if body.mass else np.zeros(3)
    about = body.inertia - point_inertia(body.mass, center) + point_inertia(body.mass, center - point)
    blocks = tuple(
        (replace(block, integrals=carried_integrals(block.integrals, np.eye(3), -point)), modes)
        for block, modes in carried.blocks
    )
    shifted = replace(body, first=body.first - body.mass * point, inertia=about)
    return shifted, replace(moved, a0=a0, V=V), replace(carried, blocks=blocks)


def _modal_rows(
    motion: Motion, moved: Moved, field: _Field, mounted: tuple[Flexible, tuple[Mode, ...]], M: Any, b: Vector
) -> None:
    """Rows of the modal coordinates of one appendage."""
    ledger, (block, modes) = motion.ledger, mounted
    I, w = block.integrals, moved.w
    Me = constants(I.modal_mass)
    K, D = (constants(np.asarray(x)) for x in (block.record.stiffness, block.record.damping))
    cross: FloatArray = np.einsum("abc,bckl->akl", LEVI_CIVITA, I.shape_shape)
    for l, mode in enumerate(modes):
        i, P, C = mode.place, field.P[mode.place], field.C[mode.place]
        for j in range(motion.count):
            value = ledger.dot(P, moved.V[j]) + ledger.dot(C, moved.W[j])
            if value != 0:
                M[max(i, j)][min(i, j)] = M[max(i, j)][min(i, j)] + ledger.keep(value)
        for k, other in enumerate(modes[: l + 1]):
            if Me[l, k] != 0:
                M[i][other.place] = M[i][other.place] + Me[l, k]
        rest = ledger.dot(P, moved.a0) + ledger.dot(C, moved.alpha0) + field.swing(i, w)
        if block.level != "constant":
            turn = [ledger.total([(constants(cross)[a, k, l], m.rate) for k, m in enumerate(modes)]) for a in range(3)]
            rest = rest + 2 * ledger.dot(w, turn)
        spring = ledger.total([(K[l, k], m.value) for k, m in enumerate(modes)])
        drag = ledger.total([(D[l, k], m.rate) for k, m in enumerate(modes)])
        b[i] = b[i] + rest + motion.modal_stiffer * spring + motion.modal_damped * drag


def rotor_part(motion: Motion, moved: Moved, carried: Carried, M: Any, b: Vector) -> None:
    """Add the rotors of a body, whose locked inertia is part of it."""
    ledger, n = motion.ledger, motion.count
    for rotor, mode, _ in carried.rotors:
        i, Js = mode.place, number(float(rotor.spin_inertia))
        axis = list(constants(rotor.spin_inertia * rotor.axis))
        for j in range(n):
            M[max(i, j)][min(i, j)] = M[max(i, j)][min(i, j)] + ledger.dot(axis, moved.W[j])
        M[i][i] = M[i][i] + Js
        b[i] = b[i] + ledger.dot(axis, moved.alpha0)
        turn = ledger.cross(moved.w, ledger.scaled(mode.rate, axis))
        for j in range(n):
            b[j] = b[j] + ledger.dot(moved.W[j], turn)
