"""A slender beam in a plane as an inextensible elastica with a smooth angle: finite rotation, no modes, spectral accuracy.

theta(s) = sum q_i p_i(s) is the angle of the tangent from the hub's axis, zero at the clamp; the place is r = int (cos theta,
sin theta) ds. Partial velocities, accelerations and bending energy EI/2 int theta'^2 follow from it exactly.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp


class Elastica:
    """length m, rigidity EI N m², density kg/m; ``terms`` polynomials s, s², ... of the angle, ``points`` Gauss points."""

    def __init__(self, length, rigidity, density, terms=4, points=12):
        nodes, weights = np.polynomial.legendre.leggauss(points)
        t = 0.5 * (nodes + 1.0)
        self.length, self.weight = length, 0.5 * weights * length * density
        legendre = [np.polynomial.Legendre.basis(i).convert(kind=np.polynomial.Polynomial) for i in range(terms)]
        inner = [p(np.polynomial.Polynomial([-1.0, 2.0])) for p in legendre]  # of 2 s/L - 1
        angle = [p.integ() for p in inner]  # zero at the clamp
        self.angle = np.array([p(t) for p in angle])  # (i, points)
        slope = np.array([p(t) for p in inner]) / length
        self.stiffness = rigidity * (slope * 0.5 * weights * length) @ slope.T
        self.place = np.zeros((points + 1, points))  # integrals from 0 to every point, and to the tip
        for j in range(points):
            others = np.delete(t, j)
            once = (np.polynomial.Polynomial.fromroots(others) / np.prod(t[j] - others)).integ()
            self.place[:-1, j], self.place[-1, j] = once(t), once(1.0)
        self.place *= length

    def where(self, q):
        """Places (points + 1, 2), the tip last."""
        theta = q @ self.angle
        return self.place @ np.stack([np.cos(theta), np.sin(theta)], axis=1)

    def motion(self, q, rate):
        """Partial velocities (i, points, 2) and the acceleration without q'' (points, 2)."""
        theta, turning = q @ self.angle, rate @ self.angle
        across = np.stack([-np.sin(theta), np.cos(theta)], axis=1)
        Y = np.einsum("gh,ih,ha->iga", self.place[:-1], self.angle, across, optimize=True)
        along = np.stack([np.cos(theta), np.sin(theta)], axis=1)
        return Y, -self.place[:-1] @ (turning[:, None] ** 2 * along)

    def spun(self, rate, acceleration, times, start=None):
        """Tip (times, 2) less its place at rest, in axes of a hub at the clamp that turns at ``rate(t)``."""
        n = len(self.angle)

        def step(t, y):
            q, v = y[:n], y[n:]
            Y, bias = self.motion(q, v)
            r, w, al = self.where(q)[:-1], rate(t), acceleration(t)
            velocity = np.einsum("i,iga->ga", v, Y)
            turned = np.stack([-r[:, 1], r[:, 0]], axis=1)
            a = al * turned - w * w * r + 2 * w * np.stack([-velocity[:, 1], velocity[:, 0]], axis=1) + bias
            weighted = Y * self.weight[:, None]
            M = np.einsum("iga,jga->ij", weighted, Y)
            return np.concatenate([v, np.linalg.solve(M, -np.einsum("iga,ga->i", weighted, a) - self.stiffness @ q)])

        y0 = np.zeros(2 * n) if start is None else start
        found = solve_ivp(step, (times[0], times[-1]), y0, "LSODA", times, rtol=1e-7, atol=1e-9)
        assert found.success
        return np.array([self.where(q)[-1] for q in found.y[:n].T]) - np.array([self.length, 0.0])
