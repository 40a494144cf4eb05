"""Mass matrices that give some motion negative kinetic energy, refused before any mode is sought.

The iteration sees only the motions it returns: whether it meets a negative one would depend on how many modes are requested.
Serves the proof of theory section 2.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array

from tisserand.arrays import BoolArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.motion_words import motion_words
from tisserand.assembly.singular import row_sizes
from tisserand.linalg import factorize
from tisserand.modes.dense_pencil import INDEFINITE, TURNED, indefinite_mass


def refuse_indefinite(model: AssembledModel, free: BoolArray) -> None:
    """Raise where the mass of the free dofs is indefinite by more than round-off.

    A negative diagonal term proves it for any model. Mass that an element integrates over its volume is never negative, so only
    matrices that a file states are counted as a whole: by the inertia of the matrix, scaled to unit diagonal and raised by the
    round-off that ``dense_pencil`` allows.
    """
    own = model.mass.diagonal()
    largest = np.zeros(len(model.nodes))
    np.maximum.at(largest, model.dofs.node[free], np.abs(own[free]))
    size = largest[model.dofs.node]
    negative = free & (own < -INDEFINITE * size)
    if negative.any():
        raise indefinite_mass(f"negative mass at {motion_words(model, negative[:, None].astype(float))}")
    if not _stated(model):
        return
    kept = np.flatnonzero(free & (row_sizes(model.mass) > TURNED * size))
    mass = csr_array(model.mass[kept][:, kept])
    if not len(kept) or mass.nnz <= len(kept):
        return
    terms = np.where(own[kept] > TURNED * size[kept], own[kept], row_sizes(mass))
    inverse = diags_array(1.0 / np.sqrt(terms))
    scaled = csr_array(inverse @ mass @ inverse)
    raised = INDEFINITE * float(np.abs(scaled).sum(axis=1).max())
    shifted = csr_array(scaled + diags_array(np.full(len(kept), raised)))
    shifted.sort_indices()
    factor = factorize(shifted, backend="superlu", groups=model.dofs.node[kept])
    if count := factor.negative_count:
        raise indefinite_mass(
            f"{count} motion{'s' if count > 1 else ''} of negative mass: terms beside the diagonal outweigh it"
        )


def _stated(model: AssembledModel) -> bool:
    """Whether some of the mass is stated as a matrix rather than integrated by elements."""
    if model.structure is None:
        return True
    return any(block.facts.shape == "terms" for block in model.structure.elements)
