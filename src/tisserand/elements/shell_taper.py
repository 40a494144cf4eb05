"""Shells whose thickness varies inside the element: section stiffness and mass at points.

The thickness over that of the section, l, is interpolated from the nodes. Every layer is thicker in the same ratio, and heights
above the reference surface with it: A and the transverse shear stiffness grow as l, B as l², D as l³; structural mass and its
moments as l, l², l³. Non-structural mass keeps its value per area and is spread over the thickness, so its moments grow as 1, l,
l².

Moments through the thickness: theory section 1.2.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import ModelError
from tisserand.model import ShellBlock, ShellSection
from tisserand.model.laminate import mass_shares

#: Powers of the ratio in [A B; B' D].
_POWERS = np.kron(np.array([[1.0, 2.0], [2.0, 3.0]]), np.ones((3, 3)))


def ratio_at(taper: FloatArray | None, functions: FloatArray) -> FloatArray:
    """(m, g): thickness over that of the section, from functions (g, k) of the nodes; (1, 1) of ones where it does not vary."""
    return np.ones((1, 1)) if taper is None else np.asarray(taper @ functions.T)


def grown(generalized: FloatArray, ratio: FloatArray) -> FloatArray:
    """(m, g, 6, 6): [A B; B' D] (m, 6, 6) at points with ratios (m, g)."""
    return np.asarray(generalized[:, None] * ratio[..., None, None] ** _POWERS)


def areal_moments(block: ShellBlock, sections: list[ShellSection], place: IntArray, ratio: FloatArray) -> FloatArray:
    """(m, g, 3): mass per area (kg/m²) and its moments about the NODES' surface, at points with ratios (m, g)."""
    check_layers(block, sections, place)
    own, further = np.array([mass_shares(section) for section in sections])[place].swapaxes(0, 1)[:, :, None]
    powers = ratio[..., None] ** np.arange(3)
    m0, m1, m2 = np.moveaxis(powers * (ratio[..., None] * own + further), -1, 0)
    o = np.asarray(block.offset)[:, None]
    return np.stack([m0, m1 + o * m0, m2 + 2.0 * o * m1 + o * o * m0], axis=-1)


def check_layers(block: ShellBlock, sections: list[ShellSection], place: IntArray) -> None:
    """Refuse a section given by its stiffness alone: it does not state which part of its mass grows with the thickness."""
    if block.taper is None:
        return
    for index, section in enumerate(sections):
        if section.plies:
            continue
        row = int(np.argmax(place == index))
        raise ModelError(
            "a shell of varying thickness needs a section made of materials",
            ids=(int(block.ids[row]),),
            where=f"shell element {block.ids[row]}, section {section.name or section.id}",
            found="a section that states its stiffness and mass alone",
            advice="state a material for its membrane, or one thickness",
        )
