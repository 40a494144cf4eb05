"""Whatever is done to a vehicle file, its reader gives a declared file or one of our errors, in words of the file."""

import copy
import re
import tomllib

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from studies.test_every_kind import EVERYTHING
from support.appendages import random_bodies

from tisserand.appendage import save_record
from tisserand.declarations import declared
from tisserand.declarations.faults import key_of
from tisserand.errors import CaseError, TisserandError
from tisserand.multibody.vehicle_file import VehicleFile
from tisserand.multibody.vehicle_file.whole_file import vehicle_case
from tisserand.studies.schema import schema

VALUES = [
    0, -1, 1.5, 1e308, float("nan"), True, "", "x", [], {}, [1], [1, 2, 3], [1.0, 2.0, 3.0], ["a", 1], [[1]], [{}], 10**18,
    {"kind": "force"}, {"shape": "sine"}, {"a": {"b": 1}}, [{"axis": 1}], [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
]  # fmt: skip
#: What pydantic calls the members of a union; nobody who writes a file knows these words.
FOREIGN = ("tuple[", "union[", "function-", "constrained", "tagged", "Input should")


def paths(data, above=()):
    for word, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield (*above, word)
        if isinstance(value, dict | list):
            yield from paths(value, (*above, word))


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_mutated_vehicles_are_read_or_refused_in_words_of_the_file(draws):
    data = tomllib.loads(EVERYTHING)
    for _ in range(draws.draw(st.integers(1, 3))):
        *above, last = draws.draw(st.sampled_from(list(paths(data))))
        inner = data
        for word in above:
            inner = inner[word]
        action = draws.draw(st.sampled_from(["value", "value", "rename", "drop"]))
        if action == "value" or isinstance(inner, list):
            inner[last] = copy.deepcopy(draws.draw(st.sampled_from(VALUES)))
        elif action == "rename":
            inner[f"{last}z"] = inner.pop(last)
        else:
            del inner[last]
        if not data:
            return
    try:
        declared(VehicleFile, data, "vehicle.toml")
    except CaseError as error:
        sentence = str(error)
        assert sentence.startswith("vehicle.toml: ") and sentence.endswith((".", "?"))
        assert not any(word in sentence for word in FOREIGN), sentence


#: Refused only when tables are put together, or because no mass, tree or table can be like that: no schema can say it.
BEYOND_SCHEMAS = (
    "is not a body|is not a joint|is not a rotor|is not an? (node|interface|appendage|sensor)|unknown (frame|point|body)|"
    "does not exist|is not an axis of|"  # names and numbers of other tables, files
    "inertia|cycle|tree|not on that body|joints form|carried by|base|"  # what can be built
    "is not a range|is not after|as many (values|levels)|wrong shape|wrong length|parallel|row of numbers|zero quaternion|"
    "strictly|is longer than|at rest is less|joint with stiffness|rise of a step|"
    "interface|no body|cannot be computed"  # numbers against each other
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("probes")
    save_record(random_bodies(0), made / "wing.h5")
    (made / "torque.csv").write_text("time,other,torque\n0.0,9,0.1\n0.5,9,0.2\n1.5,9,-0.1\n")
    return made


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.slow), 50])
def test_every_key_is_named_by_its_error_and_the_schema_refuses_what_it_can(folder, every):
    """One odd value at every key in turn: the error begins with that key (or its table); the schema agrees where it can."""
    file, validator = folder / "vehicle.toml", jsonschema.Draft202012Validator(schema("vehicle").schema)
    values = [value for value in VALUES if value == value and value not in (1e308, 10**18)]
    refused = 0
    for number, path in list(enumerate(paths(tomllib.loads(EVERYTHING))))[::every]:
        data = tomllib.loads(EVERYTHING)
        inner = data
        for word in path[:-1]:
            inner = inner[word]
        inner[path[-1]] = copy.deepcopy(values[number % len(values)])
        try:
            vehicle_case(declared(VehicleFile, data, file), file)
        except TisserandError as error:
            refused += 1
            sentence = str(error).removeprefix(f"{file}: ")
            known = validator.is_valid(data)
            assert not known or re.search(BEYOND_SCHEMAS, sentence), (key_of(path), inner[path[-1]], sentence)
            if not re.search(BEYOND_SCHEMAS, sentence):
                assert sentence.startswith((key_of(path), key_of(path[:-1]) + ":")), (key_of(path), sentence)
        else:
            assert validator.is_valid(data), (key_of(path), inner[path[-1]])
    assert refused > 200 // every
