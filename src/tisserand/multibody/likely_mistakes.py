"""Numbers that a vehicle can have but that people rarely mean: units mixed up, signs turned, actuators missing.

Serves theory section 5.4 (checks of every run).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.controllers import Controller, LinearController
from tisserand.multibody.joints import Joint
from tisserand.multibody.profiles import Profile
from tisserand.multibody.vehicle import Body, Vehicle

#: A radius of gyration beyond this many times the largest distance that the vehicle states is doubted.
_GYRATION = 10.0
#: The same without any distance, m.
_LONE_GYRATION = 100.0
#: Limits of an angle beyond this are doubted, rad.
_FARTHEST = 4.0 * np.pi
#: A constant prescribed angle beyond this is doubted, rad.
_TURN = 2.0 * np.pi


def vehicle_mistakes(vehicle: Vehicle) -> tuple[str, ...]:
    """One sentence per number that looks like another unit or another body."""
    reach = _reach(vehicle)
    return (
        *(words for body in vehicle.bodies if (words := _gyration(body, reach))),
        *(words for joint in vehicle.joints for words in _angles(joint)),
        *_rotors(vehicle),
    )


def control_mistakes(vehicle: Vehicle, controllers: Sequence[Controller]) -> tuple[str, ...]:
    """One sentence per controller that cannot do, or turns around, what it commands."""
    laws = [getattr(controller, "continuous", None) or controller for controller in controllers]
    known = tuple(words for controller in controllers for words in getattr(controller, "doubts", ()))
    return known + tuple(
        words
        for controller in laws
        if isinstance(controller, LinearController)
        for words in (
            *_allocation(vehicle, controller),
            *_signs(vehicle, controller),
            *_quaternions(vehicle, controller),
        )
    )


def _reach(vehicle: Vehicle) -> float:
    """Largest distance that the vehicle states, m."""
    places: list[FloatArray] = [body.center for body in vehicle.bodies]
    places += [np.asarray(place, float) for body in vehicle.bodies for _, place in body.points]
    places += [point for joint in vehicle.joints for point in (joint.parent_point, joint.child_point)]
    places += [rotor.position for rotor in vehicle.rotors]
    for mount in vehicle.appendages:
        places += [mount.position, mount.record.nodes.positions]
    return max((float(np.linalg.norm(place, axis=-1).max(initial=0.0)) for place in places), default=0.0)


def _gyration(body: Body, reach: float) -> str:
    largest = float(np.linalg.eigvalsh(body.inertia)[-1])
    if not (body.mass > 0.0 and largest > 0.0):
        return ""
    radius = float(np.sqrt(largest / body.mass))
    if radius <= (_GYRATION * reach if reach > 0.0 else _LONE_GYRATION):
        return ""
    beside = f", and nothing else of the vehicle is farther out than {reach:.3g} m" if reach > 0.0 else ""
    return (
        f"body {body.name}: {largest:.4g} kg m² with {body.mass:.4g} kg is mass at {radius:.3g} m from its center{beside}: "
        "check the units of mass and inertia"
    )


def _angles(joint: Joint) -> list[str]:
    """Limits and constant motions of angles that look like degrees."""
    out = []
    turns = [i for i, step in enumerate(joint.steps) if step == "hinge"]
    far = [x for i in turns for x in joint.limits[i] if np.isfinite(x) and abs(x) > _FARTHEST]
    if far:
        out.append(
            f"joint {joint.name}: a limit of {far[0]:.4g} rad is {far[0] / (2.0 * np.pi):.3g} turns: "
            "angles are in rad; use limits_deg for degrees"
        )
    for motion in (joint.motion[i] for i in turns):
        if motion is not None and _is_constant(motion) and abs(motion.pieces[0, 0]) > _TURN:
            angle = float(motion.pieces[0, 0])
            out.append(
                f"joint {joint.name}: a prescribed angle of {angle:.4g} rad is {angle / (2.0 * np.pi):.3g} turns: "
                "angles are in rad; use motion_deg for degrees"
            )
    return out


def _is_constant(profile: Profile) -> bool:
    return len(profile.starts) == 1 and not profile.pieces[0, 1:5].any()


def _rotors(vehicle: Vehicle) -> list[str]:
    bodies = {body.name: body for body in vehicle.bodies}
    out = []
    for rotor in vehicle.rotors:
        own = float(np.linalg.eigvalsh(bodies[rotor.body].inertia)[-1])
        if 0.0 < own < rotor.spin_inertia:
            out.append(
                f"rotor {rotor.name}: its spin inertia of {rotor.spin_inertia:.4g} kg m² exceeds the largest of body "
                f"{rotor.body}, {own:.4g} kg m²: check the units"
            )
    return out


def _allocation(vehicle: Vehicle, controller: LinearController) -> list[str]:
    """Rotors that cannot make the torque that the attitude errors ask for."""
    errors = [signal for signal in controller.inputs if signal.kind == "attitude"]
    if not errors or any(load.kind != "rotor" for load in controller.outputs):
        return []
    body = errors[0].target
    rotors = [next(rotor for rotor in vehicle.rotors if rotor.name == load.target) for load in controller.outputs]
    elsewhere = [rotor.name for rotor in rotors if rotor.body != body]
    if elsewhere:
        return [
            f"controller {controller.name}: {', '.join(elsewhere)} turns in another body than {body}, which it controls"
        ]
    wanted = np.array([signal.direction for signal in errors])
    given = np.array([rotor.axis / np.linalg.norm(rotor.axis) for rotor in rotors])
    missing = int(np.linalg.matrix_rank(wanted, 1e-6)) - int(np.linalg.matrix_rank(given, 1e-6))
    if missing <= 0:
        return []
    silent = np.linalg.svd(given)[2][-1]
    silent = silent * np.sign(silent[np.abs(silent).argmax()]) + 0.0
    axis = ", ".join(f"{x:.3g}" for x in silent)
    names = ", ".join(rotor.name for rotor in rotors)
    return [
        f"controller {controller.name} commands torque about {int(np.linalg.matrix_rank(wanted, 1e-6))} axes, but its rotors "
        f"{names} act about {int(np.linalg.matrix_rank(given, 1e-6))}: nothing acts about ({axis}) of {body}"
    ]


def _quaternions(vehicle: Vehicle, controller: LinearController) -> list[str]:
    """Motors of ball joints that answer to a component of the quaternion as if it were an angle."""
    balls = {joint.name: joint.kind for joint in vehicle.joints if "ball" in joint.steps}
    driven = {load.target for load in controller.outputs if load.kind == "joint"} & balls.keys()
    read = {s.target for s in controller.inputs if s.kind == "joint"} & driven
    return [
        f"controller {controller.name}: coordinates of {balls[name]} joint {name} are components of its quaternion, not angles "
        "about its axes: use rates and attitude errors, or a gimbal"
        for name in sorted(read)
    ]


def _signs(vehicle: Vehicle, controller: LinearController) -> list[str]:
    """Gains that push away from the reference: the torque on the body grows with the error."""
    torque = np.zeros((3, len(controller.outputs)))
    bodies = set()
    for k, load in enumerate(controller.outputs):
        if load.kind == "rotor":
            rotor = next(rotor for rotor in vehicle.rotors if rotor.name == load.target)
            torque[:, k] = -rotor.axis / np.linalg.norm(rotor.axis)  # the reaction of the motor
            bodies.add(rotor.body)
        elif load.kind == "torque" and not load.inertial:
            torque[:, k] = load.direction
            bodies.add(load.target)
        else:
            return []
    out = []
    for kind, what in (("attitude", "error"), ("rate", "rate")):
        columns = [i for i, signal in enumerate(controller.inputs) if signal.kind == kind and {signal.target} == bodies]
        if not columns:
            continue
        axes = np.array([controller.inputs[i].direction for i in columns])
        gain = torque @ controller.D[:, columns] @ axes
        values = np.linalg.eigvalsh(0.5 * (gain + gain.T))
        if values[-1] > 1e-6 * np.abs(values).max() and values[-1] > 0.0 and np.trace(gain) > 0.0:
            out.append(
                f"controller {controller.name}: its torque grows with the {what} that it should remove: check signs"
            )
    return out
