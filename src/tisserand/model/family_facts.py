"""What the program needs to know of an element family apart from its matrices, as data.

Every block type of ``model.blocks`` holds its facts; readers, checks, drawings and writers ask them instead of the type, so a
new family is complete once its facts are stated (``tests/elements/test_every_family.py`` asks every family every question).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

#: How elements fill space. ``link``: a connection without matter; ``body``: a point with mass; ``terms``: numbers between
#: single components, which have no place.
Shape = Literal["line", "surface", "volume", "link", "body", "terms"]
#: Node components that the matrices act on. ``twist``: translations, and rotations where a section of the model resists
#: torsion; ``named``: one component per node and element, in node axes.
Components = Literal["all", "translations", "twist", "named"]


@dataclass(frozen=True)
class FamilyFacts:
    """Facts of one family.

    Attributes:
        shape: how elements fill space, which decides mass points, drawing, size and quality.
        components: node components that the matrices act on.
        section: family of the sections that its elements refer to; empty where they have none.
        grounded: whether a node may be -1, the ground.
        massless: whether the family never carries mass.
        turns_nodes: whether elements resist rotation of their nodes.
        layered: whether elements have plies, moments and a normal: shells.
        one_matrix: whether the items are terms of one matrix instead of elements, so that ids mean nothing.
        arms: field (m, k, 3) of rigid offsets from nodes to ends; empty where there is none.
        vectors: fields (..., 3) that turn with the model.
        axes: fields (..., 3, 3) whose rows turn with the model.
        tensors: fields (..., 3, 3) that turn from both sides.
        points: fields (..., 3) that turn and move with the model.
    """

    shape: Shape
    components: Components
    _: KW_ONLY
    section: str = ""
    grounded: bool = False
    massless: bool = False
    turns_nodes: bool = False
    layered: bool = False
    one_matrix: bool = False
    arms: str = ""
    vectors: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()
    tensors: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
