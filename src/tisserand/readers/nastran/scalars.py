"""Scalar elements: CELAS1-4, CDAMP1-4, CMASS1-4 with PELAS, PDAMP, PMASS."""

from __future__ import annotations

import numpy as np

from tisserand.model import ScalarMassBlock, ScalarSpringBlock
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft


def read_springs(draft: Draft) -> list[ScalarSpringBlock]:
    """Springs and dampers as one block."""
    springs = _property_values(draft, "PELAS", 4)
    dampers = _property_values(draft, "PDAMP", 2)
    found: list[tuple[int, list[int], list[int], float, float]] = []
    for row in draft.bulk.rows("CELAS1", "CELAS2", "CELAS3", "CELAS4"):
        number, nodes, components, value = _element(draft, row, springs)
        found.append((number, nodes, components, value * _scale(draft, nodes, components, draft.units.force), 0.0))
    for row in draft.bulk.rows("CDAMP1", "CDAMP2", "CDAMP3", "CDAMP4"):
        number, nodes, components, value = _element(draft, row, dampers)
        force = draft.units.force * draft.units.time
        found.append((number, nodes, components, 0.0, value * _scale(draft, nodes, components, force)))
    if not found:
        return []
    found.sort(key=lambda item: item[0])
    ids, nodes_, components_, stiffness, damping = zip(*found)
    return [
        ScalarSpringBlock(
            np.array(ids), np.array(nodes_), np.array(components_), np.array(stiffness), np.array(damping)
        )
    ]


def read_scalar_masses(draft: Draft) -> list[ScalarMassBlock]:
    """CMASS1-4 as one block; WTMASS applied."""
    known = _property_values(draft, "PMASS", 2)
    found = []
    for row in draft.bulk.rows("CMASS1", "CMASS2", "CMASS3", "CMASS4"):
        number, nodes, components, value = _element(draft, row, known)
        unit = draft.mass_factor * draft.units.length
        found.append((number, nodes, components, value * _scale(draft, nodes, components, unit)))
    if not found:
        return []
    found.sort(key=lambda item: item[0])
    ids, nodes_, components_, mass = zip(*found)
    return [ScalarMassBlock(np.array(ids), np.array(nodes_), np.array(components_), np.array(mass))]


def _scale(draft: Draft, nodes: list[int], components: list[int], unit: float) -> float:
    """Factor of a coefficient between displacements: ``unit`` per length for translations, times length for rotations."""
    factor = unit
    sides = [(n, c) for n, c in zip(nodes, components) if n >= 0]
    if len(sides) == 1:
        sides *= 2
    for _, component in sides:
        factor *= 1.0 if component < 3 else draft.units.length
    return factor / draft.units.length if sides else factor


def _property_values(draft: Draft, card: str, step: int) -> dict[int, float]:
    """Value by property id; several properties may share a card."""
    known: dict[int, float] = {}
    for row in draft.bulk.rows(card):
        for at in range(0, 8, step):
            if row.text(at):
                known[row.integer(at)] = row.real(at + 1)
    return known


def _element(draft: Draft, row: Row, known: dict[int, float]) -> tuple[int, list[int], list[int], float]:
    """Id, nodes, components and value of a scalar element of kind 1 to 4."""
    kind = int(row.card[-1])
    number = row.integer(0)
    if kind in (1, 3):
        prop = row.integer(1, number)
        if prop not in known:
            raise row.error(1, "the property does not exist", found=prop)
        value = known[prop]
    else:
        value = row.real(1)
    nodes, components = [], []
    for side in range(2):
        at = 2 + 2 * side if kind < 3 else 2 + side
        if not row.text(at) or row.text(at) == b"0":
            nodes.append(-1)
            components.append(0)
            continue
        node = draft.node(row, at)
        nodes.append(node)
        scalar = draft.is_scalar(node)
        if kind >= 3:
            if not scalar:
                raise row.error(at, "is not a scalar point", found=row.integer(at))
            components.append(0)
        else:
            given = row.components(at + 1, "0")
            if len(given) != 1 or (not scalar and row.text(at + 1) in (b"", b"0")):
                raise row.error(
                    at + 1, "one component of a grid point is needed", found=repr(row.word(at + 1)), expected="1 to 6"
                )
            if scalar and given != [0]:
                raise row.error(at + 1, "a scalar point has component 0 only", found=repr(row.word(at + 1)))
            components.append(given[0])
    if nodes == [-1, -1]:
        raise row.error(2, "the element is tied to no grid point")
    return number, nodes, components, value
