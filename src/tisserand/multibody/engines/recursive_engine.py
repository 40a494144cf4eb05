"""The recursive engine behind the protocol: its compiled kernels, and their columns by name.

Balances: theory section 5.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.engines.protocol import Integrals, Observation
from tisserand.multibody.gathered_rows import ROWS, gathered_rows
from tisserand.multibody.joints import STEP_SPEEDS
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.kernels import kernels
from tisserand.multibody.trajectory_parts import ForceHistories, MotionHistories


@dataclass(frozen=True, eq=False)
class RecursiveEngine:
    """Articulated elimination over the tables of a compiled vehicle."""

    compiled: CompiledVehicle
    name: str = "recursive"

    @property
    def kernel(self) -> Any:
        """The compiled right-hand side."""
        return self.compiled.rhs

    def rates(self, time: float, y: FloatArray, U: FloatArray, W: FloatArray, dy: FloatArray) -> int:
        """Write the derivative of y into dy; status."""
        c = self.compiled
        return int(c.rhs(c.M, c.F, W, U, time, np.ascontiguousarray(y), dy))

    def observe(self, times: FloatArray, Y: FloatArray, held: FloatArray) -> Observation:
        """Poses, accelerations, joint loads, integrals of motion and signals at the output times.

        The kernel's tables hold ``ROWS`` times; what is kept of them goes to arrays of its own at once.
        """
        n, W = len(times), self.compiled.workspace()
        parts = [slice(start, min(start + ROWS, n)) for start in range(0, max(n, 1), ROWS)]
        kept = gathered_rows(n, ((part, self._seen(W, times[part], Y[part], held[part])) for part in parts))
        motion = MotionHistories(bodies=tuple(b.name for b in self.compiled.tree.bodies), **kept.pop("motion"))
        return Observation(
            motion=motion,
            forces=ForceHistories(**kept.pop("forces")),
            integrals=_integrals(kept["integrals"]),
            signals=kept["signals"],
            base_wrench=kept["base_wrench"],
        )

    def _seen(self, W: FloatArray, times: FloatArray, Y: FloatArray, held: FloatArray) -> dict[str, Any]:
        """What ``observe`` keeps of some output times, by name."""
        c = self.compiled
        n, nb = len(times), len(c.tree.bodies)
        columns, poses = np.zeros((n, 11)), np.zeros((n, nb, 18))
        ns, nc, nl = (int(c.head[word]) for word in ("signals", "commands", "loads"))
        signals = np.zeros((n, ns + nc))
        rates, acceleration, wrench = np.zeros_like(Y), np.zeros((n, nb, 6)), np.zeros((n, nb, 6))
        effort, strength = np.zeros((n, nb, 3)), np.zeros((n, nl))
        U = np.array(held)  # the engine fills in the forces of elements and loops
        given = (c.M, c.F, W, U, times, Y)
        kernels().observe(c.rhs, *given, rates, columns, poses, signals, acceleration, wrench, effort, strength)
        force, moment, efforts = joint_loads(c, wrench, effort)
        motion = {
            "rotation": poses[:, :, :9].reshape(n, nb, 3, 3),
            "origin": poses[:, :, 9:12],
            "origin_velocity": poses[:, :, 12:15],
            "rate": poses[:, :, 15:18],
            "origin_acceleration": acceleration[:, :, :3],
            "angular_acceleration": acceleration[:, :, 3:],
            "modal_accelerations": {k: rates[:, c.eta_places(k)[1]] for k in c.eta},
        }
        forces = {
            "joint_force": force,
            "joint_torque_vector": moment,
            "joint_effort": efforts,
            "load_strength": dict(zip(c.wiring.load_names, strength.T)),
            "loop_force": {one.name: U[:, one.multipliers : one.multipliers + one.rows] for one in c.loops},
        }
        named = dict(zip([*c.wiring.signal_names, *c.wiring.commands], signals.T))
        return {"motion": motion, "forces": forces, "integrals": columns, "signals": named, "base_wrench": wrench[:, 0]}


def _integrals(columns: FloatArray) -> Integrals:
    """Columns (n, 11) of the kernel by name."""
    return Integrals(
        kinetic=columns[:, 0],
        potential=columns[:, 1],
        momentum=columns[:, 2:5],
        angular_momentum=columns[:, 5:8],
        center=columns[:, 8:11],
    )


def joint_loads(c: CompiledVehicle, wrench: FloatArray, effort: FloatArray) -> tuple[dict[str, FloatArray], ...]:
    """Force and torque on the child at each joint (last body of its chain) and the effort about each axis."""
    force: dict[str, FloatArray] = {}
    moment: dict[str, FloatArray] = {}
    efforts: dict[str, FloatArray] = {}
    for k, body in enumerate(c.tree.bodies):
        name = body.joint or body.name
        if k == 0 and c.vehicle.base_motion == "free":
            continue
        force[name], moment[name] = wrench[:, k, :3], wrench[:, k, 3:]
        if body.kind in ("hinge", "prismatic", "ball"):
            column = effort[:, k, : STEP_SPEEDS[body.kind]]
            efforts[name] = np.hstack([efforts[name], column]) if name in efforts else column
    return force, moment, efforts
