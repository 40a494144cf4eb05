"""NODE, ELEMENT, NSET, ELSET: the geometry and the sets of a deck."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import nearest
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft, ElementGroup
from tisserand.readers.abaqus.element_types import CALCULIX_KINDS, KINDS, Kind
from tisserand.readers.abaqus.scan import Keyword, is_id, label

#: Element types that carry stiffness, mass or ties which have no counterpart here, by their first letters.
_PLANE = {
    "CPS": "plane stress describes a cut through a body, not a structure that moves in space; use S4 or S8R shells",
    "CPE": "plane strain describes a cut through an endless body; mesh the body with C3D8 or C3D20 bricks",
    "CGPE": "generalized plane strain describes a cut through a long body; mesh the body with bricks",
    "CAX": "axisymmetric elements have no modes around the axis; revolve the mesh into C3D20 bricks",
    "CGAX": "axisymmetric elements have no modes around the axis; revolve the mesh into C3D20 bricks",
    "SAX": "axisymmetric shells have no modes around the axis; revolve the mesh into S8R shells",
    "MAX": "axisymmetric membranes have no modes around the axis; revolve the mesh into M3D8 membranes",
}
_UNSUPPORTED = (*_PLANE, "CONN", "GAP", "DCOUP", "M3D", "SC", "B2", "PIPE", "ELBOW", "U", "COH", "DIST")


def read_mesh_keywords(draft: Draft) -> None:
    """First pass over the deck: fills the draft's nodes, element groups and sets."""
    tables: list[tuple[IntArray, FloatArray]] = []
    heads: list[Keyword] = []
    for context, keyword in draft.deck.model:
        if keyword.name == "NODE":
            ids, positions = read_nodes(context, keyword)
            tables.append((ids, positions))
            heads.append(keyword)
            draft.record("*NODE", "used", count=len(ids))
            _join(draft.node_sets, context, keyword.label("NSET"), ids)
    if not tables:
        first = draft.deck.model[0][1] if draft.deck.model else None
        if first is not None:
            raise first.error("the deck has no *NODE", expected="nodes")
        return
    ids = np.concatenate([ids for ids, _ in tables])
    positions = np.vstack([positions for _, positions in tables])
    _, last = np.unique(ids[::-1], return_index=True)
    keep = np.sort(len(ids) - 1 - last)
    if len(keep) < len(ids):
        _refuse_moved(ids, positions, keep, np.repeat(np.arange(len(heads)), [len(i) for i, _ in tables]), heads)
        draft.note(f"{len(ids) - len(keep)} nodes are stated again at the same place later in the deck")
    draft.node_ids, draft.positions = ids[keep], positions[keep] * draft.units.length
    for context, keyword in draft.deck.model:
        if keyword.name == "ELEMENT":
            _elements(draft, context, keyword)
        elif keyword.name in ("NSET", "ELSET"):
            _set(draft, context, keyword)
    _refuse_changed(draft.groups)
    draft.groups = _merged(draft.groups)
    if draft.deck.instances and any(c.offset for c in draft.deck.instances.values()):
        shifts = ", ".join(f"{name} +{c.offset}" for name, c in draft.deck.instances.items())
        draft.note(f"ids of instances are shifted to stay apart: {shifts}")


def _refuse_moved(ids: IntArray, positions: FloatArray, keep: IntArray, owner: IntArray, heads: list[Keyword]) -> None:
    """A node defined twice must have the same position."""
    order = keep[np.argsort(ids[keep])]
    final = positions[order[np.searchsorted(ids[order], ids)]]
    moved = np.flatnonzero((final != positions).any(axis=1))
    if len(moved):
        row = int(moved[0])
        again = int(order[np.searchsorted(ids[order], ids[row])])
        raise heads[owner[again]].error(
            "a node is stated twice with different coordinates",
            found=f"node {ids[row]} at {positions[again].tolist()}",
            expected=f"{positions[row].tolist()} as in the *NODE of line {heads[owner[row]].line}",
        )


