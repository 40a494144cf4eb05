"""A vehicle slightly displaced from one state: displacements, speeds, accelerations, and the mass matrix.

Small motions are described by displacements q: base position (3, inertial axes), base turn (3, rotation vector in base
axes), joint coordinates (ball: rotation vector in child-side axes), modal coordinates, rotor angles. The speeds u of the
engine obey u = q' + W q with W = w0~ on the turns. In orbiting axes R (theory section 10) the base position and velocity
are components along R: W = wR~ on them too, and u' = C_RN a - wR x u.

Derivatives are exact: the compiled engine runs on complex numbers, every direction displaced by an imaginary step in turn,
and their imaginary parts are the slopes (complex step). No state but the given one is visited, so none can be out of range.

References: S0 Eqs 112-117; theory section 6.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray, skew
from tisserand.errors import VehicleError
from tisserand.multibody.attitude import direction_cosines
from tisserand.multibody.displaced import DisplacedRows, displaced_rows
from tisserand.multibody.motion_integrals import kinetic_energies
from tisserand.multibody.orbit_axes import OrbitAxes
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.endings import ending
from tisserand.multibody.recursive.engine_model import POSE

#: Length of the imaginary step: its square vanishes beside one, products with any sensible number do not.
STEP = 1e-40
#: A direction with less than this part of the inertia of its coordinates has none: what is left is round-off.
SINGULAR = 1e-12


class Perturbed:
    """Right-hand side, signals and kinetic energy around one state, in displacements and speeds."""

    def __init__(
        self, compiled: CompiledVehicle, y: FloatArray, U: FloatArray, time: float, orbit: OrbitAxes | None = None
    ) -> None:
        rhs = compiled.rhs
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

    @property
    def body_rates(self) -> FloatArray:
        """(nb, 3) angular velocities of the bodies of the tree at the state itself, rad/s, inertial axes."""
        c = self.c
        c.rhs(c.M, c.F, self.W, self.U, self.time, self.y, np.zeros(0))
        return np.array(c.opened(self.W).bodies["w_BN_N"])

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
            q, u = c.joint_places(k)
            if body.kind == "ball":
                groups.append((len(self.names), q))
                for i in range(3):
                    self._add(f"{body.joint}.turn.{'xyz'[i]}", -1, u + i)
            elif body.kind in ("hinge", "prismatic") and body.motion is None:
                many = len(c.vehicle.joint(str(body.joint)).steps) > 1
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
        x = self.c.state
        y[x : self.c.account] += delta[2 * n :]
        return y

    def evaluate(self, delta: FloatArray, U: FloatArray | None = None) -> FloatArray:
        """Accelerations, controller rates and signals at a displaced state."""
        y = self.moved(delta)
        status = self._rhs(self.c.M, self.c.F, self.W, self.U if U is None else U, self.time, y, self.dy)
        if status:
            raise self._singular(ending(status, self.c))
        x = self.c.state
        acceleration = self.dy[self.speed]
        if self.orbit is not None:
            C, w = self.orbit.C_RN, self.orbit.w_RN_R
            acceleration[:3] = C @ acceleration[:3] - np.cross(w, C @ y[self.speed[:3]])
        return np.concatenate([acceleration, self.dy[x : self.c.account], self.c.opened(self.W).signals])

    def displaced(self, columns: IntArray) -> DisplacedRows:
        """The vehicle displaced by an imaginary STEP in each of some directions of [q; u; controllers; held inputs]."""
        n, c = self.count, self.c
        Y = np.tile(self.y.astype(complex), (len(columns), 1))
        U = np.tile(self.U.astype(complex), (len(columns), 1))
        turns = {first + k: (place, k) for first, place in self.groups for k in range(3)}
        states = c.states
        for row, i in enumerate(columns):
            if self.orbit is not None and (i < 3 or n <= i < n + 3):  # components along R
                places = self.place[:3] if i < 3 else self.speed[:3]
                Y[row, places] += 1j * STEP * self.orbit.C_RN[i if i < 3 else i - n]
            elif i in turns:
                place, k = turns[i]
                q, v = self.y[place], self.y[place + 1 : place + 4]
                b = 0.5j * STEP * np.eye(3)[k]
                Y[row, place] -= v @ b
                Y[row, place + 1 : place + 4] += q * b + np.cross(v, b)
            elif i < n:
                Y[row, self.place[i]] += 1j * STEP
            elif i < 2 * n:
                Y[row, self.speed[i - n]] += 1j * STEP
            elif i < 2 * n + states:
                Y[row, c.state + i - 2 * n] += 1j * STEP
            else:
                U[row, POSE + i - 2 * n - states] += 1j * STEP
        try:
            return displaced_rows(c, self.time, Y, U)
        except VehicleError as error:
            raise self._singular(str(error.found)) from error

    def mass(self) -> FloatArray:
        """M_ij = T(e_i + e_j) - T(e_i) - T(e_j) + T(0), exact for a quadratic form; e scaled to equal energies.

        So the round-off of M_ij is that of sqrt(M_ii M_jj), however different masses and inertias are. A singular M (two axes of
        a joint in line) is refused.
        """
        n = self.count
        still = self.y.copy()
        still[self.c.speeds : self.c.state] = 0.0
        ones = np.tile(still, (2 * n + 1, 1))
        ones[np.arange(n), self.speed] += 1.0
        ones[np.arange(n, 2 * n), self.speed] -= 1.0
        T = kinetic_energies(self.c, self.time, ones, self.U)
        diagonal = T[:n] + T[n : 2 * n] - 2.0 * T[-1]
        self._check_inertia(np.diag(diagonal), np.sqrt(np.maximum(diagonal, 0.0)))
        size = np.sqrt(max(1.0, abs(float(T[-1]))) / diagonal)
        pairs = np.array([(i, j) for i in range(n) for j in range(i + 1, n)], np.int64).reshape(-1, 2)
        Y = np.tile(still, (n + 1 + len(pairs), 1))
        Y[np.arange(n), self.speed] += size
        both, speed = np.arange(n + 1, len(Y)), np.array(self.speed, np.int64)
        for side in range(2):
            Y[both, speed[pairs[:, side]]] += size[pairs[:, side]]
        T = kinetic_energies(self.c, self.time, Y, self.U)
        M = np.diag(diagonal)
        i, j = pairs.T
        M[i, j] = M[j, i] = (T[n + 1 :] - T[i] - T[j] + T[n]) / (size[i] * size[j])
        self._check_inertia(M, np.sqrt(diagonal))
        if self.orbit is not None:
            M[:3] = self.orbit.C_RN @ M[:3]
            M[:, :3] = M[:, :3] @ self.orbit.C_RN.T
        return M

    def _check_inertia(self, M: FloatArray, size: FloatArray) -> None:
        """Refuse a mass matrix with a direction of (almost) no inertia, and name the coordinates that it moves."""
        bare = np.flatnonzero(~(size > 0.0))
        if len(bare):
            raise self._singular(f"{self.names[bare[0]]} has no inertia")
        values, vectors = np.linalg.eigh(M / size[:, None] / size) if len(M) else (np.ones(1), np.eye(1))
        if values[0] > SINGULAR:
            return
        share = vectors[:, 0] ** 2
        moving = [self.names[i] for i in np.argsort(-share, kind="stable") if share[i] > 0.05]
        raise self._singular(f"{', '.join(moving)} can move together without inertia ({values[0]:.1e} of their own)")

    def _singular(self, found: str) -> VehicleError:
        """The error of a state without linear model, with the current joint coordinates."""
        c = self.c
        stands = [f"{name} at {np.round(self.y[c.joint_q[name]], 6).tolist()}" for name in c.joint_q if name in found]
        return VehicleError(
            "the vehicle cannot be linearized at this state",
            where=f"vehicle {c.vehicle.name}" + (f", joint {', '.join(stands)}" if stands else ""),
            found=found,
            advice="turn the joint away from where its axes line up, or give the parts between its axes mass",
        )

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

    def slopes(self, columns: IntArray | None = None) -> FloatArray:
        """Derivatives of ``evaluate`` with respect to [q; u; controllers; held inputs] (all, or some columns), to round-off."""
        every = 2 * self.count + self.c.states + len(self.c.wiring.held)
        chosen = np.arange(every) if columns is None else columns
        return self.slopes_of(self.displaced(chosen))

    def slopes_of(self, rows: DisplacedRows) -> FloatArray:
        """The same from rows displaced already."""
        x, s = self.c.state, self.speed
        rates = rows.rates.imag / STEP
        acceleration = rates[:, s]
        if self.orbit is not None:
            C, w = self.orbit.C_RN, self.orbit.w_RN_R
            speed = rows.velocity.imag / STEP
            acceleration[:, :3] = acceleration[:, :3] @ C.T - np.cross(w, speed @ C.T)
        return np.hstack([acceleration, rates[:, x : self.c.account], rows.values.imag / STEP]).T
