"""Factorization of sparse symmetric matrices behind one small interface.

A backend offers solve (one or many right-hand sides), the number of negative eigenvalues of the matrix (Sylvester's law
of inertia, read off the pivots), its name and the memory it holds. Backends are chosen by what is installed and reported.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal, Protocol, cast

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import InputError, SolverError

BackendName = Literal["pardiso", "multifrontal", "superlu", "mumps", "cholmod"]
#: Best first, as measured on solid meshes; what comes after SuperLU is used on request.
BACKENDS: tuple[BackendName, ...] = ("pardiso", "superlu", "multifrontal", "mumps", "cholmod")
#: Below so many rows SuperLU is used: starting PARDISO costs more.
_SMALL = {"pardiso": 3000}
_INSTALL = {
    "pardiso": "install the extra with: pip install 'tisserand[fast]'",
    "mumps": "install MUMPS and then: pip install python-mumps",
    "cholmod": "install SuiteSparse and then: pip install scikit-sparse",
}


class Factor(Protocol):
    """A factorized symmetric matrix.

    negative_count: eigenvalues below zero; smallest_pivot: estimate of the smallest |eigenvalue| of the matrix scaled to
    unit diagonal, a hint of singularity;
    memory_bytes: what the factor holds; trusted: False where pivots were perturbed or grew, so that the count is not a proof.
    """

    name: str
    size: int
    smallest_pivot: float
    memory_bytes: int
    trusted: bool

    @property
    def negative_count(self) -> int:
        """Number of negative eigenvalues."""
        ...

    def solve(self, block: FloatArray) -> FloatArray:
        """``matrix^-1 block`` for (m,) or (m, p)."""
        ...

    def renewed(self, matrix: csr_array) -> Factor:
        """The factor of a matrix of the same pattern, reusing the analysis; this one must not be used any more."""
        ...

    def release(self) -> None:
        """Free the memory."""
        ...


@cache
def available_backends() -> tuple[BackendName, ...]:
    """Backends that can be used here, best first."""
    from importlib.util import find_spec

    from tisserand.linalg.pardiso import mkl_library_path

    present = {
        "pardiso": mkl_library_path() is not None,
        "mumps": find_spec("mumps") is not None,
        "multifrontal": True,
        "superlu": True,
        "cholmod": find_spec("sksparse") is not None,
    }
    return tuple(name for name in BACKENDS if present[name])


def factorize(
    matrix: csr_array,
    *,
    backend: BackendName | None = None,
    groups: IntArray | None = None,
    positions: FloatArray | None = None,
) -> Factor:
    """Factorize a symmetric matrix (both triangles stored, CSR, sorted).

    ``groups`` numbers the node that owns each row: the fill-reducing ordering is then found on the small graph of nodes;
    ``positions`` (nodes, 3) of the nodes so numbered, m, help to cut it.
    ``backend`` None takes the best one installed, SuperLU for small matrices.
    """
    if matrix.shape[0] == 0:
        raise InputError("a matrix without rows cannot be factorized")
    if not np.isfinite(matrix.data).all():
        raise SolverError("the matrix contains values that are not finite numbers")
    if backend is None:
        backend = _chosen(matrix.shape[0])
    elif backend not in BACKENDS:
        raise InputError("unknown factorization backend", found=repr(backend), expected=", ".join(BACKENDS))
    elif backend not in available_backends():
        raise InputError(
            f"the factorization backend {backend} is not installed",
            expected=f"one of {', '.join(available_backends())}",
            advice=_INSTALL.get(backend),
        )
    return _maker(backend)(matrix, groups, positions)


def _chosen(size: int) -> BackendName:
    """The backend for so many rows where none is named."""
    best = available_backends()[0]
    return "superlu" if size < _SMALL.get(best, 0) else best


def analyze(pattern: csr_array, *, backend: BackendName | None = None, groups: IntArray | None = None) -> Factor | None:
    """Order and analyze a pattern before its values are known, for ``renewed``; None where the backend cannot."""
    if (backend or _chosen(pattern.shape[0])) != "pardiso" or "pardiso" not in available_backends():
        return None
    from tisserand.linalg import pardiso

    return pardiso.analyze(pattern, groups)


def _maker(backend: BackendName) -> Callable[[csr_array, IntArray | None, FloatArray | None], Factor]:
    from importlib import import_module

    module = import_module(f"tisserand.linalg.{backend}")
    return cast(Callable[[csr_array, "IntArray | None", "FloatArray | None"], Factor], module.factorize)
