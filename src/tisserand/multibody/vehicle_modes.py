"""Vibration modes of the whole vehicle about a state (hybrid coordinates), with rigid motions identified by structure and error.

A coordinate that nothing resists (its column of K vanishes) carries rigid motion and is eliminated, so that no threshold has to
find its zero frequency among soft springs. What is left counts as zero only when it is smaller than its own uncertainty: the
round-off of the derivatives, of the mass matrix and of the eigenproblem.

References: S0 Eqs 116-118; theory section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, ComplexArray, FloatArray, IntArray, symmetric
from tisserand.multibody.controllers import Controller
from tisserand.multibody.linear import LinearModel, around, model_of
from tisserand.multibody.loads import Load
from tisserand.multibody.loop_linear import along_loops, in_state, kept_motions
from tisserand.multibody.perturbed import Perturbed
from tisserand.multibody.state import State
from tisserand.multibody.unsteady import unsteadiness
from tisserand.multibody.vehicle import Vehicle
from tisserand.notebook_html import html_table

#: An eigenvalue is distinct from zero if it exceeds its estimated uncertainty this many times.
CERTAINTY = 10.0
#: Relative change of the state, in units of EPSILON, that shows how far round-off moves the derivatives.
JITTER = 4.0
EPSILON = float(np.finfo(float).eps)


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class SystemModes:
    """Vibration modes of the whole vehicle about a state; frequencies_hz (m,), damping_ratios (m,), shapes (n, m) complex.

    rigid: number of zero-frequency motions left out (pairs of zero poles); eigenvalues (m,) with positive imaginary part;
    real_poles: poles that do not swing, 1/s: overdamped motions, controller states, and (positive) divergence.
    doubts: sentences about the state (see :mod:`unsteady`); last_kept_hz: the lowest "last kept mode" over the appendages.

    Attributes:
        coordinates: names of the coordinates.
        mass: (n, n) of the coordinates, for ``participation``.
    """

    coordinates: tuple[str, ...]
    eigenvalues: ComplexArray
    shapes: ComplexArray
    rigid: int
    _: KW_ONLY
    real_poles: FloatArray = field(default_factory=lambda: np.zeros(0))
    doubts: tuple[str, ...] = ()
    last_kept_hz: float = float("inf")
    mass: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def frequencies_hz(self) -> FloatArray:
        """|lambda| / 2 pi."""
        return np.asarray(np.abs(self.eigenvalues) / (2.0 * np.pi))

    @property
    def beyond_kept_modes(self) -> BoolArray:
        """(m,) whether a mode lies above the last kept mode of some appendage: an artifact of truncation."""
        return np.asarray(self.frequencies_hz > (1.0 + 1e-6) * self.last_kept_hz, np.bool_)

    @property
    def damping_ratios(self) -> FloatArray:
        """-Re(lambda) / |lambda|."""
        return np.asarray(-self.eigenvalues.real / np.abs(self.eigenvalues))

    @property
    def participation(self) -> FloatArray:
        """(n, m) share of each coordinate in the kinetic energy of each mode: Re(conj(x_i) (M x)_i) / x^H M x, columns sum to 1.

        A share may be negative where coordinates move against each other (a base that follows an appendage).
        """
        X = self.shapes
        shares = np.real(X.conj() * (self.mass @ X))
        total = shares.sum(axis=0)
        return np.asarray(shares / np.where(total > 0.0, total, 1.0))

    def _repr_html_(self) -> str:
        known = self.described() if len(self.mass) else [""] * len(self.eigenvalues)
        rows = list(zip(self.frequencies_hz.tolist(), self.damping_ratios.tolist(), known))
        return html_table(repr(self)[1:-1], ("frequency (Hz)", "damping ratio", "what moves"), rows)

    def described(self, most: int = 3) -> list[str]:
        """What moves in each mode: its largest participations by name.

        Args:
            most: how many coordinates to name.
        """
        words = []
        for share in self.participation.T:
            order = np.argsort(-np.abs(share), kind="stable")[:most]
            words.append(
                ", ".join(f"{self.coordinates[i]} {100.0 * share[i]:.0f} %" for i in order if abs(share[i]) >= 0.01)
            )
        return words

    def __repr__(self) -> str:
        hz = [f"{f:.4g}" for f in self.frequencies_hz]
        shown = ", ".join(hz if len(hz) <= 5 else [*hz[:3], "...", hz[-1]])
        poles = f", {len(self.real_poles)} real poles" if len(self.real_poles) else ""
        return f"<SystemModes: {len(hz)} modes{f' at {shown} Hz' if hz else ''}, {self.rigid} rigid{poles}>"


@checked_arguments
def system_modes(
    vehicle: Vehicle,
    state: State | None = None,
    *,
    loads: Sequence[Load] = (),
    controllers: Sequence[Controller] = (),
    time: float = 0.0,
) -> SystemModes:
    """Vibration modes of the whole vehicle about a state (hybrid coordinates), rigid motions left out.

    At rest without damping the symmetric problem K x = w^2 M x is solved (real shapes); otherwise the poles of A. With closed
    loops the problem is that of the motions which keep them closed (theory section 11); shapes have all coordinates.

    Args:
        vehicle: the vehicle.
        state: state about which it vibrates; at rest by default.
        loads: fields and loads of constant strength act at the state, others are zero there (as in ``linearize``).
        controllers: linear blocks that close their loops.
        time: epoch, s, at which fields of an orbit are taken.
    """
    p = around(vehicle, state, loads, controllers, time=time)
    mass = p.mass()
    model = model_of(p, mass)
    doubt = _round_off(p, model)
    N = np.eye(p.count)
    if p.c.loops:
        free, N = kept_motions(p)
        doubt = _along(p, model, doubt, free, N)
        model = along_loops(p, model, free, N)
    modes = (_undamped(model, doubt) if _quiet(model, doubt) else None) or _poles(model, doubt)
    last = min((a.record.top_hz for a in vehicle.appendages if a.record.count), default=np.inf)
    return replace(
        modes,
        coordinates=tuple(p.names),
        shapes=N @ modes.shapes,
        doubts=unsteadiness(vehicle, model),
        last_kept_hz=last,
        mass=mass,
    )


@dataclass(frozen=True, eq=False)
class _RoundOff:
    """Uncertainty of the entries of a linear model: stiffness (n, n), damping and gyroscopic (n, n), A."""

    stiffness: FloatArray
    rates: FloatArray
    A: FloatArray


def _round_off(p: Perturbed, model: LinearModel) -> _RoundOff:
    """What JITTER changes, and the error of accelerations J solved from a mass matrix M.

    It is n eps |M| |J| in M J and n eps |M^-1| |M| |J| in J; |J| sums the terms that cancel when speeds become rates.
    """
    n, signs = p.count, np.random.default_rng(0).choice([-1.0, 1.0], len(p.y))
    beside = Perturbed(p.c, p.y * (1.0 + JITTER * EPSILON * signs), p.U, p.time, p.orbit)
    again = model_of(beside, beside.mass())
    M, W = np.abs(model.mass), p.turn
    least = n * EPSILON * M
    spread = np.abs(np.linalg.inv(model.mass)) @ least if n else least
    by_speed = model.A[n : 2 * n, n : 2 * n] + W
    by_place = np.abs(model.A[n : 2 * n, :n] - by_speed @ W) + np.abs(by_speed) @ np.abs(W)
    by_rate = np.abs(by_speed) + np.abs(W)
    error = np.abs(model.A - again.A)
    error[n : 2 * n, :n] += spread @ by_place
    error[n : 2 * n, n : 2 * n] += spread @ by_rate
    rates = np.abs(model.damping + model.gyroscopic - again.damping - again.gyroscopic)
    stiffness = np.abs(model.stiffness - again.stiffness)
    return _RoundOff(stiffness + least @ by_place, rates + least @ by_rate, error)


def _along(p: Perturbed, model: LinearModel, doubt: _RoundOff, free: list[int], N: FloatArray) -> _RoundOff:
    """The uncertainty in independent coordinates, that of N included."""
    rows, T = in_state(p, free, N)
    own, size = p.count * EPSILON, np.abs(N)

    def both(error: FloatArray, value: FloatArray) -> FloatArray:
        return np.asarray(size.T @ (error + own * np.abs(value)) @ size)

    return _RoundOff(
        both(doubt.stiffness, model.stiffness),
        both(doubt.rates, model.damping + model.gyroscopic),
        np.asarray((doubt.A + own * np.abs(model.A)) @ np.abs(T))[rows],
    )


def _quiet(model: LinearModel, doubt: _RoundOff) -> bool:
    """True if only mass and a symmetric stiffness acts: rates have no effect beyond round-off."""
    rates = model.damping + model.gyroscopic
    still = bool(np.all(np.abs(rates) <= CERTAINTY * doubt.rates))
    size = max(float(np.abs(model.stiffness).max(initial=0.0)), 1e-300)
    allowed = 1e-6 * size + CERTAINTY * (doubt.stiffness + doubt.stiffness.T)
    mirrors = bool(np.all(np.abs(model.stiffness - model.stiffness.T) <= allowed))
    return still and mirrors and model.A.shape[0] == 2 * len(model.coordinates)


def _undamped(model: LinearModel, uncertain: _RoundOff) -> SystemModes | None:
    """Modes of K x = w^2 M x; None when the state is unstable (a negative eigenvalue beyond doubt)."""
    from scipy.linalg import eigh

    M, doubt = symmetric(model.mass), uncertain.stiffness
    held = np.flatnonzero(np.any(np.abs(model.stiffness) > CERTAINTY * doubt, axis=0))
    free = np.setdiff1d(np.arange(len(M)), held)
    K = symmetric(model.stiffness)[np.ix_(held, held)]
    follow: FloatArray = np.zeros((len(free), len(held)))
    if len(free):  # rigid coordinates follow so that no momentum arises in them
        follow = np.asarray(-np.linalg.solve(M[np.ix_(free, free)], M[np.ix_(free, held)]), float)
    reduced = symmetric(M[np.ix_(held, held)] + M[np.ix_(held, free)] @ follow)
    if len(held) == 0:
        return SystemModes(model.coordinates, np.zeros(0, complex), np.zeros((len(M), 0), complex), len(M))
    values, X = eigh(K, reduced)
    values, X = _soft_again(K, reduced, values, X)
    doubts = np.einsum("im,ij,jm->m", np.abs(X), symmetric(doubt[np.ix_(held, held)] + EPSILON * np.abs(K)), np.abs(X))
    if np.any(values < -CERTAINTY * doubts):
        return None
    moving = values > CERTAINTY * doubts
    shapes = np.zeros((len(M), int(moving.sum())), complex)
    shapes[held], shapes[free] = X[:, moving], follow @ X[:, moving]
    rigid = len(free) + int((~moving).sum())
    return SystemModes(model.coordinates, 1j * np.sqrt(values[moving]), shapes, rigid)


def _soft_again(K: FloatArray, M: FloatArray, values: FloatArray, X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Modes far below the highest, computed again from the inverse problem M x = K x / w^2, which finds them first."""
    from scipy.linalg import LinAlgError, eigh

    soft = np.flatnonzero(values < 1e-8 * values.max())
    if len(soft) == 0:
        return values, X
    scale = 1.0 / np.sqrt(np.abs(np.diag(K)).clip(min=1e-300))  # so that soft springs are not lost beside stiff ones
    try:
        inverse, Y = eigh(scale[:, None] * M * scale, scale[:, None] * K * scale)
    except LinAlgError:  # not positive definite: the direct problem has the answer
        return values, X
    found = 1.0 / inverse[::-1][: len(soft)]
    shapes = scale[:, None] * Y[:, ::-1][:, : len(soft)]
    values, X = values.copy(), X.copy()
    values[: len(soft)] = found
    X[:, : len(soft)] = shapes / np.sqrt(np.einsum("im,ij,jm->m", shapes, M, shapes))
    return values, X


