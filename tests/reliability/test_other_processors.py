"""The numerical tests on every kernel that OpenBLAS has for this processor, with one and two threads in turn.

Solvers decide by norms, not by the last bit: the order in which a processor adds must not change a verdict.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.processors import core_types

ROOT = Path(__file__).parents[2]
FOLDERS = ("tests/modes", "tests/linalg", "tests/statics", "tests/corpus/test_all_decks_table.py")


@pytest.mark.slow
@pytest.mark.parametrize(("core", "threads"), [(core, str(1 + at % 2)) for at, core in enumerate(core_types())])
def test_the_numerical_tests_pass_on_every_kernel(core, threads):
    chosen = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-m", "numerical and not slow", *FOLDERS, "-q", "-p", "no:cacheprovider", "-n", "2"],
        cwd=ROOT, env={**os.environ, **chosen, "OPENBLAS_CORETYPE": core}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
