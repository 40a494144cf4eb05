"""The shipped solar-array wing as a CalculiX model of three-dimensional sandwich panels.

Facesheets and honeycomb are separate layers of 20-node bricks, tubes and hinge bars are bricks too, so that neither
plate nor beam theory is assumed; rigid bodies hold the hinge edges over their full thickness and the ends of the bars.
"""

import numpy as np

from oracles.calculix import Deck

FACE_STIFFNESS = (110e9, 70e9, 10e9, 0.10, 0.0, 0.0, 6e9, 4e9, 4e9)  # E1 E2 E3 nu12 nu13 nu23 G12 G13 G23, Pa
CORE_STIFFNESS = (1e6, 1e6, 1e9, 0.30, 0.0, 0.0, 1e6, 220e6, 130e6)
YOKE_STIFFNESS = (120e9, 45e9)  # E, G
HINGE_STIFFNESS = (72e9, 72e9 / 2.66)


def _halves(levels: np.ndarray) -> np.ndarray:
    """Levels with their midpoints between."""
    return np.sort(np.concatenate([levels, 0.5 * (levels[1:] + levels[:-1])]))


def _isotropic(name: str, young: float, shear: float, density: float) -> str:
    return f"*MATERIAL,NAME={name}\n*ELASTIC\n{young},{young / (2 * shear) - 1:.9g}\n*DENSITY\n{density}"


def _bar_material(young: float, shear: float) -> tuple:
    """Beam theory leaves the section free to contract; rigid ends on a short solid would not, hence no Poisson effect."""
    return (young, young, young, 0.0, 0.0, 0.0, shear, shear, shear)


def _orthotropic(name: str, constants: tuple, density: float) -> str:
    head, tail = constants[:8], constants[8]
    values = ",".join(f"{c:.9g}" for c in head)
    return f"*MATERIAL,NAME={name}\n*ELASTIC,TYPE=ENGINEERING CONSTANTS\n{values}\n{tail:.9g}\n*DENSITY\n{density:.12g}"


def _tube(deck: Deck, w, first: np.ndarray, last: np.ndarray, pieces: int) -> tuple[list[int], list[int]]:
    """A tube of bricks in the x-y plane, eight around and one through the wall; returns the nodes of its ends."""
    along = (last - first) / np.linalg.norm(last - first)
    across = np.cross((0.0, 0.0, 1.0), along)
    radius = w.YOKE_RADIUS - w.YOKE_WALL * np.array([1.0, 0.5, 0.0])
    angle = np.arange(17) * np.pi / 8
    ring = np.cos(angle)[:, None] * across + np.sin(angle)[:, None] * np.array([0.0, 0.0, 1.0])
    s = np.linspace(0.0, 1.0, 2 * pieces + 1)
    axis = first + s[:, None] * (last - first)
    lattice = axis[None, None] + (radius[:, None, None] * ring)[:, :, None, :]
    part = f"tube from {first} to {last}"  # tubes pierce their neighbors near the corners: no shared nodes
    deck.bricks("YOKE", lattice, part)
    return deck.at(lattice[:, :, 0], part), deck.at(lattice[:, :, -1], part)


def _hinge_bar(deck: Deck, w, outer: np.ndarray) -> tuple[list[int], list[int]]:
    """A square bar of bricks that ends at ``outer``; returns the nodes of its inner and outer end."""
    side = np.linspace(-w.HINGE_HALF, w.HINGE_HALF, 5)
    along = np.linspace(-w.GAP, 0.0, 9)
    lattice = outer + np.stack(np.meshgrid(side, along, side, indexing="ij"), axis=-1)
    deck.bricks("HINGE", lattice, "hinge")
    return deck.at(lattice[:, 0], "hinge"), deck.at(lattice[:, -1], "hinge")


