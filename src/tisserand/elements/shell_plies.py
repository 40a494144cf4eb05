"""Stresses and strains through the thickness of shells: bottom, middle and top of every ply, in the ply's own axes.

Strains of a laminate are ``e0 + z k``, turned into the ply's axes; stresses follow from the ply's plane-stress stiffness.
A homogeneous shell is one ply in the material axes with ``N/t + z M/I`` at its fibers. Transverse (interlaminar) shear
stress comes from equilibrium of the layers (``model.ply_shear``), not from first-order shear strain: continuous between
plies, zero on the surfaces, V/(b d) in the core of a sandwich. All is linear in the displacement and belongs to the center
of the element.

Classical lamination: [Jones1999].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.elements.curved_geometry import curved_ratio
from tisserand.elements.curved_shapes import center_table
from tisserand.elements.shell_center import CenterValues, center_values
from tisserand.elements.shell_geometry import sections_of
from tisserand.elements.shell_taper import ratio_at
from tisserand.errors import ModelError
from tisserand.model import ShellBlock, ShellSection, StructuralModel
from tisserand.model.ply_shear import unit_shear_stress
from tisserand.model.ply_stiffness import plane_stiffness, rotated, strain_turn

#: Places in a ply, from bottom to top, and the components of stress and strain there.
PLACES = ("bottom", "middle", "top")
COMPONENTS = ("1", "2", "12")
SHEARS = ("1z", "2z")
_SHARE = np.array([0.0, 0.5, 1.0])
_CHUNK = 512


@dataclass(frozen=True, eq=False)
class PlyStates:
    """Values of the elements (m,) ids of one section with p plies in q states.

    heights (p, 3) m above the reference surface, where the thickness varies at that of the section: values belong to the same
    share of the thickness; stress Pa and strain (m, p, 3, 3, q): ply, place (bottom, middle, top),
    component 1, 2, 12 of the ply's axes (engineering shear); shear (m, p, 3, 2, q) Pa: 1z, 2z.
    """

    section: ShellSection
    elements: IntArray
    heights: FloatArray
    stress: FloatArray
    strain: FloatArray
    shear: FloatArray


def ply_states(
    model: StructuralModel, displacements: FloatArray, elements: IntArray | None = None
) -> tuple[PlyStates, ...]:
    """Stresses of displacements (n, 6, q) in basic axes in the shells with the given ids (all), one item per section."""
    found: dict[int, list[PlyStates]] = {}
    for block in model.elements:
        if not block.facts.layered:
            continue
        rows = np.arange(len(block)) if elements is None else np.flatnonzero(np.isin(block.ids, elements))
        for start in range(0, len(rows), _CHUNK):
            part = block.select(rows[start : start + _CHUNK])
            for state in _states(model, part, displacements):
                found.setdefault(id(state.section), []).append(state)
    return tuple(_joined(parts) for parts in found.values())


def _joined(parts: list[PlyStates]) -> PlyStates:
    words = ("elements", "stress", "strain", "shear")
    elements, stress, strain, shear = (np.concatenate([getattr(part, word) for part in parts]) for word in words)
    return PlyStates(parts[0].section, elements, parts[0].heights, stress, strain, shear)


def _states(model: StructuralModel, block: ShellBlock, displacements: FloatArray) -> Iterator[PlyStates]:
    """One item for every section of the block; a section without plies, or smeared ones, raises ModelError."""
    sections, place = sections_of(model, block)
    for section in sections:
        _refuse(section)
    values = center_values(model, block, displacements)
    for index, section in enumerate(sections):
        rows = np.flatnonzero(place == index)
        part = CenterValues(values.strain[rows], values.force[rows])
        ids, ratio = np.asarray(block.ids[rows]), _center_ratio(block)[rows]
        yield (_homogeneous if _is_plate(section) else _laminated)(section, ids, part, ratio)


def _center_ratio(block: ShellBlock) -> FloatArray:
    """(m,): thickness at the center over that of the section."""
    k = block.nodes.shape[1]
    if k > 4:
        ratio = curved_ratio(block, center_table(7 if block.sides == 3 else 9))
    else:
        ratio = ratio_at(block.taper, np.full((1, k), 1.0 / k))
    return np.broadcast_to(ratio[:, 0], len(block))


def _is_plate(section: ShellSection) -> bool:
    return section.bending_ratio is not None


def _refuse(section: ShellSection) -> None:
    where = f"shell section {section.name or section.id}"
    if not section.plies and not _is_plate(section):
        raise ModelError(
            "ply stresses require the layers of a shell, but this section defines only its stiffness", where=where,
            ids=(section.id,), advice="make the section with laminate(...) or homogeneous_shell(...)",
        )  # fmt: skip
    if section.option == "SMEAR":
        raise ModelError(
            "a smeared laminate does not locate its plies, so ply stresses are undefined", where=where,
            ids=(section.id,), advice="state the stacking (no SMEAR), or recover section forces",
        )  # fmt: skip


def _homogeneous(section: ShellSection, ids: IntArray, part: CenterValues, ratio: FloatArray) -> PlyStates:
    """One ply in material axes: the stress of the section forces, the strain of the fibers (stated ones are heights)."""
    t = section.thickness * ratio[:, None, None, None]
    low, high = section.fibers or (-section.thickness / 2.0, section.thickness / 2.0)
    place = np.array([low, 0.5 * (low + high), high])
    z = place[:, None, None] * np.ones_like(t) if section.fibers else place[:, None, None] * ratio[:, None, None, None]
    inertia = section.bending_ratio or 0.0  # 0: a membrane, which has no moment either
    bend = 12.0 / (t**3 * inertia) if inertia > 0.0 else 0.0 * t
    stress = part.force[:, None, :3] / t + bend * z * part.force[:, None, 3:6]
    strain = part.strain[:, None, :3] + z * part.strain[:, None, 3:6]
    shear = np.maximum(1.5 / t * (1.0 - (2.0 * z / t) ** 2), 0.0) * part.force[:, None, 6:]
    return PlyStates(section, ids, place[None], stress[:, None], strain[:, None], shear[:, None])


def _laminated(section: ShellSection, ids: IntArray, part: CenterValues, ratio: FloatArray) -> PlyStates:
    plies = section.plies
    z = section.bottom + np.concatenate([[0.0], np.cumsum([ply.thickness for ply in plies])])
    heights = z[:-1, None] + np.diff(z)[:, None] * _SHARE
    own = np.array([plane_stiffness(ply.material) for ply in plies])
    turn = np.array([strain_turn(ply.angle) for ply in plies])
    stretch = np.zeros_like(part.strain[:, :3]) if section.option == "BEND" else part.strain[:, :3]
    bend = np.zeros_like(stretch) if section.option == "MEM" else part.strain[:, 3:6]
    thicker = ratio[:, None, None, None, None]
    flat = stretch[:, None, None] + thicker * heights[:, :, None, None] * bend[:, None, None]  # (m, p, 3, 3, q)
    strain = turn[:, None] @ flat
    stress = own[:, None] @ strain
    stiffness = np.array([rotated(plane_stiffness(ply.material), ply.angle) for ply in plies])
    flow = unit_shear_stress(z, stiffness, _SHARE)  # (p, 3, 2)
    angle = np.array([ply.angle for ply in plies])
    c, s = np.cos(angle), np.sin(angle)
    axes = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=-2)
    shear = axes[:, None] @ (flow[..., None] * part.force[:, None, None, 6:] / thicker)
    return PlyStates(section, ids, heights, stress, strain, shear)
