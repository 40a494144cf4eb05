"""Control laws: linear blocks with states inside the compiled step, sampled callables outside it.

Torques: theory section 5; gravity compensation: S4 14.14.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, GivenArray, frozen, zeros
from tisserand.errors import VehicleError
from tisserand.multibody import signals
from tisserand.multibody.compiled_law import CompiledLaw
from tisserand.multibody.discrete_law import DiscreteLaw, Discretization, Hold, discretized
from tisserand.multibody.loads import Load, joint_torque, rotor_torque, torque
from tisserand.multibody.profiles import Profile
from tisserand.multibody.signals import Signal


@checked_arguments
@dataclass(frozen=True, eq=False)
class LinearController:
    """x' = A x + B s, command = clip(C x + D s); s the ``inputs``, one command per load of ``outputs``.

    A (n, n), B (n, p), C (m, n), D (m, p), limits (m, 2).

    Attributes:
        name: of the controller.
    """

    name: str
    inputs: tuple[Signal, ...]
    outputs: tuple[Load, ...]
    D: FloatArray
    _: KW_ONLY
    A: GivenArray = field(default_factory=zeros(0, 0))
    B: GivenArray = field(default_factory=zeros(0, 0))
    C: GivenArray = field(default_factory=zeros(0, 0))
    limits: FloatArray | None = None

    def __post_init__(self) -> None:
        n, p, m = np.asarray(self.A).shape[0], len(self.inputs), len(self.outputs)
        shapes = {"A": (n, n), "B": (n, p), "C": (m, n), "D": (m, p)}
        for word, shape in shapes.items():
            raw = np.asarray(getattr(self, word), float)
            values = raw.reshape(shape) if raw.size == 0 == int(np.prod(shape)) else raw
            if values.shape != shape or not np.isfinite(values).all():
                raise VehicleError(
                    f"matrix {word} has the wrong shape or is not finite",
                    where=f"controller {self.name}",
                    found=values.shape,
                    expected=shape,
                )
            object.__setattr__(self, word, frozen(values))
        limits = np.tile([-np.inf, np.inf], (m, 1)) if self.limits is None else np.asarray(self.limits, float)
        if limits.shape != (m, 2) or np.any(limits[:, 0] > limits[:, 1]):
            raise VehicleError(
                "limits need (low, high) per output", where=f"controller {self.name}", found=limits.shape
            )
        object.__setattr__(self, "limits", frozen(limits))


@checked_arguments
@dataclass(frozen=True, eq=False)
class SampledController:
    """``law(time, values) -> commands`` called every ``period`` s with the ``inputs``; held between calls.

    Commands act ``delay`` s after their call; the delay may be longer than the period. A law with states has a method ``begin()``
    that returns such a function for each run, so that a case can be simulated again.

    Attributes:
        name: of the controller.
        outputs: loads that it commands.
        on_off: its commands are valves that open and close: firings are logged.
        continuous: the law before it was sampled, if it was one.
        hold: between samples commands stay (zero), or go on with the slope from the last sample to this one (first).
    """

    name: str
    inputs: tuple[Signal, ...]
    outputs: tuple[Load, ...]
    law: Callable[[float, FloatArray], ArrayLike]
    period: float
    delay: float = 0.0
    _: KW_ONLY
    on_off: bool = False
    continuous: LinearController | None = None
    hold: Hold = "zero"

    def __post_init__(self) -> None:
        if not self.period > 0.0 or not self.delay >= 0.0:
            raise VehicleError(
                "the period must be positive and the delay not negative",
                where=f"controller {self.name}",
                found=(self.period, self.delay),
            )

    def begun(self) -> Callable[[float, FloatArray], ArrayLike]:
        """The law of one run, with states of its own."""
        begin = getattr(self.law, "begin", None)
        return self.law if begin is None else begin()  # type: ignore[no-any-return]

    def actions(
        self, time: float, values: FloatArray, law: Callable[[float, FloatArray], ArrayLike]
    ) -> list[tuple[float, Any, FloatArray]]:
        """What one call sets off: after how many seconds, which outputs, their commands.

        Args:
            time: s.
            values: of the inputs.
            law: of this run.
        """
        return [(self.delay, slice(None), self.commands(time, values, law))]

    def commands(
        self, time: float, values: FloatArray, law: Callable[[float, FloatArray], ArrayLike] | None = None
    ) -> FloatArray:
        """Checked result of the law.

        Args:
            time: s.
            values: of the inputs.
            law: of this run; None: the law as given.
        """
        out = np.asarray((law or self.law)(time, values), float).ravel()
        if out.shape != (len(self.outputs),):
            raise VehicleError(
                "the control law returned the wrong number of commands",
                where=f"controller {self.name}",
                found=out.shape[0],
                expected=len(self.outputs),
            )
        if not np.isfinite(out).all():
            raise VehicleError(
                "the control law returned values that are not finite",
                where=f"controller {self.name}, t = {time:.6g} s",
                found=out.tolist(),
            )
        return out


Controller = LinearController | SampledController | CompiledLaw


def _limits(limit: float | None, count: int) -> FloatArray | None:
    return None if limit is None else np.tile([-abs(limit), abs(limit)], (count, 1))


@checked_arguments
def joint_pid(
    joint: str,
    kp: float,
    kd: float,
    ki: float = 0.0,
    *,
    reference: Profile | float = 0.0,
    axis: int = 0,
    limit: float | None = None,
    gravity: bool = False,
    name: str = "",
) -> LinearController:
    """Torque kp e + ki int e + kd e' at a joint, e = reference - angle.

    gravity: adds the torque that balances gravity on everything outboard (``signals.gravity_effort``; G3), evaluated in
    every compiled step, so that the joint holds its reference without the sag that a plain PD needs to carry the load.

    Args:
        axis: number of the joint axis, from 0.
        limit: largest command; None is unlimited.
        name: of the controller.
    """
    inputs = [
        signals.joint_angle(joint, axis),
        signals.joint_rate(joint, axis),
        signals.value_of(reference),
        signals.value_of(reference, rate=True, name="reference rate"),
    ]
    D, B = [-kp, -kd, kp, kd], [-1.0, 0.0, 1.0, 0.0]
    if gravity:
        inputs.append(signals.gravity_effort(joint, axis))
        D, B = [*D, 1.0], [*B, 0.0]
    integral = {"A": np.zeros((1, 1)), "B": np.array([B]), "C": np.array([[ki]])} if ki else {}
    label, motor = name or f"{joint} loop", (joint_torque(joint, None, axis),)
    return LinearController(label, tuple(inputs), motor, np.array([D]), limits=_limits(limit, 1), **integral)


@checked_arguments
def attitude_pd(
    body: str,
    kp: ArrayLike,
    kd: ArrayLike,
    ki: ArrayLike = 0.0,
    *,
    reference: ArrayLike = (1, 0, 0, 0),
    slew_axis: ArrayLike = (0, 0, 1),
    slew: Profile | None = None,
    rotors: Sequence[tuple[str, ArrayLike]] = (),
    limit: float | None = None,
    name: str = "",
) -> LinearController:
    """Torque -kp error - kd rate error - ki int error on a body, by ideal torques or by its rotors.

    kp, kd, ki: number, (3,) or (3, 3), N m/rad...; the reference attitude is ``reference`` turned by ``slew(t)`` about
    ``slew_axis``. ``rotors``: (name, axis) pairs; their motors share the torque by pseudo-inverse, reaction on the body.

    Args:
        limit: largest command; None is unlimited.
    """
    gains = [
        np.diag(np.broadcast_to(np.asarray(g, float), (3,))) if np.ndim(g) < 2 else np.asarray(g, float)
        for g in (kp, kd, ki)
    ]
    axes = np.eye(3)
    unit = np.asarray(slew_axis, float) / np.linalg.norm(slew_axis)
    inputs = [
        *(signals.attitude_error(body, axes[i], reference, unit, slew, f"{body}.error{'xyz'[i]}") for i in range(3)),
        *(signals.body_rate(body, axes[i], f"{body}.rate{'xyz'[i]}") for i in range(3)),
    ]
    torque_of = np.hstack([-gains[0], -gains[1]])
    if slew is not None:
        inputs.append(signals.value_of(slew, rate=True, name="slew rate"))
        torque_of = np.hstack([torque_of, (gains[1] @ unit)[:, None]])
    if rotors:
        share = -np.linalg.pinv(np.column_stack([np.asarray(a, float) / np.linalg.norm(a) for _, a in rotors]))
        outputs = tuple(rotor_torque(rotor, None) for rotor, _ in rotors)
    else:
        share, outputs = (
            np.eye(3),
            tuple(torque(body, axes[i], None, name=f"{body}.control{'xyz'[i]}") for i in range(3)),
        )
    p = len(inputs)
    A = B = C = np.zeros((0, 0))
    if np.any(gains[2]):
        A, B, C = np.zeros((3, 3)), np.hstack([np.eye(3), np.zeros((3, p - 3))]), share @ -gains[2]
    return LinearController(
        name or f"{body} attitude",
        tuple(inputs),
        outputs,
        share @ torque_of,
        A=A,
        B=B,
        C=C,
        limits=_limits(limit, len(outputs)),
    )


@checked_arguments
def rotor_speed(
    rotor: str,
    kp: float,
    ki: float = 0.0,
    *,
    reference: Profile | float = 0.0,
    limit: float | None = None,
    name: str = "",
) -> LinearController:
    """Motor torque kp (reference - rate) + ki int on a rotor.

    Args:
        limit: largest command; None is unlimited.
        name: of the controller.
    """
    inputs = (signals.rotor_rate(rotor), signals.value_of(reference))
    integral = {"A": np.zeros((1, 1)), "B": np.array([[-1.0, 1.0]]), "C": np.array([[ki]])} if ki else {}
    label, motor = name or f"{rotor} loop", (rotor_torque(rotor, None),)
    return LinearController(label, inputs, motor, np.array([[-kp, kp]]), limits=_limits(limit, 1), **integral)


@checked_arguments
def state_space(
    name: str,
    inputs: Sequence[Signal],
    outputs: Sequence[Load],
    A: ArrayLike,
    *,
    B: ArrayLike,
    C: ArrayLike,
    D: ArrayLike,
    limits: ArrayLike | None = None,
) -> LinearController:
    """A block x' = A x + B s, commands C x + D s (filters, notches, observers).

    Args:
        name: of the controller.
        inputs: signals it reads.
        outputs: loads it commands.
        limits: lowest and highest command per output.
    """
    return LinearController(
        name,
        tuple(inputs),
        tuple(outputs),
        np.atleast_2d(np.asarray(D, float)),
        A=np.atleast_2d(np.asarray(A, float)),
        B=np.atleast_2d(np.asarray(B, float)),
        C=np.atleast_2d(np.asarray(C, float)),
        limits=None if limits is None else np.asarray(limits, float),
    )


@checked_arguments
def sampled(
    controller: LinearController,
    period: float,
    delay: float = 0.0,
    *,
    method: Discretization = "zoh",
    discrete: bool = False,
    hold: Hold = "zero",
) -> SampledController:
    """A linear law in discrete time: called every ``period`` s, its commands held and ``delay`` s late.

    Args:
        controller: the law; its limits hold.
        method: how its states are made discrete: inputs held between samples (zoh), or the trapezoidal rule (tustin).
        discrete: its matrices are those of discrete time already.
        hold: what commands do between samples.
    """
    c = controller
    matrices = (c.A, c.B.reshape(len(c.A), len(c.inputs)), c.C.reshape(len(c.outputs), len(c.A)), c.D)
    if not discrete:
        matrices = discretized(*matrices, period, method)
    assert c.limits is not None
    law = DiscreteLaw(*matrices, c.limits)
    return SampledController(
        c.name, c.inputs, c.outputs, law, period, delay, continuous=None if discrete else c, hold=hold
    )
