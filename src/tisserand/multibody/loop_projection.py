"""Closed loops: projection of states, the check of a first state, assembly of a guess, and rows that depend on others.

Serves theory section 11.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.loads import Load
from tisserand.multibody.recursive.compile import CompiledVehicle, compile_vehicle
from tisserand.multibody.recursive.endings import ending
from tisserand.multibody.recursive.kernels import loop_kernels, loop_row_kernels
from tisserand.multibody.recursive.loop_rows import PROJECTED
from tisserand.multibody.recursive.states import pack_state, unpack_state
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle

#: Newton steps of a projection after a step of the integrator, and of the assembly of a guess.
AFTER_STEP, ASSEMBLY = 4, 60
#: A gap, as a part of the size of its loop, that full steps close at once; the shortest part of a step that is tried.
NEARLY, SHORTEST = 1e-6, 1e-3
#: A first state may miss its loops by this part of their size, and per second.
MISFIT = 1e-6
#: Rows that depend on others leave less than this part of the largest pivot.
REDUNDANT = 1e-12


class Projector:
    """Closes the loops of states of one vehicle."""

    def __init__(self, compiled: CompiledVehicle) -> None:
        self.c, self.W = compiled, compiled.workspace()
        self.buffers = np.zeros((3, compiled.size))
        self.projected = compiled.driven_place(PROJECTED)

    def close(
        self, time: float, y: FloatArray, U: FloatArray, *, most: int = AFTER_STEP, counted: bool = True
    ) -> tuple[int, FloatArray]:
        """Close a state in place; status, and residual, m, and rate, m/s, found (loops, 2).

        counted: the change of energy goes on the account of projections.
        """
        found, lost = np.zeros((len(self.c.loops), 2)), self.projected if counted else -1
        return self._project(time, y, U, found, most, lost, 1), found

    def _project(
        self, time: float, y: FloatArray, U: FloatArray, found: FloatArray, most: int, lost: int, rates: int
    ) -> int:
        """The kernel, near the inertial origin: in an orbit places are known to a nanometer only, and loops do not see where."""
        c, away = self.c, y[:3].copy() if self.c.vehicle.base_motion == "free" else np.zeros(3)
        y[:3] -= away
        status = loop_kernels().project(
            c.inner_M, c.F, self.W, U, float(time), y, self.buffers, found, most, lost, rates
        )
        y[:3] += away
        return int(status)

    def residuals(self, time: float, y: FloatArray, U: FloatArray) -> FloatArray:
        """(loops, 2) largest residual, m, and rate, m/s, of each loop at a state, which stays as it is."""
        found = np.zeros((len(self.c.loops), 2))
        self._project(time, y.copy(), U.copy(), found, 0, -1, 0)
        return found

    def responses(self, time: float, y: FloatArray, U: FloatArray) -> FloatArray:
        """(m, m) accelerations of all rows, scaled to lengths, under unit multipliers: J M^-1 J' of theory section 11."""
        c, at = self.c, loop_row_kernels()
        status = c.rhs(c.M, c.F, self.W, U, float(time), y, np.zeros(c.size))
        if status:
            raise VehicleError(ending(status, c), where=f"vehicle {c.vehicle.name}", advice=_names(c))
        m = sum(one.rows for one in c.loops)
        first = int(c.head["work_size"]) + 18 + (at.COLUMNS + 6) * m
        return np.array(self.W[first : first + m * m].reshape(m, m))

    def approach(self, time: float, y: FloatArray, U: FloatArray) -> FloatArray:
        """A state with (almost) closed loops from one far from it: Newton's steps, shortened until the worst gap shrinks."""

        def gap(trial: FloatArray) -> float:
            sizes = [one.size for one in self.c.loops]
            return float((self.residuals(time, trial, U)[:, 0] / sizes).max(initial=0.0))

        c, size = self.c, gap(y)
        for _ in range(ASSEMBLY):
            if size <= NEARLY:
                break
            whole, found = y.copy(), np.zeros((len(c.loops), 2))
            self._project(time, whole, U.copy(), found, 1, -1, 0)
            part = 2.0
            while part > SHORTEST:
                part *= 0.5
                trial = y + part * (whole - y)
                for q in c.quaternions:
                    trial[q : q + 4] /= np.linalg.norm(trial[q : q + 4])
                if (left := gap(trial)) <= (1.0 - 0.25 * part) * size:
                    break
            else:
                break
            y, size = trial, left
        return y


