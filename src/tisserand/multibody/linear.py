"""Linearization about any state: mass, damping, gyroscopic and stiffness matrices, state space.

Displacements q and speeds u = q' + W q are those of :mod:`perturbed`, so M u' + S u + k q = 0 becomes
M q'' + (M W + S) q' + (k + S W) q = 0. M is exact (the kinetic energy is a quadratic form of the speeds), and so are the rest:
derivatives by complex step through the engine.

References: S0 Eqs 112-117; theory section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import ComplexArray, FloatArray, frozen, symmetric
from tisserand.errors import InputError, VehicleError
from tisserand.multibody.controllers import Controller, LinearController
from tisserand.multibody.displaced import DisplacedRows
from tisserand.multibody.loads import Load
from tisserand.multibody.loop_linear import along_loops, kept_motions
from tisserand.multibody.measurements import Measurement, measured
from tisserand.multibody.motion_integrals import center_motion
from tisserand.multibody.orbit_axes import frozen_fields, orbit_axes
from tisserand.multibody.perturbed import STEP, Perturbed
from tisserand.multibody.profiles import Profile
from tisserand.multibody.recursive.compile import compile_vehicle
from tisserand.multibody.recursive.states import pack_state
from tisserand.multibody.signals import Signal
from tisserand.multibody.spin_doubts import spin_doubt
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_doubts import vehicle_doubts
from tisserand.notebook_html import html_table


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LinearModel:
    """M q'' + (D + G) q' + K q = F input, and x' = A x + B input, output = C x + D_out input, x = [q; q'; controllers].

    D symmetric, G skew; K holds the change of all forces with q (symmetric for conservative vehicles at rest).
    residual: accelerations u' at the state itself, zero for an equilibrium or a steady motion.

    Attributes:
        coordinates: names of q.
        inputs: names of the inputs.
        outputs: names of the outputs.
        mass: M.
        damping: D.
        gyroscopic: G.
        stiffness: K.
        force: F.
        axes: what base.x, y, z are components along: inertial axes, or orbiting ones (vertical, along track, normal) where a
            field of an orbit acts.
        time: epoch, s, at which fields were taken.
        notes: sentences about doubtful parts, fields that had to be frozen, commands that stand at their limit, and spin
            without geometric stiffness.
    """

    coordinates: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    mass: FloatArray
    damping: FloatArray
    gyroscopic: FloatArray
    stiffness: FloatArray
    force: FloatArray
    A: FloatArray
    B: FloatArray
    C: FloatArray
    D: FloatArray
    residual: FloatArray
    axes: Literal["inertial", "orbit"] = "inertial"
    time: float = 0.0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for word in ("mass", "damping", "gyroscopic", "stiffness", "force", "A", "B", "C", "D", "residual"):
            object.__setattr__(self, word, frozen(getattr(self, word)))

    def __repr__(self) -> str:
        return f"<LinearModel: {len(self.coordinates)} coordinates, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"

    @property
    def poles(self) -> ComplexArray:
        """Eigenvalues of A, rad/s, sorted by size."""
        values = np.linalg.eigvals(self.A)
        return np.asarray(values[np.argsort(np.abs(values), kind="stable")])

    def _repr_html_(self) -> str:
        poles = self.poles[:12]
        rows = [(p.real, p.imag, abs(p) / (2.0 * np.pi), -p.real / max(abs(p), 1e-300)) for p in poles.tolist()]
        return html_table(
            repr(self)[1:-1], ("real (1/s)", "imaginary (rad/s)", "frequency (Hz)", "damping ratio"), rows
        )

    def to_control(self) -> Any:
        """The same as a python-control ``StateSpace`` with names (dots become underscores); needs the extra ``control``."""
        try:
            import control
        except ImportError as error:
            raise InputError("python-control is not installed", advice="pip install 'tisserand[control]'") from error

        def plain(names: tuple[str, ...]) -> list[str]:
            return [name.replace(".", "_") for name in names]

        return control.ss(self.A, self.B, self.C, self.D, inputs=plain(self.inputs), outputs=plain(self.outputs))


@checked_arguments
def linearize(
    vehicle: Vehicle,
    state: State | None = None,
    *,
    loads: Sequence[Load] = (),
    controllers: Sequence[Controller] = (),
    outputs: Sequence[Signal | Measurement] = (),
    time: float = 0.0,
) -> LinearModel:
    """Linear model about a state.

    Args:
        vehicle: the vehicle.
        state: state to linearize about; at rest by default.
        loads: each is an input of the same name, a deviation from its strength at the state. Loads of constant strength and
            fields (gravity gradient, magnetic) act there, loads that vary in time do not. A field of an orbit makes the model
            one in orbiting axes (theory section 10).
        controllers: linear blocks that close their loops; sampled laws are refused.
        outputs: signals, accelerometers, node rotations and joint loads: the rows of C and D in this order.
        time: epoch, s, at which fields and prescribed motions are taken.
    """
    seen = [item.ideal if isinstance(item, Signal) else item for item in outputs]
    p = around(vehicle, state, loads, controllers, seen, time)
    model = model_of(p, p.mass(), seen)
    return along_loops(p, model, *kept_motions(p)) if p.c.loops else model


def around(
    vehicle: Vehicle,
    state: State | None,
    loads: Sequence[Load],
    controllers: Sequence[Controller],
    outputs: Sequence[Signal | Measurement] = (),
    time: float = 0.0,
) -> Perturbed:
    """The vehicle ready to be displaced from a state; sampled control laws are refused."""
    for controller in controllers:
        if not isinstance(controller, LinearController):
            raise VehicleError(
                "a sampled control law has no linear model",
                where=f"controller {controller.name}",
                advice="use a linear block",
            )
    signals = [item for item in outputs if isinstance(item, Signal)]
    exact = [replace(c, inputs=tuple(_ideal(c, s) for s in c.inputs)) for c in controllers]  # type: ignore[type-var]
    compiled = compile_vehicle(vehicle, linear_loads(loads), exact, signals)
    y, U = pack_state(compiled, state or State(), time)
    motion = center_motion(compiled, y, U, time) if compiled.surroundings else ()
    orbit = orbit_axes(loads, time, motion)
    p = Perturbed(compiled, y, U, time, orbit)
    fields = frozen_fields(loads, p.base_rate, orbit, time, motion)
    p.notes = (*vehicle_doubts(vehicle), *fields, *_saturated(p), *_spinning(p))
    return p


def _ideal(controller: Controller, signal: Signal) -> Signal:
    """What a law reads in a linear model: sensors without errors."""
    if signal.measures is not None:
        raise VehicleError(
            "a law that reads accelerations or joint loads has no linear model",
            where=f"controller {controller.name}, sensor {signal.name}",
            advice="leave the loop open",
        )
    return signal.ideal  # type: ignore[no-any-return]


def _spinning(p: Perturbed) -> tuple[str, ...]:
    """One sentence per appendage that spins at the state without the geometric stiffness it needs."""
    spin, names = np.linalg.norm(p.body_rates, axis=1), [body.name for body in p.c.tree.bodies]
    if not spin.any():
        return ()
    mounts = p.c.vehicle.appendages
    found = (spin_doubt(m, float(spin[names.index(m.name if m.name in names else m.body)])) for m in mounts)
    return tuple(doubt for doubt in found if doubt is not None)


def _saturated(p: Perturbed) -> tuple[str, ...]:
    """One sentence per command that stands at its limit, where small motions do not change it."""
    c = p.c
    states, signals, commands = c.states, int(c.head["signals"]), int(c.head["commands"])
    if not commands:
        return ()
    p.evaluate(np.zeros(2 * p.count + states))
    first = int(c.head["control"]) + (states + commands) * (states + signals)
    low, high = c.F[first : first + 2 * commands].reshape(commands, 2).T
    values = c.opened(p.W).commands
    return tuple(
        f"command {name} stands at its limit of {value:.6g}, so its loop is open in the linear model"
        for name, value, a, b in zip(c.wiring.commands, values, low, high)
        if not a < value < b
    )


def linear_loads(loads: Sequence[Load]) -> list[Load]:
    """The loads as a linear model sees them: steady ones act, and each is also driven by an input of the same name."""
    out: list[Load] = []
    for load in loads:
        if load.wheel is not None:  # within its limits, and imbalance is a disturbance; its drag is another load
            continue
        source = load.source
        if not isinstance(source, Profile):
            out.append(load)
            continue
        if is_constant(source):
            out.append(load)
        if load.kind != "gradient":
            out.append(replace(load.driven_by(load.name), name=f"{load.name} (input)"))
    return out


def is_constant(profile: Profile) -> bool:
    """Whether a profile has one value at all times of a run."""
    return len(profile.starts) == 1 and profile.starts[0] <= 0.0 and not profile.pieces[0, 1:5].any()


def model_of(p: Perturbed, mass: FloatArray, outputs: Sequence[Signal | Measurement] = ()) -> LinearModel:
    """The linear model; ``mass`` as from ``p.mass()``."""
    M, held = mass, p.c.wiring.held
    n, nx = p.count, p.c.states
    size = 2 * n + nx
    rows = p.displaced(np.arange(size + len(held)))
    every = p.slopes_of(rows)
    J, E = every[:, :size], every[:, size:]
    W = p.turn
    # from (q, u) to (q, q'): u = q' + W q
    to_q = np.eye(size)
    to_q[n : 2 * n, :n] = W
    Jq = J @ to_q
    S, k = -M @ J[:n, n : 2 * n], -M @ J[:n, :n]
    rates = M @ W + S
    A = np.zeros((size, size))
    A[:n, n : 2 * n] = np.eye(n)
    A[n : 2 * n] = Jq[:n]
    A[n : 2 * n, n : 2 * n] -= W
    A[2 * n :] = Jq[n : n + nx]
    B = np.vstack([np.zeros((n, len(held))), E[:n], E[n : n + nx]])
    C, D = _outputs(p, rows, outputs, Jq, E, to_q)
    return LinearModel(
        coordinates=tuple(p.names),
        inputs=tuple(held),
        outputs=tuple(s.name for s in outputs),
        mass=M,
        damping=symmetric(rates),
        gyroscopic=rates - symmetric(rates),
        stiffness=k + S @ W,
        force=M @ E[:n],
        A=A,
        B=B,
        C=C,
        D=D,
        residual=p.evaluate(np.zeros(size))[:n],
        axes="inertial" if p.orbit is None else "orbit",
        time=p.time,
        notes=p.notes,
    )


def _outputs(
    p: Perturbed,
    rows: DisplacedRows,
    outputs: Sequence[Signal | Measurement],
    Jq: FloatArray,
    E: FloatArray,
    to_q: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """C and D: signals from the derivatives already taken, measurements from the rows they were taken from."""
    size = len(to_q)
    signals = iter(p.count + p.c.states + i for i in p.c.wiring.extra)
    C, D = np.zeros((len(outputs), size)), np.zeros((len(outputs), E.shape[1]))
    for i, item in enumerate(outputs):
        if isinstance(item, Signal):
            row = next(signals)
            C[i], D[i] = Jq[row], E[row]
        else:
            slopes = measured(item, rows, p.c.vehicle, p.c.fields).imag / STEP
            C[i], D[i] = slopes[:size] @ to_q, slopes[size:]
    return C, D
