"""The folder of an eigenproblem for SLEPc: K and M as PETSc's binary files, the request, the script that solves it.

Shifts and counts: [Grimes1994].
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.files import writing
from tisserand.linalg import Pencil
from tisserand.modes.slepc.petsc_files import write_matrix

STIFFNESS, MASS, REQUEST, RESULT, SCRIPT, GUIDE = (
    "stiffness.petsc", "mass.petsc", "request.json", "result.json", "solve.py", "README.md",
)  # fmt: skip


@dataclass(frozen=True)
class Wanted:
    """What the script is to find, rad²/s².

    rigid: eigenvalues at zero that are no modes; band: whether ``lower`` is the lower end of a band, else shifts below everything
    in the order in which they are tried; count: modes above the rigid ones (None: all up to ``upper``); guess: where to count
    first; ceiling: no mode lies above.
    """

    rigid: int
    band: bool
    lower: tuple[float, ...]
    count: int | None
    upper: float | None
    guess: float
    ceiling: float


def fingerprint(pencil: Pencil) -> str:
    """Digits that tell models apart by the pattern of their matrices; values are checked by the residuals of the pairs."""
    digest = hashlib.sha256()
    for array in (pencil.indptr, pencil.indices, pencil.mass != 0.0):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:32]


def write_job(folder: Path, pencil: Pencil, wanted: Wanted, title: str = "") -> list[Path]:
    """Write the files of a job into an existing folder; returns them."""
    request: dict[str, Any] = {
        "format": "tisserand eigenproblem 1", "rows": pencil.size, "fingerprint": fingerprint(pencil),
        "rigid": wanted.rigid, "band": wanted.band, "lower": list(wanted.lower), "count": wanted.count, "upper": wanted.upper,
        "guess": wanted.guess, "ceiling": wanted.ceiling,
    }  # fmt: skip
    with writing(folder):
        write_matrix(folder / STIFFNESS, pencil.k)
        write_matrix(folder / MASS, pencil.m)
        (folder / REQUEST).write_text(json.dumps(request, indent=1) + "\n", encoding="utf-8")
        (folder / SCRIPT).write_bytes(files("tisserand.modes.slepc").joinpath("cluster_script.py").read_bytes())
        (folder / GUIDE).write_text(_guide(pencil, wanted, title), encoding="utf-8")
    return [folder / name for name in (STIFFNESS, MASS, REQUEST, SCRIPT, GUIDE)]


def _guide(pencil: Pencil, wanted: Wanted, title: str) -> str:
    asked = f"the lowest {wanted.count} modes" if wanted.count is not None else "all modes up to the stated frequency"
    return f"""# Eigenproblem {title}

{pencil.size} dofs, {pencil.k.nnz} terms; {asked}. SI units; eigenvalues in rad²/s².

    mpiexec -n 8 python3 solve.py                # as requested
    mpiexec -n 8 python3 solve.py --count 60     # or another number of modes
    mpiexec -n 8 python3 solve.py --fmax 120     # or all modes up to 120 Hz

The machine needs Python 3.9 or newer, numpy, and petsc4py and slepc4py of a PETSc with real numbers and MUMPS (Debian and
Ubuntu: `apt-get install python3-slepc4py-real`). Nothing else has to be installed. All ranks read this folder.

The matrices are PETSc's binary files (`MatLoad`). The script writes `result.json`, `vectors.petsc` and `steps.petsc` here. Bring
the folder home and make the record; every pair is checked and counted there:

    tisserand modes MODEL --solution FOLDER -o record.h5
"""
