"""Matrices as stored in a file: in its units, with what is known of their dofs."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array, issparse

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import FileError


@dataclass(frozen=True, eq=False)
class RecoveredPoints:
    """Points whose motion is a combination of the dofs: ids (p,), rows (6 p, d) in the axes of each point."""

    ids: IntArray
    rows: FloatArray


@dataclass(frozen=True, eq=False)
class RawMatrices:
    """stiffness and mass (d, d), damping or None; dofs (d, 2) rows (node id, component 0..5), None if unnamed.

    A component of -1 marks a scalar or modal dof. positions: node id -> (3,), in the file's length unit,
    where known. axes: node id -> (3, 3), rows are its displacement axes, where they are not basic. recovered: further points
    whose motion is a combination of the dofs.
    """

    stiffness: csr_array
    mass: csr_array
    damping: csr_array | None = None
    dofs: IntArray | None = None
    positions: dict[int, FloatArray] = field(default_factory=dict)
    files: tuple[Path, ...] = ()
    _: KW_ONLY
    notes: tuple[str, ...] = ()
    axes: dict[int, FloatArray] = field(default_factory=dict)
    recovered: RecoveredPoints | None = None


def square(path: Path, name: str, matrix: Any) -> csr_array:
    """A square, finite, symmetric CSR matrix; a bare triangle is completed, anything else is refused."""
    try:
        content: Any = matrix if issparse(matrix) else np.atleast_2d(np.asarray(matrix))
        sparse = csr_array(content)
    except (ValueError, TypeError) as error:
        raise FileError(path, f"the {name} is not a matrix of numbers", found=type(matrix).__name__) from error
    if np.iscomplexobj(sparse.data):
        if np.abs(sparse.data.imag).max(initial=0.0) > 0.0:
            raise FileError(path, f"the {name} matrix is complex", expected="real numbers")
        sparse = csr_array(sparse.real)
    if sparse.dtype.kind not in "iuf":
        raise FileError(path, f"the {name} is not a matrix of numbers", found=str(sparse.dtype))
    sparse = sparse.astype(float)
    rows, columns = sparse.shape
    if rows != columns or rows == 0:
        raise FileError(path, f"the {name} matrix is not square", found=f"{rows} x {columns}")
    if not np.isfinite(sparse.data).all():
        raise FileError(path, f"the {name} matrix contains values that are not finite numbers")
    lower, upper = _triangles(sparse)
    if lower == 0.0 or upper == 0.0:
        diagonal = csr_array((sparse.diagonal(), (np.arange(rows), np.arange(rows))), shape=sparse.shape)
        return csr_array(sparse + sparse.T - diagonal)
    largest = float(np.abs(sparse.data).max(initial=0.0))
    skewness = float(np.abs((sparse - sparse.T).data).max(initial=0.0))
    if skewness > 1e-6 * largest:
        raise FileError(
            path,
            f"the {name} matrix is not symmetric",
            found=f"a difference of {skewness:.3g} beside values up to {largest:.3g}",
        )
    return csr_array(0.5 * (sparse + sparse.T))


def _triangles(matrix: csr_array) -> tuple[float, float]:
    """Sums of magnitudes strictly below and above the diagonal."""
    terms = coo_array(matrix)
    size = np.abs(terms.data)
    return float(size[terms.row > terms.col].sum()), float(size[terms.row < terms.col].sum())


def same_size(path: Path, stiffness: csr_array, mass: csr_array, damping: csr_array | None = None) -> None:
    """Refuse matrices that do not belong together."""
    for name, matrix in (("mass", mass), ("damping", damping)):
        if matrix is not None and matrix.shape != stiffness.shape:
            raise FileError(
                path,
                f"stiffness and {name} matrices differ in size",
                found=f"{stiffness.shape[0]} and {matrix.shape[0]} dofs",
            )
