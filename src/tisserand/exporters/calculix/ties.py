"""Rigid elements as RIGID BODY; ties between translations as EQUATION."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tisserand.assembly.ties import TieRows, tie_rows
from tisserand.errors import ModelError
from tisserand.exporters.calculix.cards import number, rows
from tisserand.model import Constraint, RigidElement

if TYPE_CHECKING:
    from tisserand.exporters.calculix.deck import Deck


def tie_lines(deck: Deck, tie: Constraint) -> Iterator[str]:
    """Lines of one tie. A rotation that no rigid body owns does not exist in CalculiX: such ties are refused."""
    if isinstance(tie, RigidElement) and (np.unique(tie.independent[:, 0]).size, len(tie.independent)) == (1, 6):
        yield from _rigid_body(deck, tie)
        return
    for found in tie_rows(deck.model.nodes, (tie,)):
        yield from _equations(deck, tie, found)


def _rigid_body(deck: Deck, tie: RigidElement) -> Iterator[str]:
    """A reference node for translations and a new one for rotations."""
    leader = int(tie.independent[0, 0])
    followers = np.unique(tie.dependent[:, 0])
    turning = deck.turning_rows
    for node in followers.tolist():
        own = set(tie.dependent[tie.dependent[:, 0] == node, 1].tolist())
        if not {0, 1, 2} <= own or (node in turning and own != set(range(6))):
            raise _refused(tie, "ties some components of a node alone")
    if leader in deck.structural_rows:
        raise _refused(tie, f"is led by node {deck.ids[leader]}, which belongs to an element")
    if leader in deck.turning:
        raise _refused(tie, f"is led by node {deck.ids[leader]}, which leads another one")
    deck.turning[leader] = deck.node(deck.places[leader])
    yield from (f"*NSET, NSET=R{tie.id}", *rows(deck.node_ids(followers.tolist())))
    yield f"*RIGID BODY, NSET=R{tie.id}, REF NODE={deck.ids[leader]}, ROT NODE={deck.turning[leader]}"


def _equations(deck: Deck, tie: Constraint, found: TieRows) -> Iterator[str]:
    if max(found.dependent[:, 1].max(initial=0), found.independent[:, 1].max(initial=0)) > 2:
        raise _refused(tie, "ties rotations")
    for (node, component), factors in zip(found.dependent.tolist(), found.coefficients):
        terms = [f"{deck.ids[node]}, {component + 1}, -1."]
        for (other, own), factor in zip(found.independent.tolist(), factors.tolist()):
            if factor:
                terms.append(f"{deck.ids[other]}, {own + 1}, {number(factor)}")
        yield from ("*EQUATION", str(len(terms)), *rows(terms, 4))


def _refused(tie: Constraint, why: str) -> ModelError:
    return ModelError(f"{tie.card} {tie.id} {why}, which cannot be written for CalculiX", ids=(tie.id,))
