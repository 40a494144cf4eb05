"""The shipped dish as a CalculiX solid: a curved sheet of 20-node bricks with ribs of bricks under it, true paraboloid."""

import numpy as np

from oracles.calculix import Deck


def _sheet(d, radius: np.ndarray, lateral: np.ndarray, depth: np.ndarray, azimuth: float) -> np.ndarray:
    """Lattice (radius, lateral, depth, 3): polar angle ``lateral`` (radius, lateral) from ``azimuth``, depth below."""
    angle = azimuth + lateral
    r = np.broadcast_to(radius[:, None], angle.shape)
    middle = np.stack([r * np.cos(angle), r * np.sin(angle), d.surface_height(r)], axis=-1)
    slope = r / (2.0 * d.FOCUS)
    normal = np.stack([-slope * np.cos(angle), -slope * np.sin(angle), np.ones_like(r)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    return middle[:, :, None, :] - depth[None, None, :, None] * normal[:, :, None, :]


def dish_deck(d, rings: int = 20, between_ribs: int = 8, thinner: float = 4.0, count: int = 8) -> str:
    """Input text from the constants of ``meshes/dish.py`` (module ``d``).

    A beam under a shell stiffens it along a line; a solid rib along a strip of its own width, which shortens the bays
    (0.5 % in frequency here). ``thinner`` makes the ribs so many times thinner, stiffer and denser: same section
    stiffness in their plane and same mass, on a line.
    """
    deck = Deck()
    radius = d.radii(2 * rings)
    half = np.arcsin(0.5 * d.RIB_WIDTH / thinner / radius)[:, None]  # half the rib's width seen from the axis
    pitch = 2.0 * np.pi / d.RIBS
    through = d.THICKNESS * np.array([-0.5, 0.0, 0.5])
    rib = 0.5 * d.THICKNESS + d.RIB_DEPTH * np.linspace(0.0, 1.0, 5)
    t = np.linspace(0.0, 1.0, 2 * between_ribs + 1)[None, :]
    held: list[int] = []
    for k in range(d.RIBS):
        strip = half * np.array([[-1.0, 0.0, 1.0]])
        bay = half + (pitch - 2.0 * half) * t
        for group, lateral, depth in (("DISH", strip, through), ("RIB", strip, rib), ("DISH", bay, through)):
            lattice = _sheet(d, radius, lateral, depth, k * pitch)
            deck.bricks(group, lattice[:, :, ::-1])  # depth runs down: right-handed upward
            held += deck.at(lattice[0])
    for group, factor in (("DISH", 1.0), ("RIB", thinner)):
        deck.cards += [
            f"*MATERIAL,NAME={group}\n*ELASTIC\n{d.YOUNG * factor},{d.POISSON}\n*DENSITY\n{d.DENSITY * factor}",
            f"*SOLID SECTION,ELSET={group},MATERIAL={group}",
        ]
    return deck.text(held, count)
