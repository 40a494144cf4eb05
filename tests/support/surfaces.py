"""Small models of shells and solids for tests: one place that knows how to spell blocks and meshes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from support.element_matrices import element_matrices
from tisserand.arrays import skew
from tisserand.model import (
    Isotropic,
    Nodes,
    ShellBlock,
    ShellSection,
    SolidBlock,
    SolidSection,
    StructuralModel,
    Supports,
)


def plate_section(
    thickness: float, young: float, poisson: float, density: float = 0.0, shear: float | None = 5 / 6
) -> ShellSection:
    """Homogeneous isotropic plate; ``shear`` is the shear factor, None for a plate rigid in shear."""
    q = young / (1 - poisson**2) * np.array([[1, poisson, 0], [poisson, 1, 0], [0, 0, (1 - poisson) / 2]])
    g = young / (2 * (1 + poisson))
    return ShellSection(
        1,
        membrane=q * thickness,
        coupling=np.zeros((3, 3)),
        bending=q * thickness**3 / 12,
        shear=None if shear is None else shear * g * thickness * np.eye(2),
        areal_mass=density * thickness,
        areal_first_moment=0.0,
        areal_inertia=density * thickness**3 / 12,
        thickness=thickness,
    )


def grid(nx: int, ny: int, place: Callable[[float, float], tuple[float, ...]], triangles: bool = False):
    """Points and cells of the unit square mapped by ``place``; x runs slowest."""
    a, b = np.meshgrid(np.linspace(0, 1, nx + 1), np.linspace(0, 1, ny + 1), indexing="ij")
    points = np.array([place(x, y) for x, y in zip(a.ravel(), b.ravel())], float)
    if points.shape[1] == 2:
        points = np.column_stack([points, np.zeros(len(points))])
    first = (np.arange(nx)[:, None] * (ny + 1) + np.arange(ny)).ravel()
    quads = np.column_stack([first, first + ny + 1, first + ny + 2, first + 1])
    if triangles:
        quads = np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return points, quads


def shell_model(
    points, cells, section: ShellSection, axis=(1.0, 0.0, 0.0), drilling=20.0, offset=0.0, bending="waves", **values
) -> StructuralModel:
    """Shells of one section."""
    m = len(cells)
    axes = np.tile(np.array(axis, float), (m, 1))
    block = ShellBlock(np.arange(1, m + 1), cells, np.zeros(m, int), axes, np.full(m, offset), bending=bending)
    return StructuralModel(
        "shells", Nodes(np.arange(1, len(points) + 1), points), (block,), (section,), drilling=drilling, **values
    )


def solid_model(points, cells, kind, material: Isotropic, integration="full", **values) -> StructuralModel:
    """Solids of one kind and section."""
    m = len(cells)
    block = SolidBlock(np.arange(1, m + 1), cells, np.zeros(m, int), kind)
    section = SolidSection(1, material, integration=integration)
    return StructuralModel("solids", Nodes(np.arange(1, len(points) + 1), points), (block,), (section,), **values)


def held(count: int, *pairs) -> Supports:
    """Supports from (rows or mask, digits) pairs."""
    fixed = np.zeros((count, 6), bool)
    for rows, digits in pairs:
        for digit in digits:
            fixed[rows, int(digit) - 1] = True
    return Supports(np.arange(count), fixed)


def batch(model: StructuralModel, recipe: str = "consistent"):
    """Matrices of the first block."""
    block = model.elements[0]
    return element_matrices(model, block, recipe)


def rigid_motions(points, components: int = 6) -> np.ndarray:
    """(k * components, 6) unit translations and rotations about the origin at the points."""
    out = []
    for p in points:
        rows = np.block([[np.eye(3), -skew(p)], [np.zeros((3, 3)), np.eye(3)]])
        out.append(rows[:components])
    return np.vstack(out)


def dense(model: StructuralModel, recipe: str = "consistent"):
    """Stiffness and mass over all six components of all nodes (test meshes only)."""
    n = len(model.nodes)
    stiffness, mass = np.zeros((6 * n, 6 * n)), np.zeros((6 * n, 6 * n))
    for block in model.elements:
        b = element_matrices(model, block, recipe)
        rows = (6 * b.nodes[:, :, None] + np.array(b.components)).reshape(len(block), -1)
        for row, k, m in zip(rows, b.stiffness, b.mass):
            np.add.at(stiffness, np.ix_(row, row), k)  # a missing midside node repeats a corner
            np.add.at(mass, np.ix_(row, row), m)
    return stiffness, mass
