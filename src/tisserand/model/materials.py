"""Elastic materials, SI."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, frozen
from tisserand.errors import ModelError


@dataclass(frozen=True)
class Strengths:
    """Strengths of a material, Pa, all positive: tension and compression along 1 and 2, shear 12.

    ``interaction`` is Tsai and Wu's F12, 1/Pa². A value of zero means that it was not given.
    """

    tension_1: float
    compression_1: float
    tension_2: float
    compression_2: float
    shear_12: float
    interaction: float = 0.0

    def __post_init__(self) -> None:
        for word in ("tension_1", "compression_1", "tension_2", "compression_2", "shear_12"):
            value = getattr(self, word)
            if not np.isfinite(value) or value < 0.0:
                raise ModelError("a strength must be a finite number, zero or more", where=word, found=value)


@checked_arguments
@dataclass(frozen=True)
class Isotropic:
    """Isotropic: ``young`` and ``shear`` in Pa, ``density`` kg/m³, ``structural_damping`` is the loss factor g.

    Attributes:
        id: number of this item in its model.
        poisson: Poisson's ratio.
        name: for reports.
        strengths: stresses that it bears; None where not given.
    """

    id: int
    young: float
    shear: float
    poisson: float
    density: float = 0.0
    _: KW_ONLY
    structural_damping: float = 0.0
    name: str = ""
    strengths: Strengths | None = None

    def __post_init__(self) -> None:
        where = f"material {self.name or self.id}"
        for word, value in (("Young's modulus", self.young), ("shear modulus", self.shear), ("density", self.density)):
            if not np.isfinite(value) or value < 0.0:
                raise ModelError(
                    f"{word} must be a finite number, zero or more", where=where, ids=(self.id,), found=value
                )
        if not -1.0 < self.poisson < 0.5:
            raise ModelError(
                "Poisson's ratio is outside its physical range",
                where=where,
                ids=(self.id,),
                found=self.poisson,
                expected="a value between -1 and 0.5 (0.5 itself is incompressible)",
            )

    @staticmethod
    def from_young(id: int, young: float, poisson: float, density: float = 0.0, name: str = "") -> Isotropic:
        """An isotropic material from Young's modulus and Poisson's ratio.

        Args:
            id: number of this item in its model.
            young: Young's modulus, Pa.
            poisson: Poisson's ratio.
            density: kg/m³.
            name: for reports.
        """
        return Isotropic(id, young, young / (2.0 * (1.0 + poisson)), poisson, density, name=name)


@checked_arguments
@dataclass(frozen=True)
class Orthotropic2D:
    """Plane-stress orthotropic ply material (MAT8): moduli Pa, density kg/m³. g1z, g2z = 0 means rigid in shear.

    Attributes:
        id: number of this item in its model.
        young_1: along the fibers, Pa.
        young_2: across them, Pa.
        poisson_12: major Poisson's ratio.
        shear_12: in-plane shear modulus, Pa.
        shear_1z: transverse shear modulus in 1-z, Pa; 0 is rigid in shear.
        shear_2z: likewise in 2-z.
        structural_damping: loss factor g.
        name: for reports.
        strengths: stresses that it bears; None where not given.
    """

    id: int
    _: KW_ONLY
    young_1: float
    young_2: float
    poisson_12: float
    shear_12: float
    shear_1z: float = 0.0
    shear_2z: float = 0.0
    density: float = 0.0
    structural_damping: float = 0.0
    name: str = ""
    strengths: Strengths | None = None


@dataclass(frozen=True, eq=False)
class _Anisotropic:
    """A material given by its stiffness matrix, Pa, with density kg/m³ and structural damping."""

    size: ClassVar[int]
    id: int
    stiffness: FloatArray
    density: float = 0.0
    structural_damping: float = 0.0
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stiffness", frozen(self.stiffness, shape=(self.size, self.size)))


class Anisotropic2D(_Anisotropic):
    """Plane anisotropic (MAT2): ``stiffness`` (3, 3) Pa in order 11, 22, 12."""

    size: ClassVar[int] = 3


class Anisotropic3D(_Anisotropic):
    """Solid anisotropic or orthotropic: ``stiffness`` (6, 6) Pa, order xx, yy, zz, xy, yz, zx, engineering shear."""

    size: ClassVar[int] = 6


Material = Isotropic | Orthotropic2D | Anisotropic2D | Anisotropic3D
