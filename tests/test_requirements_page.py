"""The page of requirements is held to its evidence: the tests it names are collected, the modules it names exist."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "requirements.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")
]
ROWS = [row for row in ROWS if not set(row[0]) <= {"-"} and row[0] not in ("id", "promise")]
NODE = re.compile(r"`([\w/]+\.py::\w+)`")


def test_every_essential_and_natural_requirement_has_its_row():
    counts = {
        "A": 13,
        "B": 11,
        "C": 10,
        "D": 3,
        "E": 3,
        "F": 9,
        "G": 3,
        "H": 2,
        "I": 3,
        "J": 1,
        "K": 1,
        "M": 5,
        "N": 4,
        "O": 2,
        "P": 2,
    }
    wanted = {f"{letter}{i}" for letter, count in counts.items() for i in range(1, count + 1)}
    ids = {word for row in ROWS if len(row) == 5 for word in re.split(r",\s*", row[0])}
    assert ids == wanted


def test_every_row_names_a_test_as_evidence():
    for row in ROWS:
        assert NODE.search(row[-1]), f"{row[0]} names no test"
        assert not NODE.search(" ".join(row[:-1])), f"{row[0]} names a test outside its evidence"


def test_the_evidence_exists():
    """Every test that is named is a function of its file (or of a class there) whose name pytest collects."""
    named = {word for row in ROWS for word in NODE.findall(row[-1])}
    assert len(named) > 80
    for file in {word.partition("::")[0] for word in named}:
        path = ROOT / "tests" / file
        assert path.exists() and path.name.startswith("test_"), file
        tree = ast.parse(path.read_text(encoding="utf-8"))
        tests = {
            node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        }
        missing = {word for word in named if word.partition("::")[0] == file and word.partition("::")[2] not in tests}
        assert not missing, missing


def test_modules_that_are_named_exist():
    seen = 0
    for row in ROWS:
        for word in re.findall(r"`([a-z_/]+(?:\.py)?)`", row[-2]):
            assert any((place / word).exists() for place in (ROOT / "src" / "tisserand", ROOT)), (row[0], word)
            seen += 1
    assert seen > 80


def test_every_row_says_how_far_it_is_met():
    for row in ROWS:
        state = row[-3]
        assert re.match(r"(met|partly|otherwise)\b", state), row
        if not state.startswith("met"):
            assert re.match(r"(partly|otherwise): \w", state), f"{row[0]} does not say what is missing"
