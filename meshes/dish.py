"""Parabolic dish of triangles and quadrilaterals with radial rib beams, held at its hub ring, SI."""

from __future__ import annotations

import numpy as np
from bdf_text import card, deck

RADIUS, FOCUS, HUB = 1.5, 1.1, 0.2
RINGS, SECTORS = 24, 96
THICKNESS, YOUNG, POISSON, DENSITY = 0.002, 60e9, 0.3, 1600.0
RIB_WIDTH, RIB_DEPTH, RIBS = 0.002, 0.04, 12


def surface_height(radius: np.ndarray | float) -> np.ndarray | float:
    return radius**2 / (4.0 * FOCUS)


def radii(rings: int) -> np.ndarray:
    """Radii of the rings, m, closer together near the hub where the held edge bends the sheet within sqrt(R t)."""
    return HUB + (RADIUS - HUB) * np.linspace(0.0, 1.0, rings + 1) ** 1.8


def nodes() -> np.ndarray:
    """Positions (RINGS + 1, SECTORS, 3), m."""
    r = radii(RINGS)[:, None]
    a = 2.0 * np.pi * np.arange(SECTORS)[None, :] / SECTORS
    return np.stack([r * np.cos(a), r * np.sin(a), surface_height(r) + 0.0 * a], axis=2)


def rib_offset(positions: np.ndarray) -> np.ndarray:
    """From the sheet to the middle of a rib that hangs under it along the surface normal, m (..., 3)."""
    normal = np.stack([-positions[..., 0], -positions[..., 1], np.full(positions.shape[:-1], 2.0 * FOCUS)], axis=-1)
    return -0.5 * (RIB_DEPTH + THICKNESS) * normal / np.linalg.norm(normal, axis=-1, keepdims=True)


def mass() -> float:
    """Closed form of the meshed (faceted) shape, kg: quads by their mean-plane area, ribs by their chords."""
    p = nodes()
    q = np.roll(p, -1, axis=1)
    diagonal_1, diagonal_2 = q[1:] - p[:-1], p[1:] - q[:-1]
    area = 0.5 * np.linalg.norm(np.cross(diagonal_1, diagonal_2), axis=2).sum()
    spokes = p[:, :: SECTORS // RIBS]
    spokes = spokes + rib_offset(spokes)
    length = np.linalg.norm(np.diff(spokes, axis=0), axis=2).sum()
    return float(DENSITY * (area * THICKNESS + RIB_WIDTH * RIB_DEPTH * length))


def text() -> str:
    p = nodes()

    def node(ring: int, sector: int) -> int:
        return 100 * (ring + 1) + sector % SECTORS + 1

    bulk = [card("MAT1", 1, YOUNG, None, POISSON, DENSITY), card("PSHELL", 1, 1, THICKNESS, 1, None, 1)]
    bulk.append(f"PBARL,2,1,,BAR\n+,{RIB_WIDTH},{RIB_DEPTH}")
    bulk.append(card("GRID", 1, None, 0.0, 0.0, 0.0))
    for ring in range(RINGS + 1):
        bulk += [card("GRID", node(ring, s), None, *(float(v) for v in p[ring, s])) for s in range(SECTORS)]
    for ring in range(RINGS):
        for s in range(SECTORS):
            corners = (node(ring, s), node(ring + 1, s), node(ring + 1, s + 1), node(ring, s + 1))
            bulk.append(card("CQUAD4", node(ring, s), 1, *corners))
    number = 5000
    offsets = rib_offset(p)
    for s in range(0, SECTORS, SECTORS // RIBS):
        for ring in range(RINGS):
            number += 1
            bulk.append(
                card(
                    "CBAR",
                    number,
                    2,
                    node(ring, s),
                    node(ring + 1, s),
                    0.0,
                    0.0,
                    1.0,
                    None,
                    None,
                    None,
                    *(float(v) for v in offsets[ring, s]),
                    *(float(v) for v in offsets[ring + 1, s]),
                )
            )
    bulk.append(rbe2(9000, 1, [node(0, s) for s in range(SECTORS)]))
    bulk.append("SPC1,1,123456,1")
    return deck("Parabolic dish with ribs, SI units", bulk, modes=16)


def rbe2(element: int, independent: int, dependents: list[int]) -> str:
    """A rigid element over many nodes, large field."""
    return card("RBE2", element, independent, 123456, *dependents)