def _names(c: CompiledVehicle) -> str:
    return "look at " + ", ".join(f"loop {one.name}" for one in c.loops)


def refuse_open(projector: Projector, time: float, y: FloatArray, U: FloatArray) -> None:
    """Refuse a state that misses its loops or their rates by more than rounding of its numbers explains."""
    found = projector.residuals(time, y, U)
    for one, (gap, rate) in zip(projector.c.loops, found):
        speed = float(np.abs(y[projector.c.speeds : projector.c.state]).max(initial=0.0))
        for value, limit, unit, what in (
            (gap, MISFIT * one.size, "m", "is not closed"),
            (rate, MISFIT * one.size * max(1.0, speed), "m/s", "moves apart"),
        ):
            if not value <= limit:
                raise VehicleError(
                    f"loop {one.name} {what} in the initial state",
                    where="state",
                    found=f"{value:.6g} {unit}",
                    expected=f"at most {limit:.1g} {unit}",
                    advice="give consistent coordinates and rates, or let them be found (assembled, initial.assemble = true)",
                )


def redundant_rows(projector: Projector, time: float, y: FloatArray, U: FloatArray) -> dict[str, list[int]]:
    """Rows (from 1) by loop that depend on those of other rows, or act on nothing that can move."""
    A = projector.responses(time, y, U)
    c, left = projector.c, A.copy()
    order, top = list(range(len(A))), float(np.diag(A).max(initial=0.0))
    while order:
        p = max(order, key=lambda i: left[i, i])
        if not left[p, p] > REDUNDANT * top:
            break
        order.remove(p)
        left = left - np.outer(left[:, p], left[p]) / left[p, p]
    owners = [(one.name, k + 1) for one in c.loops for k in range(one.rows)]
    held = {one.name for one in c.loops if U[one.on] != 0.0}
    found: dict[str, list[int]] = {}
    for i in sorted(order):
        if owners[i][0] in held:
            found.setdefault(owners[i][0], []).append(owners[i][1])
    return found


def redundancy_words(found: dict[str, list[int]]) -> list[str]:
    """One sentence per loop with rows that are not needed."""
    return [
        f"loop {name}: row{'s' if len(rows) > 1 else ''} {', '.join(map(str, rows))} of its forces "
        f"{'are' if len(rows) > 1 else 'is'} redundant: the motion does not depend on how such forces are shared, and the "
        "smallest that serve are reported"
        for name, rows in found.items()
    ]


@checked_arguments
def assembled(vehicle: Vehicle, guess: State | None = None, *, loads: Sequence[Load] = (), time: float = 0.0) -> State:
    """The state nearest to a guess in which all loops among the loads are closed, and their rates zero.

    Nearest in the measure of kinetic energy: heavy parts move less than light ones (theory section 11).

    Args:
        vehicle: the vehicle.
        guess: coordinates and rates; at rest with all coordinates zero by default.
        loads: loops, and whatever else acts.
        time: at which prescribed motions and levels are taken, s.
    """
    compiled = compile_vehicle(vehicle, loads)
    y, U = pack_state(compiled, guess or State(), time)
    if not compiled.loops:
        return guess or State()
    projector = Projector(compiled)
    y = projector.approach(time, y, U)
    status, _ = projector.close(time, y, U, counted=False)
    if status:
        gap = projector.residuals(time, y, U)
        worst = int(np.argmax([row[0] / one.size for row, one in zip(gap, compiled.loops)]))
        raise VehicleError(
            ending(status, compiled),
            where=f"loop {compiled.loops[worst].name}",
            found=f"a gap of {gap[worst, 0]:.6g} m",
            advice="start closer to a closed position, and check lengths and places",
        )
    found = unpack_state(compiled, y)
    driven = {joint.name for joint in vehicle.joints if any(m is not None for m in joint.motion)}
    return found.changed(
        joints={name: value for name, value in found.joints.items() if name not in driven},
        joint_rates={name: value for name, value in found.joint_rates.items() if name not in driven},
    )
