"""PCOMPS: a stack of plies within a solid, used where all plies are of one material and angle."""

from __future__ import annotations

import numpy as np

from tisserand.model import Anisotropic3D, Isotropic, SolidSection
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

#: Fields before the first ply, and of every ply: GPLYID, MID, T, THETA, FT, ILFT, SOUT, TFLG.
_HEAD, _PLY = 8, 8


def one_ply(draft: Draft, row: Row, number: int) -> SolidSection:
    """The homogeneous section of a stack without difference; plies that differ are refused by name.

    PSDIR names, among the axes of CORDM, the direction that angles start from and that of the stack, about which they turn.
    """
    plies = [at for at in range(_HEAD, len(row.fields), _PLY) if row.text(at + 1)]
    if not plies:
        raise row.error(_HEAD, "the stack has no ply")
    kinds = {(row.integer(at + 1), row.real(at + 3, 0.0)) for at in plies}
    if len(kinds) > 1:
        raise row.error(
            _HEAD,
            "plies of different material or angle within one solid are not supported",
            found=f"{len(kinds)} kinds of plies",
            advice="mesh each ply with a solid of its own, or use shells with PCOMP",
        )
    material = draft.material(row, plies[0] + 1)
    if not isinstance(material, (Isotropic, Anisotropic3D)):
        raise row.error(plies[0] + 1, "plies of solids need MAT1, MAT9 or MAT11", found=row.integer(plies[0] + 1))
    directions = row.integer(2, 13)
    first, stack = divmod(directions, 10)
    if {first, stack} - {1, 2, 3} or first == stack:
        raise row.error(2, "PSDIR names two different axes", found=directions, expected="12, 13, 21, 23, 31 or 32")
    frame = np.eye(3)
    if system_id := row.integer(1, 0):
        system = draft.system(row, 1, system_id)
        if system.kind != "rectangular":
            raise row.error(1, "curved material axes are not supported", found=f"{system.kind} system {system_id}")
        frame = system.axes
    x, z = frame[first - 1], frame[stack - 1]
    angle = np.radians(kinds.pop()[1])
    along = np.cos(angle) * x + np.sin(angle) * np.cross(z, x)
    return SolidSection(number, material, np.array([along, np.cross(z, along), z]), "unlocked")
