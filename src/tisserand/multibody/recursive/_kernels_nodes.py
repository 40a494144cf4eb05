# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Motion of nodes of appendages that carry joints or loads (theory sections 3 and 5)."""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_small import (
    add,
    cross,
    dot,
    left_jacobian,
    plus,
    put,
    times,
    turn_bias,
    turn_factors,
    turn_matrix,
    vector,
)
from tisserand.multibody.recursive.helper import shared_helper


@shared_helper
def node_in_body(h, n, node, columns, F, y):
    """Displaced place, velocity, finite turn, relative rate and bias of a node, in the axes of its body.

    b = theta eta, turn exp(b~), relative rate Jl(b) b' with Jl = 1 + c1 b~ + c2 b~b~; columns [phi; Jl theta] (modes, 6).
    """
    eta, rate, modes = h.eta + n.mode, h.eta_rate + n.mode, n.modes
    zero = 0.0 * y[0]
    r, b = add(vector(n.position), (zero, zero, zero)), (zero, zero, zero)
    v, d, a, alpha = (zero, zero, zero), (zero, zero, zero), (zero, zero, zero), (zero, zero, zero)
    for l in range(modes):
        for i in range(3):
            columns[l, i] = F[n.translation + 3 * l + i]
            columns[l, 3 + i] = F[n.rotation + 3 * l + i]
    if n.second_degree:  # squares enter the place once and the columns twice
        put(node.r, r)
        put(node.v, b)
        put(node.a, a)
        put(node.alpha, alpha)
        for i in range(6):
            for k in range(modes):
                s, q, u = n.squares + (i * modes + k) * modes, y[eta + k], y[rate + k]
                for l in range(modes):
                    f = F[s + l]
                    columns[l, i] += 2.0 * f * q
                    if i < 3:
                        node.r[i] -= f * q * y[eta + l]
                        node.a[i] += 2.0 * f * u * y[rate + l]
                    else:
                        node.v[i - 3] -= f * q * y[eta + l]
                        node.alpha[i - 3] += 2.0 * f * u * y[rate + l]
        r, b, a, alpha = vector(node.r), vector(node.v), vector(node.a), vector(node.alpha)
    for l in range(modes):
        q, u, phi = y[eta + l], y[rate + l], columns[l]
        theta = (phi[3], phi[4], phi[5])
        r, v = plus(r, q, vector(phi)), plus(v, u, vector(phi))
        b, d = plus(b, q, theta), plus(d, u, theta)
    c1, c2, d1, d2 = turn_factors(dot(b, b))
    for l in range(modes):
        phi = columns[l]
        phi[3], phi[4], phi[5] = left_jacobian(b, c1, c2, (phi[3], phi[4], phi[5]))
    put(node.r, r)
    put(node.v, v)
    put(node.a, a)
    put(node.w, left_jacobian(b, c1, c2, d))
    put(node.alpha, turn_bias(b, d, alpha, c1, c2, d1, d2))
    turn_matrix(b, c1, c2, node.C_B)


@shared_helper
def node_in_space(n, node, columns, b):
    """Turn a node's motion into inertial axes and complete its bias with the motion of the body."""
    C, w_BN = b.C_NB, vector(b.w_BN_N)
    r, v, w = times(C, vector(node.r)), times(C, vector(node.v)), times(C, vector(node.w))
    centripetal = cross(w_BN, plus(cross(w_BN, r), 2.0, v))
    put(node.a, add(times(C, vector(node.a)), centripetal))
    put(node.alpha, add(times(C, vector(node.alpha)), cross(w_BN, w)))
    put(node.r, r)
    put(node.v, v)
    put(node.w, w)
    for l in range(n.modes):
        phi = columns[l]
        phi[0], phi[1], phi[2] = times(C, (phi[0], phi[1], phi[2]))
        phi[3], phi[4], phi[5] = times(C, (phi[3], phi[4], phi[5]))
