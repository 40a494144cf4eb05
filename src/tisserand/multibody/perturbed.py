"""A vehicle displaced a little from one state: displacements, speeds, accelerations, and the mass matrix.

Small motions are described by displacements q: base position (3, inertial axes), base turn (3, rotation vector in base
axes), joint coordinates (ball: rotation vector in child-side axes), modal coordinates, rotor angles. The speeds u of the
engine obey u = q' + W q with W = w0~ on the turns. In orbiting axes R (theory section 10) the base position and velocity
are components along R: W = wR~ on them too, and u' = C_RN a - wR x u.

References: S0 Eqs 112-117; theory section 6.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray, skew
from tisserand.errors import VehicleError
from tisserand.multibody.attitude import direction_cosines
from tisserand.multibody.integrators import ending
from tisserand.multibody.orbit_axes import OrbitAxes
from tisserand.multibody.recording import kinetic_energies, record
from tisserand.multibody.recursive import layout as at
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.kernels import kernels
from tisserand.multibody.trajectory import StepStatistics, Trajectory


class Perturbed:
    """Right-hand side, signals and kinetic energy around one state, in displacements and speeds."""

    def __init__(
        self, compiled: CompiledVehicle, y: FloatArray, U: FloatArray, time: float, orbit: OrbitAxes | None = None
    ) -> None:
        rhs = kernels().rhs
        self.c, self.y, self.U, self.time, self._rhs = compiled, y, U, time, rhs
        self.orbit = orbit if compiled.vehicle.base_motion == "free" else None
        self.W, self.dy = compiled.workspace(), np.zeros_like(y)
        self.names: list[str] = []
        self.place: list[int] = []
        self.speed: list[int] = []
        self.turn = np.zeros((0, 0))
        self.notes: tuple[str, ...] = ()
        self._collect()

    @property
    def base_rate(self) -> FloatArray:
        """(3,) angular velocity of the base, rad/s, in orbiting axes (inertial ones without an orbit)."""
        s = self.c.speeds
        w_BN_N = np.asarray(direction_cosines(self.y[3:7])) @ self.y[s + 3 : s + 6]
        return w_BN_N if self.orbit is None else self.orbit.C_RN @ w_BN_N

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
        if self.orbit is not None:
            self.turn[:3, :3] = skew(self.orbit.w_RN_R)

    def _add(self, name: str, place: int, speed: int) -> None:
        self.names.append(name)
        self.place.append(place)
        self.speed.append(speed)

    def moved(self, delta: FloatArray) -> FloatArray:
        """State displaced by ``delta`` = [q; u; controllers]."""
        n, y = self.count, self.y.copy()
        if self.orbit is not None:
            delta = delta.copy()
            delta[:3], delta[n : n + 3] = delta[:3] @ self.orbit.C_RN, delta[n : n + 3] @ self.orbit.C_RN
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
        y = self.moved(delta)
        status = self._rhs(self.c.I, self.c.F, self.W, self.U if U is None else U, self.time, y, self.dy)
        if status:
            raise VehicleError(
                "the vehicle cannot be linearized at this state",
                found=ending(status, self.c),
                advice="move it a little",
            )
        x, s = int(self.c.I[at.STATE]), int(self.c.I[at.SIGNAL_WORK])
        acceleration = self.dy[self.speed]
        if self.orbit is not None:
            C, w = self.orbit.C_RN, self.orbit.w_RN_R
            acceleration[:3] = C @ acceleration[:3] - np.cross(w, C @ y[self.speed[:3]])
        return np.concatenate([acceleration, self.dy[x : self.c.account], self.W[s : s + int(self.c.I[at.SIGNALS])]])

    def observed(self, deltas: FloatArray, inputs: FloatArray) -> Trajectory:
        """The displaced states (N, 2 n + controllers) with their inputs (N, m) as rows of a run, all at one time."""
        held = np.tile(self.U, (len(deltas), 1))
        held[:, 7 : 7 + inputs.shape[1]] += inputs
        Y = np.array([self.moved(delta) for delta in deltas])
        times = np.full(len(deltas), self.time)
        return record(
            self.c,
            times,
            Y,
            held,
            statistics=StepStatistics("displaced"),
            complete=True,
            reason="",
            events=(),
            settings={},
        )

    def mass(self) -> FloatArray:
        """M_ij = T(e_i + e_j) - T(e_i) - T(e_j) + T(0), exact for a quadratic form."""
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
        if self.orbit is not None:
            M[:3] = self.orbit.C_RN @ M[:3]
            M[:, :3] = M[:, :3] @ self.orbit.C_RN.T
        return M

    def scales(self) -> FloatArray:
        """(n,) one for lengths and turns; for a mode the coordinate that moves a node by one meter or turns one by one radian."""
        sizes = np.ones(self.count)
        for body in self.c.tree.bodies:
            for block in body.blocks:
                nodes = block.mount.record.nodes
                shapes = np.concatenate([nodes.translation, nodes.rotation])  # torsion turns its nodes and moves none
                largest = np.abs(shapes).max(axis=(0, 1), initial=0.0)
                for i, size in enumerate(largest):
                    sizes[self.names.index(f"{block.name}.eta{i + 1}")] = 1.0 / size if size > 0.0 else 1.0
        return sizes

    def steps(self, step: float) -> FloatArray:
        """(2 n + controllers,) length of the differences in each direction."""
        n, nx = self.count, int(self.c.I[at.STATES])
        steps = np.full(2 * n + nx, step)
        steps[: 2 * n] *= np.tile(self.scales(), 2)
        return steps

    def slopes(self, step: float, columns: IntArray | None = None) -> FloatArray:
        """Derivatives of ``evaluate`` with respect to [q; u; controllers] (all, or some columns), central, fourth order."""
        steps = self.steps(step)
        chosen = np.arange(len(steps)) if columns is None else columns
        J = np.zeros((len(self.evaluate(np.zeros(len(steps)))), len(chosen)))
        for column, i in enumerate(chosen):
            d = np.zeros(len(steps))
            d[i] = steps[i]
            near, far = self.evaluate(d) - self.evaluate(-d), self.evaluate(2.0 * d) - self.evaluate(-2.0 * d)
            J[:, column] = (8.0 * near - far) / (12.0 * steps[i])
        return J
