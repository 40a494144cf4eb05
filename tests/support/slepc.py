"""Whether SLEPc can be run here, and solutions as it would write them, made densely by scipy."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from scipy.linalg import eigh

from tisserand.errors import InputError
from tisserand.modes.slepc.job import fingerprint
from tisserand.modes.slepc.run import command


@cache
def missing() -> str:
    """What is missing for SLEPc, empty if nothing is."""
    try:
        command(1)
    except InputError as error:
        return str(error)
    return ""


def needs_slepc(test):
    """Skip with the reason where Debian's packages are not installed."""
    return pytest.mark.skipif(bool(missing()), reason=missing() or "SLEPc is there")(test)


def dense_solution(folder, pencil, count):
    """Write the ``count`` lowest pairs (zero ones included) of a pencil with positive mass, and their steps, into a folder."""
    K, M = pencil.k.toarray(), pencil.m.toarray()
    values, vectors = eigh(K, M)
    top = 0.5 * (values[count - 1] + values[count])
    x = vectors[:, :count] + 1e-9 * vectors[:, -count:]  # as an iteration leaves them
    x /= np.sqrt(np.einsum("ik,ik->k", x, M @ x))
    wide = np.longdouble
    left = (K.astype(wide) @ x.astype(wide) - (M.astype(wide) @ x.astype(wide)) * values[:count]).astype(float)
    write_solution(folder, pencil, values[:count], x, np.linalg.solve(K - top * M, left), top=top, counted=count)


def write_solution(folder, pencil, values, vectors, steps, **facts):
    """The files of a solution."""
    for name, columns in (("vectors.petsc", vectors), ("steps.petsc", steps)):
        with (folder / name).open("wb") as stream:
            for column in columns.T:
                stream.write(np.array([1211214, len(column)], ">i4").tobytes() + column.astype(">f8").tobytes())
    told = {
        "status": "solved", "fingerprint": fingerprint(pencil), "values": list(map(float, values)), "bottom": -1.0, "below": 0,
        "request": {"count": None}, "ranks": 1, "slepc": [3, 18, 2], **facts,
    }  # fmt: skip
    (folder / "result.json").write_text(json.dumps(told))
