"""Beams and rods: sections that CalculiX draws (rectangle, circle, pipe, box), straight or on a curve."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt
from typing import TYPE_CHECKING, cast

import numpy as np

from tisserand.exporters.calculix.cards import number, refused
from tisserand.model import BeamBlock, BeamSection, BeamStation, RodBlock, RodSection
from tisserand.model.families.curved_beam import CurvedBeamBlock
from tisserand.model.shapes import ShapeProperties, shape_properties

if TYPE_CHECKING:
    from tisserand.exporters.calculix.deck import Deck

#: Share by which area, second moments and torsion constant may depart from those of the drawn shape; our torsion constants
#: of rectangles are a fit within 0.5 %.
_SAME, _TWIST = 1e-6, 5e-3
_EXPANDED = "CalculiX expands beams into solids: their torsion and shear stiffness are those of the solids"


def write_rods(deck: Deck, block: RodBlock) -> None:
    """T3D2 by section."""
    for index in np.unique(block.section).tolist():
        mine = np.flatnonzero(block.section == index)
        section, ids = cast(RodSection, deck.model.sections[index]), block.ids[mine].tolist()
        if section.torsion_constant:
            raise refused("a rod that resists torsion", ids)
        name = deck.element_set("T3D2", ids, [deck.node_ids(row) for row in block.nodes[mine].tolist()])
        density = section.material.density + section.nonstructural_mass / section.area
        material = deck.cards.material(section.material, density, ids)
        area = number(section.area / deck.units.area)
        deck.cards.sections += [f"*SOLID SECTION, ELSET={name}, MATERIAL={material}", area]


def write_beams(deck: Deck, block: BeamBlock) -> None:
    """B31 where the section is a rectangle, else B32R with a new node in the middle, by section and direction."""
    if block.releases.any():
        raise refused("a beam with released ends", block.ids[block.releases.any(axis=(1, 2))].tolist())
    if block.offsets.any():
        raise refused("a beam beside its nodes", block.ids[block.offsets.any(axis=(1, 2))].tolist())
    places = np.asarray(deck.model.nodes.positions)
    for mine, shape, sizes in _groups(deck, block):
        nodes = [deck.node_ids(row) for row in block.nodes[mine].tolist()]
        if shape != "RECT":
            deck.lose(f"beams with a {shape} section get a third node in their middle (B32R)", otherwise=True)
            middles = places[block.nodes[mine]].mean(axis=1)
            nodes = [[a, deck.node(middle), b] for (a, b), middle in zip(nodes, middles)]
        _write(deck, block, mine, "B31" if shape == "RECT" else "B32R", nodes, (shape, sizes))


def write_curved_beams(deck: Deck, block: CurvedBeamBlock) -> None:
    """B32R by section and direction."""
    if block.offsets.any():
        raise refused("a beam beside its nodes", block.ids[block.offsets.any(axis=(1, 2))].tolist())
    for mine, shape, sizes in _groups(deck, block):
        deck.lose("our reader takes a beam of three nodes as two straight ones", otherwise=True)
        nodes = [[a, c, b] for a, b, c in (deck.node_ids(row) for row in block.nodes[mine].tolist())]
        _write(deck, block, mine, "B32R", nodes, (shape, sizes))


def _groups(deck: Deck, block: BeamBlock | CurvedBeamBlock) -> list[tuple[list[int], str, list[float]]]:
    """Elements of one section and direction, with the shape of CalculiX and its sizes, m."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for e in range(len(block)):
        groups.setdefault((int(block.section[e]), block.orientation[e].tobytes()), []).append(e)
    out = []
    for (index, _), mine in groups.items():
        section = cast(BeamSection, deck.model.sections[cast(int, index)])
        shape, sizes, drawn = _shape(section, block.ids[mine].tolist())
        same = abs(drawn.torsion_constant - section.end_a.torsion_constant) <= 1e-9 * section.end_a.torsion_constant
        same &= max(abs(drawn.shear_y - section.shear_y), abs(drawn.shear_z - section.shear_z)) <= 1e-9
        deck.lose(_EXPANDED, otherwise=not same)
        out.append((mine, shape, sizes))
    return out


def _write(
    deck: Deck,
    block: BeamBlock | CurvedBeamBlock,
    mine: Sequence[int],
    kind: str,
    nodes: Sequence[Sequence[int]],
    drawn: tuple[str, list[float]],
) -> None:
    section = cast(BeamSection, deck.model.sections[int(block.section[mine[0]])])
    ids = block.ids[list(mine)].tolist()
    name = deck.element_set(kind, ids, nodes)
    density = section.densities[0] / section.end_a.area
    material = deck.cards.material(section.material, density, ids)
    shape, sizes = drawn
    direction = block.orientation[mine[0]] / np.linalg.norm(block.orientation[mine[0]])
    deck.cards.sections += [
        f"*BEAM SECTION, ELSET={name}, MATERIAL={material}, SECTION={shape}",
        ", ".join(number(size / deck.units.length) for size in sizes),
        ", ".join(number(x) for x in direction),
    ]


def _shape(section: BeamSection, ids: Sequence[int]) -> tuple[str, list[float], ShapeProperties]:
    """The shape of CalculiX with these section values, its sizes, m, and properties; y is its first direction."""
    a = section.end_a
    if section.end_b is not None and section.end_b != a:
        raise refused("a tapered beam", ids)
    if any(a.neutral_axis) or any(a.mass_center) or a.nonstructural_inertia:
        raise refused("a beam whose mass or neutral axis is beside its shear center", ids)
    name, sizes = section.outline if section.outline is not None else ("", ())
    tries: list[tuple[str, list[float], str, tuple[float, ...]]] = []
    if name in ("TUBE", "TUBE2"):
        outer, wall = (sizes[0], sizes[0] - sizes[1]) if name == "TUBE" else (sizes[0], sizes[1])
        tries.append(("PIPE", [outer, wall], "TUBE2", (outer, wall)))
    if name in ("BOX", "BOX1"):
        if name == "BOX":
            width, height, top, side = sizes
            sizes = (width, height, top, top, side, side)
        b, h, t1, t3, t4, t2 = sizes
        tries.append(("BOX", [h, b, t1, t2, t3, t4], "BOX1", (b, h, t1, t3, t4, t2)))
    if a.area > 0.0:
        radius, (h, b) = sqrt(a.area / pi), (sqrt(12.0 * max(i, 0.0) / a.area) for i in (a.i_zz, a.i_yy))
        tries.append(("CIRC", [2.0 * radius], "ROD", (radius,)))
        tries.append(("RECT", [h, b], "BAR", (b, h)))
    for shape, own, ours, dims in tries:
        drawn = shape_properties(ours, dims)
        if _is(a, drawn):
            return shape, own, drawn
    raise refused(
        "a beam section that is no rectangle, circle, pipe or box", ids,
        "state the shape (PBARL, PBEAML), or mesh it with shells or solids",
    )  # fmt: skip


def _is(a: BeamStation, drawn: ShapeProperties) -> bool:
    size = max(a.i_zz, a.i_yy)
    return (
        abs(a.area - drawn.area) <= _SAME * a.area
        and max(abs(a.i_zz - drawn.i_zz), abs(a.i_yy - drawn.i_yy), abs(a.i_yz - drawn.i_yz)) <= _SAME * size
        and abs(a.torsion_constant - drawn.torsion_constant) <= _TWIST * size
    )
