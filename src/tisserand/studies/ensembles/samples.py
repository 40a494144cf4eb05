"""Samples of a study and the results that hold them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.notebook_html import curves
from tisserand.statistics.summary import Statistics
from tisserand.task_result import TaskResult

#: Samples that a warning names at most.
NAMED = 20


@dataclass(frozen=True)
class Sample:
    """One configuration: its values, its results or the reason why there are none, and its number in the study, from 1."""

    values: dict[str, float]
    result: dict[str, Any] | None
    failure: str | None = None
    number: int = 0


@dataclass(frozen=True)
class ModeCrossing:
    """Modes (numbers from 1) that cross at a value of the swept key and a frequency, Hz; likeness: least MAC across the step.

    others: values of the other keys.
    """

    modes: tuple[int, int]
    value: float
    hz: float
    likeness: float
    others: dict[str, float]


@dataclass(frozen=True)
class SweepResult(TaskResult):
    """All samples in order. crossings: of modes that are numbered by shape, from 1, with the values of the other keys."""

    task: ClassVar = "sweep"

    keys: tuple[str, ...]
    samples: tuple[Sample, ...]
    paths: tuple[Path, ...] = ()
    crossings: tuple[ModeCrossing, ...] = ()

    @property
    def failures(self) -> int:
        return sum(sample.failure is not None for sample in self.samples)

    @property
    def unbalanced(self) -> tuple[int, ...]:
        """Numbers, from 1, of the simulated samples whose energy or momentum does not balance."""
        found = enumerate(self.samples, start=1)
        return tuple(n for n, s in found if s.result and not s.result.get("balance", {"held": True})["held"])

    @property
    def came_to_nothing(self) -> bool:
        """Whether every sample failed or does not balance."""
        return self.failures + len(self.unbalanced) == len(self.samples)

    @property
    def exit_code(self) -> int:
        return 1 if self.came_to_nothing else 0

    @property
    def stops(self) -> tuple[str, ...]:
        """The first reason, where every sample failed."""
        if not self.samples or self.failures < len(self.samples):
            return ()
        return (f"every sample failed, the first one: {str(self.samples[0].failure).rstrip('.')}",)

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence where samples carry doubts, with the first of them; one that names the samples that do not balance."""
        if self.unbalanced:
            named = ", ".join(map(str, self.unbalanced[:NAMED])) + (", ..." if len(self.unbalanced) > NAMED else "")
            return (f"{len(self.unbalanced)} of {len(self.samples)} samples do not balance: {named}",)
        doubtful = [s for s in self.samples if s.result is not None and s.result["warnings"]]
        if not doubtful or "frequencies_hz" not in (doubtful[0].result or {}):
            return ()
        values = ", ".join(f"{key} = {value:.6g}" for key, value in doubtful[0].values.items())
        first = (doubtful[0].result or {})["warnings"][0]
        return (f"{len(doubtful)} of {len(self.samples)} samples, first {values}: {first}",)

    def pictures(self) -> str:
        """The lowest frequencies over the first key, and the plot if one was written."""
        sound = [s for s in self.samples if s.result]
        most = min((len(s.result.get("frequencies_hz", ())) for s in sound if s.result), default=0)
        if len(sound) < 2 or not most:
            return super().pictures()
        values = [
            [s.values[self.keys[0]], *(np.nan if f is None else f for f in s.result["frequencies_hz"][:most])]
            for s in sound
            if s.result
        ]
        table = np.array(sorted(values))[:, : 1 + min(most, 6)]
        names = [f"mode {i + 1} Hz" for i in range(table.shape[1] - 1)]
        return curves(table[:, 0], table[:, 1:], names) + super().pictures()

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {
            "keys": list(self.keys),
            "samples": [{"values": s.values, "result": s.result, "failure": s.failure} for s in self.samples],
            "failures": self.failures,
            "unbalanced": list(self.unbalanced),
            "crossings": [asdict(one) for one in self.crossings],
            "paths": [str(path) for path in self.paths],
        }


@dataclass(frozen=True)
class MonteCarloResult(SweepResult):
    """All runs in order. redrawn: draws that violated a requirement and were replaced; statistics: None for parts and corners."""

    task: ClassVar = "montecarlo"

    redrawn: int = 0
    statistics: Statistics | None = None

    @property
    def incomplete(self) -> int:
        """Runs that ended early; they are in no statistic, as those that failed."""
        return sum(s.result is not None and not s.result["complete"] for s in self.samples)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of the samples, how many of them are in no statistic, and what the statistics do not hold for."""
        if self.statistics is None:
            return super().warnings
        lost, count = self.failures + self.incomplete, len(self.samples)
        said = [f"{lost} of {count} runs failed or ended early and are in no statistic"] if 0 < lost < count else []
        return (*super().warnings, *said, *self.statistics.doubts)

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        told = None if self.statistics is None else self.statistics.as_dict()
        return {**super().as_dict(), "redrawn": self.redrawn, "statistics": told}

    def pictures(self) -> str:
        """Peaks have no order to be drawn in."""
        return ""