def _refuse_changed(groups: list[ElementGroup]) -> None:
    """An element defined twice must be the same element."""
    known: dict[int, tuple[ElementGroup, IntArray]] = {}
    ids = np.concatenate([group.ids for group in groups]) if groups else np.zeros(0, np.int64)
    values, counts = np.unique(ids, return_counts=True)
    twice = values[counts > 1]
    for group in groups if len(twice) else ():
        for row in np.flatnonzero(np.isin(group.ids, twice)):
            number, nodes = int(group.ids[row]), group.nodes[row]
            first, before = known.setdefault(number, (group, nodes))
            if first.type != group.type or not np.array_equal(before, nodes):
                raise group.keyword.error(
                    "an element id is used twice",
                    found=f"element {number}, {group.type} on nodes {nodes.tolist()}",
                    expected=f"a unique id: line {first.keyword.line} has it as {first.type} on nodes {before.tolist()}",
                )


def _merged(groups: list[ElementGroup]) -> list[ElementGroup]:
    """Blocks of one type in one place become one; of an element defined twice the last definition counts."""
    kinds: dict[tuple[str, str], list[ElementGroup]] = {}
    for group in groups:
        kinds.setdefault((group.type, group.context.instance), []).append(group)
    merged = []
    for alike in kinds.values():
        ids, nodes = np.concatenate([g.ids for g in alike]), np.vstack([g.nodes for g in alike])
        _, last = np.unique(ids[::-1], return_index=True)
        keep = np.sort(len(ids) - 1 - last)
        first, aims = alike[0], np.concatenate([g.aims for g in alike])
        merged.append(
            ElementGroup(first.type, first.kind, ids[keep], nodes[keep], first.context, first.keyword, aims[keep])
        )
    return merged


def _join(sets: dict[str, IntArray], context: Context, name: str | None, ids: IntArray) -> None:
    if name is not None:
        full = context.full(name)
        sets[full] = np.unique(np.concatenate([sets[full], ids])) if full in sets else np.unique(ids)


def read_nodes(context: Context, keyword: Keyword) -> tuple[IntArray, FloatArray]:
    """Global ids and positions after the instance's placement."""
    lines = [text for text in keyword.data if text.strip(" ,\t")]
    if not lines:
        return np.zeros(0, np.int64), np.zeros((0, 3))
    counts = {text.rstrip(" ,\t").count(",") for text in lines}
    table: FloatArray | None = None
    if len(counts) == 1 and counts <= {1, 2, 3}:
        try:
            table = np.array(",".join(text.rstrip(" ,\t") for text in lines).split(","), dtype=float).reshape(
                len(lines), -1
            )
        except ValueError:
            table = None  # blank fields, D exponents or wrong text: read line by line, which names the line
    if table is None or not np.isfinite(table).all():
        rows = []
        for row, items in keyword.rows():
            rows.append(
                [keyword.integer(row, items[0]), *(keyword.number(row, item) for item in items[1:4]), 0, 0, 0][:4]
            )
        table = np.array(rows, dtype=float)
    table = np.hstack([table, np.zeros((len(table), 4 - table.shape[1]))])
    bad = (table[:, 0] != np.floor(table[:, 0])) | (table[:, 0] < 1) | (table[:, 0] > 2**53)
    if bad.any():
        raise keyword.error("a node id is not a positive whole number", found=table[np.argmax(bad), 0])
    ids = table[:, 0].astype(np.int64)
    positions = _from_system(keyword, table[:, 1:4])
    return ids + context.offset, positions @ context.rotation.T + context.shift


