"""Rigid motions that something very soft resists: solved where the digits of K allow, otherwise left free and named.

A motion is rigid when it strains no element, each measured against its own stiffness. The energy of a rigid motion in soft
springs is a sum of squares of the elements' own strains, so that nothing stiff drowns it.

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
#: Masses of motions below this part of the largest are none.
_MASSLESS = 1e-13
#: Words of the note by which it is known again.
LOST = "too softly for the digits of the stiffness beside them"
#: Elements named in a note.
_NAMED = 8


@dataclass(frozen=True, eq=False)
class SoftGrounds:
    """What the elements say of motions (d, f) that K seems not to resist.

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
    """Sort the motions that K seems not to resist, ``parts[0]`` (d, f), beside those that it does, ``parts[1]`` (d, s)."""
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


def _apart(elements: ElementForces, motions: FloatArray, others: FloatArray) -> FloatArray:
    """The motions less as much of the others as their common strain energy removes: what holds the others follows at rest."""
    if not others.shape[1] or not motions.shape[1]:
        return motions
    held = symmetric(others.T @ elements.forces(others))
    size = np.sqrt(np.maximum(np.diag(held), 1e-300))
    shared = (others.T @ elements.forces(motions)) / size[:, None]
    inverse = np.linalg.pinv(held / np.outer(size, size), rcond=1e-12, hermitian=True)
    return np.asarray(motions - others @ ((inverse @ shared) / size[:, None]))
