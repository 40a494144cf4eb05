"""Rigid-body motions from geometry: which of the six remain, how stiff they look, and whether they carry mass.

Rigid vectors: theory section 1.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.element_forces import ElementForces
from tisserand.modes.soft_grounds import (
    SoftGrounds,
    links_of,
    resisted,
    soft_grounds,
    springs_alone,
    strains,
    unsettled_motions,
)

#: A geometric motion is free of strain when ``|K r|`` stays below this part of ``|K||r|``, dof by dof.
STRAIN_FREE = 1e-10
#: Forces of a rigid motion above this are no round-off, though too small to hold the body: they are noted.
NOTICED = 1e-12
#: A Rayleigh quotient below this part of all K_ii over all M_ii is round-off in every eigensolver.
UNRESOLVABLE = 1e-15
_NEGLIGIBLE = 1e-9
_PIVOT = 1e-5


@dataclass(frozen=True, eq=False)
class RigidSet:
    """Strain-free rigid motions over all dofs (zero on held ones).

    vectors: (d, r) mass-orthonormal; massless: (d, s) strain-free motions without mass (a collinear body about its line);
    rayleigh: (r,) r'K r / r'M r in rad²/s²; stiffness: (6,) ||K r|| / (||K|| ||r||) of the six unit motions, whatever
    holds them (0 where a direction moves nothing); grounded: geometric motions that supports allow but springs resist;
    resistance: largest force that a rigid motion leaves at a dof, of its stiffness forces there; source: "geometry", or
    "null space" for motions that ``numerical_rigid_set`` was given; lost: the note of motions among the vectors that springs
    resist, too softly to be solved, with their frequencies (``soft_grounds``).
    """

    vectors: FloatArray
    massless: FloatArray
    rayleigh: FloatArray
    stiffness: FloatArray
    grounded: int
    source: str = "geometry"
    _: KW_ONLY
    resistance: float = 0.0
    lost: str = ""

    @property
    def count(self) -> int:
        return int(self.vectors.shape[1])


def scaled_rigid_vectors(model: AssembledModel) -> FloatArray:
    """Six unit motions about the mass center, rotations divided by the model's size, (d, 6)."""
    positions = model.nodes.positions
    if model.nodes.scalar is not None:
        positions = positions[~model.nodes.scalar]
    if not len(positions):
        return np.asarray(model.rigid_body_vectors)
    low, high = positions.min(axis=0), positions.max(axis=0)
    center, size = 0.5 * (low + high), float(np.linalg.norm(high - low)) or 1.0
    S = model.rigid_body_vectors
    out = np.array(S)
    # rotation about the center: S_r - (translation of the origin's motion) = S_r + S_t center~
    x, y, z = center
    out[:, 3] += S[:, 1] * z - S[:, 2] * y
    out[:, 4] += S[:, 2] * x - S[:, 0] * z
    out[:, 5] += S[:, 0] * y - S[:, 1] * x
    out[:, 3:] /= size
    return out


def rigid_set(
    model: AssembledModel, held: BoolArray, elements: Callable[[], ElementForces | None] | None = None
) -> RigidSet:
    """The rigid motions that the held dofs allow and the stiffness does not resist.

    They are found by linear algebra on six vectors, never by an eigensolver: allowed = null space of the held rows; of
    these the strain-free ones are the null space of K r, each row measured against its own round-off ``|K||r|``.
    Dofs held because nothing resists them (``auto_supports``) restrain no motion. If forces are too small to judge but
    too large to be round-off, or if such a motion strains a spring, ``elements`` decide whether something holds the
    body; if the stiffness is not their sum (prestress), the springs alone decide about motions that the digits of K
    leave undetermined.
    """
    K, M = model.stiffness, model.mass
    stiffness = _unit_stiffness(K, model.rigid_body_vectors)
    automatic = model.dofs.fixed_by(model.auto_supports)
    binding, held = held & ~automatic, held | automatic
    moving = allowed_motions(model, binding)
    moving[held] = 0.0
    basis = _independent(moving)
    null = _null_space(_strain(K, basis, ~held), absolute=STRAIN_FREE)
    resistance = _largest_force(K, basis @ null, ~held)
    null = np.hstack([null, _unresolvable(K, M, basis, null)])
    soft, links = SoftGrounds(basis @ null), links_of(model)
    doubtful = resistance > NOTICED or strains(links, soft.free)
    known = elements() if elements is not None and (doubtful or strains(links, basis)) else None
    if known is not None and doubtful:
        soft = soft_grounds(known, links, K, M, (soft.free, basis @ _complement(null)))
    elif elements is not None and known is None and links is not None and strains(links, basis):
        soft = springs_alone(links, M, unsettled_motions(K, basis))
    resistance = 0.0 if soft.hertz else _largest_force(K, soft.free, ~held)
    free = soft.free
    grounded = basis.shape[1] - free.shape[1]
    if grounded and automatic.any():  # motions that only the automatic holds cut short are resisted by nothing
        whole = _independent(allowed_motions(model, binding))
        grounded = min(grounded, whole.shape[1] - _null_space(_strain(K, whole, ~binding), STRAIN_FREE).shape[1])
    inertia = free.T @ (M @ free)
    values, turn = np.linalg.eigh(0.5 * (inertia + inertia.T))
    heavy = values > _NEGLIGIBLE**1.5 * max(float(values.max(initial=0.0)), 1e-300)
    vectors = free @ (turn[:, heavy] / np.sqrt(values[heavy]))
    massless = free @ turn[:, ~heavy]
    rayleigh = np.einsum("ik,ik->k", vectors, K @ vectors)
    given = model.structure is None and model.mass_recipe != "reduced"  # elimination leaves more than the last digits
    lost = soft.words or (resisted(K, vectors) if given else "")
    return RigidSet(vectors, massless, rayleigh, stiffness, grounded, resistance=resistance, lost=lost)


