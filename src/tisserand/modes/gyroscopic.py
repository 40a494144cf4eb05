"""Modes of spinning bodies: M q'' + (D + G) q' + K q = 0 (S0 Eqs 116-118).

With D = 0 and K positive definite, S0 (118b) has a symmetric positive left side and a skew right side, so the frequencies
are real by construction (Hermitian form). Otherwise (118a) is solved unchanged, instability is reported, and every
eigenvalue comes with a first-order bound on its error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

import numpy as np
import scipy.linalg as sla
from scipy.sparse import csr_array

from tisserand.arrays import ComplexArray, FloatArray, frozen
from tisserand.errors import InputError, MissedModesError, NotConvergedError, SolverError
from tisserand.modes.eigenvalue_bounds import EIGENVALUE_LIMIT

Matrix: TypeAlias = FloatArray | csr_array
#: Loads (d, k) to K^-1 loads.
Solve = Callable[[FloatArray], FloatArray]

_MASSLESS = 1e-14
#: Energy that two modes may share.
_MIXED = 1e-6
#: Frequencies are counted this far below the last one, so that a pair may be cut.
_BESIDE = 2.3e-5
#: A real part above this part of |lambda| is growth.
_GROWTH = 1e-7


@dataclass(frozen=True, eq=False, repr=False)
class GyroscopicModes:
    """Complex modes q = Re(shape e^{lambda t}), ordered by frequency, one of each conjugate pair.

    eigenvalues: (k,) 1/s; shapes: (d, k); hermitian: True where real frequencies are guaranteed by construction;
    rate: (3,) rad/s; left: (d, k) y with y^H (lambda² M + lambda (D + G) + K) = 0, the shapes themselves where hermitian.
    errors: (k,) bound of first order on |true - lambda| / |lambda| where the general solver was used; None for the Hermitian
    form, whose modes have passed the gate of all eigensolutions, and where only a projection was solved.
    Two different modes satisfy y_i^H [(lambda_i + lambda_j) M + D + G] x_j = 0.
    """

    eigenvalues: ComplexArray
    shapes: ComplexArray
    hermitian: bool
    rate: FloatArray = field(default_factory=lambda: np.zeros(3))
    notes: tuple[str, ...] = ()
    left: ComplexArray | None = None
    errors: FloatArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "eigenvalues", frozen(self.eigenvalues, np.complex128, (-1,)))
        object.__setattr__(self, "shapes", frozen(self.shapes, np.complex128, (-1, len(self.eigenvalues))))
        if self.left is None and self.hermitian:
            object.__setattr__(self, "left", self.shapes)
        if self.left is not None:
            object.__setattr__(self, "left", frozen(self.left, np.complex128, self.shapes.shape))
        if self.errors is not None:
            object.__setattr__(self, "errors", frozen(self.errors, np.float64, (len(self.eigenvalues),)))

    @property
    def frequencies_hz(self) -> FloatArray:
        """|Im lambda| / 2 pi."""
        return np.asarray(np.abs(self.eigenvalues.imag) / (2.0 * np.pi))

    @property
    def damping_ratios(self) -> FloatArray:
        """-Re lambda / |lambda|; negative is growth."""
        return np.asarray(-self.eigenvalues.real / np.maximum(np.abs(self.eigenvalues), 1e-300))

    @property
    def growth(self) -> FloatArray:
        """Re lambda, 1/s: above zero the motion grows."""
        return np.asarray(self.eigenvalues.real)

    @property
    def stable(self) -> bool:
        """Whether no mode grows."""
        return bool((self.growth <= _GROWTH * np.abs(self.eigenvalues)).all())

    def __repr__(self) -> str:
        f = self.frequencies_hz
        span = f"{f[0]:.4g} .. {f[-1]:.4g} Hz" if len(f) else "none"
        return f"<GyroscopicModes: {len(f)} modes ({span}), {'stable' if self.stable else 'UNSTABLE'}>"


def modes_of_matrices(
    mass: FloatArray,
    gyroscopic: FloatArray,
    stiffness: FloatArray,
    damping: FloatArray | None = None,
    *,
    count: int | None = None,
    rate: FloatArray | None = None,
) -> GyroscopicModes:
    """Complex modes of dense M (not negative), G (skew), K, D: the ``count`` lowest in frequency.

    The Hermitian form is used when D is absent and K is symmetric and positive definite; otherwise the general one, with a
    note: K may be unsymmetric (circulatory forces: followers, control, rotating damping), D anything.
    """
    M, G, K = (np.asarray(x, float) for x in (mass, gyroscopic, stiffness))
    for word, matrix in (("mass", M), ("gyroscopic", G), ("stiffness", K)):
        if not np.isfinite(matrix).all() or matrix.shape != M.shape:
            raise InputError(f"the {word} matrix must be finite and of the mass matrix's shape", found=matrix.shape)
    if not _mirrors(M, 1.0):
        raise InputError("the mass matrix is not symmetric")
    if not _mirrors(G, -1.0):
        raise InputError("the gyroscopic matrix is not skew", advice="give its symmetric part as damping")
    rate = np.zeros(3) if rate is None else rate
    half = _half_of(M)
    size = np.sqrt(np.abs(np.diag(K)))
    size = np.where(size > 0.0, size, 1.0)
    if not _mirrors(K, 1.0):
        total = G if damping is None else G + np.asarray(damping, float)
        return _general(half, total, K, size, count, rate, ("K is not symmetric: general solver used",))
    if damping is None or not np.any(damping):
        try:
            lower = np.linalg.cholesky(K / np.outer(size, size)) * size[:, None]
        except np.linalg.LinAlgError:
            note = "K with its centrifugal terms is not positive definite: general solver used"
            return _general(half, G, K, size, count, rate, (note,))
        modes = _hermitian(half, G, lower, count, rate)
        require_proven(
            modes,
            M,
            G,
            K,
            solve=lambda loads: sla.cho_solve((lower, True), loads),
            below=partial(_below, M, G, K, size),
        )
        return modes
    return _general(half, G + np.asarray(damping, float), K, size, count, rate, ("damped: general solver used",))


def _mirrors(matrix: FloatArray, sign: float) -> bool:
    """Whether the matrix is symmetric (sign 1) or skew (-1) to round-off."""
    gap = float(np.abs(matrix - sign * matrix.T).max(initial=0.0))
    return gap <= 1e-9 * max(float(np.abs(matrix).max(initial=0.0)), 1e-300)


def _half_of(M: FloatArray) -> FloatArray:
    """H with M = H H'; M may be singular (massless dofs), not indefinite."""
    size = np.sqrt(np.maximum(np.diag(M), 0.0))
    size = np.where(size > 0.0, size, 1.0)
    values, turn = np.linalg.eigh(M / np.outer(size, size))
    if values[0] < -1e-10 * max(values[-1], 1e-300) or values[-1] <= 0.0:
        raise SolverError("the mass matrix is not positive", found=f"smallest scaled eigenvalue {values[0]:.3g}")
    keep = values > _MASSLESS * values[-1]
    return np.asarray(size[:, None] * turn[:, keep] * np.sqrt(values[keep]))


