"""Stability margins of linear control loops: each command is opened in turn, all others stay closed.

Serves the linear models of S0 Eq 117 with the control laws of theory section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import block_diag

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.multibody.controllers import LinearController
from tisserand.multibody.frequency_response import frequencies, frequency_response, refined
from tisserand.multibody.linear import linearize
from tisserand.multibody.loads import Load
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle


@dataclass(frozen=True, kw_only=True)
class LoopMargins:
    """Margins of one command's loop, gain L(i w) with the sign that makes 1 + L = 0 critical.

    gain_margin: factors on the gain at which the loop becomes critical, nearest above and below one (inf, 0 if none);
    phase_margin_deg: smallest over all crossings of |L| = 1 (inf if none), at ``crossover_hz``; delay_margin, s: the phase margin
    as a delay; modulus_margin: smallest |1 + L|. stable: whether the closed loop has no pole with a positive real part.
    """

    command: str
    gain_margin: float
    lower_gain_margin: float
    phase_margin_deg: float
    crossover_hz: float
    delay_margin: float
    modulus_margin: float
    stable: bool

    def sentence(self) -> str:
        """One line for people."""
        up = f"{20.0 * np.log10(self.gain_margin):.1f} dB" if np.isfinite(self.gain_margin) else "infinite"
        crosses = np.isfinite(self.phase_margin_deg)
        phase = f"{self.phase_margin_deg:.1f}° at {self.crossover_hz:.4g} Hz" if crosses else "infinite"
        state = "" if self.stable else "; the closed loop is UNSTABLE"
        return f"{self.command}: gain margin {up}, phase margin {phase}, min |1 + L| {self.modulus_margin:.3g}{state}"


def loop_margins(
    vehicle: Vehicle,
    state: State | None = None,
    *,
    controllers: Sequence[LinearController],
    loads: Sequence[Load] = (),
    low_hz: float = 1e-4,
    high_hz: float = 1e3,
    points: int = 2000,
) -> tuple[LoopMargins, ...]:
    """Margins of every command of linear control laws about a state.

    Args:
        vehicle: what is controlled.
        state: state about which it is linearized.
        controllers: the linear laws; all act together.
        loads: fields and constant loads that act at the state.
        low_hz: lowest frequency, Hz.
        high_hz: highest frequency, Hz.
        points: number of frequencies, spaced logarithmically; more are added around poles and peaks.
    """
    names = [f"{c.name}/{load.name}" for c in controllers for load in c.outputs]
    if not names:
        return ()
    driven = [load.driven_by(f"{c.name}/{load.name}") for c in controllers for load in c.outputs]
    every = [signal for c in controllers for signal in c.inputs]
    sensed = [replace(signal, name=f"{i}:{signal.name}") for i, signal in enumerate(every)]  # names of their own
    plant = linearize(vehicle, state, loads=[*loads, *driven], outputs=sensed)
    closed = linearize(vehicle, state, loads=loads, controllers=controllers)
    stable = bool(np.all(closed.poles.real <= 1e-9 * max(np.abs(closed.poles).max(initial=0.0), 1e-12)))
    columns = [plant.inputs.index(name) for name in names]
    laws = _Laws(controllers)

    def loops(hz: FloatArray) -> ComplexArray:
        T = laws.response(hz) @ frequency_response(plant, hz)[:, :, columns]
        return np.stack([-_opened(T, j) for j in range(len(names))], axis=1)

    grid = frequencies(np.concatenate([plant.poles, closed.poles]), low_hz, high_hz, points)
    hz, L = refined(loops, grid)
    return tuple(_margins(name, hz, L[:, j], stable) for j, name in enumerate(names))


class _Laws:
    """All control laws side by side: commands from signals."""

    def __init__(self, controllers: Sequence[LinearController]) -> None:
        self.A, self.B, self.C, self.D = (
            block_diag(*(np.atleast_2d(getattr(c, word)) for c in controllers)) for word in "ABCD"
        )

    def response(self, hz: FloatArray) -> ComplexArray:
        """(f, commands, signals)."""
        n = self.A.shape[0]
        if n == 0:
            return np.broadcast_to(self.D.astype(complex), (len(hz), *self.D.shape))
        s = 2j * np.pi * hz[:, None, None] * np.eye(n)
        return np.asarray(
            self.C @ np.linalg.solve(s - self.A, np.broadcast_to(self.B, (len(hz), *self.B.shape))) + self.D
        )


def _opened(T: ComplexArray, j: int) -> ComplexArray:
    """(f,) what returns to command j when it is driven from outside and all other commands stay closed."""
    rest = [i for i in range(T.shape[1]) if i != j]
    if not rest:
        return np.asarray(T[:, j, j])
    inner = np.eye(len(rest)) - T[:, rest][:, :, rest]
    follow = np.linalg.solve(inner, T[:, rest][:, :, [j]])
    return np.asarray(T[:, j, j] + (T[:, [j]][:, :, rest] @ follow)[:, 0, 0])


def _margins(name: str, hz: FloatArray, L: ComplexArray, stable: bool) -> LoopMargins:
    """Crossings by linear interpolation between the frequencies."""
    cross = np.flatnonzero((np.sign(L.imag[:-1]) != np.sign(L.imag[1:])) & (L.imag[:-1] != L.imag[1:]))
    t = L.imag[cross] / (L.imag[cross] - L.imag[cross + 1])
    real = L.real[cross] + t * (L.real[cross + 1] - L.real[cross])
    factors = -1.0 / real[real < 0.0]
    above, below = factors[factors > 1.0], factors[factors <= 1.0]
    size = np.log(np.maximum(np.abs(L), 1e-300))
    unit = np.flatnonzero(np.sign(size[:-1]) != np.sign(size[1:]))
    t = size[unit] / (size[unit] - size[unit + 1])
    at, where = L[unit] + t * (L[unit + 1] - L[unit]), hz[unit] + t * (hz[unit + 1] - hz[unit])
    phases = np.degrees(np.abs(np.angle(-at)))
    delays = np.radians(np.mod(np.degrees(np.angle(-at)), 360.0)) / (2.0 * np.pi * where) if len(where) else np.zeros(0)
    worst = int(phases.argmin()) if len(phases) else -1
    return LoopMargins(
        command=name,
        gain_margin=float(above.min(initial=np.inf)),
        lower_gain_margin=float(below.max(initial=0.0)),
        phase_margin_deg=float(phases[worst]) if worst >= 0 else float("inf"),
        crossover_hz=float(where[worst]) if worst >= 0 else float("nan"),
        delay_margin=float(delays.min(initial=np.inf)),
        modulus_margin=float(np.abs(1.0 + L).min(initial=np.inf)),
        stable=stable,
    )