def allowed_motions(model: AssembledModel, held: BoolArray) -> FloatArray:
    """(d, f) scaled rigid motions that leave the held dofs (d,) at rest."""
    S = scaled_rigid_vectors(model)
    return np.array(S @ _null_space(S[held]) if held.any() else S)


def _independent(motions: FloatArray) -> FloatArray:
    """Orthonormal columns of the same span."""
    left, sizes, _ = np.linalg.svd(motions, full_matrices=False)
    return left[:, sizes > _NEGLIGIBLE * max(float(sizes.max(initial=0.0)), 1e-300)] if sizes.size else motions


def numerical_rigid_set(model: AssembledModel, vectors: FloatArray) -> RigidSet:
    """Strain-free motions (d, r), mass-orthonormal, taken for the rigid ones of a model whose positions are unknown."""
    rayleigh = np.einsum("ik,ik->k", vectors, model.stiffness @ vectors)
    stiffness = _unit_stiffness(model.stiffness, vectors)
    return RigidSet(vectors, np.zeros((model.size, 0)), rayleigh, stiffness, 0, "null space")


def _strain(K: csr_array, basis: FloatArray, free: BoolArray, pivot: float = _PIVOT) -> FloatArray:
    """K times each motion, every row divided by its own round-off scale; ``pivot``: least motion of a row's neighbors."""
    if not basis.size:
        return np.zeros((1, 0))
    absolute = csr_array((np.abs(K.data), K.indices, K.indptr), shape=K.shape)
    noise = (absolute @ np.abs(basis)).max(axis=1)
    # near a pivot little moves and all of it is round-off of what moves elsewhere
    noise = np.maximum(noise, pivot * float(np.abs(basis).max()) * (absolute @ np.ones(len(basis))))
    force = K @ basis
    rows = free & (noise > 0.0)
    return np.asarray(force[rows] / noise[rows, None])


def _largest_force(K: csr_array, motions: FloatArray, free: BoolArray) -> float:
    return float(np.abs(_strain(K, motions, free, pivot=1.0)).max(initial=0.0))


def _unresolvable(K: csr_array, M: csr_array, basis: FloatArray, null: FloatArray) -> FloatArray:
    """Further motions whose Rayleigh quotient no solver can tell from zero (reduced models, whose K is all round-off)."""
    rest = _complement(null)
    if not rest.shape[1]:
        return rest
    motion = basis @ rest
    stiff, mass = motion.T @ (K @ motion), motion.T @ (M @ motion)
    diagonal, inertia = K.diagonal(), M.diagonal()
    scale = float(np.abs(diagonal).sum() / max(float(np.abs(inertia).sum()), 1e-300))
    values, turn = np.linalg.eigh(0.5 * (stiff + stiff.T) - UNRESOLVABLE * scale * 0.5 * (mass + mass.T))
    return np.asarray(rest @ turn[:, values < 0.0])


def _complement(columns: FloatArray) -> FloatArray:
    """Orthonormal columns that complete the given ones."""
    count = columns.shape[1]
    return np.linalg.svd(columns, full_matrices=True)[0][:, count:] if count else np.eye(len(columns))


def _unit_stiffness(K: csr_array, S: FloatArray) -> FloatArray:
    norm = float(np.linalg.norm(K.data)) or 1.0
    size = np.linalg.norm(S, axis=0)
    return np.asarray(
        np.linalg.norm(K @ S, axis=0) / (norm * np.where(size > 0.0, size, 1.0))
    )  # 0 for one that moves nothing


def _null_space(rows: FloatArray, absolute: float | None = None) -> FloatArray:
    """Columns spanning the null space of a tall matrix (c columns)."""
    columns = rows.shape[1]
    if columns == 0 or not rows.size:
        return np.eye(columns)
    triangle = np.linalg.qr(rows, mode="r")
    _, values, right = np.linalg.svd(triangle, full_matrices=True)
    padded = np.concatenate([values, np.zeros(columns - len(values))])
    limit = absolute if absolute is not None else _NEGLIGIBLE * max(float(padded.max()), 1e-300)
    return np.asarray(right[padded <= limit].T)
