"""Damping as stated by the user, converted to the full matrix De that is simulated.

Ratios belong to the natural modes of (Ke, Me): with Ke X = Me X diag(w²), X'Me X = 1 the matrix is
De = Me X diag(2 zeta w) X' Me, which is diagonal for an eigenvector basis and full for any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array

from tisserand.appendage.integrals.modal_integrals import LIGHT
from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, symmetric
from tisserand.declarations.number_range import DAMPING_RATIO, LOSS_FACTOR
from tisserand.errors import InputError

#: Least ratio of the Rayleigh quotient of a shape without mass to the lowest of the others.
_STATIC = 1e8
#: Motions with less than this part of the largest (scaled) modal mass have none.
_MASSLESS = 1e-13
#: Below this part of its largest eigenvalue a scaled matrix is too close to singular to be inverted without a thought.
_DELICATE = 1e-6
#: Motions without mass and with less than this part of the largest (scaled) stiffness have none: they are rigid.
_STIFFLESS = 1e-10


@runtime_checkable
class Damping(Protocol):
    """Anything that returns a modal damping matrix for given Me and Ke."""

    def matrix(self, Me: FloatArray, Ke: FloatArray) -> FloatArray: ...


def static_shapes(Me: FloatArray, Ke: FloatArray) -> BoolArray:
    """(k,) True for shapes that strain but move no mass: negligible modal mass, shown by the Rayleigh quotient to be zero.

    Such a shape moves the attachment of an appendage against its mean axes and nothing else: on a mount it has mass.
    """
    own, stiff = np.diag(Me), np.diag(Ke)
    light = own <= LIGHT * own.max(initial=0.0)
    heavy = ~light & (stiff > 0.0)
    if not light.any() or not heavy.any():
        return np.zeros(len(Me), np.bool_)
    lowest = float((stiff[heavy] / own[heavy]).min())
    return np.asarray(light & (stiff > _STATIC * lowest * np.maximum(own, 0.0)) & (stiff > 0.0))


def natural_modes(Me: FloatArray, Ke: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frequencies w (r,) rad/s and X (k, r) with X'Me X = 1 of the reduced matrices; r = k unless some motion has no mass.

    Such motions follow the others statically; those without stiffness either (rigid ones that a support holds) take no part.
    """
    if len(Me) == 0:
        return np.zeros(0), np.zeros((0, 0))
    static = static_shapes(Me, Ke)
    Me = np.where(static | static[:, None], 0.0, Me)
    own = np.maximum(np.diag(Me), 0.0)
    size = np.sqrt(np.where(own > 0.0, own, own.max() or 1.0))
    sizes, turn = np.linalg.eigh(symmetric(Me / np.outer(size, size)))
    light = sizes <= _MASSLESS * sizes[-1]
    if light.any():
        stiff = symmetric(Ke / np.outer(size, size))
        still, base = turn[:, light], turn[:, ~light]
        energies, axes = np.linalg.eigh(still.T @ stiff @ still)
        firm = energies > _STIFFLESS * np.abs(stiff).max()
        still = still @ axes[:, firm]
        base = (base - still @ ((still.T @ stiff @ base) / energies[firm, None])) / size[:, None]
        values, X = eigh(symmetric(base.T @ Ke @ base), symmetric(base.T @ Me @ base))
        return np.sqrt(np.maximum(values, 0.0)), np.asarray(base @ X)
    if sizes[0] <= _DELICATE * sizes[-1] and (stiff := np.diag(Ke)).min() > 0.0:
        scale = np.sqrt(stiff)
        if np.linalg.eigvalsh(symmetric(Ke / np.outer(scale, scale)))[0] > _DELICATE:
            inverse, X = eigh(
                symmetric(Me), symmetric(Ke)
            )  # keeps the digits of the flexible end where Me is nearly singular
            return 1.0 / np.sqrt(inverse[::-1]), np.asarray(X[:, ::-1] / np.sqrt(inverse[::-1]))
    values, X = eigh(symmetric(Ke), symmetric(Me))
    return np.sqrt(np.maximum(values, 0.0)), np.asarray(X)


def _ratios_to_matrix(ratios: FloatArray, w: FloatArray, X: FloatArray, Me: FloatArray) -> FloatArray:
    Y = Me @ X
    return symmetric((Y * (2.0 * ratios * w)) @ Y.T)


def _checked(values: Any, what: str, below: float = np.inf) -> FloatArray:
    array = np.atleast_1d(np.asarray(values, dtype=float))
    if not ((array >= 0.0) & (array < below)).all():
        expected = "at least 0" + (f" and below {below:g}" if below < np.inf else ", finite")
        raise InputError(f"{what} out of range", found=array.tolist(), expected=expected)
    return array


@checked_arguments
@dataclass(frozen=True)
class ModalRatio:
    """Fraction of critical damping: one value for all natural modes, or one per mode in ascending frequency.

    Attributes:
        ratio: fraction of critical damping.
    """

    ratio: float | tuple[float, ...]

    def matrix(self, Me: FloatArray, Ke: FloatArray) -> FloatArray:
        """The damping matrix De (k, k).

        Args:
            Me: modal mass (k, k).
            Ke: modal stiffness (k, k).
        """
        ratios = _checked(self.ratio, "damping ratios", DAMPING_RATIO["below"])
        w, X = natural_modes(Me, Ke)
        if len(ratios) not in (1, len(w)):
            raise InputError(
                "damping ratios do not cover the modes", found=len(ratios), expected=f"1 or {len(w)} values"
            )
        return _ratios_to_matrix(np.broadcast_to(ratios, w.shape), w, X, Me)


