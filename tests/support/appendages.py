"""Small appendages made without any finite-element code: nodal bodies with polynomial shapes."""

import numpy as np

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.record.drawing_topology import Topology
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage


def polynomial_panel(cells_x: int = 20, cells_y: int = 10, name: str = "panel") -> ReducedAppendage:
    """A 2 m x 1 m panel of particles clamped along x = 0, with a bending and a twisting shape."""
    x, y = np.meshgrid(np.linspace(0, 2, cells_x + 1), np.linspace(0, 1, cells_y + 1), indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    n = len(points)
    i, j = np.meshgrid(np.arange(cells_x), np.arange(cells_y), indexing="ij")
    a = (i * (cells_y + 1) + j).ravel()
    quads = np.column_stack([a, a + cells_y + 1, a + cells_y + 2, a + 1])
    shapes = np.zeros((n, 3, 2))
    shapes[:, 2, 0] = points[:, 0] ** 2
    shapes[:, 2, 1] = points[:, 0] ** 2 * (points[:, 1] - 0.5)
    turn = np.zeros_like(shapes)
    integrals = nodal_body_integrals(points, np.full(n, 5.0 / n), np.zeros((n, 3)), np.zeros((n, 3, 3)), shapes, turn)
    stiffness = integrals.modal_mass * np.diag([(2 * np.pi * 0.7) ** 2, (2 * np.pi * 2.1) ** 2])
    tip = n - 1
    interfaces = (
        Interface("root", 1, points[0], np.eye(3), shapes[0], turn[0]),
        Interface("tip", tip + 1, points[tip], np.eye(3), shapes[tip], turn[tip]),
    )
    return ReducedAppendage(
        name=name,
        integrals=integrals,
        stiffness=stiffness,
        damping=0.01 * stiffness,
        nodes=NodeTable(np.arange(1, n + 1), points, shapes, turn),
        frame=FrameRecord("connection", "held along one edge", (0.0, 0.0)),
        interfaces=interfaces,
        attachment="root",
        topology=Topology(
            triangles=np.vstack([quads[:, :3], quads[:, [0, 2, 3]]]),
            lines=np.array([[0, cells_y]]),
            bodies=np.array([tip]),
        ),
    )


def random_bodies(seed: int = 0, bodies: int = 6, modes: int = 4, *, offsets: bool = True) -> ReducedAppendage:
    """Offset rigid bodies with random shapes, held at a root that does not move; full damping, three interfaces."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(bodies, 3)) + np.array([1.0, 0.0, 0.0])
    points[0] = (0.3, -0.1, 0.2)
    masses = rng.uniform(0.5, 2.0, bodies)
    arms = 0.2 * rng.normal(size=(bodies, 3)) * offsets
    half = rng.normal(size=(bodies, 3, 3))
    inertias = (half @ half.transpose(0, 2, 1) * 0.05 + 0.1 * np.eye(3)) * (1.0 if offsets else 0.0)
    shapes, turns = (0.4 * rng.normal(size=(bodies, 3, modes)), 0.3 * rng.normal(size=(bodies, 3, modes)) * offsets)
    shapes[0], turns[0] = 0.0, 0.0
    integrals = nodal_body_integrals(points, masses, arms, inertias, shapes, turns)
    spread = rng.normal(size=(modes, modes))
    stiffness = 40.0 * (spread @ spread.T + np.eye(modes))
    interfaces = tuple(
        Interface(name, 10 * (row + 1), points[row], np.eye(3), shapes[row], turns[row])
        for name, row in (("root", 0), ("tip", 2), ("dish", 4))
    )
    chain = np.column_stack([np.arange(bodies - 1), np.arange(1, bodies)])
    return ReducedAppendage(
        name="random bodies",
        integrals=integrals,
        stiffness=stiffness,
        damping=0.01 * stiffness,
        nodes=NodeTable(10 * np.arange(1, bodies + 1), points, shapes, turns),
        frame=FrameRecord("connection", "held at the root", (0.0,) * modes),
        reference_point=np.array([0.5, 0.4, -0.2]),
        interfaces=interfaces,
        attachment="root",
        topology=Topology(lines=chain, bodies=np.arange(bodies)),
    )
