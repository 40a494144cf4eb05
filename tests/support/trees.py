"""Seeded random branched trees with appendages, rotors and loads, as particle clouds and as raw data of
substructures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from support.particles import Cloud, ParticleTree, Pose, Rotor, turn, turning_partials
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.multibody import Body, MountedAppendage, State, Vehicle, hinge
from tisserand.multibody import Rotor as VehicleRotor
from tisserand.multibody.loads import Load, force, joint_torque, node_force, node_torque, rotor_torque
from tisserand.multibody.loads import torque as torque_on


@dataclass(frozen=True)
class Flexible:
    """An appendage as particles about its own origin O in its own axes; ``axes`` turns them into body axes, O
    sits at ``origin``."""

    masses: np.ndarray
    positions: np.ndarray
    shapes: np.ndarray
    rotations: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    origin: np.ndarray
    axes: np.ndarray

    @property
    def record(self) -> ReducedAppendage:
        """Integrals straight from the particle sums; nodes = particles, with rotation shapes used by nodal
        torques only."""
        m, r, phi = self.masses, self.positions, self.shapes
        L = np.einsum("n,na,nbk->abk", m, r, phi)
        N = np.einsum("n,nak,nbl->abkl", m, phi, phi)
        second = np.einsum("n,na,nb->ab", m, r, r)
        k = phi.shape[2]
        integrals = ModalIntegrals(
            mass=float(m.sum()),
            center=m @ r / m.sum(),
            inertia=np.trace(second) * np.eye(3) - second,
            translation=np.einsum("n,nak->ak", m, phi),
            rotation=np.einsum("n,nak->ak", m, np.cross(r[:, :, None], phi, axis=1)),
            position_shape=L,
            shape_shape=N,
            modal_mass=np.einsum("n,nak,nal->kl", m, phi, phi),
            turn_first=np.zeros((3, k, k)),
            turn_second=np.zeros((3, 3, k, k)),
        )
        nodes = NodeTable(np.arange(1, len(m) + 1), r, phi, self.rotations)
        zero = np.zeros((3, k))
        root = Interface("root", 0, np.zeros(3), np.eye(3), zero, zero)
        return ReducedAppendage(
            "random",
            integrals=integrals,
            stiffness=self.stiffness,
            damping=self.damping,
            nodes=nodes,
            frame=FrameRecord("connection", "clamped at root"),
            interfaces=(root,),
            attachment="root",
        )


@dataclass(frozen=True)
class RandomBody:
    """Rigid particles about the body's origin, its joint to the parent, its appendage and rotors."""

    parent: int
    masses: np.ndarray
    positions: np.ndarray
    point_parent: np.ndarray
    point_self: np.ndarray
    axis: np.ndarray
    align: np.ndarray
    flexible: Flexible | None
    rotors: tuple[Rotor, ...]

    @property
    def mass(self) -> float:
        return float(self.masses.sum())

    @property
    def center(self) -> np.ndarray:
        return self.masses @ self.positions / self.mass if self.mass else np.zeros(3)

    @property
    def inertia(self) -> np.ndarray:
        """About the mass center, kg m²."""
        return particle_inertia(self.masses, self.positions - self.center)

    def cloud(self) -> Cloud:
        k = 0 if self.flexible is None else self.flexible.shapes.shape[2]
        m, r, phi = self.masses, self.positions, np.zeros((len(self.masses), 3, k))
        if self.flexible is not None:
            f = self.flexible
            m = np.concatenate([m, f.masses])
            r = np.vstack([r, f.origin + f.positions @ f.axes.T])
            phi = np.vstack([phi, np.einsum("ab,nbk->nak", f.axes, f.shapes)])
        return Cloud(
            self.parent, m, r, phi, self.point_parent, self.point_self, self.axis, self.align, "hinge", self.rotors
        )


def particle_inertia(masses, arms) -> np.ndarray:
    second = np.einsum("n,na,nb->ab", masses, arms, arms)
    return np.trace(second) * np.eye(3) - second