@checked_arguments
@dataclass(frozen=True)
class DampingBands:
    """Damping ratio by frequency band: rows (from Hz, to Hz, ratio), lower end included.

    Modes outside all bands get ``outside``.
    """

    bands: tuple[tuple[float, float, float], ...]
    outside: float = 0.0

    def matrix(self, Me: FloatArray, Ke: FloatArray) -> FloatArray:
        """The damping matrix De (k, k).

        Args:
            Me: modal mass (k, k).
            Ke: modal stiffness (k, k).
        """
        _checked([band[2] for band in self.bands] + [self.outside], "damping ratios", DAMPING_RATIO["below"])
        w, X = natural_modes(Me, Ke)
        hz, ratios = w / (2.0 * np.pi), np.full(len(w), float(self.outside))
        for low, high, ratio in self.bands:
            if not low < high:
                raise InputError("a damping band is empty", found=f"{low} to {high} Hz")
            ratios[(hz >= low) & (hz < high)] = ratio
        return _ratios_to_matrix(ratios, w, X, Me)


@checked_arguments
@dataclass(frozen=True)
class DampingTable:
    """Ratio by frequency (Hz ascending), linear between entries and constant beyond the ends.

    Attributes:
        frequencies_hz: ascending, Hz.
        ratios: fraction of critical damping at each.
    """

    frequencies_hz: tuple[float, ...]
    ratios: tuple[float, ...]

    def matrix(self, Me: FloatArray, Ke: FloatArray) -> FloatArray:
        """The damping matrix De (k, k).

        Args:
            Me: modal mass (k, k).
            Ke: modal stiffness (k, k).
        """
        ratios = _checked(self.ratios, "damping ratios", DAMPING_RATIO["below"])
        hz = np.asarray(self.frequencies_hz, dtype=float)
        if len(hz) != len(ratios) or (np.diff(hz) <= 0.0).any():
            raise InputError(
                "a damping table needs ascending frequencies and one ratio for each", found=self.frequencies_hz
            )
        w, X = natural_modes(Me, Ke)
        return _ratios_to_matrix(np.interp(w / (2.0 * np.pi), hz, ratios), w, X, Me)


@checked_arguments
@dataclass(frozen=True)
class Rayleigh:
    """alpha Me + beta Ke: ratio (alpha / w + beta w) / 2; alpha 1/s, beta s."""

    alpha: float
    beta: float

    def matrix(self, Me: FloatArray, Ke: FloatArray) -> FloatArray:
        """The damping matrix De (k, k).

        Args:
            Me: modal mass (k, k).
            Ke: modal stiffness (k, k).
        """
        _checked([self.alpha, self.beta], "Rayleigh coefficients")
        return np.asarray(self.alpha * Me + self.beta * Ke)


@checked_arguments
@dataclass(frozen=True)
class Structural:
    """Structural (hysteretic) damping g as its viscous equivalent at each natural frequency: ratio g / 2."""

    g: float

    def matrix(self, Me: FloatArray, Ke: FloatArray) -> FloatArray:
        """The damping matrix De (k, k).

        Args:
            Me: modal mass (k, k).
            Ke: modal stiffness (k, k).
        """
        return ModalRatio(float(_checked(self.g, "structural damping", LOSS_FACTOR["below"])[0]) / 2.0).matrix(Me, Ke)


@checked_arguments
@dataclass(frozen=True)
class GivenMatrix:
    """A given modal damping matrix: rows of k numbers in the appendage's coordinates; it need not be symmetric."""

    rows: tuple[tuple[float, ...], ...]

    def matrix(self, Me: FloatArray, Ke: FloatArray) -> FloatArray:
        """The damping matrix De (k, k).

        Args:
            Me: modal mass (k, k).
            Ke: modal stiffness (k, k).
        """
        given = np.asarray(self.rows, dtype=float)
        if given.shape != Me.shape or not np.isfinite(given).all():
            raise InputError("the damping matrix does not fit the modes", found=given.shape, expected=Me.shape)
        return given


def damping_matrix(
    stated: Damping | float | Sequence[Damping | float] | None,
    Me: FloatArray,
    Ke: FloatArray,
    Phi: FloatArray | None = None,
    dampers: csr_array | None = None,
) -> tuple[FloatArray, dict[str, Any]]:
    """De (k, k), and the report of what was stated. Element dampers (d, d) always add Phi' C Phi."""
    parts: Sequence[Damping | float]
    if stated is None:
        parts = ()
    elif isinstance(stated, Sequence):
        parts = [ModalRatio(tuple(float(v) for v in stated))] if _all_numbers(stated) else list(stated)  # type: ignore[arg-type]
    else:
        parts = [stated]
    De, entries = np.zeros_like(Me), []
    for part in parts:
        law = part if isinstance(part, Damping) else ModalRatio(float(part))
        De = De + law.matrix(Me, Ke)
        entries.append({"kind": type(law).__name__, **dict(vars(law))})
    if dampers is not None and Phi is not None and dampers.nnz:
        De = De + Phi.T @ (dampers @ Phi)
        entries.append({"kind": "element dampers", "terms": int(dampers.nnz)})
    w, X = natural_modes(Me, Ke)
    achieved = np.einsum("ki,kl,li->i", X, De, X)
    ratios = np.divide(achieved, 2.0 * w, out=np.zeros_like(w), where=w > 0.0)
    return np.asarray(De), {"stated": entries or "none: the appendage is undamped", "ratios_of_natural_modes": ratios}


def _all_numbers(values: Sequence[Any]) -> bool:
    return len(values) > 0 and all(isinstance(v, (int, float, np.floating)) for v in values)