def _from_system(keyword: Keyword, q: FloatArray) -> FloatArray:
    """Cylindrical (r, theta, z) and spherical (r, theta, phi) node coordinates, angles in degrees."""
    system = keyword.options.get("SYSTEM", "R").upper()[:1]
    if system == "C":
        angle = np.radians(q[:, 1])
        return np.column_stack([q[:, 0] * np.cos(angle), q[:, 0] * np.sin(angle), q[:, 2]])
    if system == "S":
        theta, phi = np.radians(q[:, 1]), np.radians(q[:, 2])
        unit = np.column_stack([np.cos(theta) * np.cos(phi), np.sin(theta) * np.cos(phi), np.sin(phi)])
        return np.asarray(q[:, :1] * unit)
    if system != "R":
        raise keyword.error("unknown coordinate system", found=keyword.options["SYSTEM"], expected="R, C or S")
    return q


def _elements(draft: Draft, context: Context, keyword: Keyword) -> None:
    name = keyword.option("TYPE").strip().upper()
    kind = KINDS.get(name)
    if kind is None and draft.flavor == "calculix":
        kind = CALCULIX_KINDS.get(name)
    if kind is None:
        if not any(name.startswith(prefix) for prefix in _UNSUPPORTED) and nearest(name, KINDS) is None:
            raise keyword.error("unknown element type", found=name, expected="C3D8, S4, B31, MASS, ...")
        count = sum(1 for _ in keyword.rows())
        reason = next((text for prefix, text in _PLANE.items() if name.startswith(prefix)), "unsupported element type")
        if name.startswith(tuple(_PLANE)):
            reason = f"first in line {keyword.line}; {reason}"
        draft.record(name, "dropped", reason, count)
        ids = np.array([keyword.integer(row, items[0]) for row, items in keyword.rows()], np.int64)
        _join(draft.element_sets, context, keyword.label("ELSET"), ids + context.offset)
        return
    table, aims = _connectivity(draft, context, keyword, name, kind)
    ids, nodes = table[:, 0] + context.offset, table[:, 1:] + context.offset
    aims = np.where(aims > 0, aims + context.offset, 0)
    missing = ~np.isin(nodes, draft.node_ids)
    if not np.isin(aims[aims > 0], draft.node_ids).all():
        lost = int(aims[(aims > 0) & ~np.isin(aims, draft.node_ids)][0])
        raise keyword.error("the node that gives a beam its first axis does not exist", found=f"node {lost}")
    if missing.any():
        row, column = np.argwhere(missing)[0]
        raise keyword.error(
            f"element {int(table[row, 0])} uses a node that does not exist", found=f"node {int(table[row, column + 1])}"
        )
    draft.groups.append(ElementGroup(name, kind, ids, nodes, context, keyword, aims))
    _join(draft.element_sets, context, keyword.label("ELSET"), ids)


def _connectivity(draft: Draft, context: Context, keyword: Keyword, name: str, kind: Kind) -> tuple[IntArray, IntArray]:
    """(m, 1 + nodes) ids, and (m,) the further node of beams (0: none); an element may run over several lines."""
    nodes = kind.nodes
    lines = [text for text in keyword.data if text.strip(" ,\t")]
    if all(text.rstrip(" ,\t").count(",") == nodes for text in lines):
        try:
            table = np.array(",".join(t.rstrip(" ,\t") for t in lines).split(","), np.int64).reshape(-1, nodes + 1)
            return table, np.zeros(len(table), np.int64)
        except (ValueError, OverflowError):
            pass  # read again line by line, which names the line
    found: list[list[int]] = []
    aims: list[int] = []
    open_row: list[int] = []
    first = 0
    for row, items in keyword.rows():
        if not open_row:
            first = row
        open_row += [_reference(draft, context, keyword, row, item) for item in items if item]
        aim = open_row[nodes + 1] if kind.role == "beam" and len(open_row) == nodes + 2 else 0
        if len(open_row) > nodes + 1 + bool(aim):
            draft.note(
                f"*ELEMENT {name} lists more nodes than the type has: those beyond the first {nodes} are not used"
            )
        open_row = open_row[: nodes + 1]
        if len(open_row) <= nodes and not keyword.data[row].rstrip().endswith(",") and nodes < 15:
            raise keyword.error(
                f"element {open_row[0]} of type {name} has the wrong number of nodes",
                row=first,
                found=len(open_row) - 1,
                expected=nodes,
            )
        if len(open_row) == nodes + 1:
            found.append(open_row)
            aims.append(aim)
            open_row = []
    if open_row:
        raise keyword.error(
            f"element {open_row[0]} of type {name} has too few nodes",
            row=first,
            found=len(open_row) - 1,
            expected=nodes,
        )
    return np.array(found, np.int64).reshape(-1, nodes + 1), np.array(aims, np.int64)


