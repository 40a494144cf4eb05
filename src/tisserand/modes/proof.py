"""The proof of an eigensolution: residuals, mass-orthogonality, and a Sturm count that nothing is missing."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray
from tisserand.errors import MissedModesError, NotConvergedError
from tisserand.linalg import Pencil
from tisserand.modes.modal_basis import Proof
from tisserand.modes.rigid import RigidSet

#: Largest accepted ||K x - lambda M x|| / ||K x|| and |X'M X - 1|, unless round-off of K x itself is larger.
RESIDUAL_LIMIT = 1e-6
ORTHOGONALITY_LIMIT = 1e-9


def prove(
    pencil: Pencil,
    values: FloatArray,
    vectors: FloatArray,
    rigid: RigidSet,
    *,
    shift: float,
    counted: int,
    below: int = 0,
    backend: str = "",
    zero: BoolArray | None = None,
) -> Proof:
    """Check eigenpairs (ascending values, mass-normalised vectors over the free dofs) and count them.

    ``counted`` is the inertia of K - shift M: the number of all eigenvalues below the shift; ``below`` of them lie under
    the requested band. What is neither rigid, nor under the band, nor among ``values`` was missed, and raises.
    ``zero`` (k,) marks strain-free motions: their K x is round-off, so it is measured against |K||x| instead of itself.
    """
    orthogonality = _orthogonality(pencil, vectors)
    residuals, noise = _residuals(pencil, values, vectors, zero)
    known = rigid.count + below + int((values < shift).sum())
    missed = counted - known
    hertz = float(np.sqrt(max(shift, 0.0)) / (2.0 * np.pi))
    if missed != 0:
        word = "modes were missed" if missed > 0 else "modes too many were returned"
        raise MissedModesError(
            f"{abs(missed)} {word} below {hertz:.6g} Hz",
            found=f"{known} known",
            expected=f"{counted} by the inertia of K - sigma M",
            advice="solve again with a larger block, another seed, or a request that does not cut a cluster",
        )
    worst = float(residuals.max(initial=0.0))
    if (residuals > np.maximum(RESIDUAL_LIMIT, noise)).any():
        raise NotConvergedError(
            "an eigenpair does not satisfy K x = lambda M x",
            found=f"{worst:.2g}",
            expected=f"at most {RESIDUAL_LIMIT:g}",
        )
    if orthogonality > ORTHOGONALITY_LIMIT:
        raise NotConvergedError(
            "the modes are not mass-orthogonal",
            found=f"{orthogonality:.2g}",
            expected=f"at most {ORTHOGONALITY_LIMIT:g}",
        )
    return Proof(
        missed=0,
        sturm_shift_hz=hertz,
        counted=counted,
        worst_residual=worst,
        worst_orthogonality=orthogonality,
        rigid_rayleigh=tuple(float(v) for v in rigid.rayleigh),
        rigid_stiffness=tuple(float(v) for v in rigid.stiffness),
        backend=backend,
        rigid_from=rigid.source,
    )


def _orthogonality(pencil: Pencil, vectors: FloatArray) -> float:
    gram = vectors.T @ (pencil.m @ vectors)
    return float(np.abs(gram - np.eye(vectors.shape[1])).max(initial=0.0))


def _residuals(
    pencil: Pencil, values: FloatArray, vectors: FloatArray, zero: BoolArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Relative residual per mode, and the part of it that round-off in K x alone explains."""
    force = pencil.k @ vectors
    error = np.linalg.norm(force - (pencil.m @ vectors) * values, axis=0)
    size = np.maximum(np.linalg.norm(force, axis=0), 1e-300)
    if zero is not None and zero.any():
        K = pencil.k
        absolute = csr_array((np.abs(K.data), K.indices, K.indptr), shape=K.shape)
        size[zero] = np.maximum(np.linalg.norm(absolute @ np.abs(vectors[:, zero]), axis=0), 1e-300)
        error[zero] = np.linalg.norm(force[:, zero], axis=0)
    largest = float(np.abs(pencil.stiffness).max(initial=0.0))
    noise = 1e3 * np.finfo(float).eps * largest * np.linalg.norm(vectors, axis=0) / size
    return error / size, noise