def _poles(model: LinearModel, doubt: _RoundOff) -> SystemModes:
    """Modes from the poles of A; zero poles by their uncertainty |y|'dA|x| / |y'x| with left and right vectors y, x."""
    from scipy.linalg import eig, matrix_balance

    n, A = len(model.coordinates), model.A
    with np.errstate(
        invalid="ignore"
    ):  # scales above 1e18 cannot be the permutation that scipy reads from the same array
        B, T = matrix_balance(A, permute=False)
    size = np.diag(T)
    error = doubt.A * size[None, :] / size[:, None] + EPSILON * np.linalg.norm(B)
    values, left, right = eig(B, left=True, right=True)  # type: ignore[misc]
    overlap = np.abs(np.einsum("im,im->m", left.conj(), right))
    bound = np.einsum("im,ij,jm->m", np.abs(left), error, np.abs(right))
    least = CERTAINTY * bound / np.maximum(overlap, 1e-300)
    zero = np.abs(values) <= least
    swings = ~zero & (values.imag > least)
    keep: IntArray = np.flatnonzero(swings)
    keep = keep[np.argsort(np.abs(values[keep]), kind="stable")]
    real = np.sort(values[~zero & (np.abs(values.imag) <= least)].real)
    shapes = (T @ right)[:n, keep]
    return SystemModes(
        model.coordinates,
        values[keep].astype(complex),
        shapes.astype(complex),
        (int(zero.sum()) + 1) // 2,
        real_poles=real,
    )
