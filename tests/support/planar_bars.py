"""Planar bars in absolute coordinates (x, y, angle of each), pinned together by multipliers: another road to linkages."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp


class PlanarBars:
    """Slender bars with centers in their middle, pinned in pairs; a pin is (bar, place along it, bar or -1, place or point)."""

    def __init__(self, masses, lengths, pins, gravity):
        self.m, self.l, self.pins, self.g = np.array(masses), np.array(lengths), pins, gravity
        self.inertia = self.m * self.l**2 / 12.0
        self.M = np.ravel(np.column_stack([self.m, self.m, self.inertia]))

    def _end(self, q, bar, s):
        """Place, its derivative (2, n) and its acceleration at q'' = 0 per squared rate."""
        x, y, a = q[3 * bar : 3 * bar + 3]
        c, d = np.cos(a), np.sin(a)
        J = np.zeros((2, len(q)))
        J[0, 3 * bar], J[1, 3 * bar + 1] = 1.0, 1.0
        J[:, 3 * bar + 2] = s * np.array([-d, c])
        return np.array([x + s * c, y + s * d]), J, -s * np.array([c, d])

    def rows(self, q, u):
        phi, J, bias = [], [], []
        for bar, s, other, t in self.pins:
            p, Jp, cp = self._end(q, bar, s)
            b = cp * u[3 * bar + 2] ** 2
            if other >= 0:
                r, Jr, cr = self._end(q, other, t)
                phi.append(p - r), J.append(Jp - Jr), bias.append(b - cr * u[3 * other + 2] ** 2)
            else:
                phi.append(p - np.asarray(t)), J.append(Jp), bias.append(b)
        return np.concatenate(phi), np.vstack(J), np.concatenate(bias)

    def solve(self, q, u):
        """Accelerations, and the forces on the first bar of every pin."""
        _, J, bias = self.rows(q, u)
        Q = np.zeros(len(q))
        Q[0::3], Q[1::3] = self.m * self.g[0], self.m * self.g[1]
        A = J / self.M @ J.T
        lam = np.linalg.solve(A, -bias - J @ (Q / self.M))
        return (Q + J.T @ lam) / self.M, lam.reshape(-1, 2)

    def run(self, q, times):
        n = len(q)
        out = solve_ivp(
            lambda _, y: np.concatenate([y[n:], self.solve(y[:n], y[n:])[0]]),
            (0.0, times[-1]),
            np.concatenate([q, np.zeros(n)]),
            method="DOP853",
            t_eval=times,
            rtol=1e-12,
            atol=1e-13,
        )
        return out.y[:n].T, out.y[n:].T
