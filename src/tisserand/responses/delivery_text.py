"""The figures of a checked delivery as text, section by section in the order of pyYeti's ``cbcheck``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import FloatArray

if TYPE_CHECKING:
    from tisserand.responses.delivery_checks import DeliveryCheck

_SIX = ("T1", "T2", "T3", "R1", "R2", "R3")


def delivery_text(check: DeliveryCheck) -> str:
    """Mass properties, grounding, free-free modes and fixed-base modes with effective masses."""
    lines = [f"{check.model.name}: {check.model.method}, SI units, rigid motions about the basic origin", ""]
    lines += _mass(check) + _grounding(check) + _modes(check)
    lines += ["VERDICTS", ""]
    for row in check.rows.rows:
        limit = "" if row.limit is None else f"  limit {row.limit:.1e}  {'ok' if row.passed else 'CHECK'}"
        lines.append(f"  {row.name:<44s} {row.value:12.3e}{limit}")
    return "\n".join(lines) + "\n"


def _matrix(matrix: FloatArray) -> list[str]:
    return ["  " + " ".join(f"{value:14.6g}" for value in row) for row in matrix]


def _mass(check: DeliveryCheck) -> list[str]:
    lines = ["MASS PROPERTIES", ""]
    for name, matrix in check.rigid_mass.items():
        lines += [f"6 x 6 mass matrix, rigid motions by {name}:", *_matrix(matrix), ""]
    lines += ["Distance to the center of mass and radii of gyration about it (m):", ""]
    lines.append(
        f"  {'rigid motions by':<18s}"
        + "".join(f"{w:>14s}" for w in ("x", "y", "z", "r_x", "r_y", "r_z", "r_1", "r_2", "r_3"))
    )
    for name, found in check.properties.items():
        gyration = np.sqrt(np.maximum(np.diag(found.inertia), 0.0) / found.mass)
        principal = np.sqrt(np.maximum(found.principal[0], 0.0) / found.mass)
        values = (*found.center, *gyration, *principal)
        lines.append(f"  {name:<18s}" + "".join(f"{value:14.6f}" for value in values))
    for name, found in check.properties.items():
        lines += ["", f"Inertia about the center of mass by {name} (kg m²):", *_matrix(found.inertia)]
        lines.append("  principal: " + " ".join(f"{value:14.6g}" for value in found.principal[0]))
    return [*lines, ""]


def _grounding(check: DeliveryCheck) -> list[str]:
    lines = ["GROUNDING", ""]
    names = [c.name for c in check.model.coordinates]
    for name, forces in check.grounding.items():
        lines += [
            f"K RB, rigid motions by {name} (N, N m):",
            f"  {'coordinate':<24s}" + "".join(f"{w:>13s}" for w in _SIX),
        ]
        lines += [f"  {text:<24s}" + "".join(f"{v:13.4g}" for v in row) for text, row in zip(names, forces)]
        lines += [f"RB'K RB by {name}:", *_matrix(check.energy[name]), ""]
    return lines


def _modes(check: DeliveryCheck) -> list[str]:
    lines = ["FREE-FREE MODES", "", "  mode   frequency (Hz)"]
    lines += [f"  {i:4d}  {f:15.6f}" for i, f in enumerate(check.free_hz, 1)]
    lines += ["", "FIXED-BASE MODES with effective mass, percent", ""]
    if not len(check.fixed_hz):
        return [*lines, "  There are no modes with the interface held.", ""]
    lines.append("  mode   frequency (Hz)" + "".join(f"{w:>9s}" for w in _SIX))
    percent = check.effective_percent
    for i, (f, row) in enumerate(zip(check.fixed_hz, percent), 1):
        lines.append(f"  {i:4d}  {f:15.6f}" + "".join(f"{value:9.3f}" for value in row))
    lines.append("  total" + " " * 16 + "".join(f"{value:9.3f}" for value in percent.sum(axis=0)))
    return [*lines, ""]
