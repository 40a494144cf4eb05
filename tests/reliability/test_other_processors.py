"""The numerical tests on every kernel that OpenBLAS has for this processor, and with one and two threads.

Solvers decide by norms, not by the last bit: the order in which a processor adds must not change a verdict.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.processors import core_types

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("core", core_types())
def test_the_numerical_tests_pass_on_every_kernel(core, threads):
    chosen = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-m", "numerical and not slow", "-q", "-p", "no:cacheprovider", "-n", "2"],
        cwd=ROOT, env={**os.environ, **chosen, "OPENBLAS_CORETYPE": core}, capture_output=True, text=True, timeout=1200,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
