"""Shell sections from materials: homogeneous plates and laminates (classical A, B, D with first-order shear).

Strains through the thickness are ``e(z) = e0 + z k``; N = A e0 + B k, M = B e0 + D k, order 11, 22, 12 (engineering shear).
Transverse shear follows the shear stress that equilibrium demands (Whitney 1972; Rohwer 1988): with the neutral surface and
bending stiffness of each direction, ``q(z)`` is the unit shear flow and the flexibility is ``int q S q dz``. It gives 5/6 G t
for a plate and lets the core of a sandwich carry the shear.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError
from tisserand.model.materials import Anisotropic2D, Anisotropic3D, Isotropic, Material, Orthotropic2D
from tisserand.model.sections import Ply, ShellSection

LaminateOption = Literal["", "SYM", "MEM", "BEND", "SMEAR", "SMCORE"]


def plane_stiffness(material: Material) -> FloatArray:
    """Plane-stress stiffness (3, 3) in Pa, material axes."""
    if isinstance(material, Isotropic):
        q = material.young / (1.0 - material.poisson**2)
        return np.array(
            [[q, material.poisson * q, 0.0], [material.poisson * q, q, 0.0], [0.0, 0.0, material.shear]]
        )
    if isinstance(material, Orthotropic2D):
        nu21 = material.poisson_12 * material.young_2 / material.young_1
        scale = 1.0 / (1.0 - material.poisson_12 * nu21)
        q12 = material.poisson_12 * material.young_2 * scale
        return np.array(
            [
                [material.young_1 * scale, q12, 0.0],
                [q12, material.young_2 * scale, 0.0],
                [0.0, 0.0, material.shear_12],
            ]
        )
    if isinstance(material, Anisotropic2D):
        return np.array(material.stiffness)
    raise ModelError(
        "a solid material cannot serve a shell", ids=(material.id,), found=f"material {material.id}"
    )


def transverse_stiffness(material: Material) -> FloatArray | None:
    """Transverse shear stiffness (2, 2) in Pa for (1z, 2z); None means rigid in shear."""
    if isinstance(material, Isotropic):
        return material.shear * np.eye(2) if material.shear > 0.0 else None
    if isinstance(material, Orthotropic2D):
        if material.shear_1z == 0.0 and material.shear_2z == 0.0:
            return None
        rigid = 1e6 * max(material.shear_1z, material.shear_2z, material.young_1)
        return np.diag([material.shear_1z or rigid, material.shear_2z or rigid])
    if isinstance(material, Anisotropic2D):
        return np.array(material.stiffness[:2, :2])
    return None


def rotated(stiffness: FloatArray, angle: float) -> FloatArray:
    """Plane stiffness of a ply whose 1-axis is turned by ``angle`` (rad) from the laminate's x axis."""
    c, s = np.cos(angle), np.sin(angle)
    strain = np.array([[c * c, s * s, c * s], [s * s, c * c, -c * s], [-2 * c * s, 2 * c * s, c * c - s * s]])
    return np.asarray(strain.T @ stiffness @ strain)


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
    name: str = "",
) -> ShellSection:
    """A shell whose membrane, bending, shear and coupling stiffness come from materials and one thickness in m.

    ``bending`` and ``shear`` default to ``membrane`` unless ``plane``; None then means no bending stiffness and no
    transverse shear flexibility. ``bending_factor`` is 12 I / t³. ``coupling`` enters with Nastran's sign: B = -t² G4.
    """
    if not np.isfinite(thickness) or thickness <= 0.0:
        raise ModelError(
            "a shell needs a positive thickness", ids=(id,), found=f"{thickness:g} in property {id}"
        )
    if not plane:
        bending = membrane if bending is None else bending
        shear = membrane if shear is None else shear
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
        a,
        b,
        d,
        None if stiffness is None else shear_factor * thickness * stiffness,
        density * thickness + nonstructural_mass,
        0.0,
        (density * thickness + nonstructural_mass) * thickness**2 / 12.0,
        thickness,
        plies,
        -thickness / 2.0,
        name,
    )