def wing_deck(w, refine: int = 1, count: int = 6) -> str:
    """Input text from the constants of ``meshes/wing.py`` (module ``w``); ``refine`` divides each shipped cell."""
    deck = Deck()
    nx, ny = w.CELLS_X * refine, w.CELLS_Y * refine
    z = _halves(np.array([-w.CORE / 2 - w.FACE, -w.CORE / 2, w.CORE / 2, w.CORE / 2 + w.FACE]))
    step_x, step_y = w.WIDTH / w.CELLS_X, w.HEIGHT / w.CELLS_Y
    x = np.linspace(-w.WIDTH / 2, w.WIDTH / 2, 2 * nx + 1)
    rails: dict[tuple[int, int], list[int]] = {}  # nodes of the rigid hinge edges: (panel, 0 inboard or 1 outboard)
    for panel in range(w.PANELS):
        start = w.panel_start(panel)
        y = start + np.linspace(0.0, w.HEIGHT, 2 * ny + 1)
        lattice = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1)
        for group, layer in (("FACE", 0), ("CORE", 2), ("FACE", 4)):
            deck.bricks(group, lattice[:, :, layer : layer + 3])
        ids = deck.at(lattice)
        flat = np.array([deck.positions[n - 1] for n in ids])

        def patch(cx: float, cy: float, half_x: float, half_y: float, flat=flat, ids=ids) -> list[int]:
            inside = (np.abs(flat[:, 0] - cx) < half_x + 1e-6) & (np.abs(flat[:, 1] - cy) < half_y + 1e-6)
            return [ids[i] for i in np.flatnonzero(inside)]

        for end in (0, 1) if panel < w.PANELS - 1 else (0,):
            rails[panel, end] = patch(0.0, start + end * w.HEIGHT, w.WIDTH / 2, 0.0)
        center = (0.0, start + w.HEIGHT / 2)
        connector = deck.new_node((*center, w.CONNECTOR_HEIGHT))
        size = 0.5 / refine
        deck.rigid(f"C{panel}", [*patch(*center, size * step_x, size * step_y), connector], (*center, 0.0))
        deck.element("CONNECTOR", "MASS", [connector])

    yoke_y = w.YOKE_REACH - w.GAP
    drive = np.zeros(3)
    corner = {side: np.array([side * w.HINGE_X, yoke_y, 0.0]) for side in (-1.0, 1.0)}
    arms = {side: _tube(deck, w, drive, corner[side], 20) for side in (-1.0, 1.0)}
    cross = _tube(deck, w, corner[-1.0], corner[1.0], 20)
    joints = [arms[side][1] + cross[k] for k, side in enumerate((-1.0, 1.0))]
    for k, side in enumerate((-1.0, 1.0)):
        for panel in range(w.PANELS):
            inner, outer = _hinge_bar(deck, w, np.array([side * w.HINGE_X, w.panel_start(panel), 0.0]))
            (joints[k] if panel == 0 else rails[panel - 1, 1]).extend(inner)
            rails[panel, 0].extend(outer)
    for number, nodes in enumerate([*joints, *rails.values()]):
        deck.rigid(f"RIGID{number}", nodes, np.mean([deck.positions[n - 1] for n in nodes], axis=0))

    cells = w.CELL_MASS / (2 * w.FACE)
    deck.cards += [
        _orthotropic("FACE", FACE_STIFFNESS, w.FACE_DENSITY + cells),
        _orthotropic("CORE", CORE_STIFFNESS, w.CORE_DENSITY),
        _isotropic("YOKE", *YOKE_STIFFNESS, w.YOKE_DENSITY),
        _orthotropic("HINGE", _bar_material(*HINGE_STIFFNESS), w.HINGE_DENSITY),
        "*SOLID SECTION,ELSET=FACE,MATERIAL=FACE",
        "*SOLID SECTION,ELSET=CORE,MATERIAL=CORE",
        "*SOLID SECTION,ELSET=YOKE,MATERIAL=YOKE",
        "*SOLID SECTION,ELSET=HINGE,MATERIAL=HINGE",
        f"*MASS,ELSET=CONNECTOR\n{w.CONNECTOR_MASS}",
    ]
    return deck.text(arms[-1.0][0] + arms[1.0][0], count)
