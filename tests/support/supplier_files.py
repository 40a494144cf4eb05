"""Result files that other programs wrote: in the corpus, and in the tests that pyyeti installs."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from support.corpus import shared


def result(name: str) -> Path:
    """A file of ``corpus/results``."""
    folder = shared()
    if folder is None:
        pytest.skip("corpus not found beside the project (set TISSERAND_CORPUS)")
    return folder / "corpus" / "results" / name


def of_pyyeti(name: str) -> Path:
    """A file of pyyeti's own tests, written by Simcenter or MSC Nastran."""
    spec = find_spec("pyyeti")
    if spec is None or spec.origin is None:
        pytest.skip("pyyeti is not installed")
    path = Path(spec.origin).parent / "tests" / name
    if not path.exists():
        pytest.skip(f"this pyyeti was installed without its test file {name}")
    return path
