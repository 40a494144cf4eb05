"""What docs/make_reference.py writes is current, and its JSON Schemas accept every file that the project ships."""

import json
import runpy
import tomllib
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from support.case_files import PLATE

from tisserand.multibody.vehicle_file import VehicleFile
from tisserand.readers.case import CaseFile
from tisserand.studies.schema import TYPES, schema

ROOT = Path(__file__).parents[2]
FILES = sorted({*ROOT.glob("examples/**/*.toml"), *ROOT.glob("meshes/**/*.toml"), *ROOT.glob("benchmarks/**/*.toml")})


@cache
def rules_of(kind: str) -> jsonschema.Draft202012Validator:
    """Of a schema that ``test_schemas_are_valid_schemas`` checks, once."""
    return jsonschema.Draft202012Validator(schema(kind).schema)


def kind_of(data: dict) -> str | None:
    return "vehicle" if "bodies" in data else "case" if "mesh" in data else None


def test_generated_files_are_current():
    for path, text in runpy.run_path(str(ROOT / "docs" / "make_reference.py"))["generated"]().items():
        assert path.read_text() == text, f"{path} is not current: run python docs/make_reference.py"


@pytest.mark.parametrize("kind", TYPES)
def test_schemas_are_valid_schemas(kind):
    jsonschema.Draft202012Validator.check_schema(rules_of(kind).schema)


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_shipped_files_pass_their_schema(path):
    data = tomllib.loads(path.read_text())
    kind = kind_of(data)
    if kind is None:
        pytest.skip("neither a case nor a vehicle file")
    rules_of(kind).validate(data)


@pytest.mark.parametrize("page", ["case-files.md", "vehicle-files.md"], ids=["case-files", "vehicle-files"])
def test_the_examples_of_the_pages_pass_their_schema(page):
    example = (ROOT / "docs" / page).read_text().split("```toml\n")[1].split("```")[0]
    data = tomllib.loads(example)
    rules_of(kind_of(data)).validate(data)


def test_the_schema_refuses_what_the_reader_refuses():
    data, rules = tomllib.loads(PLATE), rules_of("case")
    rules.validate(data)
    for path, value in (
        (("materials", "aluminum", "young"), -1.0),
        (("materials", "aluminum", "yung"), 1.0),
        (("analysis", "count"), 0),
        (("sections", "skin", "kind"), "shel"),
        (("masses", "tip", "at"), [1.0, 2.0]),
    ):
        bad = json.loads(json.dumps(data))
        inner = bad
        for word in path[:-1]:
            inner = inner[word]
        inner[path[-1]] = value
        with pytest.raises(jsonschema.ValidationError):
            rules.validate(bad)


def test_every_option_of_the_files_has_a_meaning():
    def types(kind, seen):
        from tisserand.declarations.introspection import options
        from tisserand.declarations.option_tables import _tables

        for item in options(kind):
            assert item.meaning, (kind, item.name)
            for member in _tables(item, ()):
                if member not in seen:
                    seen.add(member)
                    assert member.__doc__, member
                    types(member, seen)
        return seen

    assert len(types(VehicleFile, set())) > 40 and len(types(CaseFile, set())) > 20
