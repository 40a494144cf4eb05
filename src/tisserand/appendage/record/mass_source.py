"""The mass behind a record, kept with it: the independent audit of a run uses it, with recovered nodal motion.

Either the finite elements themselves (the structural model, a few hundred bytes per element), or the mass matrix where the
source had no elements. Nothing here knows the record's modal integrals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.sparse import csr_array

from tisserand.appendage.integrals.directional_sums import rigid_columns
from tisserand.appendage.integrals.from_elements import matrix_integrals, several_integrals
from tisserand.appendage.integrals.integral_changes import turned_integrals
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.integrals.nodal_mass_matrix import spread_mass
from tisserand.appendage.record.turning_bodies import Gathered, gathered_bodies, nothing_gathered
from tisserand.arrays import FloatArray, frozen
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import ModelError
from tisserand.model import Ledger, StructuralModel

#: Terms of a mass matrix above which it is not kept with a record (about 100 MB).
LARGEST_MATRIX = 8_000_000


@dataclass(frozen=True, eq=False, repr=False)
class MassSource:
    """Mass of n nodes of a record, from row ``first_row`` of its node table on.

    positions (n, 3) m in the source's basic coordinates; structure with its mass recipe, or matrix (6 n, 6 n) kg over
    (node, component) in basic axes. origin (3,): O of the record in those coordinates; axes (3, 3): v_record = axes v_source, a
    reflection for a mirror image.
    """

    positions: FloatArray
    recipe: str
    structure: StructuralModel | None = None
    matrix: csr_array | None = None
    origin: FloatArray = field(default_factory=lambda: np.zeros(3))
    axes: FloatArray = field(default_factory=lambda: np.eye(3))
    first_row: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", frozen(self.positions, shape=(-1, 3)))
        object.__setattr__(self, "origin", frozen(self.origin, shape=(3,)))
        object.__setattr__(self, "axes", frozen(self.axes, shape=(3, 3)))
        if (self.structure is None) == (self.matrix is None):
            raise ModelError("a mass source is either a structure or a mass matrix")
        if self.matrix is not None and self.matrix.shape != (6 * len(self), 6 * len(self)):
            raise ModelError(
                "the mass matrix does not fit the nodes", found=self.matrix.shape, expected=f"{6 * len(self)} rows"
            )

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def rows(self) -> slice:
        """Rows of the record's node table."""
        return slice(self.first_row, self.first_row + len(self))

    def shifted(self, d: FloatArray) -> MassSource:
        """O moved by d (record axes, m)."""
        return replace(self, origin=self.origin + self.axes.T @ np.asarray(d, float))

    def turned(self, Q: FloatArray) -> MassSource:
        """Record axes changed by v_new = Q v_old."""
        return replace(self, axes=np.asarray(Q, float) @ self.axes)

    def without_turning(self) -> tuple[MassSource, Gathered]:
        """The same mass without its turning bodies, and these bodies in record axes, by row of the source."""
        if self.structure is None:
            return self, nothing_gathered()
        found, Q = gathered_bodies(self.structure), self.axes
        members = iter(found.members)
        kept = tuple(
            block.select(np.flatnonzero(~next(members))) if block.facts.shape == "body" else block
            for block in self.structure.elements
        )
        bodies = replace(found, offsets=found.offsets @ Q.T, inertias=Q @ found.inertias @ Q.T)
        return replace(self, structure=self.structure.changed(elements=kept)), bodies

    def without_arms(self) -> MassSource:
        """The same mass for motions of the nodes that hold the second degree of rigid arms themselves."""
        return self if self.structure is None else replace(self, structure=self.structure.changed(constraints=()))

    def integrals(self, displacement: FloatArray) -> ModalIntegrals:
        """Integrals over the mass with nodal displacements (n, 6, c) in record axes as shapes; about O, record axes."""
        return self.several_integrals((displacement,))[0]

    def several_integrals(self, displacements: Sequence[FloatArray]) -> list[ModalIntegrals]:
        """The integrals of each of several displacements; every element is prepared once for all of them."""
        sign = float(np.sign(np.linalg.det(self.axes)))
        local, motions = self.positions - self.origin, []
        for displacement in displacements:
            motion = np.empty((len(self), 6, displacement.shape[2]))
            motion[:, :3] = np.einsum("ba,nbk->nak", self.axes, displacement[:, :3])
            motion[:, 3:] = sign * np.einsum("ba,nbk->nak", self.axes, displacement[:, 3:])
            motions.append(np.concatenate([rigid_columns(local), motion], axis=2))
        if self.structure is not None:
            found = several_integrals(self.structure, self.recipe, self.origin, motions)
        else:
            assert self.matrix is not None
            found = [matrix_integrals(self.matrix, local, X) for X in motions]
        return [turned_integrals(one.integrals, self.axes) for one in found]


def mass_source(model: AssembledModel, origin: FloatArray) -> tuple[MassSource | None, str]:
    """The mass of a model, or the reason why it cannot be computed from nodal motion."""
    scalar = model.nodes.scalar
    if scalar is not None and scalar.any():
        return None, f"{int(scalar.sum())} scalar points have coordinates that no node represents"
    if model.structure is not None:
        bare = model.structure.changed(ledger=Ledger(), sources=())  # the record stores these elsewhere
        return MassSource(model.nodes.positions, model.mass_recipe, bare, origin=origin), ""
    if model.mass.nnz > LARGEST_MATRIX:
        return None, f"the mass matrix has {model.mass.nnz} terms, more than the {LARGEST_MATRIX} kept with a record"
    return MassSource(model.nodes.positions, "matrix", matrix=spread_mass(model)[1], origin=origin), ""
