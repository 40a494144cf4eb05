"""What holds for every test: one BLAS thread per process, and pictures drawn without a screen, unless the caller says otherwise.

Processes of pytest-xdist share the processors already; threads of BLAS in each would only wait for one another.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, os.environ.get("OMP_NUM_THREADS", "1"))
os.environ.setdefault("MPLBACKEND", "Agg")
