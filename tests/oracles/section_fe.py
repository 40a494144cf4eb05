"""Cross sections made of rectangles by bilinear finite elements of the warping function; shares nothing with the package.

Torsion: laplace(w) = 0 with dw/dn = z n_y - y n_z, J = int (w_y - z)² + (w_z + y)² dA. Shear center after Trefftz from w.
Shear factor for nu = 0: laplace(f) = -y / I, df/dn = 0, K = 1 / (A int |grad f|² dA) for a force along a principal axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import splu

_G = np.array([-1.0, 1.0]) / np.sqrt(3.0)


@dataclass(frozen=True)
class Section:
    """Values about the centroid: i_zz = int y² dA, i_yy = int z² dA, i_yz = int y z dA; shear_center from the centroid."""

    area: float
    i_zz: float
    i_yy: float
    i_yz: float
    torsion: float
    shear_center: tuple[float, float]
    shear_y: float
    shear_z: float


def solve(rectangles, cells: int = 6) -> Section:
    """``rectangles``: (y, z of the center, height along y, width along z), without overlap; ``cells`` per smallest step."""
    parts = np.array(rectangles, float)
    lines = []
    for k in (0, 1):
        edges = np.unique(
            np.round(np.concatenate([parts[:, k] - parts[:, 2 + k] / 2, parts[:, k] + parts[:, 2 + k] / 2]), 12)
        )
        thin = min(parts[:, 2:].min(), np.diff(edges).max())
        counts = np.clip(np.ceil(cells * np.diff(edges) / thin), 2, 80).astype(int)
        lines.append(np.unique(np.concatenate([np.linspace(a, b, n + 1) for a, b, n in zip(edges, edges[1:], counts)])))
    ys, zs = lines
    ym, zm = 0.5 * (ys[:-1] + ys[1:]), 0.5 * (zs[:-1] + zs[1:])
    inside = np.zeros((len(ym), len(zm)), bool)
    for y, z, h, w in parts:
        inside |= (np.abs(ym - y) < h / 2)[:, None] & (np.abs(zm - z) < w / 2)[None, :]
    i, j = np.nonzero(inside)
    index = lambda a, b: a * len(zs) + b  # noqa: E731
    cell = np.column_stack([index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)])
    used, cell = np.unique(cell, return_inverse=True)
    cell = cell.reshape(len(i), 4)
    y, z = ys[used // len(zs)], zs[used % len(zs)]
    hy, hz = np.diff(ys)[i], np.diff(zs)[j]
    area = (hy * hz).sum()
    y, z = y - (hy * hz * ym[i]).sum() / area, z - (hy * hz * zm[j]).sum() / area
    n = len(used)
    cy, cz = np.array([-1, 1, 1, -1]), np.array([-1, -1, 1, 1])
    K = np.zeros((len(i), 4, 4))
    points = []
    for r in _G:
        for s in _G:
            N = 0.25 * (1 + r * cy) * (1 + s * cz)
            Ny, Nz = (
                (0.25 * cy * (1 + s * cz))[None] * 2 / hy[:, None],
                (0.25 * cz * (1 + r * cy))[None] * 2 / hz[:, None],
            )
            w = hy * hz / 4
            K += w[:, None, None] * (Ny[:, :, None] * Ny[:, None] + Nz[:, :, None] * Nz[:, None])
            points.append((N, Ny, Nz, w, y[cell] @ N, z[cell] @ N))
    rows = np.repeat(cell, 4, axis=1).ravel()
    A = csr_array((K.ravel(), (rows, np.tile(cell, (1, 4)).ravel())), shape=(n, n)).tolil()
    A[0, 0] += 1.0 * A.diagonal().max()
    solver = splu(A.tocsc())

    def total(f):
        return sum(float((w * f(N, Ny, Nz, yg, zg)).sum()) for N, Ny, Nz, w, yg, zg in points)

    def load(f):
        b = np.zeros(n)
        for N, Ny, Nz, w, yg, zg in points:
            np.add.at(b, cell, w[:, None] * f(N, Ny, Nz, yg[:, None], zg[:, None]))
        return b

    izz, iyy, iyz = (
        total(f) for f in (lambda N, a, b, p, q: p * p, lambda N, a, b, p, q: q * q, lambda N, a, b, p, q: p * q)
    )
    omega = solver.solve(load(lambda N, Ny, Nz, p, q: Ny * q - Nz * p))
    torsion = total(lambda N, Ny, Nz, p, q: ((omega[cell] * Ny).sum(1) - q) ** 2 + ((omega[cell] * Nz).sum(1) + p) ** 2)
    omega = omega - total(lambda N, Ny, Nz, p, q: omega[cell] @ N) / area
    wy, wz = (total(lambda N, Ny, Nz, p, q, k=k: (omega[cell] @ N) * (p if k == 0 else q)) for k in (0, 1))
    # moving the pole by (a, b) adds a z - b y to the warping, which must be free of bending: int w y = int w z = 0
    a, b = np.linalg.solve(np.array([[iyz, -izz], [iyy, -iyz]]), [-wy, -wz])
    shear = []
    for own in (0, 1):
        inertia = izz if own == 0 else iyy
        f = solver.solve(
            load(lambda N, Ny, Nz, p, q, own=own, inertia=inertia: N[None] * (p if own == 0 else q) / inertia)
        )
        energy = total(lambda N, Ny, Nz, p, q, f=f: (f[cell] * Ny).sum(1) ** 2 + (f[cell] * Nz).sum(1) ** 2)
        shear.append(1.0 / (area * energy))
    return Section(area, izz, iyy, iyz, torsion, (a, b), *shear)
