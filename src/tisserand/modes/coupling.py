"""Coupling of reduced components into a system, its modes, and recovery to every node of every component.

Reference: [CraigBampton1968].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_diag, csr_array

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel, DofTable
from tisserand.errors import ModelError
from tisserand.model import Nodes, Supports
from tisserand.modes.component import ReducedComponent, _node_recovery

#: Shared interface nodes of two components must lie this close, relative to the size of the system.
_SAME_PLACE = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class CoupledSystem:
    """Components joined at shared node ids: model over system coordinates, and each component's share of them.

    maps: per component (k_i,) system coordinate of each of its coordinates.
    """

    model: AssembledModel
    components: tuple[ReducedComponent, ...]
    maps: tuple[IntArray, ...]
    names: tuple[str, ...]

    def recovered(self, component: int, q: FloatArray) -> FloatArray:
        """Motion of all nodes of a component, (n, 6, m), for system motions q (s, m)."""
        return self.components[component].recovered(np.asarray(q).reshape(self.model.size, -1)[self.maps[component]])

    def __repr__(self) -> str:
        return f"<CoupledSystem: {len(self.components)} components, {self.model.size} coordinates>"


@checked_arguments
def couple(
    components: Sequence[ReducedComponent], *, supports: Supports | None = None, name: str = "system"
) -> CoupledSystem:
    """Join components where they share a node id and a component; other coordinates stay their own.

    Interface nodes of one id must agree in place and axes. The result is an assembled model: ``solve_modes`` on it gives
    system modes with proof, rigid motions from geometry included.

    Args:
        supports: boundary of the whole; None leaves it free.
        name: of the whole.
    """
    if not components:
        raise ModelError("nothing to couple")
    keys: dict[tuple[int, int], int] = {}
    points: dict[int, tuple[FloatArray, FloatArray]] = {}
    names: list[str] = []
    place: list[tuple[int | None, int]] = []
    maps: list[IntArray] = []
    reach = max(float(np.ptp(c.model.nodes.positions, axis=0).max()) for c in components) or 1.0
    labels = _labels(components)
    for label, part in zip(labels, components):
        own = np.zeros(len(part), np.int64)
        for i, c in enumerate(part.coordinates):
            key = None
            if c.node is not None and c.component is not None:
                identity = int(part.model.nodes.ids[c.node])
                _agree(points, identity, part, c.node, reach)
                key = (identity, c.component)
            if key is None or key not in keys:
                own[i] = len(names)
                names.append(c.name if key is not None else f"{label}: {c.name}")
                place.append((None, 0) if key is None else key)
                if key is not None:
                    keys[key] = int(own[i])
            else:
                own[i] = keys[key]
        maps.append(own)
    return CoupledSystem(
        _system_model(components, maps, place, points, supports, name), tuple(components), tuple(maps), tuple(names)
    )


def _labels(components: Sequence[ReducedComponent]) -> list[str]:
    names = [c.model.name for c in components]
    return [n if names.count(n) == 1 else f"{n} {i + 1}" for i, n in enumerate(names)]


def _agree(
    points: dict[int, tuple[FloatArray, FloatArray]], identity: int, part: ReducedComponent, node: int, reach: float
) -> None:
    position = part.model.nodes.positions[node]
    axes = np.eye(3) if part.model.nodes.axes is None else part.model.nodes.axes[node]
    if identity not in points:
        points[identity] = (position, axes)
        return
    there, turned = points[identity]
    if np.abs(there - position).max() > _SAME_PLACE * reach or np.abs(turned - axes).max() > 1e-6:
        raise ModelError(
            f"interface node {identity} differs between components in place or axes", ids=(identity,),
            found=f"{position.tolist()} m", expected=f"{there.tolist()} m",
        )  # fmt: skip


def _system_model(
    components: Sequence[ReducedComponent],
    maps: list[IntArray],
    place: list[tuple[int | None, int]],
    points: dict[int, tuple[FloatArray, FloatArray]],
    supports: Supports | None,
    name: str,
) -> AssembledModel:
    size = len(place)
    rows = np.concatenate(maps)
    join = csr_array((np.ones(len(rows)), (np.arange(len(rows)), rows)), shape=(len(rows), size))
    K = csr_array(join.T @ block_diag([c.stiffness for c in components], format="csr") @ join)
    M = csr_array(join.T @ block_diag([c.mass for c in components], format="csr") @ join)
    ids = list(points)
    row = {identity: i for i, identity in enumerate(ids)}
    scalars = sum(1 for identity, _ in place if identity is None)
    start = max([100_000_000, *ids]) + 1
    node, point = [], len(ids)
    for identity, _ in place:
        node.append(point if identity is None else row[identity])
        point += identity is None
    table = DofTable(np.array(node), np.array([c for _, c in place]), len(ids) + scalars)
    positions = np.vstack([*(points[i][0] for i in ids), np.zeros((scalars, 3))])
    axes = np.concatenate(
        [np.array([points[i][1] for i in ids]).reshape(-1, 3, 3), np.broadcast_to(np.eye(3), (scalars, 3, 3))]
    )
    flags = np.concatenate([np.zeros(len(ids), np.bool_), np.ones(scalars, np.bool_)])
    rigid = np.zeros((size, 6))
    for part, own in zip(components, maps):
        rigid[own] = part.rigid_coordinates
    return AssembledModel(
        K, M, dofs=table, recovery=_node_recovery(table, axes), rigid_body_vectors=rigid,
        nodes=Nodes(np.concatenate([ids, start + np.arange(scalars)]), positions, axes, flags),
        name=name, supports=supports or Supports(), mass_recipe="reduced", has_field=False,
        unit_system=components[0].model.unit_system,
    )  # fmt: skip
