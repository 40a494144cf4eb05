"""Moduli of nonlinear materials at zero strain: DEFORMATION PLASTICITY and HYPERELASTIC, linear about the unloaded state.

A hyperelastic potential of the deviatoric invariants with D1 has the shear modulus mu0 and the bulk modulus 2 / D1 at zero
strain. CalculiX takes D1 = 0.1 / mu0 where none is stated; in Abaqus such a material is incompressible.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword
from tisserand.readers.abaqus.temperatures import constants_at

#: Coefficients of the Arruda-Boyce potential: mu0 / mu = sum c_k / lambda_m^(2 k).
_CHAIN = (1.0, 3.0 / 5.0, 99.0 / 175.0, 513.0 / 875.0, 42039.0 / 67375.0)


_POTENTIALS = {"NEO HOOKE", "MOONEY-RIVLIN", "YEOH", "POLYNOMIAL", "REDUCED POLYNOMIAL", "ARRUDA-BOYCE"}


def has_initial_moduli(draft: Draft, keyword: Keyword) -> bool:
    """Whether the moduli at zero strain are known: not from test data, nor for Ogden's potential in CalculiX.

    There they depend on the exponents in a way that its manual does not state.
    """
    names = set(keyword.options) - {"N", "MODULI"}
    known = _POTENTIALS | ({"OGDEN"} if draft.flavor == "abaqus" else set())
    return keyword.name == "DEFORMATION PLASTICITY" or names <= known


def initial_moduli(draft: Draft, keyword: Keyword) -> tuple[float, float]:
    """Young's modulus (deck units) and Poisson's ratio at zero strain."""
    if keyword.name == "DEFORMATION PLASTICITY":
        young, poisson = constants_at(draft, keyword, 5)[:2]
        return float(young), float(poisson)
    shear, compliance = _potential(draft, keyword)
    if not shear > 0.0 or compliance < 0.0:
        raise keyword.error("the shear and bulk modulus at zero strain must be above zero", found=f"{shear:g}")
    if compliance == 0.0 and draft.flavor == "abaqus":
        raise keyword.error(
            "the material is incompressible, which displacement elements cannot represent",
            found="D1 = 0",
            advice="state D1, for instance 0.04 over the initial shear modulus for a Poisson's ratio of 0.49",
        )
    bulk = 2.0 / (compliance if compliance > 0.0 else 0.1 / shear)
    return 9.0 * bulk * shear / (3.0 * bulk + shear), (3.0 * bulk - 2.0 * shear) / (6.0 * bulk + 2.0 * shear)


def _potential(draft: Draft, keyword: Keyword) -> tuple[float, float]:
    """mu0 and D1 of a potential by the parameter that names it."""
    names = set(keyword.options)
    order = int(keyword.number(0, keyword.options.get("N", "1"))) if "N" in keyword.options else 1

    def constants(count: int) -> FloatArray:
        return constants_at(draft, keyword, count)

    if not 1 <= order <= 6:
        raise keyword.error("the order of a potential is 1 to 6", found=order)
    if "NEO HOOKE" in names:
        c10, d1 = constants(2)
        return 2.0 * c10, d1
    if "MOONEY-RIVLIN" in names:
        c10, c01, d1 = constants(3)
        return 2.0 * (c10 + c01), d1
    if "YEOH" in names:
        c = constants(6)
        return 2.0 * c[0], c[3]
    if "REDUCED POLYNOMIAL" in names:
        c = constants(2 * order)
        return 2.0 * c[0], c[order]
    if "ARRUDA-BOYCE" in names:
        mu, stretch, d1 = constants(3)
        if not stretch > 0.0:
            raise keyword.error("the locking stretch must be above zero", found=f"{stretch:g}")
        return float(mu * np.sum(np.array(_CHAIN) / stretch ** (2.0 * np.arange(5)))), d1
    if "OGDEN" in names:
        c = constants(3 * order)
        return float(c[: 2 * order : 2].sum()), c[2 * order]
    terms = order * (order + 3) // 2
    c = constants(terms + order)
    return 2.0 * (c[0] + c[1]), c[terms]
