"""The JSON Schema of study files and the reader accept the same values, for every option of every task."""

from __future__ import annotations

from typing import get_args

import jsonschema
import pytest

from tisserand.declarations import declared, options
from tisserand.declarations.number_range import LEAST, MOST
from tisserand.errors import InputError
from tisserand.exporters.registry import targets
from tisserand.readers.registry import FORMATS
from tisserand.readers.supplier.registry import RESULT_FORMATS
from tisserand.studies.kinds import KINDS
from tisserand.studies.options import Format, Target
from tisserand.studies.schema import schema
from tisserand.studies.study_file import TASKS, StudyFile, studies_of

RULES = schema("study").schema
#: Values as a file may hold them: of every type, in and out of range, as people write them.
POOL = [
    True, False, -1, 0, 1, 2, 7, 400, 1025, 2_000_000, -0.5, 0.0, 2.0, 0.003, 0.5, 1.5, 12.25, 1e300,
    "", "a", " ", "wing.h5", "SI", "node:12", "12", "tip", "0.5", "0,0,1", "1,2", "0, 0, 1", "0:1:2", "0:10:21", "0:1:0",
    "0:1:1000000", "0:1:1000001", "0:1", "a:b:c", "1e-3:.5:3", "1,,2", "1_0,2", "nan", "inf,1",
    "tip=4021", "tip=", "=1", "tip=mid", "a.b=0:1:2", "a+b=1,2", "a.b=normal:1:2", "a = uniform:1:2 ", "a.b=gamma:1:2",
    "normal:1:2", "normal:1", "gamma:1:2", "consistent", "Consistent", " LUMPED ", "lumpd", "clamped", "free", "attachment",
    "displacement", "energy", "milne", "Milne", "node:", "node:tip", "node:1:2",
    "NODE:17", " Node : 17 ", "node: ", "node:-1", "foo", "si", " MM-t-s", "0.001,1000,1", "1,-1,1",
    "0,1,1", ".0,1,1", "0.0,1,1", "1e-3,+.5,010", "1,1", "sid", "42", "nastran", "F06", "frd ",
    [], [1], [1.0, 2.0, 3.0], [0, 0, 1], [0.0, 1.0], ["a"], ["a", "b"], [""], ["milne", "buckens"], ["MILNE"], ["nobody"],
    ["tip=4021", "mid=7"], ["a.b=0:1:2"], ["a.b=1,2", "c=3"], ["a.b=normal:1:2"], ["a.b=true"], ["tip"], [["a"]], [True],
    {}, {"a": 1}, {"a": "7"}, {"a": "x"}, {"a": 1.5}, {"a": [1, 2.5]}, {"a": "0:1:2"}, {"a": "normal:1:2"}, {"a": True}, {"": 1},
]  # fmt: skip
#: Values of mandatory options, and of those that another option is compared with.
NEEDED = {"environment": "sine", "direction": "z", "damping": 0.02}
NEEDED |= {"axis": [0, 0, 1], "rates": [0.0, 1.0], "over": {"a": [1.0]}, "vary": {"a": "normal:1:2"}, "to": "sid"}


def _stated(kind) -> dict[str, object]:
    return {item.name: NEEDED.get(item.name, "file") for item in options(kind) if item.mandatory}


def _beyond_arithmetic(value) -> bool:
    """Magnitudes that overflow in products are refused by the reader alone; the schema states what values mean."""
    return isinstance(value, float) and value != 0.0 and not LEAST <= abs(value) <= MOST


#: Rules that compare options or items with each other, which a schema cannot state.
COMPARED = {
    ("campbell", "axis"): lambda value: value in ([0, 0, 0], "0,0,0"),
    ("response", "fmin"): lambda value: isinstance(value, int | float) and value >= 10.0,
    ("response", "fmax"): lambda value: isinstance(value, int | float) and value <= 0.01,
}


def _declared_by(kind, name: str) -> type:
    """The study type that declares an option: several tasks inherit the same declaration."""
    return next(base for base in kind.__mro__ if name in vars(base).get("__annotations__", {}))


def _asked_here(kind, name: str) -> bool:
    """A declaration that several tasks share is asked with the first of them."""
    owner = _declared_by(kind, name)
    return next(k for k in TASKS.values() if owner in k.__mro__ and _declared_by(k, name) is owner) is kind


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.slow), 9])
@pytest.mark.parametrize("kind", TASKS.values(), ids=lambda kind: kind.task)
def test_reader_and_schema_accept_the_same_values(kind, every):
    """Every value at every option; the quick suite takes every ninth value, another ninth at each option in turn."""
    rules = {**RULES["$defs"][kind.__name__], "$defs": RULES["$defs"]}
    validator = jsonschema.Draft202012Validator(rules)
    accepted, differing = 0, []
    asked = [item for item in options(kind) if _asked_here(kind, item.name) or (kind.task, item.name) in COMPARED]
    for number, item in enumerate(asked):
        for value in POOL[number % every :: every]:
            table = {**_stated(kind), item.name: value}
            try:
                declared(StudyFile, {kind.task: table}, "study.toml")
                read = True
            except InputError:
                read = False
            compared = COMPARED.get((kind.task, item.name), lambda value: False)
            if _beyond_arithmetic(value) or compared(value):
                continue
            accepted += read
            if read != validator.is_valid(table):
                differing.append((item.name, value, "reader" if read else "schema"))
    assert not differing, f"accepted by one only: {differing}"
    assert accepted >= len(asked) // every


@pytest.mark.parametrize("data", [{}, {"modes": []}, {"modes": [{"model": "a"}]}, {"modes": {"model": "a"}}])
def test_a_file_states_some_task(data, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(
        "".join(f"{name} = {str(value).replace(chr(39) + ': ', chr(39) + ' = ')}\n" for name, value in data.items())
    )
    try:
        read = len(studies_of(path)) > 0
    except InputError:
        read = False
    assert read == jsonschema.Draft202012Validator(RULES).is_valid(data)


def test_names_of_formats_and_targets_are_those_of_the_registries():
    kinds = {kind.name for kind in KINDS} | {entry.name for entry in (*FORMATS, *RESULT_FORMATS)}
    assert set(get_args(Format)) == kinds
    assert get_args(Target) == tuple(target.name for target in targets())
