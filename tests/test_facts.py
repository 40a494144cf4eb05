"""Limits on the shape of the source: hidden imports, cycles, parameters by position, documentation."""

import importlib.util
from pathlib import Path

import pytest
from support.source_trees import source_trees

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("make_facts", ROOT / "docs" / "make_facts.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def facts(maker):
    trees = {maker.module_name(path): tree for path, tree in source_trees().items()}
    return {name: float(value.removesuffix(" %")) for name, value in maker.facts(trees).items()}


def test_every_cycle_counts_imports_inside_functions(facts):
    assert facts["import cycles, imports inside functions included"] == 0


def test_imports_inside_functions_stay_few(facts):
    assert facts["imports of our own modules inside functions"] < 40


def test_nothing_takes_many_values_by_position(facts):
    assert facts["functions with more than 7 parameters by position, kernels apart"] == 0


def test_what_is_public_is_documented(facts):
    assert facts["docstring coverage (modules, public classes and functions)"] > 85.0


def test_files_stay_small(facts):
    assert facts["median lines of a file"] < 130 and facts["longest file, lines"] <= 420


def test_hidden_imports_and_cycles_are_seen(maker):
    """The counters find what the limits forbid."""
    import ast

    hidden = "def f():\n    from tisserand.b import g\n    import tisserand.b\n    import numpy\n"
    trees = {"tisserand.a": ast.parse(hidden), "tisserand.b": ast.parse("import tisserand.a\n")}
    assert maker.hidden_imports(trees["tisserand.a"], set(trees)) == 2
    assert maker.cycles(maker.import_graph(trees)) == [["tisserand.a", "tisserand.b"]]
    assert maker.by_position(ast.parse("def f(self, a, /, b, *, c): ...").body[0]) == 2


def test_the_page_names_every_fact(maker, facts):
    """The figures move with every change and are renewed by ``python docs/make_facts.py``; the list of facts is fixed."""
    page = maker.PAGE.read_text(encoding="utf-8")
    assert all(f"| {name} |" in page for name in facts)
