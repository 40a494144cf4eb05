"""What a case adds to a mesh or a deck: nodes, masses, links, springs, supports, named points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.arrays import BoolArray, IntArray
from tisserand.declarations.common_values import inertia_matrix, many
from tisserand.declarations.faults import key_of
from tisserand.model import BushBlock, Constraint, ElementBlock, Interpolation, NodalBodies, RigidElement, Supports
from tisserand.model.ledger import CardEntry
from tisserand.readers.case.addition_tables import SupportTable
from tisserand.readers.case.case_file import AppendageCase
from tisserand.readers.case.node_lookup import NodeLookup


@dataclass(frozen=True, eq=False)
class Additions:
    """Blocks, constraints, supports and interfaces (name -> node id) of the case, with ledger lines."""

    blocks: tuple[ElementBlock, ...]
    constraints: tuple[Constraint, ...]
    supports: Supports
    interfaces: dict[str, int]
    entries: tuple[CardEntry, ...]


def additions_of(case: AppendageCase, places: NodeLookup, next_id: int) -> Additions:
    """Resolve every place and build the blocks; ``places`` grows by the nodes that the case adds."""
    for name, node in case.tables.nodes.items():
        places.add(_key("nodes", name), name, np.array(node.position) * case.units.length, node.id)
    ties, interfaces = _points(case, places, next_id)
    bodies = _bodies(case, places, next_id + len(ties))
    springs = _springs(case, places, next_id + len(ties) + (len(bodies) if bodies else 0))
    links = _links(case, places, next_id + len(ties) + sum(len(b) for b in (bodies, springs) if b))
    supports, held = _supports(case, places)
    counts = (
        ("nodes", len(case.tables.nodes)), ("points", len(case.points)), ("masses", len(bodies) if bodies else 0),
        ("springs", len(springs) if springs else 0), ("links", len(links)),
    )  # fmt: skip
    entries = tuple(CardEntry(f"case {word}", count, "used") for word, count in counts if count) + tuple(held)
    blocks = tuple(block for block in (bodies, springs) if block is not None)
    return Additions(blocks, tuple(ties) + tuple(links), supports, interfaces, entries)


def _key(*words: str | int) -> str:
    return key_of(words)


def _components(digits: str | int) -> IntArray:
    return np.array([int(digit) - 1 for digit in str(digits)])


def _pairs(rows: IntArray, components: IntArray) -> IntArray:
    """All (row, component) pairs."""
    return np.column_stack([np.repeat(rows, len(components)), np.tile(components, len(rows))])


def _points(case: AppendageCase, places: NodeLookup, next_id: int) -> tuple[list[RigidElement], dict[str, int]]:
    ties: list[RigidElement] = []
    interfaces: dict[str, int] = {}
    found: dict[str, int] = {}
    for name, point in case.points.items():
        key = _key("points", name)
        if point.rigid:
            followers = places.rows(f"{key}.at", point.at)
            center = places.positions[followers].mean(axis=0)
            row = places.add(key, None, center, None)
            every = np.arange(6)
            ties.append(
                RigidElement(
                    next_id + len(ties), _pairs(np.array([row]), every), _pairs(followers, every), "case point"
                )
            )
        else:
            row = places.row(f"{key}.at" if isinstance(point.at, str) else key, point.at)
        interfaces[name] = int(places.ids[row])
        found[name] = row
    places.points.update(found)
    return ties, interfaces


def _bodies(case: AppendageCase, places: NodeLookup, next_id: int) -> NodalBodies | None:
    nodes, masses, offsets, inertias, names = [], [], [], [], []
    units = case.units
    for name, rule in case.tables.masses.items():
        key = _key("masses", name, "at")
        rows = np.array([places.row(key, rule.at)]) if rule.spread == "one" else places.rows(key, rule.at)
        share = 1.0 / len(rows) if rule.spread == "divided" else 1.0
        for row in rows:
            nodes.append(int(row))
            masses.append(rule.mass * units.mass * share)
            offsets.append(np.array(rule.offset) * units.length)
            inertias.append(inertia_matrix(rule.inertia) * units.inertia * share)
            names.append(name)
    if not nodes:
        return None
    ids = next_id + np.arange(len(nodes))
    return NodalBodies(
        ids, np.array(nodes)[:, None], np.array(masses), np.array(offsets), np.array(inertias), tuple(names)
    )


def _springs(case: AppendageCase, places: NodeLookup, next_id: int) -> BushBlock | None:
    springs, units = case.tables.springs, case.units
    if not springs:
        return None
    ends, locations = [], []
    for name, rule in springs.items():
        rows = [places.row(_key("springs", name, "between", i), at) for i, at in enumerate(rule.between)]
        locations.append(places.positions[rows].mean(axis=0))
        ends.append([*rows, -1][:2])
    forces = np.array([units.linear_stiffness] * 3 + [units.moment] * 3)
    rates = np.array([units.linear_damping] * 3 + [units.rotational_damping] * 3)
    return BushBlock(
        next_id + np.arange(len(ends)),
        np.array(ends),
        np.array([rule.stiffness for rule in springs.values()]) * forces,
        np.array([rule.damping for rule in springs.values()]) * rates,
        np.array([rule.axes for rule in springs.values()]),
        np.array(locations),
    )


def _links(case: AppendageCase, places: NodeLookup, next_id: int) -> list[Constraint]:
    links: list[Constraint] = []
    for number, (name, rule) in enumerate(case.tables.links.items()):
        reference = places.row(_key("links", name, "reference"), rule.reference)
        parts = [places.rows(_key("links", name, "nodes"), at) for at in places_in(rule.nodes)]
        rows = np.setdiff1d(np.unique(np.concatenate(parts)), [reference])
        if not len(rows):
            raise case.error(_key("links", name, "nodes"), "ties the reference node to itself only")
        components = _components(rule.components)
        if rule.kind == "rigid":
            independent = _pairs(np.array([reference]), np.arange(6))
            links.append(RigidElement(next_id + number, independent, _pairs(rows, components), "case link"))
        else:
            terms = _pairs(rows, np.arange(3))
            links.append(
                Interpolation(next_id + number, reference, components, terms, np.ones(len(terms)), None, "case link")
            )
    return links


def _supports(case: AppendageCase, places: NodeLookup) -> tuple[Supports, list[CardEntry]]:
    """The supports, and how many nodes each rule matched."""
    nodes: list[int] = []
    fixed: list[BoolArray] = []
    entries: list[CardEntry] = []
    for number, rule in enumerate(many(case.tables.supports)):
        key = _key("supports", number)
        held = np.zeros(6, np.bool_)
        held[_components(rule.components)] = True
        rows = _supported(key, rule, places)
        nodes.extend(rows.tolist())
        fixed.extend([held] * len(rows))
        what = "at" if rule.at is not None else "box" if rule.plane is None else f"plane {rule.plane.axis}"
        entries.append(CardEntry(f"case {key} {what}: nodes held", len(rows), "used"))
    return (Supports(np.array(nodes), np.array(fixed)) if nodes else Supports()), entries


def _supported(key: str, rule: SupportTable, places: NodeLookup) -> IntArray:
    for word, region in (("box", rule.box), ("plane", rule.plane)):
        if region is not None:
            return places.inside(f"{key}.{word}", region)
    several = places_in(rule.at)
    found = [places.rows(f"{key}.at" + (f"[{i}]" if len(several) > 1 else ""), at) for i, at in enumerate(several)]
    return np.unique(np.concatenate(found))


def places_in(value: Any) -> tuple[Any, ...]:
    """One place or several; three numbers with a decimal point are one place."""
    return (value,) if isinstance(value, tuple) and value and isinstance(value[0], float) else many(value)
