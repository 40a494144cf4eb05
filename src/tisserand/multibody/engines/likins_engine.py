"""The likins engine behind the protocol: it shares the flat state, control laws and events, and finds the rest itself.

References: S1 Eqs 10, 11, 15, 19, 43, 54; theory section 16.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.controllers import Controller
from tisserand.multibody.engines.protocol import Integrals, Observation
from tisserand.multibody.engines.recursive_engine import RecursiveEngine
from tisserand.multibody.force_elements import plain_loads
from tisserand.multibody.likins.build import build
from tisserand.multibody.likins.engine import accelerations, bookkeeping, poses
from tisserand.multibody.likins.results import Accelerations, Bookkeeping, Poses
from tisserand.multibody.loads import Load
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.states import unpack_state
from tisserand.multibody.trajectory_parts import ForceHistories, MotionHistories


class LikinsEngine:
    """The barycentric equations over the flat state.

    What is not mechanics (rates of coordinates, control states, accounts of work, signals, strengths of loads) is evaluated by
    the shared right-hand side, so that control laws act on both engines alike; accelerations, poses, loads in joints, energies
    and momenta are its own.

    Args:
        compiled: the vehicle with its loads and control laws.
        loads: loads that act.
        controllers: controllers that act.
    """

    name = "likins"
    kernel = None

    def __init__(
        self, compiled: CompiledVehicle, loads: Sequence[Load], controllers: Sequence[Controller] = ()
    ) -> None:
        self.compiled, self.shared = compiled, RecursiveEngine(compiled)
        self.model = build(compiled.vehicle)
        self.loads = [*plain_loads(loads), *(load for c in controllers for load in c.outputs)]
        rows = [len(compiled.tree.bodies) if load.kind == "gradient" else 1 for load in self.loads]
        self.rows = np.cumsum([0, *rows])[:-1]

    def solved(self, time: float, y: FloatArray, W: FloatArray, *, interaction: bool) -> Accelerations:
        """Accelerations, and with ``interaction`` hinge loads; W is the workspace after the shared right-hand side."""
        strengths = self.compiled.opened(W).strengths[self.rows] if len(self.rows) else ()
        state = unpack_state(self.compiled, y)
        return accelerations(self.model, state, self.loads, time, interaction=interaction, strengths=strengths)

    def rates(self, time: float, y: FloatArray, U: FloatArray, W: FloatArray, dy: FloatArray) -> int:
        """Write the derivative of y into dy; status of the shared right-hand side."""
        c = self.compiled
        status = self.shared.rates(time, y, U, W, dy)
        if status:
            return status
        result = self.solved(time, y, W, interaction=False)
        u = c.speeds
        dy[u : u + 3], dy[u + 3 : u + 6] = result.velocity, result.angular_velocity
        for name, places in c.joint_u.items():
            dy[places] = result.joints[name]
        for name in c.eta:
            dy[c.eta_places(name)[1]] = result.modal[name]
        for name in c.rotor:
            if c.vehicle.rotor(name).mode == "torque":
                dy[c.rotor_places(name)[1]] = result.rotors[name]
        return 0

    def observe(self, times: FloatArray, Y: FloatArray, held: FloatArray) -> Observation:
        """Accelerations, poses, hinge loads, energies and momenta of the barycentric equations at the output times."""
        c, shared = self.compiled, self.shared.observe(times, Y, held)
        if not len(times):
            return shared
        W, unused = c.workspace(), np.zeros(c.size)
        solved: list[Accelerations] = []
        placed: list[Poses] = []
        books: list[Bookkeeping] = []
        for t, y, U in zip(times, Y, np.array(held)):
            self.shared.rates(float(t), y, U, W, unused)  # leaves the strengths of the loads in the workspace
            state = unpack_state(c, y)
            solved.append(self.solved(float(t), y, W, interaction=True))
            placed.append(poses(self.model, state, float(t)))
            books.append(bookkeeping(self.model, state, float(t)))
        return Observation(
            motion=MotionHistories(
                bodies=shared.motion.bodies,
                rotation=np.array([p.rotation for p in placed]),
                origin=np.array([p.origin for p in placed]),
                origin_velocity=np.array([p.velocity for p in placed]),
                rate=np.array([p.rate for p in placed]),
                origin_acceleration=np.array([s.origins for s in solved]),
                angular_acceleration=np.array([s.body_rates for s in solved]),
                modal_accelerations=_over_time([s.modal for s in solved], c.eta),
            ),
            forces=ForceHistories(
                joint_force=_over_time([s.joint_forces for s in solved], shared.forces.joint_force),
                joint_torque_vector=_over_time([s.joint_torques for s in solved], shared.forces.joint_torque_vector),
                joint_effort=_over_time([s.joint_drives for s in solved], shared.forces.joint_effort),
                load_strength=shared.forces.load_strength,
            ),
            integrals=Integrals(
                kinetic=np.array([b.kinetic for b in books]),
                potential=np.array([b.potential for b in books]),
                momentum=np.array([b.linear for b in books]),
                angular_momentum=np.array([b.angular for b in books]),
                center=np.array([b.center for b in books]),
            ),
            signals=shared.signals,
            base_wrench=shared.base_wrench,
        )


def _over_time(found: Sequence[Mapping[str, FloatArray]], names: Iterable[str]) -> dict[str, FloatArray]:
    """Histories by name of what was found at every output time."""
    return {name: np.array([one[name] for one in found]) for name in names}
