"""Simulation: a vehicle with loads and control laws, run to an end or stepped by external flight software.

Engines: theory section 5.2.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import IntegrationError, VehicleError
from tisserand.multibody.clockwork import Clockwork
from tisserand.multibody.controllers import Controller
from tisserand.multibody.engines import engine_named
from tisserand.multibody.engines.protocol import Engine
from tisserand.multibody.events import Event, barely_inside, limit_events, refuse_outside
from tisserand.multibody.filling import Filling, empty_run, same_instant
from tisserand.multibody.integrators import Stepper
from tisserand.multibody.loads import Load
from tisserand.multibody.loop_steps import LoopStepper
from tisserand.multibody.measurements import Measurement, measured, with_measurements
from tisserand.multibody.monitor import highest_frequency, validity_warnings
from tisserand.multibody.motion_tolerances import MotionSize
from tisserand.multibody.rate_jumps import RateJumps
from tisserand.multibody.recursive.compile import compile_vehicle, profiles_of
from tisserand.multibody.recursive.endings import NOT_FINITE, STOPPED
from tisserand.multibody.recursive.engine_model import POSE
from tisserand.multibody.recursive.hardware_endings import ending_with_laws
from tisserand.multibody.recursive.states import pack_state, unpack_state
from tisserand.multibody.recursive.wiring import RAMPED, READING
from tisserand.multibody.run_options import EngineName, IntegrationOptions, Method, OnLimit, RunOptions
from tisserand.multibody.signals import Signal
from tisserand.multibody.state import State
from tisserand.multibody.states_to_run import COUNTED, recorded, statistics_since
from tisserand.multibody.switches import Switches, closed_start, noted, stopped_axes, switch_events
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.trajectory_parts import EventRecord
from tisserand.multibody.vehicle import Vehicle

#: The defaults of every keyword here are those of the declared options.
DEFAULT, SAMPLES = IntegrationOptions(), RunOptions(duration=1.0).samples
#: Changes of held inputs that are remembered for the validity monitor.
HELD_CHANGES = 100_000


@checked_arguments(but=RunOptions.model_fields)
class Simulation:
    """A run in progress. ``step(dt, inputs)`` advances it; ``state`` and ``measurements`` can be read between steps.

    Attributes:
        vehicle: the vehicle.
        initial: state at the start; None is at rest with all coordinates zero.
        loads: loads that act.
        controllers: controllers that act.
        outputs: signals to record or to observe.
        events: crossings to watch for.
        start: time at the start, s.
        method: integration method; see ``simulate``.
        rtol: relative tolerance of the integrator.
        atol: absolute tolerance of the integrator; None: 1e-12 or less, by the size of the motion.
        on_limit: at a joint limit: ``stop`` the run, or ``record`` an event and go on.
        engine: ``recursive`` or ``likins``.
        max_steps: number of steps after which the run stops.
    """

    def __init__(
        self,
        vehicle: Vehicle,
        initial: State | None = None,
        *,
        loads: Sequence[Load] = (),
        controllers: Sequence[Controller] = (),
        outputs: Sequence[Signal | Measurement] = (),
        events: Sequence[Event] = (),
        start: float = 0.0,
        method: Method = DEFAULT.method,
        rtol: float = DEFAULT.rtol,
        atol: float | None = DEFAULT.atol,
        step: float | None = DEFAULT.step,
        on_limit: OnLimit = DEFAULT.on_limit,
        engine: EngineName = DEFAULT.engine,
        max_steps: int = DEFAULT.max_steps,
    ) -> None:
        chosen = IntegrationOptions(
            method=method, rtol=rtol, atol=atol, step=step, on_limit=on_limit, engine=engine, max_steps=max_steps
        )
        names = [signal.name for signal in outputs]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise VehicleError("two outputs have the same name", found=", ".join(twice), advice="rename one of them")
        switching = switch_events(vehicle, loads)
        watched = [
            *limit_events(vehicle, chosen.on_limit == "stop", stopped_axes(vehicle, loads)),
            *events,
            *(w.event for w in switching),
        ]
        self.measured_after = tuple(item for item in outputs if not isinstance(item, Signal))
        self.vehicle, self.loads, self.controllers = vehicle, tuple(loads), tuple(controllers)
        self.outputs, self.events = tuple(item for item in outputs if isinstance(item, Signal)), tuple(watched)
        self.compiled = compile_vehicle(vehicle, loads, controllers, [*self.outputs, *(e.signal for e in watched)])
        if chosen.on_limit == "stop":
            refuse_outside(vehicle, initial or State())
        y, U = pack_state(self.compiled, initial or State(), start)
        if not np.isfinite(y).all():
            raise VehicleError("the initial state is not finite", where=f"vehicle {vehicle.name}")
        barely_inside(vehicle, self.compiled.joint_q, y)
        self.doubts = closed_start(self.compiled, y, U, start)
        self.engine: Engine = engine_named(chosen.engine, self.compiled, loads, controllers)
        signals = np.array(self.compiled.wiring.extra[len(self.outputs) :], np.int64)
        acting = profiles_of(self.compiled, loads, controllers)
        self._stops = np.unique(np.concatenate([np.zeros(0), *(profile.stops(chosen.rtol) for profile in acting)]))
        self._motion = None if chosen.atol else MotionSize(self.compiled, chosen.rtol)
        if self._motion is not None:
            self._motion.start(y, U, start, self._stops.tolist())
        self.stepper = (LoopStepper if self.compiled.loops else Stepper)(
            engine=self.engine,
            y=y,
            U=U,
            method=chosen.method,
            rtol=chosen.rtol,
            atol=self._motion.atol if self._motion else chosen.atol or 0.0,
            max_step=chosen.step or self._default_step(),
            max_steps=chosen.max_steps,
            time=start,
            event_signals=signals,
            event_levels=np.array([float(e.level) for e in watched]),
            event_ways=np.array([e.direction + (10 if e.stop else 0) for e in watched], np.int64),
        )
        self._chosen, self._jumps = chosen, RateJumps(self.stepper)
        self._stops = np.union1d(self._stops, self._jumps.before)
        self._clockwork = Clockwork(
            self.compiled.wiring, start, read=self.stepper.signals, measure=self._measured, U=self.stepper.U
        )
        self._held_log: list[tuple[float, FloatArray]] = []
        self._stepped: list[tuple[float, FloatArray, FloatArray, float]] = []
        self._stepping = 0.0
        self._observed: tuple[FloatArray, Trajectory] | None = None
        self.happened: list[EventRecord] = []
        self.switches: Switches | None = None
        if isinstance(self.stepper, LoopStepper):
            self.switches = Switches(self.stepper, switching, len(watched) - len(switching))
            self.happened += self.switches.start()
            self._stops = np.union1d(self._stops, self.switches.times)

    def _default_step(self) -> float:
        """RK4 step: a fortieth of the shortest modal period, at most 10 ms."""
        f = highest_frequency(self.vehicle)
        return min(0.01, 1.0 / (40.0 * f)) if f > 0.0 else 0.01

    @property
    def method(self) -> str:
        """The method in use; of ``auto``, those used so far."""
        return self.stepper.method if self.stepper.auto is None else self.stepper.auto.methods

    @property
    def time(self) -> float:
        return self.stepper.time

    @property
    def state(self) -> State:
        """Named state at the present time."""
        return unpack_state(self.compiled, self.stepper.y)

    @property
    def measurements(self) -> dict[str, float]:
        """All signals at the present time."""
        return dict(zip(self.compiled.wiring.signal_names, (float(v) for v in self.stepper.signals())))

    def set_inputs(self, inputs: Mapping[str, float]) -> None:
        """Hold named inputs at new values."""
        for name, value in inputs.items():
            known = [word for word in self.compiled.wiring.held if not word.endswith((READING, *RAMPED))]
            if name not in known:
                raise VehicleError("unknown input", found=name, expected=", ".join(known) or "none")
            if not math.isfinite(value):
                raise VehicleError("an input is not finite", where=f"input {name}", found=value)
            self.stepper.U[POSE + self.compiled.wiring.held.index(name)] = value
        self._log_held()

    def __repr__(self) -> str:
        return f"<Simulation of {self.vehicle.name!r} at t = {self.time:.6g} s>"

    def step(self, dt: float, inputs: Mapping[str, float] | None = None) -> dict[str, float]:
        """Advance by ``dt`` with inputs held; measurements at the end. Raises IntegrationError when it cannot.

        ``trajectory()`` gives what was stepped.
        """
        if not dt > 0.0:
            raise VehicleError("the step must be positive", found=dt)
        self.set_inputs(inputs or {})
        if not self._stepped:
            self._sample()
            self._stepped.append(self._present())
        begun = clock.perf_counter()
        self.stepper.lost = np.zeros(0)
        status, _, _ = self._run(self.time + dt, np.zeros(0), np.zeros((0, self.compiled.size)), None)
        if status not in (0, -1):
            raise IntegrationError(ending_with_laws(status, self.compiled), where=f"t = {self.time:.9g} s")
        self._stepping += clock.perf_counter() - begun
        self._stepped.append(self._present())
        return self.measurements

    def _present(self) -> tuple[float, FloatArray, FloatArray, float]:
        """Time, state, held inputs and the method's loss."""
        return self.time, self.stepper.y.copy(), self.stepper.U.copy(), self.stepper.loss

    def _sample(self) -> None:
        """Read the sensors and call the laws that are due."""
        if self._clockwork.tick(self.time):
            self._log_held()

    def _measured(self, sensor: Measurement) -> float:
        """A measurement at the present state, which is observed once for all sensors that are due."""
        now = np.concatenate([[self.time], self.stepper.y, self.stepper.U])
        if self._observed is None or not np.array_equal(self._observed[0], now):
            self._observed = now, recorded(self, now[:1], self.stepper.y[None].copy(), self.stepper.U[None].copy())
        return float(measured(sensor, self._observed[1], self.vehicle, self.loads)[0])

    def _log_held(self) -> None:
        """Remember when held inputs change (up to a limit: only the monitor reads it), and fit the tolerance to them."""
        if self._motion is not None:
            before = self._motion.size
            self._motion.look(self.stepper.y, self.stepper.U, self.time)
            if self._motion.size > before:
                self.stepper.tolerate(self._motion.atol)
        now = self.stepper.U[POSE : POSE + len(self.compiled.wiring.held)]
        if len(self._held_log) < HELD_CHANGES and not (self._held_log and np.array_equal(self._held_log[-1][1], now)):
            self._held_log.append((self.time, now.copy()))

    def firings(self) -> dict[str, list[list[float]]]:
        """Start (s), duration (s) and strength of every firing of on-off thrusters so far, by thruster."""
        return self._clockwork.firings(self.time)

    def held_history(self) -> tuple[FloatArray, FloatArray]:
        """Times (c,) at which held inputs changed, and their values (c, inputs) from then on."""
        times = np.array([t for t, _ in self._held_log])
        return times, np.array([u for _, u in self._held_log]).reshape(len(times), len(self.compiled.wiring.held))

    def _fill(self, times: FloatArray, Y: FloatArray, held: FloatArray | None, filled: int) -> int:
        """Fill the output time that is present, if any; number of output times filled."""
        if filled < len(times) and times[filled] <= self.time:
            Y[filled], self.stepper.lost[filled] = self.stepper.y, self.stepper.loss
            if held is not None:
                held[filled] = self.stepper.U
            filled += 1
        return filled

    def _run(
        self, end: float, times: FloatArray, Y: FloatArray, held: FloatArray | None, filled: int = 0
    ) -> tuple[int, int, str]:
        """Advance to ``end`` over stops and samples; status, number of output times filled (some were before), reason."""
        reason = ""
        while self.time < end:
            if self._jumps.due():
                filled = self._fill(times, Y, held, filled)  # outputs show what follows the jump
                continue
            self._sample()
            stops = [end, self.stepper.look, *self._clockwork.upcoming()]
            following = int(np.searchsorted(self._stops, self.time + 1e-14, side="right"))
            stops += self._stops[following : following + 1].tolist()
            target = min(s for s in stops if s > self.time)
            target = target if target in self._jumps.before else same_instant(target, times, self.time)
            filled = self._fill(times, Y, held, filled)
            status = self.stepper.advance(target, times, Y, filled)
            last = int(np.searchsorted(times, self.time, side="right"))
            if held is not None:
                held[filled:last] = self.stepper.U
            filled = max(filled, last)
            if noted(self.happened, self.events, self.stepper, self.switches, status):
                status = 0
            if self.switches is not None and self.switches.failure:
                return NOT_FINITE, filled, f"{self.switches.failure} at t = {self.time:.9g} s"
            if status:
                reason = self.happened[-1].name if status == STOPPED else ending_with_laws(status, self.compiled)
                return status, filled, f"{reason} at t = {self.time:.9g} s"
        return 0, filled, reason

    def run(
        self,
        duration: float,
        times: ArrayLike | None = None,
        samples: int = SAMPLES,
        *,
        output_step: float | None = None,
    ) -> Trajectory:
        """Run for ``duration`` s; output at ``times`` (absolute, s), every ``output_step`` s, or at ``samples`` even times."""
        asked = RunOptions(duration=duration, samples=samples, output_step=output_step, **self._chosen.integration)
        duration, start = asked.duration, self.time
        grid = start + asked.output_times if times is None else np.array(times, float)
        if (
            grid.ndim != 1
            or len(grid) == 0
            or np.any(np.diff(grid) <= 0.0)
            or grid[0] < start
            or grid[-1] > start + duration * (1 + 1e-12)
        ):
            raise VehicleError("output times must increase within the run", found=f"{len(grid)} times")
        return validity_warnings(self.piece(duration, grid), self)

    def piece(self, span: float, grid: FloatArray) -> Trajectory:
        """Run for ``span`` s with output at ``grid`` (absolute, increasing, s); the validity of the result is not judged."""
        filling = self.begin(grid)
        self.extend(filling, self.time + span)
        return self.filled(filling)

    def begin(self, grid: FloatArray) -> Filling:
        """An empty run with output at ``grid``, to be extended from the present time."""
        return empty_run(self, grid)

    def extend(self, run: Filling, end: float) -> bool:
        """Integrate to ``end``, s, filling the output times of ``run`` up to it; whether it got there."""
        self.stepper.lost = run.lost
        if isinstance(self.stepper, LoopStepper):
            self.stepper.history = run.drift
        begun = clock.perf_counter()
        run.ended(self.stepper, *self._run(end, run.grid, run.Y, run.held, run.filled))
        run.wall += clock.perf_counter() - begun
        return run.status == 0

    def filled(self, run: Filling) -> Trajectory:
        """The trajectory of a run as far as it is filled; its validity is not judged."""
        made = recorded(
            self,
            *run.rows(),
            span=self.time - run.start,
            statistics=statistics_since(self, run.counted, run.wall),
            complete=run.status == 0,
            reason=run.reason,
            events=tuple(self.happened[run.before :]),
        )
        return with_measurements(made, self.measured_after, self.vehicle, self.loads)

    def trajectory(self) -> Trajectory:
        """What ``step`` has simulated so far: histories at the start and at the end of every step, with inputs as held before.

        Raises VehicleError before the first step.
        """
        if not self._stepped:
            raise VehicleError("nothing has been stepped yet", where=f"vehicle {self.vehicle.name}", advice="call step")
        times, Y, held, lost = (np.array(column) for column in zip(*self._stepped))
        run = recorded(
            self,
            times,
            Y,
            held,
            lost,
            span=float(times[-1] - times[0]),
            statistics=statistics_since(self, [0] * len(COUNTED), self._stepping),
            events=tuple(self.happened),
        )
        return validity_warnings(with_measurements(run, self.measured_after, self.vehicle, self.loads), self)


