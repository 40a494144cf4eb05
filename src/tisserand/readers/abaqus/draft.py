"""The model under construction: nodes, elements by type, sets, and how names and numbers are looked up."""

from __future__ import annotations

from collections import Counter
from dataclasses import KW_ONLY, dataclass, field

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import nearest
from tisserand.model.ledger import ASSUMED, CardEntry, Fate
from tisserand.readers.abaqus.deck import Context, Deck
from tisserand.readers.abaqus.element_types import Kind
from tisserand.readers.abaqus.scan import Keyword, is_id, label
from tisserand.units import UnitSystem


@dataclass(eq=False)
class ElementGroup:
    """Elements of one ELEMENT block: global ids (m,) and global node ids (m, k) in the deck's own order."""

    type: str
    kind: Kind
    ids: IntArray
    nodes: IntArray
    context: Context
    keyword: Keyword
    #: (m,) global id of the node that gives a beam its first axis; 0 where the section does, empty where no element has one.
    aims: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass(eq=False)
class Draft:
    """Everything read so far, positions in m, with global ids (instances shifted by their offset)."""

    deck: Deck
    units: UnitSystem
    flavor: str
    _: KW_ONLY
    node_ids: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    positions: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    groups: list[ElementGroup] = field(default_factory=list)
    generated: int = 0
    node_sets: dict[str, IntArray] = field(default_factory=dict)
    element_sets: dict[str, IntArray] = field(default_factory=dict)
    initial_stress: dict[int, FloatArray] = field(default_factory=dict)
    #: (n,) m at the nodes, NaN where not stated; empty where no section asks for it.
    nodal_thickness: FloatArray = field(default_factory=lambda: np.zeros(0))
    #: Thickness by element id, m, of every distribution; 0 is its default.
    distributions: dict[str, dict[int, float]] = field(default_factory=dict)
    taken: set[int] = field(default_factory=set)
    fates: Counter[tuple[str, Fate, str]] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    axes: FloatArray | None = None
    #: Global node ids of the two faces of a cyclic segment, one pair per tie; multistage: several circles meet.
    faces: list[tuple[IntArray, IntArray]] = field(default_factory=list)
    multistage: bool = False
    #: Rows of the nodes of plane elements, which do not move along z.
    plane_nodes: set[int] = field(default_factory=set)

    # -- the ledger ---------------------------------------------------------------------------------------
    def record(self, card: str, fate: Fate, reason: str = "", count: int = 1) -> None:
        """Write a line of the ledger (counts of equal lines add up)."""
        self.fates[(card, fate, reason)] += count

    def note(self, text: str) -> None:
        """A remark, once."""
        if text not in self.notes:
            self.notes.append(text)

    def assume(self, text: str) -> None:
        """A remark that every user of the modes must see."""
        self.note(f"{ASSUMED}{text}")

    def entries(self) -> tuple[CardEntry, ...]:
        """The ledger's lines in order of first mention."""
        return tuple(CardEntry(card, count, fate, reason) for (card, fate, reason), count in self.fates.items())

    # -- lookups ---------------------------------------------------------------------------------------------
    def split(self, context: Context, name: str) -> tuple[Context, str]:
        """``INSTANCE.NAME`` as the instance's context and the bare name; the assembly's name may stand before either."""
        head, dot, tail = label(name).partition(".")
        if dot and head in self.deck.instances:
            return self.deck.instances[head], tail
        if dot and head in self.deck.assemblies:
            return self.split(Context(), tail)
        return context, label(name)

    def _members(
        self, sets: dict[str, IntArray], context: Context, name: str, keyword: Keyword, row: int | None, what: str
    ) -> IntArray:
        where, bare = self.split(context, name)
        named = (where.full(bare), bare, *(c.full(bare) for c in self.deck.instances.values()))
        if is_id(bare) and (row is not None or not any(candidate in sets for candidate in named)):
            return np.array([int(bare) + where.offset])
        for candidate in named:
            if candidate in sets:
                return sets[candidate]
        close = nearest(bare, sets)
        raise keyword.error(
            f"unknown {what} set",
            row=row,
            found=repr(name),
            expected="one of " + ", ".join(list(sets)[:12]) if sets else "no sets exist",
            advice=f"did you mean {close!r}?" if close else None,
        )

    def nodes_of(self, context: Context, name: str, keyword: Keyword, row: int | None = None) -> IntArray:
        """Global node ids of a number or a set's name; ids that do not exist raise."""
        ids = self._members(self.node_sets, context, name, keyword, row, "node")
        missing = ids[~np.isin(ids, self.node_ids)]
        if len(missing):
            raise keyword.error("a node does not exist", row=row, found=f"node {int(missing[0])}")
        return ids

    def one_node(self, context: Context, name: str, keyword: Keyword, row: int | None = None) -> int:
        """A single global node id."""
        ids = self.nodes_of(context, name, keyword, row)
        if len(ids) != 1:
            raise keyword.error("one node is needed", row=row, found=f"{name!r} with {len(ids)} nodes")
        return int(ids[0])

    def elements_of(self, context: Context, name: str, keyword: Keyword, row: int | None = None) -> IntArray:
        """Global element ids of a number or a set's name."""
        return self._members(self.element_sets, context, name, keyword, row, "element")

    def index(self, ids: IntArray) -> IntArray:
        """Rows of the node table for global ids that exist."""
        order = np.argsort(self.node_ids, kind="stable")
        return np.asarray(order[np.searchsorted(self.node_ids[order], ids)])

    def position(self, ids: IntArray) -> FloatArray:
        """Positions, m."""
        return np.asarray(self.positions[self.index(np.asarray(ids))])
