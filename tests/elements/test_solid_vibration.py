"""Free vibration of solids: NAFEMS FV52 and FV42, closed forms of bars, and convergence."""

import numpy as np
import pytest
from support.surfaces import held, solid_model

from tisserand.assembly.assemble import assemble
from tisserand.elements.solid_shapes import HEX_EDGES
from tisserand.model import Isotropic, Nodes
from tisserand.modes import solve_modes

STEEL = Isotropic.from_young(1, 200e9, 0.3, 8000.0)
#: Six tetrahedra that fill a brick (VTK corners), all with positive volume.
BRICK_TETS = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))
#: Bases of the six pyramids between the faces of a brick and its middle.
BRICK_PYRAMIDS = ((0, 1, 2, 3), (7, 6, 5, 4), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0))
PYRAMID_EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4))
BRICK_WEDGES = ((0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7))


def bricks(counts, size):
    """Corners and hex8 cells of a box."""
    axes = [np.linspace(0, s, n + 1) for s, n in zip(size, counts)]
    points = np.stack([g.ravel() for g in np.meshgrid(*axes, indexing="ij")], axis=1)
    shape = np.array(counts) + 1

    def at(i, j, k):
        return (i * shape[1] + j) * shape[2] + k

    i, j, k = (g.ravel() for g in np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"))
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    return points, np.stack([at(i + a, j + b, k + c) for a, b, c in corners], axis=1)


def raised(points, cells, edges, cubic=False):
    """Quadratic (cubic) cells: nodes halfway (at the thirds) along the edges are added, shared between neighbors."""
    stated = np.stack([cells[:, list(e)] for e in edges], axis=1).reshape(-1, 2)
    unique, place = np.unique(np.sort(stated, axis=1), axis=0, return_inverse=True)
    a, b = points[unique].swapaxes(0, 1)
    if not cubic:
        return np.vstack([points, (a + b) / 2]), np.hstack([cells, len(points) + place.reshape(len(cells), -1)])
    middle = np.stack([(2 * a + b) / 3, (a + 2 * b) / 3], axis=1).reshape(-1, 3)
    back = (stated[:, 0] > stated[:, 1])[:, None]
    pair = 2 * place.reshape(-1, 1) + np.where(back, [1, 0], [0, 1])
    return np.vstack([points, middle]), np.hstack([cells, len(points) + pair.reshape(len(cells), -1)])


def pyramids(points, cells):
    """Six pyramids in every brick, between its faces and its middle."""
    middle = len(points) + np.arange(len(cells))[:, None]
    parts = [np.hstack([cells[:, list(base)], middle]) for base in BRICK_PYRAMIDS]
    return np.vstack([points, points[cells].mean(axis=1)]), np.vstack(parts)


def test_fv52_simply_supported_solid_plate():
    """4 x 4 x 1 bricks of 20 nodes held at their bottom edges, against code_aster's HEXA20 targets for the
    same mesh (sdls502); the line support makes finer meshes softer without end.
    """
    points, cells = raised(*bricks((4, 4, 1), (10.0, 10.0, 1.0)), HEX_EDGES)
    x, y, z = points.T
    edge = (z == 0) & ((x == 0) | (x == 10) | (y == 0) | (y == 10))
    model = solid_model(points, cells, "hex20", STEEL, supports=held(len(points), (edge, "3")))
    found = np.array(solve_modes(assemble(model), count=10).frequencies_hz)
    elastic = found[found > 1.0][:7]
    assert np.allclose(elastic, [44.762, 110.52, 110.52, 169.08, 193.93, 206.64, 206.64], rtol=0.001)


def test_fv42_radial_modes_of_a_thick_hollow_sphere():
    """Radii 1.8 and 6 m, ten bricks of 20 nodes along the radius, motion radial in node axes."""
    angle = np.radians(3.0)
    box, cells = raised(*bricks((10, 1, 1), (1.0, 1.0, 1.0)), HEX_EDGES)
    radius = 1.8 + 4.2 * box[:, 0]
    theta, phi = angle * (box[:, 1] - 0.5), angle * (box[:, 2] - 0.5)
    radial = np.stack([np.cos(theta) * np.cos(phi), np.sin(theta) * np.cos(phi), np.sin(phi)], axis=1)
    points = radius[:, None] * radial
    first = np.cross([0.0, 0.0, 1.0], radial)
    first /= np.linalg.norm(first, axis=1)[:, None]
    axes = np.stack([radial, first, np.cross(radial, first)], axis=1)
    model = solid_model(points, cells, "hex20", STEEL, supports=held(len(points), (slice(None), "23")))
    model = model.changed(nodes=Nodes(model.nodes.ids, points, axes))
    found = np.array(solve_modes(assemble(model), count=5).frequencies_hz)
    assert np.allclose(found, [369.91, 838.03, 1451.2, 2111.7, 2795.8], rtol=0.005)


@pytest.mark.parametrize(
    ("kind", "order"),
    [
        ("tet4", 2), ("tet10", 4), ("hex8", 2), ("hex20", 4), ("hex32", 6), ("wedge6", 2), ("wedge15", 4), ("pyramid5", 2),
        ("pyramid13", 4),
    ],
)  # fmt: skip
def test_axial_frequency_converges_with_the_order_of_the_element(kind, order):
    """Fixed-free bar without lateral motion: f = c/(4 L), c² = E (1 - nu)/(rho (1 + nu)(1 - 2 nu));
    eigenvalues converge as h^(2 p).
    """
    nu, length = STEEL.poisson, 4.0
    speed = np.sqrt(STEEL.young * (1 - nu) / (STEEL.density * (1 + nu) * (1 - 2 * nu)))
    errors, counts = [], np.array([2, 4, 8])
    for n in counts:
        points, cells = bricks((n, 1, 1), (length, 1.0, 1.0))
        edges = ()
        if kind.startswith("tet"):
            cells = np.vstack([cells[:, list(t)] for t in BRICK_TETS])
            edges = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
        elif kind.startswith("wedge"):
            cells = np.vstack([cells[:, list(t)] for t in BRICK_WEDGES])
            edges = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
        elif kind.startswith("pyramid"):
            (points, cells), edges = pyramids(points, cells), PYRAMID_EDGES
        else:
            edges = HEX_EDGES
        if kind in ("tet10", "hex20", "hex32", "wedge15", "pyramid13"):
            points, cells = raised(points, cells, edges, kind == "hex32")
        supports = held(len(points), (slice(None), "23"), (points[:, 0] == 0, "1"))
        model = solid_model(points, cells, kind, STEEL, supports=supports)
        found = solve_modes(assemble(model), count=1).frequencies_hz[0]
        errors.append(found / (speed / (4 * length)) - 1)
    assert min(errors) > 0.0  # consistent mass: from above
    assert -np.polyfit(np.log(counts), np.log(errors), 1)[0] > order - 0.35
