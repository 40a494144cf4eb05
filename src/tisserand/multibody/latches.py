"""Locks, latches, end stops, release and friction that sticks: loops that begin and cease to hold during a run.

They stand among the loads. What happens is recorded among the events of the run, the energy that impacts take in
``run.balance.impact_loss``. Serves theory section 12.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.errors import VehicleError
from tisserand.multibody.element_law import Element
from tisserand.multibody.events import Event
from tisserand.multibody.loads import Load
from tisserand.multibody.loop_law import Loop
from tisserand.multibody.signals import joint_angle


@checked_arguments
def joint_lock(
    joint: str,
    *,
    axis: int = 0,
    level: float | None = None,
    begin: float | Event | None = None,
    end: float | Event | None = None,
    name: str = "",
) -> Load:
    """A joint axis that is held: 1 row, the torque (slider: force) that it takes, N m or N.

    Args:
        joint: its name.
        axis: of a joint with several, from 0.
        level: coordinate at which it is held, rad or m; None: where it stands when the lock begins to hold.
        begin: time, s, or event from which it holds: what still moves then is stopped by an impact. None: from the start.
        end: time, s, or event at which it lets go, speeds unchanged. None: never.
        name: of the load.
    """
    loop = Loop(kind="lock", joints=(joint,), axes=(axis,), factors=(1.0,), level=level, begin=begin, end=end)
    return Load(name or f"{joint}.lock", "loop", "", loop=loop)


@checked_arguments
def latch(joint: str, angle: float, *, axis: int = 0, direction: int = 0, name: str = "") -> Load:
    """A latch that locks a joint where it passes an angle; momentum is conserved, the loss of energy reported.

    Args:
        joint: its name.
        angle: rad (slider: m).
        axis: of a joint with several, from 0.
        direction: +1 latches a rising coordinate only, -1 a falling one, 0 both.
        name: of the load.
    """
    label = name or f"{joint}.latch"
    when = Event(label, joint_angle(joint, axis, f"{label}.angle"), angle, direction)
    return joint_lock(joint, axis=axis, level=angle, begin=when, name=label)


@checked_arguments
def switched(load: Load, *, begin: float | Event | None = None, end: float | Event | None = None) -> Load:
    """A loop that holds for a part of the run only: release of a weld, capture of a point, a clutch in a gear.

    Args:
        load: any loop.
        begin: time, s, or event from which it holds; it must be closed then. None: from the start.
        end: time, s, or event at which it lets go, speeds unchanged. None: never.
    """
    if load.loop is None or load.loop.kind in ("stop", "friction"):
        raise VehicleError(
            "only loops and locks can be switched", where=f"load {load.name}", found=load.kind, expected="a loop"
        )
    return replace(load, loop=replace(load.loop, begin=begin, end=end))


@checked_arguments
def end_stop(
    joint: str,
    *,
    restitution: float | None = None,
    stiffness: float | None = None,
    damping: float = 0.0,
    settle_rate: float = 1e-3,
    axis: int = 0,
    name: str = "",
) -> Load:
    """End stops at the limits of a joint: rigid with a coefficient of restitution, or a spring and damper that push.

    The limits no longer end the run. A rigid stop holds the joint where it would leave slower than ``settle_rate``, until
    something pulls it away.

    Args:
        joint: its name; it has limits.
        restitution: 0 (the joint stays) to 1 (no loss).
        stiffness: instead of ``restitution``: N m/rad or N/m.
        damping: with ``stiffness``: N m s/rad or N s/m.
        settle_rate: rad/s or m/s.
        axis: of a joint with several, from 0.
        name: of the load.
    """
    label = name or f"{joint}.stop"
    if (restitution is None) == (stiffness is None):
        raise VehicleError("an end stop needs restitution or stiffness", where=f"load {label}", expected="one of them")
    if restitution is not None:
        if not 0.0 <= restitution <= 1.0:
            raise VehicleError("restitution must be between 0 and 1", where=f"load {label}", found=restitution)
        if not (np.isfinite(settle_rate) and settle_rate > 0.0):
            raise VehicleError("settle_rate must be positive", where=f"load {label}", found=settle_rate)
        loop = Loop(
            kind="stop", joints=(joint,), axes=(axis,), factors=(1.0,), restitution=restitution, settle_rate=settle_rate
        )
        return Load(label, "loop", "", loop=loop)
    assert stiffness is not None
    for word, value in (("stiffness", stiffness), ("damping", damping)):
        if not (np.isfinite(value) and value >= 0.0):
            raise VehicleError(f"{word} must be finite and not negative", where=f"load {label}", found=value)
    sizes = [np.array([value, 0.0, 0.0, 0.0, 0.0, 0.0]) for value in (stiffness, damping)]
    element = Element(kind="end_stop", target=joint, axis=axis, stiffness=sizes[0], damping=sizes[1])
    return Load(label, "element", "", element=element)


@checked_arguments
def friction_lock(
    joint: str,
    coulomb: float,
    *,
    breakaway: float | None = None,
    stribeck_rate: float = 1.0,
    axis: int = 0,
    name: str = "",
) -> Load:
    """Dry friction at a joint axis that really sticks: it holds the joint up to ``breakaway``, and slips beyond it.

    Slipping it is ``-(c + (b - c) exp(-(u/s)^2))`` against the motion. ``force_elements.joint_friction`` is the smooth version,
    which creeps.

    Args:
        joint: its name.
        coulomb: level c of a sliding joint, N m (slider: N).
        breakaway: level b at rest; the same by default.
        stribeck_rate: s, rad/s or m/s.
        axis: of a joint with several, from 0.
        name: of the load.
    """
    label, rest = name or f"{joint}.friction", coulomb if breakaway is None else breakaway
    for word, value in (("coulomb", coulomb), ("breakaway", rest), ("stribeck_rate", stribeck_rate)):
        if not (np.isfinite(value) and value > 0.0):
            raise VehicleError(f"{word} must be positive", where=f"load {label}", found=value)
    if rest < coulomb:
        raise VehicleError(
            "friction at rest is less than when sliding",
            where=f"load {label}",
            found=rest,
            expected=f"at least {coulomb:g}",
        )
    law = (float(coulomb), float(rest), float(stribeck_rate))
    loop = Loop(kind="friction", joints=(joint,), axes=(axis,), factors=(1.0,), friction=law)
    return Load(label, "loop", "", loop=loop)
