"""Materials and properties of a model as bulk data, each with a unique id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tisserand.errors import ModelError
from tisserand.exporters.bdf_format import large
from tisserand.model import (
    Anisotropic2D,
    Anisotropic3D,
    BeamSection,
    BeamStation,
    Isotropic,
    Material,
    Orthotropic2D,
    RodSection,
    Section,
    ShellSection,
    SolidSection,
)
from tisserand.model.laminate import homogeneous_shell, laminate
from tisserand.units import UnitSystem


class Numbers:
    """Hands out ids: the wanted one when it is free, else the next above all used."""

    def __init__(self, used: set[int] | None = None) -> None:
        self.used = set(used or ())

    def take(self, wanted: int = 0) -> int:
        number = wanted if wanted > 0 and wanted not in self.used else max(self.used, default=0) + 1
        self.used.add(number)
        return number


class SectionWriter:
    """Turns sections into cards; equal materials are written once."""

    def __init__(self, units: UnitSystem, frame: FrameWriter) -> None:
        self.units, self.frame = units, frame
        self.cards: list[str] = []
        self.property_ids = Numbers()
        self.material_ids = Numbers()
        self.materials: dict[int, tuple[Material, int]] = {}
        self.sections: dict[tuple[int, str], int] = {}

    # -- materials ------------------------------------------------------------------------------------------
    def material(self, material: Material) -> int:
        """Id of a material, written when first used."""
        for known, number in self.materials.values():
            if known is material or (isinstance(material, (Isotropic, Orthotropic2D)) and known == material):
                return number
        number = self.material_ids.take(material.id)
        self.materials[len(self.materials)] = (material, number)
        self.cards.append(self._material(material, number))
        return number

    def _material(self, material: Material, number: int) -> str:
        p, rho = self.units.pressure, material.density / self.units.density
        damping = material.structural_damping or None
        if isinstance(material, Isotropic):
            fields = (material.young / p, material.shear / p, material.poisson, rho)
            return large("MAT1", number, *fields, None, None, damping)
        if isinstance(material, Orthotropic2D):
            moduli = (material.young_1 / p, material.young_2 / p, material.poisson_12, material.shear_12 / p)
            through = (material.shear_1z / p or None, material.shear_2z / p or None)
            return large("MAT8", number, *moduli, *through, rho, *[None] * 8, damping)
        if isinstance(material, Anisotropic2D):
            g = material.stiffness / p
            upper = (g[0, 0], g[0, 1], g[0, 2], g[1, 1], g[1, 2], g[2, 2])
            return large("MAT2", number, *upper, rho, *[None] * 4, damping)
        assert isinstance(material, Anisotropic3D)
        g = material.stiffness / p
        terms = [g[i, j] for i in range(6) for j in range(i, 6)]
        return large("MAT9", number, *terms, rho, *[None] * 7, damping)

    # -- properties -------------------------------------------------------------------------------------------
    def section(self, index: int, section: Section, role: str, make: Callable[[Any, int], str] | None = None) -> int:
        """Property id of a section in a role (rod, bar, beam, shell, solid, or with its own maker), written when first used."""
        if (index, role) not in self.sections:
            number = self.property_ids.take(section.id)
            self.sections[index, role] = number
            self.cards.append(self._section(section, number, role) if make is None else make(section, number))
        return self.sections[index, role]

    def _section(self, section: Any, number: int, role: str) -> str:
        write = getattr(self, f"_{role}", None)
        if write is None:
            raise ModelError(f"a {role} section cannot be written as bulk data", ids=(section.id,))
        return str(write(section, number))

    def _rod(self, section: RodSection, number: int) -> str:
        u = self.units
        if section.stressed:
            raise ModelError(
                "a rod with a tension cannot be written as bulk data, which has no card for it",
                ids=(section.id,),
                found=f"section {section.id} with {section.tension:g} N",
            )
        values = (section.area / u.area, section.torsion_constant / u.second_moment)
        mass = section.nonstructural_mass / u.line_density
        return large("PROD", number, self.material(section.material), *values, None, mass)

    def _solid(self, section: SolidSection, number: int) -> str:
        frame = self.frame.of(section.axes) if section.axes is not None else None
        points = "TWO" if section.integration in ("reduced", "sampled") else None
        scheme = "FULL" if section.integration == "full" else None
        card = large("PSOLID", number, self.material(section.material), frame, points, None, scheme)
        if section.integration == "sampled":
            return f"$ property {number}: the mass at the points of the stiffness is written as Nastran's\n{card}"
        if section.integration not in SOLIDS_OF_NASTRAN:
            return f"$ property {number}: {section.integration} integration is written as the default brick\n{card}"
        return card

    def _station(self, end: BeamStation) -> list[float]:
        u = self.units
        moments = [end.i_zz, end.i_yy, end.i_yz, end.torsion_constant]
        return [end.area / u.area, *(m / u.second_moment for m in moments), end.nonstructural_mass / u.line_density]

    def _bar(self, section: BeamSection, number: int) -> str:
        end = section.end_a
        if section.end_b is not None or any(end.neutral_axis) or any(end.mass_center) or end.nonstructural_inertia:
            raise ModelError(
                "a tapered or offset section cannot be written as PBAR",
                ids=(section.id,),
                found=f"section {section.id}",
                advice="use the beam recipe",
            )
        area, i1, i2, i12, j, mass = self._station(end)
        shear = (section.shear_y, section.shear_z)
        return large(
            "PBAR", number, self.material(section.material), area, i1, i2, j, mass, None, *[None] * 8, *shear, i12
        )

    def _beam(self, section: BeamSection, number: int) -> str:
        first, last = section.end_a, section.end_b or section.end_a
        u = self.units
        fields: list[float | int | str | None] = [number, self.material(section.material), *self._station(first)]
        fields += [0.0] * 8
        fields += ["YESA", 1.0, *self._station(last)]
        inertia = [end.nonstructural_inertia / (u.mass * u.length) for end in (first, last)]
        fields += [section.shear_y, section.shear_z, 0.0, 0.0, *inertia, 0.0, 0.0]
        for word in ("mass_center", "neutral_axis"):
            fields += [value / u.length for end in (first, last) for value in getattr(end, word)]
        return large("PBEAM", *fields)

    def _shell(self, section: ShellSection, number: int) -> str:
        t, u = section.thickness, self.units
        if len(section.plies) == 1:
            ply = section.plies[0]
            extra = section.areal_mass - ply.material.density * t
            again = homogeneous_shell(section.id, ply.material, t, nonstructural_mass=extra)
            if ply.angle == 0.0 and _same(again, section):
                m = self.material(ply.material)
                return large("PSHELL", number, m, t / u.length, m, None, m, None, extra / u.areal_density)
        if section.plies:
            extra = section.areal_mass - sum(ply.material.density * ply.thickness for ply in section.plies)
            again = laminate(section.id, section.plies, bottom=section.bottom, nonstructural_mass=extra)
            if _same(again, section):
                fields: list[float | int | str | None] = [number, section.bottom / u.length, extra / u.areal_density]
                fields += [None] * 5
                for ply in section.plies:
                    fields += [
                        self.material(ply.material),
                        ply.thickness / u.length,
                        float(np.degrees(ply.angle)),
                        "NO",
                    ]
                return large("PCOMP", *fields)
        return self._general_shell(section, number)

    def _general_shell(self, section: ShellSection, number: int) -> str:
        """Any A, B, D and shear stiffness as one PSHELL with four MAT2."""
        t = section.thickness
        density = section.areal_mass / t
        membrane = self.material(Anisotropic2D(0, section.membrane / t, density))
        bending = self.material(Anisotropic2D(0, 12.0 * section.bending / t**3)) if section.bending.any() else None
        coupling = self.material(Anisotropic2D(0, -section.coupling / t**2)) if section.coupling.any() else None
        shear = None
        if section.shear is not None:
            full = np.zeros((3, 3))
            full[:2, :2] = section.shear / t
            shear = self.material(Anisotropic2D(0, full))
        fields = (membrane, t / self.units.length, bending, 1.0, shear, 1.0 if shear else None, 0.0)
        return large("PSHELL", number, *fields, None, None, coupling)


#: Integrations of solids that IN and ISOP of PSOLID can state.
SOLIDS_OF_NASTRAN = ("full", "reduced", "unlocked", "sampled")


class FrameWriter:
    """CORD2R cards for axes (rows in basic axes) at the basic origin; equal axes share a system."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.known: dict[bytes, int] = {np.eye(3).tobytes(): 0}
        self.cards: list[str] = []

    def of(self, axes: np.ndarray) -> int:
        key = (np.ascontiguousarray(axes, dtype=float) + 0.0).tobytes()
        if key not in self.known:
            number = self.numbers.take()
            self.known[key] = number
            self.cards.append(large("CORD2R", number, 0, 0.0, 0.0, 0.0, *axes[2].tolist(), *axes[0].tolist()))
        return self.known[key]


def _same(first: ShellSection, second: ShellSection) -> bool:
    """Equal stiffness and mass to rounding."""
    for word in ("membrane", "coupling", "bending", "shear"):
        a, b = getattr(first, word), getattr(second, word)
        if (a is None) != (b is None):
            return False
        if a is not None and np.abs(a - b).max() > 1e-12 * max(np.abs(b).max(), 1e-300):
            return False
    masses = ("areal_mass", "areal_first_moment", "areal_inertia")
    scale = max(abs(second.areal_mass), 1e-300) * np.array([1.0, second.thickness, second.thickness**2])
    return all(abs(getattr(first, m) - getattr(second, m)) <= 1e-9 * s for m, s in zip(masses, scale))
