"""What holds for every test: one BLAS thread per process, and pictures drawn without a screen, unless the caller says otherwise.

Processes of pytest-xdist share the processors already; threads of BLAS in each would only wait for one another.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, os.environ.get("OMP_NUM_THREADS", "1"))
os.environ.setdefault("MPLBACKEND", "Agg")

#: Tests of solvers, by folder or file: repeated for other processors and thread counts (``pytest -m numerical``).
NUMERICAL = ("tests/modes/", "tests/linalg/", "tests/statics/", "tests/corpus/test_all_decks_table.py")


def pytest_collection_modifyitems(items):
    """Mark what is numerical."""
    import pytest

    for item in items:
        if f"{item.path.as_posix()}/".partition("/tests/")[2].startswith(
            tuple(n.removeprefix("tests/") for n in NUMERICAL)
        ):
            item.add_marker(pytest.mark.numerical)
