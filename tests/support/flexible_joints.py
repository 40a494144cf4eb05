"""A vehicle with what only the recursive engine can do, and the same vehicle as particles.

hub (rigid, one rotor) with a clamped wing ``wing``; ``arm`` hinged on the wing's node ``tip`` (finite node
rotation); ``slider`` on the arm; ``sail``, an appendage whose frame floats (its shapes move its own
attachment), mounted on the slider; ``boom`` with a floating frame on the hub that carries ``end`` by a hinge
on its node ``tip``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from support.particles import Cloud, ParticleTree, Pose, turn
from support.particles import Rotor as Ring
from support.trees import particle_inertia, random_flexible
from tisserand.appendage.record.node_table import Interface
from tisserand.multibody import Body, MountedAppendage, Rotor, State, Vehicle, hinge, prismatic

MODES = 3
ORDER = ("hub", "wing-arm", "slider", "sail", "boom", "end")  # clouds; hinge coordinates of sail and boom are held


def _with_faces(flexible, rng, floating: bool):
    """The record with ``root`` (moving if the frame floats) and ``tip`` interfaces; shapes in appendage
    axes."""
    shape = lambda size: size * rng.normal(size=(3, MODES))  # noqa: E731
    zero = np.zeros((3, MODES))
    root = Interface(
        "root",
        1,
        0.4 * rng.normal(size=3),
        np.eye(3),
        shape(0.3) if floating else zero,
        shape(0.3) if floating else zero,
    )
    tip = Interface("tip", 5, rng.normal(size=3) + np.array([1.5, 0, 0]), np.eye(3), shape(0.5), shape(0.5))
    return flexible.record.changed(interfaces=(root, tip), attachment="root")


class FlexibleJoints:
    """Seeded vehicle, state and oracle; ``fixed_base`` holds the hub."""

    def __init__(self, seed: int, fixed_base: bool = False, deformation: float = 0.3):
        rng = np.random.default_rng(seed)
        v3 = lambda: rng.normal(size=3)  # noqa: E731
        frame = lambda: np.real(turn(v3()))  # noqa: E731
        unit = lambda x: x / np.linalg.norm(x)  # noqa: E731
        rigid = {
            n: (rng.uniform(1, 3, 6) * (10 if n == "hub" else 1), rng.normal(size=(6, 3)))
            for n in ("hub", "arm", "slider", "end")
        }
        flexible = {n: random_flexible(rng, MODES) for n in ("wing", "sail", "boom")}
        records = {n: _with_faces(flexible[n], rng, n != "wing") for n in flexible}
        ring = Ring(0.3 * v3(), unit(v3()), 0.7, 0.5)
        joints = {
            n: {"point": v3(), "own": v3(), "axis": unit(v3()), "frame": frame()} for n in ("arm", "slider", "end")
        }
        mounts = {n: (v3(), frame()) for n in flexible}

        bodies = []
        for name, (m, x) in rigid.items():
            c = m @ x / m.sum()
            bodies.append(Body(name, m.sum(), c, particle_inertia(m, x - c)))
        j = joints
        self.vehicle = Vehicle(
            "flexible joints",
            bodies,
            [
                hinge("arm", "hub", "arm", j["arm"]["axis"], child_point=j["arm"]["own"], parent_frame=j["arm"]["frame"],
                      parent_interface=("wing", "tip"), stiffness=2.0, damping=0.3),
                prismatic("slider", "arm", "slider", j["slider"]["axis"], parent_point=j["slider"]["point"],
                          child_point=j["slider"]["own"], parent_frame=j["slider"]["frame"], stiffness=4.0),
                hinge("end", "hub", "end", j["end"]["axis"], child_point=j["end"]["own"], parent_frame=j["end"]["frame"],
                      parent_interface=("boom", "tip")),
            ],
            [
                Rotor("wheel", "hub", ring.axis, ring.inertia, mass=ring.mass, position=ring.point,
                      transverse_inertia=0.5 * ring.inertia)
            ],
            [
                MountedAppendage(n, records[n], {"wing": "hub", "boom": "hub", "sail": "slider"}[n], *mounts[n])
                for n in ("wing", "boom", "sail")
            ],
            base_motion="fixed" if fixed_base else "free",
        )  # fmt: skip

        none = np.zeros((6, 3, MODES))
        f, (at, Q) = flexible["wing"], mounts["wing"]
        origin = at - Q @ records["wing"].interface("root").position
        tip = records["wing"].interface("tip")
        hub = Cloud(
            -1,
            np.concatenate([rigid["hub"][0], f.masses]),
            np.vstack([rigid["hub"][1], origin + f.positions @ Q.T]),
            np.vstack([none, np.einsum("ab,nbk->nak", Q, f.shapes)]),
            rotors=(ring,),
        )
        plain = lambda n: (rigid[n][0], rigid[n][1], np.zeros((6, 3, 0)))  # noqa: E731
        arm = Cloud(
            0,
            *plain("arm"),
            origin + Q @ tip.position,
            j["arm"]["own"],
            j["arm"]["axis"],
            j["arm"]["frame"],
            parent_translation=Q @ tip.translation,
            parent_rotation=Q @ tip.rotation,
        )
        s = j["slider"]
        slider = Cloud(1, *plain("slider"), s["point"], s["own"], s["axis"], s["frame"], kind="slide")

        def floating(parent: int, name: str) -> Cloud:
            g, root = flexible[name], records[name].interface("root")
            return Cloud(
                parent,
                g.masses,
                g.positions,
                g.shapes,
                mounts[name][0],
                root.position,
                np.array([0.0, 0, 1]),
                mounts[name][1],
                self_translation=root.translation,
                self_rotation=root.rotation,
            )

        tip = records["boom"].interface("tip")
        end = Cloud(
            4,
            *plain("end"),
            tip.position,
            j["end"]["own"],
            j["end"]["axis"],
            j["end"]["frame"],
            parent_translation=tip.translation,
            parent_rotation=tip.rotation,
        )
        clouds = [hub, arm, slider, floating(2, "sail"), floating(0, "boom"), end]
        held = (6 + 2, 6 + 3)  # the weld of sail and boom
        self.oracle = ParticleTree(clouds, (*range(6), *held) if fixed_base else held)
        gamma = np.array([rng.normal(), 0.4 * rng.normal(), 0.0, 0.0, rng.normal()])
        self.pose = Pose(
            v3()[None], frame()[None], gamma[None], rng.normal(size=(1, 1)), deformation * rng.normal(size=(1, 9))
        )
        u = rng.normal(size=self.oracle.speeds)
        u[[8, 9]] = 0.0
        u[11] *= 10.0
        u[12:] *= deformation
        if fixed_base:
            u[:6] = 0.0
        self.speeds, self.flexible = u, flexible

    @property
    def state(self) -> State:
        x, y, z, s = Rotation.from_matrix(self.pose.R0[0]).as_quat()
        g, eta, u = self.pose.gamma[0], self.pose.eta[0], self.speeds
        names = ("wing", "sail", "boom")
        return State(
            position=self.pose.X[0],
            attitude=np.array([s, x, y, z]),
            velocity=u[:3],
            angular_velocity=u[3:6],
            joints={"arm": g[0], "slider": g[1], "end": g[4]},
            joint_rates={"arm": u[6], "slider": u[7], "end": u[10]},
            modal={n: eta[3 * i : 3 * i + 3] for i, n in enumerate(names)},
            modal_rates={n: u[12 + 3 * i : 15 + 3 * i] for i, n in enumerate(names)},
            rotor_angles={"wheel": self.pose.psi[0, 0]},
            rotor_rates={"wheel": u[11]},
        )

    def expected(self, given=None) -> np.ndarray:
        """Accelerations of [base velocity, base rate, arm, slider, end, wheel, wing, sail, boom] by brute
        force.

        given (6,): accelerations of a driven base.
        """
        Q = np.zeros(self.oracle.speeds)
        Q[6] = -2.0 * self.pose.gamma[0, 0] - 0.3 * self.speeds[6]
        Q[7] = -4.0 * self.pose.gamma[0, 1]
        for i, n in enumerate(("wing", "sail", "boom")):
            mine = slice(12 + 3 * i, 15 + 3 * i)
            Q[mine] = (
                -self.flexible[n].stiffness @ self.pose.eta[0, 3 * i : 3 * i + 3]
                - self.flexible[n].damping @ self.speeds[mine]
            )
        held = None if given is None else np.r_[given, 0.0, 0.0]
        du = self.oracle.accelerations(self.pose, self.speeds, generalized=Q, given=held)
        return np.delete(du, [8, 9])

    def momenta(self):
        return self.oracle.momenta(self.pose, self.speeds)


def small(system: FlexibleJoints, eta: np.ndarray) -> FlexibleJoints:
    """The same system at other modal coordinates (9,)."""
    other = object.__new__(FlexibleJoints)
    other.__dict__ |= system.__dict__ | {"pose": replace(system.pose, eta=eta[None])}
    return other
