"""Two clouds of particles with a joint of any kind between them: positions are all that is written down.

Partial velocities come from a complex step through the positions, velocity-dependent accelerations from a Cauchy integral along
the motion with constant speeds, accelerations from Kane's equations with the dense mass matrix (see ``particles``). Speeds: base
velocity (3, inertial axes), base rate (3, base axes), then those of the joint: rates of its coordinates, and the relative rate in
child joint axes where it turns freely.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from support.particles import turn
from tisserand.multibody import Body, Joint, State, Vehicle

_STEP, _SAMPLES = 1e-40, 48
#: Slides first, then turns about axes, then whether it turns freely: (axes that slide, axes that turn, ball).
MOTIONS = {
    "hinge": ([], [0], False),
    "universal": ([], [0, 1], False),
    "gimbal": ([], [0, 1, 2], False),
    "ball": ([], [], True),
    "prismatic": ([0], [], False),
    "cylindrical": ([0], [0], False),
    "free": (["x", "y", "z"], [], True),
    "fixed": ([], [], False),
}


def _random_turn(rng):
    return Rotation.random(random_state=rng).as_matrix()


def quaternion(matrix):
    """Scalar first."""
    return np.roll(Rotation.from_matrix(matrix).as_quat(), 1)


@dataclass
class JointedPair:
    """Base and child as particles (5, 3), a joint with turned frames on both sides, a moving state, and loads."""

    kind: str
    seed: int

    def __post_init__(self):
        rng = self.rng = np.random.default_rng(self.seed)
        self.masses = rng.uniform(0.5, 2.0, (2, 5))
        self.particles = rng.normal(size=(2, 5, 3))
        self.points = 0.4 * rng.normal(size=(2, 3))
        self.frames = [_random_turn(rng), _random_turn(rng)]
        axes = rng.normal(size=(3, 3))
        self.axes = axes / np.linalg.norm(axes, axis=1)[:, None]
        slides, turns, self.ball = MOTIONS[self.kind]
        self.slides = np.array([np.eye(3)["xyz".index(i)] if isinstance(i, str) else self.axes[i] for i in slides])
        self.turns = np.array([self.axes[i] for i in turns])
        self.scalars = len(slides) + len(turns)
        self.count = 6 + self.scalars + 3 * self.ball
        self.u = rng.normal(size=self.count)
        self.gamma = 0.7 * rng.normal(size=self.scalars)
        self.X, self.R0, self.relative = rng.normal(size=3), _random_turn(rng), _random_turn(rng)
        self.stiffness, self.damping, self.rest = rng.uniform(1.0, 9.0, (3, self.scalars))
        self.turn_law = rng.uniform(1.0, 9.0, 2)  # of a ball joint
        self.gravity = rng.normal(size=3)
        self.push, self.motors = rng.normal(size=3), rng.normal(size=self.scalars)

    @property
    def has_law(self) -> bool:
        return self.kind not in ("free", "fixed")

    def places(self, X, R0, gamma, relative):
        """Particles (b, 10, 3) of poses in a batch."""
        d, R = np.zeros((len(X), 3)), relative
        for i, axis in enumerate(self.slides):
            d = d + gamma[:, i, None] * axis
        for i, axis in enumerate(self.turns, start=len(self.slides)):
            R = R @ turn(gamma[:, i, None] * axis)
        P, C = self.frames
        hinge = X + np.einsum("bij,bj->bi", R0, self.points[0] + d @ P.T)
        Rc = R0 @ P @ R @ C.T
        origin = hinge - np.einsum("bij,j->bi", Rc, self.points[1])
        return np.concatenate(
            [
                X[:, None] + np.einsum("bij,nj->bni", R0, self.particles[0]),
                origin[:, None] + np.einsum("bij,nj->bni", Rc, self.particles[1]),
            ],
            axis=1,
        )

    def along(self, u, t):
        """Particles after times t (b,), maybe complex, with constant speeds u (n,) or (b, n)."""
        step = t[:, None] * u
        n = 6 + self.scalars
        spin = turn(step[:, n:]) if self.ball else np.tile(np.eye(3), (len(t), 1, 1))
        start = self.relative if self.ball else np.eye(3)
        return self.places(self.X + step[:, :3], self.R0 @ turn(step[:, 3:6]), self.gamma + step[:, 6:n], start @ spin)

    @property
    def weights(self):
        return self.masses.ravel()

    def partials(self):
        """Partial velocities (10, 3, n), inertial axes."""
        x = self.along(np.eye(self.count), np.full(self.count, 1j * _STEP))
        return np.moveaxis(np.imag(x) / _STEP, 0, -1)

    def generalized(self):
        """Springs, dampers and motors of the joint."""
        Q = np.zeros(self.count)
        if not self.has_law:
            return Q
        n = 6 + self.scalars
        Q[6:n] = self.motors - self.stiffness * (self.gamma - self.rest) - self.damping * self.u[6:n]
        if self.ball:
            Q[n:] = -self.turn_law[0] * Rotation.from_matrix(self.relative).as_rotvec() - self.turn_law[1] * self.u[n:]
        return Q

    def accelerations(self):
        """u' by Kane's equations; the push acts on the last particle, inertial axes."""
        V = self.partials()
        radius = 0.7 / max(1.0, float(np.abs(self.u).max()))
        phase = np.exp(2j * np.pi * np.arange(_SAMPLES) / _SAMPLES)
        bias = (
            2.0 / (_SAMPLES * radius**2) * np.real(np.tensordot(phase**-2, self.along(self.u, radius * phase), axes=1))
        )
        force = self.weights[:, None] * (self.gravity - bias)
        force[-1] += self.push
        M = np.einsum("p,pai,paj->ij", self.weights, V, V)
        return np.linalg.solve(M, np.einsum("pai,pa->i", V, force) + self.generalized())

    def momenta(self):
        """Kinetic energy, momentum, angular momentum about the inertial origin."""
        x, v = np.real(self.along(self.u, np.zeros(1))[0]), self.partials() @ self.u
        p = self.weights[:, None] * v
        return 0.5 * np.sum(p * v), p.sum(axis=0), np.cross(x, p).sum(axis=0)

    def mass_matrix(self):
        V = self.partials()
        return np.einsum("p,pai,paj->ij", self.weights, V, V)

    def bodies(self):
        """The clouds as rigid bodies: (mass, center, inertia about it) each."""
        out = []
        for m, x in zip(self.masses, self.particles):
            center = m @ x / m.sum()
            r = x - center
            out.append((float(m.sum()), center, np.einsum("n,nab->ab", m, _second(r))))
        return out

    def vehicle(self) -> Vehicle:
        hub, child = (Body(n, m, center=c, inertia=I) for n, (m, c, I) in zip(("hub", "child"), self.bodies()))
        axes = {"cylindrical": [self.axes[0], self.axes[0]], "ball": [], "free": [], "fixed": []}.get(self.kind)
        axes = self.axes[: self.scalars] if axes is None else axes
        laws = {}
        if self.has_law and self.ball:
            laws = {"stiffness": self.turn_law[0], "damping": self.turn_law[1]}
        elif self.has_law:
            laws = {"stiffness": self.stiffness, "damping": self.damping, "rest": self.rest}
        joint = Joint(
            "j", self.kind, "hub", "child", axes=np.reshape(axes, (-1, 3)), parent_point=self.points[0],
            child_point=self.points[1], parent_frame=self.frames[0], child_frame=self.frames[1], **laws,
        )  # fmt: skip
        return Vehicle("pair", (hub, child), (joint,), gravity=self.gravity)

    def state(self) -> State:
        q = [*self.gamma, *(quaternion(self.relative) if self.ball else [])]
        moving = {"joints": {"j": q}, "joint_rates": {"j": self.u[6:]}} if self.count > 6 else {}
        return State(
            position=self.X, attitude=quaternion(self.R0), velocity=self.u[:3], angular_velocity=self.u[3:6], **moving
        )

    def in_mujoco(self):
        """u' by MuJoCo, whose joints of one body follow each other from the parent to the child."""
        import mujoco

        P, C = self.frames
        align = P @ C.T
        words = _words
        at, joints = words(self.points[1]), ""
        for i, axis in enumerate([*self.slides, *self.turns]):
            kind = "slide" if i < len(self.slides) else "hinge"
            own = f'stiffness="{words(self.stiffness[i])}" damping="{words(self.damping[i])}" springref="{words(self.rest[i])}"'
            joints += f'<joint type="{kind}" pos="{at}" axis="{words(C @ axis)}" {own if self.has_law else ""}/>'
        if self.ball:
            own = f'stiffness="{words(self.turn_law[0])}" damping="{words(self.turn_law[1])}"'
            joints += f'<joint type="ball" pos="{at}" {own if self.has_law else ""}/>'
        inertial = [
            f'<inertial pos="{words(c)}" mass="{m!r}" '
            f'fullinertia="{words([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])}"/>'
            for m, c, I in self.bodies()
        ]
        model = mujoco.MjModel.from_xml_string(
            '<mujoco><compiler autolimits="false" inertiafromgeom="false" balanceinertia="false" angle="radian"/>'
            f'<option gravity="{words(self.gravity)}"><flag contact="disable" constraint="disable"/></option>'
            f"<worldbody><body><freejoint/>{inertial[0]}"
            f'<body name="child" pos="{words(self.points[0] - align @ self.points[1])}" quat="{words(quaternion(align))}">'
            f"{joints}{inertial[1]}</body></body></worldbody></mujoco>"
        )
        data = mujoco.MjData(model)
        n = 6 + self.scalars
        turned = quaternion(C @ self.relative @ C.T) if self.ball else []
        data.qpos[:] = [*self.X, *quaternion(self.R0), *self.gamma, *turned]
        data.qvel[:] = [*self.u[:n], *(C @ self.u[n:] if self.ball else [])]
        if self.has_law:
            data.qfrc_applied[6:n] = self.motors
        mujoco.mj_fwdPosition(model, data)
        child = model.body("child").id
        R = data.xmat[child].reshape(3, 3)
        _, center, _ = self.bodies()[1]
        data.xfrc_applied[child] = [*self.push, *np.cross(R @ (self.particles[1, -1] - center), self.push)]
        mujoco.mj_forward(model, data)
        return np.concatenate([data.qacc[:n], C.T @ data.qacc[n:] if self.ball else []])


def _words(values) -> str:
    return " ".join(repr(float(v)) for v in np.ravel(values))


def _second(r):
    """|r|² 1 - r r' of particles (n, 3)."""
    return np.einsum("ni,ni->n", r, r)[:, None, None] * np.eye(3) - r[:, :, None] * r[:, None, :]
