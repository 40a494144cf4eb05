"""Node normals of shells: one director per node where the shells that meet there form a smooth surface.

A rotation about the node's normal must not bend the facets that meet at a small angle: without this the
bending moment that crosses a kink would have to pass through the weak drilling stiffness. Folds sharper than
20 degrees keep each facet's own normal (the rule and the angle of Nastran's SNORM).

SNORM of [NastranQRG].
"""

from __future__ import annotations

from typing import cast
from weakref import WeakKeyDictionary

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.elements.curved_surface import completed_points, surface_normals
from tisserand.model import ShellBlock, StructuralModel

_SMOOTH = np.cos(np.radians(20.0))
_known: WeakKeyDictionary[StructuralModel, FloatArray] = WeakKeyDictionary()


def node_normals(model: StructuralModel) -> FloatArray:
    """(n, 3) unit normals, sign arbitrary; zero without a shell or a smooth surface. Computed once per model."""
    if model not in _known:
        _known[model] = _node_normals(model)
    return _known[model]


def curved_normals(model: StructuralModel, block: ShellBlock) -> tuple[IntArray, FloatArray]:
    """Nodes (p,) of shells with midside nodes and the normals (p, 3) of their surfaces there."""
    points = completed_points(model.nodes.positions, block)
    normal, k, sides = surface_normals(points), block.nodes.shape[1], block.sides
    real = np.ones(block.nodes.shape, bool)
    real[:, sides : 2 * sides] = ~block.straight_sides
    return block.nodes[real], normal[:, :k][real]


def _node_normals(model: StructuralModel) -> FloatArray:
    blocks = [cast(ShellBlock, block) for block in model.elements if block.facts.layered]
    nodes, normals = [], []
    for block in blocks:
        points = model.nodes.positions[block.nodes]
        if points.shape[1] > 4:
            at, normal = curved_normals(model, block)
            nodes.append(at)
            normals.append(normal)
            continue
        second = points[:, 3] - points[:, 1] if points.shape[1] == 4 else points[:, 2] - points[:, 1]
        normal = np.cross(points[:, 2] - points[:, 0], second)
        size = np.linalg.norm(normal, axis=1, keepdims=True)
        normal = np.divide(normal, size, out=np.zeros_like(normal), where=size > 0.0)
        nodes.append(block.nodes.ravel())
        normals.append(np.repeat(normal, points.shape[1], axis=0))
    out = np.zeros((len(model.nodes), 3))
    if not blocks:
        return out
    place, normal = np.concatenate(nodes), np.concatenate(normals)
    spread = np.zeros((len(out), 3, 3))  # sum of n n': the sign of a facet's normal does not matter
    np.add.at(spread, place, normal[:, :, None] * normal[:, None, :])
    used = np.unique(place)
    out[used] = np.linalg.eigh(spread[used])[1][:, :, 2]
    straight = np.abs(np.einsum("ij,ij->i", out[place], normal))
    sharp = np.unique(place[straight < _SMOOTH])
    out[sharp] = 0.0
    return out