def _reference(draft: Draft, context: Context, keyword: Keyword, row: int, item: str) -> int:
    """An id as seen from this place; elements may name a node as ``INSTANCE.id`` or by a set of that node alone."""
    where, bare = draft.split(context, item)
    if is_id(bare) and bare != label(item):
        return int(bare) + where.offset - context.offset
    if any(name.rpartition(".")[2] == bare for name in draft.node_sets):
        return draft.one_node(context, item, keyword, row) - context.offset
    return keyword.integer(row, item)


#: Elements that all GENERATE ranges of a deck may name together.
_MOST_GENERATED = 20_000_000


def _set(draft: Draft, context: Context, keyword: Keyword) -> None:
    """NSET and ELSET: members by number, by another set's name, by range, or the nodes of an element set."""
    nodes = keyword.name == "NSET"
    name = keyword.label("NSET" if nodes else "ELSET")
    if name is None:
        raise keyword.error("the set has no name", expected=f"{keyword.name}=NAME")
    instance = keyword.label("INSTANCE")
    if instance is not None and not draft.deck.instances:
        draft.note(f"sets name the instance {instance}, but the deck has none: its own nodes and elements are meant")
        instance = None
    if instance is not None and instance not in draft.deck.instances:
        raise keyword.error("unknown instance", found=instance, expected=", ".join(draft.deck.instances) or "none")
    inner = draft.deck.instances[instance] if instance is not None else context
    parts: list[IntArray] = []
    if nodes and keyword.label("ELSET"):
        chosen = draft.elements_of(inner, keyword.options["ELSET"], keyword)
        parts += [group.nodes[np.isin(group.ids, chosen)].ravel() for group in draft.groups]
    for row, items in keyword.rows():
        if "GENERATE" in keyword.options:
            start, stop = (
                keyword.integer(row, items[0]),
                keyword.integer(row, items[1] if len(items) > 1 else items[0]),
            )
            step = keyword.integer(row, items[2]) if len(items) > 2 else 1
            if step <= 0 or stop < start:
                raise keyword.error("a range is empty or runs backwards", row=row, found=keyword.data[row].strip())
            if nodes:  # those that exist, without spelling the range out
                own = draft.node_ids - inner.offset
                parts.append(draft.node_ids[(own >= start) & (own <= stop) & ((own - start) % step == 0)])
                continue
            draft.generated += (stop - start) // step + 1
            if draft.generated > _MOST_GENERATED:
                raise keyword.error(
                    "the ranges of the deck contain too many elements", row=row,
                    found=keyword.data[row].strip(), expected=f"at most {_MOST_GENERATED}",
                )  # fmt: skip
            parts.append(np.arange(start, stop + 1, step) + inner.offset)
            continue
        numbers = [int(item) for item in items if is_id(item)]
        parts.append(np.array(numbers, np.int64) + inner.offset)
        for item in items:
            if item and not is_id(item):
                lookup = draft.nodes_of if nodes else draft.elements_of
                parts.append(lookup(inner, item, keyword, row))
    ids = np.concatenate(parts) if parts else np.zeros(0, np.int64)
    if nodes:
        there = np.isin(ids, draft.node_ids)
        if not there.all():
            gone = np.unique(ids[~there])
            draft.note(
                f"set {label(name)} (line {keyword.line}) names {len(gone)} nodes that do not exist, such as {gone[0]}"
            )
            ids = ids[there]
    draft.record(f"*{keyword.name}", "used")
    _join(draft.node_sets if nodes else draft.element_sets, context, name, ids)
