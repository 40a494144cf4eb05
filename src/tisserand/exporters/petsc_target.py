"""The eigenproblem of a model as a folder for a cluster: K and M as PETSc's binary files, a script of its own, and how to run it.

Supports, rigid elements and motions without mass are already taken out, as ``modes`` takes them out; what is solved there comes
home with ``tisserand modes MODEL --solution FOLDER``.
"""

from __future__ import annotations

import json
from pathlib import Path

from tisserand.assembly import AssembledModel, assemble
from tisserand.errors import InputError
from tisserand.exporters.other_units import ModelInUnits
from tisserand.modes.slepc.job import MASS, REQUEST, STIFFNESS
from tisserand.modes.slepc.petsc_files import read_matrix
from tisserand.modes.solve import write_eigenproblem
from tisserand.statics import preloaded


def losses(source: ModelInUnits) -> list[str]:
    """The folder holds the eigenproblem and no geometry: the record is made at home from the model."""
    return []


def notes(source: ModelInUnits) -> list[str]:
    """How it is solved and brought home."""
    return [
        "solve it with: mpiexec -n 8 python3 solve.py (slepc4py and MUMPS; see README.md there)",
        "bring it home with: tisserand modes MODEL --solution FOLDER",
    ]


def write(source: ModelInUnits, path: Path) -> list[Path]:
    """A folder of that name."""
    if (source.units.length, source.units.mass, source.units.time) != (1.0, 1.0, 1.0):
        raise InputError("the target petsc has SI units", found=source.units.name, advice="leave --units out")
    asked = source.model.analysis
    path.mkdir()
    write_eigenproblem(_assembled(source), path, count=asked.count, fmax_hz=asked.fmax_hz)
    return [path]


def _assembled(source: ModelInUnits) -> AssembledModel:
    return preloaded(assemble(source.model))


def read_back(source: ModelInUnits, path: Path) -> float:
    """Largest difference of what was written from the assembled matrices, by sums over rows and columns that are free."""
    model = _assembled(source)
    K, M = (read_matrix(path / name) for name in (STIFFNESS, MASS))
    rows = json.loads((path / REQUEST).read_text())["rows"]
    if K.shape != (rows, rows) or M.shape != (rows, rows) or rows > model.size:
        return float("inf")
    free = ~model.held(model.supports)
    worst = 0.0
    for found, meant in ((K, model.stiffness), (M, model.mass)):
        diagonal = meant.diagonal()[free]
        if len(diagonal) != rows:  # motions without mass are held at one dof each
            continue
        size = float(abs(diagonal).max(initial=1e-300))
        inner = meant[free][:, free]
        worst = max(
            worst, float(abs(found.diagonal() - diagonal).max()) / size, abs(found.sum() - inner.sum()) / (size * rows)
        )
    return worst
