"""Small models of lines for tests: one place that knows how to spell blocks."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation

from support.element_matrices import element_matrices
from tisserand.model import (
    BeamBlock,
    BeamSection,
    BeamStation,
    Isotropic,
    NodalBodies,
    Nodes,
    RodBlock,
    RodSection,
    StructuralModel,
    Supports,
)

STEEL = Isotropic.from_young(1, 2.1e11, 0.3, 7800.0)


def rectangle(width_y: float, height_z: float, torsion: float | None = None, **values) -> BeamStation:
    """Solid rectangle b (along y) by h (along z); torsion constant by the series' closed fit unless given."""
    a, b = max(width_y, height_z), min(width_y, height_z)
    j = a * b**3 * (1 / 3 - 0.21 * b / a * (1 - b**4 / (12 * a**4))) if torsion is None else torsion
    return BeamStation(width_y * height_z, height_z * width_y**3 / 12, width_y * height_z**3 / 12, 0.0, j, **values)


def beam_block(pairs, orientation=(0.0, 0.0, 1.0), offsets=None, releases=None, section=None, recipe="beam"):
    """Beams between pairs of node indices, ids from 1."""
    pairs = np.asarray(pairs)
    m = len(pairs)
    return BeamBlock(
        np.arange(1, m + 1),
        pairs,
        np.zeros(m, int) if section is None else section,
        np.broadcast_to(np.asarray(orientation, float), (m, 3)),
        np.zeros((m, 2, 3)) if offsets is None else offsets,
        np.zeros((m, 2, 6), bool) if releases is None else releases,
        recipe,
    )


def beam_model(positions, section, *, extra=(), mass_recipe="consistent", axes=None, **options) -> StructuralModel:
    """A chain of beams along the given points."""
    n = len(positions)
    pairs = np.column_stack([np.arange(n - 1), np.arange(1, n)])
    block = beam_block(pairs, **options)
    nodes = Nodes(np.arange(1, n + 1), positions, axes)
    sections = section if isinstance(section, tuple) else (section,)
    return StructuralModel("beams", nodes, (block, *extra), sections, mass_recipe=mass_recipe)


def steel_strip(elements: int) -> StructuralModel:
    """A steel strip of 2 m along x, 50 mm x 4 mm, clamped at node 1."""
    i = np.arange(elements)
    return StructuralModel(
        "strip",
        Nodes(np.arange(1, elements + 2), straight(elements, 2.0)),
        (beam_block(np.column_stack([i, i + 1])),),
        (BeamSection(1, STEEL, rectangle(0.05, 0.004)),),
        supports=Supports.clamp([0]),
    )


def straight(count: int, length: float, direction=(1.0, 0.0, 0.0)) -> np.ndarray:
    """count + 1 points along a direction from the origin."""
    return np.linspace(0.0, length, count + 1)[:, None] * np.asarray(direction, float)


def rod_model(positions, pairs, *, young=1.0, area=1.0, density=1.0, torsion=0.0, recipe="particles", **values):
    """Rods of one section; keyword values go to the model."""
    material = Isotropic(1, young, 0.4 * young, 0.25, density)
    block = RodBlock(np.arange(1, len(pairs) + 1), np.asarray(pairs), np.zeros(len(pairs), int))
    nodes = Nodes(np.arange(1, len(positions) + 1), positions)
    return StructuralModel(
        "rods", nodes, (block,), (RodSection(1, material, area, torsion),), mass_recipe=recipe, **values
    )


def bodies(nodes, mass, offset=None, inertia=None) -> NodalBodies:
    """Nodal bodies at node indices, ids from 1001."""
    m = len(nodes)
    return NodalBodies(
        np.arange(1001, 1001 + m),
        np.asarray(nodes)[:, None],
        np.broadcast_to(np.asarray(mass, float), (m,)),
        np.zeros((m, 3)) if offset is None else np.broadcast_to(np.asarray(offset, float), (m, 3)),
        np.zeros((m, 3, 3)) if inertia is None else np.broadcast_to(np.asarray(inertia, float), (m, 3, 3)),
    )


def eigenvalues(assembled, fixed=None) -> np.ndarray:
    """All eigenvalues (rad²/s²) of a small model by a dense solver, for models with a regular mass matrix."""
    free = ~(assembled.held() if fixed is None else fixed)
    K = assembled.stiffness.toarray()[np.ix_(free, free)]
    M = assembled.mass.toarray()[np.ix_(free, free)]
    return eigh(K, M, eigvals_only=True)


def dense(model, recipe="consistent", word="stiffness"):
    """Straight sum of element matrices into a 6n x 6n matrix, basic axes."""
    n = len(model.nodes)
    out = np.zeros((n, 6, n, 6))
    for block in model.elements:
        batch = element_matrices(model, block, recipe)
        matrices = getattr(batch, word)
        if matrices is None:
            continue
        k, c = batch.nodes.shape[1], len(batch.components)
        for nodes, matrix in zip(batch.nodes, matrices.reshape(-1, k, c, k, c)):
            for a in range(k):
                for b in range(k):
                    out[nodes[a], :c, nodes[b], :c] += matrix[a, :, b]
    return out.reshape(6 * n, 6 * n)


def solve(assembled, load: dict, fixed=None) -> np.ndarray:
    """Static displacement (n, 6) in basic axes under loads {(node index, component): value}."""
    index = assembled.dofs.index
    force = np.zeros(assembled.size)
    for (node, component), value in load.items():
        force[index[node, component]] += value
    free = ~(assembled.held() if fixed is None else fixed)
    u = np.zeros(assembled.size)
    u[free] = np.linalg.solve(assembled.stiffness.toarray()[np.ix_(free, free)], force[free])
    return assembled.displacements(u)[:, :, 0]


def turned(rotation_vector) -> np.ndarray:
    """Rotation matrix of a rotation vector."""
    return Rotation.from_rotvec(rotation_vector).as_matrix()


def random_beam(seed: int, *, tapered=True, offset=True, pinned=False, recipe="beam") -> StructuralModel:
    """One beam with everything: taper, product of inertia, offsets, neutral and mass axes, shear, added
    mass.
    """
    rng = np.random.default_rng(seed)

    def station(scale: float) -> BeamStation:
        iz, iy = scale * rng.uniform(1e-6, 4e-6, 2)
        return BeamStation(
            scale * 3e-3, iz, iy, 0.3 * np.sqrt(iz * iy), scale * 2e-6, 1.7 * scale, nonstructural_inertia=2e-3 * scale,
            neutral_axis=tuple(rng.uniform(-0.02, 0.02, 2)), mass_center=tuple(rng.uniform(-0.03, 0.03, 2)),
        )  # fmt: skip

    end_a = station(1.0)
    section = BeamSection(7, STEEL, end_a, station(0.6) if tapered else None, shear_y=0.83, shear_z=0.7)
    releases = np.zeros((1, 2, 6), bool)
    if pinned:
        releases[0, 1, 4] = releases[0, 0, 5] = True
    return beam_model(
        rng.uniform(-1.0, 1.0, (2, 3)) + np.array([[0.0, 0, 0], [1.5, 0, 0]]),
        section,
        orientation=rng.normal(size=3),
        offsets=rng.uniform(-0.1, 0.1, (1, 2, 3)) if offset else None,
        releases=releases,
        recipe=recipe,
    )
