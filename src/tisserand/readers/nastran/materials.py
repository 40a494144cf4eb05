"""MAT1, MAT2, MAT8, MAT9, MAT11 in SI, with WTMASS on the densities."""

from __future__ import annotations

from functools import partial

import numpy as np

from tisserand.model import Anisotropic2D, Anisotropic3D, Isotropic, Material, Orthotropic2D, Strengths
from tisserand.readers.nastran.book import guarded
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft


def read_materials(draft: Draft) -> None:
    """Fill ``draft.materials``."""
    seen: dict[int, Row] = {}
    for card, make in (("MAT1", _mat1), ("MAT2", _mat2), ("MAT8", _mat8), ("MAT9", _mat9), ("MAT11", _mat11)):
        for row in draft.bulk.rows(card):
            number = row.integer(0)
            if number in seen:
                if seen[number].fields == row.fields and seen[number].card == card:
                    continue
                raise row.error(0, "the material is defined twice with different data", found=number)
            seen[number] = row
            draft.materials[number] = guarded(row, partial(make, draft, row, number))


def _density(draft: Draft, row: Row, index: int) -> float:
    value = row.real(index, 0.0)
    if value < 0.0:
        raise row.error(index, "the density is negative", found=value)
    return value * draft.mass_factor / draft.units.length**3


def _mat1(draft: Draft, row: Row, number: int) -> Material:
    """Two of E, G, NU give the third; a lone E or G leaves the others zero (as Nastran does)."""
    row.nothing_from(12)
    young, shear, poisson = (row.real(k, np.nan) for k in (1, 2, 3))
    has_young, has_shear, has_poisson = (not np.isnan(v) for v in (young, shear, poisson))
    if not (has_young or has_shear):
        raise row.error(1, "E and G are both blank", expected="at least one of them")
    if has_poisson and not has_shear:
        if poisson <= -1.0:
            raise row.error(
                3, "Poisson's ratio is outside its physical range", found=poisson, expected="above -1, below 0.5"
            )
        shear = young / (2.0 * (1.0 + poisson))
    elif has_poisson and not has_young:
        young = 2.0 * shear * (1.0 + poisson)
    elif not has_poisson and has_young and has_shear:
        poisson = young / (2.0 * shear) - 1.0 if shear > 0.0 else 0.0
        if not -1.0 < poisson < 0.5:
            draft.loose_poisson.add(number)
            poisson = 0.0
    if has_poisson and has_young and has_shear and not -1.0 < poisson < 0.5:  # bars use E and G alone
        draft.loose_poisson.add(number)
        draft.notes.append(f"MAT1 {number}: Poisson's ratio {poisson:g} is that of no solid; E and G are used")
        poisson = 0.0
    young, shear, poisson = (float(np.nan_to_num(v)) for v in (young, shear, poisson))
    return Isotropic(
        number,
        young * draft.units.pressure,
        shear * draft.units.pressure,
        poisson,
        _density(draft, row, 4),
        structural_damping=row.real(7, 0.0),
        strengths=_limits(draft, row),
    )


def _limits(draft: Draft, row: Row) -> Strengths | None:
    """ST, SC, SS of MAT1; None when all are blank."""
    if not any(row.text(k) for k in (8, 9, 10)):
        return None
    tension, compression, shear = (abs(row.real(k, 0.0)) * draft.units.pressure for k in (8, 9, 10))
    return Strengths(tension, compression, tension, compression, shear)


def _mat2(draft: Draft, row: Row, number: int) -> Material:
    g11, g12, g13, g22, g23, g33 = (row.real(k, 0.0) for k in range(1, 7))
    stiffness = np.array([[g11, g12, g13], [g12, g22, g23], [g13, g23, g33]]) * draft.units.pressure
    return Anisotropic2D(number, stiffness, _density(draft, row, 7), row.real(12, 0.0))


