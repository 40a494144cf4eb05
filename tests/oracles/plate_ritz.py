"""Natural frequencies of plates and membranes of four sides by Rayleigh and Ritz: no elements.

Displacements are products of Legendre polynomials in the reference square, times the factors that vanish on clamped
edges; energies are integrated by Gauss points over the mapped domain. Frequencies fall toward the exact ones as the
degree grows, so two degrees that agree bound what is left.
"""

from collections.abc import Callable

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import eigh


def _functions(degree: int, clamped: tuple[bool, bool], points: np.ndarray):
    """Values and slopes (degree, points) that vanish at -1 or +1 where clamped."""
    low, high = clamped
    edge = (1 + points if low else 1.0) * (1 - points if high else 1.0) * np.ones_like(points)
    slope = (1 - points if high else np.ones_like(points)) * low - (1 + points if low else np.ones_like(points)) * high
    series = np.eye(degree) * np.sqrt(np.arange(degree) + 0.5)
    value = np.array([legendre.legval(points, c) for c in series])
    rate = np.array([legendre.legval(points, legendre.legder(c)) if i else 0 * points for i, c in enumerate(series)])
    return edge * value, slope * value + edge * rate


def _field(corners, edges: str, degree: int):
    """Values (q, f), gradients (2, q, f) and weights (q,) over a quadrilateral with the given corners (4, 2).

    ``edges``: clamped (c) or free (f) at xi = -1, xi = 1, eta = -1, eta = 1.
    """
    points, weights = legendre.leggauss(degree + 6)
    held = [e == "c" for e in edges]
    f, df = _functions(degree, (held[0], held[1]), points)
    g, dg = _functions(degree, (held[2], held[3]), points)
    value, along, across = np.kron(f, g).T, np.kron(df, g).T, np.kron(f, dg).T
    x, y = (p.ravel() for p in np.meshgrid(points, points, indexing="ij"))
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    d_xi = 0.25 * signs[:, 0] * (1 + np.outer(y, signs[:, 1])) @ np.asarray(corners, float)
    d_eta = 0.25 * signs[:, 1] * (1 + np.outer(x, signs[:, 0])) @ np.asarray(corners, float)
    det = d_xi[:, 0] * d_eta[:, 1] - d_xi[:, 1] * d_eta[:, 0]
    gradient = np.stack(
        [
            (d_eta[:, 1, None] * along - d_xi[:, 1, None] * across) / det[:, None],
            (-d_eta[:, 0, None] * along + d_xi[:, 0, None] * across) / det[:, None],
        ]
    )
    return value, gradient, np.outer(weights, weights).ravel() * det


def _elastic(young: float, poisson: float) -> np.ndarray:
    return young / (1 - poisson**2) * np.array([[1, poisson, 0], [poisson, 1, 0], [0, 0, (1 - poisson) / 2]])


def _strains(gradient: np.ndarray) -> np.ndarray:
    """(3, q, 2f): xx, yy, 2 xy of a vector field whose components have the same functions."""
    x, y = gradient
    nil = np.zeros_like(x)
    return np.stack([np.hstack([x, nil]), np.hstack([nil, y]), np.hstack([y, x])])


def _solved(stiffness: np.ndarray, mass: np.ndarray, count: int, rigid: int) -> np.ndarray:
    """The lowest, from 1 / (w² + shift): mass may be singular, stiffness too."""
    n, shift = len(mass), 1e-3 * np.trace(stiffness) / np.trace(mass)
    values = eigh(mass, stiffness + shift * mass, eigvals_only=True, subset_by_index=[n - count - rigid, n - 1])[::-1]
    return np.sqrt(np.maximum(1 / values[rigid:] - shift, 0.0)) / 2 / np.pi


def mindlin_plate(
    corners,
    edges: str,
    thickness: float,
    young: float,
    poisson: float,
    density: float,
    count: int,
    degree: int = 14,
    rotary: float = 1.0,
) -> np.ndarray:
    """Hz: Mindlin's plate with shear factor 5/6 and rotary inertia (times ``rotary``); the three rigid motions of free
    plates left out.
    """
    value, gradient, weights = _field(corners, edges, degree)
    n = value.shape[1]
    bend = np.zeros((3, len(weights), 3 * n))
    bend[:, :, n:] = _strains(gradient)
    slip = np.zeros((2, len(weights), 3 * n))
    slip[:, :, :n] = gradient
    slip[0, :, n : 2 * n] = slip[1, :, 2 * n :] = value
    stiff = _elastic(young, poisson) * thickness**3 / 12
    shear = 5 / 6 * young / 2 / (1 + poisson) * thickness
    stiffness = _energy(bend, stiff, weights) + _energy(slip, shear * np.eye(2), weights)
    inertia = density * thickness * np.diag([1.0, *2 * [rotary * thickness**2 / 12]])
    return _solved(stiffness, np.kron(inertia, value.T @ (weights[:, None] * value)), count, 3 * ("c" not in edges))


