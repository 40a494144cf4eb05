"""The corpus of real decks: found beside the project or through TISSERAND_CORPUS, never shipped."""

import json
import os
from functools import cache
from pathlib import Path

import pytest


@cache
def shared() -> Path | None:
    """Folder that holds corpus/ and reference_cases/, or None."""
    for candidate in (os.environ.get("TISSERAND_CORPUS"), Path(__file__).parents[3] / "shared" / "corpus"):
        if candidate and (Path(candidate) / "reference.json").exists():
            return Path(candidate).parent
    return None


needs_corpus = pytest.mark.skipif(shared() is None, reason="corpus not found beside the project (set TISSERAND_CORPUS)")


@cache
def references() -> dict[str, dict]:
    """Entry of reference.json by deck id."""
    folder = shared()
    if folder is None:
        return {}
    return {entry["id"]: entry for entry in json.loads((folder / "corpus" / "reference.json").read_text())}


def deck(identifier: str) -> Path:
    """Path of a corpus deck by id."""
    folder = shared()
    if folder is None:
        pytest.skip("corpus not found beside the project (set TISSERAND_CORPUS)")
    return folder / "corpus" / references()[identifier]["file"]


def reference_case(name: str) -> dict:
    """One of the independent solutions, such as ``case1_rigid_tree``."""
    folder = shared()
    if folder is None:
        pytest.skip("reference cases not found beside the project (set TISSERAND_CORPUS)")
    return json.loads((folder / "reference_cases" / f"{name}.json").read_text())
