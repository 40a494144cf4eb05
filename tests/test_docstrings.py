"""Every public function, method and class names each of its parameters in its docstring."""

import ast
import inspect
import re
import types

from support.source_trees import SOURCE, documented, source_trees

import tisserand


def _ours(item) -> bool:
    return (getattr(item, "__module__", None) or "").startswith("tisserand")


def _public():
    """(label, object) over the root namespace, its public modules, and the methods that its classes define or inherit."""
    for name in tisserand.__all__:
        found = getattr(tisserand, name)
        if isinstance(found, types.ModuleType):
            for word, item in vars(found).items():
                if inspect.isfunction(item) and not word.startswith("_") and item.__module__ == found.__name__:
                    yield f"{name}.{word}", item
        elif inspect.isclass(found):
            yield name, found
            for word, item in inspect.getmembers(found):
                if not word.startswith("_") and inspect.isroutine(item) and _ours(item):
                    yield f"{name}.{word}", item
        elif inspect.isfunction(found):
            yield name, found


def _lacking(item) -> list[str]:
    text = item.__doc__ or ""
    names = [p for p in inspect.signature(item).parameters if p not in ("self", "cls")]
    return [name for name in names if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]


PUBLIC = dict(_public())


def test_every_parameter_is_described():
    assert [label for label, item in PUBLIC.items() if not (item.__doc__ or "").strip()] == [], "have no docstring"
    assert {label: lacking for label, item in PUBLIC.items() if (lacking := _lacking(item))} == {}


def test_the_test_sees_what_is_missing():
    def known(a, b):
        """Only ``a`` is named here."""

    assert _lacking(known) == ["b"]
    assert len(PUBLIC) > 250


def _breaking_first_lines():
    for path, tree in source_trees().items():
        for node in documented(tree):
            first = (ast.get_docstring(node, clean=False) or ".").strip().splitlines()[0].rstrip()
            if not first.endswith((".", ":", "?")):
                yield f"{path.relative_to(SOURCE)}: {getattr(node, 'name', 'module')}: {first}"


def test_the_first_line_of_a_docstring_is_a_complete_sentence():
    assert list(_breaking_first_lines()) == []
