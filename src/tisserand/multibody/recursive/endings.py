"""How an evaluation or a run ends: named statuses, and the sentences they become.

Serves theory section 5.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tisserand.multibody.recursive.compile import CompiledVehicle

#: Statuses of the steppers.
DONE, STOPPED, STEP_TOO_SMALL, TOO_MANY_STEPS, NOT_FINITE, TOO_MANY_EVENTS = 0, -1, -2, -3, -4, -5
#: What is not positive definite; a positive status is this plus ``CAUSES`` times the number of the body.
MODAL_MASS, JOINT_INERTIA, BASE_INERTIA, CAUSES = 1, 2, 3, 4

SENTENCES = {
    STOPPED: "an event stopped the run",
    STEP_TOO_SMALL: "the step became too small",
    TOO_MANY_STEPS: "the number of steps reached max_steps (shorten the run, or state more)",
    NOT_FINITE: "the state is no longer finite",
    TOO_MANY_EVENTS: "more events than are recorded in one stretch of a run",
}


def failed(cause: int, body: int) -> int:
    """The status of a matrix of a body that is not positive definite."""
    return cause + CAUSES * body


def ending(status: int, compiled: CompiledVehicle) -> str:
    """Words for a status of the kernels."""
    if status in SENTENCES:
        return SENTENCES[status]
    body = compiled.tree.bodies[status // CAUSES]
    blocks = " and ".join(f"appendage {block.name}" for block in body.blocks) or f"body {body.name}"
    joint = f"joint {body.joint} (axis {body.joint_axis + 1})" if body.joint else f"the joint of body {body.name}"
    what = {
        MODAL_MASS: f"the modal mass matrix of {blocks}",
        JOINT_INERTIA: f"the inertia about {joint}",
        BASE_INERTIA: "the inertia of the whole vehicle",
    }
    return f"{what[status % CAUSES]} is not positive definite"
