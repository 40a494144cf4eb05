"""MKL PARDISO called directly: analysis, numeric factor, block solves and inertia, each when it is needed.

The library is the one that the ``[fast]`` extra installs. Type -2 (real symmetric indefinite, Bunch-Kaufman pivots)
reports the inertia; iterative refinement is off inside the iteration.
"""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import SingularMatrixError, SolverError
from tisserand.linalg._kernels import upper_rows, upper_scaled
from tisserand.linalg.health import health
from tisserand.linalg.memory import memory_left
from tisserand.linalg.ordering import NodeGraph, node_graph

_REASONS = {
    -1: "inconsistent input",
    -2: "not enough memory",
    -3: "the reordering failed",
    -4: "a zero pivot stopped the factorization",
    -7: "the diagonal is singular",
    -8: "32-bit integers overflowed",
    -9: "not enough memory, even with the factor on disk",
    -10: "the files of a factor on disk cannot be opened",
    -11: "the files of a factor on disk cannot be read or written: the disk may be full",
}


#: Share of the memory left that a factor may take: the iteration needs the rest.
_SHARE = 0.8
#: MB that a factor on disk is granted at least: the library fails with less, however small the matrix.
_LEAST_ROOM = 256


@cache
def mkl_library_path() -> Path | None:
    """Path of the MKL runtime library, or None."""
    named = os.environ.get("TISSERAND_MKL_RT")
    if named:
        return Path(named)
    for folder, pattern in (("lib", "libmkl_rt.so*"), ("lib", "libmkl_rt*.dylib"), ("Library/bin", "mkl_rt*.dll")):
        found = sorted(Path(sys.prefix, folder).glob(pattern))
        if found:
            return found[0]
    return None


@cache
def _library() -> ctypes.CDLL:
    path = mkl_library_path()
    if path is None:
        raise SolverError("MKL is not installed", advice="install the extra with: pip install 'tisserand[fast]'")
    return ctypes.CDLL(str(path))


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


