"""Natural modes between inputs and labeled rows: frequency response by one product, transients by exact recursion.

eta_k'' + 2 zeta_k w_k eta_k' + (damping eta')_k + w_k² eta_k = (inputs u)_k,
y = second eta'' + first eta' + zeroth eta + direct u. ``damping`` couples modes where the structure has dampers of its own, or
where its parts are damped as parts; without it every mode is alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.linalg import expm
from scipy.signal import lfilter

from tisserand.arrays import ComplexArray, FloatArray, IntArray, frozen
from tisserand.errors import InputError

#: Frequencies solved at once where modes are coupled.
_BLOCK = 256


@dataclass(frozen=True, eq=False, kw_only=True)
class ModalSystem:
    """w (m,) rad/s, zeta (m,), inputs (m, i), second and zeroth (r, m), direct (r, i), names of inputs and rows, units.

    first: (r, m) of modal rates; damping: (m, m) besides zeta, 1/s; both None where there are none.
    """

    w: FloatArray
    zeta: FloatArray
    inputs: FloatArray
    second: FloatArray
    zeroth: FloatArray
    direct: FloatArray
    input_names: tuple[str, ...]
    labels: tuple[str, ...]
    units: tuple[str, ...]
    first: FloatArray | None = None
    damping: FloatArray | None = None

    def __post_init__(self) -> None:
        m, r, i = len(self.w), len(self.labels), len(self.input_names)
        shapes = {"w": (m,), "zeta": (m,), "inputs": (m, i), "second": (r, m), "zeroth": (r, m), "direct": (r, i)}
        shapes |= {"first": (r, m)} if self.first is not None else {}
        shapes |= {"damping": (m, m)} if self.damping is not None else {}
        for word, shape in shapes.items():
            object.__setattr__(self, word, frozen(getattr(self, word), shape=shape))
        if not ((self.zeta >= 0.0) & (self.zeta < 1.0)).all():
            raise InputError("damping ratios of modes must be from 0 to below 1", found=f"{self.zeta.max():.3g}")

    def rows(self, chosen: IntArray | list[int]) -> ModalSystem:
        """The system with only the chosen rows."""
        r = np.asarray(chosen, np.int64)
        return replace(
            self, second=self.second[r], zeroth=self.zeroth[r], direct=self.direct[r],
            first=None if self.first is None else self.first[r],
            labels=tuple(self.labels[i] for i in r), units=tuple(self.units[i] for i in r),
        )  # fmt: skip

    @property
    def rates(self) -> FloatArray:
        """(m, m) the whole damping matrix, 1/s."""
        own = np.diag(2.0 * self.zeta * self.w)
        return own if self.damping is None else own + self.damping

    @property
    def ratios(self) -> FloatArray:
        """(m,) damping ratio of every mode by itself, dampers of the structure included; zero for rigid motions."""
        return np.divide(np.diag(self.rates), 2.0 * self.w, out=np.zeros_like(self.w), where=self.w > 0.0)

    @property
    def poles(self) -> ComplexArray:
        """Poles with positive imaginary part, rad/s: (m,) where every mode is alone."""
        if self.damping is None:
            return np.asarray(-self.zeta * self.w + 1j * self.w * np.sqrt(1.0 - self.zeta**2))
        found = np.linalg.eigvals(self._state_matrix())
        return np.asarray(found[found.imag > 0.0])

    def _state_matrix(self) -> FloatArray:
        m = len(self.w)
        return np.block([[np.zeros((m, m)), np.eye(m)], [-np.diag(self.w**2), -self.rates]])

    def motion(self, hz: FloatArray, column: int) -> ComplexArray:
        """(f, m) modal coordinates per unit of one input."""
        s = 2j * np.pi * np.asarray(hz, float)
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.damping is None:
                square = s[:, None]
                eta = self.inputs[:, column] / (self.w**2 + square**2 + 2.0 * self.zeta * self.w * square)
            else:
                eta = self._coupled_motion(s, self.inputs[:, column])
        if not np.isfinite(eta).all():
            raise InputError("an undamped mode is excited at its own frequency", expected="a damping ratio above zero")
        return np.asarray(eta)

    def _coupled_motion(self, s: ComplexArray, force: FloatArray) -> ComplexArray:
        out = np.empty((len(s), len(self.w)), complex)
        spring, rates, eye = np.diag(self.w**2), self.rates, np.eye(len(self.w))
        for start in range(0, len(s), _BLOCK):
            p = s[start : start + _BLOCK, None, None]
            load = np.broadcast_to(force[None, :, None], (len(p), len(force), 1))
            out[start : start + _BLOCK] = np.linalg.solve(spring + p * rates + p**2 * eye, load)[:, :, 0]
        return out

    def response(self, hz: FloatArray, column: int) -> ComplexArray:
        """(f, r) complex response of all rows to a unit of one input."""
        s = 2j * np.pi * np.asarray(hz, float)[:, None]
        eta = self.motion(hz, column)
        out = (s**2 * eta) @ self.second.T + eta @ self.zeroth.T + self.direct[:, column]
        return np.asarray(out if self.first is None else out + (s * eta) @ self.first.T)

    def contributions(self, hz: FloatArray, column: int, row: int) -> ComplexArray:
        """(f, m + 1) what every mode, and at last the direct part, adds to a row per unit of an input."""
        s = 2j * np.pi * np.asarray(hz, float)[:, None]
        rates = 0.0 if self.first is None else s * self.first[row]
        modes = (s**2 * self.second[row] + rates + self.zeroth[row]) * self.motion(hz, column)
        return np.hstack([modes, np.full((len(modes), 1), self.direct[row, column], complex)])

    def transient(self, step: float, values: FloatArray) -> FloatArray:
        """(n, r) rows for inputs (n, i) at equal steps, straight between samples, from rest."""
        u = np.asarray(values, float).reshape(len(values), -1)
        if u.shape[1] != len(self.input_names) or len(u) < 2 or not step > 0.0:
            raise InputError(
                "a transient needs one column per input and equal steps above zero", found=f"{u.shape}, step {step:g} s",
                expected=f"{len(self.input_names)} columns",
            )  # fmt: skip
        out = u @ self.direct.T
        force = u @ self.inputs.T
        if self.damping is not None:
            eta, rate = coupled_motion(self._state_matrix(), step, force)
            second = force - rate @ self.rates.T - eta * self.w**2
            out += second @ self.second.T + eta @ self.zeroth.T
            return np.asarray(out if self.first is None else out + rate @ self.first.T)
        for k in range(len(self.w)):
            eta, rate = modal_motion(self.w[k], self.zeta[k], step, force[:, k])
            second = force[:, k] - 2.0 * self.zeta[k] * self.w[k] * rate - self.w[k] ** 2 * eta
            out += np.outer(second, self.second[:, k]) + np.outer(eta, self.zeroth[:, k])
            if self.first is not None:
                out += np.outer(rate, self.first[:, k])
        return np.asarray(out)


def modal_motion(w: float, zeta: float, step: float, force: FloatArray) -> tuple[FloatArray, FloatArray]:
    """eta and eta' (n,) of one mode from rest, exact for a force (n,) that is straight between samples.

    z = eta' - conj(l) eta with l = -zeta w + i w_d obeys z' = l z + p: a filter of first order; without stiffness, two sums.
    """
    p = np.asarray(force, float)
    if w * step < 1e-9:  # a rigid motion
        rate = np.concatenate([[0.0], np.cumsum(0.5 * step * (p[:-1] + p[1:]))])
        moved = step * rate[:-1] + step**2 * (2.0 * p[:-1] + p[1:]) / 6.0
        return np.concatenate([[0.0], np.cumsum(moved)]), rate
    damped = w * np.sqrt(1.0 - zeta**2)
    pole = complex(-zeta * w, damped)
    grow, x = np.exp(pole * step), pole * step
    first = np.expm1(x) / x  # phi1
    second = (first - 1.0) / x if abs(x) > 1e-4 else 0.5 + x / 6.0 + x * x / 24.0  # phi2
    b = [step * second, step * (first - second)]
    start = np.array([-b[0] * p[0]])  # the first sample finds the mode at rest
    z = lfilter(b, [1.0, -grow], p.astype(complex), zi=start)[0]
    eta = z.imag / damped
    return np.asarray(eta), np.asarray(z.real - zeta * w * eta)


def coupled_motion(state: FloatArray, step: float, force: FloatArray) -> tuple[FloatArray, FloatArray]:
    """eta and eta' (n, m) of coupled modes from rest, exact for forces (n, m) that are straight between samples.

    state: (2m, 2m) of (eta, eta'). One exponential of state, force and slope of the force steps from sample to sample.
    """
    m = force.shape[1]
    whole = np.zeros((4 * m, 4 * m))
    whole[: 2 * m, : 2 * m] = state
    whole[m : 2 * m, 2 * m : 3 * m] = np.eye(m)
    whole[2 * m : 3 * m, 3 * m :] = np.eye(m) / step
    grown = expm(whole * step)
    move, hold, ramp = grown[: 2 * m, : 2 * m], grown[: 2 * m, 2 * m : 3 * m], grown[: 2 * m, 3 * m :]
    drive = force[:-1] @ hold.T + np.diff(force, axis=0) @ ramp.T
    out = np.zeros((len(force), 2 * m))
    for i, push in enumerate(drive):
        out[i + 1] = move @ out[i] + push
    return out[:, :m], out[:, m:]


@dataclass(frozen=True, eq=False)
class DampingLaw:
    """Damping ratios over the frequency: straight in between, constant outside; one value for all."""

    hz: tuple[float, ...]
    ratios: tuple[float, ...]

    def at(self, hz: FloatArray) -> FloatArray:
        """(m,) ratios at frequencies."""
        return np.asarray(np.interp(np.asarray(hz, float), self.hz, self.ratios))


def damping_law(stated: float | tuple[tuple[float, float], ...]) -> DampingLaw:
    """A law from one ratio or from pairs (Hz, ratio)."""
    pairs = ((1.0, float(stated)),) if isinstance(stated, int | float) else tuple(stated)
    hz, ratios = zip(*pairs)
    if any(not 0.0 <= ratio < 1.0 for ratio in ratios) or any(b <= a for a, b in pairwise(hz)):
        raise InputError("damping needs ratios from 0 to below 1 at ascending frequencies", found=list(pairs)[:4])
    return DampingLaw(tuple(hz), tuple(ratios))
