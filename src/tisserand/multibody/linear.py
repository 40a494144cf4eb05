"""Linearisation about any state: mass, damping, gyroscopic and stiffness matrices, state space, system modes.

Small motions are described by displacements q: base position (3, inertial axes), base turn (3, rotation vector in base
axes), joint coordinates (ball: rotation vector in child-side axes), modal coordinates, rotor angles. The speeds u of the
engine obey u = q' + W q with W = w0~ on the turns, so M u' + S u + k q = 0 becomes M q'' + (M W + S) q' + (k + S W) q = 0.
M is exact (the kinetic energy is a quadratic form of the speeds); the rest are fourth-order central differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray, frozen, skew, symmetric
from tisserand.errors import VehicleError
from tisserand.multibody.controllers import Controller, LinearController
from tisserand.multibody.loads import Load
from tisserand.multibody.recursive import layout as at
from tisserand.multibody.recursive.compile import CompiledVehicle, compile_vehicle
from tisserand.multibody.recursive.states import pack_state
from tisserand.multibody.signals import Signal
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel:
    """M q'' + (D + G) q' + K q = F input, and x' = A x + B input, output = C x + D_out input, x = [q; q'; controllers].

    D symmetric, G skew; K holds the change of all forces with q (symmetric for conservative vehicles at rest).
    residual: accelerations u' at the state itself, zero for an equilibrium or a steady motion.
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

    @property
    def poles(self) -> ComplexArray:
        """Eigenvalues of A, rad/s, sorted by size."""
        values = np.linalg.eigvals(self.A)
        return np.asarray(values[np.argsort(np.abs(values), kind="stable")])


@dataclass(frozen=True, eq=False, repr=False)
class SystemModes:
    """Vibration modes of the whole vehicle about a state; frequencies_hz (m,), damping_ratios (m,), shapes (n, m) complex.

    rigid: number of zero-frequency motions left out; eigenvalues (m,) with positive imaginary part.
    """

    coordinates: tuple[str, ...]
    eigenvalues: ComplexArray
    shapes: ComplexArray
    rigid: int

    @property
    def frequencies_hz(self) -> FloatArray:
        """|lambda| / 2 pi."""
        return np.asarray(np.abs(self.eigenvalues) / (2.0 * np.pi))

    @property
    def damping_ratios(self) -> FloatArray:
        return np.asarray(-self.eigenvalues.real / np.abs(self.eigenvalues))


class _Perturbed:
    """Right-hand side, signals and kinetic energy around one state, in displacements and speeds."""

    def __init__(self, compiled: CompiledVehicle, y: FloatArray, U: FloatArray, time: float) -> None:
        from tisserand.multibody.recursive._kernels_solve import rhs

        self.c, self.y, self.U, self.time, self._rhs = compiled, y, U, time, rhs
        self.W, self.dy = compiled.workspace(), np.zeros_like(y)
        self.names: list[str] = []
        self.place: list[int] = []
        self.speed: list[int] = []
        self.turn = np.zeros((0, 0))
        self._collect()

    def _collect(self) -> None:
        c = self.c
        groups: list[tuple[int, int]] = []  # (first displacement, quaternion place) of turns
        if c.vehicle.base_motion == "free":
            for i in range(3):
                self._add(f"base.{'xyz'[i]}", i, c.speeds + i)
            groups.append((len(self.names), 3))
            for i in range(3):
                self._add(f"base.turn.{'xyz'[i]}", -1, c.speeds + 3 + i)
        for k, body in enumerate(c.tree.bodies[1:], start=1):
            row = int(c.I[at.BODY_TABLE]) + k * at.B_STRIDE
            q, u = int(c.I[row + at.B_Q]), int(c.I[row + at.B_U])
            if body.kind == "ball":
                groups.append((len(self.names), q))
                for i in range(3):
                    self._add(f"{body.joint}.turn.{'xyz'[i]}", -1, u + i)
            elif body.kind in ("hinge", "prismatic") and body.motion is None:
                many = len(c.vehicle.joint(str(body.joint)).axes) > 1
                self._add(f"{body.joint}.{body.joint_axis + 1}" if many else str(body.joint), q, u)
        for name in c.eta:
            eta, rate = c.eta_places(name)
            for i, (a, b) in enumerate(zip(range(eta.start, eta.stop), range(rate.start, rate.stop))):
                self._add(f"{name}.eta{i + 1}", a, b)
        for rotor in c.vehicle.rotors:
            if rotor.mode == "torque":
                self._add(rotor.name, *c.rotor_places(rotor.name))
        self.groups = groups
        self.count = len(self.names)
        self.turn = np.zeros((self.count, self.count))
        for first, _ in groups:
            w = self.y[self.speed[first : first + 3]]
            self.turn[first : first + 3, first : first + 3] = skew(w)

    def _add(self, name: str, place: int, speed: int) -> None:
        self.names.append(name)
        self.place.append(place)
        self.speed.append(speed)

    def moved(self, delta: FloatArray) -> FloatArray:
        """State displaced by ``delta`` = [q; u; controllers]."""
        n, y = self.count, self.y.copy()
        for i in range(n):
            if self.place[i] >= 0:
                y[self.place[i]] += delta[i]
        for first, place in self.groups:
            r = delta[first : first + 3]
            angle = float(np.linalg.norm(r))
            s = 0.5 * np.sinc(angle / (2.0 * np.pi))
            a, b = np.cos(0.5 * angle), s * r
            q, v = self.y[place], self.y[place + 1 : place + 4]
            y[place], y[place + 1 : place + 4] = q * a - v @ b, q * b + a * v + np.cross(v, b)
        y[self.speed] += delta[n : 2 * n]
        x = int(self.c.I[at.STATE])
        y[x : self.c.account] += delta[2 * n :]
        return y

    def evaluate(self, delta: FloatArray, U: FloatArray | None = None) -> FloatArray:
        """Accelerations, controller rates and signals at a displaced state."""
        status = self._rhs(
            self.c.I, self.c.F, self.W, self.U if U is None else U, self.time, self.moved(delta), self.dy
        )
        if status:
            raise VehicleError("the vehicle cannot be linearised at this state", found=f"status {status}")
        x, s = int(self.c.I[at.STATE]), int(self.c.I[at.SIGNAL_WORK])
        return np.concatenate(
            [self.dy[self.speed], self.dy[x : self.c.account], self.W[s : s + int(self.c.I[at.SIGNALS])]]
        )

    def mass(self) -> FloatArray:
        """M_ij = T(e_i + e_j) - T(e_i) - T(e_j) + T(0), exact for a quadratic form."""
        from tisserand.multibody.recording import kinetic_energies

        n = self.count
        still = self.y.copy()
        still[self.c.speeds : int(self.c.I[at.STATE])] = 0.0
        pairs = [(i, j) for i in range(n) for j in range(i, n)]
        Y = np.tile(still, (1 + n + len(pairs), 1))
        for i in range(n):
            Y[1 + i, self.speed[i]] += 1.0
        for p, (i, j) in enumerate(pairs):
            Y[1 + n + p, self.speed[i]] += 1.0
            Y[1 + n + p, self.speed[j]] += 1.0
        T = kinetic_energies(self.c, self.time, Y, self.U)
        M = np.zeros((n, n))
        for p, (i, j) in enumerate(pairs):
            M[i, j] = M[j, i] = T[1 + n + p] - T[1 + i] - T[1 + j] + T[0]
        return M


def linearise(
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
    """
    for controller in controllers:
        if not isinstance(controller, LinearController):
            raise VehicleError(
                "a sampled control law has no linear model",
                where=f"controller {controller.name}",
                advice="use a linear block",
            )
    compiled = compile_vehicle(vehicle, loads, controllers, outputs)
    y, U = pack_state(compiled, state or State(), time)
    p = _Perturbed(compiled, y, U, time)
    n, nx = p.count, int(compiled.I[at.STATES])
    size = 2 * n + nx
    steps = np.full(size, step)
    steps[: 2 * n] *= np.tile(_scales(compiled, p.names), 2)
    J = np.zeros((len(p.evaluate(np.zeros(size))), size))
    for i in range(size):
        d = np.zeros(size)
        d[i] = steps[i]
        J[:, i] = (8.0 * (p.evaluate(d) - p.evaluate(-d)) - p.evaluate(2.0 * d) + p.evaluate(-2.0 * d)) / (
            12.0 * steps[i]
        )
    held = compiled.wiring.held
    E = np.zeros((J.shape[0], len(held)))
    for i in range(len(held)):
        up, down = U.copy(), U.copy()
        up[7 + i] += 1.0
        down[7 + i] -= 1.0
        E[:, i] = 0.5 * (p.evaluate(np.zeros(size), up) - p.evaluate(np.zeros(size), down))
    M, W = p.mass(), p.turn
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


def _scales(compiled: CompiledVehicle, names: Sequence[str]) -> FloatArray:
    """One for lengths and turns; for a mode the coordinate that moves a node by one metre or turns one by one radian."""
    scales = np.ones(len(names))
    for body in compiled.tree.bodies:
        for block in body.blocks:
            nodes = block.mount.record.nodes
            shapes = np.concatenate(
                [nodes.translation, nodes.rotation]
            )  # a mode of torsion turns its nodes and moves none
            largest = np.abs(shapes).max(axis=(0, 1), initial=0.0)
            for i, size in enumerate(largest):
                scales[names.index(f"{block.name}.eta{i + 1}")] = 1.0 / size if size > 0.0 else 1.0
    return scales


def system_modes(
    vehicle: Vehicle,
    state: State | None = None,
    *,
    loads: Sequence[Load] = (),
    controllers: Sequence[Controller] = (),
    time: float = 0.0,
) -> SystemModes:
    """Vibration modes of the whole vehicle about a state (hybrid coordinates), rigid motions left out.

    At rest without damping the symmetric problem K x = w^2 M x is solved (real shapes); otherwise the poles of A.
    """
    model = linearise(vehicle, state, loads=loads, controllers=controllers, time=time)
    n = len(model.coordinates)
    size = max(float(np.abs(model.stiffness).max(initial=0.0)), 1e-300)
    quiet = (
        np.abs(model.damping).max(initial=0.0) < 1e-7 * size and np.abs(model.gyroscopic).max(initial=0.0) < 1e-7 * size
    )
    if (
        quiet
        and model.A.shape[0] == 2 * n
        and np.abs(model.stiffness - model.stiffness.T).max(initial=0.0) < 1e-6 * size
    ):
        from scipy.linalg import eigh

        values, vectors = eigh(symmetric(model.stiffness), symmetric(model.mass))
        # round-off leaves rigid motions below 1e-15 of the highest eigenvalue; soft booms reach down to 1e-9 of it
        moving = values > 1e-12 * max(float(values.max(initial=0.0)), 1e-300)
        return SystemModes(
            model.coordinates, 1j * np.sqrt(values[moving]), vectors[:, moving].astype(complex), int((~moving).sum())
        )
    values, vectors = np.linalg.eig(model.A)
    largest = float(np.abs(values).max(initial=0.0))
    keep = np.flatnonzero((values.imag > 1e-6 * largest) & (np.abs(values) > 1e-5 * largest))
    keep = keep[np.argsort(np.abs(values[keep]), kind="stable")]
    rigid = int((np.abs(values) <= 1e-5 * largest).sum()) // 2
    return SystemModes(model.coordinates, values[keep].astype(complex), vectors[:n, keep].astype(complex), rigid)
