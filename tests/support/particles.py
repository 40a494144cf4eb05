"""Brute-force mechanics of branched trees: every body is a cloud of particles whose POSITIONS are all that is
written down.

Partial velocities come from a complex step through those positions, and the velocity-dependent accelerations
from a Cauchy integral of the positions along the motion with constant speeds (positions are entire functions
of time), so that no velocity or acceleration formula of any report enters. Kane's equations with the dense
mass matrix give the accelerations:

    sum_p m_p V_p' V_p u' = sum_p V_p' (f_p - m_p b_p) + Q ,        V_p = dv_p/du ,  b_p = acceleration at u'
    = 0 .

Speeds u = [velocity of body 0's origin in inertial axes (3); angular velocity of body 0 in its axes (3);
hinge rates; rotor rates; modal rates], in order of bodies.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

_STEP = 1e-40
_SAMPLES = 48


def _tilde(v):
    out = np.zeros((*v.shape[:-1], 3, 3), dtype=v.dtype)
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    return out - np.swapaxes(out, -1, -2)


def _sinc(s):
    small = np.abs(s) < 1e-3
    safe = np.where(small, 1.0, s)
    return np.where(small, 1.0 - s**2 / 6.0 + s**4 / 120.0, np.sin(safe) / safe)


def turn(b):
    """Rotation matrices exp(b~), (..., 3) to (..., 3, 3); analytic in complex b."""
    s = np.sqrt(np.sum(b * b, axis=-1) + 0j)[..., None, None]
    B = _tilde(b)
    return np.eye(3) + _sinc(s) * B + 0.5 * _sinc(0.5 * s) ** 2 * (B @ B)


def turning_partials(theta, eta):
    """Partial angular velocities (3, k) of a node turned by exp((theta eta)~), by a complex step through the
    rotation."""
    k = len(eta)
    R = turn((eta + 1j * _STEP * np.eye(k)) @ theta.T)
    spin = np.imag(R) / _STEP @ np.swapaxes(np.real(R), -1, -2)
    return np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]])


@dataclass(frozen=True)
class Rotor:
    """Ring of four particles about ``point`` (3,) m with unit ``axis``: axial inertia mass radius²,
    transverse half of it."""

    point: np.ndarray
    axis: np.ndarray
    mass: float
    radius: float

    @property
    def inertia(self) -> float:
        return self.mass * self.radius**2

    def arms(self, psi):
        """Arms of the four particles from ``point``, (..., 4, 3), at angles psi (...)."""
        first = np.cross(self.axis, np.eye(3)[np.argmin(np.abs(self.axis))])
        first = first / np.linalg.norm(first)
        second = np.cross(self.axis, first)
        angle = psi[..., None] + np.arange(4) * np.pi / 2
        return self.radius * (np.cos(angle)[..., None] * first + np.sin(angle)[..., None] * second)


@dataclass(frozen=True)
class Cloud:
    """One body of the tree, in its own axes about its own origin.

    masses (n,), positions (n, 3), shapes (n, 3, k); ``arms`` (n, 3) turn with ``turns`` (n, 3, k), finitely:
    position = r + phi eta + exp(theta eta) arm. The joint: ``kind`` hinge or slide about ``axis`` (child
    axes), at ``point_parent`` (parent axes) and ``point_self``; ``align`` turns child axes into parent axes
    at zero angle; the ``parent_*`` shapes move the joint with a flexible parent's node, the ``self_*`` shapes
    with the child's own node.
    """

    parent: int
    masses: np.ndarray
    positions: np.ndarray
    shapes: np.ndarray
    point_parent: np.ndarray = field(default_factory=lambda: np.zeros(3))
    point_self: np.ndarray = field(default_factory=lambda: np.zeros(3))
    axis: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    align: np.ndarray = field(default_factory=lambda: np.eye(3))
    kind: str = "hinge"
    rotors: tuple[Rotor, ...] = ()
    arms: np.ndarray | None = None
    turns: np.ndarray | None = None
    parent_translation: np.ndarray | None = None
    parent_rotation: np.ndarray | None = None
    self_translation: np.ndarray | None = None
    self_rotation: np.ndarray | None = None

    @property
    def modes(self) -> int:
        return self.shapes.shape[2]


@dataclass(frozen=True)
class Pose:
    """Position X (3,), attitude R0 (3, 3) body to inertial, hinge coordinates, rotor angles, modal
    coordinates; may be batched."""

    X: np.ndarray
    R0: np.ndarray
    gamma: np.ndarray
    psi: np.ndarray
    eta: np.ndarray


class ParticleTree:
    """The clouds with their bookkeeping; ``fixed`` lists speeds that are held (such as 0..5 for a fixed
    base)."""

    def __init__(self, clouds: list[Cloud], fixed: tuple[int, ...] = ()):
        self.clouds, self.fixed = clouds, fixed
        rotors = [len(c.rotors) for c in clouds]
        modes = [c.modes for c in clouds]
        self.hinges, self.rotors, self.modes = len(clouds) - 1, sum(rotors), sum(modes)
        self.rotor_start = np.concatenate([[0], np.cumsum(rotors)])
        self.mode_start = np.concatenate([[0], np.cumsum(modes)])
        self.speeds = 6 + self.hinges + self.rotors + self.modes
        self.masses = np.concatenate(
            [np.concatenate([c.masses, *(np.full(4, r.mass / 4) for r in c.rotors)]) for c in clouds]
        )
        counts = [len(c.masses) + 4 * len(c.rotors) for c in clouds]
        self.particle_start = np.concatenate([[0], np.cumsum(counts)])

    def places(self, pose: Pose):
        """Positions (b, N, 3), rotations (b, bodies, 3, 3) and hinge points (b, bodies, 3) of a batch of
        poses."""
        R, origin, points, hinge_points = [], [], [], []
        for k, c in enumerate(self.clouds):
            eta = pose.eta[:, self.mode_start[k] : self.mode_start[k + 1]]
            if k == 0:
                Rk, ok, hk = pose.R0, pose.X, pose.X
            else:
                p = c.parent
                etap = pose.eta[:, self.mode_start[p] : self.mode_start[p + 1]]
                arm = c.point_parent + np.zeros_like(pose.X)
                Rj = R[p]
                if c.parent_translation is not None:
                    arm = arm + etap @ c.parent_translation.T
                    Rj = Rj @ turn(etap @ c.parent_rotation.T)
                hk = origin[p] + (R[p] @ arm[..., None])[..., 0]
                gamma = pose.gamma[:, k - 1, None]
                Rj = Rj @ c.align
                if c.kind == "hinge":
                    Rj = Rj @ turn(gamma * c.axis)
                else:
                    hk = hk + (Rj @ (gamma * c.axis)[..., None])[..., 0]
                own = c.point_self + np.zeros_like(pose.X)
                if c.self_translation is not None:
                    own = own + eta @ c.self_translation.T
                    Rj = Rj @ turn(-eta @ c.self_rotation.T)
                Rk = Rj
                ok = hk - (Rk @ own[..., None])[..., 0]
            local = c.positions + np.einsum("nak,bk->bna", c.shapes, eta)
            if c.arms is not None:
                b = np.einsum("nak,bk->bna", c.turns, eta)
                local = local + (turn(b) @ c.arms[..., None])[..., 0]
            for i, rotor in enumerate(c.rotors):
                local = np.concatenate([local, rotor.point + rotor.arms(pose.psi[:, self.rotor_start[k] + i])], axis=1)
            R.append(Rk), origin.append(ok), hinge_points.append(hk)
            points.append(ok[:, None] + local @ np.swapaxes(Rk, -1, -2))
        return np.concatenate(points, axis=1), np.stack(R, axis=1), np.stack(hinge_points, axis=1)

    def _along(self, pose: Pose, u, t):
        """Batch of poses after times t (b,), maybe complex, with constant speeds u (b, n) or (n,)."""
        a, b, c = 6 + self.hinges, 6 + self.hinges + self.rotors, self.speeds
        step = t[:, None] * u
        return Pose(
            pose.X + step[:, :3],
            pose.R0 @ turn(step[:, 3:6]),
            pose.gamma + step[:, 6:a],
            pose.psi + step[:, a:b],
            pose.eta + step[:, b:c],
        )

    def partials(self, pose: Pose):
        """Partial velocities of particles (N, 3, speeds) and of body rotations (bodies, 3, speeds), inertial
        axes."""
        n = self.speeds
        x, R, _ = self.places(self._along(pose, np.eye(n), np.full(n, 1j * _STEP)))
        spin = np.imag(R) / _STEP @ np.swapaxes(np.real(R), -1, -2)
        W = np.stack([spin[..., 2, 1], spin[..., 0, 2], spin[..., 1, 0]], axis=-1)
        return np.moveaxis(np.imag(x) / _STEP, 0, -1), np.moveaxis(W, 0, -1)

    def bias(self, pose: Pose, u):
        """Accelerations of particles (N, 3) at u' = 0, by the Cauchy integral of x(t) on a circle of complex
        times."""
        radius = 0.7 / max(1.0, float(np.abs(u).max(initial=0.0)))
        phase = np.exp(2j * np.pi * np.arange(_SAMPLES) / _SAMPLES)
        x, _, _ = self.places(self._along(pose, u, radius * phase))
        return 2.0 / (_SAMPLES * radius**2) * np.real(np.tensordot(phase**-2, x, axes=1))

    def mass_matrix(self, pose: Pose):
        V, _ = self.partials(pose)
        return np.einsum("p,pai,paj->ij", self.masses, V, V, optimize=True)

    def accelerations(self, pose: Pose, u, forces=None, generalized=None, torques=None, given=None):
        """u' (speeds,); forces (N, 3) on particles and torques (bodies, 3) in inertial axes, generalized
        (speeds,)."""
        V, W = self.partials(pose)
        forces = np.zeros((len(self.masses), 3)) if forces is None else forces
        M = np.einsum("p,pai,paj->ij", self.masses, V, V, optimize=True)
        Q = np.einsum("pai,pa->i", V, forces - self.masses[:, None] * self.bias(pose, u))
        if generalized is not None:
            Q = Q + generalized
        if torques is not None:
            Q = Q + np.einsum("kai,ka->i", W, torques)
        free = np.setdiff1d(np.arange(self.speeds), self.fixed)
        out = np.zeros(self.speeds)
        if given is not None:
            out[list(self.fixed)] = given
        out[free] = np.linalg.solve(M[np.ix_(free, free)], (Q - M @ out)[free])
        return out

    def needed(self, pose: Pose, u, du):
        """Generalized forces (speeds,) that produce the accelerations du: sum_p V_p' m_p (V_p du + b_p)."""
        V, _ = self.partials(pose)
        return np.einsum("pai,p,pa->i", V, self.masses, V @ du + self.bias(pose, u))

    def momenta(self, pose: Pose, u):
        """Kinetic energy, linear momentum, angular momentum about the inertial origin."""
        V, _ = self.partials(pose)
        x, _, _ = self.places(self._along(pose, u, np.zeros(1)))
        v = V @ u
        p = self.masses[:, None] * v
        return 0.5 * np.sum(p * v), p.sum(axis=0), np.cross(np.real(x[0]), p).sum(axis=0)

    def hinge_loads(self, pose: Pose, u, du, forces=None, torques=None):
        """Force and moment about the hinge point that body k's outboard branch receives through its hinge,
        (bodies, 3) each."""
        V, _ = self.partials(pose)
        x, _, h = self.places(self._along(pose, u, np.zeros(1)))
        x, h = np.real(x[0]), np.real(h[0])
        forces = np.zeros_like(x) if forces is None else forces
        need = self.masses[:, None] * (V @ du + self.bias(pose, u)) - forces
        n = len(self.clouds)
        owner = np.repeat(np.arange(n), np.diff(self.particle_start))
        outboard = np.eye(n, dtype=bool)  # outboard[k, j]: j hangs on k
        for j in range(1, n):
            outboard[:, j] |= outboard[:, self.clouds[j].parent]
        F, T = np.zeros((n, 3)), np.zeros((n, 3))
        for k in range(1, n):
            mine = outboard[k, owner]
            F[k] = need[mine].sum(axis=0)
            T[k] = np.cross(x[mine] - h[k], need[mine]).sum(axis=0)
            if torques is not None:
                T[k] -= torques[outboard[k]].sum(axis=0)
        return F, T

    def with_cloud(self, k: int, **values) -> ParticleTree:
        """The same tree with some fields of one cloud replaced."""
        clouds = list(self.clouds)
        clouds[k] = replace(clouds[k], **values)
        return ParticleTree(clouds, self.fixed)
