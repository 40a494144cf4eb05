"""What holds for every test: one BLAS thread per process, and pictures drawn without a screen, unless the caller says otherwise.

Processes of pytest-xdist share the processors already; threads of BLAS in each would only wait for one another. They would
also compile the kernels once each. So collecting tests compiles nothing (``test_collection.py``), a parallel run of the whole
suite compiles the multibody kernels in a process of its own while tests that do not fly anything go first, and a process that
needs a kernel that another one is compiling waits for it (``support/compile_once.py``).
"""

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, os.environ.get("OMP_NUM_THREADS", "1"))
os.environ.setdefault("MPLBACKEND", "Agg")
#: Else every process that a test starts would compile the seven hundred modules to bytecode anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

#: Folder of the locks of a parallel run of the whole suite.
LOCKS = "TISSERAND_TEST_LOCKS"
if LOCKS in os.environ:
    from support.compile_once import install

    install(Path(os.environ[LOCKS]))

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

#: Tests of those folders that do; one that is missing here costs time only.
FLYING = {
    "test_joined_models_fly_and_are_stored",
    "test_the_record_is_stored_and_flies",
    "test_arrays_of_every_product_are_read_only",
    "test_superelements_let_go_in_mean_axes_are_the_vehicle_of_the_held_ones",
    "test_a_flight_equals_that_of_the_deck",
    "test_the_record_of_tables_alone_flies",
    "test_a_flight_from_results_equals_one_from_the_deck",
}

_KERNELS = """
import os, pathlib
from support.compile_once import install
install(pathlib.Path(os.environ["TISSERAND_TEST_LOCKS"]))
from tisserand.multibody.recursive.kernels import kernels, tangent
kernels()
tangent()
"""


def pytest_sessionstart(session):
    """Compile the multibody kernels beside the first tests of a parallel run of the whole suite."""
    config = session.config
    whole = config.args == config.getini("testpaths")
    if whole and getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        os.environ[LOCKS] = tempfile.mkdtemp()
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        config.kernels = subprocess.Popen([sys.executable, "-c", _KERNELS], cwd=Path(__file__).parent, **quiet)
    else:
        gc.disable()  # collecting makes objects that stay; looking through them for garbage takes a fifth of its time


def pytest_sessionfinish(session):
    """Leave no compilation behind."""
    child = getattr(session.config, "kernels", None)
    if child is not None:
        child.kill()
        child.wait()
        shutil.rmtree(os.environ.pop(LOCKS))


def pytest_collection_finish(session):
    """What collecting has loaded, for ``test_collection.py``."""
    gc.enable()
    session.config.loaded_by_collection = frozenset(sys.modules)


def pytest_collection_modifyitems(items):
    """Mark what is numerical; what flies nothing goes first."""
    import pytest

    def place(item):
        return f"{item.path.as_posix()}/".partition("/tests/")[2]

    for item in items:
        if place(item).startswith(tuple(n.removeprefix("tests/") for n in NUMERICAL)):
            item.add_marker(pytest.mark.numerical)
    items.sort(key=lambda item: item.originalname in FLYING or not place(item).startswith(GROUNDED))
