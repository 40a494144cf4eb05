"""Element blocks: many elements of one family as arrays.

Every block has ``ids`` (m,) and ``nodes`` (m, k), where ``nodes`` are node *indices* (rows of the node table, not ids);
-1 in a spring or mass means ground. Vectors are in basic axes, SI.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.model.block_base import Block, row
from tisserand.model.family_facts import FamilyFacts
from tisserand.model.solid_cells import SOLID_CELLS


@dataclass(frozen=True, eq=False, repr=False)
class RodBlock(Block):
    """Two-node rods: axial and torsional stiffness. ``section``: (m,) index into ``StructuralModel.sections``."""

    family: ClassVar[str] = "rod"
    facts: ClassVar[FamilyFacts] = FamilyFacts("line", "twist", section="rod")
    ids: IntArray
    nodes: IntArray = field(metadata=row(2))
    section: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class BeamBlock(Block):
    """Two-node beams.

    orientation: (m, 3) vector in the element's x-y plane, basic axes; offsets: (m, 2, 3) from node to end, m, basic axes;
    releases: (m, 2, 6) True where the end dof (element axes) is pinned; recipe decides the Nastran lumped mass: ``bar``
    has none but translations, ``beam`` adds torsional inertia, ``rotary bar`` (recent Simcenter) the rotary inertia of
    bending.
    """

    family: ClassVar[str] = "beam"
    facts: ClassVar[FamilyFacts] = FamilyFacts(
        "line", "all", section="beam", turns_nodes=True, vectors=("orientation", "offsets"), arms="offsets"
    )
    ids: IntArray
    nodes: IntArray = field(metadata=row(2))
    section: IntArray
    orientation: FloatArray = field(metadata=row(3))
    offsets: FloatArray = field(metadata=row(2, 3))
    releases: BoolArray = field(metadata=row(2, 6))
    recipe: Literal["bar", "beam", "rotary bar"] = "beam"

    def corners(self, positions: FloatArray) -> FloatArray:
        """(m, 2, 3) ends of the beams, offset from their nodes, m."""
        return np.asarray(positions[self.nodes] + self.offsets)


@dataclass(frozen=True, eq=False, repr=False)
class SolidBlock(Block):
    """Solids of one kind of ``solid_cells``, in its node order: vertices, then nodes on edges as in VTK."""

    family: ClassVar[str] = "solid"
    facts: ClassVar[FamilyFacts] = FamilyFacts("volume", "translations", section="solid")
    ids: IntArray
    nodes: IntArray = field(metadata=row(-1))
    section: IntArray
    kind: str

    @property
    def faces(self) -> tuple[tuple[int, ...], ...]:
        """Corners of every face, outward."""
        return SOLID_CELLS[self.kind].faces


@dataclass(frozen=True, eq=False, repr=False)
class ScalarSpringBlock(Block):
    """Springs and dampers between two components: force ``k (u_a - u_b)``. nodes (m, 2), components (m, 2) 0..5."""

    family: ClassVar[str] = "spring"
    facts: ClassVar[FamilyFacts] = FamilyFacts("link", "named", grounded=True, massless=True)
    ids: IntArray
    nodes: IntArray = field(metadata=row(2))
    components: IntArray = field(metadata=row(2))
    stiffness: FloatArray
    damping: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class BushBlock(Block):
    """Six-component springs between two nodes (or ground, -1).

    stiffness (m, 6) N/m and N m/rad, damping (m, 6), axes (m, 3, 3) rows are the bush axes in basic axes,
    location (m, 3) the point where the spring sits, basic position in m.
    """

    family: ClassVar[str] = "bush"
    facts: ClassVar[FamilyFacts] = FamilyFacts(
        "link", "all", grounded=True, massless=True, turns_nodes=True, axes=("axes",), points=("location",)
    )
    ids: IntArray
    nodes: IntArray = field(metadata=row(2))
    stiffness: FloatArray = field(metadata=row(6))
    damping: FloatArray = field(metadata=row(6))
    axes: FloatArray = field(metadata=row(3, 3))
    location: FloatArray = field(metadata=row(3))


@dataclass(frozen=True, eq=False, repr=False)
class ScalarMassBlock(Block):
    """Scalar masses between two components: ``m (u_a - u_b)``; nodes (m, 2), components (m, 2), mass (m,)."""

    family: ClassVar[str] = "scalar mass"
    facts: ClassVar[FamilyFacts] = FamilyFacts("terms", "named", grounded=True)
    ids: IntArray
    nodes: IntArray = field(metadata=row(2))
    components: IntArray = field(metadata=row(2))
    mass: FloatArray

    def mass_terms(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Nodes (t, 2), components (t, 2) and values (t,) of every term of the mass matrix."""
        order = [[0, 0], [1, 1], [0, 1], [1, 0]]
        value = np.concatenate([self.mass, self.mass, -self.mass, -self.mass])
        nodes, components = (np.concatenate([f[:, pair] for pair in order]) for f in (self.nodes, self.components))
        return nodes, components, value


@dataclass(frozen=True, eq=False, repr=False)
class NodalBodies(Block):
    """Rigid nodal bodies, in basic axes.

    nodes (m, 1), mass (m,) kg, offset (m, 3) m from node to mass center, inertia (m, 3, 3) kg m² about the mass center of the
    body.
    """

    family: ClassVar[str] = "nodal body"
    facts: ClassVar[FamilyFacts] = FamilyFacts("body", "all", vectors=("offset",), tensors=("inertia",))
    ids: IntArray
    nodes: IntArray = field(metadata=row(1))
    mass: FloatArray
    offset: FloatArray = field(metadata=row(3))
    inertia: FloatArray = field(metadata=row(3, 3))
    names: tuple[str, ...] = field(default=())


@dataclass(frozen=True, eq=False, repr=False)
class DirectMatrix(Block):
    """Matrix terms given directly (DMIG, CONM1): value at (node, component) x (node, component), node axes.

    nodes (m, 2), components (m, 2), value (m,); both triangles are stated. kind: stiffness, mass or damping.
    """

    family: ClassVar[str] = "direct matrix"
    facts: ClassVar[FamilyFacts] = FamilyFacts("terms", "named", one_matrix=True)
    ids: IntArray
    nodes: IntArray = field(metadata=row(2))
    components: IntArray = field(metadata=row(2))
    value: FloatArray
    kind: Literal["stiffness", "mass", "damping"]

    def mass_terms(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Nodes (t, 2), components (t, 2) and values (t,) of every term of the mass matrix."""
        return self.nodes, self.components, self.value if self.kind == "mass" else 0.0 * self.value
