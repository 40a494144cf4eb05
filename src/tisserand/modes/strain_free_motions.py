"""Motions without strain energy that are not rigid: found, distinguished from soft modes, and named by their nodes.

Serves the count of [Parlett1980]; rigid vectors of theory section 1.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array

from tisserand.arrays import BoolArray, FloatArray, IntArray, symmetric
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.element_forces import ElementForces
from tisserand.assembly.motion_words import motion_words, moving_nodes
from tisserand.errors import MechanismError
from tisserand.linalg import Pencil, factorize
from tisserand.modes.eigenpairs import Pairs
from tisserand.modes.eigenvalue_bounds import UNSETTLED, data_errors, over_all, unsettled
from tisserand.modes.soft_grounds import ROUNDING

#: Motions within this many times that are looked at together: round-off mixes them.
_NEIGHBORS = 1e3
#: Share of other motions that round-off leaves in a vector.
_SPILL = 100.0 * np.finfo(float).eps
#: Said of strain-free motions that carry no mass, so that they are no modes.
HELD_LOOSE = "massless mechanisms are held"


def strain_free(
    pencil: Pencil, values: FloatArray, vectors: FloatArray, ceiling: float, units: float = 1.0
) -> BoolArray:
    """(k,) True where x'K x is round-off, or within ``units`` times that. Only values below ``ceiling`` are examined.

    Round-off of the energy: |x'K x| <= c eps |x|'|K||x|; round-off of the vector, which is all the energy that a motion of dofs
    without stiffness has: |x'K x| <= (c' eps max|x|)² sum K_ii.
    """
    zero = np.zeros(len(values), np.bool_)
    suspects = np.flatnonzero(values < ceiling)
    if not len(suspects):
        return zero
    K = pencil.k
    absolute = csr_array((np.abs(K.data), K.indices, K.indptr), shape=K.shape)
    x = vectors[:, suspects]
    noise = np.einsum("ik,ik->k", np.abs(x), absolute @ np.abs(x))
    spill = (_SPILL * np.abs(x).max(axis=0)) ** 2 * float(np.abs(K.diagonal()).sum())
    zero[suspects] = np.abs(np.einsum("ik,ik->k", x, K @ x)) <= units * np.maximum(ROUNDING * noise, spill)
    return zero


@dataclass(frozen=True, eq=False)
class ZeroTest:
    """Which motions are mechanisms: those that strain no element.

    Where the elements are not known (bare matrices), those whose strain energy is round-off.
    elements: what makes ``ElementForces``, called when a motion is in doubt; size: all dofs; ceiling: rad²/s².
    """

    pencil: Pencil
    elements: Callable[[], ElementForces | None]
    size: int
    ceiling: float

    def __call__(self, pairs: Pairs) -> tuple[Pairs, BoolArray]:
        """The pairs, ascending, and (k,) True for mechanisms; motions that round-off has mixed are separated."""
        pencil = self.pencil
        zero = strain_free(pencil, pairs.values, pairs.vectors, self.ceiling)
        known = zero & (pairs.values == 0.0)  # told apart before
        if not (zero & ~known).any() or (elements := self.elements()) is None:
            return pairs, zero
        near = strain_free(pencil, pairs.values, pairs.vectors, self.ceiling, _NEIGHBORS)
        mixed = np.flatnonzero(near & ~known)
        block = pairs.vectors[:, mixed]
        loose = elements.unstrained(over_all(pencil, block, self.size))
        turn = np.linalg.qr(np.hstack([np.linalg.qr(loose)[0], np.eye(len(mixed))]))[0][:, : len(mixed)]
        null, soft = block @ turn[:, : loose.shape[1]], block @ turn[:, loose.shape[1] :]
        forces = elements.forces(over_all(pencil, soft, self.size))[pencil.free]
        energies, own = np.linalg.eigh(symmetric(soft.T @ forces))
        soft = soft @ own
        if (data_errors(pencil, energies, soft) > UNSETTLED).any():
            raise unsettled(pencil, energies, soft)
        values, vectors, zero, errors = pairs.values.copy(), pairs.vectors.copy(), known, pairs.bounds.copy()
        values[mixed] = np.concatenate([np.zeros(loose.shape[1]), energies])
        vectors[:, mixed] = np.hstack([null, soft])
        zero[mixed[: loose.shape[1]]] = True
        errors[mixed] = np.inf
        order = np.argsort(values, kind="stable")
        return Pairs(values, vectors, errors).chosen(order), zero[order]


def massless_mechanisms(pencil: Pencil, elements: ElementForces | None, size: int) -> FloatArray:
    """(m, s) motions without mass and stiffness, orthonormal: the null space that K and M share.

    Of dofs without mass; where these have none, of all dofs (a single brick of reduced integration, whose mass is at the same
    points). elements: of the model with ``size`` dofs, where they are known: motions that strain one are soft, not free.
    """
    M, K = pencil.m, pencil.k
    touched = np.zeros(pencil.size, np.bool_)
    touched[np.repeat(np.arange(pencil.size), np.diff(M.indptr))[M.data != 0.0]] = True
    light = np.flatnonzero(~touched)
    vectors = np.zeros((pencil.size, 0))
    for rows in (light, np.arange(pencil.size)):
        if not len(rows) or vectors.shape[1]:
            continue
        null, units = _shared_null(csr_array(K[rows][:, rows]), csr_array(M[rows][:, rows]))
        vectors = np.zeros((pencil.size, null.shape[1]))
        vectors[rows] = null / units[:, None]
    if vectors.shape[1] and elements is not None:
        vectors = vectors @ elements.unstrained(over_all(pencil, vectors, size))
    return np.linalg.qr(vectors)[0] if vectors.shape[1] else vectors


def _shared_null(K: csr_array, M: csr_array) -> tuple[FloatArray, FloatArray]:
    """Null vectors (m, s) of K and M at once, scaled by units (m,), both semidefinite; M may be zero."""
    diagonal = K.diagonal()
    units = np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    inverse = diags_array(1.0 / units)
    scaled = csr_array(inverse @ K @ inverse)
    mass = csr_array(inverse @ M @ inverse)
    if largest := float(np.abs(mass.data).max(initial=0.0)):
        scaled = csr_array(scaled + mass / largest)
    if len(units) <= 1500:
        values, turn = np.linalg.eigh(scaled.toarray())
        return np.asarray(turn[:, values < 1e-11]), units
    return _null_by_iteration(scaled), units


def _null_by_iteration(matrix: csr_array, width: int = 16) -> FloatArray:
    """Null vectors of a sparse positive semidefinite matrix with unit diagonal, by inverse subspace iteration."""
    size = matrix.shape[0]
    while True:
        factor = factorize(csr_array(matrix + diags_array(np.full(size, 1e-9))))
        block = np.linalg.qr(np.random.default_rng(0).standard_normal((size, width)))[0]
        for _ in range(4):
            block = np.linalg.qr(factor.solve(block))[0]
        values, turn = np.linalg.eigh(block.T @ (matrix @ block))
        null = values < 1e-11
        if not null.all() or width >= size:
            return np.asarray(block @ turn[:, null])
        width = min(size, 4 * width)


def pivot_dofs(vectors: FloatArray) -> IntArray:
    """One dof per column such that holding these removes exactly the given motions."""
    from scipy.linalg import qr

    if vectors.shape[1] == 0:
        return np.zeros(0, np.int64)
    _, _, pivots = qr(vectors.T, mode="economic", pivoting=True)
    return np.sort(pivots[: vectors.shape[1]]).astype(np.int64)


def refuse(model: AssembledModel, shapes: FloatArray, words: str, *, total: int | None = None) -> MechanismError:
    """The error that names the nodes of a mechanism; total: how many there are, where the shapes are only some of them."""
    nodes = moving_nodes(model, shapes).tolist()
    count = shapes.shape[1] if total is None else total
    return MechanismError(
        f"{count} {'motion' if count == 1 else 'motions'} without strain energy beyond the rigid body ({words})",
        nodes=nodes,
        found=f"motion of {motion_words(model, shapes)}",
        advice="support or connect them, or keep the motions with --allow-mechanisms"
        + ("" if model.structure is not None else "; in bare matrices a stiffness lost in round-off looks the same"),
    )
