"""Modes of a finite element model that spins steadily, with the stress and the inertia of the spin.

M q'' + (D + w G) q' + (K + w^2 (C + Kg)) q = 0: G gyroscopic, C centrifugal softening, Kg geometric stiffness of the
centrifugal stress, each for a unit rate (S0 Eqs 112-117, theory section 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import block_array, block_diag, csr_array

from tisserand.arguments import checked_arguments
from tisserand.arrays import ComplexArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError, SingularMatrixError
from tisserand.linalg import Factor, factorize
from tisserand.model import Supports
from tisserand.modes.gyroscopic import GyroscopicModes, modes_of_matrices, phased, require_proven
from tisserand.modes.lanczos import lanczos
from tisserand.modes.solve import direct_modes
from tisserand.statics import geometric_stiffness, gyroscopic_matrix, softening_matrix, solve_static, spin_load

#: Up to this many free dofs the matrices are handled densely.
DENSE_DOFS = 350
#: Vectors beyond two per mode: a frequency of multiplicity four stays whole.
_WHOLE_PAIRS = 6


@dataclass(frozen=True, eq=False)
class SpinMatrices:
    """Matrices that a unit rate about an axis adds, over the independent dofs.

    Gyroscopic G (times the rate), centrifugal softening and geometric stiffness (times its square; None if the stress of the spin
    is left out).
    """

    axis: FloatArray
    gyroscopic: csr_array
    softening: csr_array
    geometric: csr_array | None


def spin_matrices(
    model: AssembledModel,
    axis: FloatArray,
    *,
    about: ArrayLike | None = None,
    supports: Supports | None = None,
    stiffened: bool = True,
) -> SpinMatrices:
    """Matrices of a steady spin of 1 rad/s about ``axis`` through the basic point ``about`` (origin when None).

    ``stiffened`` adds the geometric stiffness of the centrifugal stress; softening without it is worse than neither
    (theory section 6), so leave it out only for bodies that the spin does not stress.
    """
    direction = np.asarray(axis, float).reshape(3)
    if not np.isfinite(direction).all() or not np.linalg.norm(direction) > 0.0:
        raise InputError("the spin axis has no direction", found=direction.tolist())
    direction = direction / np.linalg.norm(direction)
    point = np.zeros(3) if about is None else np.asarray(about, float).reshape(3)
    spin = [float(v) for v in direction]
    geometric = None
    if stiffened:
        state = solve_static(model, spin_load(model, spin, point), supports, uncarried="hold")
        geometric = geometric_stiffness(model, state.displacement[:, 0])
    return SpinMatrices(direction, gyroscopic_matrix(model, spin), softening_matrix(model, spin, point), geometric)


@checked_arguments
def gyroscopic_modes(
    model: AssembledModel,
    rate: FloatArray | Sequence[float],
    *,
    count: int = 10,
    about: ArrayLike | None = None,
    supports: Supports | None = None,
    stiffened: bool = True,
    damped: bool = False,
) -> GyroscopicModes:
    """Modes of a body held by its supports in a frame that spins steadily at ``rate`` (3,) rad/s, basic axes.

    The axis passes through the basic point ``about`` (origin when None). stiffened: include the geometric stiffness of
    the centrifugal stress. damped: use the model's dampers (large damped or unstable models are projected on their modes
    at rest, which is noted).

    Args:
        count: number of modes.
    """
    rate = np.asarray(rate, float).reshape(3)
    speed = float(np.linalg.norm(rate))
    axis = rate / speed if speed > 0.0 else np.array([0.0, 0.0, 1.0])
    parts = spin_matrices(model, axis, about=about, supports=supports, stiffened=stiffened and speed > 0.0)
    return at_speed(model, parts, speed, count=count, supports=supports, damped=damped)


def at_speed(
    model: AssembledModel,
    parts: SpinMatrices,
    speed: float,
    *,
    count: int,
    supports: Supports | None = None,
    damped: bool = False,
) -> GyroscopicModes:
    """Modes at a rate of ``speed`` rad/s about the axis of ``parts``."""
    K = model.stiffness + speed**2 * parts.softening
    if parts.geometric is not None:
        K = K + speed**2 * parts.geometric
    if damped and model.damping is None:
        raise InputError("the model has no dampers", advice="give it dampers or leave damped out")
    rate = speed * parts.axis
    free = np.flatnonzero(~model.held(supports))
    M, G, S = (csr_array(m)[free][:, free] for m in (model.mass, speed * parts.gyroscopic, K))
    if len(free) > DENSE_DOFS and not damped:
        factor = factorize(csr_array(0.5 * (S + S.T)), groups=model.dofs.node[free])
        if factor.trusted and factor.negative_count == 0:
            modes = _sparse_hermitian(M, G, S, factor, count, rate)
            below = partial(_below, M, G, S, model.dofs.node[free])
            require_proven(modes, M, G, S, solve=factor.solve, below=below)
            return _spread(model, free, modes)
    if len(free) <= DENSE_DOFS:
        D = None if not damped or model.damping is None else model.damping[free][:, free].toarray()
        modes = modes_of_matrices(M.toarray(), G.toarray(), S.toarray(), D, count=count, rate=rate)
        return _spread(model, free, modes)
    wanted = min(6 * count + 20, len(free) // 2)
    X = direct_modes(model, count=wanted, supports=supports).shapes[free]
    D = None if not damped or model.damping is None else X.T @ (model.damping[free][:, free] @ X)
    m, g, k = X.T @ (M @ X), X.T @ (G @ X), X.T @ (S @ X)
    modes = modes_of_matrices(0.5 * (m + m.T), 0.5 * (g - g.T), 0.5 * (k + k.T), D, count=count, rate=rate)
    left = None if modes.left is None else X @ modes.left
    full = GyroscopicModes(modes.eigenvalues, X @ modes.shapes, modes.hermitian, rate, modes.notes, left)
    return _spread(model, free, full, f"projected on {wanted} modes at rest, whose error is not bounded")


def _spread(model: AssembledModel, free: IntArray, modes: GyroscopicModes, *notes: str) -> GyroscopicModes:
    def everywhere(rows: ComplexArray) -> ComplexArray:
        out = np.zeros((model.size, len(modes.eigenvalues)), np.complex128)
        out[free] = rows
        return phased(out)

    left = None if modes.hermitian or modes.left is None else everywhere(modes.left)
    return GyroscopicModes(
        modes.eigenvalues,
        everywhere(modes.shapes),
        modes.hermitian,
        modes.rate,
        (*modes.notes, *notes),
        left,
        modes.errors,
    )


def _below(M: csr_array, G: csr_array, K: csr_array, node: IntArray, speed: float) -> int:
    """Number of frequencies below ``speed`` rad/s: half the negative eigenvalues of K + i speed G - speed² M in real form."""
    real, imaginary = 0.5 * (K + K.T) - speed**2 * M, speed * G
    both = csr_array(block_array([[real, -imaginary], [imaginary, real]], format="csr"))
    both.sort_indices()
    factor = factorize(both, groups=np.concatenate([node, node]))
    if not factor.trusted:
        raise SingularMatrixError(
            "the inertia of the spinning structure cannot be counted", found=f"{speed / (2.0 * np.pi):.6g} Hz"
        )
    return factor.negative_count // 2


def _sparse_hermitian(
    M: csr_array, G: csr_array, K: csr_array, factor: Factor, count: int, rate: FloatArray
) -> GyroscopicModes:
    """Inverse of (118b), A^-1-skew with A = diag(K, M): its square is symmetric, so block Lanczos finds both of each pair.

    [q; u] -> [-K^-1 (M u + G q); q] has the eigenvalues 1 / lambda; only K is ever factorized.
    """
    n = K.shape[0]
    A = csr_array(block_diag([0.5 * (K + K.T), M], format="csr"))

    def inverse(x: FloatArray) -> FloatArray:
        return np.vstack([-factor.solve(M @ x[n:] + G @ x[:n]), x[:n]])

    # the square does not tell +-i w apart, nor modes of equal frequency: more are requested, so that no pair is cut in half
    ritz = lanczos(lambda x, _: -inverse(inverse(x)), A, 2 * count + _WHOLE_PAIRS, block=6)
    X = ritz.vectors
    P = X.T @ (A @ inverse(X))
    mu, Y = np.linalg.eigh(0.5j * (P - P.T))
    order = np.flatnonzero(mu > 0.0)[::-1][:count]
    return GyroscopicModes(1j / mu[order], phased(X[:n] @ Y[:, order]), True, rate)
