"""MPC: rigid links, equal motion, interpolation along lines and over quadrilaterals, fixed distance, mean rotation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.elements.surface_field import shape_functions
from tisserand.elements.surface_projection import closest_points
from tisserand.model import Constraint, Equation, RigidElement
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword
from tisserand.readers.abaqus.tie_rows import equations_of

#: Nodes that the first one is interpolated between.
_BETWEEN = {"LINEAR": 2, "QUADRATIC": 3, "BILINEAR": 4}
_SIX = np.arange(6)


def read_mpcs(
    draft: Draft, context: Context, keyword: Keyword, before: int, rotation_nodes: dict[int, int]
) -> list[Constraint]:
    """All lines of a keyword; the first node follows the others. A line that ends in a comma goes on.

    The last node of a mean rotation is added to ``rotation_nodes``: what holds its translations holds its rotations.
    """
    found: list[Constraint] = []
    axes = draft.axes
    for row, items in _statements(keyword):
        kind, names = items[0].upper(), items[1:]
        number = before + len(found) + 1
        if kind in ("BEAM", "TIE", "PIN"):
            _needs(keyword, row, names, 2)
            leader = draft.index(np.array([draft.one_node(context, names[1], keyword, row)]))
            followers = draft.index(draft.nodes_of(context, names[0], keyword, row))
            found += _follow(kind, number, followers, int(leader[0]))
        elif kind in _BETWEEN:
            _needs(keyword, row, names, 1 + _BETWEEN[kind])
            ids = [draft.one_node(context, name, keyword, row) for name in names[: 1 + _BETWEEN[kind]]]
            found += _interpolated(draft, keyword, row, number, draft.index(np.array(ids)), kind, axes)
        elif kind == "LINK":
            _needs(keyword, row, names, 2)
            ids = [draft.one_node(context, name, keyword, row) for name in names[:2]]
            found += _link(draft, keyword, row, number, draft.index(np.array(ids)), axes)
        elif kind == "MEANROT":
            ids = list(dict.fromkeys(int(draft.one_node(context, name, keyword, row)) for name in names))
            found += _mean_rotation(draft, keyword, row, number, draft.index(np.array(ids)), rotation_nodes)
            axes = draft.axes
        else:
            expected = "BEAM, TIE, PIN, LINK, LINEAR, QUADRATIC, BILINEAR and MEANROT are supported"
            draft.record(f"*MPC {kind}", "dropped", f"unsupported kind of multi-point constraint: {expected}")
    return found


def _statements(keyword: Keyword) -> Iterator[tuple[int, list[str]]]:
    """Row and items of every statement; lines that begin with a number go on with the one before."""
    row, open_items = -1, list[str]()
    for at, items in keyword.rows():
        items = [item for item in items if item]
        if items and not items[0][0].isdigit():
            if open_items:
                yield row, open_items
            row, open_items = at, items
        else:
            open_items = [*open_items, *items]
    if open_items:
        yield row, open_items


def _needs(keyword: Keyword, row: int, names: list[str], count: int) -> None:
    if len(names) < count:
        raise keyword.error(f"this multi-point constraint needs {count} nodes", row=row, found=len(names))


def _follow(kind: str, number: int, followers: IntArray, leader: int) -> list[Constraint]:
    """BEAM: a rigid link; TIE: all components equal; PIN: translations equal."""
    if kind == "BEAM":
        rows = np.column_stack([np.repeat(followers, 6), np.tile(_SIX, len(followers))])
        return [RigidElement(number, np.column_stack([np.full(6, leader), _SIX]), rows, "MPC BEAM")]
    out: list[Constraint] = []
    for follower in followers:
        for component in range(6 if kind == "TIE" else 3):
            pairs = np.array([[follower, component], [leader, component]])
            out.append(Equation(number + len(out), pairs, np.array([1.0, -1.0]), f"MPC {kind}"))
    return out


def _interpolated(
    draft: Draft, keyword: Keyword, row: int, number: int, nodes: IntArray, kind: str, axes: FloatArray | None
) -> list[Constraint]:
    """Translations at the place of the first node on the line or quadrilateral of the others."""
    x = draft.positions[nodes]
    if kind == "BILINEAR":
        foot = closest_points(x[:1], x[None, 1:])
        share, size = shape_functions(4, foot.coordinates)[0][0], float(np.linalg.norm(np.ptp(x[1:], axis=0)))
        beside = float(foot.distances[0])
    else:
        line = x[2 if kind == "LINEAR" else 3] - x[1]
        size = float(np.linalg.norm(line))
        if not size > 0.0:
            raise keyword.error("the line of a multi-point constraint has no length", row=row)
        s = float((x[0] - x[1]) @ line) / size**2
        share = np.array([1.0 - s, s]) if kind == "LINEAR" else _quadratic(s)
        beside = float(np.linalg.norm(x[0] - share @ x[1:]))
    if beside > 1e-3 * size:
        draft.note(f"*MPC {kind}: a node lies {beside / draft.units.length:.3g} (deck's unit) beside what it follows")
    blocks = np.zeros((3, len(nodes), 6))
    blocks[:, 0, :3] = np.eye(3)
    blocks[:, 1:, :3] = -np.einsum("k,ij->ikj", share, np.eye(3))
    return list(equations_of(number, f"MPC {kind}", nodes, blocks, axes))


def _quadratic(s: float) -> FloatArray:
    """Parabola through the first, middle and last of three nodes."""
    return np.array([(1.0 - s) * (1.0 - 2.0 * s), 4.0 * s * (1.0 - s), s * (2.0 * s - 1.0)])


def _link(
    draft: Draft, keyword: Keyword, row: int, number: int, nodes: IntArray, axes: FloatArray | None
) -> list[Constraint]:
    """Two nodes keep their distance: equal motion along their line."""
    along = draft.positions[nodes[1]] - draft.positions[nodes[0]]
    length = np.linalg.norm(along)
    if not length > 0.0:
        raise keyword.error("the ends of a link coincide", row=row)
    blocks = np.zeros((1, 2, 6))
    blocks[0, 0, :3], blocks[0, 1, :3] = along / length, -along / length
    return list(equations_of(number, "MPC LINK", nodes, blocks, axes))


def _mean_rotation(
    draft: Draft, keyword: Keyword, row: int, number: int, nodes: IntArray, rotation_nodes: dict[int, int]
) -> list[Constraint]:
    """Component 1 of the last node is the mean rotation of the others about the direction of its coordinates.

    Each node counts alike: a . (p x (u - mean u)) / p² with its arm p from the mean position, across the axis a. The angle is
    kept as the rotation of the last node about its own x axis, which is turned along a.
    """
    if len(nodes) < 3:
        raise keyword.error("a mean rotation needs two nodes and the one that turns", row=row, found=len(nodes))
    followers, pilot = nodes[:-1], nodes[-1]
    a = draft.positions[pilot]
    length = np.linalg.norm(a)
    if not length > 0.0:
        raise keyword.error("the coordinates of the last node give no axis of rotation", row=row)
    a = a / length
    p = draft.positions[followers] - draft.positions[followers].mean(axis=0)
    p = p - np.outer(p @ a, a)
    square = (p**2).sum(axis=1)
    off = square > 1e-12 * square.max(initial=0.0)
    if not off.any():
        raise keyword.error("all nodes of a mean rotation lie on its axis", row=row)
    each = np.zeros((len(followers), 3))
    each[off] = np.cross(a, p[off]) / square[off, None]
    each = (each - each.mean(axis=0)) / int(off.sum())
    blocks = np.zeros((1, len(nodes), 6))
    blocks[0, :-1, :3] = each
    blocks[0, -1, 3:] = -a
    axes = np.array(np.broadcast_to(np.eye(3), (len(draft.positions), 3, 3)) if draft.axes is None else draft.axes)
    beside = np.eye(3)[np.argmin(np.abs(a))]
    across = np.cross(a, beside) / np.linalg.norm(np.cross(a, beside))
    axes[pilot] = [a, across, np.cross(a, across)]
    draft.axes = axes
    rotation_nodes[int(pilot)] = int(pilot)
    return list(equations_of(number, "MPC MEANROT", nodes, blocks, axes))
