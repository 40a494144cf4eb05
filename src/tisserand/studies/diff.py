"""Compare two appendages: the release gate of a structural model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tisserand.appendage import Comparison, Tolerances, compare, read_tolerances
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.errors import InputError, TooManyModesError
from tisserand.studies.kinds import Kind, kind_of
from tisserand.studies.look import Look
from tisserand.studies.options import DiffStudy
from tisserand.studies.source import CHOICES, PROGRAMS, Source, open_appendage
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


#: Kinds of files that state their own units.
_OWN_UNITS = ("record", "sid", "case")


def _concerning(kind: Kind, study: DiffStudy) -> dict[str, Any]:
    """The options on reading that concern a file of this kind; a subcase of Nastran is a step of CalculiX."""
    results = kind.gives == "supplier"
    takes = {"units"} if kind.name not in _OWN_UNITS else set()
    takes |= {"deck"} if results or kind.name == "matrices" else set()
    takes |= {"allow"} if kind.gives in ("structure", "mesh") or (results and study.deck is not None) else set()
    takes |= {"spc", "flavor"} if results and study.deck is not None else {*CHOICES.get(kind.name, ())[1:]}
    if study.flavor not in PROGRAMS.get(kind.name, (study.flavor,)):
        takes -= {"flavor"}
    found = {name: value for name in takes if (value := getattr(study, name))}
    solution = study.subcase or study.step
    if solution is not None and (results or kind.name in CHOICES):
        found["subcase" if results else CHOICES[kind.name][0]] = solution
    return found


def _opened(study: DiffStudy) -> list[Source]:
    """Both sources, each read with the options that concern it; an option that concerns neither is refused."""
    sources, used = [], set[str]()
    for path in (study.first, study.second):
        look = Look(path)
        forced = {"format": study.format} if study.format and look.shows_nothing and look.table is None else {}
        options = _concerning(kind_of(look, study.format if forced else None), study) | forced
        used |= options.keys()
        sources.append(open_appendage(path, **options))
    used |= {"subcase", "step"} if used & {"subcase", "step"} else set()
    for name in ("units", "allow", "deck", "format", *study.choices):
        if getattr(study, name) and name not in used:
            found = " and ".join(f"a {source.kind} file" for source in sources)
            raise InputError(f"{name}: concerns neither of the two files", found=found, advice="leave it out")
    return sources


def _reduced(source: Source, other: Source, study: DiffStudy) -> ReducedAppendage:
    """The record of a source; a deck compared with a result file is solved for as many modes as the file has, and some."""
    if source.structure is None and source.matrices is None:
        return source.reduce()
    options = study.solved
    if other.supplier is None or {"count", "fmax"} & set(options):
        return source.reduce(**options)
    wanted = sum(kind != "rigid" for kind in other.supplier.modes.kinds) + 4
    try:
        return source.reduce(**{**options, "count": wanted})
    except TooManyModesError as error:
        return source.reduce(**{**options, "count": error.most})


@task(DiffStudy)
def diff(study: DiffStudy) -> DiffResult:
    """Compare B with the reference A; both may be records, decks or cases."""
    sources = _opened(study)
    if study.solved and all(source.record or source.supplier for source in sources):
        word = next(iter(study.solved))
        raise InputError(f"{word}: has no effect, because the modes of both files are fixed", advice="leave it out")
    limits = Tolerances() if study.tolerances is None else read_tolerances(study.tolerances)
    a, b = (_reduced(source, sources[1 - place], study) for place, source in enumerate(sources))
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