@dataclass(frozen=True)
class RandomTree:
    """Bodies with hinge springs, dampers and motor torques, a state, and loads on every body and on one node
    per appendage."""

    bodies: tuple[RandomBody, ...]
    springs: np.ndarray
    dampers: np.ndarray
    motors: np.ndarray
    rotor_torques: np.ndarray
    pose: Pose
    speeds: np.ndarray
    forces: np.ndarray  # (bodies, 3) body axes, at the origin of each body
    torques: np.ndarray  # (bodies, 3) body axes
    node_forces: np.ndarray  # (bodies, 3) body axes, on appendage node 1
    node_torques: np.ndarray  # (bodies, 3)
    gravity: np.ndarray  # inertial

    @property
    def modes(self) -> list[int]:
        return [0 if b.flexible is None else b.flexible.shapes.shape[2] for b in self.bodies]

    def particles(self) -> ParticleTree:
        return ParticleTree([b.cloud() for b in self.bodies])

    def applied(self, oracle: ParticleTree):
        """(forces on particles, generalized forces, torques on bodies) for the oracle; gravity included."""
        place, R, _ = oracle.places(batched(self.pose))
        R = np.real(R[0])
        forces = oracle.masses[:, None] * self.gravity
        generalized = np.zeros(oracle.speeds)
        n, nr = oracle.hinges, oracle.rotors
        generalized[6 : 6 + n] = self.motors - self.springs * self.pose.gamma - self.dampers * self.speeds[6 : 6 + n]
        generalized[6 + n : 6 + n + nr] = self.rotor_torques
        torques = np.zeros((len(self.bodies), 3))
        x = np.real(place[0])
        for k, b in enumerate(self.bodies):
            f = R[k] @ self.forces[k]
            origin = x[oracle.particle_start[k]] - R[k] @ b.positions[0]
            torques[k] += R[k] @ self.torques[k]
            first = oracle.particle_start[k]
            forces[first] += f  # moved to the body's origin by the couple below
            torques[k] += np.cross(origin - x[first], f)
            if b.flexible is None:
                continue
            eta_slots = slice(6 + n + nr + oracle.mode_start[k], 6 + n + nr + oracle.mode_start[k + 1])
            eta = self.pose.eta[oracle.mode_start[k] : oracle.mode_start[k + 1]]
            rate = self.speeds[eta_slots]
            generalized[eta_slots] -= b.flexible.stiffness @ eta + b.flexible.damping @ rate
            forces[first + len(b.masses)] += R[k] @ self.node_forces[k]
            torques[k] += R[k] @ self.node_torques[k]
            theta = b.flexible.axes @ b.flexible.rotations[0]
            generalized[eta_slots] += turning_partials(theta, eta).T @ self.node_torques[k]
        return forces, generalized, torques

    def expected(self) -> np.ndarray:
        """Accelerations u' by brute force."""
        oracle = self.particles()
        forces, generalized, torques = self.applied(oracle)
        return oracle.accelerations(batched(self.pose), self.speeds, forces, generalized, torques)


def batched(pose: Pose) -> Pose:
    return Pose(pose.X[None], pose.R0[None], pose.gamma[None], pose.psi[None], pose.eta[None])


