"""A slender beam in a plane as a chain of rigid links with torsion springs: inextensible, finite rotation, no modes."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp


def spun_chain(links, length, rigidity, density, angle, rate, times):
    """Tip place (times, 2) in the hub's axes (x along the undeformed beam) of a beam clamped in a hub turned by ``angle(t)``.

    Unknowns are the inertial angles a_i of the links: sum_j m_ij cos(a_i - a_j) a_j'' + m_ij sin(a_i - a_j) a_j'² = springs, with
    m_ij = l² (mass outboard of the end of the outer link, plus its own centers of mass).
    """
    n, h = links, length / links
    m = density * h
    # place of the center of link k: sum_{i<k} h e_i + h/2 e_k; mass moments of inertia m h²/12 of each link
    reach = np.tril(np.ones((n, n)), -1) * h + np.eye(n) * h / 2  # (center, link)
    mass = m * reach.T @ reach + np.eye(n) * m * h**2 / 12
    spring = np.full(n, rigidity / h)
    spring[0] *= 2.0  # half a link between the clamp and the first center

    def motion(t, y):
        a, v = y[:n], y[n:]
        d = a[:, None] - a[None, :]
        before = np.concatenate([[angle(t)], a])
        moment = -spring * np.diff(before)
        torque = moment.copy()
        torque[:-1] -= moment[1:]
        torque -= (mass * np.sin(d)) @ v**2
        return np.concatenate([v, np.linalg.solve(mass * np.cos(d), torque)])

    start = np.concatenate([np.full(n, angle(times[0])), np.full(n, rate(times[0]))])
    found = solve_ivp(motion, (times[0], times[-1]), start, "LSODA", times, rtol=1e-8, atol=1e-9)
    assert found.success
    relative = found.y[:n].T - np.array([angle(t) for t in times])[:, None]
    return h * np.stack([np.cos(relative).sum(axis=1) - n, np.sin(relative).sum(axis=1)], axis=1)
