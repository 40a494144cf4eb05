"""Recovered rows over modal coordinates, and the dampers of a delivered model: what every response needs of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.recovery_matrix import RecoveryMatrix

#: Forces of dampers in a rigid motion above this part of those inside come from dampers on the ground.
_GROUNDED = 1e-6


@dataclass(frozen=True, eq=False)
class ChosenRows:
    """Rows (r, k) of displacements, velocities (None without any) and accelerations of a model's coordinates."""

    displacement: FloatArray
    velocity: FloatArray | None
    acceleration: FloatArray
    labels: tuple[str, ...]
    units: tuple[str, ...]
    items: tuple[RecoveryMatrix, ...] = ()

    def per_force(self, label: str) -> FloatArray:
        """(r,) direct response to a unit force along a recovered displacement; zeros where none is known."""
        found = []
        for item in self.items:
            known = item.force is not None and label in item.force_labels
            found.append(item.force[:, item.force_labels.index(label)] if known else np.zeros(len(item)))  # type: ignore[index]
        return np.concatenate(found)


def chosen_rows(model: DeliveredModel, names: Sequence[str] = ()) -> ChosenRows:
    """The rows of the recovery matrices of these names, or of all."""
    chosen = [model.recovery(name) for name in names] if names else list(model.recoveries)
    if not chosen:
        raise InputError("the model recovers nothing", where=model.name, advice="reduce it with --nodes or --sections")
    rates = None
    if any(item.velocity is not None for item in chosen):
        rates = np.vstack([np.zeros_like(i.displacement) if i.velocity is None else i.velocity for i in chosen])
    return ChosenRows(
        np.vstack([item.displacement for item in chosen]), rates, np.vstack([item.acceleration for item in chosen]),
        tuple(label for item in chosen for label in item.full_labels), tuple(u for item in chosen for u in item.units),
        tuple(chosen),
    )  # fmt: skip


def require_free_dampers(model: DeliveredModel, damping: FloatArray, what: str) -> None:
    """Refuse dampers (k, k) that resist a rigid motion: they stand on the ground."""
    inside = float((np.abs(damping) @ np.abs(model.rigid)).max(initial=0.0))
    if np.abs(damping @ model.rigid).max(initial=0.0) > _GROUNDED * inside:
        raise InputError(what, where=model.name, expected="dampers between parts of the structure")
