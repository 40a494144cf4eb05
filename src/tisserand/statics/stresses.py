"""Section forces and ply stresses of a static solution, or of any displacement of an assembled model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.elements.ply_failure import bond_index, failure_index, principal_stresses, reserve_factor, von_mises
from tisserand.elements.shell_plies import PlyStates, ply_states
from tisserand.errors import ModelError
from tisserand.model import ShellSection, Strengths, StructuralModel
from tisserand.statics.directional import source_of


@dataclass(frozen=True, eq=False, repr=False)
class PlyStresses:
    """Stresses at the centers of the shells ``elements`` (m,) of one section with p plies; a homogeneous shell is one ply.

    heights (p, 3) m above the reference surface; stress Pa and strain (m, p, 3, 3): ply from bottom to top; bottom, middle
    and top of it; components 1, 2, 12 in its material axes (engineering shear strain). shear (m, p, 3, 2) Pa: interlaminar
    1z, 2z from equilibrium of the layers.
    """

    section: ShellSection
    elements: IntArray
    heights: FloatArray
    stress: FloatArray
    strain: FloatArray
    shear: FloatArray

    def __repr__(self) -> str:
        name = self.section.name or self.section.id
        return f"<PlyStresses of section {name}: {len(self.elements)} elements, {len(self.heights)} plies>"

    def von_mises(self) -> FloatArray:
        """(m, p, 3) Pa."""
        return von_mises(self.stress)

    def principal(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Major and minor stress Pa and angle rad from the 1 axis, (m, p, 3) each."""
        return principal_stresses(self.stress)

    def failure_index(self, theory: str | None = None) -> FloatArray:
        """(m, p, 3), 1 at failure; the theory of the section (PCOMP's FT) if none is named."""
        return self._by_ply(failure_index, theory)

    def reserve_factor(self, theory: str | None = None) -> FloatArray:
        """(m, p, 3): factor on the loads at failure."""
        return self._by_ply(reserve_factor, theory)

    def bond_index(self) -> FloatArray:
        """(m, p, 3): interlaminar shear stress over the section's bond strength (PCOMP's SB)."""
        return bond_index(self.shear, self.section.bond_strength)

    def _by_ply(self, function: Callable[[ArrayLike, Strengths, str], FloatArray], theory: str | None) -> FloatArray:
        chosen = theory or self.section.failure_theory
        where = f"shell section {self.section.name or self.section.id}"
        if not chosen:
            raise ModelError("no failure theory is chosen", where=where, advice="name one, e.g. 'tsai-wu'")
        out = np.empty(self.stress.shape[:-1])
        for p, ply in enumerate(self.section.plies):
            strengths = getattr(ply.material, "strengths", None)
            if strengths is None:
                raise ModelError(
                    "a ply has no strengths", where=f"{where}, ply {p + 1}",
                    found=f"material {ply.material.name or ply.material.id}",
                    advice="give its material strengths, or use von_mises() or stress",
                )  # fmt: skip
            out[:, p] = function(self.stress[:, p], strengths, chosen)
        return out


@checked_arguments
def ply_stresses(
    assembled: AssembledModel, displacement: FloatArray, elements: str | Sequence[int] | IntArray | None = None
) -> tuple[PlyStresses, ...]:
    """Stresses of a displacement (d,) over independent dofs, one item per section of the shells.

    elements: ids or the name of an element set; None takes every shell.

    Args:
        assembled: the assembled model.
    """
    model = source_of(assembled, "ply stresses")
    moved = assembled.displacements(np.asarray(displacement, dtype=float))
    if moved.shape[2] != 1:
        raise ModelError("one displacement over the independent dofs is needed", found=np.shape(displacement))
    return tuple(_single(state) for state in ply_states(model, moved, _chosen(model, elements)))


def _single(state: PlyStates) -> PlyStresses:
    stress, strain, shear = (x[..., 0] for x in (state.stress, state.strain, state.shear))
    return PlyStresses(state.section, state.elements, state.heights, stress, strain, shear)


def _chosen(model: StructuralModel, elements: str | Sequence[int] | IntArray | None) -> IntArray | None:
    if elements is None:
        return None
    if isinstance(elements, str):
        if elements not in model.element_sets:
            known = ", ".join(model.element_sets) or "the model has no element sets"
            raise ModelError("unknown element set", found=repr(elements), expected=known)
        return np.asarray(model.element_sets[elements], dtype=np.int64)
    ids = np.asarray(elements, dtype=np.int64)
    shells = [block.ids for block in model.elements if block.facts.layered]
    missing = np.setdiff1d(ids, np.concatenate(shells) if shells else np.zeros(0, np.int64))
    if len(missing):
        raise ModelError(
            "these elements are not shells of the model", found=missing[:10].tolist(), ids=missing[:10].tolist()
        )
    return ids
