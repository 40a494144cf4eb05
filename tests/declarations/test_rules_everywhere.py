"""Every declared rule between options is kept by the program and by the JSON Schema, for every table of every kind of file.

The tables are generated: of each rule one that breaks it and is right in every other way, which the schema without its rules
accepts.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from support.declared_tables import tables

from tisserand.declarations import declared, options, rules
from tisserand.declarations.base import Table
from tisserand.errors import InputError
from tisserand.studies.kinds import is_study
from tisserand.studies.look import Look
from tisserand.studies.schema import TYPES, declared_type, schema
from tisserand.studies.study_file import StudyFile, studies_of

ROOT = Path(__file__).parents[2]
EYE = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
#: Values of which an option takes the first that it accepts.
POOL: list[Any] = [
    True, 2, 0.5, 1.5, "3/40", "normal:1:2", "20:0.1,80:0.4", "a", "SI", "123", [0.25, 0.5], [0.0, 0.0, 1.0], [1, 2], EYE,
    EYE[:2], [[0.1, 0.2]] * 2, [[0.1, 0.2]] * 3, {"a": 1.0}, {"a": "0:1:2"}, {"a": "1,2"}, {"a": "normal:1:2"}, ["a"],
    ["a", "b"], {"low": [0.0, 0.0, 0.0], "high": [1.0, 1.0, 1.0]}, {"axis": "x", "value": 0.5}, {"semi_major_axis": 7e6},
    [{"material": "a", "thickness": 0.5}], [{"shape": "constant", "value": 1.0, "axis": 1}], [{"frequency_hz": 1.0}],
    {"axis": [0.0, 0.0, 1.0], "rate": 0.1}, {"a": {"mass": 1.0, "inertia": [1.0, 1.0, 1.0]}}, {"duration": 1.0},
    {"kind": "rotor_torque", "rotor": "a"},
]  # fmt: skip
#: How a refusal by a rule is worded.
REFUSED = "excludes|needs|has no effect|makes no sense|is missing"


def found_rules(kind: str) -> list[tuple[type[Table], rules.Rule]]:
    """Every rule of every table of a kind of file."""
    made = []
    for table in tables(declared_type(kind)):
        for check in table.__pydantic_decorators__.model_validators.values():
            made += [(table, rule) for rule in getattr(check.func, "rules", ())]
    return made


@cache
def definitions(kind: str) -> dict[str, Any]:
    return schema(kind).schema


def validator(kind: str, table: type[Table], ruled: bool) -> jsonschema.Draft202012Validator:
    """Of one table, with or without its rules."""
    whole = definitions(kind)
    own = whole if table is declared_type(kind) else {**whole["$defs"][table.__name__], "$defs": whole["$defs"]}
    return jsonschema.Draft202012Validator(own if ruled else {k: v for k, v in own.items() if k != "allOf"})


def value_of(kind: str, table: type[Table], name: str) -> Any:
    """Something that the option accepts; no value of the pool is an empty list or table, or a flag that is left as it is."""
    whole = definitions(kind)
    own = whole if table is declared_type(kind) else whole["$defs"][table.__name__]
    key = table.model_fields[name].alias or name
    rule = jsonschema.Draft202012Validator({**own["properties"][key], "$defs": whole["$defs"]})
    words = re.findall(r'"enum": \["([^"]+)"', str(own["properties"][key]).replace("'", '"'))
    pool = [*POOL, *words, *([w] for w in words)]
    return next(value for value in pool if rule.is_valid(value))


def broken(rule: rules.Rule, table: type[Table]) -> list[tuple[dict[str, Any], tuple[str, ...]]]:
    """Choices and options to state, and to leave out, that break a rule."""
    if isinstance(rule, rules.OneOf):
        return [({}, pair) for pair in zip(rule.names, rule.names[1:])]
    if isinstance(rule, rules.Excludes):
        return [({}, (rule.name, other)) for other in rule.others]
    if isinstance(rule, rules.Needs | rules.NeedsSome):
        return [({}, (rule.name,))]
    if isinstance(rule, rules.Applies):
        others = [word for word in choices(table, rule.by) if word not in rule.words]
        return [({rule.by: others[0]}, (name,)) for name in rule.names]
    if isinstance(rule, rules.When):
        made = [({rule.name: rule.words[0]}, (name,)) for name in rule.senseless]
        return [*made, *(({rule.name: rule.words[0], **c}, n) for inner in rule.then for c, n in broken(inner, table))]
    return []


def choices(table: type[Table], name: str) -> tuple[str, ...]:
    return next(item.choices for item in options(table) if item.attribute == name)


CASES = [
    (kind, table, choice, names)
    for kind in TYPES
    for table, rule in found_rules(kind)
    for choice, names in broken(rule, table)
]


@pytest.mark.parametrize("kind", TYPES)
def test_what_breaks_a_rule_is_refused_by_the_program_and_by_the_schema(kind):
    wrong, asked = [], 0
    for _, table, choice, names in (case for case in CASES if case[0] == kind):
        mandatory = [name for name, field in table.model_fields.items() if field.is_required()]
        data = {
            (table.model_fields[name].alias or name): choice.get(name, value_of(kind, table, name))
            for name in dict.fromkeys((*mandatory, *choice, *names))
            if name not in choice or choice[name] is not None
        }
        asked += 1
        if not validator(kind, table, ruled=False).is_valid(data):
            wrong.append((table.__name__, data, "is no table even without rules"))
        if validator(kind, table, ruled=True).is_valid(data):
            wrong.append((table.__name__, data, "accepted by the schema"))
        try:
            declared(table, data, "file.toml")
            wrong.append((table.__name__, data, "accepted by the program"))
        except InputError as error:
            texts = " ".join(str(item) for item in (error, *error.others))
            if not re.search(REFUSED, texts):
                wrong.append((table.__name__, data, texts))
    assert not wrong, wrong
    assert asked or kind in ("modes", "jitter", "profile"), "no rule was found"


def blocks() -> list[tuple[str, str]]:
    """Every TOML block of every page that states a whole file."""
    made = []
    for page in sorted((*ROOT.glob("docs/**/*.md"), ROOT / "README.md")):
        for number, block in enumerate(page.read_text().split("```toml\n")[1:]):
            made.append((f"{page.stem} {number + 1}", block.split("```")[0]))
    return made


#: What tells files apart that are not studies: a table that each has.
SIGNS = {"bodies": "vehicle", "mesh": "case", "frequencies_hz": "modes", "sights": "jitter", "criteria": "profile"}


def kind_of(text: str, folder: Path) -> str | None:
    """What a file is, by its content."""
    (folder / "file.toml").write_text(text)
    if is_study(Look(folder / "file.toml")):
        return "study"
    return next((SIGNS[word] for word in tomllib.loads(text) if word in SIGNS), None)


def test_every_file_on_a_page_passes_its_schema(tmp_path):
    seen = []
    for name, text in blocks():
        kind = kind_of(text, tmp_path)
        if kind is not None:
            seen.append(kind)
            found = [
                error.message
                for error in jsonschema.Draft202012Validator(definitions(kind)).iter_errors(tomllib.loads(text))
            ]
            assert not found, f"{name}: {found}"
    assert {"vehicle", "case", "study"} <= set(seen), seen


@pytest.mark.parametrize("name", ["base-drive", "base_drive"])
def test_tasks_are_named_as_commands_or_as_functions(name, tmp_path):
    table = {"model": "a.h5", "environment": "sine", "direction": "x", "damping": 0.01, "spectrum": "20:1,80:1"}
    rule = jsonschema.Draft202012Validator(definitions("study"))
    assert rule.is_valid({name: table}) and declared(StudyFile, {name: table}, "s.toml")
    (tmp_path / "s.toml").write_text(f"[{name}]\n" + "".join(f"{k} = {v!r}\n" for k, v in table.items()))
    assert studies_of(tmp_path / "s.toml")[0].task == "base-drive" and is_study(Look(tmp_path / "s.toml"))
    both = {"base-drive": table, "base_drive": table}
    assert not rule.is_valid(both)
    with pytest.raises(InputError):
        declared(StudyFile, both, "s.toml")
