"""Write a structural model as Nastran bulk data that reads back to the same stiffness and mass; ids are kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import ModelError, one_line
from tisserand.exporters.bdf_families import WRITERS
from tisserand.exporters.bdf_format import digits, large, small
from tisserand.exporters.bdf_sections import SOLIDS_OF_NASTRAN, FrameWriter, Numbers, SectionWriter
from tisserand.exporters.bdf_ties import tie_cards
from tisserand.files import write_text
from tisserand.model import (
    BeamBlock,
    BushBlock,
    DirectMatrix,
    ElementBlock,
    Material,
    NodalBodies,
    RodBlock,
    ScalarMassBlock,
    ScalarSpringBlock,
    ShellBlock,
    ShellSection,
    SolidBlock,
    SolidSection,
    StructuralModel,
)
from tisserand.model.solid_cells import SOLID_CELLS
from tisserand.readers.nastran.program import OWN_SHELLS
from tisserand.units import UnitSystem, unit_system

_log = logging.getLogger(__name__)


def write_bdf(
    model: StructuralModel, path: str | Path, *, units: str | UnitSystem = "SI", overwrite: bool = True
) -> Path:
    """Write a deck for SOL 103. Numbers carry 12 to 15 digits, as many as Nastran's 16 columns hold.

    Mass recipes other than ``lumped`` are written as COUPMASS 1, and bricks of CalculiX and Abaqus that PSOLID cannot state as
    Nastran's own, with a comment in the deck and a warning in the log; so are our own shells beside those of Nastran. A preload
    is refused.
    """
    for loss in bdf_losses(model):
        _log.warning("tisserand: note: %s", loss)
    return write_text(path, bdf_text(model, units), overwrite=overwrite)


def bdf_losses(model: StructuralModel) -> list[str]:
    """What a deck states otherwise than the model."""
    lost = [shells] if (shells := _shells_beside_nastrans(model)) else []
    other = {s.integration for s in model.sections if isinstance(s, SolidSection)} - set(SOLIDS_OF_NASTRAN)
    if other:
        kinds = " and ".join(sorted(other))
        lost.append(f"solids with {kinds} integration are written as Nastran's bricks, which are other elements")
    return lost


def bdf_text(model: StructuralModel, units: str | UnitSystem = "SI") -> str:
    """The deck as text."""
    return _Writer(model, unit_system(units)).text()


def _shells_beside_nastrans(model: StructuralModel) -> str:
    """What happens to our own shells in a model that also has Nastran's; nothing to say of one kind."""
    counts = {kind: 0 for kind in ("waves", "nastran")}
    for block in model.elements:
        if isinstance(block, ShellBlock) and block.nodes.shape[1] <= 4:
            counts[block.bending] += len(block)
    if not all(counts.values()):
        return ""
    share = f"{counts['waves']} of {sum(counts.values())}"
    return f"{share} shells bend otherwise than Nastran's and are written as its CQUAD4, CTRIA3"


