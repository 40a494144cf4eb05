# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""One implicit stage: Newton iterations whose matrix is the mass matrix with the stiffness of modes and joints inside.

With ``g = h gamma`` a stage solves ``u = us + g a``, ``q = qs + g kin(q, u)``, ``M a = f(q, u)``. The stiff part of f is linear,
so an iteration is one pass of the ordinary engine on a copy of the model whose modal masses are ``Me + S``, S = g De + g² Ke
(joints: pivots + g d + g² k), with the forces ``S a`` of the iterate before on the right: ``(M + S) a_new = f(a) + S a``.

Reference: theory section 13.
"""

from __future__ import annotations

import math

from tisserand.multibody.recursive.helper import helper

#: Newton iterations of a stage, and the part of the tolerance they may leave.
PASSES, LEFT = 4, 0.05


@helper
def stiffen(h, model, F, g, F2):
    """Modal masses Me + g De + g² Ke and pivots g d + g² k into the constants of the implicit copy."""
    for k in range(h.bodies):
        m = model.bodies[k]
        for number in range(m.block, m.block + m.blocks):
            block = model.blocks[number]
            n, local = block.modes, block.mode - m.mode
            for l in range(n):
                at = m.mass_matrix + (local + l) * m.modes + local
                for j in range(n):
                    i = l * n + j
                    F2[at + j] = F[at + j] + g * (F[block.damping + i] + g * F[block.stiffness + i])
        F2[h.implicit + h.modes + 4 * k] = g * (m.damper + g * m.spring)


@helper
def push_back(h, model, F, rates, F2):
    """The forces S a of the accelerations in ``rates`` (places of the state)."""
    for k in range(h.bodies):
        m = model.bodies[k]
        for number in range(m.block, m.block + m.blocks):
            block = model.blocks[number]
            n, local, first = block.modes, block.mode - m.mode, h.eta_rate + block.mode
            for l in range(n):
                at = m.mass_matrix + (local + l) * m.modes + local
                force = 0.0
                for j in range(n):
                    force += (F2[at + j] - F[at + j]) * rates[first + j]
                F2[h.implicit + block.mode + l] = force
        at = h.implicit + h.modes + 4 * k
        for i in range(3):
            F2[at + 1 + i] = 0.0
        if k:
            for i in range(m.free):
                F2[at + 1 + i] = F2[at] * rates[m.u + i]


@helper
def consistent_rates(pairs, turns, g, ys, rates):
    """Rates of coordinates that follow from the new accelerations: q' = u, and quaternions that solve q = qs + g q w / 2."""
    for i in range(pairs.shape[0]):
        q, u = pairs[i, 0], pairs[i, 1]
        rates[q] = ys[u] + g * rates[u]
    for i in range(turns.shape[0]):
        q, u = turns[i, 0], turns[i, 1]
        x, y, z = ys[u] + g * rates[u], ys[u + 1] + g * rates[u + 1], ys[u + 2] + g * rates[u + 2]
        a, b, c, d = ys[q], ys[q + 1], ys[q + 2], ys[q + 3]
        # q = (qs + g/2 qs w) / (1 + (g |w| / 2)²), so q' = (q - qs) / g = (qs w / 2 - (g/4) |w|² qs) / (1 + ...)
        square = 0.25 * g * (x * x + y * y + z * z)
        f = 1.0 / (1.0 + g * square)
        rates[q] = f * (0.5 * (-b * x - c * y - d * z) - square * a)
        rates[q + 1] = f * (0.5 * (a * x + c * z - d * y) - square * b)
        rates[q + 2] = f * (0.5 * (a * y + d * x - b * z) - square * c)
        rates[q + 3] = f * (0.5 * (a * z + b * y - c * x) - square * d)


@helper
def solve_stage(rhs, h, model, F, M2, F2, W2, U, t, g, ys, weights, watched, pairs, turns, rates, new, work, memory):
    """Iterate the rates of a stage from their guess in ``rates``; passes taken (negative: it failed).

    memory[0] is the factor by which an iteration reduced its change before (at most 1), kept from stage to stage; memory[1]
    receives the status of a failed pass.
    """
    n, before = len(ys), 0.0
    factor = memory[0] ** 0.8
    consistent_rates(pairs, turns, g, ys, rates)  # else S a is not the force of the change from ys
    for count in range(1, PASSES + 1):
        for i in range(n):
            work[i] = ys[i] + g * rates[i]
        push_back(h, model, F, rates, F2)
        status = rhs(M2, F2, W2, U, t, work, new)
        if status:
            memory[1] = status
            return -count
        consistent_rates(pairs, turns, g, ys, new)
        change = 0.0
        for i in range(n):
            d = g * (new[i] - rates[i]) * weights[i]
            change += d * d
            rates[i] = new[i]
        change = math.sqrt(change / max(watched, 1))
        if not change < math.inf:
            return -count
        if count > 1:
            ratio = change / before if before > 0.0 else 0.0
            if ratio >= 1.0 and change > LEFT:
                return -count
            memory[0] = max(min(ratio, 1.0), 1e-8)
            factor = ratio / (1.0 - ratio) if ratio < 0.99 else 99.0
        if change * factor <= LEFT or change == 0.0:
            return count
        before = change
    return -PASSES