def laminate_plate(
    corners,
    edges: str,
    matrices: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    areal_mass: float,
    count: int,
    degree: int = 14,
) -> np.ndarray:
    """Hz: first-order shear deformation with any A, B, D (3, 3) and shear stiffness (2, 2); no rotary inertia.

    Rotations beta carry no mass and are condensed: u = u0 + z beta, shear strain grad w + beta. In-plane motion takes part
    where B couples it.
    """
    membrane, coupling, bending, shear = matrices
    value, (x, y), weights = _field(corners, edges, degree)
    n = value.shape[1]
    xx, xy, yy, vv, vx, vy = (
        a.T @ (weights[:, None] * b) for a, b in ((x, x), (x, y), (y, y), (value, value), (value, x), (value, y))
    )

    def strained(c: np.ndarray) -> np.ndarray:
        """Energy of (a_x,x; a_y,y; a_x,y + a_y,x) with stiffness c over the functions of a_x and a_y."""
        first = c[0, 0] * xx + c[0, 2] * (xy + xy.T) + c[2, 2] * yy
        mixed = c[0, 1] * xy + c[0, 2] * xx + c[1, 2] * yy + c[2, 2] * xy.T
        return np.block([[first, mixed], [mixed.T, c[1, 1] * yy + c[1, 2] * (xy + xy.T) + c[2, 2] * xx]])

    slope = shear[0, 0] * xx + shear[0, 1] * (xy + xy.T) + shear[1, 1] * yy
    tilt = np.hstack([shear[0, 0] * vx.T + shear[0, 1] * vy.T, shear[0, 1] * vx.T + shear[1, 1] * vy.T])
    turning = strained(bending) + np.kron(shear, vv)
    if not np.any(coupling):
        stiffness = slope - tilt @ np.linalg.solve(turning, tilt.T)
        return _solved(0.5 * (stiffness + stiffness.T), areal_mass * vv, count, 0)
    with_turn = np.vstack([tilt, strained(coupling)])
    stiffness = np.zeros((3 * n, 3 * n))
    stiffness[:n, :n], stiffness[n:, n:] = slope, strained(membrane)
    stiffness -= with_turn @ np.linalg.solve(turning, with_turn.T)
    return _solved(0.5 * (stiffness + stiffness.T), areal_mass * np.kron(np.eye(3), vv), count, 0)


def sandwich_plate(
    corners,
    edges: tuple[str, str, str],
    bending: np.ndarray,
    shear: np.ndarray,
    areal_mass: float,
    count: int,
    degree: int,
) -> np.ndarray:
    """Hz: first-order shear deformation without rotary inertia; ``edges`` of w, beta_x and beta_y each."""
    (w, slope, weights), *turns = (_field(corners, edge, degree) for edge in edges)

    def product(left, right):
        return left.T @ (weights[:, None] * right)

    nil = np.zeros_like(w)
    (x, (xx, xy), _), (y, (yx, yy), _) = turns
    bend = np.stack([np.hstack([xx, nil]), np.hstack([nil, yy]), np.hstack([xy, yx])])
    turn = np.stack([np.hstack([x, nil]), np.hstack([nil, y])])
    turning = _energy(bend, bending, weights) + _energy(turn, shear, weights)
    tilt = sum(shear[i, j] * product(slope[i], turn[j]) for i in range(2) for j in range(2))
    stiffness = _energy(slope, shear, weights) - tilt @ np.linalg.solve(turning, tilt.T)
    return _solved(0.5 * (stiffness + stiffness.T), areal_mass * product(w, w), count, 0)


def membrane(
    corners, edges: str, young: float, poisson: float, density: float, count: int, degree: int = 14
) -> np.ndarray:
    """Hz: isotropic plane stress."""
    return anisotropic_membrane(corners, edges, _elastic(young, poisson), density, count, degree)


def anisotropic_membrane(
    corners, edges: str, elastic: np.ndarray, density: float, count: int, degree: int = 14
) -> np.ndarray:
    """Hz: plane motion with any stiffness (3, 3)."""
    value, gradient, weights = _field(corners, edges, degree)
    stiffness = _energy(_strains(gradient), elastic, weights)
    mass = density * np.kron(np.eye(2), value.T @ (weights[:, None] * value))
    return _solved(stiffness, mass, count, 3 * ("c" not in edges))


def _energy(strains: np.ndarray, elastic: np.ndarray, weights: np.ndarray) -> np.ndarray:
    rows = strains.reshape(len(strains), -1)
    stress = (elastic @ rows).reshape(strains.shape) * weights[:, None]
    return np.einsum("aqi,aqj->ij", strains, stress, optimize=True)


def converged(solve: Callable[[int], np.ndarray], degree: int, tolerance: float) -> np.ndarray:
    """Frequencies at ``degree``, once they are within ``tolerance`` of those of four degrees less."""
    found, before = solve(degree), solve(degree - 4)
    assert (found <= before * (1 + 1e-9)).all()
    assert np.abs(before / found - 1).max() < tolerance
    return found
