"""Cross-sections of beams and walls of shells, from what a drawing or a data sheet gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.errors import ModelError
from tisserand.model import BeamSection, BeamStation, Isotropic, Material, Ply, RodSection, ShellSection
from tisserand.model.laminate import homogeneous_shell
from tisserand.model.laminate import laminate as _laminate
from tisserand.model.shapes import shape_properties

#: Young's modulus of the stand-in material of a section given by its rigidities, Pa; it cancels out.
_REFERENCE = 70e9


@checked_arguments
@dataclass(frozen=True)
class CrossSection:
    """The cross-section of a beam; y lies in the plane of ``up``, z across it.

    station: area, second moments, torsion constant, added mass; shear_y, shear_z: shear factors (0: rigid in shear); outline:
    shape for drawing; material: only for sections given by rigidities, which need none from the user.
    """

    station: BeamStation
    shear_y: float = 0.0
    shear_z: float = 0.0
    outline: tuple[str, tuple[float, ...]] | None = None
    material: Isotropic | None = None

    def beam(self, id: int, material: Isotropic | None) -> BeamSection:
        """The beam section of this cross-section in a material.

        Args:
            id: number of the section in its model.
            material: isotropic material; None where the section was given by rigidities.
        """
        return BeamSection(
            id, self._of(material), self.station, shear_y=self.shear_y, shear_z=self.shear_z, outline=self.outline
        )

    def rod(self, id: int, material: Isotropic | None) -> RodSection:
        """The rod section (axial and torsional stiffness alone) of this cross-section.

        Args:
            id: number of the section in its model.
            material: isotropic material; None where the section was given by rigidities.
        """
        s = self.station
        return RodSection(id, self._of(material), s.area, s.torsion_constant, s.nonstructural_mass)

    def _of(self, material: Isotropic | None) -> Isotropic:
        if (material is None) == (self.material is None):
            raise ModelError(
                "a section of given rigidities takes no material, and every other section needs one",
                found="two" if material is not None else "none", expected="one material",
            )  # fmt: skip
        found = material or self.material
        assert found is not None
        return found


def _shaped(shape: str, dimensions: Sequence[float]) -> CrossSection:
    p = shape_properties(shape, dimensions)
    station = BeamStation(
        p.area, p.i_zz, p.i_yy, p.i_yz, p.torsion_constant,
        neutral_axis=(-p.shear_center[0], -p.shear_center[1]),
        mass_center=(-p.shear_center[0], -p.shear_center[1]),
    )  # fmt: skip
    return CrossSection(station, p.shear_y, p.shear_z, (shape, tuple(float(d) for d in dimensions)))


@checked_arguments
def tube(diameter: float, wall: float) -> CrossSection:
    """A round tube.

    Args:
        diameter: outer diameter, m.
        wall: wall thickness, m.
    """
    if not (diameter > 0.0 and 0.0 < wall <= diameter / 2.0):
        found, expected = (
            f"diameter {diameter:g}, wall {wall:g}",
            "a diameter above 0 and a wall of at most its half, in m",
        )
        raise ModelError("a tube cannot have these dimensions", found=found, expected=expected)
    return _shaped("TUBE", (diameter / 2.0, diameter / 2.0 - wall))


@checked_arguments
def round_bar(diameter: float) -> CrossSection:
    """A solid round bar.

    Args:
        diameter: m.
    """
    return _shaped("ROD", (diameter / 2.0,))


@checked_arguments
def rectangle(width: float, height: float) -> CrossSection:
    """A solid rectangle.

    Args:
        width: across ``up``, m.
        height: along ``up``, m.
    """
    return _shaped("BAR", (width, height))


@checked_arguments
def box(width: float, height: float, wall: float) -> CrossSection:
    """A rectangular tube of one wall thickness.

    Args:
        width: outer, across ``up``, m.
        height: outer, along ``up``, m.
        wall: m.
    """
    return _shaped("BOX", (width, height, wall, wall))


@checked_arguments
def nastran_shape(shape: str, *dimensions: float) -> CrossSection:
    """A section by its Nastran name, such as ``I``, ``CHAN``, ``T``, ``L``, ``HAT``.

    Args:
        shape: PBARL or PBEAML type.
        dimensions: its dimensions in their order there, m.
    """
    return _shaped(shape.strip().upper(), dimensions)


@checked_arguments
def rigidities(
    bending: float | tuple[float, float],
    mass_per_length: float,
    *,
    axial: float | None = None,
    torsion: float | None = None,
    polar_inertia: float = 0.0,
) -> CrossSection:
    """A section given by what a dynamicist knows: rigidities and mass per length. No shear flexibility.

    Args:
        bending: EI, N m²: one value, or (in the plane of ``up``, across it).
        mass_per_length: kg/m.
        axial: EA, N; None takes that of a rectangle of this EI that is 0.02 m deep (EA = 12 EI / 0.02²).
        torsion: GJ, N m²; None takes the sum of the two bending rigidities.
        polar_inertia: of the section per length about the axis, kg m; half of it acts as rotary inertia in each bending plane.
    """
    y, z = bending if isinstance(bending, tuple) else (bending, bending)
    EA = 12.0 * max(y, z) / 0.02**2 if axial is None else axial
    GJ = y + z if torsion is None else torsion
    for word, value in (("bending", min(y, z)), ("axial", EA), ("torsion", GJ)):
        if not (np.isfinite(value) and value > 0.0):
            raise ModelError(f"the {word} rigidity must be a positive number", found=value)
    shear = _REFERENCE / 2.0
    station = BeamStation(
        EA / _REFERENCE, y / _REFERENCE, z / _REFERENCE, 0.0, GJ / shear,
        nonstructural_mass=mass_per_length, nonstructural_inertia=polar_inertia,
    )  # fmt: skip
    return CrossSection(station, material=Isotropic(1, _REFERENCE, shear, 0.0, 0.0, name="given rigidities"))


@checked_arguments
def sheet(material: Material, thickness: float, *, extra_mass: float = 0.0) -> ShellSection:
    """A wall of one material.

    Args:
        material: isotropic or orthotropic.
        thickness: m.
        extra_mass: non-structural mass, kg/m².
    """
    return homogeneous_shell(1, material, thickness, nonstructural_mass=extra_mass)


@checked_arguments
def laminate(
    plies: Sequence[tuple[Material, float, float] | Ply], *, symmetric: bool = False, extra_mass: float = 0.0
) -> ShellSection:
    """A laminated wall.

    Args:
        plies: bottom to top: ``(material, thickness m, angle in degrees from the x axis of the part)``, or ``Ply`` (angle in
            rad).
        symmetric: the plies given are the lower half.
        extra_mass: non-structural mass, kg/m².
    """
    stack = [ply if isinstance(ply, Ply) else Ply(ply[0], ply[1], float(np.radians(ply[2]))) for ply in plies]
    return _laminate(1, stack, option="SYM" if symmetric else "", nonstructural_mass=extra_mass)


@checked_arguments
def honeycomb(
    face: Material | Sequence[tuple[Material, float, float]],
    face_thickness: float | None,
    core: Material,
    core_thickness: float,
    *,
    ribbon_angle: float = 0.0,
    extra_mass: float = 0.0,
) -> ShellSection:
    """A sandwich of two equal faces on a core.

    Args:
        face: material of one face, or its plies from the outside in (see ``laminate``).
        face_thickness: of one face, m; None where plies are given.
        core: core material, such as ``HONEYCOMB``.
        core_thickness: m.
        ribbon_angle: of the core's 1-direction from the x axis of the part, degrees.
        extra_mass: adhesive, cells, harness, kg/m².
    """
    if isinstance(face, Sequence):
        if face_thickness is not None:
            raise ModelError("plies define their own thickness", found=f"face_thickness = {face_thickness:g}")
        outer = list(face)
    else:
        if face_thickness is None:
            raise ModelError("a face of one material needs its thickness", expected="face_thickness in m")
        outer = [(face, face_thickness, 0.0)]
    return laminate([*outer, (core, core_thickness, ribbon_angle), *reversed(outer)], extra_mass=extra_mass)