def _hermitian(
    half: FloatArray, G: FloatArray, lower: FloatArray, count: int | None, rate: FloatArray
) -> GyroscopicModes:
    """The inverse of (118b) in coordinates y = [L'q; H'q'], K = L L', M = H H': skew, so i times it is Hermitian.

    1/lambda y = [-L^-1 G L^-T, -L^-1 H; H'L^-T, 0] y. Low frequencies are its largest eigenvalues and come out with full
    relative accuracy, however stiff the rest is; massless dofs need no condensation.
    """
    n, m = half.shape
    left = sla.solve_triangular(lower, half, lower=True)
    g = sla.solve_triangular(lower, sla.solve_triangular(lower, G, lower=True).T, lower=True).T
    S = np.zeros((n + m, n + m), np.complex128)
    S[:n, :n], S[:n, n:], S[n:, :n] = -0.5j * (g - g.T), -1j * left, 1j * left.T
    mu, Y = np.linalg.eigh(S)
    order = np.flatnonzero(mu > 1e-13 * mu[-1])[::-1]
    order = order if count is None else order[:count]
    shapes = np.asarray(sla.solve_triangular(lower, Y[:n, order], lower=True, trans="T"), np.complex128)
    return GyroscopicModes(1j / mu[order], phased(shapes), True, rate)


def _below(M: FloatArray, G: FloatArray, K: FloatArray, size: FloatArray, speed: float) -> int:
    """Number of frequencies below ``speed`` rad/s, K positive definite: negative eigenvalues of K + i speed G - speed² M."""
    return int((np.linalg.eigvalsh((K + 1j * speed * G - speed**2 * M) / np.outer(size, size)) < 0.0).sum())


def hermitian_errors(modes: GyroscopicModes, M: Matrix, G: Matrix, K: Matrix, solve: Solve) -> FloatArray:
    """(k,) bound on |true - lambda| / |lambda| of the Hermitian form; solve: K^-1 loads.

    With r = (lambda² M + lambda G + K) x some eigenvalue lies within sqrt(r^H K^-1 r / (x^H K x + |lambda|² x^H M x)) of lambda,
    relative: the residual of the inverse of (118b) in its energy norm.
    """
    values, shapes = modes.eigenvalues, np.array(modes.shapes)
    left = (M @ shapes) * values**2 + (G @ shapes) * values + K @ shapes
    error = sum(np.einsum("ik,ik->k", part, solve(part)) for part in (left.real.copy(), left.imag.copy()))
    energy = np.einsum("ik,ik->k", shapes.conj(), K @ shapes).real
    energy += np.abs(values) ** 2 * np.einsum("ik,ik->k", shapes.conj(), M @ shapes).real
    return np.asarray(np.sqrt(np.maximum(error, 0.0) / np.maximum(energy, 1e-300)))


