"""Sections: what an element is made of, apart from its nodes. SI."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from math import pi, sqrt
from typing import ClassVar, Literal, Self

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, frozen
from tisserand.errors import ModelError
from tisserand.model.materials import Anisotropic3D, Isotropic, Material
from tisserand.model.section_base import Section

#: Stiffness of a shell section that is not zero, N/m, N, N m: products of such numbers are numbers.
_SMALLEST, _LARGEST = 1e-140, 1e140


@dataclass(frozen=True)
class RodSection(Section):
    """Rod or cable: area m², torsion constant m⁴, non-structural mass kg/m, ``tension`` N in the state at rest."""

    family: ClassVar[str] = "rod"
    id: int
    material: Isotropic
    area: float
    torsion_constant: float = 0.0
    nonstructural_mass: float = 0.0
    name: str = ""
    tension: float = 0.0

    @property
    def stressed(self) -> bool:  # type: ignore[override]
        """Whether it states a tension."""
        return self.tension != 0.0

    @property
    def twists(self) -> bool:  # type: ignore[override]
        """Whether rods with it resist torsion, so that their nodes turn."""
        return self.torsion_constant > 0.0

    @property
    def outline(self) -> tuple[str, tuple[float, ...]]:
        """The circle of the same area, for drawing."""
        return "ROD", (sqrt(max(self.area, 0.0) / pi),)

    @property
    def densities(self) -> tuple[float, float]:
        """Mass per length at both ends, kg/m."""
        value = self.material.density * self.area + self.nonstructural_mass
        return value, value

    def heavier(self, extra: float) -> Self:
        """The same with more non-structural mass, kg/m."""
        return replace(self, nonstructural_mass=self.nonstructural_mass + extra)


@dataclass(frozen=True)
class BeamStation:
    """Cross-section values at one end of a beam, element axes (x along, y in the orientation plane).

    area m²; i_zz bends in plane x-y (Nastran I1), i_yy in plane x-z (I2), i_yz product (I12), m⁴;
    torsion_constant m⁴; nonstructural_mass kg/m; nonstructural_inertia kg m (about the mass axis, per length);
    neutral_axis, mass_center: (y, z) m from the shear center.
    """

    area: float
    i_zz: float
    i_yy: float
    i_yz: float = 0.0
    torsion_constant: float = 0.0
    nonstructural_mass: float = 0.0
    _: KW_ONLY
    nonstructural_inertia: float = 0.0
    neutral_axis: tuple[float, float] = (0.0, 0.0)
    mass_center: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class BeamSection(Section):
    """Bar or beam section. ``shear_y``, ``shear_z`` are the shear factors K1, K2 (0: no shear flexibility).

    ``end_b`` differs from ``end_a`` for a tapered beam. ``outline`` names the shape and its dimensions (m) for drawing.
    """

    family: ClassVar[str] = "beam"
    id: int
    material: Isotropic
    end_a: BeamStation
    end_b: BeamStation | None = None
    _: KW_ONLY
    shear_y: float = 0.0
    shear_z: float = 0.0
    outline: tuple[str, tuple[float, ...]] | None = None
    name: str = ""

    @property
    def densities(self) -> tuple[float, float]:
        """Mass per length at both ends, kg/m."""
        ends = (self.end_a, self.end_b or self.end_a)
        a, b = (self.material.density * end.area + end.nonstructural_mass for end in ends)
        return a, b

    @property
    def eccentricity(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Mass center (y, z) from the shear center at both ends, m."""
        return self.end_a.mass_center, (self.end_b or self.end_a).mass_center

    def heavier(self, extra: float) -> Self:
        """The same with more non-structural mass, kg/m."""
        first, last = self.end_a, self.end_b
        first = replace(first, nonstructural_mass=first.nonstructural_mass + extra)
        last = None if last is None else replace(last, nonstructural_mass=last.nonstructural_mass + extra)
        return replace(self, end_a=first, end_b=last)


@checked_arguments
@dataclass(frozen=True)
class Ply:
    """One layer, bottom to top: thickness m, angle of its 1-axis from the element's material x axis, rad.

    Attributes:
        id: number that the deck gives it.
    """

    material: Material
    thickness: float
    angle: float = 0.0
    id: int = 0


