"""What a simulation asks of an engine: the rates of a flat state, and observations along a run.

Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tisserand.arrays import FloatArray
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.trajectory_parts import ForceHistories, MotionHistories


@dataclass(frozen=True, eq=False, kw_only=True)
class Integrals:
    """Integrals of motion at n output times, inertial axes.

    kinetic, potential (n,) J; momentum (n, 3) N s; angular_momentum (n, 3) N m s about the inertial origin; center (n, 3) m.
    """

    kinetic: FloatArray
    potential: FloatArray
    momentum: FloatArray
    angular_momentum: FloatArray
    center: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Observation:
    """What an engine finds at n output times: motion of bodies, forces, integrals of motion, signals and commands by name.

    base_wrench (n, 6): force and torque that hold the base, inertial axes, N, N m; not used of a free base.
    """

    motion: MotionHistories
    forces: ForceHistories
    integrals: Integrals
    signals: Mapping[str, FloatArray]
    base_wrench: FloatArray


class Engine(Protocol):
    """Equations of motion behind the flat state y of a vehicle.

    name: as the option ``engine`` has it; compiled: places of coordinates in y, wiring of loads, laws and signals;
    kernel: the right-hand side that compiled steppers call, or None if ``rates`` is the only way.
    """

    @property
    def name(self) -> str: ...

    @property
    def compiled(self) -> CompiledVehicle: ...

    @property
    def kernel(self) -> Any: ...

    def rates(self, time: float, y: FloatArray, U: FloatArray, W: FloatArray, dy: FloatArray) -> int:
        """Write the derivative of y (size,) into dy; status of ``recursive.endings``.

        U: held inputs; W: a workspace, in which signals and strengths of loads are left.
        """

    def observe(self, times: FloatArray, Y: FloatArray, held: FloatArray) -> Observation:
        """Observe states Y (n, size) at ``times`` (n,), s, with inputs ``held`` (n, inputs)."""
