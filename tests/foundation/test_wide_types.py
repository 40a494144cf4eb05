"""Wide data is built by keyword: no type takes more than seven values by position."""

import dataclasses
import importlib
import inspect
import pkgutil

import tisserand

MOST = 7
#: Tables that kernels open by position: numba builds named tuples no other way.
TABLES = {"tisserand.multibody.recursive.engine_model.Model", "tisserand.multibody.recursive.workspace.Workspace"}


def _types():
    """Every class that the package defines; kernels define none, and are compiled when they are imported."""
    found = set()
    for item in pkgutil.walk_packages(tisserand.__path__, "tisserand."):
        if item.name.rpartition(".")[2].startswith("_kernels"):
            continue
        module = importlib.import_module(item.name)
        found |= {c for c in vars(module).values() if inspect.isclass(c) and c.__module__ == item.name}
    return found


def _positional(kind: type) -> list[str]:
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind) if field.init and not field.kw_only]
    return list(getattr(kind, "_fields", ())) if issubclass(kind, tuple) else []


def test_no_type_takes_many_values_by_position():
    types = _types()
    assert sum(dataclasses.is_dataclass(kind) for kind in types) > 200
    wide = {f"{kind.__module__}.{kind.__name__}": _positional(kind) for kind in types}
    assert {name: fields for name, fields in wide.items() if len(fields) > MOST and name not in TABLES} == {}


def test_the_test_sees_a_wide_type():
    assert len(_positional(dataclasses.make_dataclass("Wide", "abcdefgh"))) == 8
    assert _positional(dataclasses.make_dataclass("Named", "abcdefgh", kw_only=True)) == []
