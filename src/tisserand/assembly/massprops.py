"""Mass properties from the rigid-body vectors: theory of TR 32-1576, ``S_t'M S_t = m 1`` and so on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, frozen, skew, symmetric
from tisserand.notebook_html import html_table

if TYPE_CHECKING:
    from tisserand.assembly.assembled_model import AssembledModel


@checked_arguments
@dataclass(frozen=True, eq=False)
class MassProperties:
    """mass kg; center (3,) m in basic axes; inertia (3, 3) kg m² about the mass center, basic axes."""

    mass: float
    center: FloatArray
    inertia: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", frozen(self.center, shape=(3,)))
        object.__setattr__(self, "inertia", frozen(symmetric(self.inertia), shape=(3, 3)))

    def inertia_about(self, point: FloatArray) -> FloatArray:
        """Inertia about another basic point (parallel axes), kg m²."""
        arm = skew(self.center - np.asarray(point, dtype=float))
        return np.asarray(self.inertia - self.mass * arm @ arm)

    @property
    def principal(self) -> tuple[FloatArray, FloatArray]:
        """Principal moments (ascending) and their axes as columns, right-handed."""
        moments, axes = np.linalg.eigh(self.inertia)
        if np.linalg.det(axes) < 0.0:
            axes[:, 0] = -axes[:, 0]
        return moments, axes

    def _repr_html_(self) -> str:
        inertia = [(f"inertia {axis} (kg m²)", *map(float, row)) for axis, row in zip("xyz", self.inertia)]
        rows = [("mass (kg)", self.mass, "", ""), ("center (m)", *map(float, self.center)), *inertia]
        return html_table("Mass properties", ("", "x", "y", "z"), rows)


@checked_arguments
def mass_properties_of(model: AssembledModel) -> MassProperties:
    """Mass properties seen by the rigid-body vectors S about the basic origin: M_rr = S'M S (6, 6).

    Args:
        model: the assembled model.
    """
    rigid = model.rigid_body_vectors
    return mass_properties_from_rigid(rigid.T @ (model.mass @ rigid))


def mass_properties_from_rigid(rigid_mass: FloatArray) -> MassProperties:
    """Mass properties out of a 6 x 6 rigid mass matrix about the origin of its axes."""
    mass = float(np.trace(rigid_mass[:3, :3]) / 3.0)
    if mass <= 0.0:
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
    moment = 0.5 * (rigid_mass[:3, 3:] - rigid_mass[:3, 3:].T)  # -m c~
    center = np.array([moment[1, 2], moment[2, 0], moment[0, 1]]) / mass
    arm = skew(center)
    return MassProperties(mass, center, rigid_mass[3:, 3:] + mass * arm @ arm)
