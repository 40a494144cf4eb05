"""Natural frequencies of a uniform clamped Bernoulli beam that carries an offset rigid body: exact, no elements.

The beam is reduced to the six displacements of its tip by the exact solutions of its wave equations
(axial and twist: ``K x cot``; bending: Kolousek's functions); the body is a 6 x 6 mass matrix about the tip.
"""

import numpy as np
from scipy.optimize import brentq


def _bending(stiffness: float, line_mass: float, length: float, w: float) -> np.ndarray:
    """Dynamic stiffness (force, moment) by (deflection, slope) at the free end of a clamped beam."""
    k = (line_mass * w**2 / stiffness) ** 0.25
    x = k * length
    c, s, ch, sh = np.cos(x), np.sin(x), np.cosh(x), np.sinh(x)
    bottom = 1.0 - c * ch
    force = k**3 * (c * sh + s * ch)
    mixed = -(k**2) * s * sh
    moment = k * (s * ch - c * sh)
    return stiffness / bottom * np.array([[force, mixed], [mixed, moment]])


def _rod(stiffness: float, line_mass: float, length: float, w: float) -> float:
    k = w * np.sqrt(line_mass / stiffness)
    return stiffness * k / np.tan(k * length)


def tip_body(mass: float, offset, inertia) -> np.ndarray:
    """Mass matrix (6, 6) of a body about the tip, its principal inertia given about its own center."""
    x, y, z = offset
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    about_tip = np.diag(inertia) - mass * cross @ cross
    return np.block([[mass * np.eye(3), -mass * cross], [mass * cross, about_tip]])


def dynamic_stiffness(b, w: float) -> np.ndarray:
    """(6, 6) of boom and body at circular frequency w, from the constants of ``meshes/boom.py`` (module b)."""
    inner = b.OUTER - b.WALL
    area, second = np.pi * (b.OUTER**2 - inner**2), np.pi / 4 * (b.OUTER**4 - inner**4)
    line_mass, shear = b.DENSITY * area, b.YOUNG / (2 * (1 + b.POISSON))
    matrix = np.zeros((6, 6))
    matrix[0, 0] = _rod(b.YOUNG * area, line_mass, b.LENGTH, w)
    matrix[3, 3] = _rod(2 * second * shear, 2 * b.DENSITY * second, b.LENGTH, w)
    bend = _bending(b.YOUNG * second, line_mass, b.LENGTH, w)
    matrix[np.ix_([1, 5], [1, 5])] = bend
    flip = np.diag([1.0, -1.0])  # a positive rotation about y lowers the tip's slope in z
    matrix[np.ix_([2, 4], [2, 4])] = flip @ bend @ flip
    return matrix - w**2 * tip_body(b.TIP_MASS, b.TIP_OFFSET, b.TIP_INERTIA)


def frequencies_hz(b, top_hz: float, step_hz: float = 0.01) -> np.ndarray:
    """All frequencies below ``top_hz``: each eigenvalue of the dynamic stiffness is followed through zero.

    Eigenvalues fall steadily with frequency between the beam's clamped-clamped poles; a crossing at a pole goes
    from minus to plus infinity and is not counted, so pairs that lie 1e-4 apart are told from each other.
    """
    grid = np.arange(0.5 * step_hz, top_hz, step_hz)
    curves = np.array([np.linalg.eigvalsh(dynamic_stiffness(b, 2 * np.pi * f)) for f in grid])
    found = []
    for column in range(6):

        def value(f: float, column=column) -> float:
            return float(np.linalg.eigvalsh(dynamic_stiffness(b, 2 * np.pi * f))[column])

        falling = np.flatnonzero((curves[:-1, column] > 0) & (curves[1:, column] <= 0))
        found += [brentq(value, grid[i], grid[i + 1], xtol=1e-12) for i in falling]
    return np.sort(found)
