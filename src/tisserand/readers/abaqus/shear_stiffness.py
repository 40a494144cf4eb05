"""TRANSVERSE SHEAR STIFFNESS: the stated shear stiffness of the section that stands before it.

Shells state K11, K22, K12 in the axes of the section, beams K23, K13 (direction 2 first) and a slenderness compensation factor.
Where one of the two direct values is blank or zero, the other counts for both.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.model import BeamSection, ShellSection
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword

NAME = "TRANSVERSE SHEAR STIFFNESS"


def _values(keyword: Keyword) -> tuple[float, float, float]:
    """Both direct values and the third one, deck units."""
    rows = list(keyword.rows())
    if not rows:
        raise keyword.error("has no values", expected="two stiffnesses")
    row, items = rows[0]
    first, second = (keyword.number(row, item) for item in [*items, "", ""][:2])
    if min(first, second) < 0.0 or max(first, second) == 0.0:
        raise keyword.error("a shear stiffness must be above zero", row=row, found=keyword.data[row].strip())
    third = items[2] if len(items) > 2 else ""
    return first or second, second or first, 0.0 if third.upper() == "SCF" else keyword.number(row, third)


def sheared_shell(draft: Draft, section: ShellSection, keyword: Keyword | None) -> ShellSection:
    """The section with the stated transverse shear stiffness, N/m; unchanged where none is stated."""
    if keyword is None:
        return section
    k11, k22, k12 = _values(keyword)
    stiffness = np.array([[k11, k12], [k12, k22]])
    if not np.linalg.eigvalsh(stiffness)[0] > 0.0:
        raise keyword.error("K11, K22 and K12 are not positive definite", found=stiffness.tolist())
    return replace(section, shear=stiffness * draft.units.linear_stiffness)


def sheared_beam(draft: Draft, section: BeamSection, keyword: Keyword | None) -> BeamSection:
    """The section with shear factors K / (G A) from the stated stiffness, a force; y is direction 1, z direction 2."""
    if keyword is None:
        return section
    k23, k13, _ = _values(keyword)
    whole = section.material.shear * section.end_a.area / draft.units.force
    return replace(section, shear_y=k13 / whole, shear_z=k23 / whole)
