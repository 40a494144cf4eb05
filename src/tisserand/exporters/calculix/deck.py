"""The deck: nodes, elements of every family that CalculiX has, ties, supports and a request for frequencies; ids are kept.

CalculiX expands beams, trusses and shells into solids, and every family that it lacks is refused by name. The deck states
consistent masses, as CalculiX has no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError, one_line
from tisserand.exporters.calculix import lines, points, solids, surfaces
from tisserand.exporters.calculix.cards import Cards, refused, rows
from tisserand.exporters.calculix.cards import number as real
from tisserand.exporters.calculix.ties import tie_lines
from tisserand.model import StructuralModel
from tisserand.units import UnitSystem

#: Modes asked for where the model asks for none.
_COUNT = 10

#: What writes a family; all others are refused.
_WRITERS: dict[str, Callable[[Deck, Any], None]] = {
    "solid": solids.write_solids,
    "shell": surfaces.write_shells,
    "membrane": surfaces.write_membranes,
    "beam": lines.write_beams,
    "curved beam": lines.write_curved_beams,
    "rod": lines.write_rods,
    "spring": points.write_springs,
    "bush": points.write_bushes,
    "scalar mass": points.write_scalar_masses,
    "nodal body": points.write_bodies,
}


def _rows_of(blocks: list[Any]) -> set[int]:
    """Rows of all nodes of some blocks."""
    return {int(node) for block in blocks for node in np.unique(block.nodes)}


class Deck:
    """A deck that is being written; ``units`` are those of its numbers."""

    def __init__(self, model: StructuralModel, units: UnitSystem) -> None:
        self.model, self.units = model, units
        self.cards = Cards(units)
        self.ids: list[int] = model.nodes.ids.tolist()
        self.places: list[FloatArray] = [np.asarray(x) for x in model.nodes.positions]
        self.elements: list[str] = []
        self.constraints: list[str] = []
        self.losses: list[str] = []
        #: Row of a node whose rotations are the translations of another one -> that node's id.
        self.turning: dict[int, int] = {}
        self._used = {int(i) for block in model.elements if not block.facts.one_matrix for i in block.ids}
        self._taken: set[int] = set()
        self._sets = 0
        #: Rows of nodes that elements with a length, surface or volume use, and of those that turn in CalculiX too.
        self.structural_rows = _rows_of([b for b in model.elements if b.facts.shape in ("line", "surface", "volume")])
        self.turning_rows = _rows_of([b for b in model.elements if b.family in ("beam", "curved beam", "shell")])
        #: Whether our reader finds other matrices in the deck than those of the model.
        self.otherwise = False

    def lose(self, sentence: str, *, otherwise: bool = False) -> None:
        """State once what CalculiX has otherwise; ``otherwise``: our reader then, too."""
        self.otherwise |= otherwise
        if sentence not in self.losses:
            self.losses.append(sentence)

    def node(self, place: FloatArray) -> int:
        """Id of a new node."""
        self.ids.append(max(self.ids) + 1)
        self.places.append(np.asarray(place))
        return self.ids[-1]

    def element_id(self, wanted: int) -> int:
        """The id itself, or a new one where it is taken by another family or piece."""
        if wanted in self._taken:
            wanted = max(self._used) + 1
            self._used.add(wanted)
        self._taken.add(wanted)
        return wanted

    def element_set(self, kind: str, ids: Sequence[int], nodes: Sequence[Sequence[int]]) -> str:
        """Elements of a type, given by ids of nodes, in a set of their own; its name."""
        self._sets += 1
        name = f"E{self._sets}"
        self.elements.append(f"*ELEMENT, TYPE={kind}, ELSET={name}")
        for own, cells in zip(ids, nodes):
            self.elements += rows([self.element_id(int(own)), *cells], 12)
        return name

    def node_ids(self, nodes: Sequence[int]) -> list[int]:
        """Ids of nodes given by their rows."""
        return [self.ids[node] for node in nodes]

    def axes(self, node: int) -> FloatArray:
        """(3, 3) axes of a node, as rows in basic axes."""
        own = self.model.nodes.axes
        return np.eye(3) if own is None else np.asarray(own[node])

    def text(self) -> str:
        """The whole deck."""
        self._refuse()
        for block in self.model.elements:
            if block.family not in _WRITERS:
                raise refused(f"a {block.family}", block.ids.tolist())
            _WRITERS[block.family](self, block)
        for tie in self.model.constraints:
            self.constraints += tie_lines(self, tie)
        name = one_line(self.model.name)
        return "\n".join(
            [
                f"** {name}, units {self.units.name}",
                *self._nodes(), *self.elements, *self.cards.materials, *self.cards.orientations, *self.cards.sections,
                *self._transforms(), *self.constraints, *self._supports(), *self._step(), "",
            ]
        )  # fmt: skip

    def _refuse(self) -> None:
        model = self.model
        if model.analysis.preload is not None and model.analysis.preload:
            raise ModelError(
                f"the preload of {model.analysis.preload.name} cannot be written for CalculiX", where=model.name,
                advice="read another step or subcase, or export the reduced record, which holds the loaded modes",
            )  # fmt: skip
        if model.nodes.scalar is not None and model.nodes.scalar.any():
            first = int(model.nodes.ids[np.argmax(model.nodes.scalar)])
            raise ModelError("scalar points cannot be written for CalculiX", ids=(first,), found=f"point {first}")
        stressed = [section.id for section in model.sections if section.stressed]
        if stressed:
            raise ModelError(
                "a tension or prestress in a section cannot be written for CalculiX", ids=tuple(stressed[:5]),
                found=f"section {stressed[0]}", advice="export the reduced record, which holds the stiffened modes",
            )  # fmt: skip
        if model.mass_recipe != "consistent":
            self.lose(f"the mass recipe {model.mass_recipe} is written as consistent masses, the only ones of CalculiX")

    def _nodes(self) -> Iterator[str]:
        yield "*NODE, NSET=ALL"
        for own, place in zip(self.ids, self.places):
            yield ", ".join([str(own), *(real(x) for x in place / self.units.length)])

    def _transforms(self) -> Iterator[str]:
        axes = self.model.nodes.axes
        if axes is None:
            return
        groups: dict[bytes, list[int]] = {}
        for node, own in enumerate(np.asarray(axes)):
            if not np.array_equal(own, np.eye(3)):
                groups.setdefault(own.tobytes(), []).append(node)
        for count, (key, nodes) in enumerate(groups.items(), 1):
            own = np.frombuffer(key).reshape(3, 3)
            yield from (f"*NSET, NSET=T{count}", *rows(self.node_ids(nodes)))
            yield f"*TRANSFORM, NSET=T{count}, TYPE=R"
            yield ", ".join(real(x) for x in [*own[0], *own[1]])

    def _supports(self) -> Iterator[str]:
        supports = self.model.supports
        held: list[str] = []
        for node, fixed in zip(supports.nodes.tolist(), supports.fixed):
            for component in np.flatnonzero(fixed).tolist():
                if component < 3 or node in self.turning_rows:
                    held.append(f"{self.ids[node]}, {component + 1}")
                elif node in self.turning:
                    held.append(f"{self.turning[node]}, {component - 2}")
        if held:
            yield from ("*BOUNDARY", *held)

    def _step(self) -> Iterator[str]:
        analysis = self.model.analysis
        limits = [analysis.fmin_hz, analysis.fmax_hz]
        known = [real(x * self.units.time) if x is not None else "" for x in limits]
        yield from ("*STEP", "*FREQUENCY")
        yield ", ".join([str(analysis.count or _COUNT), *known]).rstrip(", ")
        yield from ("*NODE FILE, GLOBAL=YES", "U", "*END STEP")
