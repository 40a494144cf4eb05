"""What a case adds to a mesh or a deck: nodes, masses, links, springs, supports, named points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import BoolArray, IntArray
from tisserand.model import (
    BushBlock,
    Constraint,
    ElementBlock,
    Interpolation,
    NodalBodies,
    RigidElement,
    Supports,
)
from tisserand.model.ledger import CardEntry
from tisserand.readers.case.places import Places
from tisserand.readers.case.types import AppendageCase, Region, SupportRule


@dataclass(frozen=True, eq=False)
class Additions:
    """Blocks, constraints, supports and interfaces (name -> node id) that the case states, with ledger
    lines."""

    blocks: tuple[ElementBlock, ...]
    constraints: tuple[Constraint, ...]
    supports: Supports
    interfaces: dict[str, int]
    entries: tuple[CardEntry, ...]


def additions_of(case: AppendageCase, places: Places, next_id: int) -> Additions:
    """Resolve every place and build the blocks; ``places`` grows by the nodes that the case adds."""
    for node in case.nodes:
        places.add(node.key, node.name, node.position, node.id)
    ties, interfaces = _points(case, places, next_id)
    bodies = _bodies(case, places, next_id + len(ties))
    springs = _springs(case, places, next_id + len(ties) + (len(bodies) if bodies else 0))
    links = _links(case, places, next_id + len(ties) + sum(len(b) for b in (bodies, springs) if b))
    supports, held = _supports(case, places)
    counts = (
        ("nodes", len(case.nodes)), ("points", len(case.points)), ("masses", len(bodies) if bodies else 0),
        ("springs", len(springs) if springs else 0), ("links", len(links)),
    )  # fmt: skip
    entries = tuple(CardEntry(f"case {word}", count, "used") for word, count in counts if count) + tuple(held)
    blocks = tuple(block for block in (bodies, springs) if block is not None)
    return Additions(blocks, tuple(ties) + tuple(links), supports, interfaces, entries)


def _components(digits: str) -> IntArray:
    return np.array([int(digit) - 1 for digit in digits])


def _pairs(rows: IntArray, components: IntArray) -> IntArray:
    """All (row, component) pairs."""
    return np.column_stack([np.repeat(rows, len(components)), np.tile(components, len(rows))])


def _points(case: AppendageCase, places: Places, next_id: int) -> tuple[list[RigidElement], dict[str, int]]:
    ties: list[RigidElement] = []
    interfaces: dict[str, int] = {}
    found: dict[str, int] = {}
    for point in case.points:
        if point.rigid:
            followers = places.rows(f"{point.key}.at", point.at)
            centre = places.positions[followers].mean(axis=0)
            row = places.add(point.key, None, centre, None)
            every = np.arange(6)
            ties.append(
                RigidElement(
                    next_id + len(ties),
                    _pairs(np.array([row]), every),
                    _pairs(followers, every),
                    "case point",
                )
            )
        else:
            row = places.row(f"{point.key}.at" if isinstance(point.at, str) else point.key, point.at)
        interfaces[point.name] = int(places.ids[row])
        found[point.name] = row
    places.points.update(found)
    return ties, interfaces


def _bodies(case: AppendageCase, places: Places, next_id: int) -> NodalBodies | None:
    nodes, masses, offsets, inertias, names = [], [], [], [], []
    for rule in case.masses:
        if rule.spread == "one":
            rows = np.array([places.row(f"{rule.key}.at", rule.at)])
        else:
            rows = places.rows(f"{rule.key}.at", rule.at)
        share = 1.0 / len(rows) if rule.spread == "divided" else 1.0
        for row in rows:
            nodes.append(int(row))
            masses.append(rule.mass * share)
            offsets.append(rule.offset)
            inertias.append(rule.inertia * share)
            names.append(rule.name)
    if not nodes:
        return None
    ids = next_id + np.arange(len(nodes))
    return NodalBodies(
        ids, np.array(nodes)[:, None], np.array(masses), np.array(offsets), np.array(inertias), tuple(names)
    )


def _springs(case: AppendageCase, places: Places, next_id: int) -> BushBlock | None:
    if not case.springs:
        return None
    ends, locations = [], []
    for rule in case.springs:
        rows = [places.row(f"{rule.key}.between[{i}]", at) for i, at in enumerate(rule.between)]
        locations.append(places.positions[rows].mean(axis=0))
        ends.append([*rows, -1][:2])
    return BushBlock(
        next_id + np.arange(len(ends)),
        np.array(ends),
        np.array([rule.stiffness for rule in case.springs]),
        np.array([rule.damping for rule in case.springs]),
        np.array([rule.axes for rule in case.springs]),
        np.array(locations),
    )


def _links(case: AppendageCase, places: Places, next_id: int) -> list[Constraint]:
    links: list[Constraint] = []
    for number, rule in enumerate(case.links):
        reference = places.row(f"{rule.key}.reference", rule.reference)
        parts = [places.rows(f"{rule.key}.nodes", at) for at in rule.nodes]
        rows = np.setdiff1d(np.unique(np.concatenate(parts)), [reference])
        if not len(rows):
            raise case.error(f"{rule.key}.nodes", "ties the reference node to itself only")
        components = _components(rule.components)
        if rule.kind == "rigid":
            independent = _pairs(np.array([reference]), np.arange(6))
            links.append(RigidElement(next_id + number, independent, _pairs(rows, components), "case link"))
        else:
            terms = _pairs(rows, np.arange(3))
            links.append(
                Interpolation(
                    next_id + number, reference, components, terms, np.ones(len(terms)), None, "case link"
                )
            )
    return links


def _supports(case: AppendageCase, places: Places) -> tuple[Supports, list[CardEntry]]:
    """What is held, and how many nodes each rule caught."""
    nodes: list[int] = []
    fixed: list[BoolArray] = []
    entries: list[CardEntry] = []
    for rule in case.supports:
        held = np.zeros(6, np.bool_)
        held[_components(rule.components)] = True
        rows = _supported(rule, places)
        nodes.extend(rows.tolist())
        fixed.extend([held] * len(rows))
        what = rule.at.words if isinstance(rule.at, Region) else "at"
        entries.append(CardEntry(f"case {rule.key} {what}: nodes held", len(rows), "used"))
    return (Supports(np.array(nodes), np.array(fixed)) if nodes else Supports()), entries


def _supported(rule: SupportRule, places: Places) -> IntArray:
    if isinstance(rule.at, Region):
        return places.inside(rule.at)
    many = len(rule.at) > 1
    found = [places.rows(f"{rule.key}.at" + (f"[{i}]" if many else ""), at) for i, at in enumerate(rule.at)]
    return np.unique(np.concatenate(found))
