"""NGEN, NFILL, NCOPY, ELGEN, ELCOPY: generated nodes and elements, written out as NODE, ELEMENT, NSET and ELSET.

They are taken in the order of the deck, part by part, on rectangular coordinates in the deck's unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.readers.abaqus.deck import Context, turn
from tisserand.readers.abaqus.element_types import KINDS
from tisserand.readers.abaqus.mesh import read_nodes
from tisserand.readers.abaqus.scan import Keyword, is_id, label

#: Nodes and elements that one deck may generate, repetitions counted; 0.6 and 0.7 kB of memory each. An element counts once
#: for every eight nodes begun.
_MOST = 500_000
_NODES_COUNTED = 8
_BOUNDS = ("PART", "END PART", "INSTANCE", "END INSTANCE", "ASSEMBLY", "STEP")


def generated(keywords: list[Keyword]) -> list[Keyword]:
    """The same keywords with every generating one replaced by what it generates."""
    if not any(keyword.name in _MAKERS for keyword in keywords):
        return keywords
    out: list[Keyword] = []
    mesh = root = _Mesh(_Tally())
    for keyword in keywords:
        if keyword.name in _BOUNDS:
            mesh = _Mesh(root.tally) if keyword.name in ("PART", "INSTANCE") else root
        made = _MAKERS[keyword.name](mesh, keyword) if keyword.name in _MAKERS else [keyword]
        for item in made:
            mesh.take(item)
        out += made
    return out


@dataclass(eq=False)
class _Tally:
    """What all parts of a deck have generated, counted before it is made."""

    made: int = 0

    def add(self, keyword: Keyword, count: int, row: int | None = None, *, nodes: int = 1) -> None:
        """Count nodes, or elements of that many nodes."""
        self.made += max(count, 0) * max(-(-nodes // _NODES_COUNTED), 1)
        if count < 0 or self.made > _MOST:
            raise keyword.error(
                "generates too many nodes or elements", row=row, found=count if count < 0 else f"{self.made} in this deck",
                expected=f"at most {_MOST} in all",
            )  # fmt: skip


@dataclass(eq=False)
class _Mesh:
    """Nodes, elements (type, nodes) and sets of one part so far."""

    tally: _Tally
    nodes: dict[int, FloatArray] = field(default_factory=dict)
    elements: dict[int, tuple[str, list[int]]] = field(default_factory=dict)
    node_sets: dict[str, list[int]] = field(default_factory=dict)
    element_sets: dict[str, list[int]] = field(default_factory=dict)

    def take(self, keyword: Keyword) -> None:
        """Learn what a keyword states."""
        if keyword.name == "NODE":
            ids, places = read_nodes(Context(), keyword)
            self.nodes.update(zip(ids.tolist(), places))
            _join(self.node_sets, keyword.label("NSET"), ids.tolist())
        elif keyword.name == "ELEMENT":
            found = dict(_elements(keyword))
            self.elements.update(found)
            _join(self.element_sets, keyword.label("ELSET"), list(found))
        elif keyword.name in ("NSET", "ELSET"):
            sets, known = (self.node_sets, self.nodes) if keyword.name == "NSET" else (self.element_sets, self.elements)
            _join(sets, keyword.label(keyword.name), _members(keyword, sets, known), "UNSORTED" not in keyword.options)

    def place(self, keyword: Keyword, row: int, number: int) -> FloatArray:
        if number not in self.nodes:
            raise keyword.error("a node does not exist", row=row, found=f"node {number}")
        return self.nodes[number]

    def element(self, keyword: Keyword, number: int, row: int | None = None) -> tuple[str, list[int]]:
        """Type and nodes of an element."""
        if number not in self.elements:
            raise keyword.error("an element does not exist", row=row, found=f"element {number}")
        return self.elements[number]


def _join(sets: dict[str, list[int]], name: str | None, ids: Iterable[int], ordered: bool = True) -> None:
    if name is not None:
        joined = list(dict.fromkeys([*sets.get(name, []), *ids]))
        sets[name] = sorted(joined) if ordered else joined


def _members(keyword: Keyword, sets: dict[str, list[int]], known: Iterable[int]) -> list[int]:
    """Members of a set by number, range or name; names of other places are left to the reader of sets."""
    found: list[int] = []
    for row, items in keyword.rows():
        if "GENERATE" in keyword.options:
            first = keyword.integer(row, items[0])
            last = keyword.integer(row, items[1]) if len(items) > 1 and items[1] else first
            step = keyword.integer(row, items[2]) if len(items) > 2 and items[2] else 1
            found += [i for i in known if first <= i <= last and (i - first) % max(step, 1) == 0]
            continue
        for item in items:
            found += [int(item)] if is_id(item) else sets.get(label(item), [])
    return found


def _elements(keyword: Keyword) -> Iterable[tuple[int, tuple[str, list[int]]]]:
    """Id, type and nodes of every element of a block; an element may run over several lines."""
    name = keyword.options.get("TYPE", "").strip().upper()
    need = KINDS[name].nodes if name in KINDS else 0
    row: list[int] = []
    for at, items in keyword.rows():
        row += [keyword.integer(at, item) for item in items if item]
        if len(row) > need and (need or not keyword.data[at].rstrip().endswith(",")):
            yield row[0], (name, row[1:])
            row = []


def _set_of(keyword: Keyword, sets: dict[str, list[int]], name: str, row: int | None = None) -> list[int]:
    if label(name) not in sets:
        known = ", ".join(sets) or "a set that the deck defines before (it defines none)"
        raise keyword.error("unknown set", row=row, found=repr(name), expected=known)
    return sets[label(name)]


def _node_block(keyword: Keyword, new: dict[int, FloatArray]) -> Keyword:
    lines = [f"{i},{x[0]!r},{x[1]!r},{x[2]!r}" for i, x in ((i, np.asarray(x).tolist()) for i, x in new.items())]
    return Keyword("NODE", {}, keyword.file, keyword.line, lines, [keyword.line] * len(lines))


def _set_block(keyword: Keyword, kind: str, name: str | None, ids: Iterable[int]) -> list[Keyword]:
    if name is None:
        return []
    lines = [str(i) for i in dict.fromkeys(ids)]
    return [Keyword(kind, {kind: name}, keyword.file, keyword.line, lines, [keyword.line] * len(lines))]


def _element_blocks(keyword: Keyword, new: dict[int, tuple[str, list[int]]]) -> list[Keyword]:
    blocks: dict[str, Keyword] = {}
    for number, (name, nodes) in new.items():
        block = blocks.setdefault(name, Keyword("ELEMENT", {"TYPE": name}, keyword.file, keyword.line))
        block.data.append(",".join(map(str, [number, *nodes])))
        block.numbers.append(keyword.line)
    return list(blocks.values())


def _whole(keyword: Keyword, row: int, items: list[str], at: int, default: int) -> int:
    return keyword.integer(row, items[at]) if len(items) > at and items[at] else default


def _ngen(mesh: _Mesh, keyword: Keyword) -> list[Keyword]:
    """First node, last node, increment; for LINE=C the center (a node or coordinates) and, if it is stated, the normal."""
    line = keyword.options.get("LINE", "").strip().upper()
    if line not in ("", "C") or (line and keyword.options.get("SYSTEM", "RC").upper() not in ("R", "RC")):
        raise keyword.error(
            "only straight lines and circles about a center in rectangular coordinates are generated",
            found=f"LINE={line}", advice="write these nodes out with *NODE",
        )  # fmt: skip
    new: dict[int, FloatArray] = {}
    members: list[int] = []
    for row, items in keyword.rows():
        first, last, step = (_whole(keyword, row, items, k, 1) for k in range(3))
        if step < 1 or last <= first or (last - first) % step:
            raise keyword.error("the numbers of a line do not fit", row=row, found=keyword.data[row].strip())
        count = (last - first) // step
        mesh.tally.add(keyword, count, row)
        a, b = mesh.place(keyword, row, first), mesh.place(keyword, row, last)
        along = _arc(mesh, keyword, row, items, a, b) if line else _straight(a, b)
        new.update({first + k * step: along(k / count) for k in range(1, count)})
        members += range(first, last + 1, step)
    return [_node_block(keyword, new), *_set_block(keyword, "NSET", keyword.label("NSET"), members)]


def _straight(a: FloatArray, b: FloatArray) -> Callable[[float], FloatArray]:
    return lambda s: a + s * (b - a)


def _arc(
    mesh: _Mesh, keyword: Keyword, row: int, items: list[str], a: FloatArray, b: FloatArray
) -> Callable[[float], FloatArray]:
    """Point at a share of the arc from a to b about the center; the shorter way unless a normal is stated."""
    number = _whole(keyword, row, items, 3, 0)
    values = [keyword.number(row, item) for item in [*items[4:10], *[""] * 6][:6]]
    center = mesh.place(keyword, row, number) if number else np.array(values[:3])
    p, q = a - center, b - center
    radius, other = float(np.linalg.norm(p)), float(np.linalg.norm(q))
    if not radius > 0.0 or abs(radius - other) > 1e-3 * radius:
        raise keyword.error("the ends of an arc are not equally far from its center", row=row)
    stated = np.array(values[3:6])
    normal = stated if stated.any() else np.cross(p, q) / radius**2
    size = float(np.linalg.norm(normal))
    if size < 1e-9 and not stated.any():
        raise keyword.error("the ends of an arc and its center lie on one line: state the normal", row=row)
    angle = float(np.arctan2(normal @ np.cross(p, q) / size, p @ q)) % (2.0 * np.pi)
    return lambda s: center + (1.0 + s * (other / radius - 1.0)) * turn(normal / size, s * angle) @ p


def _nfill(mesh: _Mesh, keyword: Keyword) -> list[Keyword]:
    """Two sets, number of intervals, increment: nodes on the straight lines between their members."""
    new: dict[int, FloatArray] = {}
    members: list[int] = []
    for row, items in keyword.rows():
        if len(items) < 2:
            raise keyword.error("needs two sets", row=row, found=keyword.data[row].strip())
        low, high = (_set_of(keyword, mesh.node_sets, name, row) for name in items[:2])
        count, step = _whole(keyword, row, items, 2, 1), _whole(keyword, row, items, 3, 1)
        if len(low) != len(high) or count < 1:
            raise keyword.error("the two sets must be of the same length", row=row, found=f"{len(low)} and {len(high)}")
        mesh.tally.add(keyword, count * len(low), row)
        for one, two in zip(low, high):
            a, b = mesh.place(keyword, row, one), mesh.place(keyword, row, two)
            new.update({one + k * step: a + k / count * (b - a) for k in range(1, count)})
            members += [*(one + k * step for k in range(count)), two]
    return [_node_block(keyword, new), *_set_block(keyword, "NSET", keyword.label("NSET"), members)]


def _ncopy(mesh: _Mesh, keyword: Keyword) -> list[Keyword]:
    """A set once more: moved and turned (SHIFT), or reflected in a point, a line or a plane (REFLECT)."""
    if "POLE" in keyword.options or not {"SHIFT", "REFLECT"} & set(keyword.options):
        raise keyword.error(
            "copies nodes in a way that is not supported",
            found=", ".join(keyword.options), expected="SHIFT or REFLECT", advice="write these nodes out with *NODE",
        )  # fmt: skip
    old = _set_of(keyword, mesh.node_sets, keyword.option("OLD SET"))
    mesh.tally.add(keyword, len(old))
    more = keyword.integer(0, keyword.option("CHANGE NUMBER"))
    moved = _shift(keyword) if "SHIFT" in keyword.options else _reflection(keyword)
    new = {i + more: moved(mesh.place(keyword, 0, i)) for i in old}
    return [_node_block(keyword, new), *_set_block(keyword, "NSET", keyword.label("NEW SET"), new)]


def _shift(keyword: Keyword) -> Callable[[FloatArray], FloatArray]:
    """First line: translation; second: two points of an axis and an angle in degrees, applied MULTIPLE times."""
    shift = keyword.floats(0, 3)[:3] if keyword.data else np.zeros(3)
    values = keyword.floats(1, 7) if len(keyword.data) > 1 else np.zeros(7)
    a, axis = values[:3], values[3:6] - values[:3]
    if not values[6]:
        return lambda x: x + shift
    if not np.linalg.norm(axis) > 0.0:
        raise keyword.error("the axis of rotation has zero length", row=1)
    times = float(keyword.number(0, keyword.options.get("MULTIPLE", ""), 1.0))
    turned = turn(axis / np.linalg.norm(axis), np.radians(values[6]) * times)
    return lambda x: a + turned @ (x + shift - a)


def _reflection(keyword: Keyword) -> Callable[[FloatArray], FloatArray]:
    """Reflection in a point (3 coordinates), a line (2 points) or a plane (3 points)."""
    values = np.concatenate([keyword.floats(row) for row in range(len(keyword.data))] or [np.zeros(0)])
    kind = keyword.options["REFLECT"].strip().upper()
    need = {"POINT": 3, "LINE": 6, "MIRROR": 9}.get(kind, 0)
    if not need or len(values) < need:
        found = f"REFLECT={kind} with {len(values)} coordinates"
        raise keyword.error("a reflection needs its points", found=found, expected="POINT: 3, LINE: 6, MIRROR: 9")
    points = values[:need].reshape(-1, 3)
    base = points[1:] - points[0]
    if kind == "POINT":
        return lambda x: 2.0 * points[0] - x
    if kind == "LINE":
        along = base[0] / max(float(np.linalg.norm(base[0])), 1e-300)
        return lambda x: 2.0 * (points[0] + along * (along @ (x - points[0]))) - x
    normal = np.cross(base[0], base[1])
    if not np.linalg.norm(normal) > 0.0:
        raise keyword.error("the points of a plane lie on one line")
    normal = normal / np.linalg.norm(normal)
    return lambda x: x - 2.0 * normal * (normal @ (x - points[0]))


def _elgen(mesh: _Mesh, keyword: Keyword) -> list[Keyword]:
    """Master element; then for rows, layers and stacks: how many, increment of nodes, increment of elements."""
    new: dict[int, tuple[str, list[int]]] = {}
    members: list[int] = []
    for row, items in keyword.rows():
        master = _whole(keyword, row, items, 0, 0)
        name, nodes = mesh.element(keyword, master, row)
        own = KINDS[name].nodes if name in KINDS and "ALL NODES" not in keyword.options else len(nodes)
        sizes = [tuple(_whole(keyword, row, items, 1 + 3 * k + j, 1) for j in range(3)) for k in range(3)]
        (n1, i1, e1), (n2, i2, e2), (n3, i3, e3) = sizes
        mesh.tally.add(keyword, n1 * n2 * n3, row, nodes=len(nodes))
        for c in range(n3):
            for b in range(n2):
                for a in range(n1):
                    more, number = a * i1 + b * i2 + c * i3, master + a * e1 + b * e2 + c * e3
                    members.append(number)
                    if number != master:
                        new[number] = (name, [*(node + more for node in nodes[:own]), *nodes[own:]])
    return [*_element_blocks(keyword, new), *_set_block(keyword, "ELSET", keyword.label("ELSET"), members)]


def _elcopy(mesh: _Mesh, keyword: Keyword) -> list[Keyword]:
    """A set of elements once more, on nodes with other numbers."""
    if "REFLECT" in keyword.options:
        raise keyword.error("REFLECT is not supported", advice="write these elements out with *ELEMENT")
    old = _set_of(keyword, mesh.element_sets, keyword.option("OLD SET"))
    more, by = (keyword.integer(0, keyword.option(name)) for name in ("ELEMENT SHIFT", "SHIFT NODES"))
    new = {}
    for number in old:
        name, nodes = mesh.element(keyword, number)
        mesh.tally.add(keyword, 1, nodes=len(nodes))
        new[number + more] = (name, [node + by for node in nodes])
    return [*_element_blocks(keyword, new), *_set_block(keyword, "ELSET", keyword.label("NEW SET"), new)]


_MAKERS: dict[str, Callable[[_Mesh, Keyword], list[Keyword]]] = {
    "NGEN": _ngen, "NFILL": _nfill, "NCOPY": _ncopy, "ELGEN": _elgen, "ELCOPY": _elcopy,
}  # fmt: skip
GENERATING = frozenset(_MAKERS)