def random_flexible(rng: np.random.Generator, modes: int, count: int = 6) -> Flexible:
    """Particles and small rigid nodal bodies (clusters that follow phi + theta x arm) with smooth random
    shapes."""
    node = rng.normal(size=(count, 3)) + np.array([2.0, 0.0, 0.0])
    phi, theta = 0.5 * rng.normal(size=(count, 3, modes)), 0.4 * rng.normal(size=(count, 3, modes))
    arms = 0.3 * rng.normal(size=(count, 4, 3))
    arms[: count // 2] = 0.0  # half of the nodes are plain particles
    masses = rng.uniform(0.2, 1.0, size=(count, 4))
    shapes = phi[:, None] + np.cross(theta[:, None], arms[..., None], axis=2)
    B = rng.normal(size=(modes, modes))
    K = B @ B.T * 5.0 + 20.0 * np.eye(modes)
    D = 0.02 * K
    return Flexible(
        masses.reshape(-1),
        (node[:, None] + arms).reshape(-1, 3),
        shapes.reshape(-1, 3, modes),
        np.repeat(theta, 4, axis=0),
        K,
        D,
        rng.normal(size=3),
        np.real(turn(rng.normal(size=3))),
    )


def random_tree(
    seed: int,
    bodies: int = 5,
    modes: int = 3,
    rotors: bool = True,
    loads: bool = True,
    massless: bool = False,
    deformation: float = 0.3,
    aligned: bool = True,
    depth: int | None = None,
) -> RandomTree:
    """A tree with about every second body flexible; ``aligned`` = nominal frames coincide (as TR 32-1576
    assumes)."""
    rng = np.random.default_rng(seed)
    out = []
    for k in range(bodies):
        parent = -1 if k == 0 else int(rng.integers(max(0, k - depth) if depth else 0, k))
        n = 6
        masses = rng.uniform(0.5, 3.0, n) * (20.0 if k == 0 else 1.0)
        if massless and k == 1 and bodies > 2:
            masses = np.zeros(n)
        axis = rng.normal(size=3)
        spin = rng.normal(size=3)
        flexible = random_flexible(rng, modes) if modes and k % 2 == 0 else None
        rings = ()
        if rotors and k % 3 == 0:
            rings = tuple(
                Rotor(0.3 * rng.normal(size=3), spin_axis / np.linalg.norm(spin_axis), 0.8, 0.4)
                for spin_axis in (spin, rng.normal(size=3))
            )
        if massless and k == 2:
            parent = 1
        if k == 1 and massless:
            flexible, rings, parent = None, (), 0
        out.append(
            RandomBody(
                parent,
                masses,
                rng.normal(size=(n, 3)),
                rng.normal(size=3),
                rng.normal(size=3),
                axis / np.linalg.norm(axis),
                np.eye(3) if aligned else np.real(turn(rng.normal(size=3))),
                flexible,
                rings,
            )
        )
    n, nr = bodies - 1, sum(len(b.rotors) for b in out)
    K = sum(0 if b.flexible is None else modes for b in out)
    pose = Pose(
        rng.normal(size=3),
        np.real(turn(rng.normal(size=3))),
        rng.normal(size=n),
        rng.normal(size=nr),
        deformation * rng.normal(size=K),
    )
    speeds = rng.normal(size=6 + n + nr + K)
    speeds[6 + n : 6 + n + nr] *= 10.0
    speeds[6 + n + nr :] *= deformation
    on = 1.0 if loads else 0.0
    vector = lambda: on * rng.normal(size=(bodies, 3))  # noqa: E731
    return RandomTree(
        tuple(out),
        on * rng.uniform(1, 5, n),
        on * rng.uniform(0, 1, n),
        on * rng.normal(size=n),
        on * rng.normal(size=nr),
        pose,
        speeds,
        vector(),
        vector(),
        vector(),
        vector(),
        on * rng.normal(size=3),
    )


def vehicle_of(tree: RandomTree, inertia: str = "full") -> Vehicle:
    """The same tree as a vehicle: bodies b0, b1, ..., joints j1, ..., rotors r0.., appendages a0.. (number of
    their body)."""
    bodies, joints, rotors, appendages = [], [], [], []
    for k, b in enumerate(tree.bodies):
        massless = b.mass == 0.0
        bodies.append(Body(f"b{k}", b.mass, b.center, np.zeros((3, 3)) if massless else b.inertia))
        if k:
            joints.append(
                hinge(
                    f"j{k}",
                    f"b{b.parent}",
                    f"b{k}",
                    b.axis,
                    parent_point=b.point_parent,
                    child_point=b.point_self,
                    stiffness=tree.springs[k - 1],
                    damping=tree.dampers[k - 1],
                    parent_frame=b.align,
                )
            )
        for r in b.rotors:
            rotors.append(
                VehicleRotor(
                    f"r{len(rotors)}",
                    f"b{k}",
                    r.axis,
                    r.inertia,
                    mass=r.mass,
                    position=r.point,
                    transverse_inertia=0.5 * r.inertia,
                )
            )
        if b.flexible is not None:
            appendages.append(
                MountedAppendage(
                    f"a{k}", b.flexible.record, f"b{k}", b.flexible.origin, b.flexible.axes, inertia=inertia
                )
            )
    return Vehicle("random", bodies, joints, rotors, appendages, gravity=tree.gravity)


def named_state(tree: RandomTree) -> State:
    """The state of the tree in named pieces."""
    n, q, u = len(tree.bodies) - 1, len(tree.pose.psi), tree.speeds
    x, y, z, s = Rotation.from_matrix(tree.pose.R0).as_quat()
    ends = np.cumsum(tree.modes)
    eta, rates = tree.pose.eta, u[6 + n + q :]
    flexible = [k for k, m in enumerate(tree.modes) if m]
    return State(
        position=tree.pose.X,
        attitude=np.array([s, x, y, z]),
        velocity=u[:3],
        angular_velocity=u[3:6],
        joints={f"j{k}": tree.pose.gamma[k - 1] for k in range(1, n + 1)},
        joint_rates={f"j{k}": u[5 + k] for k in range(1, n + 1)},
        modal={f"a{k}": eta[ends[k] - tree.modes[k] : ends[k]] for k in flexible},
        modal_rates={f"a{k}": rates[ends[k] - tree.modes[k] : ends[k]] for k in flexible},
        rotor_angles={f"r{i}": tree.pose.psi[i] for i in range(q)},
        rotor_rates={f"r{i}": u[6 + n + i] for i in range(q)},
    )


def flat(tree: RandomTree, result) -> np.ndarray:
    """Named accelerations in the order of the particle oracle."""
    n, q = len(tree.bodies) - 1, len(tree.pose.psi)
    return np.concatenate(
        [
            result.velocity,
            result.angular_velocity,
            *(np.atleast_1d(result.joints[f"j{k}"]) for k in range(1, n + 1)),
            [result.rotors[f"r{i}"] for i in range(q)],
            *(result.modal[f"a{k}"] for k, m in enumerate(tree.modes) if m),
        ]
    )


def vehicle_loads(tree: RandomTree) -> list[Load]:
    """The tree's motors, rotor torques and loads on bodies and nodes as loads of the vehicle."""
    out = [joint_torque(f"j{k}", tree.motors[k - 1]) for k in range(1, len(tree.bodies))]
    out += [rotor_torque(f"r{i}", torque) for i, torque in enumerate(tree.rotor_torques)]
    for k, b in enumerate(tree.bodies):
        out += [force(f"b{k}", tree.forces[k]), torque_on(f"b{k}", tree.torques[k])]
        if b.flexible is not None:
            out += [node_force(f"a{k}", 1, tree.node_forces[k]), node_torque(f"a{k}", 1, tree.node_torques[k])]
    return out
