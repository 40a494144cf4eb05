"""The structural model: everything the analyst stated, in SI, valid when it is constructed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import IntArray, frozen
from tisserand.errors import ModelError
from tisserand.model.block_base import Block as ElementBlock
from tisserand.model.constraints import Constraint
from tisserand.model.coordinates import CoordinateSystem
from tisserand.model.editing import Editing
from tisserand.model.ledger import Ledger
from tisserand.model.materials import Material
from tisserand.model.nodes import Nodes
from tisserand.model.preload import Preload
from tisserand.model.section_base import Section
from tisserand.model.supports import Supports
from tisserand.notebook_html import edges_of_cells, html_table, line_drawing

MassRecipe = Literal["consistent", "lumped", "coupled", "particles", "bodies"]


@dataclass(frozen=True, eq=False)
class Analysis:
    """What a deck requests beyond its structure; all optional.

    count, fmin_hz, fmax_hz: eigenvalue request; interface: boundary set (ASET/BSET) rows (node, component);
    free_interface: rows of it that are free in the component modes (CSET, BNDFREE);
    modal_points: number of modal coordinates (QSET); reference: SUPORT rows (node, component);
    reference_node: GRDPNT as a node index; preload: the static state that the modes are about (``statics.preloaded``).
    """

    count: int | None = None
    fmin_hz: float | None = None
    fmax_hz: float | None = None
    interface: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    modal_points: int = 0
    reference: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    reference_node: int | None = None
    _: KW_ONLY
    preload: Preload | None = None
    free_interface: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))

    def __post_init__(self) -> None:
        object.__setattr__(self, "interface", frozen(self.interface, np.int64, (-1, 2)))
        object.__setattr__(self, "free_interface", frozen(self.free_interface, np.int64, (-1, 2)))
        object.__setattr__(self, "reference", frozen(self.reference, np.int64, (-1, 2)))


def _refuse_other_sections(block: Any, sections: tuple[Section, ...]) -> None:
    """Raise where elements of a block refer to a section of another family."""
    wanted = block.facts.section
    if not wanted or all(section.family == wanted for section in sections):
        return
    wrong = np.array([section.family != wanted for section in sections])[block.section]
    if wrong.any():
        first = int(np.argmax(wrong))
        section = sections[int(block.section[first])]
        raise ModelError(
            f"refers to section {section.id}, which is not a {wanted} section",
            where=f"{block.family} {int(block.ids[first])}",
            ids=block.ids[wrong][:20].tolist(),
            found=f"a {section.family} section",
        )


@dataclass(frozen=True, eq=False)
class Component:
    """The main structure (part 0) or a superelement, with the node ids of the whole; its interface is in ``model.analysis``."""

    part: int
    model: StructuralModel


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class StructuralModel(Editing):
    """Nodes, element blocks, sections, materials, constraints, supports and sets of one structure, SI.

    node_sets, element_sets: name -> ids. interfaces: name -> node id (attachment, tip, sensors, hinge points).
    unit_system: name of the system the source was read in (``consistent`` means lengths have no known unit).
    mass_recipe: the mass model that the source requests. drilling: Nastran's K6ROT, a number
    (elements/shell_strain; 100 for Nastran decks that do not state it). auto_constrain: hold dofs that have
    no stiffness (AUTOSPC). sources: every file read, INCLUDEs too. parts: the
    superelements that the model was joined from, if any.

    Attributes:
        nodes: the node table.
        coordinate_systems: local systems of the source.
        analysis: what the deck requests beyond its structure.
        ledger: import ledger of the source.
    """

    name: str
    nodes: Nodes
    elements: tuple[ElementBlock, ...]
    sections: tuple[Section, ...] = ()
    _: KW_ONLY
    materials: tuple[Material, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    supports: Supports = field(default_factory=Supports)
    coordinate_systems: tuple[CoordinateSystem, ...] = ()
    node_sets: Mapping[str, IntArray] = field(default_factory=dict)
    element_sets: Mapping[str, IntArray] = field(default_factory=dict)
    interfaces: Mapping[str, int] = field(default_factory=dict)
    analysis: Analysis = field(default_factory=Analysis)
    mass_recipe: MassRecipe = "consistent"
    drilling: float = 20.0
    auto_constrain: bool = True
    unit_system: str = "SI"
    ledger: Ledger = field(default_factory=Ledger)
    sources: tuple[Path, ...] = ()
    parts: tuple[Component, ...] = ()

    def __post_init__(self) -> None:
        for word in ("node_sets", "element_sets"):
            sets = {name: frozen(ids, np.int64) for name, ids in getattr(self, word).items()}
            object.__setattr__(self, word, MappingProxyType(sets))
        object.__setattr__(self, "interfaces", MappingProxyType(dict(self.interfaces)))
        n = len(self.nodes)
        for block in self.elements:
            nodes = block.nodes
            ground = -1 if block.facts.grounded else 0
            if nodes.size and (nodes.max() >= n or nodes.min() < ground):
                raise ModelError(f"a {block.family} refers to a node that does not exist", ids=block.ids[:5].tolist())
            section = getattr(block, "section", None)
            if section is not None and len(section) and not 0 <= section.min() <= section.max() < len(self.sections):
                raise ModelError(
                    f"a {block.family} refers to a section that does not exist", ids=block.ids[:5].tolist()
                )
            _refuse_other_sections(block, self.sections)

    @property
    def size(self) -> float:
        """Largest extent of the bounding box of all nodes that are points, m."""
        points = self.nodes.positions if self.nodes.scalar is None else self.nodes.positions[~self.nodes.scalar]
        return float(np.ptp(points, axis=0).max()) if len(points) else 0.0

    def changed(self, **values: object) -> StructuralModel:
        """A copy with some fields replaced.

        Args:
            values: new values by field name.
        """
        return replace(self, **values)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        rows: list[tuple[object, object]] = [("nodes", len(self.nodes))]
        rows += [(block.family, len(block)) for block in self.elements]
        rows += [("constraints", len(self.constraints)), ("held components", int(self.supports.fixed.sum()))]
        rows += [("size (m)", self.size), ("points", ", ".join(self.interfaces) or "none")]
        lines = [np.zeros((0, 2), np.int64)]
        for block in self.elements:
            if block.facts.shape == "line":
                lines += [block.nodes[:, list(pair)] for pair in block.drawn_ends]
            elif block.facts.shape in ("surface", "volume"):
                lines.append(edges_of_cells(block.corner_nodes[:, :4]))
        return html_table(self.name, ("", ""), rows) + line_drawing(self.nodes.positions, np.concatenate(lines))

    def __repr__(self) -> str:
        parts = ", ".join(repr(block)[1:-1] for block in self.elements) or "no elements"
        return (
            f"<StructuralModel {self.name!r}: {len(self.nodes)} nodes; {parts}; "
            f"{len(self.constraints)} constraints; {self.size:.4g} m across>"
        )
