"""Node normals of shells: one director per node where the shells that meet there form a smooth surface.

A rotation about the node's normal must not bend the facets that meet at a small angle: without this the
bending moment that crosses a kink would have to pass through the weak drilling stiffness. Folds sharper than
20 degrees keep each facet's own normal (the rule and the angle of Nastran's SNORM).

SNORM of [NastranQRG].
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.model import StructuralModel

_SMOOTH = np.cos(np.radians(20.0))
_known: WeakKeyDictionary[StructuralModel, FloatArray] = WeakKeyDictionary()


def node_normals(model: StructuralModel) -> FloatArray:
    """(n, 3) unit normals, sign arbitrary; zero without a shell or a smooth surface. Computed once per model."""
    if model not in _known:
        _known[model] = _node_normals(model)
    return _known[model]


def _node_normals(model: StructuralModel) -> FloatArray:
    blocks = [block for block in model.elements if block.facts.layered]
    nodes, normals = [], []
    for block in blocks:
        points = model.nodes.positions[block.nodes]
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
