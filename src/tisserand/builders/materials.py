"""A short catalog of materials at room temperature: nominal values for a first model, never design allowables.

Sources: metals, ASM Handbook, vol. 1 and 2 (typical values); unidirectional carbon plies, S. W. Tsai and H. T. Hahn,
*Introduction to Composite Materials* (1980), table 1.7; honeycomb core, Hexcel, *HexWeb Honeycomb Attributes and Properties*
(5052 CR III, 3.1 lb/ft³, typical plate shear moduli); polyimide film, DuPont Kapton HN data sheet.

Compared with public data sheets and textbook tables, at least two each: 6061-T6, Kapton HN and T300/5208 (all values), density
of 7075-T6, density and modulus of Invar 36, modulus of 304. Sources differ, and a typical value was kept, for 7075-T6 (71 to
71.7 GPa), Ti-6Al-4V (114 to 120 GPa, 0.33 to 0.36) and 304 (0.27 to 0.29, 7860 to 8000 kg/m³). Not compared with a second source:
AS/3501, Poisson's ratio of Invar, the honeycomb core, and the density of the carbon plies.
"""

from __future__ import annotations

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.errors import ModelError
from tisserand.model import Isotropic, Orthotropic2D


@checked_arguments
def isotropic(
    young: float, poisson: float, density: float, *, name: str = "", structural_damping: float = 0.0
) -> Isotropic:
    """An isotropic material.

    Args:
        young: Young's modulus, Pa.
        poisson: Poisson's ratio.
        density: kg/m³.
        name: for reports.
        structural_damping: loss factor g.
    """
    return Isotropic(
        1, young, young / (2.0 * (1.0 + poisson)), poisson, density, structural_damping=structural_damping, name=name
    )


@checked_arguments
def orthotropic(
    young_1: float,
    young_2: float,
    poisson_12: float,
    shear_12: float,
    density: float,
    *,
    shear_1z: float | None = None,
    shear_2z: float | None = None,
    name: str = "",
) -> Orthotropic2D:
    """A ply: orthotropic in plane stress.

    Args:
        young_1: modulus along the fibers, Pa.
        young_2: modulus across them, Pa.
        poisson_12: major Poisson's ratio.
        shear_12: in-plane shear modulus, Pa.
        density: kg/m³.
        shear_1z: transverse shear modulus in the 1-z plane, Pa; None takes ``shear_12``, 0 means rigid in shear.
        shear_2z: transverse shear modulus in the 2-z plane, Pa; None takes ``shear_12``, 0 means rigid in shear.
        name: for reports.
    """
    g1 = shear_12 if shear_1z is None else shear_1z
    g2 = shear_12 if shear_2z is None else shear_2z
    for word, value in (
        ("young_1", young_1), ("young_2", young_2), ("shear_12", shear_12), ("density", density),
        ("shear_1z", g1), ("shear_2z", g2),
    ):  # fmt: skip
        if not np.isfinite(value) or value < 0.0:
            raise ModelError(f"{word} must be a finite number, zero or more", where=name or "ply", found=value)
    if not poisson_12**2 * young_2 < young_1:
        raise ModelError(
            "these moduli are not positive definite", where=name or "ply", found=f"poisson_12 = {poisson_12:g}",
            expected=f"below {np.sqrt(young_1 / max(young_2, 1e-300)):.3g}",
        )  # fmt: skip
    return Orthotropic2D(
        1,
        young_1=young_1,
        young_2=young_2,
        poisson_12=poisson_12,
        shear_12=shear_12,
        shear_1z=g1,
        shear_2z=g2,
        density=density,
        name=name,
    )


#: 6061-T6: 68.9 GPa, 0.33, 2700 kg/m³.
ALUMINUM = isotropic(68.9e9, 0.33, 2700.0, name="aluminum 6061-T6")
#: 7075-T6: 71.7 GPa, 0.33, 2810 kg/m³.
ALUMINUM_7075 = isotropic(71.7e9, 0.33, 2810.0, name="aluminum 7075-T6")
#: Ti-6Al-4V, annealed: 113.8 GPa, 0.342, 4430 kg/m³.
TITANIUM = isotropic(113.8e9, 0.342, 4430.0, name="titanium Ti-6Al-4V")
#: AISI 304, annealed: 193 GPa, 0.29, 8000 kg/m³.
STEEL = isotropic(193.0e9, 0.29, 8000.0, name="stainless steel 304")
#: Invar 36, annealed: 141 GPa, 0.29, 8050 kg/m³.
INVAR = isotropic(141.0e9, 0.29, 8050.0, name="Invar 36")
#: Kapton HN film at 23 °C: 2.5 GPa, 0.34, 1420 kg/m³.
KAPTON = isotropic(2.5e9, 0.34, 1420.0, name="Kapton HN")
#: T300/5208 unidirectional ply: 181 / 10.3 GPa, 0.28, 7.17 GPa, 1600 kg/m³.
CARBON_T300 = orthotropic(181.0e9, 10.3e9, 0.28, 7.17e9, 1600.0, name="carbon T300/5208, unidirectional")
#: AS/3501 unidirectional ply: 138 / 8.96 GPa, 0.30, 7.10 GPa, 1600 kg/m³.
CARBON_AS = orthotropic(138.0e9, 8.96e9, 0.30, 7.10e9, 1600.0, name="carbon AS/3501, unidirectional")
#: Aluminum honeycomb 5052, 49.7 kg/m³ (3.1 lb/ft³): shear 310 MPa (ribbon direction 1) and 152 MPa; no in-plane stiffness.
HONEYCOMB = orthotropic(
    1.0, 1.0, 0.0, 1.0, 49.7, shear_1z=310e6, shear_2z=152e6, name="aluminum honeycomb 5052, 3.1 lb/ft³"
)
