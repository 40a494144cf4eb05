"""Material points of beams and plates that follow given nodal motion by exact finite rotation: nothing comes from the package.

Every structure gives masses (p,) and ``place(eta, exact) -> (p, 3)`` for nodal shapes phi, theta (n, 3, k); ``exact`` False is
the linear field, the same points without the second degree of anything. eta may be complex.
"""

import numpy as np

from oracles.finite_field import rotation

GAUSS = np.polynomial.legendre.leggauss(4)


def turned(b, arms, exact):
    """Arms (..., 3) turned by rotation vectors (..., 3): exactly, or linearly."""
    if not exact:
        return arms + np.cross(b, arms)
    flat = [rotation(one) @ arm for one, arm in zip(b.reshape(-1, 3), np.broadcast_to(arms, b.shape).reshape(-1, 3))]
    return np.array(flat).reshape(b.shape)


def rotation_vector(R):
    """b with exp(b~) = R for turns below a right angle, by the series of arcsin x / x in x² = sin²|b|."""
    s = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    square, total, term = s @ s, 0.0, 1.0
    for i in range(25):
        total = total + term / (2 * i + 1)
        term = term * square * (2 * i + 1) / (2 * i + 2)
    return s * total


class Beam:
    """A straight clamped beam along x of ``length``, width (along y) and height (along z), nodes at equal distances."""

    def __init__(self, length, width, height, density, recipe, phi, theta, inextensible=False):
        self.n = len(phi) - 1
        self.h, self.recipe, self.inextensible = length / self.n, recipe, inextensible
        self.phi, self.theta, self.line = phi, theta, density * width * height
        y, z = 0.5 * width / np.sqrt(3.0), 0.5 * height / np.sqrt(3.0)
        self.corners = np.array([[0.0, a * y, b * z] for a in (-1, 1) for b in (-1, 1)])
        if recipe == "coupled":
            cuts = np.array([0.0, 0.25, 0.75, 1.0])
        else:
            cuts = np.array([0.0, 0.5, 1.0]) if recipe == "bodies" else np.array([0.0, 1.0])
        t = (cuts[:-1, None] + np.diff(cuts)[:, None] * 0.5 * (GAUSS[0] + 1)).ravel()
        w = (np.diff(cuts)[:, None] * 0.5 * GAUSS[1]).ravel()
        self.t, self.w = t, w

    @property
    def masses(self):
        if self.recipe in ("particles", "lumped"):
            ends = np.full(self.n + 1, self.line * self.h)
            ends[[0, -1]] *= 0.5
            return ends
        along = np.tile(self.line * self.h * self.w, self.n)
        return along if self.recipe == "coupled" else np.repeat(along / 4.0, 4)

    def place(self, eta, exact=True):
        u, b = self.phi @ eta, self.theta @ eta
        x = self.h * np.arange(self.n + 1)[:, None] * np.array([1.0, 0.0, 0.0])
        if exact and self.inextensible:
            R, curve = self.curve(u, b)
            if self.recipe != "consistent":  # the recipe moves its mass with the nodes, which move exactly
                u, b = curve[:, -1] - x, np.array([rotation_vector(one) for one in R[:, -1]])
        if self.recipe in ("particles", "lumped"):
            return x + u
        s = self.h * (np.arange(self.n)[:, None] + self.t)  # (elements, points)
        if self.recipe == "bodies":
            end = (self.t > 0.5).astype(int) + np.arange(self.n)[:, None]
            arms = (s - self.h * end)[..., None, None] * np.array([1.0, 0, 0]) + self.corners
            turn = np.broadcast_to(b[end][:, :, None], (*end.shape, 4, 3))
            return (x[end][:, :, None] + u[end][:, :, None] + turned(turn, arms, exact)).reshape(-1, 3)
        move, turn = self.section(u, b)
        if exact and self.inextensible and self.recipe == "consistent":
            axis, arms = curve[1:, :-1], np.einsum("egab,cb->egca", R[1:, :-1], self.corners)
        else:
            axis = s[..., None] * np.array([1.0, 0, 0]) + move
            arms = turned(np.repeat(turn[:, :, None], 4, 2), self.corners, exact)
        if self.recipe == "coupled":
            return axis.reshape(-1, 3)
        return (axis[:, :, None] + arms).reshape(-1, 3)

    def section(self, u, b):
        """Translation and rotation (elements, points, 3) of the sections: Hermite bending, linear stretch and twist."""
        t, h = self.t[None, :, None], self.h
        a, c = u[:-1, None], u[1:, None]
        slope_a = np.stack([0 * b[:-1, 0], b[:-1, 2], -b[:-1, 1]], 1)[:, None]
        slope_c = np.stack([0 * b[1:, 0], b[1:, 2], -b[1:, 1]], 1)[:, None]
        move = a * (1 - 3 * t**2 + 2 * t**3) + c * (3 * t**2 - 2 * t**3)
        move = move + h * (slope_a * t * (1 - t) ** 2 + slope_c * t**2 * (t - 1))
        rise = (c - a) * 6 * (t - t**2) / h + slope_a * (1 - t) * (1 - 3 * t) + slope_c * t * (3 * t - 2)
        stretch = np.clip(2 * t - 0.5, 0, 1) if self.recipe == "coupled" else t
        move[..., 0] = (a + stretch * (c - a))[..., 0]
        twist = (b[:-1, None] * (1 - t) + b[1:, None] * t)[..., 0]
        return move, np.stack([twist, -rise[..., 2], rise[..., 1]], axis=-1)

    def curve(self, u, b):
        """Sections R and places of a beam whose strains stay those of the linear field: R' = R K~, r' = R (1 + u', 0, 0), by
        small steps that end at every point of every element (points, then the end node).
        """
        h, e = self.h, np.array([1.0, 0, 0])
        R, r = np.eye(3) + 0j * u[0, 0], np.zeros(3) + 0j * u[0, 0]
        turns, places = [[R] * (len(self.t) + 1)], [[r] * (len(self.t) + 1)]
        for k in range(self.n):
            rise = (u[k + 1] - u[k]) / h
            stretch = 1 + rise[0]
            slopes = [np.array([b[j, 2], -b[j, 1]]) for j in (k, k + 1)]
            twist = (b[k + 1, 0] - b[k, 0]) / h

            def curvature(t, rise=rise, slopes=slopes, twist=twist):
                bend = rise[1:] * 6 * (1 - 2 * t) / h + (slopes[0] * (6 * t - 4) + slopes[1] * (6 * t - 2)) / h
                return np.array([twist, -bend[1], bend[0]])

            row_R, row_r, at = [], [], 0.0
            for stop in (*self.t, 1.0):
                d = (stop - at) / 3
                for i in range(3):
                    start = at + i * d
                    left, right = (curvature(start + d * (0.5 + x * np.sqrt(3) / 6)) for x in (-1, 1))
                    full = h * d * (left + right) / 2 - (h * d) ** 2 * np.sqrt(3) / 12 * np.cross(right, left)
                    half = rotation(h * d * curvature(start + d / 4) / 2)
                    onward = R @ rotation(full)
                    r = r + h * d * stretch / 6 * (R @ e + 4 * R @ half @ e + onward @ e)
                    R = onward
                row_R.append(R)
                row_r.append(r)
                at = stop
            turns.append(row_R)
            places.append(row_r)
        return np.array(turns), np.array(places)


