"""Shells and membranes: homogeneous and layered sections, offsets, thickness at nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.exporters.calculix.cards import number, refused
from tisserand.model import (
    Isotropic,
    Material,
    MembraneBlock,
    MembraneSection,
    Orthotropic2D,
    Ply,
    ShellBlock,
    ShellSection,
)
from tisserand.model.laminate import homogeneous_shell, laminate

if TYPE_CHECKING:
    from tisserand.exporters.calculix.deck import Deck

#: Share by which a section may depart from what its plies give.
_SAME = 1e-8
_SHELLS = {3: "S3", 4: "S4", 6: "S6", 8: "S8R"}
_MEMBRANES = {3: "M3D3", 4: "M3D4", 8: "M3D8"}


def write_shells(deck: Deck, block: ShellBlock) -> None:
    """Elements by section, offset and (where the material has axes) direction, a set for each."""
    kind, ids = _SHELLS.get(block.nodes.shape[1], ""), block.ids.tolist()
    if not kind:
        raise refused("a shell with nine nodes", ids, "mesh with eight-node shells")
    if block.nodes.shape[1] > block.sides and block.straight_sides.any():
        bare = block.straight_sides.any(axis=1)
        raise refused("a shell without some of its midside nodes", block.ids[bare].tolist())
    deck.lose("CalculiX expands shells into solids: other elements, without a drilling stiffness")
    if block.bending == "nastran":
        deck.lose("our reader takes shells as our own, not as those of Nastran", otherwise=True)
    axes = _surface_axes(deck, block)
    plies = {
        i: _plies(deck, cast(ShellSection, deck.model.sections[i]), ids) for i in np.unique(block.section).tolist()
    }
    groups: dict[tuple[object, ...], list[int]] = {}
    for e in range(len(block)):
        layers = plies[int(block.section[e])]
        plain = all(isinstance(ply.material, Isotropic) for ply in layers)
        turn = None if plain else tuple(np.round(axes[e].ravel(), 12).tolist())
        if turn is not None and len(block.nodes[e]) > block.sides:
            deck.lose("material axes are constant over every shell, as in CalculiX", otherwise=True)
        groups.setdefault((int(block.section[e]), float(block.offset[e]), turn), []).append(e)
    for (index, offset, _), mine in groups.items():
        section = cast(ShellSection, deck.model.sections[cast(int, index)])
        own = block.ids[mine].tolist()
        name = deck.element_set(kind, own, [deck.node_ids(row) for row in block.nodes[mine].tolist()])
        head = f"*SHELL SECTION, ELSET={name}"
        if offset:
            head += f", OFFSET={number(-cast(float, offset) / section.thickness)}"
        layers = plies[cast(int, index)]
        taper = None if block.taper is None else block.taper[mine]
        if taper is not None:
            _nodal_thickness(deck, block, mine, section, layers, cast(float, offset))
            head += ", NODAL THICKNESS"
        deck.cards.sections += _section(deck, head, layers, axes[mine[0]], own, composite=kind in ("S6", "S8R"))


def _section(
    deck: Deck, head: str, plies: Sequence[Ply], axes: FloatArray, ids: Sequence[int], *, composite: bool
) -> list[str]:
    """Keyword and lines of a section."""
    if len(plies) == 1:
        ply = plies[0]
        head += f", MATERIAL={deck.cards.material(ply.material, ply.material.density, ids)}"
        if not isinstance(ply.material, Isotropic):
            head += f", ORIENTATION={deck.cards.orientation(_turned(axes, ply.angle))}"
        return [head, number(ply.thickness / deck.units.length)]
    if not composite:
        raise refused("a layered shell of three or four nodes", ids, "mesh with six- or eight-node shells")
    lines = [f"{head}, COMPOSITE"]
    for ply in plies:
        material = deck.cards.material(ply.material, ply.material.density, ids)
        turned = deck.cards.orientation(_turned(axes, ply.angle))
        lines.append(f"{number(ply.thickness / deck.units.length)}, , {material}, {turned}")
    return lines


def _turned(axes: FloatArray, angle: float) -> FloatArray:
    """Axes (rows) turned about the third one."""
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) @ axes)


def _surface_axes(deck: Deck, block: ShellBlock | MembraneBlock) -> FloatArray:
    """(m, 3, 3) material axes of every element as rows: along the surface, and its normal."""
    x = np.asarray(deck.model.nodes.positions)[block.corner_nodes]
    normal = np.cross(x[:, 2] - x[:, 0], x[:, -1] - x[:, 1])
    normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    first = block.material_axis - (block.material_axis * normal).sum(axis=1, keepdims=True) * normal
    first = first / np.linalg.norm(first, axis=1, keepdims=True)
    return np.stack([first, np.cross(normal, first), normal], axis=1)


def _plies(deck: Deck, section: ShellSection, ids: Sequence[int]) -> tuple[Ply, ...]:
    """Layers with the whole mass of the section in their densities; a section that they do not give is refused."""
    t = section.thickness
    if section.plies:
        layers = section.plies
    else:
        layers = (Ply(plane_material(section.membrane / t, section.shear, t, section.areal_mass / t, ids), t),)
    extra = section.areal_mass - sum(ply.material.density * ply.thickness for ply in layers)
    if abs(extra) > 1e-12 * section.areal_mass:
        layers = tuple(
            replace(ply, material=replace(ply.material, density=ply.material.density + extra / t)) for ply in layers
        )
    again = _rebuilt(section, layers)
    for word in ("membrane", "coupling", "bending", "shear"):
        a, b = getattr(again, word), getattr(section, word)
        scale = np.abs(again.membrane).max() * {"coupling": t, "bending": t * t}.get(word, 1.0)
        if (a is None) != (b is None) or (a is not None and np.abs(a - b).max() > _SAME * scale):
            raise refused(f"a shell section whose {word} stiffness is not that of its layers", ids)
    if abs(section.bottom + 0.5 * t) > 1e-9 * t and section.plies:
        raise refused("a shell section whose layers are not about the middle", ids)
    for word, scale in (("areal_mass", 1.0), ("areal_first_moment", t), ("areal_inertia", t * t)):
        if abs(getattr(again, word) - getattr(section, word)) > _SAME * section.areal_mass * scale:
            raise refused(f"a shell section whose {word.replace('_', ' ')} is not that of its layers", ids)
    return layers


def _rebuilt(section: ShellSection, layers: tuple[Ply, ...]) -> ShellSection:
    """What our reader makes of the layers."""
    if len(layers) == 1 and isinstance(layers[0].material, Isotropic):
        return homogeneous_shell(section.id, layers[0].material, layers[0].thickness)
    return laminate(section.id, layers)


def plane_material(
    Q: FloatArray, shear: FloatArray | None, thickness: float, density: float, ids: Sequence[int]
) -> Material:
    """Material whose plane-stress matrix is Q (3, 3) Pa, with transverse shear (2, 2) N/m, or the in-plane one if None."""
    size = float(np.abs(Q).max())
    if np.abs(Q[:2, 2]).max() > 1e-12 * size:
        raise refused("a section stated by a matrix that couples stretching and shear", ids)
    S = np.linalg.inv(Q[:2, :2])
    e1, e2, poisson, g = 1.0 / S[0, 0], 1.0 / S[1, 1], -S[0, 1] / S[0, 0], float(Q[2, 2])
    if abs(e1 - e2) < 1e-12 * size and abs(g - e1 / (2.0 * (1.0 + poisson))) < 1e-12 * size:
        return Isotropic.from_young(1, float(e1), float(poisson), density)
    g1, g2 = (g, g) if shear is None else (float(shear[i, i]) / (5.0 / 6.0 * thickness) for i in (0, 1))
    return Orthotropic2D(
        1, young_1=float(e1), young_2=float(e2), poisson_12=float(poisson), shear_12=g, shear_1z=g1, shear_2z=g2,
        density=density,
    )  # fmt: skip


def _nodal_thickness(
    deck: Deck, block: ShellBlock, mine: Sequence[int], section: ShellSection, plies: Sequence[Ply], offset: float
) -> None:
    """A thickness for every node; layers, offsets and steps from element to element are refused."""
    assert block.taper is not None
    ids = block.ids[list(mine)].tolist()
    if len(plies) > 1 or offset:
        raise refused("a thickness that varies in a laminate or beside an offset", ids)
    found: dict[int, float] = {}
    for e in mine:
        for node, ratio in zip(block.nodes[e].tolist(), block.taper[e].tolist()):
            if abs(found.setdefault(node, ratio) - ratio) > 1e-12 * ratio:
                raise refused("a thickness that jumps from shell to shell", [int(block.ids[e])])
    deck.cards.sections.append("*NODAL THICKNESS")
    deck.cards.sections += [
        f"{deck.ids[node]}, {number(ratio * section.thickness / deck.units.length)}" for node, ratio in found.items()
    ]


def write_membranes(deck: Deck, block: MembraneBlock) -> None:
    """Elements by section and (where the material has axes) direction, a set for each."""
    if block.nodes.shape[1] not in _MEMBRANES:  # M3D6 of version 2.20 has a fifth of the stiffness of S6
        raise refused(
            "a membrane with six nodes", block.ids.tolist(), "mesh with eight-node membranes: M3D6 is too soft"
        )
    kind, axes = _MEMBRANES[block.nodes.shape[1]], _surface_axes(deck, block)
    deck.lose("CalculiX expands membranes into solids, other elements")
    groups: dict[tuple[object, ...], list[int]] = {}
    made: dict[int, Material] = {}
    for e in range(len(block)):
        index = int(block.section[e])
        if index not in made:
            section, t = cast(MembraneSection, deck.model.sections[index]), deck.model.sections[index].thickness  # type: ignore[attr-defined]
            made[index] = plane_material(section.membrane / t, None, t, section.areal_mass / t, block.ids.tolist())
        turn = None if isinstance(made[index], Isotropic) else tuple(np.round(axes[e].ravel(), 12).tolist())
        groups.setdefault((index, turn), []).append(e)
    for (place, _), mine in groups.items():
        section = cast(MembraneSection, deck.model.sections[cast(int, place)])
        own = block.ids[mine].tolist()
        name = deck.element_set(kind, own, [deck.node_ids(row) for row in block.nodes[mine].tolist()])
        ply = Ply(made[cast(int, place)], section.thickness)
        deck.cards.sections += _section(
            deck, f"*MEMBRANE SECTION, ELSET={name}", [ply], axes[mine[0]], own, composite=False
        )
