"""Materials of a case: isotropic, orthotropic (plies and solids) and anisotropic, converted to SI."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tisserand.errors import ModelError
from tisserand.model import Anisotropic3D, Isotropic, Material, Orthotropic2D, Strengths
from tisserand.schema import Table
from tisserand.units import UnitSystem

_KINDS = ("isotropic", "orthotropic", "orthotropic-solid", "anisotropic")


def materials_of(case: Table, units: UnitSystem) -> Mapping[str, Material]:
    """Every ``[materials.NAME]`` table."""
    return {
        name: _material(number, name, table, units)
        for number, (name, table) in enumerate(case.named_tables("materials"), 1)
    }


def _material(number: int, name: str, table: Table, units: UnitSystem) -> Material:
    kind = table.choice("kind", _KINDS, "isotropic")
    density = table.number("density", minimum=0.0) * units.density
    loss = table.number("loss_factor", 0.0, minimum=0.0)
    if kind == "isotropic":
        return _isotropic(number, name, table, units, density, loss)
    if kind == "orthotropic":
        return Orthotropic2D(
            number,
            table.number("young_1", above=0.0) * units.pressure,
            table.number("young_2", above=0.0) * units.pressure,
            table.number("poisson_12", above=-1.0),
            table.number("shear_12", above=0.0) * units.pressure,
            table.number("shear_1z", 0.0, minimum=0.0) * units.pressure,
            table.number("shear_2z", 0.0, minimum=0.0) * units.pressure,
            density,
            loss,
            name,
            _strengths(table, units),
        )
    if kind == "orthotropic-solid":
        stiffness = _orthotropic_stiffness(table)
    else:
        stiffness = table.matrix("stiffness", 6, 6)
        if not np.allclose(stiffness, stiffness.T, rtol=1e-9, atol=0.0):
            raise table.error("stiffness", "is not symmetric")
    if np.linalg.eigvalsh(stiffness)[0] <= 0.0:
        raise table.error(
            "" if kind == "orthotropic-solid" else "stiffness",
            "the elasticity matrix is not positive definite",
        )
    return Anisotropic3D(number, stiffness * units.pressure, density, loss, name)


def _isotropic(
    number: int, name: str, table: Table, units: UnitSystem, density: float, loss: float
) -> Isotropic:
    young = table.number("young", above=0.0)
    if table.has("shear") and not table.has("poisson"):
        shear = table.number("shear", above=0.0)
        poisson = young / (2.0 * shear) - 1.0
    else:
        poisson = table.number("poisson", above=-1.0, below=0.5)
        shear = table.number("shear", young / (2.0 * (1.0 + poisson)), above=0.0)
    try:
        return Isotropic(
            number, young * units.pressure, shear * units.pressure, poisson, density, loss, name, _strengths(table, units)
        )
    except ModelError as error:
        raise table.error("", error.what, found=error.found, expected=error.expected) from error


def _strengths(table: Table, units: UnitSystem) -> Strengths | None:
    """The table ``strengths``; compression as tension where it is missing, direction 2 as direction 1."""
    if not table.has("strengths"):
        return None
    given = table.table("strengths")
    tension_1 = given.number("tension_1", above=0.0)
    compression_1 = given.number("compression_1", tension_1, above=0.0)
    tension_2 = given.number("tension_2", tension_1, above=0.0)
    compression_2 = given.number("compression_2", tension_2 if given.has("tension_2") else compression_1, above=0.0)
    shear = given.number("shear_12", above=0.0)
    return Strengths(
        tension_1 * units.pressure,
        compression_1 * units.pressure,
        tension_2 * units.pressure,
        compression_2 * units.pressure,
        shear * units.pressure,
        given.number("interaction", 0.0) / units.pressure**2,
    )


def _orthotropic_stiffness(table: Table) -> np.ndarray:
    """Stiffness (6, 6) in order 11, 22, 33, 12, 23, 31 from engineering constants."""
    e1, e2, e3 = table.vector("young", 3, minimum=0.0)
    n12, n23, n13 = table.vector("poisson", 3)
    shear = table.vector("shear", 3, minimum=0.0)
    if min(e1, e2, e3, *shear) <= 0.0:
        raise table.error("young", "moduli must be above zero")
    compliance = np.zeros((6, 6))
    compliance[:3, :3] = [
        [1 / e1, -n12 / e1, -n13 / e1],
        [-n12 / e1, 1 / e2, -n23 / e2],
        [-n13 / e1, -n23 / e2, 1 / e3],
    ]
    compliance[[3, 4, 5], [3, 4, 5]] = 1.0 / shear
    return np.linalg.inv(compliance)