class Plate:
    """A flat plate of quads (m, 4) at points (n, 3), z its normal: corner bodies, bilinear surfaces with fibers, or nodes."""

    def __init__(self, points, cells, thickness, density, recipe, phi, theta):
        self.x, self.cells, self.recipe, self.phi, self.theta = points, cells, recipe, phi, theta
        t, w = np.polynomial.legendre.leggauss(4)
        a, b = (g.ravel() for g in np.meshgrid(t, t, indexing="ij"))
        self.N = np.stack([(1 - a) * (1 - b), (1 + a) * (1 - b), (1 + a) * (1 + b), (1 - a) * (1 + b)], axis=1) / 4
        da = np.stack([-(1 - b), 1 - b, 1 + b, -(1 + b)], axis=1) / 4
        db = np.stack([-(1 - a), -(1 + a), 1 + a, 1 - a], axis=1) / 4
        corners = points[cells]
        area = np.linalg.norm(
            np.cross(np.einsum("gi,mia->mga", da, corners), np.einsum("gi,mia->mga", db, corners)), axis=2
        )
        self.area = density * thickness * area * np.outer(w, w).ravel()
        self.heights = np.array([-1.0, 1.0]) * thickness / np.sqrt(12.0)

    @property
    def masses(self):
        if self.recipe in ("particles", "lumped"):
            return np.bincount(self.cells.ravel(), np.repeat(self.area.sum(axis=1) / 4, 4), len(self.x))
        if self.recipe == "coupled":
            return self.area.ravel()
        if self.recipe == "bodies":
            return np.repeat((self.area[:, :, None] * self.N / 2).ravel(), 2)
        return np.repeat(self.area.ravel() / 2, 2)

    def place(self, eta, exact=True):
        u, b = self.phi @ eta, self.theta @ eta
        if self.recipe in ("particles", "lumped"):
            return self.x + u
        rest, moved = (np.einsum("gi,mia->mga", self.N, values[self.cells]) for values in (self.x, u))
        up = self.heights[:, None] * np.array([0.0, 0, 1])
        if self.recipe == "coupled":
            return (rest + moved).reshape(-1, 3)
        if self.recipe == "bodies":
            corner = self.x[self.cells]
            arms = (rest[:, :, None] - corner[:, None])[..., None, :] + up  # cell, point, corner, fiber
            turn = np.broadcast_to(b[self.cells][:, None, :, None], arms.shape)
            at = (corner + u[self.cells])[:, None, :, None]
            return (at + turned(turn, arms, exact)).reshape(-1, 3)
        turn = np.einsum("gi,mia->mga", self.N, b[self.cells])
        turn = np.broadcast_to(turn[:, :, None], (*turn.shape[:2], 2, 3))
        return ((rest + moved)[:, :, None] + turned(turn, up, exact)).reshape(-1, 3)
