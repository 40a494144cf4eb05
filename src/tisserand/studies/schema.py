"""JSON Schemas of the files that people write, from the declarations that check them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from tisserand.declarations import Declared, json_schema
from tisserand.studies.options import SchemaStudy
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult

#: Kind of file -> the module and name of its declared type.
TYPES = {
    "case": ("tisserand.readers.case.case_file", "CaseFile"),
    "vehicle": ("tisserand.multibody.vehicle_file", "VehicleFile"),
    "modes": ("tisserand.readers.given_modes", "GivenModes"),
    "jitter": ("tisserand.responses.jitter_file", "JitterFile"),
    "profile": ("tisserand.responses.acceptance", "Profile"),
    "study": ("tisserand.studies.study_file", "StudyFile"),
}


@dataclass(frozen=True)
class SchemaResult(TaskResult):
    """A JSON Schema (draft 2020-12)."""

    task: ClassVar = "schema"

    schema: dict[str, Any]

    def __repr__(self) -> str:
        return f"<JSON Schema of {self.schema.get('title', 'a file')}>"

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return self.schema


def declared_type(kind: str) -> type[Declared]:
    """The declared type of a kind of file."""
    module, name = TYPES[kind]
    found: type[Declared] = getattr(import_module(module), name)
    return found


@task(SchemaStudy)
def schema(study: SchemaStudy) -> SchemaResult:
    """The JSON Schema of case, vehicle, modes, jitter, profile or study files, for editors that complete and check them."""
    return SchemaResult({**json_schema(declared_type(study.of)), "title": f"Tisserand {study.of} file"})
