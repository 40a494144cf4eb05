"""Force elements: springs, dampers, tethers and bushings between two places, friction in joints, drag of rotors.

An element acts like a load whose strength follows from the motion; give it among the ``loads`` of a simulation, a linear model
or a steady state. Its work counts as work of loads. Serves theory section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.element_law import Anchor, Element, ElementKind
from tisserand.multibody.environment import parts_of
from tisserand.multibody.loads import Load, force, joint_torque, node_force, node_torque, rotor_torque, torque
from tisserand.multibody.loops import joint_pulls
from tisserand.multibody.wheel_pulls import wheel_pulls


@checked_arguments
def anchor(body: str, point: ArrayLike | str = "origin") -> Anchor:
    """An end at a point or frame of a body.

    Args:
        point: a name, or (3,) m in body axes.
    """
    return Anchor(body, point if isinstance(point, str) else np.asarray(point, float))


@checked_arguments
def node_anchor(appendage: str, node: int | str) -> Anchor:
    """An end at a node of an appendage.

    Args:
        node: its id, or the name of an interface.
    """
    return Anchor(appendage, node, True)


@checked_arguments
def spring(
    first: Anchor, second: Anchor, stiffness: float, *, damping: float = 0.0, length: float = 0.0, name: str = "spring"
) -> Load:
    """A spring and damper along the line between two places: tension ``k (l - length) + c l'``, compression where negative.

    Args:
        first: one end.
        second: the other end.
        stiffness: k, N/m.
        damping: c, N s/m.
        length: at which it is relaxed, m.
        name: of the load.
    """
    return _line("spring", first, second, stiffness, damping, length, name)


@checked_arguments
def tether(
    first: Anchor, second: Anchor, stiffness: float, length: float, *, damping: float = 0.0, name: str = "tether"
) -> Load:
    """A cable: the tension of a spring and damper where it is taut and positive, nothing where it is slack.

    Args:
        first: one end.
        second: the other end.
        stiffness: N/m.
        length: of the slack cable, m.
        damping: N s/m.
        name: of the load.
    """
    return _line("tether", first, second, stiffness, damping, length, name)


def _line(
    kind: ElementKind, first: Anchor, second: Anchor, stiffness: float, damping: float, length: float, name: str
) -> Load:
    values = {"stiffness": stiffness, "damping": damping, "length": length}
    _sensible(name, **{word: [value] for word, value in values.items()})
    sizes = [np.array([value, 0.0, 0.0, 0.0, 0.0, 0.0]) for value in (stiffness, damping)]
    element = Element(kind=kind, ends=(first, second), stiffness=sizes[0], damping=sizes[1], length=length)
    return Load(name, "element", "", element=element)


@checked_arguments
def bushing(
    first: Anchor,
    second: Anchor,
    stiffness: float | Sequence[float],
    *,
    turning_stiffness: float | Sequence[float] = 0.0,
    damping: float | Sequence[float] = 0.0,
    turning_damping: float | Sequence[float] = 0.0,
    name: str = "bushing",
) -> Load:
    """Springs and dampers on all six relative motions of two places, relaxed where places and axes coincide.

    The axes of an end are those of its named frame, of its body, or of its node; stiffness and damping act along those of the
    first end. Turns are rotation vectors (below 180 degrees), and the elastic part has an energy however large they are.

    Args:
        second: the other end.
        stiffness: one number or three, N/m.
        turning_stiffness: N m/rad.
        damping: N s/m.
        turning_damping: N m s/rad.
        name: of the load.
    """
    stated = {"stiffness": stiffness, "damping": damping}
    turning = {"stiffness": turning_stiffness, "damping": turning_damping}
    sizes = {}
    for word, value in stated.items():
        parts = [np.broadcast_to(np.asarray(part, float), 3) for part in (value, turning[word])]
        sizes[word] = np.concatenate(parts)
        _sensible(name, **{word: sizes[word].tolist()})
    element = Element(kind="bushing", ends=(first, second), stiffness=sizes["stiffness"], damping=sizes["damping"])
    return Load(name, "element", "", element=element)


@checked_arguments
def joint_friction(
    joint: str,
    coulomb: float,
    *,
    breakaway: float | None = None,
    stribeck_rate: float = 1.0,
    smoothing_rate: float = 1e-3,
    viscous: float = 0.0,
    axis: int = 0,
    name: str = "",
) -> Load:
    """Friction at a joint axis: ``-(c + (b - c) exp(-(u/s)^2)) tanh(u/e) - v u``, Coulomb's law with Stribeck's curve.

    The sign of the rate is smoothed within e, so that a joint under less than the level at rest creeps slower than e.

    Args:
        coulomb: level c of a sliding joint, N m (slider: N).
        breakaway: level b near rest; the same by default.
        stribeck_rate: s, rad/s or m/s.
        smoothing_rate: e, rad/s or m/s.
        viscous: v, N m s/rad or N s/m.
        name: of the load.
    """
    law = _friction(name or f"{joint}.friction", coulomb, breakaway, stribeck_rate, smoothing_rate, viscous)
    element = Element(kind="joint_friction", target=joint, axis=axis, friction=law, damping=_first(viscous))
    return Load(name or f"{joint}.friction", "element", "", element=element)


@checked_arguments
def rotor_drag(
    rotor: str,
    coulomb: float,
    *,
    breakaway: float | None = None,
    stribeck_rate: float = 1.0,
    smoothing_rate: float = 1e-3,
    viscous: float = 0.0,
    name: str = "",
) -> Load:
    """Drag of the bearing of a torque-driven rotor, by the law of :func:`joint_friction`; the reaction acts on its body.

    Args:
        coulomb: level of a turning rotor, N m.
        breakaway: level near rest; the same by default.
        stribeck_rate: rad/s.
        smoothing_rate: rad/s.
        viscous: N m s/rad, beside the damping of the rotor itself.
        name: of the load.
    """
    law = _friction(name or f"{rotor}.drag", coulomb, breakaway, stribeck_rate, smoothing_rate, viscous)
    element = Element(kind="rotor_drag", target=rotor, friction=law, damping=_first(viscous))
    return Load(name or f"{rotor}.drag", "element", "", element=element)


def _first(value: float) -> FloatArray:
    return np.array([value, 0.0, 0.0, 0.0, 0.0, 0.0])


def _friction(
    name: str, coulomb: float, breakaway: float | None, stribeck: float, smoothing: float, viscous: float
) -> tuple[float, float, float, float]:
    rest = coulomb if breakaway is None else breakaway
    _sensible(name, coulomb=[coulomb], breakaway=[rest], viscous=[viscous])
    if rest < coulomb:
        raise VehicleError(
            "friction at rest is less than when sliding",
            where=f"load {name}",
            found=rest,
            expected=f"at least {coulomb:g}",
        )
    for word, value in (("stribeck_rate", stribeck), ("smoothing_rate", smoothing)):
        if not (np.isfinite(value) and value > 0.0):
            raise VehicleError(f"{word} must be positive", where=f"load {name}", found=value)
    return (float(coulomb), float(rest), float(stribeck), float(smoothing))


def _sensible(name: str, **values: Sequence[float]) -> None:
    for word, numbers in values.items():
        for value in numbers:
            if not (np.isfinite(value) and value >= 0.0):
                raise VehicleError(f"{word} must be finite and not negative", where=f"load {name}", found=value)


@checked_arguments
def pulls(load: Load) -> list[Load]:
    """The plain loads that an element consists of, driven by inputs ``name#0``, ``name#1``, ..., which the engine fills in.

    A spring or tether: the force on the first end, inertial axes (3 inputs), and its reaction. A bushing: force (3) and torque
    (3) on the second end, the force's reaction and a torque (3) on the first. Friction and drag: one torque.

    Args:
        load: the load.
    """
    e, name = load.element, load.name
    assert e is not None
    if e.kind in ("joint_friction", "end_stop"):
        return [joint_torque(e.target, f"{name}#0", e.axis, name)]
    if e.kind == "rotor_drag":
        return [rotor_torque(e.target, f"{name}#0", name)]
    pulled, sides = [], ("first", "second")
    if e.kind == "bushing":
        return wrench_pulls(e.ends, name)
    for end, side, sign in zip(e.ends, sides, (1.0, -1.0)):
        for i, direction in enumerate(np.eye(3)):
            pulled.append(_force_at(end, sign * direction, f"{name}#{i}", f"{name}.{side}.{'xyz'[i]}"))
    return pulled


@checked_arguments
def wrench_pulls(ends: Sequence[Anchor], name: str) -> list[Load]:
    """Force (3 inputs) and torque (3) on the second end, the force's reaction and a torque (3) on the first.

    Args:
        ends: its two ends.
        name: of the load.
    """
    pulled, sides = [], ("first", "second")
    for end, side, sign in zip(ends, sides, (-1.0, 1.0)):
        for i, direction in enumerate(np.eye(3)):
            pulled.append(_force_at(end, sign * direction, f"{name}#{i}", f"{name}.{side}.{'xyz'[i]}"))
    for end, side, start in zip(ends, sides, (6, 3)):
        for i, direction in enumerate(np.eye(3)):
            pulled.append(_torque_at(end, direction, f"{name}#{start + i}", f"{name}.{side}.turn.{'xyz'[i]}"))
    return pulled


def _force_at(end: Anchor, direction: FloatArray, source: str, name: str) -> Load:
    if end.on_appendage:
        assert isinstance(end.place, (int, str))
        return node_force(end.part, end.place, direction, source, inertial=True, name=name)
    assert not isinstance(end.place, int)
    return force(end.part, direction, source, point=end.place, inertial=True, name=name)


def _torque_at(end: Anchor, direction: FloatArray, source: str, name: str) -> Load:
    if end.on_appendage:
        assert isinstance(end.place, (int, str))
        return node_torque(end.part, end.place, direction, source, inertial=True, name=name)
    return torque(end.part, direction, source, inertial=True, name=name)


@checked_arguments
def plain_loads(loads: Sequence[Load]) -> list[Load]:
    """The loads with every element, wheel and loop replaced by its pulls, and every load of the surroundings by its parts."""
    return [one for load in loads for one in _plain(load)]


def _plain(load: Load) -> list[Load]:
    if load.wheel is not None:
        return wheel_pulls(load)
    if load.loop is not None:
        return joint_pulls(load) if load.loop.joints else wrench_pulls(load.loop.ends, load.name)
    if load.kind == "environment":
        return parts_of(load)
    return [load] if load.element is None else pulls(load)


@checked_arguments
def inputs_of(load: Load) -> list[str]:
    """The inputs that an element drives, in the order of its law.

    Args:
        load: the load.
    """
    counts = {"spring": 3, "tether": 3, "bushing": 9, "joint_friction": 1, "rotor_drag": 1, "end_stop": 1}
    assert load.element is not None
    return [f"{load.name}#{i}" for i in range(counts[load.element.kind])]
