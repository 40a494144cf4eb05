"""Lattice masts: longerons, battens and diagonals around a straight axis."""

from __future__ import annotations

import numpy as np

from tisserand.arguments import at_most, checked_arguments
from tisserand.builders.line_structures import MOST_ELEMENTS, frame, truss
from tisserand.builders.sections import CrossSection
from tisserand.errors import ModelError
from tisserand.model import Isotropic, StructuralModel


@checked_arguments
def mast(
    length: float,
    bays: int,
    radius: float,
    longeron: CrossSection,
    material: Isotropic,
    *,
    batten: CrossSection | None = None,
    diagonal: CrossSection | None = None,
    sides: int = 3,
    pinned: bool = True,
    clamped: bool = True,
    name: str = "mast",
) -> StructuralModel:
    """A lattice mast along x with rigid end fittings; points ``root`` and ``tip`` at their centers.

    Every face of every bay has two crossed diagonals, which do not touch each other.

    Args:
        length: m.
        bays: number of bays.
        radius: from the axis to the longerons, m.
        longeron: section of the members along the axis.
        material: isotropic, of all members.
        batten: section of the members around it; by default the longeron's.
        diagonal: section of the diagonals; by default the longeron's.
        sides: number of longerons, at least 3; the first is at z = ``radius``.
        pinned: members are rods with pinned ends; False welds beams together.
        clamped: hold the root fitting.
        name: of the model.
    """
    if not (length > 0.0 and radius > 0.0 and np.isfinite([length, radius]).all()):
        raise ModelError(
            "length and radius must be positive numbers",
            where=name,
            found=(length, radius),
            expected="numbers above 0, in m",
        )
    if bays < 1 or sides < 3:
        raise ModelError("a mast has at least one bay and three sides", where=name, found=(bays, sides))
    at_most(name, MOST_ELEMENTS // 10, "faces", bays=bays, sides=sides)
    angle = 2.0 * np.pi * np.arange(sides) / sides
    points = {
        f"{bay}.{side}": (length * bay / bays, -radius * float(np.sin(a)), radius * float(np.cos(a)))
        for bay in range(bays + 1)
        for side, a in enumerate(angle)
    }
    section = _lattice(bays, sides, longeron, batten or longeron, diagonal or longeron)
    members = list(section)
    made = (
        truss(points, members, section, material, name=name)
        if pinned
        else frame(points, members, section, material, elements=1, name=name)
    )
    ends = {
        word: np.array([made.interfaces[f"{bay}.{side}"] for side in range(sides)])
        for word, bay in (("x-", 0), ("x+", bays))
    }
    made = made.changed(node_sets=ends, interfaces={}, element_sets={})
    made = made.with_hub("root", "x-").with_hub("tip", "x+")
    return made.with_support("root") if clamped else made


def _lattice(
    bays: int, sides: int, longeron: CrossSection, batten: CrossSection, diagonal: CrossSection
) -> dict[tuple[str, str], CrossSection]:
    """Members between the points ``bay.side``, with their sections."""
    section: dict[tuple[str, str], CrossSection] = {}
    for bay in range(bays + 1):
        for side in range(sides):
            here, beside = f"{bay}.{side}", f"{bay}.{(side + 1) % sides}"
            section[here, beside] = batten
            if bay < bays:
                section[here, f"{bay + 1}.{side}"] = longeron
                section[here, f"{bay + 1}.{(side + 1) % sides}"] = diagonal
                section[beside, f"{bay + 1}.{side}"] = diagonal
    return section
