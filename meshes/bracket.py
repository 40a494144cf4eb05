"""L-shaped bracket of ten-node tetrahedra as a Gmsh file with physical groups; properties are in bracket.toml."""

from __future__ import annotations

import numpy as np

LEG, DEPTH, THICK = 0.12, 0.06, 0.015  # m
YOUNG, POISSON, DENSITY = 110e9, 0.31, 4430.0  # titanium alloy
CELL = 0.0075

#: Six tetrahedra of a cube by corner number (x fastest), all with positive volume.
_SPLIT = np.array([[0, 1, 3, 7], [0, 1, 7, 5], [0, 5, 7, 4], [0, 3, 2, 7], [0, 6, 4, 7], [0, 2, 6, 7]])
_EDGES = np.array([[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]])


def mass() -> float:
    """Closed form, kg."""
    return DENSITY * DEPTH * (2 * LEG * THICK - THICK**2)


def mesh() -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and ten-node tetrahedra (m, 10) in VTK order."""
    nx, ny, nz = round(LEG / CELL), round(DEPTH / CELL), round(LEG / CELL)
    cubes = []
    for i in range(nx):
        for k in range(nz):
            if (k + 0.5) * CELL < THICK or (i + 0.5) * CELL < THICK:
                cubes += [(i, j, k) for j in range(ny)]
    cube = np.array(cubes)
    corner = np.array([[c & 1, c >> 1 & 1, c >> 2 & 1] for c in range(8)])
    grid = (cube[:, None, :] + corner[None, :, :])[:, _SPLIT, :].reshape(-1, 4, 3) * 2
    middle = (grid[:, _EDGES[:, 0]] + grid[:, _EDGES[:, 1]]) // 2
    lattice = np.concatenate([grid, middle], axis=1)
    volumes = np.linalg.det((grid[:, 1:] - grid[:, :1]).astype(float))
    flip = volumes < 0.0
    lattice[flip] = lattice[flip][:, [0, 2, 1, 3, 6, 5, 4, 7, 9, 8]]
    unique, cells = np.unique(lattice.reshape(-1, 3), axis=0, return_inverse=True)
    return unique * CELL / 2.0, cells.reshape(-1, 10)


def foot(points: np.ndarray) -> np.ndarray:
    """Node numbers (from 0) of the bolted face x = 0 of the upright leg's end z = LEG."""
    return np.flatnonzero(np.abs(points[:, 2] - LEG) < 1e-9)
