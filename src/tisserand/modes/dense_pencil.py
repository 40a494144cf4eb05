"""Every eigenpair of a small pencil, each to full relative precision however far apart the frequencies are.

With K - sigma M = L L' and M = H H' the singular values s of L^-1 H give lambda = sigma + 1 / s². All matrices are scaled to unit
diagonal first, so that no digits are lost to soft next to stiff or light next to heavy parts; and s spans the range of
the frequencies, not of their squares.

Scaling that keeps small values accurate: [Demmel1992].
"""

from __future__ import annotations

import numpy as np
import scipy.linalg as sla

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import NotConvergedError, SingularMatrixError, SolverError
from tisserand.linalg import Pencil
from tisserand.linalg.dense import unit_diagonal

#: A mass of the scaled matrix below this is its round-off; one further below zero is not round-off.
INDEFINITE = 1e-9
#: A diagonal of the mass below this share of its node's largest is round-off.
TURNED = 16 * np.finfo(float).eps
#: Singular values below this part of the largest carry no digit.
_NO_DIGIT = 1e-13
#: A vector of unit modal mass by its singular value that has less than this of it by M is made of round-off.
_SOME_MASS = 0.5


def dense_pairs(pencil: Pencil, rigid: FloatArray, shift: float) -> tuple[FloatArray, FloatArray]:
    """(values ascending, mass-orthonormal vectors) of every finite eigenvalue, the rigid motions left out."""
    M = without_turned_zeros(pencil.m.toarray(), pencil.groups)
    scaled, size = unit_diagonal(pencil.k.toarray() - shift * M)
    try:
        L = np.linalg.cholesky(scaled)
    except np.linalg.LinAlgError as error:
        raise SingularMatrixError("dofs without mass have no stiffness") from error
    H = mass_root(M)
    G = sla.solve_triangular(L, H / size[:, None], lower=True)
    if rigid.shape[1]:
        Q, _ = np.linalg.qr(L.T @ (rigid * size[:, None]))
        for _ in range(2):
            G = G - Q @ (Q.T @ G)
    U, s, _ = sla.svd(G, full_matrices=False, lapack_driver="gesvd", check_finite=False)
    count = min(int((s > _NO_DIGIT * s.max(initial=0.0)).sum()), G.shape[1] - rigid.shape[1])
    U, s = U[:, :count], s[:count]
    X = sla.solve_triangular(L, U, lower=True, trans="T") / size[:, None] / s
    massive = int(np.cumprod(np.einsum("ik,ik->k", X, M @ X) > _SOME_MASS).sum())  # beyond: the round-off of zero mass
    X, s = X[:, :massive], s[:massive]
    for _ in range(2):
        if rigid.shape[1]:
            X = X - rigid @ (rigid.T @ (M @ X))
        X = _orthonormal(X, H)
    return shift + 1.0 / s**2, X


def _orthonormal(X: FloatArray, root: FloatArray) -> FloatArray:
    """X R^-1 with Q R = H'X, so that X'H H'X = 1; the lower of two modes keeps its shape.

    High modes are found with eps s_1/s_k of the lowest ones, many times their own size where soft grounds hold stiff parts: the
    Gram matrix X'M X would square that and lose its definiteness.
    """
    R = np.linalg.qr(root.T @ X, mode="r")
    diagonal = np.diag(R)
    if not (np.abs(diagonal) > max(root.shape) * np.finfo(float).eps * np.linalg.norm(R, axis=0)).all():
        raise NotConvergedError(
            "the softest modes leave no digit of the stiffest ones",
            advice="make what is very stiff rigid (RBE2), or ask for the lowest modes only with a sparse backend",
        )
    return np.asarray((sla.solve_triangular(R, X.T, trans="T") * np.sign(diagonal)[:, None]).T)


def without_turned_zeros(M: FloatArray, groups: IntArray) -> FloatArray:
    """M less the dofs whose mass is the round-off of a zero in other axes (drilling of a shell that is turned in space).

    groups (m,): node of each dof. Such a diagonal is of the order of eps times the node's other masses.
    """
    own = np.abs(np.diag(M))
    largest = np.zeros(int(groups.max(initial=-1)) + 1)
    np.maximum.at(largest, groups, own)
    nil = own <= TURNED * largest[groups]
    return np.where(nil[:, None] | nil, 0.0, M)


def mass_root(M: FloatArray) -> FloatArray:
    """H (m, r) with M = H H' but for round-off; M may be singular, not indefinite."""
    scaled, size = unit_diagonal(M)
    values, turn = np.linalg.eigh(scaled)
    lowest, highest = float(values[0]), float(values[-1])
    if highest <= 0.0 or lowest < -INDEFINITE * highest:
        raise _modal(lowest)
    keep = values > max(8 * len(M) * np.finfo(float).eps * highest, -2.0 * lowest)
    return np.asarray(size[:, None] * turn[:, keep] * np.sqrt(values[keep]))


def indefinite_mass(found: str) -> SolverError:
    """The error of a mass matrix that gives some motion no or negative kinetic energy; found: where or how much."""
    return SolverError(
        "the mass matrix is indefinite: some motion has negative kinetic energy",
        found=found,
        expected="no mass below zero",
        advice="write the mass matrix with all its digits, remove negative masses, or drop the dofs that carry them",
    )


def _modal(mass: float) -> SolverError:
    return indefinite_mass(f"a modal mass of {mass:.3g} among unit ones")


def projected(stiff: FloatArray, gram: FloatArray, positive: bool = False) -> tuple[FloatArray, FloatArray]:
    """(distances from the shift, combinations) of the pencil in the span of the vectors found; their masses must be positive.

    positive: all lie above the shift; the inverse problem is solved then, which keeps the digits of the lowest.
    """
    stiff, gram = 0.5 * (stiff + stiff.T), 0.5 * (gram + gram.T)
    try:
        if not positive:
            values, turn = sla.eigh(stiff, gram)
            return np.asarray(values), np.asarray(turn)
        size = 1.0 / np.sqrt(np.diag(stiff))
        theta, turn = sla.eigh(gram * np.outer(size, size), stiff * np.outer(size, size))
        if theta.min(initial=1.0) <= 0.0:
            raise _modal(float(theta.min()))
        return 1.0 / np.asarray(theta), np.asarray(turn * size[:, None] / np.sqrt(theta))
    except np.linalg.LinAlgError as error:
        raise _modal(float(np.linalg.eigvalsh(gram)[0])) from error
