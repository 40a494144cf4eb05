"""Study files: tables named after tasks, with the options of each as keys, run in the order of the file.

[modes]
model = "wing.bdf"
units = "SI"
count = 20
output = "wing.h5"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, create_model

from tisserand.declarations import Declared, declared, option, read_toml
from tisserand.errors import CaseError, TisserandError
from tisserand.files import place_of
from tisserand.studies.kinds import refuse_other
from tisserand.studies.look import Look
from tisserand.studies.options import STUDIES, StudyFileStudy
from tisserand.studies.study_type import Study, task
from tisserand.studies.tasks import function_of
from tisserand.task_result import TaskResult

#: What a file may ask for: every task that computes something.
TASKS: dict[str, type[Study]] = {
    kind.task: kind for kind in STUDIES if kind.task not in ("demo", "formats", "schema", "study")
}


def _some_tasks(schema: dict[str, Any]) -> None:
    """At least one task; names with a hyphen, as commands have, are also written with an underscore, as functions have."""
    tables = schema["properties"]
    hyphened = [name for name in tables if "-" in name]
    tables |= {name.replace("-", "_"): tables[name] for name in hyphened}
    schema |= {"minProperties": 1, "allOf": [{"not": {"required": [n, n.replace("-", "_")]}} for n in hyphened]}


class _SomeTasks(Declared):
    """A file with at least one task."""

    model_config = ConfigDict(json_schema_extra=_some_tasks)


StudyFile: type[Declared] = create_model(
    "StudyFile",
    __base__=_SomeTasks,
    __doc__="Tasks to run, in the order of the file.",
    **{
        name.replace("-", "_"): (
            kind | Annotated[tuple[kind, ...], Field(min_length=1)] | None,  # type: ignore[valid-type]
            option(None, cleandoc(str(kind.__doc__)), key=name),
        )
        for name, kind in TASKS.items()
    },
)  # type: ignore[call-overload]


@dataclass(frozen=True, eq=False)
class StudyFileResult(TaskResult):
    """The result of every task, in order."""

    task: ClassVar = "study"

    results: tuple[tuple[str, Any], ...]

    @property
    def exit_code(self) -> int:
        return max((int(getattr(result, "exit_code", 0)) for _, result in self.results), default=0)

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(text for _, result in self.results for text in getattr(result, "warnings", ()))

    @property
    def stops(self) -> tuple[str, ...]:
        return tuple(text for _, result in self.results for text in getattr(result, "stops", ()))

    def pictures(self) -> str:
        """The pictures of every task."""
        return "".join(result.pictures() for _, result in self.results)

    def as_dict(self) -> dict[str, Any]:
        """One entry per task with its own JSON object."""
        return {"results": [{"task": name, **result.as_dict()} for name, result in self.results]}


def studies_of(path: str | Path) -> tuple[Study, ...]:
    """The studies of a file, checked, in their order; ``[[modes]]`` states a task several times."""
    data = read_toml(path)
    file = declared(StudyFile, data, path)
    found: list[Study] = []
    for name in data:
        stated = getattr(file, name.replace("-", "_"))
        found += stated if isinstance(stated, tuple) else [stated]
    if not found:
        raise CaseError(
            path, "", "the file states no task", expected=f"a table such as {', '.join(f'[{n}]' for n in TASKS)}"
        )
    return tuple(found)


@task(StudyFileStudy)
def study(study: StudyFileStudy) -> StudyFileResult:
    """Run the tasks of a study file one after the other."""
    refuse_other(Look(study.file), "a study file", "study")
    asked = studies_of(study.file)
    for item in asked:
        _check_outputs(study, item)
    _refuse_one_file_twice(study, asked)
    return StudyFileResult(tuple((item.task, _carried_out(item)) for item in asked))


def _carried_out(item: Study) -> Any:
    """The result of a task; its errors name it."""
    try:
        return function_of(item.task)(item)
    except TisserandError as error:
        error.where = f"[{item.task}]" if error.where is None else f"[{item.task}] {error.where}"
        raise


def _refuse_one_file_twice(study: StudyFileStudy, asked: Sequence[Study]) -> None:
    """Two tasks that write one file: the first result would be lost."""
    taken: dict[Path, str] = {}
    for item in asked:
        for name, path in item.outputs.items():
            key = f"{item.task}.{name}"
            if (other := taken.setdefault(place_of(path), key)) is not key:
                raise CaseError(
                    study.file,
                    key,
                    "is also written by another task",
                    found=f"{path} of {other}",
                    expected="a file of its own",
                )


def _check_outputs(study: StudyFileStudy, item: Study) -> None:
    """Before any work: inputs are protected, and a file's outputs stay in its folder unless ``force``."""
    home = study.file.resolve().parent
    for name, path in item.outputs.items():
        if not study.force and not place_of(path).is_relative_to(home):
            raise CaseError(
                study.file,
                f"{item.task}.{name}",
                "is outside the folder of the file",
                found=str(path),
                expected=f"a name inside {home}",
                advice="use --force if you trust the file",
            )
    item.check_outputs(study.file)
