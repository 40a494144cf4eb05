"""Parts joined into one model: welded, hinged with a spring, or held by a bushing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.builders.union import MARK, distinct_names, prefixed, renumbered, united, unprefixed
from tisserand.errors import ModelError
from tisserand.model import BushBlock, Constraint, Nodes, RigidElement, StructuralModel
from tisserand.model.editing import Place, rotating

#: Joined nodes coincide if they are nearer than this times the size of the model.
_NEAR = 1e-6
_ALIGNED = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


@checked_arguments
@dataclass(frozen=True, eq=False)
class Connection:
    """How two places are connected, in axes of the connection (first axis: the hinge's).

    rigid (6,): components that move as one; stiffness (6,) N/m and N m/rad and damping (6,) of the others, in total over all
    pairs of nodes; axes (3, 3): rows in basic axes.
    """

    rigid: BoolArray
    stiffness: FloatArray
    damping: FloatArray
    axes: FloatArray


@checked_arguments
def weld() -> Connection:
    """A connection that lets nothing move; nodes at the same place become one node."""
    return Connection(np.ones(6, bool), np.zeros(6), np.zeros(6), np.eye(3))


@checked_arguments
def spring_hinge(axis: str | ArrayLike, stiffness: float, *, damping: float = 0.0) -> Connection:
    """A hinge line that turns against a spring and is otherwise rigid.

    Args:
        axis: ``x``, ``y``, ``z`` or a direction (3,), basic axes.
        stiffness: N m/rad, of the whole line.
        damping: N m s/rad, of the whole line.
    """
    _not_negative("spring_hinge", stiffness=stiffness, damping=damping)
    rigid = np.array([True, True, True, False, True, True])
    turn = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    return Connection(rigid, stiffness * turn, damping * turn, _triad(axis))


@checked_arguments
def bushing(
    stiffness: Sequence[float], *, damping: Sequence[float] | None = None, axis: str | ArrayLike = "x"
) -> Connection:
    """Six springs between the two places.

    Args:
        stiffness: translations along the axes of the bushing, N/m, then rotations about them, N m/rad; six values, of the
            whole connection.
        damping: six values in the same order, N s/m and N m s/rad.
        axis: direction of its first axis: ``x`` (axes are basic), ``y``, ``z`` or (3,).
    """
    k = np.asarray(stiffness, float)
    c = np.zeros(6) if damping is None else np.asarray(damping, float)
    if k.shape != (6,) or c.shape != (6,):
        raise ModelError("a bushing has six values", where="bushing", found=(k.tolist(), c.tolist()))
    _not_negative("bushing", stiffness=float(k.min()), damping=float(c.min()))
    return Connection(np.zeros(6, bool), k, c, _triad(axis))


@checked_arguments
def join(
    *parts: StructuralModel,
    at: tuple[Place, Place] | None = ("tip", "root"),
    by: Connection | None = None,
    gap: ArrayLike = (0.0, 0.0, 0.0),
    move: bool = True,
    name: str | None = None,
) -> StructuralModel:
    """One model out of parts, each connected to the one before it.

    Names that only one part has stay as they are; a name that two parts share gets the part's own name in front
    (``panel.x+``), and so do the two places that are joined. Supports of all parts stay.

    Args:
        parts: two or more models.
        at: where: a place of the earlier part and one of the later part (point, node set, node id, coordinates). Node sets
            are joined node by node and must have equal numbers of nodes. None joins nothing, it only puts parts together.
        by: how: ``weld()`` (the default), ``spring_hinge(...)`` or ``bushing(...)``.
        gap: from the first place to the second, m, basic axes.
        move: move the later part so that its place meets the first one (plus ``gap``); False leaves it where it is.
        name: of the result; by default the names of the parts with a plus sign.
    """
    if len(parts) < 2:
        raise ModelError("at least two parts are needed", where="join", found=len(parts))
    own = distinct_names([part.name for part in parts])
    out = prefixed(parts[0], own[0])
    connected: set[str] = set()
    for i in range(1, len(parts)):
        before, later = parts[i - 1], prefixed(parts[i], own[i])
        if at is None:
            out = united(out, later)[0]
            continue
        here, there = (_full(before, own[i - 1], at[0]), _full(parts[i], own[i], at[1]))
        connected |= {place for place in (here, there) if isinstance(place, str)}
        out = _joined(out, later, (here, there), by or weld(), np.asarray(gap, float), move)
    return unprefixed(out, connected).named(name or "+".join(part.name for part in parts))


def _full(part: StructuralModel, own: str, place: Place) -> Place:
    """A place of a part, by the name that it has during the union."""
    part.at(place)  # refused here, in the words of the part
    return own + MARK + place if isinstance(place, str) else place


def _joined(
    a: StructuralModel, b: StructuralModel, at: tuple[Place, Place], how: Connection, gap: FloatArray, move: bool
) -> StructuralModel:
    here, there = at
    if move:
        b = b.moved(a.position(here) + gap - b.position(there))
    first, second = a.at(here), b.at(there)
    if len(first) != len(second):
        raise ModelError(
            "the two places have different numbers of nodes", where="join",
            found=f"{len(first)} and {len(second)}",
            advice="use meshes that match, or gather each edge with a hub (with_hub)",
        )  # fmt: skip
    second = _paired(a, b, first, second)
    whole, offset = united(a, b)
    second = second + offset
    near = np.linalg.norm(whole.nodes.positions[first] - whole.nodes.positions[second], axis=1)
    if how.rigid.all() and (near <= _NEAR * whole.size).all():
        return merged_nodes(whole, first, second)
    return _connected(whole, first, second, how)


def _paired(a: StructuralModel, b: StructuralModel, first: IntArray, second: IntArray) -> IntArray:
    """Nodes of b in the order of those of a: nearest after the mean positions are brought together."""
    x, y = a.nodes.positions[first], b.nodes.positions[second]
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    order = np.array([int(np.argmin(np.linalg.norm(y - point, axis=1))) for point in x])
    reach = max(float(np.ptp(x, axis=0).max()), 1e-300)
    if len(set(order.tolist())) != len(order) or np.abs(x - y[order]).max() > 1e-3 * reach + 1e-9 * (a.size + b.size):
        raise ModelError(
            "the nodes of the two places do not match in position", where="join",
            advice="use meshes that match, or gather each edge with a hub (with_hub)",
        )  # fmt: skip
    return np.asarray(second[order])


def _connected(model: StructuralModel, first: IntArray, second: IntArray, how: Connection) -> StructuralModel:
    """Ties and springs between pairs of nodes; the later nodes get the axes of the connection."""
    turning, tied = rotating(model.elements, len(model.nodes)), _tied(model)
    lacking = [int(model.nodes.ids[n]) for n in (*first, *second) if not turning[n] and int(n) not in tied]
    if lacking:
        raise ModelError(
            "only nodes that resist rotation can be connected this way", where=model.name, ids=lacking[:10],
            found=f"nodes {lacking[:5]} of solids or rods", advice="gather them with a hub (with_hub)",
        )  # fmt: skip
    count = len(first)
    constraints: list[Constraint] = list(model.constraints)
    nodes = model.nodes
    if how.rigid.any():
        if not how.rigid.all():
            nodes = _turned_nodes(model, second, how.axes)
        label = 1 + max((tie.id for tie in constraints), default=0)
        moving = np.flatnonzero(how.rigid)
        for i, (one, other) in enumerate(zip(first, second)):
            independent = np.column_stack([np.full(6, one), np.arange(6)])
            constraints.append(
                RigidElement(label + i, independent, np.column_stack([np.full(len(moving), other), moving]))
            )
    elements = model.elements
    if how.stiffness.any() or how.damping.any():
        middle = 0.5 * (nodes.positions[first] + nodes.positions[second])
        springs = BushBlock(
            ids=model._next_element() + np.arange(count),
            nodes=np.column_stack([first, second]),
            stiffness=np.tile(how.stiffness / count, (count, 1)),
            damping=np.tile(how.damping / count, (count, 1)),
            axes=np.tile(how.axes, (count, 1, 1)),
            location=middle,
        )
        elements = (*elements, springs)
    return model.changed(nodes=nodes, constraints=tuple(constraints), elements=elements)


def _turned_nodes(model: StructuralModel, rows: IntArray, axes: FloatArray) -> Nodes:
    """Node table whose given rows have the axes of the connection; refused where their components are named already."""
    nodes = model.nodes
    if nodes.axes is None and np.array_equal(axes, np.eye(3)):
        return nodes
    scalar = [block for block in model.elements if block.facts.components == "named"]
    named = {int(n) for block in scalar for n in block.nodes.ravel()}
    held = {int(n) for n, row in zip(model.supports.nodes, model.supports.fixed) if row.any() and not row.all()}
    for tie in model.constraints:
        if isinstance(tie, RigidElement):
            held |= {int(n) for n in tie.independent[:, 0] if (tie.independent[:, 0] == n).sum() not in (3, 6)}
            held |= {int(n) for n in tie.dependent[:, 0] if (tie.dependent[:, 0] == n).sum() not in (3, 6)}
    bad = [int(nodes.ids[n]) for n in rows if int(n) in named | held]
    if bad:
        raise ModelError(
            "a node of this hinge already has a support or connection in single components", where=model.name, ids=bad,
            found=f"node {bad[0]}", advice="put the hinge elsewhere, or join in the other order",
        )  # fmt: skip
    own = np.tile(np.eye(3), (len(nodes), 1, 1)) if nodes.axes is None else np.array(nodes.axes)
    own[rows] = axes
    return Nodes(nodes.ids, nodes.positions, own, nodes.scalar)


def merged_nodes(model: StructuralModel, keep: IntArray, drop: IntArray) -> StructuralModel:
    """The model with the nodes ``drop`` replaced by ``keep``."""
    nodes = model.nodes
    if nodes.axes is not None and not np.allclose(nodes.axes[keep], nodes.axes[drop], atol=1e-12):
        raise ModelError(
            "nodes with different axes cannot be welded", where=model.name, ids=nodes.ids[drop][:5].tolist()
        )
    target = np.arange(len(nodes))
    target[drop] = keep
    remaining = np.setdiff1d(np.arange(len(nodes)), drop)
    row = np.full(len(nodes), -1)
    row[remaining] = np.arange(len(remaining))
    new = row[target]
    lookup = np.append(new, -1)  # ground stays ground
    ids = dict(zip(nodes.ids[drop].tolist(), nodes.ids[keep].tolist()))
    return model.changed(
        nodes=Nodes(
            nodes.ids[remaining],
            nodes.positions[remaining],
            None if nodes.axes is None else nodes.axes[remaining],
            None if nodes.scalar is None else nodes.scalar[remaining],
        ),
        elements=tuple(block.changed(nodes=lookup[block.nodes]) for block in model.elements),
        constraints=tuple(renumbered(tie, lambda rows: new[rows]) for tie in model.constraints),
        supports=replace(model.supports, nodes=new[model.supports.nodes]),
        node_sets={word: np.unique([ids.get(int(i), int(i)) for i in some]) for word, some in model.node_sets.items()},
        interfaces=_without_twins(model.interfaces, ids),
    )


def _without_twins(interfaces: Mapping[str, int], ids: Mapping[int, int]) -> dict[str, int]:
    """Names of nodes that are gone are left out where the node that stays has a name."""
    staying = {node for node in interfaces.values() if node not in ids}
    return {
        word: ids.get(node, node) for word, node in interfaces.items() if node not in ids or ids[node] not in staying
    }


def _tied(model: StructuralModel) -> set[int]:
    out: set[int] = set()
    for tie in model.constraints:
        if isinstance(tie, RigidElement):
            out |= {int(n) for n in tie.independent[:, 0]}
    return out


def _triad(axis: str | ArrayLike) -> FloatArray:
    """Right-handed axes (3, 3) as rows, the first along ``axis``."""
    if isinstance(axis, str):
        if axis not in _ALIGNED:
            raise ModelError("an axis is x, y, z or a direction", found=repr(axis))
        first = np.array(_ALIGNED[axis])
        order = {"x": (0, 1, 2), "y": (1, 2, 0), "z": (2, 0, 1)}[axis]
        return np.asarray(np.eye(3)[list(order)])
    first = np.asarray(axis, dtype=float)
    size = float(np.linalg.norm(first)) if first.shape == (3,) else 0.0
    if not (size > 0.0 and np.isfinite(size)):
        raise ModelError("an axis is x, y, z or a direction", found=first.tolist())
    first = first / size
    helper = np.eye(3)[int(np.argmin(np.abs(first)))]
    second = np.cross(first, helper)
    second /= np.linalg.norm(second)
    return np.array([first, second, np.cross(first, second)])


def _not_negative(where: str, **values: float) -> None:
    for word, value in values.items():
        if not (np.isfinite(value) and value >= 0.0):
            raise ModelError(f"{word} must be a finite number, zero or more", where=where, found=value)
