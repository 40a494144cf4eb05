"""Whatever is done to a vehicle file, its reader gives a declared file or one of our errors, in words of the file."""

import copy
import tomllib

from hypothesis import given, settings
from hypothesis import strategies as st
from studies.test_every_kind import EVERYTHING

from tisserand.declarations import declared
from tisserand.errors import CaseError
from tisserand.multibody.vehicle_file import VehicleFile

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


@settings(max_examples=200, deadline=None)
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
