"""Rows of a vehicle displaced by imaginary steps: what a run records, with derivatives in the imaginary parts.

References: theory sections 6 and 10.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tisserand.errors import VehicleError
from tisserand.multibody.engines.recursive_engine import joint_loads
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.endings import ending
from tisserand.multibody.recursive.kernels import tangent

#: Complex arrays; functions of real histories take them too.
Rows = NDArray[Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class DisplacedRows:
    """Named like the histories of a ``Trajectory``, so that measurements are evaluated by the same functions; all complex.

    rates (n, size): of the flat state; values (n, signals): the signals; velocity (n, 3): of the base origin; times (n,) real.
    """

    times: Rows
    bodies: tuple[str, ...]
    rates: Rows
    values: Rows
    velocity: Rows
    rotation: Rows
    origin: Rows
    rate: Rows
    origin_acceleration: Rows
    angular_acceleration: Rows
    joint_force: Mapping[str, Rows]
    joint_torque_vector: Mapping[str, Rows]
    modal: Mapping[str, Rows]
    modal_rates: Mapping[str, Rows]
    modal_accelerations: Mapping[str, Rows]

    def __len__(self) -> int:
        return len(self.rates)

    def body(self, name: str) -> int:
        """Number of a body in the histories."""
        return self.bodies.index(name)


def displaced_rows(c: CompiledVehicle, time: float, Y: Rows, U: Rows) -> DisplacedRows:
    """The engine at complex states Y (n, size) with held inputs U (n, m), all at one time."""
    n, nb = len(Y), len(c.tree.bodies)
    rates, values = np.zeros_like(Y), np.zeros((n, int(c.head["signals"])), complex)
    poses, acceleration, wrench, effort = (np.zeros((n, nb, k), complex) for k in (18, 6, 6, 3))
    W = c.workspace().astype(complex)
    status = c.drive_elements(time, Y, U) or tangent()(
        c.M, c.F, W, U, float(time), Y, rates, values, poses, acceleration, wrench, effort
    )
    if status:
        raise VehicleError("the vehicle cannot be linearized at this state", found=ending(status, c))
    force, torque, _ = joint_loads(c, wrench, effort)
    places = {name: c.eta_places(name) for name in c.eta}
    return DisplacedRows(
        times=np.full(n, float(time)),
        bodies=tuple(body.name for body in c.tree.bodies),
        rates=rates,
        values=values,
        velocity=Y[:, c.speeds : c.speeds + 3],
        rotation=poses[:, :, :9].reshape(n, nb, 3, 3),
        origin=poses[:, :, 9:12],
        rate=poses[:, :, 15:18],
        origin_acceleration=acceleration[:, :, :3],
        angular_acceleration=acceleration[:, :, 3:],
        joint_force=force,
        joint_torque_vector=torque,
        modal={name: Y[:, q] for name, (q, _) in places.items()},
        modal_rates={name: Y[:, u] for name, (_, u) in places.items()},
        modal_accelerations={name: rates[:, u] for name, (_, u) in places.items()},
    )
