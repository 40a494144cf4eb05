"""docs/reliability.md names a test for every promise; each of them exists and holds tests."""

import ast
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """Cells of the first table under a heading, without its two head lines."""
    part = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def functions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


@pytest.mark.parametrize("row", [*rows("Faults"), *rows("Security")], ids=lambda row: row[0][:40])
def test_every_fault_names_tests_that_exist(row):
    assert len(row) == 3 and all(row), row
    assert named(row[2]), row
    for name in named(row[2]):
        file, _, function = name.partition("::")
        path = ROOT / file if file.startswith("tests/") else ROOT / "tests" / "reliability" / file
        files = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
        assert files and all(f.is_file() and functions_of(f) for f in files), f"{name} does not exist"
        assert not function or function in functions_of(files[0]), f"{name} does not exist"


def test_every_file_of_this_folder_is_named():
    used = set(re.findall(r"`(?:tests/reliability/)?(test_\w+\.py)", PAGE))
    here = {path.name for path in Path(__file__).parent.glob("test_*.py")}
    assert here - used == set()


def test_mutation_testing_knows_modules_and_tests_that_exist():
    """A subject whose tests do not use it scores nothing without a word."""
    subjects = runpy.run_path(str(ROOT / "benchmarks" / "mutation_score.py"))["SUBJECTS"]
    for module, tests in subjects.items():
        assert (ROOT / "src" / "tisserand" / module).is_file(), module
        for test in tests:
            file, _, function = test.partition("::")
            assert functions_of(ROOT / file) and (
                not function or function.partition("[")[0] in functions_of(ROOT / file)
            )
