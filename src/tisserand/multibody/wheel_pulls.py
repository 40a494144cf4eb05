"""The plain loads that the effects of a wheel consist of, driven by inputs that the engine fills in.

Reference: theory section 15.
"""

from __future__ import annotations

from tisserand.multibody.loads import Load, force, rotor_torque, torque
from tisserand.multibody.wheel_law import cross_axes


def wheel_inputs(load: Load) -> list[str]:
    """The inputs that a wheel drives: the shortfall of its motor, then forces and torques of imbalance."""
    law = load.wheel
    assert law is not None
    return [f"{load.name}#0"] * law.limited + [f"{load.name}#{i}" for i in range(1, 5)] * law.shakes


def wheel_pulls(load: Load) -> list[Load]:
    """The shortfall on the rotor; force and torque on its body along the two axes across it."""
    law = load.wheel
    assert law is not None
    rotor, made = law.rotor, []
    if law.limited:
        made.append(rotor_torque(rotor.name, f"{load.name}#0", f"{load.name}.limit"))
    if law.shakes:
        across = cross_axes(rotor.axis)
        for i, (axis, word) in enumerate(zip(across, "xy")):
            name = f"{load.name}.shake.{word}"
            made.append(force(rotor.body, axis, f"{load.name}#{1 + i}", point=rotor.position, name=name))
        for i, (axis, word) in enumerate(zip(across, "xy")):
            made.append(torque(rotor.body, axis, f"{load.name}#{3 + i}", name=f"{load.name}.shake.turn.{word}"))
    return made