def _mixed(modes: GyroscopicModes, M: Matrix, K: Matrix) -> float:
    """Largest |x_i^H K x_j + conj(lambda_i) lambda_j x_i^H M x_j| of two different modes of unit energy: zero by (118b)."""
    shapes = np.array(modes.shapes)
    fast = shapes * modes.eigenvalues
    gram = shapes.conj().T @ (K @ shapes) + fast.conj().T @ (M @ fast)
    size = np.sqrt(np.maximum(np.diag(gram).real, 1e-300))
    return float(np.abs(gram / np.outer(size, size) - np.eye(len(size))).max(initial=0.0))


def require_proven(
    modes: GyroscopicModes, M: Matrix, G: Matrix, K: Matrix, *, solve: Solve, below: Callable[[float], int]
) -> None:
    """Raise unless the modes pass the gate of all eigensolutions.

    lambda², the square of a frequency, is within its limit, modes are orthogonal in energy, and no frequency is missing below
    the last one. ``below`` counts the frequencies below a speed in rad/s, by Sylvester's
    law of inertia.
    """
    errors = 2.0 * hermitian_errors(modes, M, G, K, solve)
    if not (errors <= EIGENVALUE_LIMIT).all():
        worst = int(np.argmax(errors))
        raise NotConvergedError(
            f"the frequency {modes.frequencies_hz[worst]:.6g} Hz of the spinning structure cannot be computed accurately enough",
            found=f"its square may be off by {errors[worst]:.2g} of itself", expected=f"at most {EIGENVALUE_LIMIT:g}",
            advice="request fewer modes, or make the stiffest parts rigid",
        )  # fmt: skip
    mixed = _mixed(modes, M, K)
    if mixed > _MIXED:
        raise NotConvergedError(
            "two modes of the spinning structure are not independent",
            found=f"they share {mixed:.2g} of their energy",
            expected=f"at most {_MIXED:g}",
        )
    speeds = np.abs(modes.eigenvalues.imag)
    shift = float(speeds.max(initial=0.0)) * (1.0 - _BESIDE)
    if shift <= 0.0:
        return
    found, counted = int((speeds < shift).sum()), below(shift)
    if found != counted:
        raise MissedModesError(
            f"modes of the spinning structure {'were missed' if counted > found else 'are returned that are none'}",
            found=f"{found} below {shift / (2.0 * np.pi):.6g} Hz",
            expected=f"{counted} by the inertia of K + i w G - w² M",
        )


def _general(
    half: FloatArray, G: FloatArray, K: FloatArray, size: FloatArray, count: int | None, rate: FloatArray,
    notes: tuple[str, ...],
) -> GyroscopicModes:  # fmt: skip
    """The inverse of (118a) for any K and damping (added to G): real and complex eigenvalues as they come."""
    n, m = half.shape
    scaled = K / np.outer(size, size)
    if np.linalg.cond(scaled) > 1e15:
        raise SolverError("K is singular, so a motion of zero frequency exists", advice="change the rate a little")
    right = np.hstack([G / np.outer(size, size), half / size[:, None]])
    A = np.zeros((n + m, n + m))
    A[:n] = -np.linalg.solve(scaled, right)
    A[n:, :n] = (half / size[:, None]).T
    inverse, left, vectors = sla.eig(A, left=True)  # type: ignore[misc]
    keep = np.abs(inverse) > 1e-13 * np.abs(inverse).max()
    values, vectors = 1.0 / inverse[keep], vectors[:n, keep]
    left = np.linalg.solve(scaled.T, left[:n, keep])  # (a, b)^H A = a^H / lambda gives y = K^-H a
    # real eigenvalues belong to no pair: both are kept, so that a divergence is never hidden
    real = np.abs(values.imag) <= 1e-9 * np.abs(values)
    order = np.flatnonzero((values.imag > 0.0) | real)
    order = order[np.argsort(np.abs(values[order]), kind="stable")]
    if count is not None:
        grows = values.real[order] > _GROWTH * np.abs(values[order])
        order = np.concatenate([order[grows], order[~grows][: max(count - int(grows.sum()), 0)]])
    order = order[np.lexsort((-values.real[order], np.abs(values.imag[order])))]
    unstable = values[order][values.real[order] > _GROWTH * np.abs(values[order])]
    if len(unstable):
        worst = unstable[np.argmax(unstable.real)]
        notes = (*notes, f"{len(unstable)} unstable motions, the fastest grows with {worst.real:.6g} 1/s")
    shapes = phased(np.asarray(vectors[:, order] / size[:, None], np.complex128))
    left = phased(np.asarray(left[:, order] / size[:, None], np.complex128))
    errors = first_order_errors(half @ half.T, G, K, size, values[order], shapes, left)
    worst_error = float(errors.max(initial=0.0))
    if 2.0 * worst_error > EIGENVALUE_LIMIT:
        at = int(np.argmax(errors))
        notes = (
            *notes,
            f"the eigenvalue {values[order][at]:.6g} 1/s is ill-conditioned: it may be off by {worst_error:.1e} of itself",
        )
    return GyroscopicModes(values[order], shapes, False, rate, notes, left, errors)


