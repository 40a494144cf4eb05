"""The proof of an eigensolution: error bounds of its eigenvalues, mass-orthogonality, and a Sturm count that none is missing.

Reference: [Parlett1980].
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray
from tisserand.errors import MissedModesError, NotConvergedError
from tisserand.linalg import Pencil
from tisserand.linalg.products import product
from tisserand.modes.eigenvalue_bounds import DATA_LIMIT, EIGENVALUE_LIMIT, uncertain
from tisserand.modes.modal_basis import Proof
from tisserand.modes.rigid import RigidSet

#: Largest accepted |X'M X - 1|, and || K x || / || |K||x| || of a motion without strain.
ORTHOGONALITY_LIMIT = 1e-9
STRAIN_LIMIT = 1e-6


def prove(
    pencil: Pencil,
    values: FloatArray,
    vectors: FloatArray,
    rigid: RigidSet,
    *,
    errors: FloatArray,
    digits: FloatArray,
    shift: float,
    counted: int,
    below: int = 0,
    backend: str = "",
    zero: BoolArray | None = None,
) -> Proof:
    """Check eigenpairs (ascending values, mass-normalized vectors over the free dofs) and count them.

    ``counted`` is the inertia of K - shift M: the number of all eigenvalues below the shift; ``below`` of them lie under
    the requested band. What is neither rigid, nor under the band, nor among ``values`` was missed, and raises.
    ``errors`` (k,): relative error bounds of the values (``accuracy``); one above its limit raises, whatever the cause;
    ``digits`` (k,): relative changes of the values by the last digits of what they were computed from, likewise.
    ``zero`` (k,) marks strain-free motions, which have no eigenvalue to check: their K x is measured against |K||x|.
    """
    orthogonality = _orthogonality(pencil, vectors)
    zero = np.zeros(len(values), np.bool_) if zero is None else zero
    residuals = _residuals(pencil, values, vectors, zero)
    known = rigid.count + below + int((values < shift).sum())
    hertz = float(np.sqrt(max(shift, 0.0)) / (2.0 * np.pi))
    if known != counted:
        raise _miscounted(known, counted, hertz)
    if (residuals[zero] > STRAIN_LIMIT).any():
        raise NotConvergedError(
            "a motion identified as strain-free has strain",
            found=f"{residuals[zero].max():.2g} of its stiffness forces",
            expected=f"at most {STRAIN_LIMIT:g}",
        )
    elastic = ~zero
    bounds, digits = errors[elastic], digits[elastic]
    for found, limit, cause in (
        (bounds, EIGENVALUE_LIMIT, "as computed"),
        (digits, DATA_LIMIT, "by the last digits of the matrices"),
    ):
        if not (found <= limit).all():
            raise uncertain(values[elastic], found, limit, cause)
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
        worst_residual=float(residuals.max(initial=0.0)),
        worst_error=float(bounds.max(initial=0.0)),
        data_error=float(digits.max(initial=0.0)),
        worst_orthogonality=orthogonality,
        rigid_rayleigh=tuple(float(v) for v in rigid.rayleigh),
        rigid_stiffness=tuple(float(v) for v in rigid.stiffness),
        backend=backend,
        rigid_from=rigid.source,
    )


def _miscounted(known: int, counted: int, hertz: float) -> MissedModesError:
    word = "modes were missed" if counted > known else "too many modes were returned"
    return MissedModesError(
        f"{abs(counted - known)} {word} below {hertz:.6g} Hz",
        found=f"{known} known",
        expected=f"{counted} by the inertia of K - sigma M",
        advice="request a few modes more or fewer (--count), so that no cluster is cut",
    )


def _orthogonality(pencil: Pencil, vectors: FloatArray) -> float:
    gram = vectors.T @ product(pencil.m, vectors)
    return float(np.abs(gram - np.eye(vectors.shape[1])).max(initial=0.0))


def _residuals(pencil: Pencil, values: FloatArray, vectors: FloatArray, zero: BoolArray) -> FloatArray:
    """Residual per mode relative to K x, of strain-free motions K x relative to |K||x|."""
    force = product(pencil.k, vectors)
    error = np.linalg.norm(force - product(pencil.m, vectors) * values, axis=0)
    size = np.maximum(np.linalg.norm(force, axis=0), 1e-300)
    if zero.any():
        K = pencil.k
        absolute = csr_array((np.abs(K.data), K.indices, K.indptr), shape=K.shape)
        size[zero] = np.linalg.norm(absolute @ np.abs(vectors[:, zero]), axis=0)
        # dofs without stiffness: all that K sees is the round-off of the vector
        floor = 1e-7 * float(np.abs(K.data).max(initial=0.0)) * np.linalg.norm(vectors[:, zero], axis=0)
        size[zero] = np.maximum(np.maximum(size[zero], floor), 1e-300)
        error[zero] = np.linalg.norm(force[:, zero], axis=0)
    return np.asarray(error / size)
