"""Linearisation about any state: mass, damping, gyroscopic and stiffness matrices, state space.

Displacements q and speeds u = q' + W q are those of :mod:`perturbed`, so M u' + S u + k q = 0 becomes
M q'' + (M W + S) q' + (k + S W) q = 0. M is exact (the kinetic energy is a quadratic form of the speeds); the rest are
fourth-order central differences.

References: S0 Eqs 112-117; theory section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray, frozen, symmetric
from tisserand.errors import VehicleError
from tisserand.multibody.controllers import Controller, LinearController
from tisserand.multibody.loads import Load
from tisserand.multibody.perturbed import Perturbed
from tisserand.multibody.recursive import layout as at
from tisserand.multibody.recursive.compile import compile_vehicle
from tisserand.multibody.recursive.states import pack_state
from tisserand.multibody.signals import Signal
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle


@dataclass(frozen=True, eq=False, repr=False)
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


def linearize(
    vehicle: Vehicle,
    state: State | None = None,
    *,
    loads: Sequence[Load] = (),
    controllers: Sequence[Controller] = (),
    outputs: Sequence[Signal] = (),
    time: float = 0.0,
    step: float = 1e-3,
) -> LinearModel:
    """Linear model about a state. Inputs are the named inputs of ``loads``; controllers must be linear blocks.

    ``step`` scales the differences: turns in rad, lengths in m, modal coordinates so that nodes move by about that much.

    Args:
        vehicle: the vehicle.
        outputs: signals to observe.
        time: time of the linearization, s, for profiles and prescribed motion.
    """
    p = around(vehicle, state, loads, controllers, outputs, time)
    return model_of(p, p.mass(), step, outputs)


linearise = linearize


def around(
    vehicle: Vehicle,
    state: State | None,
    loads: Sequence[Load],
    controllers: Sequence[Controller],
    outputs: Sequence[Signal] = (),
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
    compiled = compile_vehicle(vehicle, loads, controllers, outputs)
    y, U = pack_state(compiled, state or State(), time)
    return Perturbed(compiled, y, U, time)


def model_of(p: Perturbed, mass: FloatArray, step: float, outputs: Sequence[Signal] = ()) -> LinearModel:
    """The linear model with differences of one step; ``mass`` as from ``p.mass()``."""
    compiled, U, M = p.c, p.U, mass
    n, nx = p.count, int(compiled.I[at.STATES])
    size = 2 * n + nx
    J = p.slopes(step)
    held = compiled.wiring.held
    E = np.zeros((J.shape[0], len(held)))
    for i in range(len(held)):
        up, down = U.copy(), U.copy()
        up[7 + i] += 1.0
        down[7 + i] -= 1.0
        E[:, i] = 0.5 * (p.evaluate(np.zeros(size), up) - p.evaluate(np.zeros(size), down))
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
    wanted = [n + nx + i for i in compiled.wiring.extra]
    return LinearModel(
        tuple(p.names),
        tuple(held),
        tuple(s.name for s in outputs),
        M,
        symmetric(rates),
        rates - symmetric(rates),
        k + S @ W,
        M @ E[:n],
        A,
        B,
        Jq[wanted],
        E[wanted],
        p.evaluate(np.zeros(size))[:n],
    )