def _mat8(draft: Draft, row: Row, number: int) -> Material:
    e1, e2, nu12, g12 = row.real(1), row.real(2), row.real(3, 0.0), row.real(4, 0.0)
    if e1 <= 0.0 or e2 <= 0.0:
        raise row.error(1 if e1 <= 0.0 else 2, "Young's modulus must be positive", found=min(e1, e2))
    if nu12**2 * e2 >= e1:
        raise row.error(
            3,
            "this Poisson's ratio makes the ply stiffness indefinite",
            found=nu12,
            expected=f"below {np.sqrt(e1 / e2):.4g}",
        )
    pressure = draft.units.pressure
    return Orthotropic2D(
        number,
        young_1=e1 * pressure,
        young_2=e2 * pressure,
        poisson_12=nu12,
        shear_12=g12 * pressure,
        shear_1z=row.real(5, 0.0) * pressure,
        shear_2z=row.real(6, 0.0) * pressure,
        density=_density(draft, row, 7),
        structural_damping=row.real(16, 0.0),
        strengths=_ply_limits(draft, row, e1, e2, g12),
    )


def _ply_limits(draft: Draft, row: Row, e1: float, e2: float, g12: float) -> Strengths | None:
    """Xt Xc Yt Yc S F12 of MAT8; None when all are blank. STRN = 1 states strains, which are taken times E1, E2, G12."""
    if not any(row.text(k) for k in range(11, 16)):
        return None
    xt, yt = abs(row.real(11, 0.0)), abs(row.real(13, 0.0))
    xc, yc, s = abs(row.real(12, xt)), abs(row.real(14, yt)), abs(row.real(15, 0.0))
    if row.real(18, 0.0) == 1.0:
        xt, xc, yt, yc, s = e1 * xt, e1 * xc, e2 * yt, e2 * yc, g12 * s
    p = draft.units.pressure
    return Strengths(xt * p, xc * p, yt * p, yc * p, s * p, row.real(17, 0.0) / p**2)


def _mat9(draft: Draft, row: Row, number: int) -> Material:
    stiffness = np.zeros((6, 6))
    upper = [(i, j) for i in range(6) for j in range(i, 6)]
    for k, (i, j) in enumerate(upper):
        stiffness[i, j] = stiffness[j, i] = row.real(1 + k, 0.0)
    values = np.linalg.eigvalsh(stiffness)
    if values[0] < -1e-9 * np.abs(values).max():
        raise row.error(
            1,
            "the moduli are not positive definite",
            found=f"an eigenvalue of {values[0]:.4g} beside {values[-1]:.4g}",
            expected="G11, G12 ... G16, G22 ... G66 by rows of the upper triangle",
            advice="see whether a field was left out, so that all later ones moved",
        )
    return Anisotropic3D(number, stiffness * draft.units.pressure, _density(draft, row, 22), row.real(30, 0.0))


def _mat11(draft: Draft, row: Row, number: int) -> Material:
    """Orthotropic solid by its engineering constants: nu_ij is the contraction along j under tension along i."""
    e1, e2, e3, n12, n13, n23, g12, g13, g23 = (row.real(at, 0.0) for at in range(1, 10))
    if min(e1, e2, e3, g12, g13, g23) <= 0.0:
        raise row.error(1, "moduli must be above zero", found=f"{min(e1, e2, e3, g12, g13, g23):g}")
    compliance = np.diag([1.0 / e1, 1.0 / e2, 1.0 / e3, 1.0 / g12, 1.0 / g23, 1.0 / g13])
    for i, j, value in ((0, 1, -n12 / e1), (0, 2, -n13 / e1), (1, 2, -n23 / e2)):
        compliance[i, j] = compliance[j, i] = value
    if not np.linalg.eigvalsh(compliance)[0] > 0.0:
        raise row.error(4, "the moduli and Poisson's ratios belong to no elastic material")
    stiffness = np.linalg.inv(compliance) * draft.units.pressure
    return Anisotropic3D(number, stiffness, _density(draft, row, 10), row.real(15, 0.0))
