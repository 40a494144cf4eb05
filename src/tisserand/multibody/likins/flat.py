"""The likins engine behind the shared flat state: both engines use the same integrators, control laws and events.

Serves theory section 16.2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.controllers import Controller
from tisserand.multibody.force_elements import plain_loads
from tisserand.multibody.likins.build import build
from tisserand.multibody.likins.engine import Accelerations, accelerations
from tisserand.multibody.loads import Load
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.states import unpack_state


class FlatLikins:
    """Replaces the accelerations in a state derivative by those of the barycentric equations.

    What is not mechanics (control states, work accounts, rates of coordinates) stays as the shared right-hand
    side left it; the strengths of the loads are those it has just evaluated, so that control laws act on both
    engines alike.
    """

    def __init__(
        self, compiled: CompiledVehicle, loads: Sequence[Load], controllers: Sequence[Controller] = ()
    ) -> None:
        self.compiled = compiled
        self.model = build(compiled.vehicle)
        self.loads = [*plain_loads(loads), *(load for c in controllers for load in c.outputs)]
        rows = [len(compiled.tree.bodies) if load.kind == "gradient" else 1 for load in self.loads]
        self.rows = np.cumsum([0, *rows])[:-1]

    def solved(self, time: float, y: FloatArray, W: FloatArray, *, interaction: bool) -> Accelerations:
        """Accelerations, and with ``interaction`` hinge loads; W is the workspace after the shared right-hand side."""
        strengths = self.compiled.opened(W).strengths[self.rows] if len(self.rows) else ()
        state = unpack_state(self.compiled, y)
        return accelerations(self.model, state, self.loads, time, interaction=interaction, strengths=strengths)

    def __call__(self, time: float, y: FloatArray, W: FloatArray, dy: FloatArray) -> None:
        """Overwrite the accelerations in ``dy``; W is the workspace after the shared right-hand side."""
        c = self.compiled
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
