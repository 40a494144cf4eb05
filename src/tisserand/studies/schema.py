"""JSON Schemas of the files that people write, from the declarations that check them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tisserand.declarations import json_schema
from tisserand.studies.base import task
from tisserand.studies.options import SchemaStudy
from tisserand.studies.study_file import StudyFile


@dataclass(frozen=True)
class SchemaResult:
    """A JSON Schema (draft 2020-12)."""

    schema: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return self.schema


@task(SchemaStudy)
def schema(study: SchemaStudy) -> SchemaResult:
    """The JSON Schema of case, vehicle or study files, for editors that complete and check them."""
    kinds: dict[str, Any] = {"study": StudyFile}
    title = f"Tisserand {study.of} file"
    return SchemaResult(json_schema(kinds[study.of], title=title))
