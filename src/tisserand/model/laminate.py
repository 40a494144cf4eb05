"""Shell sections from materials: homogeneous plates and laminates (classical A, B, D with first-order shear).

Strains through the thickness are ``e(z) = e0 + z k``; N = A e0 + B k, M = B e0 + D k, order 11, 22, 12 (engineering shear).
Transverse shear: ``ply_shear``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError
from tisserand.model.materials import Anisotropic2D, Anisotropic3D, Isotropic, Material
from tisserand.model.ply_shear import laminate_shear
from tisserand.model.ply_stiffness import plane_stiffness, rotated, transverse_stiffness
from tisserand.model.sections import MembraneSection, Ply, ShellSection

#: Thickness of a shell or ply, m; powers of larger numbers are none.
_THICKEST = 1e60

LaminateOption = Literal["", "SYM", "MEM", "BEND", "SMEAR", "SMCORE"]


def homogeneous_shell(
    id: int,
    membrane: Material | None,
    thickness: float,
    *,
    bending: Material | None = None,
    shear: Material | None = None,
    coupling: Material | None = None,
    bending_factor: float = 1.0,
    shear_factor: float = 5.0 / 6.0,
    nonstructural_mass: float = 0.0,
    plane: bool = False,
    fibers: tuple[float, float] | None = None,
    name: str = "",
) -> ShellSection:
    """A shell whose membrane, bending, shear and coupling stiffness come from materials and one thickness in m.

    ``bending`` and ``shear`` default to ``membrane`` unless ``plane``; None then means no bending stiffness and no
    transverse shear flexibility. ``bending_factor`` is 12 I / t³. ``coupling`` enters with Nastran's sign: B = -t² G4.
    ``fibers``: where stresses are wanted, z in m, if not at the surfaces.
    """
    if not 0.0 < thickness <= _THICKEST:
        raise ModelError(
            "a shell needs a positive thickness",
            ids=(id,),
            found=f"{thickness:g} in property {id}",
            expected=f"at most {_THICKEST:g} m",
        )
    if not plane:
        bending = membrane if bending is None else bending
        shear = membrane if shear is None else shear
    for material in (membrane, bending, shear):
        if isinstance(material, Isotropic) and not (material.young > 0.0 and material.shear > 0.0):
            raise ModelError(
                f"material {material.name or material.id} of shell property {name or id} has only one of E and G",
                ids=(id,),
                found=f"E {material.young:.4g}, G {material.shear:.4g} Pa",
                expected="both above zero: state two of E, G and NU",
            )
    zero = np.zeros((3, 3))
    a = thickness * plane_stiffness(membrane) if membrane is not None else zero
    d = bending_factor * thickness**3 / 12.0 * plane_stiffness(bending) if bending is not None else zero
    b = -(thickness**2) * plane_stiffness(coupling) if coupling is not None else zero
    stiffness = transverse_stiffness(shear) if shear is not None else None
    source = membrane if membrane is not None else bending
    density = source.density if source is not None else 0.0
    plies = (Ply(membrane, thickness),) if membrane is not None else ()
    return ShellSection(
        id,
        membrane=a,
        coupling=b,
        bending=d,
        shear=None if stiffness is None else shear_factor * thickness * stiffness,
        areal_mass=density * thickness + nonstructural_mass,
        areal_first_moment=0.0,
        areal_inertia=(density * thickness + nonstructural_mass) * thickness**2 / 12.0,
        thickness=thickness,
        plies=plies,
        bottom=-thickness / 2.0,
        name=name,
        bending_ratio=bending_factor,
        fibers=fibers,
    )


def laminate(
    id: int,
    plies: Sequence[Ply],
    *,
    bottom: float | None = None,
    option: LaminateOption = "",
    nonstructural_mass: float = 0.0,
    failure_theory: str = "",
    bond_strength: float = 0.0,
    name: str = "",
) -> ShellSection:
    """A laminate from plies, bottom to top; ``bottom`` (m) is z of the lowest surface, None puts z = 0 in the middle.

    option: SYM (the plies given are the lower half), MEM, BEND (only that stiffness), SMEAR (stacking ignored),
    SMCORE (last ply is the core, the others are smeared face sheets, half on each side). ``failure_theory`` and ``bond_strength``
    (Pa) are kept for the recovered stresses.
    """
    stack = _stack(id, plies, option)
    total = sum(ply.thickness for ply in stack)
    low = -total / 2.0 if bottom is None else bottom
    z = low + np.concatenate([[0.0], np.cumsum([ply.thickness for ply in stack])])
    q = np.array([rotated(plane_stiffness(ply.material), ply.angle) for ply in stack])
    first, second, third = np.diff(z), np.diff(z**2) / 2.0, np.diff(z**3) / 3.0
    density = np.array([ply.material.density for ply in stack])
    a, b, d = (np.einsum("p,pij->ij", moment, q) for moment in (first, second, third))
    shear = laminate_shear(stack, z, q)
    if option == "SMEAR":
        b, d = np.zeros((3, 3)), a * total**2 / 12.0
    elif option == "MEM":
        b, d = np.zeros((3, 3)), np.zeros((3, 3))
    elif option == "BEND":
        a, b = np.zeros((3, 3)), np.zeros((3, 3))
    middle = low + total / 2.0
    return ShellSection(
        id,
        membrane=a,
        coupling=b,
        bending=d,
        shear=shear,
        areal_mass=float(density @ first) + nonstructural_mass,
        areal_first_moment=float(density @ second) + nonstructural_mass * middle,
        areal_inertia=float(density @ third) + nonstructural_mass * (middle**2 + total**2 / 12.0),
        thickness=total,
        plies=stack,
        bottom=low,
        name=name,
        option=option,
        failure_theory=failure_theory,
        bond_strength=bond_strength,
    )


def mass_shares(section: ShellSection) -> FloatArray:
    """(2, 3): mass per area and its first and second moments, of the plies and of what is not structural.

    A section without plies is all structure.
    """
    total = np.array([section.areal_mass, section.areal_first_moment, section.areal_inertia])
    if not section.plies:
        return np.stack([total, np.zeros(3)])
    extra = section.areal_mass - sum(ply.material.density * ply.thickness for ply in section.plies)
    middle = section.bottom + section.thickness / 2.0
    further = extra * np.array([1.0, middle, middle**2 + section.thickness**2 / 12.0])
    return np.stack([total - further, further])


def third_moment(section: ShellSection) -> FloatArray:
    """(3, 3) F = int Q z³ dz of the plies about the reference surface, N m²; zero for a section without plies."""
    if not section.plies:
        return np.zeros((3, 3))
    z = section.bottom + np.concatenate([[0.0], np.cumsum([ply.thickness for ply in section.plies])])
    q = np.array([rotated(plane_stiffness(ply.material), ply.angle) for ply in section.plies])
    return np.asarray(np.einsum("p,pij->ij", np.diff(z**4) / 4.0, q))


def _stack(id: int, plies: Sequence[Ply], option: LaminateOption) -> tuple[Ply, ...]:
    if not plies:
        raise ModelError("a laminate needs at least one ply", ids=(id,), found=f"property {id}")
    for number, ply in enumerate(plies, 1):
        if not 0.0 < ply.thickness <= _THICKEST:
            found, expected = f"{ply.thickness:g} in ply {number}", f"at most {_THICKEST:g} m"
            raise ModelError("a ply needs a positive thickness", ids=(id,), found=found, expected=expected)
    if option == "SYM":
        return (*plies, *reversed(plies))
    if option == "SMCORE":
        faces, core = list(plies[:-1]), plies[-1]
        if not faces:
            raise ModelError("SMCORE needs face plies before the core", ids=(id,), found=f"property {id}")
        thickness = sum(ply.thickness for ply in faces)
        smeared = sum(ply.thickness * rotated(plane_stiffness(ply.material), ply.angle) for ply in faces) / thickness
        density = sum(ply.thickness * ply.material.density for ply in faces) / thickness
        face = Ply(Anisotropic2D(0, np.asarray(smeared), density), thickness / 2.0)
        return (face, core, face)
    return tuple(plies)


def plane_slice(
    id: int, material: Isotropic, thickness: float, *, strain: bool, nonstructural_mass: float = 0.0, name: str = ""
) -> MembraneSection:
    """A slice of a body that deforms in its plane alone, thickness in m: in plane strain, or in plane stress."""
    plane = [0, 1, 3]  # xx, yy, xy
    stiffness = solid_stiffness(material)[np.ix_(plane, plane)] if strain else plane_stiffness(material)
    return MembraneSection(
        id,
        membrane=thickness * stiffness,
        areal_mass=material.density * thickness + nonstructural_mass,
        thickness=thickness,
        material=material,
        name=name,
    )


def solid_stiffness(material: Isotropic | Anisotropic3D) -> FloatArray:
    """Stiffness (6, 6) in Pa, order xx, yy, zz, xy, yz, zx."""
    if isinstance(material, Anisotropic3D):
        return np.array(material.stiffness)
    nu = material.poisson
    scale = material.young / ((1.0 + nu) * (1.0 - 2.0 * nu))
    out = np.zeros((6, 6))
    out[:3, :3] = scale * nu
    out[range(3), range(3)] = scale * (1.0 - nu)
    out[range(3, 6), range(3, 6)] = material.shear
    return out
