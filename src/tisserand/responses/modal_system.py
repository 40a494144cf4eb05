"""Natural modes between inputs and labeled rows: frequency response by one product, transients by exact recursion.

eta_k'' + 2 zeta_k w_k eta_k' + w_k² eta_k = (inputs u)_k,   y = second eta'' + zeroth eta + direct u.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.signal import lfilter

from tisserand.arrays import ComplexArray, FloatArray, IntArray, frozen
from tisserand.errors import InputError


@dataclass(frozen=True, eq=False, kw_only=True)
class ModalSystem:
    """w (m,) rad/s, zeta (m,), inputs (m, i), second and zeroth (r, m), direct (r, i), names of inputs and rows, units."""

    w: FloatArray
    zeta: FloatArray
    inputs: FloatArray
    second: FloatArray
    zeroth: FloatArray
    direct: FloatArray
    input_names: tuple[str, ...]
    labels: tuple[str, ...]
    units: tuple[str, ...]

    def __post_init__(self) -> None:
        m, r, i = len(self.w), len(self.labels), len(self.input_names)
        shapes = {"w": (m,), "zeta": (m,), "inputs": (m, i), "second": (r, m), "zeroth": (r, m), "direct": (r, i)}
        for word, shape in shapes.items():
            object.__setattr__(self, word, frozen(getattr(self, word), shape=shape))
        if not ((self.zeta >= 0.0) & (self.zeta < 1.0)).all():
            raise InputError("damping ratios of modes must be from 0 to below 1", found=f"{self.zeta.max():.3g}")

    def rows(self, chosen: IntArray | list[int]) -> ModalSystem:
        """The system with only the chosen rows."""
        r = np.asarray(chosen, np.int64)
        return ModalSystem(
            w=self.w, zeta=self.zeta, inputs=self.inputs, second=self.second[r], zeroth=self.zeroth[r], direct=self.direct[r],
            input_names=self.input_names, labels=tuple(self.labels[i] for i in r), units=tuple(self.units[i] for i in r),
        )  # fmt: skip

    @property
    def poles(self) -> ComplexArray:
        """(m,) poles with positive imaginary part, rad/s."""
        return np.asarray(-self.zeta * self.w + 1j * self.w * np.sqrt(1.0 - self.zeta**2))

    def response(self, hz: FloatArray, column: int) -> ComplexArray:
        """(f, r) complex response of all rows to a unit of one input."""
        s = 2.0 * np.pi * np.asarray(hz, float)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            eta = self.inputs[:, column] / (self.w**2 - s**2 + 2j * self.zeta * self.w * s)
        if not np.isfinite(eta).all():
            raise InputError("an undamped mode is excited at its own frequency", expected="a damping ratio above zero")
        return np.asarray((-(s**2) * eta) @ self.second.T + eta @ self.zeroth.T + self.direct[:, column])

    def contributions(self, hz: FloatArray, column: int, row: int) -> ComplexArray:
        """(f, m + 1) what every mode, and at last the direct part, adds to a row per unit of an input."""
        s = 2.0 * np.pi * np.asarray(hz, float)[:, None]
        eta = self.inputs[:, column] / (self.w**2 - s**2 + 2j * self.zeta * self.w * s)
        modes = (-(s**2) * self.second[row] + self.zeroth[row]) * eta
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
        for k in range(len(self.w)):
            eta, rate = modal_motion(self.w[k], self.zeta[k], step, force[:, k])
            second = force[:, k] - 2.0 * self.zeta[k] * self.w[k] * rate - self.w[k] ** 2 * eta
            out += np.outer(second, self.second[:, k]) + np.outer(eta, self.zeroth[:, k])
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
