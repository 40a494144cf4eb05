"""What can be read and written, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tisserand.exporters.registry import targets
from tisserand.readers.registry import readable
from tisserand.studies.kinds import KINDS
from tisserand.studies.options import FormatsStudy
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult


@dataclass(frozen=True)
class FormatsResult(TaskResult):
    """One entry per format."""

    task: ClassVar = "formats"

    read: list[dict[str, Any]]
    write: list[dict[str, Any]]

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {"read": self.read, "write": self.write}


@task(FormatsStudy)
def formats(study: FormatsStudy) -> FormatsResult:
    """List the supported input and output formats."""
    return FormatsResult(
        [{"name": f.name, "files": f.files, "gives": f.gives} for f in readable()]
        + [{"name": kind.name, "files": kind.files, "gives": kind.words} for kind in KINDS if kind.name != "case"],
        [{"name": t.name, "for": t.title, "files": t.files} for t in targets()],
    )
