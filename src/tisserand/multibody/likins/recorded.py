"""What a run of the ``likins`` engine records: its own accelerations and hinge loads, at every output time.

References: S1 Eqs 10, 11, 15, 54; theory section 16.2.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.likins.engine import Accelerations
from tisserand.multibody.likins.flat import FlatLikins
from tisserand.multibody.trajectory import Trajectory


def with_own_loads(run: Trajectory, engine: FlatLikins, Y: FloatArray, held: FloatArray) -> Trajectory:
    """The run with accelerations, joint forces, torques and efforts of the barycentric equations.

    Args:
        run: as recorded from the flat states.
        engine: the engine.
        Y: flat states (n, size) at the output times.
        held: inputs held there (n, inputs).
    """
    c = engine.compiled
    rhs = c.rhs
    W, rates = c.workspace(), np.zeros(c.size)
    solved: list[Accelerations] = []
    for t, y, U in zip(run.times, np.ascontiguousarray(Y), np.ascontiguousarray(held)):
        rhs(c.M, c.F, W, U, float(t), y, rates)  # leaves the strengths of the loads in the workspace
        solved.append(engine.solved(float(t), y, W, interaction=True))
    if not solved:
        return run

    def over_time(word: str, names: object) -> dict[str, FloatArray]:
        return {name: np.array([getattr(s, word)[name] for s in solved]) for name in names}  # type: ignore[attr-defined]

    return replace(
        run,
        origin_acceleration=np.array([s.origins for s in solved]),
        angular_acceleration=np.array([s.body_rates for s in solved]),
        modal_accelerations=over_time("modal", run.modal_accelerations),
        joint_force=over_time("joint_forces", run.joint_force),
        joint_torque_vector=over_time("joint_torques", run.joint_torque_vector),
        joint_effort=over_time("joint_drives", run.joint_effort),
    )
