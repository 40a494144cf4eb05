"""What holds for every test: one BLAS thread per process, and pictures drawn without a screen, unless the caller says otherwise.

Processes of pytest-xdist share the processors already; threads of BLAS in each would only wait for one another. They would
also compile the multibody kernels once each: a parallel run of the whole suite compiles them in one process of its own,
while tests that do not fly anything go first.
"""

import os
import subprocess
import sys

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, os.environ.get("OMP_NUM_THREADS", "1"))
os.environ.setdefault("MPLBACKEND", "Agg")

#: Tests of solvers, by folder or file: repeated for other processors and thread counts (``pytest -m numerical``).
NUMERICAL = ("tests/modes/", "tests/linalg/", "tests/statics/", "tests/corpus/test_all_decks_table.py")

#: Folders whose tests use no multibody kernels.
GROUNDED = (
    "assembly/",
    "builders/",
    "continua/",
    "declarations/",
    "elements/",
    "foundation/",
    "linalg/",
    "model/",
    "modes/",
)
GROUNDED += ("readers/", "statics/", "meshes/", "corpus/")

_KERNELS = "import tisserand.multibody.warm as w; w.warm_up(); import tisserand.multibody.recursive._kernels_tangent"


def pytest_sessionstart(session):
    """Compile the multibody kernels beside the first tests of a parallel run of the whole suite."""
    config = session.config
    whole = config.args == config.getini("testpaths")
    if whole and getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        config.kernels = subprocess.Popen([sys.executable, "-c", _KERNELS], **quiet)


def pytest_sessionfinish(session):
    """Leave no compilation behind."""
    child = getattr(session.config, "kernels", None)
    if child is not None:
        child.kill()
        child.wait()


def pytest_collection_modifyitems(items):
    """Mark what is numerical; what flies nothing goes first."""
    import pytest

    def place(item):
        return f"{item.path.as_posix()}/".partition("/tests/")[2]

    for item in items:
        if place(item).startswith(tuple(n.removeprefix("tests/") for n in NUMERICAL)):
            item.add_marker(pytest.mark.numerical)
    items.sort(key=lambda item: not place(item).startswith(GROUNDED))
