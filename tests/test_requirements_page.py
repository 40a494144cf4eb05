"""The page of requirements names modules and tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "requirements.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("|")
]
ROWS = [row for row in ROWS if not set(row[0]) <= {"-"} and row[0] not in ("id", "promise")]
PLACES = [
    ROOT,
    ROOT / "tests",
    ROOT / "tests" / "multibody",
    ROOT / "src" / "tisserand",
    ROOT / "src" / "tisserand" / "multibody",
]


def found(name: str, near: str = "") -> Path | None:
    """A file or folder named from the root, the tests or the package, or beside the one named before it."""
    options = [place / name for place in PLACES] + ([Path(near).parent / name] if near else [])
    return next((path for path in options if path.exists()), None)


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


def test_files_and_tests_that_are_named_exist():
    seen = 0
    for row in ROWS:
        near = ""
        for word in re.findall(r"`([\w/.]+\.(?:py|md)(?:::\w+)?|tests/\w+)`", " ".join(row[1:])):
            name, _, inside = word.partition("::")
            path = found(name, near)
            assert path is not None, (row[0], word)
            near = str(path)
            seen += 1
            if inside:
                assert re.search(rf"^def {inside}\b", path.read_text(), re.M), (row[0], word)
    assert seen > 100


def test_every_row_says_its_state():
    for row in ROWS:
        assert row[-1].startswith(("done", "partly")), row
        if row[-1].startswith("partly"):
            assert ":" in row[-1], f"{row[0]} does not say what is missing"
