"""Cross-section values of beams as arrays: checked once per section, then spread over the elements.

Serves the beams of theory section 1, with the section data of [NastranQRG] (PBAR, PBEAM).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements._lines import refuse
from tisserand.model import BeamBlock, BeamSection, BeamStation, StructuralModel

_WORDS = (
    "area", "i_zz", "i_yy", "i_yz", "torsion_constant", "nonstructural_mass", "nonstructural_inertia",
    "neutral_y", "neutral_z", "mass_y", "mass_z",
)  # fmt: skip
_NOT_NEGATIVE = ("area", "i_zz", "i_yy", "torsion_constant", "nonstructural_mass", "nonstructural_inertia")


@dataclass(frozen=True, eq=False)
class SectionValues:
    """Values of m elements at both ends, SI, element axes.

    stations (m, 2, 11) in the order of ``_WORDS``; young, shear, density (m,); shear_factors (m, 2) K1, K2;
    tapered: True when any section differs between its ends.
    """

    stations: FloatArray
    young: FloatArray
    shear: FloatArray
    density: FloatArray
    shear_factors: FloatArray
    tapered: bool

    def at(self, fraction: FloatArray) -> dict[str, FloatArray]:
        """Values (m, g) at fractions (g,) of the length, linear between the ends."""
        values = np.einsum("g,mw->mgw", 1.0 - fraction, self.stations[:, 0]) + np.einsum(
            "g,mw->mgw", fraction, self.stations[:, 1]
        )
        return {word: values[:, :, i] for i, word in enumerate(_WORDS)}


def _row(station: BeamStation) -> list[float]:
    return [
        station.area, station.i_zz, station.i_yy, station.i_yz, station.torsion_constant,
        station.nonstructural_mass, station.nonstructural_inertia,
        *station.neutral_axis, *station.mass_center,
    ]  # fmt: skip


def section_values(model: StructuralModel, block: BeamBlock) -> SectionValues:
    """Gather and check the sections of a block.

    Refused: values that are negative or not finite, I1 I2 <= I12², and for ``beam`` elements an area or
    second moment that is zero (``bar`` elements may leave them out, as PBAR does: the bar is then limp in
    that motion).
    """
    count = len(model.sections)
    stations, moduli, factors = np.zeros((count, 2, len(_WORDS))), np.zeros((count, 3)), np.zeros((count, 2))
    tapered = False
    for row in np.unique(block.section):
        section = cast(BeamSection, model.sections[row])
        which = block.section == row
        tapered |= section.end_b is not None and section.end_b != section.end_a
        for end, station in enumerate((section.end_a, section.end_b or section.end_a)):
            values = dict(zip(_WORDS, _row(station)))
            for word, value in values.items():
                if not np.isfinite(value) or (word in _NOT_NEGATIVE and value < 0.0):
                    refuse(
                        "beam",
                        block.ids,
                        which,
                        f"section {section.id}: {word.replace('_', ' ')} cannot be used",
                        found=value,
                        expected="a finite number, zero or more" if word in _NOT_NEGATIVE else "a number",
                    )
                if block.recipe == "beam" and word in ("area", "i_zz", "i_yy") and value == 0.0:
                    refuse(
                        "beam",
                        block.ids,
                        which,
                        f"section {section.id}: {word.replace('_', ' ')} is zero",
                        expected="a positive number",
                    )
            if values["i_yz"] != 0.0 and values["i_zz"] * values["i_yy"] <= values["i_yz"] ** 2:
                refuse(
                    "beam",
                    block.ids,
                    which,
                    f"section {section.id}: the second moments of area are not positive definite",
                    found=f"I1 I2 - I12² = {values['i_zz'] * values['i_yy'] - values['i_yz'] ** 2:.3g} m⁸",
                )
            stations[row, end] = _row(station)
        factors[row] = section.shear_y, section.shear_z
        if not np.isfinite(factors[row]).all() or (factors[row] < 0.0).any():
            refuse(
                "beam",
                block.ids,
                which,
                f"section {section.id}: a shear factor is negative",
                found=factors[row].tolist(),
            )
        moduli[row] = section.material.young, section.material.shear, section.material.density
    pick = block.section
    young, shear, density = moduli[pick].T
    return SectionValues(stations[pick], young, shear, density, factors[pick], tapered)
