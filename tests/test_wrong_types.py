"""Every public function, type and method refuses an argument of a wrong type in one sentence that names it."""

from __future__ import annotations

import inspect
import types
from functools import cache
from pathlib import Path

import pytest
from support.each_case import check_each

import tisserand as ts
from tisserand.errors import ArgumentError
from tisserand.studies.tasks import TASKS

TASK_NAMES = {task.replace("-", "_") for task in TASKS}


BOOM = ts.boom(2.0, ts.tube(0.05, 0.001), ts.ALUMINUM, elements=2)
HUB = ts.Vehicle("craft", [ts.Body("hub", 10.0, inertia=[2, 3, 4])])


class Stranger:
    """An object that fits nothing."""


def _members(kind, name):
    """Public methods that take arguments; they are called without an object, which wrong types do not reach."""
    for word in dir(kind):
        found = inspect.getattr_static(kind, word)
        if not word.startswith("_") and (inspect.isfunction(found) or isinstance(found, classmethod | staticmethod)):
            yield f"{name}.{word}", getattr(kind, word)


def _callables():
    """Name -> every public callable: of the root, of the modules at the root, and the methods of public types."""
    found = {}
    for name in ts.__all__:
        item = getattr(ts, name)
        if isinstance(item, types.ModuleType) and name not in TASK_NAMES:
            inside = {f"{name}.{word}": value for word, value in vars(item).items() if not word.startswith("_")}
            found |= {key: v for key, v in inside.items() if getattr(v, "__module__", "") == item.__name__}
        elif callable(item):
            found[name] = item
    for name, item in list(found.items()):
        if isinstance(item, type):
            found |= dict(_members(item, name))
    failures = [name for name, item in found.items() if isinstance(item, type) and issubclass(item, Exception)]
    return {
        name: item for name, item in found.items() if callable(item) and not name.startswith((*failures, "__version__"))
    }


CALLABLES = _callables()


def _cases():
    for name, item in sorted(CALLABLES.items()):
        for parameter in inspect.signature(item).parameters.values():
            loose = parameter.name == "self" or str(parameter.annotation) in ("object", "Any", "Unpack[ReduceOptions]")
            if not loose or (str(parameter.annotation) == "Any" and parameter.kind is not parameter.VAR_KEYWORD):
                yield name, item, parameter


@cache
def record():
    return ts.reduce(ts.solve_modes(ts.assemble(BOOM), count=2))


#: What a run, a joint or a file needs before the options that it checks itself are looked at; simulations are made when needed.
NEEDED = {
    "simulate": {"vehicle": HUB, "duration": 1.0},
    "Simulation": {"vehicle": HUB},
    "Simulation.run": {"self": lambda: ts.Simulation(HUB), "duration": 1.0},
    "Joint": {"name": "drive", "kind": "hinge", "parent": "a", "child": "b", "axes": [[0.0, 0.0, 1.0]]},
    "open": {"path": Path(__file__).parents[1] / "meshes" / "boom.bdf"},
}
#: Arguments that a message calls by another name.
CALLED = {("open", "units"): "unit system"}
#: What comes before arguments of any number.
BEFORE = {"select": record, "nastran_shape": lambda: "BAR"}


def test_a_stranger_is_refused_by_name():
    """Types are checked before anything else, so the other arguments need not be there."""
    cases = list(_cases())
    assert len(cases) > 1500
    check_each(cases, _refuses_a_stranger)


def _refuses_a_stranger(_, function, parameter):
    name = "strange" if parameter.kind is parameter.VAR_KEYWORD else parameter.name
    before = BEFORE.get(function.__name__)
    with pytest.raises(ts.InputError) as caught:
        if parameter.kind is parameter.VAR_POSITIONAL:
            function(*([before()] if before else []), Stranger())
        needed = NEEDED.get(getattr(function, "__qualname__", ""), {})
        made = {word: value() if isinstance(value, types.LambdaType) else value for word, value in needed.items()}
        function(**{**made, name: Stranger()})
    text = str(caught.value)
    assert CALLED.get((function.__name__, name), name) in text and "\n" not in text and len(text) < 1000


@pytest.mark.parametrize("maker", [record, ts.State, lambda: HUB, lambda: BOOM], ids=["record", "state", "hub", "boom"])
def test_changed_copies_know_their_fields(maker):
    item = maker()
    with pytest.raises(ArgumentError, match="unknown argument 'strange'"):
        item.changed(strange=3)
    with pytest.raises(ArgumentError, match=r"name has the wrong type|rates has the wrong type|angular_velocity has"):
        item.changed(**{"angular_velocity" if isinstance(item, ts.State) else "name": Stranger()})


def test_the_pipeline_of_an_open_file_knows_its_options():
    source = ts.open(Path(__file__).parents[1] / "meshes" / "boom.bdf", units="SI")
    for function in (source.modes, source.reduce):
        with pytest.raises(ts.InputError, match=r"cuont.*did you mean 'count'"):
            function(cuont=3)
        with pytest.raises(ts.InputError, match="count"):
            function(count=Stranger())


def test_misspelled_and_missing_arguments_are_named():
    with pytest.raises(ArgumentError, match="Body: unknown argument 'mas'; did you mean 'mass'"):
        ts.Body("hub", mas=3.0)
    with pytest.raises(ArgumentError, match="hinge: unknown argument 'parent_fram'; did you mean 'parent_frame'"):
        ts.hinge("h", "a", "b", [0, 0, 1], parent_fram=None)
    with pytest.raises(ArgumentError, match="Rotor: missing argument 'name'; expected a string"):
        ts.Rotor()
    with pytest.raises(ArgumentError, match="check: too many arguments by position"):
        ts.check("a.bdf", "SI")
    with pytest.raises(TypeError):  # Python's own convention holds, too
        ts.assemble(3)


def test_most_of_the_namespace_is_covered():
    """The walk finds what there is: functions, constructors and methods."""
    assert {"assemble", "Body", "ReducedAppendage.varied", "loads.torque", "Source.reduce"} <= set(CALLABLES)
    assert len(list(_cases())) > 700
