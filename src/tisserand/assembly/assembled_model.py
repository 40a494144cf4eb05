"""The assembled model: sparse matrices over independent dofs, and the recovery to every node."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen
from tisserand.assembly.massprops import MassProperties, mass_properties_of
from tisserand.errors import ModelError
from tisserand.model import Ledger, Nodes, StructuralModel, Supports
from tisserand.notebook_html import html_table
from tisserand.sparse_types import SparseMatrix


@dataclass(frozen=True, eq=False, repr=False)
class DofTable:
    """The independent dofs in order: ``node`` (d,) node index and ``component`` (d,) 0..5 in that node's axes."""

    node: IntArray
    component: IntArray
    node_count: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "node", frozen(self.node, np.int64, (-1,)))
        object.__setattr__(self, "component", frozen(self.component, np.int64, (len(self.node),)))

    def __len__(self) -> int:
        return len(self.node)

    @property
    def index(self) -> IntArray:
        """(n, 6) dof number at (node, component), -1 where the dof is not independent or not active."""
        table = np.full((self.node_count, 6), -1, np.int64)
        table[self.node, self.component] = np.arange(len(self.node))
        return table

    def fixed_by(self, supports: Supports) -> BoolArray:
        """(d,) True for dofs held by the supports."""
        held = np.zeros((self.node_count, 6), np.bool_)
        np.logical_or.at(held, supports.nodes, supports.fixed)
        return np.asarray(held[self.node, self.component])


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class AssembledModel:
    """Mass and stiffness over the d independent dofs (active, constraints eliminated), SI, node axes.

    stiffness, mass, damping: (d, d) symmetric CSR (damping None when there are no dampers);
    recovery: (6 n, d) CSR from independent dofs to all nodes' [u; beta] in BASIC axes, row 6 * node +
    component; rigid_body_vectors: (d, 6) unit translations and rotations about the basic origin, in dof
    order; supports: deck supports (boundary for the solver; not applied here); structure: the source model,
    None for bare matrices; mass_recipe: mass model used; has_field: True where all mass comes from a
    displacement field, so that the modal-integral identities hold exactly; auto_supports: dofs whose
    stiffness is singular at their own node, found when the model requests them to be held (AUTOSPC); like
    ``supports`` they are a boundary, not applied here.

    Attributes:
        name: of the structure.
        unit_system: system that the source was read in.
        ledger: import ledger of the source.
        notes: remarks made while reading and assembling.
    """

    stiffness: SparseMatrix
    mass: SparseMatrix
    _: KW_ONLY
    dofs: DofTable
    recovery: SparseMatrix
    rigid_body_vectors: FloatArray
    nodes: Nodes
    name: str = "structure"
    damping: SparseMatrix | None = None
    supports: Supports = field(default_factory=Supports)
    structure: StructuralModel | None = None
    mass_recipe: str = "consistent"
    has_field: bool = True
    unit_system: str = "SI"
    ledger: Ledger = field(default_factory=Ledger)
    notes: tuple[str, ...] = ()
    auto_supports: Supports = field(default_factory=Supports)

    def __post_init__(self) -> None:
        d = len(self.dofs)
        object.__setattr__(self, "rigid_body_vectors", frozen(self.rigid_body_vectors, shape=(d, 6)))
        for word in ("stiffness", "mass"):
            matrix = getattr(self, word)
            if matrix.shape != (d, d):
                raise ModelError(f"{word} matrix of shape {matrix.shape} for {d} dofs")
            if not np.isfinite(matrix.data).all():
                raise ModelError(f"the {word} matrix contains values that are not finite numbers")

    def held(self, supports: Supports | None = None) -> BoolArray:
        """(d,) dofs held by the deck's supports (or the given ones) and by ``auto_supports``."""
        chosen = self.supports if supports is None else supports
        return np.asarray(self.dofs.fixed_by(chosen) | self.dofs.fixed_by(self.auto_supports))

    @property
    def size(self) -> int:
        """Number of independent dofs."""
        return len(self.dofs)

    def mass_properties(self) -> MassProperties:
        """Mass, center and inertia from the rigid-body vectors: S'M S."""
        return mass_properties_of(self)

    def displacements(self, shapes: FloatArray) -> FloatArray:
        """Shapes at all nodes in basic axes: (d, k) to (n, 6, k).

        Args:
            shapes: (d, k) over the independent dofs.
        """
        shapes = np.asarray(shapes)
        full = self.recovery @ shapes.reshape(self.size, -1)
        return np.asarray(full).reshape(len(self.nodes), 6, -1)

    def _repr_html_(self) -> str:
        rows: list[tuple[object, object]] = [("nodes", len(self.nodes)), ("independent dofs", self.size)]
        rows += [("stiffness terms", self.stiffness.nnz), ("mass recipe", self.mass_recipe), ("notes", len(self.notes))]
        rows += [
            (
                "mass (kg)",
                float(np.trace((self.rigid_body_vectors.T @ (self.mass @ self.rigid_body_vectors))[:3, :3]) / 3),
            )
        ]
        return html_table(self.name, ("", ""), rows)

    def __repr__(self) -> str:
        return (
            f"<AssembledModel {self.name!r}: {self.size} dofs at {len(self.nodes)} nodes, "
            f"{self.mass_recipe} mass, {self.stiffness.nnz} stiffness terms>"
        )
