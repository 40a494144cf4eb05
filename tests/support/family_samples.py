"""A small held structure for every element family (and every form of it), in general position, some with turned node axes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from support.lines import STEEL, beam_block, rectangle
from support.plugin_family import SECTION, StrutBlock
from support.second_order import second_grid
from support.surfaces import plate_section
from tisserand.model import (
    BeamSection,
    BushBlock,
    DirectMatrix,
    Isotropic,
    MembraneBlock,
    MembraneSection,
    NodalBodies,
    Nodes,
    RodBlock,
    RodSection,
    ScalarMassBlock,
    ScalarSpringBlock,
    ShearPanelBlock,
    ShearPanelSection,
    ShellBlock,
    SolidBlock,
    SolidSection,
    StructuralModel,
    Supports,
)
from tisserand.model.families.curved_beam import CurvedBeamBlock
from tisserand.model.laminate import homogeneous_shell

BAR = BeamSection(1, STEEL, rectangle(0.03, 0.02), shear_y=0.8, shear_z=0.8)
TURN = Rotation.from_euler("xyz", [0.4, -0.7, 1.1]).as_matrix()
_PLATE = plate_section(0.01, 7e10, 0.33, 2700.0)
_SHEET = homogeneous_shell(1, Isotropic.from_young(1, 7e10, 0.33, 2700.0), 0.01, nonstructural_mass=2.0)
_CORNERS = {
    "tet4": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
    "hex8": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)],
    "wedge6": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)],
    "pyramid5": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)],
}
_EDGES = {
    "tet10": ("tet4", [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]),
    "hex20": ("hex8", [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]),
    "pyramid13": ("pyramid5", [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)]),
    "wedge15": ("wedge6", [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]),
}
_EDGES["hex32"] = _EDGES["hex20"]


def _nodes(points, turned: bool = False) -> Nodes:
    x = np.asarray(points, float) @ TURN.T + np.array([0.3, -0.2, 0.5])
    axes = Rotation.random(len(x), random_state=7).as_matrix() if turned else None
    return Nodes(np.arange(1, len(x) + 1), x, axes)


def _cantilever(extra, turned: bool = False) -> StructuralModel:
    """Two beams from a clamp, an elbow between them, and the blocks in ``extra`` at nodes 1 and 2."""
    beams = beam_block([(0, 1), (1, 2)], orientation=TURN @ np.array([0.1, 0.2, 1.0]))
    nodes = _nodes([(0, 0, 0), (1, 0, 0), (1.2, 0.8, 0.1)], turned)
    return StructuralModel("sample", nodes, (beams, *extra), (BAR,), supports=Supports.clamp(np.array([0]), "123456"))


def _rods(torsion: float, tension: float = 0.0) -> StructuralModel:
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.3, 0.4, 0.9)]
    block = RodBlock(np.arange(1, 4), np.array([(0, 3), (1, 3), (2, 3)]), np.zeros(3, int))
    supports = Supports.clamp(np.array([0, 1, 2]), "123456")
    return StructuralModel(
        "rods", _nodes(points), (block,), (RodSection(1, STEEL, 1e-4, torsion, tension=tension),), supports=supports
    )


def _curved_beams(eccentric: bool = False) -> StructuralModel:
    """Two beams of three nodes round a bend out of plane, with offsets, tapered; ``eccentric``: sections beside the line."""
    points = [(0, 0, 0), (1, 0.3, 0.1), (0.6, 0.05, 0.0), (1.2, 1.0, 0.3), (1.2, 0.6, 0.2)]
    offsets = np.zeros((2, 3, 3))
    offsets[0, 1:] = offsets[1, 0] = TURN @ np.array([0.02, -0.02, 0.05])
    vectors = np.tile(TURN @ np.array([0.1, 0.2, 1.0]), (2, 1))
    nodes = np.array([(0, 1, 2), (1, 3, 4)])
    block = CurvedBeamBlock(np.array([1, 2]), nodes, np.zeros(2, int), vectors, offsets)
    first = replace(BAR.end_a, torsion_constant=4e-8)
    if eccentric:
        first = replace(
            first, i_yz=1e-9, neutral_axis=(0.004, -0.003), mass_center=(0.004, -0.003), nonstructural_mass=0.3
        )
    last = replace(first, area=0.8 * first.area, i_zz=0.7 * first.i_zz, i_yy=0.6 * first.i_yy)
    section = replace(BAR, end_a=first, end_b=last)
    return StructuralModel(
        "curved beams", _nodes(points), (block,), (section,), supports=Supports.clamp(np.array([0]), "123456")
    )


def _struts() -> StructuralModel:
    """A tripod of a family that is registered from outside."""
    model = _rods(0.0)
    rods = model.elements[0]
    return model.changed(elements=(StrutBlock(rods.ids, rods.nodes, rods.section),), sections=(SECTION,))


def _beams(recipe: str) -> StructuralModel:
    offsets = np.zeros((2, 2, 3))
    offsets[0, 1] = offsets[1, 0] = TURN @ np.array([0.05, -0.02, 0.1])
    block = beam_block([(0, 1), (1, 2)], orientation=TURN @ np.array([0.1, 0.2, 1.0]), offsets=offsets, recipe=recipe)
    nodes = _nodes([(0, 0, 0), (1, 0, 0), (1.2, 0.8, 0.1)])
    return StructuralModel("beams", nodes, (block,), (BAR,), supports=Supports.clamp(np.array([0]), "123456"))


def _ratios(points, cells) -> np.ndarray:
    """Thickness over that of the section, no two corners alike."""
    x, y, _ = np.transpose(points)
    return (1.4 - 0.5 * x + 0.3 * y * (1.0 + x))[cells]


def _shells(corners: int, taper: bool = False, bending: str = "waves") -> StructuralModel:
    x, y = np.meshgrid([0.0, 0.5, 1.0], [0.0, 0.4, 0.8], indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel() + 0.1 * x.ravel(), 0.05 * x.ravel() ** 2])
    quads = np.array([(0, 3, 4, 1), (1, 4, 5, 2), (3, 6, 7, 4), (4, 7, 8, 5)])
    cells = quads if corners == 4 else np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    m = len(cells)
    axis = np.tile(TURN @ np.array([1.0, 0.3, 0.0]), (m, 1))
    ratio = _ratios(points, cells) if taper else None
    block = ShellBlock(np.arange(1, m + 1), cells, np.zeros(m, int), axis, np.full(m, 0.004), ratio, bending)
    supports, section = Supports.clamp(np.array([0, 1, 2]), "123456"), _SHEET if taper else _PLATE
    return StructuralModel("shells", _nodes(points), (block,), (section,), supports=supports)


def _membranes(count: int) -> StructuralModel:
    """A stretched sheet held at one side, of parallelograms or halves of them, with midside nodes or without."""
    x, y = np.meshgrid(np.linspace(0.0, 1.0, 5), np.linspace(0.0, 0.8, 5), indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel() + 0.1 * x.ravel(), np.zeros(25)])
    step = 1 if count < 5 else 2
    corner = np.array([(5 * i, 5 * (i + step), 5 * (i + step) + step, 5 * i + step) for i in range(0, 4, step)])
    cells = np.vstack([corner + j for j in range(0, 4, step)])
    if count in (3, 6):
        cells = np.vstack([cells[:, [0, 1, 2]], cells[:, [0, 2, 3]]])
    if count > 4:
        cells = np.hstack([cells, (cells + np.roll(cells, -1, axis=1)) // 2])
    used, nodes = np.unique(cells, return_inverse=True)
    moduli = 7e10 * 1e-4 / (1 - 0.09) * np.array([[1.0, 0.3, 0.0], [0.3, 1.0, 0.0], [0.0, 0.0, 0.35]])
    section = MembraneSection(1, membrane=moduli, areal_mass=0.27, thickness=1e-4, prestress=(300.0, 200.0, 40.0))
    m = len(cells)
    axis = np.tile(TURN @ np.array([1.0, 0.3, 0.2]), (m, 1))
    block = MembraneBlock(np.arange(1, m + 1), nodes.reshape(m, -1), np.zeros(m, int), axis)
    held = np.flatnonzero(points[used, 0] == 0.0)
    supports = Supports.clamp(held, "123456")
    return StructuralModel("membranes", _nodes(points[used]), (block,), (section,), supports=supports)


def _panel(extension: float) -> StructuralModel:
    """A frame of bars with a panel of no parallel sides in it."""
    points = [(0, 0, 0), (1, 0.1, 0.02), (0.9, 0.8, 0.0), (0.05, 0.6, 0.02)]
    sides = [(0, 1), (1, 2), (2, 3), (3, 0)]
    beams = beam_block(sides, orientation=TURN @ np.array([0.1, 0.2, 1.0]))
    panel = ShearPanelBlock(np.array([11]), np.array([[0, 1, 2, 3]]), np.array([1]))
    section = ShearPanelSection(2, STEEL, 1e-3, 0.5, (extension, 0.5 * extension))
    supports = Supports.clamp(np.array([0]), "123456")
    return StructuralModel("panel", _nodes(points), (beams, panel), (BAR, section), supports=supports)


def _curved_shells(nodes: int, missing: bool = False, taper: bool = False) -> StructuralModel:
    """Two elements (four triangles) of a curved surface; ``missing``: without the midside nodes of two sides."""
    points, cells, unit = second_grid(2, 1, lambda a, b: (a, 0.5 * b + 0.1 * a, 0.1 * a * a - 0.05 * a * b), nodes)
    cells = np.array(cells)
    if missing:
        cells[0, 4], cells[1, 6] = cells[0, 0], cells[1, 2]
    used, cells = np.unique(cells, return_inverse=True)
    points, unit, cells = points[used], unit[used], cells.reshape(-1, nodes)
    m = len(cells)
    axis = np.tile(TURN @ np.array([1.0, 0.3, 0.0]), (m, 1))
    ratio = None
    if taper:
        ratio = _ratios(points, cells)
        k = 3 if nodes == 6 else 4
        ratio[:, k : 2 * k] = 0.5 * (ratio[:, :k] + np.roll(ratio[:, :k], -1, axis=1))
    block = ShellBlock(np.arange(1, m + 1), cells, np.zeros(m, int), axis, np.full(m, 0.004), ratio)
    section = _SHEET if taper else _PLATE
    supports = Supports.clamp(np.flatnonzero(unit[:, 0] == 0), "123456")
    return StructuralModel("curved shells", _nodes(points), (block,), (section,), supports=supports)


def _solid(kind: str, integration: str = "full") -> StructuralModel:
    corners, edges = _EDGES.get(kind, (kind, []))
    points = np.array(_CORNERS[corners], float)
    shares = (1 / 3, 2 / 3) if kind == "hex32" else (0.5,)
    points = np.vstack([points, *[[(1 - c) * points[a] + c * points[b]] for a, b in edges for c in shares]])
    count = len(points)
    block = SolidBlock(np.array([1]), np.arange(count)[None], np.zeros(1, int), kind)
    low = np.flatnonzero(points[:, 2] < 0.1)
    return StructuralModel(
        kind, _nodes(points), (block,), (SolidSection(1, STEEL, integration=integration),),
        supports=Supports.clamp(low, "123"),
    )  # fmt: skip


def _springs(turned: bool) -> StructuralModel:
    block = ScalarSpringBlock(
        np.array([11, 12, 13]), np.array([(1, 2), (2, -1), (1, -1)]), np.array([(0, 1), (4, 0), (2, 0)]),
        np.array([2e4, 3e2, 5e4]), np.array([10.0, 0.0, 3.0]),
    )  # fmt: skip
    return _cantilever((block,), turned)


def _bushes(turned: bool) -> StructuralModel:
    block = BushBlock(
        np.array([11, 12]), np.array([(1, 2), (2, -1)]), np.array([[1e4, 2e4, 3e4, 10, 20, 30.0]] * 2), np.ones((2, 6)),
        np.array([TURN, np.eye(3)]), _nodes([(1.1, 0.4, 0.0), (1.2, 0.8, 0.1)]).positions,
    )  # fmt: skip
    return _cantilever((block,), turned)


def _masses(turned: bool) -> StructuralModel:
    """The same mass in three directions of nodes 1 and 2 and, where their axes agree, a mass on their difference."""
    nodes = [(node, -1) for node in (1, 2) for _ in range(3)] + ([] if turned else [(1, 2)])
    components = [(c, 0) for _ in (1, 2) for c in range(3)] + ([] if turned else [(1, 1)])
    mass = np.array([1.5, 1.5, 1.5, 2.0, 2.0, 2.0, 0.7])[: len(nodes)]
    block = ScalarMassBlock(np.arange(11, 11 + len(nodes)), np.array(nodes), np.array(components), mass)
    return _cantilever((block,), turned)


def _bodies(turned: bool) -> StructuralModel:
    inertia = TURN @ np.diag([0.2, 0.3, 0.4]) @ TURN.T
    block = NodalBodies(
        np.array([11, 12]), np.array([[1], [2]]), np.array([2.0, 3.0]), np.array([[0.1, 0, 0.2], [0, 0, 0]]),
        np.array([inertia, np.zeros((3, 3))]),
    )  # fmt: skip
    return _cantilever((block,), turned)


def _direct(kind: str, turned: bool) -> StructuralModel:
    """A symmetric matrix over nodes 1 and 2 given term by term, both triangles; coupled where their axes agree."""
    both = np.array([[3.0, 0.0 if turned else 0.4], [0.0 if turned else 0.4, 4.0]])
    full = np.kron(both, np.diag([1.0, 1.0, 1.0, 0.2, 0.2, 0.2]))
    full *= {"stiffness": 1e4, "mass": 1.0, "damping": 5.0}[kind]
    i, j = np.nonzero(full)
    nodes, components = 1 + np.column_stack([i, j]) // 6, np.column_stack([i, j]) % 6
    return _cantilever((DirectMatrix(np.arange(1, len(i) + 1), nodes, components, full[i, j], kind),), turned)


#: Name of every form -> the model; the block asked about is the last one.
SAMPLES = {
    "rod": lambda: _rods(0.0),
    "rod that twists": lambda: _rods(1e-9),
    "cable": lambda: _rods(0.0, 500.0),
    "strut, from outside": _struts,
    "curved beam": _curved_beams,
    "curved beam beside its line": lambda: _curved_beams(True),
    **{f"beam, {recipe}": (lambda recipe=recipe: _beams(recipe)) for recipe in ("bar", "beam", "rotary bar")},
    "quadrilateral": lambda: _shells(4),
    "triangle": lambda: _shells(3),
    "quadrilateral of Nastran": lambda: _shells(4, bending="nastran"),
    "triangle of Nastran": lambda: _shells(3, bending="nastran"),
    "tapered quadrilateral": lambda: _shells(4, taper=True),
    "tapered triangle": lambda: _shells(3, taper=True),
    "tapered six-node triangle": lambda: _curved_shells(6, taper=True),
    "tapered eight-node quadrilateral": lambda: _curved_shells(8, taper=True),
    "tapered seven-node quadrilateral": lambda: _curved_shells(8, missing=True, taper=True),
    "tapered nine-node quadrilateral": lambda: _curved_shells(9, taper=True),
    **{f"membrane, {count} nodes": (lambda count=count: _membranes(count)) for count in (3, 4, 6, 8)},
    "shear panel": lambda: _panel(0.0),
    "shear panel with sides": lambda: _panel(0.6),
    "shear panel with wide sides": lambda: _panel(30.0),
    "six-node triangle": lambda: _curved_shells(6),
    "eight-node quadrilateral": lambda: _curved_shells(8),
    "seven-node quadrilateral": lambda: _curved_shells(8, missing=True),
    "nine-node quadrilateral": lambda: _curved_shells(9),
    **{kind: (lambda kind=kind: _solid(kind)) for kind in (*_CORNERS, *_EDGES)},
    **{f"hex8, {way}": (lambda way=way: _solid("hex8", way)) for way in ("unlocked", "incompatible", "selective")},
    **{f"{kind}, sampled": (lambda kind=kind: _solid(kind, "sampled")) for kind in ("tet4", "tet10", "wedge15")},
    **{
        f"{name}{', turned axes' if turned else ''}": (lambda make=make, turned=turned: make(turned))
        for name, make in (
            ("spring", _springs),
            ("bush", _bushes),
            ("scalar mass", _masses),
            ("nodal body", _bodies),
            ("direct stiffness", lambda turned: _direct("stiffness", turned)),
            ("direct mass", lambda turned: _direct("mass", turned)),
            ("direct damping", lambda turned: _direct("damping", turned)),
        )
        for turned in (False, True)
    },
}
