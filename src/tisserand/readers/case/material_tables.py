"""Materials of a case: isotropic, orthotropic (plies and solids) and anisotropic; numbers in the case's units."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.declarations import Declared, check, option, problem, ruled, some_of, tagged_by
from tisserand.declarations.common_values import Vector
from tisserand.model import Anisotropic3D, Isotropic, Orthotropic2D, Strengths
from tisserand.readers.case.case_values import Six
from tisserand.units import UnitSystem

_STRESS = "stress units"


class StrengthsTable(Declared):
    """Strengths of a material, for stresses and failure indices."""

    tension_1: float = option(..., "tension along 1", unit=_STRESS, above=0.0)
    compression_1: float | None = option(None, "compression along 1; default: as tension", unit=_STRESS, above=0.0)
    tension_2: float | None = option(None, "tension along 2; default: as along 1", unit=_STRESS, above=0.0)
    compression_2: float | None = option(
        None, "compression along 2; default: as tension_2, else as compression_1", unit=_STRESS, above=0.0
    )
    shear_12: float = option(..., "shear in the plane", unit=_STRESS, above=0.0)
    interaction: float = option(0.0, "F12 of Tsai-Wu", unit="1/stress²")

    def strengths(self, units: UnitSystem) -> Strengths:
        compression_1, p = self.compression_1 or self.tension_1, units.pressure
        return Strengths(
            self.tension_1 * p, compression_1 * p, (self.tension_2 or self.tension_1) * p,
            (self.compression_2 or self.tension_2 or compression_1) * p, self.shear_12 * p, self.interaction / p**2,
        )  # fmt: skip


class _Heavy(Declared):
    density: float = option(..., "mass per volume", unit="density units", at_least=0.0)
    loss_factor: float = option(0.0, "structural damping g", at_least=0.0)


class IsotropicTable(_Heavy):
    """The same in all directions."""

    kind: Literal["isotropic"] = option("isotropic", "kind of material")
    young: float = option(..., "Young's modulus", unit=_STRESS, above=0.0)
    poisson: float | None = option(
        None, "Poisson's ratio; may be left out where shear is stated", above=-1.0, below=0.5
    )
    shear: float | None = option(None, "shear modulus; default: young/(2 (1 + poisson))", unit=_STRESS, above=0.0)
    strengths: StrengthsTable | None = option(None, "strengths, for stresses")

    _two_constants = ruled(some_of(("poisson",), ("shear",)))

    def material(self, number: int, name: str, units: UnitSystem) -> Isotropic:
        if self.poisson is None:
            assert self.shear is not None
            shear, poisson = self.shear, self.young / (2.0 * self.shear) - 1.0
        else:
            poisson = self.poisson
            shear = self.young / (2.0 * (1.0 + poisson)) if self.shear is None else self.shear
        return Isotropic(
            number,
            self.young * units.pressure,
            shear * units.pressure,
            poisson,
            self.density * units.density,
            structural_damping=self.loss_factor,
            name=name,
            strengths=None if self.strengths is None else self.strengths.strengths(units),
        )


class OrthotropicTable(_Heavy):
    """A ply of a shell."""

    kind: Literal["orthotropic"] = option(..., "kind of material")
    young_1: float = option(..., "Young's modulus along 1", unit=_STRESS, above=0.0)
    young_2: float = option(..., "Young's modulus along 2", unit=_STRESS, above=0.0)
    poisson_12: float = option(..., "Poisson's ratio", above=-1.0)
    shear_12: float = option(..., "shear modulus in the plane", unit=_STRESS, above=0.0)
    shear_1z: float = option(0.0, "transverse shear modulus along 1; zero: rigid", unit=_STRESS, at_least=0.0)
    shear_2z: float = option(0.0, "transverse shear modulus along 2; zero: rigid", unit=_STRESS, at_least=0.0)
    strengths: StrengthsTable | None = option(None, "strengths, for stresses")

    def material(self, number: int, name: str, units: UnitSystem) -> Orthotropic2D:
        p = units.pressure
        return Orthotropic2D(
            number,
            young_1=self.young_1 * p,
            young_2=self.young_2 * p,
            poisson_12=self.poisson_12,
            shear_12=self.shear_12 * p,
            shear_1z=self.shear_1z * p,
            shear_2z=self.shear_2z * p,
            density=self.density * units.density,
            structural_damping=self.loss_factor,
            name=name,
            strengths=None if self.strengths is None else self.strengths.strengths(units),
        )


class OrthotropicSolidTable(_Heavy):
    """A solid with three planes of symmetry."""

    kind: Literal["orthotropic-solid"] = option(..., "kind of material")
    young: Vector = option(..., "Young's moduli along 1, 2, 3", unit=_STRESS, above=0.0)
    poisson: Vector = option(..., "Poisson's ratios 12, 23, 13")
    shear: Vector = option(..., "shear moduli 12, 23, 31", unit=_STRESS, above=0.0)

    @check
    def _stable(self) -> None:
        if np.linalg.eigvalsh(self._stiffness())[0] <= 0.0:
            raise problem("poisson", "the elasticity matrix is not positive definite", found=list(self.poisson))

    def _stiffness(self) -> FloatArray:
        """Stiffness (6, 6) in order 11, 22, 33, 12, 23, 31 from engineering constants."""
        (e1, e2, e3), (n12, n23, n13) = self.young, self.poisson
        compliance = np.zeros((6, 6))
        compliance[:3, :3] = [
            [1 / e1, -n12 / e1, -n13 / e1],
            [-n12 / e1, 1 / e2, -n23 / e2],
            [-n13 / e1, -n23 / e2, 1 / e3],
        ]
        compliance[[3, 4, 5], [3, 4, 5]] = 1.0 / np.array(self.shear)
        if np.linalg.matrix_rank(compliance) < 6:
            raise problem("poisson", "the elasticity matrix is not positive definite", found=list(self.poisson))
        return np.asarray(np.linalg.inv(compliance), float)

    def material(self, number: int, name: str, units: UnitSystem) -> Anisotropic3D:
        return Anisotropic3D(
            number, self._stiffness() * units.pressure, self.density * units.density, self.loss_factor, name
        )


class AnisotropicTable(_Heavy):
    """A solid with any elasticity matrix."""

    kind: Literal["anisotropic"] = option(..., "kind of material")
    stiffness: tuple[Six, Six, Six, Six, Six, Six] = option(
        ..., "elasticity matrix in the order xx, yy, zz, xy, yz, zx", unit=_STRESS
    )

    @check
    def _stable(self) -> None:
        stiffness = np.array(self.stiffness)
        if not np.allclose(stiffness, stiffness.T, rtol=1e-9, atol=0.0):
            raise problem("stiffness", "is not symmetric")
        if np.linalg.eigvalsh(stiffness)[0] <= 0.0:
            raise problem("stiffness", "the elasticity matrix is not positive definite")

    def material(self, number: int, name: str, units: UnitSystem) -> Anisotropic3D:
        stiffness = np.array(self.stiffness) * units.pressure
        return Anisotropic3D(number, stiffness, self.density * units.density, self.loss_factor, name)


MaterialTable = Annotated[
    IsotropicTable | OrthotropicTable | OrthotropicSolidTable | AnisotropicTable, tagged_by("kind", default="isotropic")
]
