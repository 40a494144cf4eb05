"""Rigid motions that something very soft resists: solved where the digits of K allow, otherwise left free and named.

A motion is rigid when it strains no element, each measured against its own stiffness. The energy of a rigid motion in soft
springs is a sum of squares of the elements' own strains, so that nothing stiff masks it.

Rigid vectors: theory section 1.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray, symmetric
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.element_forces import ElementForces, large_terms
from tisserand.model import ElementBlock
from tisserand.modes.eigenvalue_bounds import UNSETTLED, rounded

#: Motions whose Rayleigh quotient the last digits of K change by more than this part of it are not solved but noted; the
#: factor of the assembled matrix, with its several roundings per term, then stays well within UNSETTLED.
_SOLVABLE = 0.1 * UNSETTLED
#: A strain energy below this part of |x|'|K||x| cannot be distinguished from zero with the assembled matrices.
ROUNDING = 2e3 * np.finfo(float).eps
#: Masses of motions below this part of the largest are none.
_MASSLESS = 1e-13
#: Energies above this many roundings of every term are more than the digits that a matrix is stored with.
_ABOVE_DIGITS = 100.0
#: Words of the note by which it is known again.
LOST = "too softly for the digits of the stiffness beside them"
#: Elements named in a note.
_NAMED = 8


@dataclass(frozen=True, eq=False)
class SoftGrounds:
    """How the elements judge motions (d, f) that K seems not to resist.

    free: (d, f') those that stay free: strained by no element, or resisted too softly for the digits of K;
    hertz: (s,) frequencies of the latter, from the energy of the elements, ascending;
    ids: of the links that resist them, 0 for direct terms.
    """

    free: FloatArray
    hertz: tuple[float, ...] = ()
    ids: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """The note: how many motions, which elements, which frequencies; empty where nothing was lost."""
        if not self.hertz:
            return ""
        count, more = len(self.hertz), ", ..." if len(self.ids) > _NAMED else ""
        named = ", ".join(str(i) if i else "direct terms" for i in self.ids[:_NAMED]) + more
        by = f"springs (elements {named})" if self.ids else "elements"
        values = ", ".join(f"{value:.6g}" for value in self.hertz)
        return (
            f"{count} of the rigid-body modes {'is' if count == 1 else 'are'} not free: {by} resist them, {LOST}; "
            f"they are listed as rigid, their frequencies by the springs alone are {values} Hz"
        )


def links_of(model: AssembledModel) -> ElementForces | None:
    """Springs, bushes and direct terms alone, which can hold a rigid body to ground; None where there are none."""
    if model.structure is None:
        return None
    blocks = tuple(block for block in model.structure.elements if _can_hold(block))
    return ElementForces(model, model.structure, blocks) if blocks else None


def _can_hold(block: ElementBlock) -> bool:
    return len(block) > 0 and (block.facts.shape == "link" or (block.facts.one_matrix and not large_terms(block)))


def strains(links: ElementForces | None, motions: FloatArray) -> bool:
    """Whether one of the motions (d, f) strains a link."""
    return links is not None and motions.shape[1] > 0 and links.unstrained(motions).shape[1] < motions.shape[1]


def soft_grounds(
    elements: ElementForces,
    links: ElementForces | None,
    K: csr_array,
    M: csr_array,
    parts: tuple[FloatArray, FloatArray],
) -> SoftGrounds:
    """Sort the motions that K seems not to resist, ``parts[0]`` (d, f), given those that it does, ``parts[1]`` (d, s)."""
    motions = _apart(elements, *parts)
    mass, turn = np.linalg.eigh(symmetric(motions.T @ (M @ motions)))
    heavy = mass > _MASSLESS * max(float(mass.max(initial=0.0)), 1e-300)
    light = motions @ turn[:, ~heavy]
    moving = _apart(elements, motions @ (turn[:, heavy] / np.sqrt(mass[heavy])), light)
    loose = np.linalg.qr(elements.unstrained(moving))[0]
    rest = np.linalg.qr(np.hstack([loose, np.eye(len(loose))]))[0][:, loose.shape[1] : len(loose)]
    soft = moving @ rest
    values, own = np.linalg.eigh(symmetric(soft.T @ elements.forces(soft)))
    soft = soft @ own
    with np.errstate(divide="ignore", invalid="ignore"):
        lost = ~(rounded(K, soft) <= _SOLVABLE * np.abs(values))
    idle = light @ np.linalg.qr(elements.unstrained(light))[0] if light.shape[1] else light
    free = np.hstack([moving @ loose, soft[:, lost], idle])
    hertz = np.sqrt(np.maximum(values[lost], 0.0)) / (2.0 * np.pi)
    ids = links.strained(soft[:, lost]) if links is not None and lost.any() else ()
    return SoftGrounds(free, tuple(hertz.tolist()), ids)


def unsettled_motions(K: csr_array, motions: FloatArray) -> FloatArray:
    """(d, u) of the span of orthonormal motions (d, f): those whose energy in K is its round-off."""
    values, own = np.linalg.eigh(symmetric(motions.T @ (K @ motions)))
    turned = motions @ own
    absolute = csr_array((np.abs(K.data), K.indices, K.indptr), shape=K.shape)
    noise = np.einsum("ik,ik->k", np.abs(turned), absolute @ np.abs(turned))
    return np.asarray(turned[:, np.abs(values) <= ROUNDING * noise])


def springs_alone(links: ElementForces, M: csr_array, motions: FloatArray) -> SoftGrounds:
    """Motions (d, f) that K does not determine stay free; those that strain a spring get a frequency from it."""
    if not motions.shape[1]:
        return SoftGrounds(motions)
    inertia, turn = np.linalg.eigh(symmetric(motions.T @ (M @ motions)))
    heavy = inertia > _MASSLESS * float(inertia.max(initial=0.0))
    moving = motions @ (turn[:, heavy] / np.sqrt(inertia[heavy]))
    values, own = np.linalg.eigh(symmetric(moving.T @ links.forces(moving)))
    moving = moving @ own
    loose = links.unstrained(moving).shape[1]
    hertz = np.sqrt(np.maximum(values[loose:], 0.0)) / (2.0 * np.pi)
    ids = links.strained(moving[:, loose:]) if len(hertz) else ()
    return SoftGrounds(motions, tuple(hertz.tolist()), ids)


def resisted(K: csr_array, motions: FloatArray) -> str:
    """A note where K resists mass-orthonormal rigid motions (d, r) of unknown elements by more than round-off does.

    Round-off: of the digits of K, and of the motions themselves (its square, since they are stationary).
    """
    values, own = np.linalg.eigh(symmetric(motions.T @ (K @ motions)))
    turned = motions @ own
    by_rounding = (ROUNDING * np.abs(turned).max(axis=0, initial=0.0)) ** 2 * float(np.abs(K.data).sum())
    above = values > np.maximum(_ABOVE_DIGITS * rounded(K, turned), by_rounding)
    if not above.any():
        return ""
    hertz = ", ".join(f"{np.sqrt(value) / (2.0 * np.pi):.3g}" for value in values[above])
    count = int(above.sum())
    return (
        f"{count} of the rigid-body modes may not be free: the matrices resist them as springs to ground do that give {hertz} Hz"
        f", {LOST} or for the round-off with which the matrices were made, so they are listed as rigid"
    )


def lost_in_reduction(model: AssembledModel, motions: FloatArray, shapes: FloatArray, count: int) -> str:
    """The note of rigid motions that a reduction of the model calls rigid while springs of the model resist them.

    motions (d, f): rigid ones that the boundary allows; shapes (d, k): modes of the reduction, mass-orthonormal, with the motions
    among them that were solved; count: how many it calls rigid.
    """
    links = links_of(model)
    if links is None or not count or not strains(links, motions):
        return ""
    inertia, turn = np.linalg.eigh(symmetric(motions.T @ (model.mass @ motions)))
    heavy = inertia > _MASSLESS * float(inertia.max(initial=0.0))
    moving = motions @ (turn[:, heavy] / np.sqrt(inertia[heavy]))
    solved = shapes.T @ (model.mass @ moving)
    left = moving @ np.linalg.eigh(symmetric(solved.T @ solved))[1][:, :count]
    return springs_alone(links, model.mass, left).words


def _apart(elements: ElementForces, motions: FloatArray, others: FloatArray) -> FloatArray:
    """The motions less as much of the others as their common strain energy removes: what holds the others follows at rest."""
    if not others.shape[1] or not motions.shape[1]:
        return motions
    held = symmetric(others.T @ elements.forces(others))
    size = np.sqrt(np.maximum(np.diag(held), 1e-300))
    shared = (others.T @ elements.forces(motions)) / size[:, None]
    inverse = np.linalg.pinv(held / np.outer(size, size), rcond=1e-12, hermitian=True)
    return np.asarray(motions - others @ ((inverse @ shared) / size[:, None]))
