"""CPE and CPS: plane strain and plane stress in the x-y plane, whose nodes do not move across it.

They become membranes with the stiffness of a slice of the stated thickness; CalculiX expands them into bricks of that thickness.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import IntArray
from tisserand.model import Isotropic, Material, MembraneSection
from tisserand.model.laminate import plane_slice
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword

#: Largest distance of the nodes from one plane, over their distances in it.
_FLAT = 1e-6


def plane_section(
    draft: Draft, keyword: Keyword, material: Material | None, number: int, strain: bool, name: str
) -> MembraneSection:
    """A slice of the thickness on the data line (default 1), SI."""
    if not isinstance(material, Isotropic):
        raise keyword.error("plane elements need an isotropic material")
    rows = [row for row, _ in keyword.rows()]
    thickness = float(keyword.floats(rows[0], 1)[0]) if rows else 1.0
    if not thickness > 0.0:
        raise keyword.error("the thickness of plane elements must be above zero", found=thickness)
    thickness *= draft.units.length
    return plane_slice(number, material, thickness, strain=strain, name=name)


def hold_across(draft: Draft, keyword: Keyword, nodes: IntArray) -> None:
    """Nodes of plane elements are held along z; they lie in one plane x-y."""
    places = draft.positions[np.unique(nodes)]
    if np.ptp(places[:, 2]) > _FLAT * np.ptp(places[:, :2], axis=0).max():
        raise keyword.error(
            "plane elements do not lie in the x-y plane",
            found=f"z from {places[:, 2].min():g} to {places[:, 2].max():g}",
        )
    draft.plane_nodes.update(np.unique(nodes).tolist())
    draft.assume("plane elements (CPE, CPS): modes in the x-y plane, across which their nodes are held")


def refuse_mixed(draft: Draft) -> None:
    """Raise where plane elements stand beside others of a spatial structure: they are surfaces of its mesh, not a cut."""
    others = [group.type for group in draft.groups if group.kind.role in ("solid", "shell", "membrane", "beam")]
    plane = next((group for group in draft.groups if group.kind.role == "plane"), None)
    if plane is not None and others:
        raise plane.keyword.error(
            "plane elements cannot be part of a spatial structure",
            found=f"{plane.type} beside {others[0]}",
            advice="remove them if they are surfaces that a mesh generator wrote",
        )
