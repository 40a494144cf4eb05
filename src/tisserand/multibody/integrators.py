"""Stepping methods over the compiled right-hand side; method data separate from the stepping code.

Reference: [Hairer1993].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.multibody.recursive import layout as at
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.kernels import kernels

ENDINGS = {
    -1: "an event stopped the run",
    -2: "the step became too small",
    -3: "the step count reached its limit",
    -4: "the state is no longer finite",
}


def ending(status: int, compiled: CompiledVehicle) -> str:
    """Words for a status of the kernels."""
    if status in ENDINGS:
        return ENDINGS[status]
    body = compiled.tree.bodies[status % 1000]
    blocks = " and ".join(f"appendage {block.name}" for block in body.blocks) or f"body {body.name}"
    joint = f"joint {body.joint} (axis {body.joint_axis + 1})" if body.joint else f"the joint of body {body.name}"
    what = {
        1: f"the modal mass matrix of {blocks}",
        2: f"the inertia about {joint}",
        3: "the inertia of the whole vehicle",
    }
    return f"{what.get(status // 1000, 'a matrix')} is not positive definite"


@dataclass(eq=False, kw_only=True)
class Stepper:
    """Workspace of one run: state y, held inputs U, statistics; advances by one of the methods of ``run_options``.

    ``mechanics(time, y, workspace, dy)`` replaces the accelerations of the compiled right-hand side by another engine's; the
    adaptive method then runs in scipy.
    """

    compiled: CompiledVehicle
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
    mechanics: Callable[[float, FloatArray, FloatArray, FloatArray], None] | None = None

    def __post_init__(self) -> None:
        from scipy.integrate import DOP853

        n, ne = self.compiled.size, len(self.event_signals)
        self.W = self.compiled.workspace()
        self.K = np.zeros((23, n))
        self.buffers = np.zeros((6, max(n, ne)))
        self.stats = np.zeros(8)
        self.stats[6] = np.inf
        self.found = np.zeros((1000, 2))
        self.tolerate(self.atol)
        self.A = np.zeros((16, 16))
        self.A[:12, :12] = DOP853.A[:12, :12]
        self.A[13:16, :16] = DOP853.A_EXTRA
        self.B, self.D = np.array(DOP853.B), np.array(DOP853.D)
        self.C = np.concatenate([DOP853.C[:12], [1.0], DOP853.C_EXTRA])
        self.E3, self.E5 = np.array(DOP853.E3), np.array(DOP853.E5)
        self.step_size = 0.0

    def tolerate(self, atol: float | FloatArray) -> None:
        """Take absolute tolerances (one, or one per coordinate); work and impulse follow the state and have none."""
        self.atol = atol
        self.scale = np.array(np.broadcast_to(atol, self.compiled.size), float)
        self.scale[self.compiled.account :] = np.inf

    def rhs(self, time: float, y: FloatArray) -> FloatArray:
        """State derivative; not finite where the kernel fails."""
        rhs = kernels().rhs
        dy = np.zeros_like(y)
        if rhs(self.compiled.I, self.compiled.F, self.W, self.U, float(time), np.ascontiguousarray(y), dy):
            dy[:] = np.nan
        elif self.mechanics is not None:
            self.mechanics(float(time), y, self.W, dy)
        return dy

    def advance(self, end: float, times: FloatArray, Y: FloatArray, first: int) -> int:
        """Integrate to ``end``, filling Y[first:] at output ``times`` up to it; status (0 or as in ENDINGS)."""
        c = self.compiled
        self.stats[5] = 0.0
        if self.method == "dop853" and self.mechanics is None:
            dop853, rhs = kernels().dop853, kernels().rhs
            status = dop853(
                rhs,
                c.I,
                c.F,
                self.W,
                self.U,
                self.time,
                end,
                self.y,
                self.step_size,
                self.rtol,
                self.scale,
                float(self.max_steps),
                times,
                Y,
                first,
                self.K,
                self.A,
                self.B,
                self.C,
                self.E3,
                self.E5,
                self.D,
                self.buffers,
                self.event_signals,
                self.event_levels,
                self.event_ways,
                self.found,
                self.stats,
            )
            self.step_size = float(self.stats[4])
        elif self.method == "rk4":
            rk4, rhs = kernels().rk4, kernels().rhs
            status = rk4(
                rhs,
                c.I,
                c.F,
                self.W,
                self.U,
                self.time,
                end,
                self.y,
                self.max_step,
                times,
                Y,
                first,
                self.K,
                self.buffers,
                self.event_signals,
                self.event_levels,
                self.event_ways,
                self.found,
                self.stats,
            )
        else:
            status = self._scipy(end, times, Y, first)
        self.time = end if status == 0 else float(self.stats[3])
        for q in c.quaternions:
            self.y[q : q + 4] /= np.linalg.norm(self.y[q : q + 4])
        return int(status)

    def _scipy(self, end: float, times: FloatArray, Y: FloatArray, first: int) -> int:
        from scipy.integrate import solve_ivp

        last = int(np.searchsorted(times, end, side="right"))
        scale = np.where(np.isfinite(self.scale), self.scale, 1e6)
        wanted = times[first:last]
        functions = [self._event(i) for i in range(len(self.event_signals))]
        out: Any = solve_ivp(  # type: ignore[call-overload]
            self.rhs,
            (self.time, end),
            self.y,
            method=self.method.replace("dop", "DOP"),
            t_eval=np.unique(np.append(wanted, end)),
            rtol=max(self.rtol, 3e-14),
            atol=scale,
            events=functions or None,
        )
        self.stats[0] += len(out.t)
        self.stats[2] += out.nfev
        if out.status < 0:
            self.stats[3] = float(out.t[-1]) if len(out.t) else self.time
            return -2
        got = np.isin(out.t, wanted)
        Y[first : first + int(got.sum())] = out.y.T[got]
        if functions:
            for i, hits in enumerate(out.t_events):
                for hit in hits:
                    self.found[int(self.stats[5])] = i, hit
                    self.stats[5] += 1
        if out.status == 1:
            stopper = int(
                np.argmin(
                    [min(h, default=np.inf) if self.event_ways[i] >= 5 else np.inf for i, h in enumerate(out.t_events)]
                )
            )
            self.y[:] = out.y_events[stopper][-1]
            self.stats[3] = float(out.t_events[stopper][-1])
            return -1
        self.y[:] = out.y[:, -1]
        self.stats[3] = end
        return 0

    def _event(self, i: int) -> Callable[[float, FloatArray], float]:
        place, level = int(self.compiled.I[at.SIGNAL_WORK]) + int(self.event_signals[i]), float(self.event_levels[i])

        def function(time: float, y: FloatArray) -> float:
            self.rhs(time, y)
            return float(self.W[place]) - level

        way = int(self.event_ways[i])
        function.terminal = way >= 5  # type: ignore[attr-defined]
        function.direction = float(way - 10 if way >= 5 else way)  # type: ignore[attr-defined]
        return function

    def signals(self) -> FloatArray:
        """All signals at the present state."""
        self.rhs(self.time, self.y)
        place = int(self.compiled.I[at.SIGNAL_WORK])
        return self.W[place : place + int(self.compiled.I[at.SIGNALS])].copy()