@dataclass(frozen=True, eq=False)
class ShellSection(Section):
    """Shell stiffness per unit width about the reference surface, in material axes.

    membrane A (3,3) N/m, coupling B (3,3) N, bending D (3,3) N m, order 11, 22, 12 (engineering shear);
    shear (2,2) N/m for (1z, 2z), None means rigid in transverse shear; areal_mass kg/m²; areal_first_moment kg/m and
    areal_inertia kg: first and second moments of mass through the thickness about the reference surface.
    ``thickness`` m is for drawing and shape checks; ``plies`` for stress recovery, ``bottom`` z of the lowest surface.

    For stresses: ``option`` of a laminate (SYM, MEM, BEND, SMEAR, SMCORE); ``bending_ratio`` 12 I/t³ of a homogeneous shell,
    whose stress is N/t + z M/I, None where strains e0 + z k act on the plies; ``fibers`` z of the two surfaces of a
    homogeneous shell if not -t/2 and t/2, m; ``failure_theory`` (a name of ``elements.ply_failure``) and ``bond_strength`` Pa
    (0: not given).
    """

    family: ClassVar[str] = "shell"
    id: int
    _: KW_ONLY
    membrane: FloatArray
    coupling: FloatArray
    bending: FloatArray
    shear: FloatArray | None
    areal_mass: float
    areal_first_moment: float
    areal_inertia: float
    thickness: float
    plies: tuple[Ply, ...] = ()
    bottom: float = 0.0
    name: str = ""
    option: str = ""
    bending_ratio: float | None = None
    fibers: tuple[float, float] | None = None
    failure_theory: str = ""
    bond_strength: float = 0.0

    def __post_init__(self) -> None:
        if self.fibers is not None:
            object.__setattr__(self, "fibers", tuple(self.fibers))
        for word in ("membrane", "coupling", "bending"):
            object.__setattr__(self, word, frozen(getattr(self, word), shape=(3, 3)))
        if self.shear is not None:
            object.__setattr__(self, "shear", frozen(self.shear, shape=(2, 2)))
        for word in ("membrane", "coupling", "bending", "shear"):
            size = float(np.abs(getattr(self, word) if getattr(self, word) is not None else 0.0).max())
            if size != 0.0 and not _SMALLEST <= size <= _LARGEST:
                raise ModelError(
                    f"shell section {self.id} has a {word} stiffness out of range",
                    ids=(self.id,),
                    found=f"{size:.3g}, thickness {self.thickness:.3g} m",
                    expected=f"zero, or magnitudes from {_SMALLEST:.0e} to {_LARGEST:.0e}",
                    advice="check thickness, modulus and units",
                )

    @property
    def materials(self) -> tuple[Material, ...]:
        """What its plies are made of."""
        return tuple(ply.material for ply in self.plies)

    @property
    def densities(self) -> tuple[float, float]:
        """Mass per area, kg/m², the same at all corners."""
        return self.areal_mass, self.areal_mass

    @property
    def eccentricity(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Height of the mass above the reference surface, m, as the second coordinate of both ends."""
        height = self.areal_first_moment / self.areal_mass if self.areal_mass else 0.0
        return (0.0, height), (0.0, height)

    def heavier(self, extra: float) -> Self:
        """The same with more non-structural mass, kg/m², spread over the thickness."""
        middle = self.bottom + self.thickness / 2.0
        return replace(
            self,
            areal_mass=self.areal_mass + extra,
            areal_first_moment=self.areal_first_moment + extra * middle,
            areal_inertia=self.areal_inertia + extra * (middle**2 + self.thickness**2 / 12.0),
        )


@dataclass(frozen=True, eq=False)
class MembraneSection(Section):
    """Membrane: stiffness per width A (3, 3) N/m in material axes (11, 22, 12; engineering shear), areal mass kg/m².

    prestress: (N11, N22, N12) N/m in material axes in the state at rest; thickness m is for drawing; ``material`` is its only
    material, if it has one.
    """

    family: ClassVar[str] = "membrane"
    id: int
    _: KW_ONLY
    membrane: FloatArray
    areal_mass: float
    thickness: float
    prestress: tuple[float, float, float] = (0.0, 0.0, 0.0)
    material: Material | None = None
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "membrane", frozen(self.membrane, shape=(3, 3)))
        object.__setattr__(self, "prestress", tuple(float(value) for value in self.prestress))

    @property
    def stressed(self) -> bool:  # type: ignore[override]
        """Whether it states a prestress."""
        return any(self.prestress)

    @property
    def densities(self) -> tuple[float, float]:
        """Mass per area, kg/m², the same at all corners."""
        return self.areal_mass, self.areal_mass

    def heavier(self, extra: float) -> Self:
        """The same with more non-structural mass, kg/m²."""
        return replace(self, areal_mass=self.areal_mass + extra)


@dataclass(frozen=True, eq=False)
class SolidSection(Section):
    """Solid: material, material axes (rows in basic axes) for anisotropic ones, and the integration recipe."""

    family: ClassVar[str] = "solid"
    id: int
    material: Isotropic | Anisotropic3D
    axes: FloatArray | None = None
    integration: Literal["full", "reduced", "unlocked", "incompatible", "selective", "sampled"] = "full"
    name: str = ""

    def __post_init__(self) -> None:
        if self.axes is not None:
            object.__setattr__(self, "axes", frozen(np.asarray(self.axes), shape=(3, 3)))

    def turned(self, Q: FloatArray) -> Self:
        """The same in a model turned by Q (3, 3): the axes of a material that has some turn too."""
        if isinstance(self.material, Isotropic):
            return self
        return replace(self, axes=(np.eye(3) if self.axes is None else self.axes) @ Q.T)

    @property
    def densities(self) -> tuple[float, float]:
        """Mass per volume, kg/m³, the same throughout."""
        return self.material.density, self.material.density