def laminate(
    id: int,
    plies: Sequence[Ply],
    *,
    bottom: float | None = None,
    option: LaminateOption = "",
    nonstructural_mass: float = 0.0,
    name: str = "",
) -> ShellSection:
    """A laminate from plies, bottom to top; ``bottom`` (m) is z of the lowest surface, None puts z = 0 in the middle.

    option: SYM (the plies given are the lower half), MEM, BEND (only that stiffness), SMEAR (stacking ignored),
    SMCORE (last ply is the core, the others are smeared face sheets, half on each side).
    """
    stack = _stack(id, plies, option)
    total = sum(ply.thickness for ply in stack)
    low = -total / 2.0 if bottom is None else bottom
    z = low + np.concatenate([[0.0], np.cumsum([ply.thickness for ply in stack])])
    q = np.array([rotated(plane_stiffness(ply.material), ply.angle) for ply in stack])
    first, second, third = np.diff(z), np.diff(z**2) / 2.0, np.diff(z**3) / 3.0
    density = np.array([ply.material.density for ply in stack])
    a, b, d = (np.einsum("p,pij->ij", moment, q) for moment in (first, second, third))
    shear = _transverse(stack, z, q)
    if option == "SMEAR":
        b, d = np.zeros((3, 3)), a * total**2 / 12.0
    elif option == "MEM":
        b, d = np.zeros((3, 3)), np.zeros((3, 3))
    elif option == "BEND":
        a, b = np.zeros((3, 3)), np.zeros((3, 3))
    middle = low + total / 2.0
    return ShellSection(
        id,
        a,
        b,
        d,
        shear,
        float(density @ first) + nonstructural_mass,
        float(density @ second) + nonstructural_mass * middle,
        float(density @ third) + nonstructural_mass * (middle**2 + total**2 / 12.0),
        total,
        stack,
        low,
        name,
    )


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
        if not np.isfinite(ply.thickness) or ply.thickness <= 0.0:
            raise ModelError(
                "a ply needs a positive thickness", ids=(id,), found=f"{ply.thickness:g} in ply {number}"
            )
    if option == "SYM":
        return (*plies, *reversed(plies))
    if option == "SMCORE":
        faces, core = list(plies[:-1]), plies[-1]
        if not faces:
            raise ModelError("SMCORE needs face plies before the core", ids=(id,), found=f"property {id}")
        thickness = sum(ply.thickness for ply in faces)
        smeared = (
            sum(ply.thickness * rotated(plane_stiffness(ply.material), ply.angle) for ply in faces)
            / thickness
        )
        density = sum(ply.thickness * ply.material.density for ply in faces) / thickness
        face = Ply(Anisotropic2D(0, np.asarray(smeared), density), thickness / 2.0)
        return (face, core, face)
    return tuple(plies)


def _transverse(stack: Sequence[Ply], z: FloatArray, q: FloatArray) -> FloatArray | None:
    """Transverse shear stiffness (2, 2), N/m; None when no ply is flexible in shear."""
    flexibility = np.zeros((2, 2))
    modulus = np.stack([q[:, 0, 0], q[:, 1, 1]], axis=1)
    thickness = np.diff(z)
    neutral = (modulus * np.diff(z**2)[:, None] / 2.0).sum(axis=0) / (modulus * thickness[:, None]).sum(
        axis=0
    )
    bending = sum(
        modulus[p] * ((z[p + 1] - neutral) ** 3 - (z[p] - neutral) ** 3) / 3.0 for p in range(len(stack))
    )
    points, weights = np.polynomial.legendre.leggauss(5)  # q is quadratic in z, so q² is integrated exactly
    flow = np.zeros(2)
    flexible = False
    for p, ply in enumerate(stack):
        at = z[p] + thickness[p] * (points + 1.0) / 2.0
        shear_flow = flow - modulus[p] * ((at[:, None] - neutral) ** 2 - (z[p] - neutral) ** 2) / 2.0
        stiffness = transverse_stiffness(ply.material)
        if stiffness is not None and not isinstance(ply.material, Anisotropic2D):
            c, s = np.cos(ply.angle), np.sin(ply.angle)
            turn = np.array([[c, s], [-s, c]])
            compliance = turn.T @ np.linalg.inv(stiffness) @ turn
            unit = shear_flow / bending
            flexibility += np.einsum("g,gi,ij,gj->ij", weights * thickness[p] / 2.0, unit, compliance, unit)
            flexible = True
        flow = flow - modulus[p] * ((z[p + 1] - neutral) ** 2 - (z[p] - neutral) ** 2) / 2.0
    return np.asarray(np.linalg.inv(flexibility)) if flexible else None


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
