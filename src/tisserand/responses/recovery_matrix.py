"""Recovery matrices with labeled rows: displacements (DTM), accelerations (ATM) and loads (LTM) of reduced coordinates."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import Literal

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, frozen
from tisserand.errors import InputError

RecoveryKind = Literal["DTM", "ATM", "LTM"]


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class RecoveryMatrix:
    """Rows y = displacement @ q + velocity @ q' + acceleration @ q'' + force @ f of reduced coordinates q and forces f.

    Attributes:
        name: of the group of rows, such as ``interface force`` or ``section root``.
        kind: DTM (displacements), ATM (accelerations) or LTM (loads, stresses).
        labels: (r,) one name per row, unique in the group.
        units: (r,) SI unit of each row.
        displacement: (r, k) factor of q; zeros where there is none.
        acceleration: (r, k) factor of q''; zeros where there is none.
        velocity: (r, k) factor of q' where the structure has dampers of its own, else None.
        force: (r, p) factor of forces along recovered displacements: the static response of modes left out, or what of a force
            the interface does not carry; None without any.
        force_labels: (p,) those displacements by their full labels.
    """

    name: str
    kind: RecoveryKind
    labels: tuple[str, ...]
    units: tuple[str, ...]
    displacement: FloatArray
    acceleration: FloatArray
    velocity: FloatArray | None = None
    _: KW_ONLY
    force: FloatArray | None = None
    force_labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rows = len(self.labels)
        object.__setattr__(self, "displacement", frozen(self.displacement, shape=(rows, -1)))
        object.__setattr__(self, "acceleration", frozen(self.acceleration, shape=self.displacement.shape))
        if self.velocity is not None:
            object.__setattr__(self, "velocity", frozen(self.velocity, shape=self.displacement.shape))
        if self.force is not None:
            object.__setattr__(self, "force", frozen(self.force, shape=(rows, len(self.force_labels))))
        if len(self.units) != rows or len(set(self.labels)) != rows:
            raise InputError(
                "every recovered row needs a label of its own and a unit", where=self.name,
                found=f"{rows} labels ({len(set(self.labels))} different), {len(self.units)} units",
            )  # fmt: skip

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def full_labels(self) -> tuple[str, ...]:
        """Labels with the name of the group."""
        return tuple(f"{self.name}: {label}" for label in self.labels)

    def rows(
        self, displacement: FloatArray, acceleration: FloatArray, velocity: FloatArray | None = None
    ) -> FloatArray:
        """(r, ...) values for motions (k, ...), accelerations (k, ...) and velocities of the reduced coordinates.

        Args:
            displacement: reduced coordinates.
            acceleration: their second derivatives.
            velocity: their first derivatives; None is at rest.
        """
        out = np.zeros((len(self), *np.shape(displacement)[1:]), np.result_type(displacement, acceleration, float))
        for matrix, motion in ((self.displacement, displacement), (self.acceleration, acceleration)):
            if matrix.any():
                out += matrix @ motion
        return out if velocity is None or self.velocity is None else out + self.velocity @ velocity

    def over(self, columns: FloatArray) -> RecoveryMatrix:
        """The same rows over other coordinates p, q = columns @ p.

        Args:
            columns: (k, m).
        """
        rates = None if self.velocity is None else self.velocity @ columns
        return replace(
            self, displacement=self.displacement @ columns, acceleration=self.acceleration @ columns, velocity=rates
        )

    def named(self, name: str) -> RecoveryMatrix:
        """The same rows under another name.

        Args:
            name: of the group.
        """
        return replace(self, name=name)

    def of_part(self, part: str) -> RecoveryMatrix:
        """The same rows as those of a part of a system, with its name before theirs.

        Args:
            part: name of the part.
        """
        labels = tuple(f"{part}: {label}" for label in self.force_labels)
        return replace(self, name=f"{part}: {self.name}", force_labels=labels)

    def __repr__(self) -> str:
        return (
            f"<RecoveryMatrix {self.name!r}: {self.kind}, {self.displacement.shape[0]} x {self.displacement.shape[1]}>"
        )


def displacement_rows(name: str, labels: tuple[str, ...], units: tuple[str, ...], matrix: FloatArray) -> RecoveryMatrix:
    """A DTM: rows that are proportional to the motion."""
    return RecoveryMatrix(name, "DTM", labels, units, matrix, np.zeros_like(matrix))


def acceleration_rows(name: str, labels: tuple[str, ...], units: tuple[str, ...], matrix: FloatArray) -> RecoveryMatrix:
    """An ATM: rows that are proportional to the acceleration."""
    return RecoveryMatrix(name, "ATM", labels, units, np.zeros_like(matrix), matrix)
