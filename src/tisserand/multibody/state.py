"""The state of a vehicle in named pieces; the flat vector belongs to the engines.

Coordinates: theory section 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import GivenArray, frozen, no_turn, zeros
from tisserand.errors import VehicleError
from tisserand.notebook_html import html_table

_BASE = ("position", "attitude", "velocity", "angular_velocity")
_NAMED = ("joints", "joint_rates", "modal", "modal_rates", "rotor_angles", "rotor_rates", "controllers")


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class State:
    """Initial or recorded state. Whatever is not named is zero.

    position, velocity (3,): origin of the base body in inertial axes, m, m/s; attitude (4,): quaternion of the base, scalar
    first, base to inertial; angular_velocity (3,): of the base in base axes, rad/s.
    joints, joint_rates: joint name -> value(s): rad or m per axis; ball: quaternion (4,) and relative rate (3,).
    modal, modal_rates: appendage name -> (k,). rotor_angles, rotor_rates: rotor name -> rad, rad/s relative to the body.
    controllers: controller name -> its states.
    """

    position: GivenArray = field(default_factory=zeros(3))
    attitude: GivenArray = field(default_factory=no_turn)
    velocity: GivenArray = field(default_factory=zeros(3))
    angular_velocity: GivenArray = field(default_factory=zeros(3))
    joints: Mapping[str, ArrayLike] = field(default_factory=dict)
    joint_rates: Mapping[str, ArrayLike] = field(default_factory=dict)
    modal: Mapping[str, ArrayLike] = field(default_factory=dict)
    modal_rates: Mapping[str, ArrayLike] = field(default_factory=dict)
    rotor_angles: Mapping[str, ArrayLike] = field(default_factory=dict)
    rotor_rates: Mapping[str, ArrayLike] = field(default_factory=dict)
    controllers: Mapping[str, ArrayLike] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for word, n in (("position", 3), ("attitude", 4), ("velocity", 3), ("angular_velocity", 3)):
            try:
                values = frozen(getattr(self, word), shape=(n,))
            except ValueError as error:
                raise VehicleError(
                    f"{word.replace('_', ' ')} needs {n} numbers", where="state", found=np.shape(getattr(self, word))
                ) from error
            if not np.isfinite(values).all():
                raise VehicleError(f"{word.replace('_', ' ')} is not finite", where="state", found=values.tolist())
            object.__setattr__(self, word, values)
        size = float(np.linalg.norm(self.attitude))
        if abs(size - 1.0) > 1e-6:
            raise VehicleError("the attitude quaternion must have unit length", where="state", found=size)
        object.__setattr__(self, "attitude", frozen(self.attitude / size))
        for word in _NAMED:
            pieces = {str(k): frozen(np.atleast_1d(v)) for k, v in getattr(self, word).items()}
            for name, values in pieces.items():
                if not np.isfinite(values).all():
                    raise VehicleError(
                        f"{word.replace('_', ' ')} of {name} is not finite", where="state", found=values.tolist()
                    )
            object.__setattr__(self, word, MappingProxyType(pieces))

    def changed(self, **values: Any) -> State:
        """A copy with some pieces replaced.

        Args:
            values: new pieces by name.
        """
        return replace(self, **values)

    def _repr_html_(self) -> str:
        rows = [(word.replace("_", " "), np.round(getattr(self, word), 9).tolist()) for word in _BASE]
        for word in _NAMED:
            rows += [
                (f"{word.replace('_', ' ')}: {name}", np.asarray(v).tolist()) for name, v in getattr(self, word).items()
            ]
        return html_table("State", ("", ""), rows)
