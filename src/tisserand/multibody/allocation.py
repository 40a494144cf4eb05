"""Control allocation: which actuators share a demand, and what a set of them cannot do.

Serves the torques of theory section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, frozen
from tisserand.errors import VehicleError
from tisserand.multibody.loads import Load
from tisserand.multibody.vehicle import Vehicle

#: Singular values below this part of the largest count as zero.
_RANK = 1e-6
#: A demand is met when this part of it is missing at most.
_MISSED = 1e-6
#: Weight of the commands themselves against the demand, as a part of the largest effect: the smallest commands are chosen.
_SMALL = 1e-5


@checked_arguments
@dataclass(frozen=True, eq=False)
class Allocation:
    """Commands of actuators that together give a demand.

    Attributes:
        effect: (a, m): what one unit of each command gives along each of the commanded axes.
        one_sided: commands are not negative (thrusters); otherwise of either sign (wheels).
        names: of the actuators.
    """

    effect: FloatArray
    one_sided: bool = False
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        effect = np.asarray(self.effect, float)
        if effect.ndim != 2 or not effect.size or not np.isfinite(effect).all():
            raise VehicleError("the effect of actuators is a finite table, axes by actuators", found=effect.shape)
        object.__setattr__(self, "effect", frozen(effect))
        names = self.names or tuple(f"actuator {i + 1}" for i in range(effect.shape[1]))
        if len(names) != effect.shape[1]:
            raise VehicleError("as many names as actuators are needed", found=len(names), expected=effect.shape[1])
        object.__setattr__(self, "names", names)

    def commands(self, demand: ArrayLike) -> FloatArray:
        """(m,) commands for a demand (a,): by pseudo-inverse, or the smallest non-negative ones that come closest."""
        d = np.asarray(demand, float).ravel()
        if d.shape != (self.effect.shape[0],):
            raise VehicleError("a demand needs one number per axis", found=d.shape[0], expected=self.effect.shape[0])
        if not self.one_sided:
            return np.asarray(np.linalg.pinv(self.effect, rcond=_RANK) @ d)
        from scipy.optimize import nnls

        size = float(np.abs(self.effect).max())
        if not d.any() or not size:
            return np.zeros(self.effect.shape[1])
        extended = np.vstack([self.effect, _SMALL * size * np.eye(self.effect.shape[1])])
        return np.asarray(nnls(extended, np.concatenate([d, np.zeros(self.effect.shape[1])]))[0])

    def missing(self, demand: ArrayLike) -> float:
        """Part of a demand (a,) that no commands give."""
        d = np.asarray(demand, float).ravel()
        if self.one_sided:
            from scipy.optimize import nnls

            left = float(nnls(np.asarray(self.effect), d)[1])
        else:
            left = float(np.linalg.norm(self.effect @ self.commands(d) - d))
        return left / max(float(np.linalg.norm(d)), 1e-300)

    def doubts(self, where: str) -> tuple[str, ...]:
        """One sentence per lack: fewer actuators than axes, axes that none acts along, directions that none pushes toward."""
        axes, count = self.effect.shape
        rank = int(np.linalg.matrix_rank(self.effect, _RANK * float(np.abs(self.effect).max())))
        listed = ", ".join(self.names)
        if rank < axes:
            silent = np.linalg.svd(self.effect)[0][:, -1]
            silent = silent * np.sign(silent[np.abs(silent).argmax()]) + 0.0
            few = f"only {count} actuators" if count < axes else "actuators"
            along = ", ".join(f"{x:.3g}" for x in silent)
            return (
                f"{where} commands {axes} axes, but its {few} {listed} act along {rank}: nothing acts along ({along})",
            )
        if not self.one_sided:
            return ()
        lacking = [
            f"{'+' if sign > 0 else '-'}{axis + 1}"
            for axis in range(axes)
            for sign in (1.0, -1.0)
            if self.missing(sign * np.eye(axes)[axis]) > _MISSED
        ]
        if not lacking:
            return ()
        return (
            f"{where}: its thrusters {listed} only push, and together they cannot push along {', '.join(lacking)} "
            f"of its {axes} axes",
        )


def torque_effect(vehicle: Vehicle, body: str, loads: Sequence[Load], about: ArrayLike | None = None) -> FloatArray:
    """(3, m): torque on a body, N m in its axes, of one unit of each load: forces at points, torques and rotors of the body.

    about: point of the body, m; its mass center by default.
    """
    known = vehicle.body(body)
    center = known.center if about is None else np.asarray(about, float)
    columns = np.zeros((3, len(loads)))
    for k, load in enumerate(loads):
        if load.kind == "rotor":
            rotor = vehicle.rotor(load.target)
            columns[:, k] = -rotor.axis if rotor.body == body else 0.0
        elif load.target != body or load.inertial or load.kind not in ("force", "torque"):
            raise VehicleError(
                "an actuator is a force or torque on the body in its axes, or one of its rotors",
                where=f"load {load.name}",
                found=f"{load.kind} on {load.target}",
            )
        elif load.kind == "torque":
            columns[:, k] = load.direction
        else:
            point = known.point(load.point) if isinstance(load.point, str) else np.asarray(load.point, float)
            columns[:, k] = np.cross(point - center, load.direction)
    return columns
