"""P and H of a supplier's modes: by participation factors, by effective masses with signs from the shapes, or by bounds.

The scale of a momentum is the largest value that it can have by the Cauchy-Schwarz inequality, sqrt(m Me_k) for P and
sqrt(tr R Me_k) for H about the mass center, with R the second moments of mass about it. It does not depend on the origin.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.readers.supplier.basic_shapes import BasicShapes
from tisserand.readers.supplier.mass_bounds import MOST_MODES, NodalMasses, participation_functions
from tisserand.readers.supplier.reference import point_of
from tisserand.readers.supplier.supplier_modes import MassSummary, SupplierModes
from tisserand.units import UnitSystem

#: Half the spread of an integral over all admissible masses that still counts as known, relative to its scale.
SPREAD_LIMIT = 0.01
#: Values below this part of their scale are zero in printed digits.
_DIGITS = 1e-6
_WORDS = ("Px", "Py", "Pz", "Hx", "Hy", "Hz")


@dataclass(frozen=True, eq=False)
class Momenta:
    """P (3, k) kg and H (3, k) kg m about O per unit coordinate; None where they are not settled."""

    P: FloatArray | None
    H: FloatArray | None
    sentences: list[str] = field(default_factory=list)


def known_momenta(
    theirs: SupplierModes,
    shapes: BasicShapes,
    point: FloatArray,
    *,
    modal: FloatArray | None,
    summary: MassSummary | None,
    admissible: NodalMasses | None,
    free: bool | None,
    units: UnitSystem,
) -> Momenta:
    """P and H about O by the best source there is, and a sentence that names it; summary: rigid mass about O."""
    k = theirs.count
    if free:
        return Momenta(np.zeros((3, k)), np.zeros((3, k)))
    if modal is None or summary is None or free is None:
        return Momenta(None, None)
    scales = _scales(summary, modal)
    effective = theirs.effective if theirs.effective is not None and theirs.effective.rotations else None
    at = None if effective is None else point_of(theirs, effective.reference_id, units)
    if effective is not None and at is not None and effective.participation is not None:
        P, H = effective.participation[:3] * modal, effective.participation[3:] * modal * units.length
        return Momenta(P, _moved(H, P, at - point), ["P and H are the stated participation factors"])
    if effective is not None and at is not None and effective.masses is not None:
        scale = np.repeat([units.mass, units.inertia], 3)[:, None]
        sizes = np.sqrt(np.maximum(effective.masses * scale, 0.0) * modal)
        return _signed(sizes, shapes, at, point, scales, admissible)
    if admissible is None or k > 4 * MOST_MODES:
        return Momenta(
            None, None, ["neither participation factors nor effective masses are in the file: P and H are unknown"]
        )
    return _bounded(shapes, point, summary.center, scales, admissible)


def _moved(H: FloatArray, P: FloatArray, arm: FloatArray) -> FloatArray:
    """H about a point that lies ``-arm`` from the old one: H + arm x P."""
    return np.asarray(H + np.cross(arm, P.T).T)


def second_moment(summary: MassSummary) -> float:
    """tr R = tr J_c / 2, kg m²: the sum of the second moments of mass about the mass center."""
    return max(0.5 * float(np.trace(summary.inertia)), 0.0)


def _scales(summary: MassSummary, modal: FloatArray) -> FloatArray:
    """(6, k) largest momenta that modes of these modal masses can have: P, and H about the mass center."""
    return np.sqrt(np.outer(np.repeat([summary.mass, second_moment(summary)], 3), modal))


def _functions(shapes: BasicShapes, at: FloatArray) -> FloatArray:
    """(6, k, v) weights of P and H about a point."""
    turn = shapes.rotation if shapes.has_rotations else None
    made = participation_functions(shapes.positions - at, shapes.translation, turn)
    return np.concatenate([made["P"], made["H"]])


def _signed(
    sizes: FloatArray,
    shapes: BasicShapes,
    at: FloatArray,
    point: FloatArray,
    scales: FloatArray,
    admissible: NodalMasses | None,
) -> Momenta:
    """Effective masses give |P|, |H|; the sign is that of every admissible distribution, or the value is negligible."""
    if admissible is None:
        return Momenta(None, None, ["effective masses have no sign, and no nodal masses tell it: P and H are unknown"])
    values = np.zeros_like(sizes)
    weights = _functions(shapes, at)
    unknown, dropped = [], 0
    for a, k in np.argwhere(sizes > _DIGITS * scales):
        low, high, _ = admissible.bounds(weights[a, k])
        if low > 0.0 or high < 0.0:
            values[a, k] = sizes[a, k] if low > 0.0 else -sizes[a, k]
        elif sizes[a, k] > SPREAD_LIMIT * scales[a, k]:
            unknown.append(f"{_WORDS[a]} of mode {k + 1}")
        else:
            dropped += 1
    if unknown:
        return Momenta(
            None, None, [f"the sign of {', '.join(unknown[:4])} is not settled by the shapes: P and H are unknown"]
        )
    P = values[:3]
    said = ["P and H have the size of the stated effective masses and the sign that all admissible nodal masses give"]
    if dropped:
        said.append(
            f"{dropped} values of P and H below {100 * SPREAD_LIMIT:g} % of their scale have no settled sign and are set to zero"
        )
    return Momenta(P, _moved(values[3:], P, at - point), said)


def _bounded(
    shapes: BasicShapes, point: FloatArray, center: FloatArray, scales: FloatArray, admissible: NodalMasses
) -> Momenta:
    """Middle of the bounds where all of them are narrow; center: mass center from O."""
    weights = _functions(shapes, point + center)
    values, worst = np.zeros(scales.shape), (0.0, "")
    for a, k in np.ndindex(*scales.shape):
        low, high, _ = admissible.bounds(weights[a, k])
        values[a, k] = 0.5 * (low + high) if np.isfinite(low + high) else 0.0
        half = 0.5 * (high - low) / max(float(scales[a, k]), 1e-300)
        if not half <= worst[0]:
            worst = (half, f"{_WORDS[a]} of mode {k + 1}")
            if not np.isfinite(half) or half > 100.0 * SPREAD_LIMIT:
                break
    if worst[0] > SPREAD_LIMIT:
        return Momenta(
            None, None,
            [
                f"admissible nodal masses leave {worst[1]} open by {100 * worst[0]:.3g} % of its scale "
                f"(limit {100 * SPREAD_LIMIT:g} %)"
            ],
        )  # fmt: skip
    said = (
        f"P and H follow from shapes and mass summary: all admissible nodal masses agree within {100 * worst[0]:.2g} %"
    )
    return Momenta(values[:3], _moved(values[3:], values[:3], center), [said])
