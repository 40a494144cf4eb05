"""Compare two appendages: the release gate of a structural model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tisserand.appendage import Comparison, Tolerances, compare, read_tolerances
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.errors import InputError, TooManyModesError
from tisserand.studies.kinds import kind_of
from tisserand.studies.look import Look
from tisserand.studies.options import DiffStudy
from tisserand.studies.source import Source, open_appendage
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult
from tisserand.views.mac import save_mac_picture


@dataclass(frozen=True, eq=False)
class DiffResult(TaskResult):
    """The comparison and what it means for a gate."""

    task: ClassVar = "diff"

    comparison: Comparison

    @property
    def passed(self) -> bool:
        """Whether every difference is within its tolerance."""
        return bool(self.comparison.passed)

    @property
    def exit_code(self) -> int:
        return 0 if self.passed else 1

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return self.comparison.as_dict()  # type: ignore[no-any-return]


def _opened(path: Path, study: DiffStudy) -> Source:
    """A source; the deck goes with result files only, the subcase (CalculiX: the step) with them and with decks."""
    kind = kind_of(Look(path))
    if kind.gives == "supplier":
        return open_appendage(path, units=study.units, deck=study.deck, subcase=study.subcase)
    if kind.name == "abaqus":
        return open_appendage(path, units=study.units, step=study.subcase)
    return open_appendage(path, units=study.units, subcase=study.subcase if kind.name == "nastran" else None)


def _reduced(source: Source, other: Source) -> ReducedAppendage:
    """The record of a source; a deck compared with a result file is solved for as many modes as the file has, and some."""
    if source.structure is None or other.supplier is None:
        return source.reduce()
    wanted = sum(kind != "rigid" for kind in other.supplier.modes.kinds) + 4
    try:
        return source.reduce(count=wanted)
    except TooManyModesError as error:
        return source.reduce(count=error.most)


@task(DiffStudy)
def diff(study: DiffStudy) -> DiffResult:
    """Compare B with the reference A; both may be records, decks or cases."""
    sources = [_opened(path, study) for path in (study.first, study.second)]
    limits = Tolerances() if study.tolerances is None else read_tolerances(study.tolerances)
    if study.deck is not None and not any(source.supplier for source in sources):
        raise InputError("deck: goes with a result file such as OP2 or F06", where=str(study.deck))
    a, b = (_reduced(source, sources[1 - place]) for place, source in enumerate(sources))
    for path, record in ((study.first, a), (study.second, b)):
        told = record.reports.get("supplier", {})
        if told.get("level") == "none" and "verification" in told:
            raise InputError("modes cannot be paired: the results hold no mode shapes", where=str(path),
                             advice="'tisserand modes' with --deck verifies frequencies and mass")  # fmt: skip
        if told.get("level") == "none":
            raise InputError(
                "the result file states no masses to compare", where=str(path), advice="state its deck with --deck"
            )
        if told and not (record.nodes.translation.any() or record.nodes.rotation.any()):
            raise InputError(
                "modes cannot be paired: the results hold no node positions",
                where=str(path),
                advice="state the deck with --deck",
            )
    comparison = compare(a, b, limits)
    if study.picture is not None:
        save_mac_picture(comparison, study.picture)
    return DiffResult(comparison)