@checked_arguments(but=RunOptions.model_fields)
def simulate(
    vehicle: Vehicle,
    duration: float,
    initial: State | None = None,
    *,
    loads: Sequence[Load] = (),
    controllers: Sequence[Controller] = (),
    outputs: Sequence[Signal | Measurement] = (),
    events: Sequence[Event] = (),
    times: ArrayLike | None = None,
    samples: int = SAMPLES,
    output_step: float | None = None,
    start: float = 0.0,
    method: Method = DEFAULT.method,
    rtol: float = DEFAULT.rtol,
    atol: float | None = DEFAULT.atol,
    step: float | None = DEFAULT.step,
    on_limit: OnLimit = DEFAULT.on_limit,
    engine: EngineName = DEFAULT.engine,
    max_steps: int = DEFAULT.max_steps,
) -> Trajectory:
    """Run a vehicle for ``duration`` s and return the trajectory with its balance sheet and warnings.

    method: ``auto`` (``dop853`` until its steps are bound by stability, then ``esdirk`` or ``Radau`` if that is cheaper),
    ``dop853`` (explicit, order 8), ``esdirk`` (implicit in modes and joint springs, order 4), ``rk4`` (fixed ``step``, s), or
    scipy's ``Radau``, ``BDF``, ``LSODA``; all but rk4 are adaptive. engine: ``recursive`` or ``likins`` (the readable reference,
    slow). A run that must stop (event, joint limit, failed step) returns the results so far, with the reason.

    Args:
        initial: state at the start; None is at rest with all coordinates zero.
        loads: loads that act.
        controllers: controllers that act.
        outputs: signals to record or to observe.
        events: crossings to watch for.
        times: output times (n,), s; by default evenly spaced.
        samples: number of output times where none are given.
        output_step: interval between output times, s; instead of ``samples``.
        start: time at the start, s.
        rtol: relative tolerance of the integrator.
        atol: absolute tolerance of the integrator; None: 1e-12 or less, by the size of the motion.
        on_limit: at a joint limit: ``stop`` the run, or ``record`` an event and go on.
        max_steps: number of steps after which the run stops.
    """
    simulation = Simulation(
        vehicle,
        initial,
        loads=loads,
        controllers=controllers,
        outputs=outputs,
        events=events,
        start=start,
        method=method,
        rtol=rtol,
        atol=atol,
        step=step,
        on_limit=on_limit,
        engine=engine,
        max_steps=max_steps,
    )
    return simulation.run(duration, times, samples, output_step=output_step)
