"""Uncertain factors of an appendage and the equations of its modes with them.

With xi = g eta (g participation, s frequency, d damping ratio, m mass; all factors), a mode of modal mass mu obeys
mu xi'' + g² (A a - F u / m) + s (s k xi + d c xi') = 0, and its reaction is m A' xi'': g and s stand twice in Delta, d once, m as
often as the mass has independent directions, and once more per independent load on the modes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from tisserand.appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.responses.fractional import Equations, Rows
from tisserand.responses.uncertain_model import UncertainFactor

MEANINGS = {
    "frequency": "natural frequency; the damping ratio stays",
    "damping": "damping ratio",
    "participation": "coupling of the mode with its base, its loads and its outputs, at the same modal mass",
    "mass": "all mass, rigid and modal; frequencies stay",
}
_SMALL = 1e-9


@dataclass(frozen=True)
class Ranges:
    """Relative half ranges by kind (None: certain) of the first ``modes`` modes, and exceptions by factor name."""

    frequency: float | None = None
    damping: float | None = None
    participation: float | None = None
    mass: float | None = None
    modes: int | None = None
    exceptions: Mapping[str, float] = field(default_factory=dict)


class FactorTable:
    """The factors of a model as they are asked for: number, middle and half range of each."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.found: dict[str, tuple[float, str]] = {}

    def of(self, prefix: str, kind: str) -> tuple[int, float, float] | None:
        """Number, middle and half range of a factor; None where it is certain."""
        name = f"{prefix} {kind}".strip()
        half = self.ranges.exceptions.get(name, getattr(self.ranges, kind))
        if half is None or half == 0.0:
            return None
        if not 0.0 < half < 1.0:
            raise InputError(
                "an uncertain range must be above 0 and below 1", where=name, found=half, expected="such as 0.1"
            )
        self.found.setdefault(name, (half, MEANINGS[kind]))
        return list(self.found).index(name), 1.0, half

    def factors(self, counts: list[int]) -> tuple[UncertainFactor, ...]:
        """All factors with how often each stands in Delta."""
        for name in self.ranges.exceptions:
            if name not in self.found and self.ranges.exceptions[name]:
                raise InputError(
                    "unknown uncertain factor", found=repr(name), expected=", ".join(list(self.found)[:8]) or "none here",
                    advice="name a mode and a kind, such as 'mode 1 frequency'",
                )  # fmt: skip
        counts = [*counts, *([0] * (len(self.found) - len(counts)))]
        return tuple(
            UncertainFactor(name, n, 1.0 - half, 1.0 + half, meaning)
            for n, (name, (half, meaning)) in zip(counts, self.found.items())
        )


def modal_prefix(appendage: str, mode: str) -> str:
    return f"{appendage} {mode}".strip()


def diagonal_row(matrix: FloatArray, k: int, what: str, where: str) -> float:
    """The only term of a row of a modal matrix; refused if the row has others."""
    row = np.abs(matrix[k])
    scale = np.sqrt(np.maximum(np.abs(np.diag(matrix)) * abs(matrix[k, k]), 1e-300))
    if (np.delete(row, k) > _SMALL * np.delete(np.maximum(scale, row[k]), k)).any():
        raise InputError(
            f"the {what} couples this mode with others, so it has no factor of its own", where=where,
            advice="make the record with modes held at its attachment (frame connection) and modal damping",
        )  # fmt: skip
    return float(matrix[k, k])


def modal_spring(eq: Equations, table: FactorTable, prefix: str, k: float, c: float, place: Rows, rate: Rows) -> Rows:
    """s (s k xi + d c xi')."""
    frequency, damping = table.of(prefix, "frequency"), table.of(prefix, "damping") if c else None
    spring, damper = place.times(np.array([[k]])), rate.times(np.array([[c]]))
    if damping is not None:
        damper = eq.times(*damping, damper)
    if frequency is None:
        return spring + damper
    return eq.times(*frequency, eq.times(*frequency, spring) + damper)


def squared(eq: Equations, factor: tuple[int, float, float] | None, rows: Rows) -> Rows:
    """Rows times the square of a factor."""
    return rows if factor is None else eq.times(*factor, eq.times(*factor, rows))


def divided(
    eq: Equations, factor: tuple[int, float, float] | None, force: FloatArray, inputs: Rows, scale: float = 0.0
) -> Rows:
    """Force (k, i) times inputs over a factor, by as few quotients as the loads are independent; scale: of all forces."""
    if factor is None or not force.size:
        return inputs.times(force)
    u, size, vt = np.linalg.svd(force, full_matrices=False)
    rank = int((size > _SMALL * max(size[0], scale)).sum())
    if not rank:
        return inputs.times(force)
    return eq.over(*factor, inputs.times(vt[:rank])).times(u[:, :rank] * size[:rank])


def scaled_reaction(eq: Equations, factor: tuple[int, float, float] | None, matrix: FloatArray, motion: Rows) -> Rows:
    """A factor times matrix @ motion, by as many products as the matrix has rank."""
    if factor is None or not matrix.any():
        return motion.times(matrix)
    u, size, vt = np.linalg.svd(matrix, full_matrices=False)
    rank = int((size > _SMALL * size[0]).sum())
    return eq.times(*factor, motion.times(vt[:rank])).times(u[:, :rank] * size[:rank])


def varied_record(record: ReducedAppendage, table: Mapping[str, float], prefix: str = "") -> ReducedAppendage:
    """The record rebuilt with factors by name, for comparison with the linear fractional form."""

    def every(kind: str) -> FloatArray:
        names = [f"{modal_prefix(prefix, mode)} {kind}" for mode in record.mode_names]
        return np.array([table.get(name, 1.0) for name in names])

    mass = table.get(f"{prefix} mass".strip(), 1.0)
    out = record.varied(frequency_scale=every("frequency"), shape_gain=every("participation"), mass_scale=mass)
    half = np.sqrt(every("damping"))
    return out.changed(damping=half[:, None] * out.damping * half)