class _Writer:
    def __init__(self, model: StructuralModel, units: UnitSystem) -> None:
        self.model, self.units = model, units
        self.ids = model.nodes.ids
        self.frames = FrameWriter(Numbers({system.id for system in model.coordinate_systems}))
        self.sections = SectionWriter(units, self.frames)
        used = {int(i) for block in model.elements if not block.facts.one_matrix for i in block.ids}
        self.element_ids = Numbers(used)
        self.matrices: dict[str, list[str]] = {"K2GG": [], "M2GG": [], "B2GG": []}
        self.control: list[str] = []

    def text(self) -> str:
        preload = self.model.analysis.preload
        if preload is not None and preload:
            raise ModelError(
                f"the preload of {preload.name} cannot be written as bulk data",
                where=self.model.name,
                advice="read another step or subcase, or export the reduced record, which holds the loaded modes",
            )
        body = [*self._points(), *self._elements(), *self._ties(), *self._requests()]
        cards = [*self._parameters(), *self.frames.cards, *self.sections.cards, *body]
        name = one_line(self.model.name)
        head = [f"$ {name}, units {self.units.name}", "SOL 103", "CEND", f"TITLE = {name}"]
        if any(getattr(block, "recipe", "") == "rotary bar" for block in self.model.elements):
            head.insert(1, "$ for Simcenter Nastran version 2022.1: lumped bars carry rotary inertia")
        bending = {getattr(block, "bending", None) for block in self.model.elements} - {None}
        if bending == {"waves"}:
            head.insert(1, OWN_SHELLS)
        if other_shells := _shells_beside_nastrans(self.model):
            head.insert(1, f"$ {other_shells}")
        for key, names in self.matrices.items():
            if names:
                self.control.append(f"{key} = {', '.join(names)}")
        return "\n".join([*head, *self.control, "BEGIN BULK", *cards, "ENDDATA", ""])

    def _parameters(self) -> Iterator[str]:
        if self.model.mass_recipe != "lumped":
            yield "PARAM,COUPMASS,1"
        yield f"PARAM,AUTOSPC,{'YES' if self.model.auto_constrain else 'NO'}"
        yield large("PARAM", "K6ROT", float(self.model.drilling))
        if self.model.analysis.reference_node is not None:
            yield f"PARAM,GRDPNT,{self.ids[self.model.analysis.reference_node]}"

    def _points(self) -> Iterator[str]:
        nodes = self.model.nodes
        scalar = np.zeros(len(nodes), np.bool_) if nodes.scalar is None else nodes.scalar
        for i in np.flatnonzero(~scalar).tolist():
            frame = self.frames.of(nodes.axes[i]) if nodes.axes is not None else 0
            yield large("GRID", int(self.ids[i]), None, *(nodes.positions[i] / self.units.length), frame or None)
        for i in np.flatnonzero(scalar).tolist():
            yield small("SPOINT", int(self.ids[i]))

    def _elements(self) -> Iterator[str]:
        for block in self.model.elements:
            write = getattr(self, f"_{block.family.replace(' ', '_')}", None)
            if write is not None:
                yield from write(block)
            elif block.family in WRITERS:
                yield from WRITERS[block.family](self, block)
            else:
                raise ModelError(f"a {block.family} cannot be written as bulk data", ids=block.ids[:5].tolist())

    def _rod(self, block: RodBlock) -> Iterator[str]:
        for e in range(len(block)):
            yield small("CROD", int(block.ids[e]), self._property(block, e, "rod"), *self.node_ids(block.nodes[e]))

    def _solid(self, block: SolidBlock) -> Iterator[str]:
        cell = SOLID_CELLS[block.kind]
        places = np.argsort(cell.order)
        for e in range(len(block)):
            nodes = self.node_ids(block.nodes[e][places])
            yield small(cell.card, int(block.ids[e]), self._property(block, e, "solid"), *nodes)

    def _scalar_mass(self, block: ScalarMassBlock) -> Iterator[str]:
        for e in range(len(block)):
            scale = self._coefficient(block.nodes[e], block.components[e], self.units.mass)
            ends = self._ends(block.nodes[e], block.components[e])
            yield large("CMASS2", int(block.ids[e]), block.mass[e] / scale, *ends)

    def node_ids(self, nodes: IntArray) -> list[int]:
        """Ids of nodes given by their rows."""
        return [int(self.ids[node]) for node in nodes]

    def material(self, material: Material) -> int:
        """Id of a material, written when first used."""
        return self.sections.material(material)

    def property_id(self, block: ElementBlock, element: int, make: Callable[[Any, int], str]) -> int:
        """Id of the property of an element; ``make(section, id)`` writes its card when it is first used."""
        index = int(block.section[element])  # type: ignore[attr-defined]
        return self.sections.section(index, self.model.sections[index], block.family, make)

    def _property(self, block: Any, e: int, role: str) -> int:
        index = int(block.section[e])
        return self.sections.section(index, self.model.sections[index], role)

    def node_axes(self, node: int) -> FloatArray:
        """(3, 3) axes of a node, as rows in basic axes."""
        return np.eye(3) if self.model.nodes.axes is None else np.asarray(self.model.nodes.axes[node])

    def _beam(self, block: BeamBlock) -> Iterator[str]:
        card, role = ("CBEAM", "beam") if block.recipe == "beam" else ("CBAR", "bar")
        for e in range(len(block)):
            a, b = block.nodes[e].tolist()
            vector = self.node_axes(a) @ (block.orientation[e] / np.abs(block.orientation[e]).max())
            pins = [digits(np.flatnonzero(block.releases[e, end])) or None for end in (0, 1)]
            offsets: list[float | None] = [None] * 6
            if block.offsets[e].any():
                local = [
                    self.node_axes(node) @ block.offsets[e, end] / self.units.length for end, node in ((0, a), (1, b))
                ]
                offsets = [float(value) for value in np.concatenate(local)]
            head = (int(block.ids[e]), self._property(block, e, role), *self.node_ids(block.nodes[e]))
            yield large(card, *head, *vector.tolist(), None, *pins, *offsets)

    def _shell(self, block: ShellBlock) -> Iterator[str]:
        count = block.nodes.shape[1]
        if count == 9:
            raise ModelError(
                "nine-node shells cannot be written as bulk data", ids=block.ids[:5].tolist(),
                advice="mesh with eight-node shells, which are written as CQUAD8",
            )  # fmt: skip
        card = {3: "CTRIA3", 4: "CQUAD4", 6: "CTRIA6", 8: "CQUAD8"}[count]
        x = self.model.nodes.positions[block.nodes]
        side = x[:, 1] - x[:, 0]
        normal = (
            np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1]) if block.sides == 4 else np.cross(side, x[:, 2] - x[:, 0])
        )
        normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
        flat = side - normal * (side * normal).sum(axis=1, keepdims=True)
        across = np.cross(normal, flat)
        axis = block.material_axis
        angle = np.degrees(np.arctan2((axis * across).sum(axis=1), (axis * flat).sum(axis=1)))
        for e in range(len(block)):
            turn = self._material_angle(block, e, float(angle[e]))
            offset = float(block.offset[e] / self.units.length) if block.offset[e] else None
            nodes: list[int | None] = [*self.node_ids(block.nodes[e])]
            if count > block.sides:
                for bare in np.flatnonzero(block.straight_sides[e]).tolist():
                    nodes[block.sides + bare] = None
            own = self._thicknesses(block, e)
            tail = [*own, turn, offset] if count == 8 else [turn, offset]
            if count != 8 and own[0] is not None:
                tail += [None] * {3: 3, 4: 2, 6: 0}[count] + own
            yield large(card, int(block.ids[e]), self._property(block, e, "shell"), *nodes, *tail)

    def _material_angle(self, block: ShellBlock, e: int, degrees: float) -> float | int | None:
        """THETA of flat corners; MCID of shells with middle nodes, whose material axis is projected at every point."""
        if block.nodes.shape[1] == block.sides:
            return degrees or None
        x = block.material_axis[e] / np.linalg.norm(block.material_axis[e])
        least = np.eye(3)[np.argmin(np.abs(x))]
        z = np.cross(x, least) / np.linalg.norm(np.cross(x, least))
        return self.frames.of(np.array([x, np.cross(z, x), z]))

    def _thicknesses(self, block: ShellBlock, e: int) -> list[float | None]:
        """T1 to T3 or T4, blank where thickness does not vary; what Nastran would not do alike is refused."""
        if block.taper is None:
            return [None] * block.sides
        section, k = cast(ShellSection, self.model.sections[int(block.section[e])]), block.sides
        corners = block.taper[e, :k]
        linear = 0.5 * (corners + np.roll(corners, -1))
        if (
            len(section.plies) != 1
            or np.abs(block.taper[e, k : 2 * k] - linear[: block.taper.shape[1] - k]).max(initial=0.0) > 1e-12
        ):
            raise ModelError(
                "a thickness that varies in a laminate, or not linearly along a side, cannot be written as bulk data",
                ids=(int(block.ids[e]),), where=f"shell element {block.ids[e]}",
            )  # fmt: skip
        return [float(value) for value in corners * section.thickness / self.units.length]

    def _ends(self, nodes: np.ndarray, components: np.ndarray) -> list[int | None]:
        """G1, C1, G2, C2; ground is blank, scalar points have component 0."""
        out: list[int | None] = []
        for node, component in zip(nodes.tolist(), components.tolist()):
            scalar = node >= 0 and self.model.nodes.scalar is not None and bool(self.model.nodes.scalar[node])
            out += [None, None] if node < 0 else [int(self.ids[node]), 0 if scalar else component + 1]
        return out

    def _coefficient(self, nodes: np.ndarray, components: np.ndarray, unit: float) -> float:
        """SI factor of a coefficient between two displacements, ``unit`` for translations."""
        sides = [c for n, c in zip(nodes.tolist(), components.tolist()) if n >= 0]
        sides = sides * 2 if len(sides) == 1 else sides
        return unit * float(np.prod([1.0 if c < 3 else self.units.length for c in sides]))

    def _spring(self, block: ScalarSpringBlock) -> Iterator[str]:
        for e in range(len(block)):
            number, ends = int(block.ids[e]), self._ends(block.nodes[e], block.components[e])
            if block.stiffness[e] or not block.damping[e]:
                scale = self._coefficient(block.nodes[e], block.components[e], self.units.linear_stiffness)
                yield large("CELAS2", number, block.stiffness[e] / scale, *ends)
                number = 0
            if block.damping[e]:
                scale = self._coefficient(block.nodes[e], block.components[e], self.units.linear_damping)
                yield large("CDAMP2", number or self.element_ids.take(), block.damping[e] / scale, *ends)

    def _bush(self, block: BushBlock) -> Iterator[str]:
        turn = np.array([1.0, 1.0, 1.0, *[self.units.length**2] * 3])
        for e in range(len(block)):
            a, b = block.nodes[e].tolist()
            if a < 0:
                a, b = b, a
            if b < 0 and np.abs(block.location[e] - self.model.nodes.positions[a]).max() > 1e-9 * max(
                self.model.size, 1e-9
            ):
                raise ModelError("a grounded bush away from its node cannot be written", ids=(int(block.ids[e]),))
            number = self.sections.property_ids.take()
            stiffness = block.stiffness[e] / (self.units.linear_stiffness * turn)
            damping = block.damping[e] / (self.units.linear_damping * turn)
            rows: list[float | int | str | None] = [number, "K", *stiffness.tolist()]
            if damping.any():
                rows += [None, "B", *damping.tolist()]
            yield large("PBUSH", *rows)
            head = (int(block.ids[e]), number, int(self.ids[a]), int(self.ids[b]) if b >= 0 else None)
            place = (None, 0, *(block.location[e] / self.units.length)) if b >= 0 else ()
            yield large("CBUSH", *head, None, None, None, self.frames.of(block.axes[e]), *place)

    def _nodal_body(self, block: NodalBodies) -> Iterator[str]:
        for e in range(len(block)):
            j = block.inertia[e] / self.units.inertia
            inertia = (j[0, 0], -j[1, 0], j[1, 1], -j[2, 0], -j[2, 1], j[2, 2])
            head = (int(block.ids[e]), int(self.ids[block.nodes[e, 0]]), 0, block.mass[e] / self.units.mass)
            yield large("CONM2", *head, *(block.offset[e] / self.units.length), None, *inertia)

    def _direct_matrix(self, block: DirectMatrix) -> Iterator[str]:
        """Lower triangle of a symmetric DMIG, column by column."""
        key = {"stiffness": "K2GG", "mass": "M2GG", "damping": "B2GG"}[block.kind]
        unit = {"K2GG": self.units.linear_stiffness, "M2GG": self.units.mass, "B2GG": self.units.linear_damping}[key]
        name = f"{key[0]}DIR{len(self.matrices[key]) + 1}"
        self.matrices[key].append(name)
        yield small("DMIG", name, 0, 6, 2, 0)
        columns: dict[tuple[int, int], dict[tuple[int, int], float]] = {}
        for (i, j), (c, d), value in zip(block.nodes.tolist(), block.components.tolist(), block.value.tolist()):
            if (i, c) >= (j, d):
                terms = columns.setdefault((j, d), {})
                terms[i, c] = terms.get((i, c), 0.0) + value
        for (j, d), terms in sorted(columns.items()):
            cells: list[float | int | str | None] = [name, *self._point(j, d), None]
            for (i, c), value in sorted(terms.items()):
                scale = self._coefficient(np.array([i, j]), np.array([c, d]), unit)
                cells += [*self._point(i, c), value / scale, None]
            yield large("DMIG", *cells)

    def _point(self, node: int, component: int) -> tuple[int, int]:
        scalar = self.model.nodes.scalar is not None and bool(self.model.nodes.scalar[node])
        return int(self.ids[node]), 0 if scalar else component + 1

    def _ties(self) -> Iterator[str]:
        equations = False
        for tie in self.model.constraints:
            for card in tie_cards(self.model, tie, self.units.length):
                equations = equations or card.startswith("MPC")
                yield card
        if equations:
            self.control.append("MPC = 1")

    def _requests(self) -> Iterator[str]:
        supports, analysis = self.model.supports, self.model.analysis
        if supports:
            self.control.append("SPC = 1")
            groups: dict[str, list[int]] = {}
            for node, fixed in zip(supports.nodes.tolist(), supports.fixed):
                scalar = self.model.nodes.scalar is not None and bool(self.model.nodes.scalar[node])
                groups.setdefault("0" if scalar else digits(np.flatnonzero(fixed)), []).append(int(self.ids[node]))
            for word, nodes in groups.items():
                yield small("SPC1", 1, word, *nodes)
        if analysis.count is not None or analysis.fmax_hz is not None:
            self.control.append("METHOD = 1")
            yield large("EIGRL", 1, analysis.fmin_hz, analysis.fmax_hz, analysis.count)
        for rows, card in ((analysis.interface, "ASET"), (analysis.reference, "SUPORT")):
            for node, component in rows.tolist():
                yield small(card, *self._point(node, component))