def first_order_errors(
    M: FloatArray,
    C: FloatArray,
    K: FloatArray,
    size: FloatArray,
    eigenvalues: ComplexArray,
    shapes: ComplexArray,
    left: ComplexArray,
) -> FloatArray:
    """(k,) first-order bound on |true - lambda| / |lambda| for any C = D + G and K, with left vectors y.

    With r = (lambda² M + lambda C + K) x, its round-off included, lambda + d satisfies
    y^H r + d y^H (2 lambda M + C) x + d² y^H M x = 0, so |d| is at most 2 |y^H r| / |y^H (2 lambda M + C) x| and
    sqrt(|y^H r| / |y^H M x|): the second holds where two eigenvalues meet (critical damping, flutter). |y^H r| is bounded by
    ||y|| ||r|| and by ||K'y|| ||K^-1 r||, in coordinates
    scaled by ``size``; the smaller counts, so that stiff directions do not spoil soft ones.
    """
    eps, power = float(np.finfo(float).eps), np.abs(eigenvalues)
    residual = (M @ shapes) * eigenvalues**2 + (C @ shapes) * eigenvalues + K @ shapes
    rounding = (
        (np.abs(M) @ np.abs(shapes)) * power**2 + (np.abs(C) @ np.abs(shapes)) * power + np.abs(K) @ np.abs(shapes)
    )
    scaled = K / np.outer(size, size)
    x, y = shapes * size[:, None], left * size[:, None]
    norm = np.linalg.norm
    direct = norm(y, axis=0) * (norm(residual / size[:, None], axis=0) + eps * norm(rounding / size[:, None], axis=0))
    solved = norm(np.linalg.solve(scaled, residual / size[:, None]), axis=0) + eps * norm(x, axis=0)
    least = np.minimum(direct, norm(scaled.T @ y, axis=0) * solved)
    slope = np.abs(np.einsum("ik,ik->k", left.conj(), 2.0 * (M @ shapes) * eigenvalues + C @ shapes))
    curve = np.abs(np.einsum("ik,ik->k", left.conj(), M @ shapes))
    moved = np.minimum(2.0 * least / np.maximum(slope, 1e-300), np.sqrt(least / np.maximum(curve, 1e-300)))
    return np.asarray(moved / np.maximum(power, 1e-300))


def reduced_spin_terms(
    cross: FloatArray, inertia_second: FloatArray, rate: FloatArray, turn_second: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """(G, C) of modal coordinates spinning at ``rate`` (3,) rad/s, from the modal integrals: M q'' + G q' + (K + C) q.

    cross Kx (3, k, k) = int phi_k x phi_l, so G_kl = 2 int phi_k.(w x phi_l) = -2 w_a Kx_a,kl; inertia_second J2
    (3, 3, k, k) gives the softening C_kl = -w'J2_kl w; turn_second A (3, 3, k, k) adds the second-degree rotation of
    nodal bodies, 2 tr(A) 1 - A - A' (theory section 2).
    """
    w = np.asarray(rate, float).reshape(3)
    J2 = np.asarray(inertia_second, float)
    if turn_second is not None:
        A = np.asarray(turn_second, float)
        J2 = J2 + 2.0 * np.eye(3)[:, :, None, None] * np.trace(A) - A - A.transpose(1, 0, 2, 3)
    G = -2.0 * np.einsum("a,akl->kl", w, cross)
    C = -np.einsum("a,abkl,b->kl", w, J2, w)
    return np.asarray(0.5 * (G - G.T)), np.asarray(0.5 * (C + C.T))


def phased(shapes: ComplexArray) -> ComplexArray:
    """Unit largest component, made real and positive there."""
    if not shapes.shape[1]:
        return shapes
    pivot = np.argmax(np.abs(shapes), axis=0)
    return np.asarray(shapes / shapes[pivot, np.arange(shapes.shape[1])])
