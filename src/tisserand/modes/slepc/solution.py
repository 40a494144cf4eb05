"""What the script found, read back: nothing in it is believed that the matrices here do not confirm.

Bounds from residuals: [Parlett1980].
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import (
    FileError,
    MissedModesError,
    NotConvergedError,
    SingularMatrixError,
    SolverError,
    TisserandError,
    TooManyModesError,
)
from tisserand.files import json_of, text_of
from tisserand.linalg import Pencil
from tisserand.modes.slepc.job import RESULT, fingerprint
from tisserand.modes.slepc.petsc_files import read_vectors


@dataclass(frozen=True, eq=False, kw_only=True)
class Solution:
    """All eigenpairs between two shifts, rad²/s².

    values (k,) ascending, vectors (m, k), steps (m, k) = (K - top M)^-1 (K x - lambda M x); below, counted: inertia at bottom
    and top; count: how many modes were requested there, None for all.
    """

    values: FloatArray
    vectors: FloatArray
    steps: FloatArray
    bottom: float
    below: int
    top: float
    counted: int
    count: int | None
    name: str


def read_solution(folder: Path, pencil: Pencil) -> Solution:
    """The solution in a folder, of this pencil; a failure that the script met is raised in its words."""
    path = folder / RESULT
    if not path.is_file():
        raise FileError(
            path, "there is no result in the folder", advice="solve it there first: mpiexec -n 2 python3 solve.py"
        )
    told = json_of(path, text_of(path))
    if not isinstance(told, dict) or not isinstance(told.get("status"), str):
        raise FileError(path, "is not a result of solve.py")
    if told["status"] != "solved":
        raise failure(told, path)
    if told.get("fingerprint") != fingerprint(pencil):
        raise FileError(
            path, "is the solution of another model", expected=f"matrices of {pencil.size} dofs of this model",
            advice="state the same model and boundary as for the export",
        )  # fmt: skip
    try:
        values = np.array(told["values"], float).reshape(-1)
        numbers = [float(told[word]) for word in ("bottom", "top")]
        counts = [int(told[word]) for word in ("below", "counted")]
        slices = np.array(told.get("slices", []), float).reshape(-1, 2)
        asked = None if told["request"]["count"] is None else int(told["request"]["count"])
        ranks, version = int(told["ranks"]), ".".join(str(int(v)) for v in told["slepc"])
    except (KeyError, TypeError, ValueError) as error:
        raise FileError(path, f"is damaged: {error}", advice="solve again") from error
    if not np.isfinite([*values, *numbers]).all() or (np.diff(values) < 0.0).any():
        raise FileError(path, "its eigenvalues are not finite and ascending", advice="solve again")
    for shift, inertia in slices:  # what SLEPc counted where it cut the interval
        if int((values < shift).sum()) != int(inertia) - counts[0]:
            raise MissedModesError(
                "the pairs do not agree with the counts of SLEPc",
                found=f"{int((values < shift).sum())} below {shift:.6g} rad²/s²",
                expected=f"{int(inertia) - counts[0]}",
            )
    vectors, steps = (
        read_vectors(folder / name, pencil.size, len(values)) for name in ("vectors.petsc", "steps.petsc")
    )
    name = f"SLEPc {version} and MUMPS on {ranks} rank{'s' * (ranks > 1)}"
    return Solution(
        values=values, vectors=vectors, steps=steps, bottom=numbers[0], below=counts[0], top=numbers[1], counted=counts[1],
        count=asked, name=name,
    )  # fmt: skip


def failure(told: dict[str, Any], path: Path) -> TisserandError:
    """The error that a result states."""
    status, sentence = told["status"], str(told.get("sentence", "no reason is given"))
    if status == "few":
        most = int(told["most"])
        return TooManyModesError(
            "more modes are requested than have a finite frequency", most=most, expected=f"at most {most}"
        )
    if status == "singular":
        return SingularMatrixError(sentence)
    if status == "unstable":
        return SolverError(
            "the stiffness matrix has negative eigenvalues: the structure is unstable in this state",
            found=f"{told.get('negative')} below {float(told.get('shift', 0.0)):.4g} rad²/s²",
            advice="check springs of negative stiffness, or reduce the compressive prestress",
        )
    if status == "singular-shift":
        return NotConvergedError(sentence, advice="move the requested frequency a little")
    return NotConvergedError("SLEPc did not solve the eigenproblem", found=sentence)
