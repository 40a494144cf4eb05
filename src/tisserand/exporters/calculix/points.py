"""Springs and masses: translations alone, as CalculiX has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.exporters.calculix.cards import number, refused
from tisserand.model import BushBlock, NodalBodies, ScalarMassBlock, ScalarSpringBlock

if TYPE_CHECKING:
    from tisserand.exporters.calculix.deck import Deck

_DAMPING = "the damping of springs and bushes: CalculiX has none between components"


def write_springs(deck: Deck, block: ScalarSpringBlock) -> None:
    """SPRING1 to ground and SPRING2 between nodes, in the axes of the nodes."""
    for e in range(len(block)):
        number_ = int(block.ids[e])
        if block.damping[e]:
            deck.lose(_DAMPING)
        if not block.stiffness[e]:
            continue
        ends = [(n, c) for n, c in zip(block.nodes[e].tolist(), block.components[e].tolist()) if n >= 0]
        if any(component > 2 for _, component in ends):
            raise refused("a spring on a rotation", [number_])
        axes = [deck.axes(node) for node, _ in ends]
        if not all(np.array_equal(axes[0], other) for other in axes):
            raise refused("a spring between nodes with different axes", [number_])
        spring(deck, number_, ends, float(block.stiffness[e]), axes[0])


def spring(deck: Deck, own: int, ends: Sequence[tuple[int, int]], stiffness: float, axes: FloatArray) -> None:
    """One spring between (node, component) and another or ground, components in ``axes`` (rows)."""
    kind = "SPRING1" if len(ends) == 1 else "SPRING2"
    name = deck.element_set(kind, [own], [deck.node_ids([node for node, _ in ends])])
    turned = "" if np.array_equal(axes, np.eye(3)) else f", ORIENTATION={deck.cards.orientation(axes)}"
    deck.cards.sections += [
        f"*SPRING, ELSET={name}{turned}",
        ", ".join(str(component + 1) for _, component in ends),
        number(stiffness / deck.units.linear_stiffness),
    ]


def write_bushes(deck: Deck, block: BushBlock) -> None:
    """Three springs where the bush sits in its nodes, SPRINGA where it acts along the line between them alone."""
    places = np.asarray(deck.model.nodes.positions)
    reach = 1e-9 * max(deck.model.size, 1e-9)
    for e in range(len(block)):
        own, stiffness = int(block.ids[e]), block.stiffness[e]
        if block.damping[e].any():
            deck.lose(_DAMPING)
        if stiffness[3:].any():
            raise refused("a bush with rotational stiffness", [own])
        nodes = [node for node in block.nodes[e].tolist() if node >= 0]
        if all(np.abs(places[node] - block.location[e]).max() <= reach for node in nodes):
            for component in np.flatnonzero(stiffness[:3]).tolist():
                spring(deck, own, [(node, component) for node in nodes], float(stiffness[component]), block.axes[e])
            continue
        if len(nodes) == 2 and np.count_nonzero(stiffness) == 1:
            axis = block.axes[e][int(np.argmax(stiffness))]
            along = places[nodes[1]] - places[nodes[0]]
            if np.linalg.norm(np.cross(axis, along)) <= 1e-9 * np.linalg.norm(along):
                name = deck.element_set("SPRINGA", [own], [deck.node_ids(nodes)])
                value = number(float(stiffness.max()) / deck.units.linear_stiffness)
                deck.cards.sections += [f"*SPRING, ELSET={name}", "", value]
                continue
        raise refused("a bush away from its nodes", [own])


def write_scalar_masses(deck: Deck, block: ScalarMassBlock) -> None:
    """The same mass in three directions of a node as MASS."""
    found: dict[int, dict[int, float]] = {}
    first: dict[int, int] = {}
    for e in range(len(block)):
        ends = [(n, c) for n, c in zip(block.nodes[e].tolist(), block.components[e].tolist()) if n >= 0]
        if len(ends) != 1 or ends[0][1] > 2:
            raise refused("a scalar mass between components or on a rotation", [int(block.ids[e])])
        node, component = ends[0]
        own = found.setdefault(node, {})
        own[component] = own.get(component, 0.0) + float(block.mass[e])
        first.setdefault(node, int(block.ids[e]))
    for node, own in found.items():
        values = [own.get(c, 0.0) for c in range(3)]
        if max(values) - min(values) > 1e-12 * max(values):
            raise refused("a mass that differs from direction to direction", [first[node]])
        _mass(deck, first[node], node, values[0])


def write_bodies(deck: Deck, block: NodalBodies) -> None:
    """MASS; inertia and offsets are refused."""
    for e in range(len(block)):
        own = int(block.ids[e])
        if block.offset[e].any() or block.inertia[e].any():
            raise refused("a nodal body with rotary inertia or an offset", [own])
        _mass(deck, own, int(block.nodes[e, 0]), float(block.mass[e]))


def _mass(deck: Deck, own: int, node: int, mass: float) -> None:
    name = deck.element_set("MASS", [own], [deck.node_ids([node])])
    deck.cards.sections += [f"*MASS, ELSET={name}", number(mass / deck.units.mass)]