class PardisoFactor:
    """A PARDISO handle: upper triangle, its factor, and its report."""

    name = "MKL PARDISO"
    _folder: TemporaryDirectory[str] | None = None

    def __init__(self, matrix: csr_array, groups: IntArray | None, numeric: bool = True) -> None:
        """Analyze the pattern and factorize; numeric False: the values come with ``renewed``."""
        self.size = int(matrix.shape[0])
        self._handle = np.zeros(64, np.int64)
        self._control = _control()
        self._perm = np.zeros(self.size, np.int32)
        self._keep_upper(matrix)
        if groups is not None and self.size > 6000:
            graph = node_graph(matrix, groups)
            if graph.size < self.size // 2:
                self._perm = graph.dof_order(_metis_order(graph)).astype(np.int32)
                self._control[4] = 1
        self._call(11)
        self._leave_memory()
        if numeric:
            self._factorize(matrix)

    def _leave_memory(self) -> None:
        """Analyze anew for a factor on disk where memory is too short for it; the numeric factor must not run out of it."""
        needed = 1024 * max(int(self._control[14]), int(self._control[15]) + int(self._control[16]))
        left = memory_left()
        if left is None or needed <= _SHARE * left:
            return
        self._call(-1)
        self._handle[:] = 0
        self._folder = TemporaryDirectory(prefix="tisserand-factor-", ignore_cleanup_errors=True)
        self._room = max(int(_SHARE * left) >> 20, _LEAST_ROOM)
        self._control[59], self._control[23] = 2, 0
        self._call(11)
        core = 1024 * max(int(self._control[14]), int(self._control[15]) + int(self._control[62]))
        if core > left:
            raise SolverError(
                "memory is too short for the factorization, even with the factor on disk",
                found=f"{left / 2**30:.1f} GiB left", expected=f"{core / 2**30:.1f} GiB (in memory: {needed / 2**30:.1f} GiB)",
                advice="free memory, request the modes of a coarser mesh, or reduce parts of the model (superelements) first",
            )  # fmt: skip
        self.name = "MKL PARDISO, factor on disk"

    def _keep_upper(self, matrix: csr_array) -> None:
        self._indptr = np.empty(self.size + 1, np.int32)
        upper_rows(matrix.indptr, matrix.indices, self._indptr)
        self._indices = np.empty(int(self._indptr[-1]), np.int32)
        self._values = np.empty(len(self._indices))
        self._fill(matrix, np.ones(self.size))

    def _fill(self, matrix: csr_array, scale: FloatArray) -> None:
        upper_scaled(matrix.indptr, matrix.indices, matrix.data, scale, self._indptr, self._indices, self._values)

    def _factorize(self, matrix: csr_array) -> None:
        """Numeric factor of the matrix scaled to unit diagonal, so that small units are not taken for small pivots."""
        diagonal = np.abs(matrix.diagonal())
        self._scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
        self._fill(matrix, self._scale)
        self._call(22)
        self.negative_count = int(self._control[22])
        accurate, self.smallest_pivot = health(self.solve, matrix)
        counted = int(self._control[21]) + self.negative_count == self.size
        self.trusted = accurate and counted and int(self._control[13]) == 0
        self.memory_bytes = 1024 * (int(self._control[15]) + int(self._control[16]))

    def _call(self, phase: int, block: FloatArray | None = None, out: FloatArray | None = None) -> None:
        number = ctypes.c_int32
        empty = np.zeros(1)
        if self._folder is not None:  # read by the library in every phase
            os.environ["MKL_PARDISO_OOC_PATH"] = self._folder.name
            os.environ["MKL_PARDISO_OOC_MAX_CORE_SIZE"] = str(self._room)
        columns = 1 if block is None or block.ndim == 1 else block.shape[1]
        status = number(0)
        _library().pardiso(
            _pointer(self._handle), ctypes.byref(number(1)), ctypes.byref(number(1)), ctypes.byref(number(-2)),
            ctypes.byref(number(phase)), ctypes.byref(number(self.size)), _pointer(self._values), _pointer(self._indptr),
            _pointer(self._indices), _pointer(self._perm), ctypes.byref(number(columns)), _pointer(self._control),
            ctypes.byref(number(0)), _pointer(empty if block is None else block), _pointer(empty if out is None else out),
            ctypes.byref(status),
        )  # fmt: skip
        if status.value:
            reason = _REASONS.get(status.value, "an internal error")
            kind = SingularMatrixError if status.value in (-4, -7) else SolverError
            raise kind(f"PARDISO failed: {reason}", found=f"status {status.value} in phase {phase}")

    def solve(self, block: FloatArray) -> FloatArray:
        scale = self._scale if block.ndim == 1 else self._scale[:, None]
        right = np.asfortranarray(block * scale)
        out = np.empty_like(right, order="F")
        self._call(33, right, out)
        out *= scale
        return out

    def renewed(self, matrix: csr_array) -> PardisoFactor:
        self._factorize(matrix)
        return self

    def release(self) -> None:
        if self._handle.any():
            self._call(-1)
            self._handle[:] = 0
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __del__(self) -> None:
        if not sys.is_finalizing():
            self.release()


def _control() -> NDArray[np.int32]:
    control = np.zeros(64, np.int32)
    control[0] = 1  # nothing by default
    control[1] = 2  # METIS nested dissection
    control[9] = 13  # perturb pivots below 1e-13 of the norm, and count them
    control[20] = 1  # Bunch-Kaufman pivots
    control[23] = 1  # two-level parallel factorization
    control[34] = 1  # rows count from zero
    return control


def _metis_order(graph: NodeGraph) -> IntArray:
    """Nested-dissection order of a node graph: new position to old node, from PARDISO's analysis phase."""
    count = graph.size
    work = object.__new__(PardisoFactor)
    work.size = count
    work._handle, work._control, work._perm = np.zeros(64, np.int64), _control(), np.zeros(count, np.int32)
    work._control[4] = 2
    pattern = csr_array((np.ones(len(graph.edges)), graph.edges, graph.start), shape=(count, count))
    ordered = csr_array(pattern + eye_array(count))  # canonical
    ordered.sort_indices()
    work._keep_upper(ordered)
    work._call(11)
    order = work._perm.astype(np.int64)
    work.release()
    return order


def factorize(matrix: csr_array, groups: IntArray | None = None, positions: FloatArray | None = None) -> PardisoFactor:
    """Factorize with PARDISO; positions are not needed."""
    return PardisoFactor(matrix, groups)


def analyze(matrix: csr_array, groups: IntArray | None = None) -> PardisoFactor:
    """Order and analyze a pattern; ``renewed`` then factorizes matrices with it."""
    return PardisoFactor(matrix, groups, numeric=False)
