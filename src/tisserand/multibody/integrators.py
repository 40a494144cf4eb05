"""Stepping methods over the compiled right-hand side; method data separate from the stepping code.

Reference: [Hairer1993].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.multibody.auto_method import EXPLICIT, AutoMethod
from tisserand.multibody.engines.protocol import Engine
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.endings import DONE, STEP_TOO_SMALL, STOPPED, TOO_MANY_EVENTS, TOO_MANY_STEPS
from tisserand.multibody.recursive.engine_model import read_model
from tisserand.multibody.recursive.esdirk_table import method_table
from tisserand.multibody.recursive.implicit_model import ImplicitModel, implicit_model
from tisserand.multibody.recursive.kernels import implicit_kernel, kernels
from tisserand.multibody.recursive.stepping import STATISTICS, STOPS
from tisserand.multibody.whole_steps import counted


@dataclass(eq=False, kw_only=True)
class Stepper:
    """Workspace of one run: state y, held inputs U, statistics; advances by one of the methods of ``run_options``.

    An engine without a kernel has only its ``rates``; the adaptive method then runs in scipy. ``single``: explicit adaptive steps
    return after each one.
    """

    single: ClassVar[bool] = False

    engine: Engine
    y: FloatArray
    U: FloatArray
    method: str = "dop853"
    rtol: float = 1e-9
    atol: float | FloatArray = 1e-12
    max_step: float = 1e-3
    max_steps: int = 10_000_000
    time: float = 0.0
    event_signals: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    event_levels: FloatArray = field(default_factory=lambda: np.zeros(0))
    event_ways: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        from scipy.integrate import DOP853

        self.compiled: CompiledVehicle = self.engine.compiled
        n, ne = self.compiled.size, len(self.event_signals)
        self.W = self.compiled.workspace()
        self.K = np.zeros((23, n))
        self.buffers = np.zeros((11, max(n, ne)))
        self.memory, self.lost = np.array([1.0, 0.0, 0.0]), np.zeros(0)
        self.statistics = np.zeros(1, STATISTICS)
        self.stats = self.statistics[0]
        self.stats["smallest"] = np.inf
        self.found = np.zeros((1000, 2))
        self.tolerate(self.atol)
        self.A = np.zeros((16, 16))
        self.A[:12, :12] = DOP853.A[:12, :12]
        self.A[13:16, :16] = DOP853.A_EXTRA
        self.B, self.D = np.array(DOP853.B), np.array(DOP853.D)
        self.C = np.concatenate([DOP853.C[:12], [1.0], DOP853.C_EXTRA])
        self.E3, self.E5 = np.array(DOP853.E3), np.array(DOP853.E5)
        self.step_size, self.most = 0.0, self.max_steps
        self.auto: AutoMethod | None = None
        if self.method == "auto":
            self.method = EXPLICIT
            if self.engine.kernel is not None:
                self.auto = AutoMethod(self)

    def tolerate(self, atol: float | FloatArray) -> None:
        """Take absolute tolerances (one, or one per coordinate); work and impulse follow the state and have none."""
        self.atol = atol
        self.scale = np.array(np.broadcast_to(atol, self.compiled.size), float)
        self.scale[self.compiled.account :] = np.inf

    def rhs(self, time: float, y: FloatArray) -> FloatArray:
        """State derivative; not finite where the kernel fails."""
        dy = np.zeros_like(y)
        if self.engine.rates(float(time), y, self.U, self.W, dy):
            dy[:] = np.nan
        return dy

    def advance(self, end: float, times: FloatArray, Y: FloatArray, first: int) -> int:
        """Integrate to ``end``, filling Y[first:] at output ``times`` up to it; status of ``endings``."""
        self.stats["events"] = 0
        if self.auto is not None:
            return self.auto.advance(self, end, times, Y, first)
        return self.take(self.method, end, times, Y, first, self.max_steps)

    @property
    def look(self) -> float:
        """When ``auto`` looks at its choice again, s; never for other methods."""
        return math.inf if self.auto is None else self.auto.look

    def take(self, method: str, end: float, times: FloatArray, Y: FloatArray, first: int, max_steps: int) -> int:
        """``advance`` by one method, until the number of steps and rejected steps reaches ``max_steps``."""
        c, run = self.compiled, kernels()
        self.method, self.most = method, max_steps
        state = (self.engine.kernel, c.M, c.F, self.W, self.U, self.time, end, self.y)
        watched = (self.event_signals, self.event_levels, self.event_ways, self.found, self.statistics)
        if self.method == "esdirk":
            status = self._esdirk(end, times, Y, first, watched)
        elif self.method == "dop853" and self.engine.kernel is not None:
            most = min(max_steps, int(self.stats["steps"] + self.stats["rejected"]) + 1) if self.single else max_steps
            limits = (self.step_size, self.rtol, self.scale, float(most))
            table = (self.K, self.A, self.B, self.C, self.E3, self.E5, self.D)
            status = run.dop853(*state, *limits, times, Y, first, *table, self.buffers, *watched)
            self.step_size = float(self.stats["step"])
        elif self.method == "rk4":
            steps = (self.max_step, float(max_steps))
            status = run.rk4(*state, *steps, times, Y, first, self.K, self.buffers, *watched)
        else:
            status = self._scipy(end, times, Y, first)
        self.time = end if status == DONE else float(self.stats["time"])
        for q in c.quaternions:
            self.y[q : q + 4] /= np.linalg.norm(self.y[q : q + 4])
        return int(status)

    def _esdirk(self, end: float, times: FloatArray, Y: FloatArray, first: int, watched: tuple[Any, ...]) -> int:
        c, implicit = self.compiled, self.implicit
        status = implicit_kernel()(
            self.engine.kernel,
            *(c.M, c.F, self.W, implicit.M, implicit.F, self.implicit_work, self.U),
            *(self.time, end, self.y, self.step_size, self.rtol, self.scale, float(self.most)),
            *(times, Y, self.lost, first, self.K, method_table(), self.buffers),
            *(implicit.pairs, implicit.turns, implicit.groups, implicit.paces, implicit.homogeneous, self.memory),
            *watched,
        )
        self.step_size = float(self.stats["step"])
        return int(status)

    @cached_property
    def implicit(self) -> ImplicitModel:
        """The tables of implicit steps."""
        return implicit_model(self.compiled)

    @cached_property
    def implicit_work(self) -> FloatArray:
        """The workspace of implicit passes."""
        return np.zeros(int(read_model(self.implicit.M).head[0]["work_size"]))

    @property
    def loss(self) -> float:
        """Energy that an implicit method took from vibration so far, J."""
        return float(self.memory[2])

    def _scipy(self, end: float, times: FloatArray, Y: FloatArray, first: int) -> int:
        from scipy import integrate

        last = int(np.searchsorted(times, end, side="right"))
        scale = np.where(np.isfinite(self.scale), self.scale, 1e6)
        wanted = times[first:last]
        functions = [self._event(i) for i in range(len(self.event_signals))]
        base = getattr(integrate, self.method.replace("dop", "DOP"))
        out: Any = integrate.solve_ivp(  # type: ignore[call-overload]
            self.rhs,
            (self.time, end),
            self.y,
            method=counted(base, self.stats, self.most, self.after_step, functions),
            t_eval=np.unique(np.append(wanted, end)),
            rtol=max(self.rtol, 3e-14),
            atol=scale,
            events=functions or None,
        )
        self.stats["calls"] += out.nfev
        got = np.isin(out.t, wanted)
        if got.any():  # it gives an empty list where it failed before the first
            Y[first : first + int(got.sum())] = out.y.T[got]
        if out.status < 0:  # what it has is kept: the state at the last output time
            self.stats["time"] = float(out.t[-1]) if len(out.t) else self.time
            self.y[:] = out.y[:, -1] if len(out.t) else self.y
            return TOO_MANY_STEPS if self.stats["steps"] >= self.most else STEP_TOO_SMALL
        for i, hits in enumerate(out.t_events or ()):
            for hit in hits:
                if int(self.stats["events"]) == len(self.found):
                    self.stats["time"] = self.time
                    return TOO_MANY_EVENTS
                self.found[int(self.stats["events"])] = i, hit
                self.stats["events"] += 1
        if out.status == 1:
            stopper = int(
                np.argmin(
                    [
                        min(h, default=np.inf) if self.event_ways[i] >= STOPS // 2 else np.inf
                        for i, h in enumerate(out.t_events)
                    ]
                )
            )
            self.y[:] = out.y_events[stopper][-1]
            self.stats["time"] = float(out.t_events[stopper][-1])
            return STOPPED
        self.y[:] = out.y[:, -1]
        self.stats["time"] = end
        return DONE

    def after_step(self, solver: Any) -> None:
        """Correct the state of a solver of scipy after a step; nothing to correct here."""

    def _event(self, i: int) -> Callable[[float, FloatArray], float]:
        signal, level = int(self.event_signals[i]), float(self.event_levels[i])
        values = self.compiled.opened(self.W).signals

        def function(time: float, y: FloatArray) -> float:
            self.rhs(time, y)
            return float(values[signal]) - level

        way = int(self.event_ways[i])
        function.terminal = way >= STOPS // 2  # type: ignore[attr-defined]
        function.direction = float(way - STOPS if way >= STOPS // 2 else way)  # type: ignore[attr-defined]
        return function

    def signals(self) -> FloatArray:
        """All signals at the present state."""
        self.rhs(self.time, self.y)
        return np.array(self.compiled.opened(self.W).signals)
