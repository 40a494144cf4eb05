"""Modes from another program's run as one neutral type: numbers of the file, node by node, before units are known.

Every reader of results (OP2, F06, universal, FRD) fills a ``SupplierModes``; what a file does not hold stays None. Records
are made of it in :mod:`tisserand.readers.supplier.with_deck` and :mod:`tisserand.readers.supplier.without_deck`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen, skew
from tisserand.errors import FileError, IdentityError

#: What a listed mode is: of the structure, a rigid-body motion, or a vector that the supplier added (residual vectors).
SupplierKind = Literal["elastic", "rigid", "residual"]
#: A frequency below this part of the lowest one that stands out from zero is a rigid-body motion.
RIGID_RATIO = 1e-2
#: Two shapes are one where the cosine between them is this close to one: six printed digits.
_ONE_SHAPE = 1e-11
#: Numbers of a mass table agree with their mirror to this part of the largest number its quarter can have.
_SYMMETRIC = 1e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class Geometry:
    """Nodes and cells of the file, in its length units and basic axes.

    ids (n,); positions (n, 3); axes (n, 3, 3) rows are the displacement axes of each node (None: all basic); lines (e, 2) and
    triangles (t, 3) hold node ids, for drawing.
    """

    ids: IntArray
    positions: FloatArray
    axes: FloatArray | None = None
    lines: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    triangles: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int64))

    def __post_init__(self) -> None:
        n = len(self.ids)
        object.__setattr__(self, "ids", frozen(self.ids, np.int64, (-1,)))
        object.__setattr__(self, "positions", frozen(self.positions, shape=(n, 3)))
        if self.axes is not None:
            object.__setattr__(self, "axes", frozen(self.axes, shape=(n, 3, 3)))
        object.__setattr__(self, "lines", frozen(self.lines, np.int64, (-1, 2)))
        object.__setattr__(self, "triangles", frozen(self.triangles, np.int64, (-1, 3)))

    def rows_of(self, ids: IntArray) -> IntArray:
        """Row of each id, -1 where the geometry lacks it."""
        if not len(self.ids):
            return np.full(len(ids), -1, np.int64)
        order = np.argsort(self.ids, kind="stable")
        place = np.minimum(np.searchsorted(self.ids[order], ids), len(order) - 1)
        rows = order[place]
        return np.asarray(np.where(self.ids[rows] == ids, rows, -1), dtype=np.int64)


@dataclass(frozen=True, eq=False, kw_only=True)
class MassSummary:
    """Rigid mass of the whole model: matrix (6, 6) about a reference point, basic axes, units of the file.

    reference_id: grid id of that point, 0 for the basic origin, negative where the file does not tell; whole: a weight table of
    the whole model, in units before PARAM,WTMASS, else the mass of the free dofs that effective masses are parts of.
    """

    matrix: FloatArray
    reference_id: int = 0
    whole: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "matrix", frozen(self.matrix, shape=(6, 6)))

    @property
    def mass(self) -> float:
        return float(np.trace(self.matrix[:3, :3]) / 3.0)

    @property
    def center(self) -> FloatArray:
        """Mass center from the reference point: M[3:, :3] = m c~."""
        if not self.mass:
            return np.zeros(3)
        m = self.matrix[3:, :3] - self.matrix[3:, :3].T
        return np.array([m[2, 1], m[0, 2], m[1, 0]]) / (2.0 * self.mass)

    @property
    def inertia(self) -> FloatArray:
        """(3, 3) about the mass center."""
        arm = skew(self.center)
        return np.asarray(self.matrix[3:, 3:] + self.mass * arm @ arm)


def mirrored(path: Path, stated: FloatArray) -> FloatArray:
    """A stated rigid mass (6, 6) as a symmetric matrix: MYSTRAN leaves the lower left quarter empty.

    Any other matrix whose lower left quarter is not the transpose of the upper right one, to single precision, is refused.
    """
    matrix = np.array(stated, float)
    if not matrix[3:, :3].any():
        matrix[3:, :3] = matrix[:3, 3:].T
    size = np.sqrt(np.repeat([np.abs(np.diag(matrix))[rows].max() for rows in (slice(3), slice(3, 6))], 3))
    apart = np.abs(matrix - matrix.T) / np.maximum(np.outer(size, size), 1e-300)
    if apart.max() > _SYMMETRIC:
        i, j = (int(at) for at in np.unravel_index(int(apart.argmax()), apart.shape))
        raise FileError(path, "the mass table is not symmetric", found=f"{matrix[i, j]:.6g} and {matrix[j, i]:.6g}",
                        expected=f"one number in row {i + 1}, column {j + 1} and in row {j + 1}, column {i + 1}")  # fmt: skip
    return matrix


@dataclass(frozen=True, eq=False, kw_only=True)
class EffectiveMasses:
    """Effective masses (6, k) of the modes about a reference point, and what else was printed with them.

    participation (6, k): signed factors, phi' M R divided by the modal mass; fractions (6, k): of the rigid mass; total (6,):
    the rigid mass and inertia that all modes together would have. reference_id: grid id of the point, 0 for the basic origin;
    rotations: whether the rows of the three rotations are those about that point (those of MYSTRAN are not).
    """

    masses: FloatArray | None = None
    participation: FloatArray | None = None
    fractions: FloatArray | None = None
    total: FloatArray | None = None
    reference_id: int = 0
    rotations: bool = True

    def __post_init__(self) -> None:
        if self.total is not None:
            object.__setattr__(self, "total", frozen(self.total, shape=(6,)))
        for word in ("masses", "participation", "fractions"):
            if getattr(self, word) is not None:
                object.__setattr__(self, word, frozen(getattr(self, word), shape=(6, -1)))

    def columns(self, keep: IntArray) -> EffectiveMasses:
        """The same of some modes."""
        parts: dict[str, Any] = {}
        for word in ("masses", "participation", "fractions"):
            values = getattr(self, word)
            parts[word] = None if values is None else values[:, keep]
        return replace(self, **parts)


@dataclass(frozen=True, eq=False, kw_only=True)
class SupplierModes:
    """k modes of a run by another program, n nodes; numbers as printed, frequencies in Hz.

    shapes (n, 6, k): translations and rotations, in each node's displacement axes where ``local_axes``, else in basic axes;
    given (n, 6): the components that the file states (missing rotations, output sets of few components); modal_masses (k,):
    generalized masses (None: not stated); program, subcase and parts: who wrote it and which parts of the file were read.

    Attributes:
        path: the file.
        numbers: (k,) mode numbers of the file.
        eigenvalues: (k,) rad²/s².
        kinds: elastic, rigid or residual, one per mode; residual only where the file tells (F06: two tables; OP2: EIGRL).
        node_ids: (n,).
        scalar: (n,) scalar points, whose only component is the first.
        geometry: nodes of the file; None where it has none.
        mass: rigid mass of the whole model (GPWG).
        effective: effective masses.
        wtmass: PARAM,WTMASS of the run, mass of one unit of the weight table; None where the file does not tell.
        open_ended: the file may end in the middle of its only mode without a sign of it (punch).
        matrices: named matrices of the file (EXTSEOUT and DMAP output), for information.
        notes: remarks of the reader.
    """

    path: Path
    program: str
    numbers: IntArray
    eigenvalues: FloatArray
    node_ids: IntArray
    shapes: FloatArray
    given: BoolArray
    kinds: tuple[SupplierKind, ...] = ()
    scalar: BoolArray | None = None
    local_axes: bool = True
    modal_masses: FloatArray | None = None
    geometry: Geometry | None = None
    mass: MassSummary | None = None
    effective: EffectiveMasses | None = None
    wtmass: float | None = None
    open_ended: bool = False
    matrices: Mapping[str, FloatArray] = field(default_factory=dict)
    subcase: int | None = None
    parts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n, k = len(self.node_ids), len(self.numbers)
        object.__setattr__(self, "numbers", frozen(self.numbers, np.int64, (k,)))
        object.__setattr__(self, "eigenvalues", frozen(self.eigenvalues, shape=(k,)))
        object.__setattr__(self, "node_ids", frozen(self.node_ids, np.int64, (n,)))
        object.__setattr__(self, "shapes", frozen(self.shapes, shape=(n, 6, k)))
        object.__setattr__(self, "given", frozen(self.given, np.bool_, (n, 6)))
        scalar = np.zeros(n, np.bool_) if self.scalar is None else self.scalar
        object.__setattr__(self, "scalar", frozen(scalar, np.bool_, (n,)))
        if self.modal_masses is not None:
            object.__setattr__(self, "modal_masses", frozen(self.modal_masses, shape=(k,)))
        object.__setattr__(self, "matrices", MappingProxyType(dict(self.matrices)))
        if not self.kinds:
            object.__setattr__(self, "kinds", kinds_of(self.eigenvalues))
        if not (np.isfinite(self.eigenvalues).all() and np.isfinite(self.shapes).all()):
            raise FileError(self.path, "eigenvalues or mode shapes contain values that are not finite numbers")
        if k == 0:
            raise FileError(self.path, "the file holds no modes", expected="real eigenvalues")
        if len(np.unique(self.node_ids)) != n:
            raise FileError(self.path, "a node is listed twice in one mode shape", advice="state one subcase")
        self._refuse_repeated()
        flat = [int(m) for m, own in zip(self.numbers, np.abs(self.shapes).sum(axis=(0, 1))) if own == 0.0]
        if n and flat:
            raise IdentityError("a mode shape is zero everywhere", where=str(self.path), found=f"mode {flat[0]}",
                                advice="the eigenvalue solution of the run failed, or the output set stands still")  # fmt: skip

    def _refuse_repeated(self) -> None:
        """A mode that is in the file twice: one number, or one eigenvalue with one shape at all listed nodes."""
        numbers, counts = np.unique(self.numbers, return_counts=True)
        if (counts > 1).any():
            raise FileError(self.path, "a mode number is listed twice", found=f"mode {int(numbers[counts > 1][0])}",
                            advice="the file holds two runs, or one run twice; send one of them")  # fmt: skip
        columns = self.shapes.reshape(-1, self.count)
        sizes = np.linalg.norm(columns, axis=0)
        order = [int(i) for i in np.argsort(self.eigenvalues, kind="stable") if self.kinds[i] != "rigid"]
        for i, j in pairwise(order):
            if self.eigenvalues[i] == self.eigenvalues[j] and len(self.node_ids) and sizes[i] * sizes[j] > 0.0:
                cosine = abs(float(columns[:, i] @ columns[:, j])) / (sizes[i] * sizes[j])
                if cosine > 1.0 - _ONE_SHAPE:
                    raise FileError(
                        self.path, "two modes have one frequency and one shape at all listed nodes",
                        found=f"modes {int(self.numbers[i])} and {int(self.numbers[j])}", expected="different modes",
                        advice="a mode was written twice, or the output set is too small to tell them apart",
                    )  # fmt: skip

    @property
    def count(self) -> int:
        """Number of modes k."""
        return len(self.numbers)

    @property
    def frequencies_hz(self) -> FloatArray:
        """(k,) Hz; zero for eigenvalues not above zero."""
        return np.asarray(np.sqrt(np.maximum(self.eigenvalues, 0.0)) / (2.0 * np.pi))

    @property
    def normalization(self) -> str:
        """How the shapes are scaled, in words: by their modal masses, or by their largest component."""
        if self.modal_masses is not None and np.allclose(self.modal_masses, 1.0, rtol=1e-5):
            return "unit modal mass (MASS)"
        if len(self.node_ids):
            largest = np.abs(self.shapes).max(axis=(0, 1))
            if np.allclose(largest, 1.0, rtol=1e-5):
                return "largest component is one (MAX)"
        if self.modal_masses is not None:
            return "other (POINT), with stated modal masses"
        return "unknown: no modal masses are stated"

    @property
    def request(self) -> str:
        """What to ask the supplier for where shapes are missing, in the words of the program."""
        if self.program == "CalculiX":
            return "ask for *NODE FILE, OUTPUT=2D with U at all nodes"
        return "ask for the shapes of all nodes (Nastran: VECTOR = ALL)"

    @property
    def mass_request(self) -> str:
        """What gives mass, center and inertia where the file has no mass table, in the words of the program."""
        nastran = "STRAN" in self.program.upper()
        return "ask for PARAM,GRDPNT,0" if nastran else "state the deck with --deck; its mass is used"

    @property
    def has_rotations(self) -> bool:
        """Whether every grid point states its rotations."""
        return bool(self.given[~np.asarray(self.scalar), 3:].all()) and bool((~np.asarray(self.scalar)).any())

    def modes(self, keep: IntArray) -> SupplierModes:
        """The same of some modes, by column."""
        return replace(
            self,
            numbers=self.numbers[keep],
            eigenvalues=self.eigenvalues[keep],
            shapes=self.shapes[:, :, keep],
            kinds=tuple(self.kinds[int(i)] for i in keep),
            modal_masses=None if self.modal_masses is None else self.modal_masses[keep],
            effective=None if self.effective is None else self.effective.columns(keep),
        )

    def elastic(self) -> SupplierModes:
        """Without rigid-body modes."""
        keep = np.array([i for i, kind in enumerate(self.kinds) if kind != "rigid"], np.int64)
        if not len(keep):
            raise FileError(self.path, "the file holds rigid-body modes only", expected="elastic modes")
        return self.modes(keep)


def kinds_of(eigenvalues: FloatArray) -> tuple[SupplierKind, ...]:
    """Rigid where an eigenvalue is round-off: at most six below 1e-4 of the next one, or up to ten times a negative one.

    Eigenvalues are rad²/s²; the ratio 1e-4 is 1e-2 in frequency.
    """
    values = np.abs(np.asarray(eigenvalues, float))
    order = np.argsort(values, kind="stable")
    rigid = values <= 10.0 * max(float(-np.min(eigenvalues, initial=0.0)), 0.0)
    for count in range(min(6, len(values) - 1), 0, -1):
        if values[order[count - 1]] <= RIGID_RATIO**2 * values[order[count]]:
            rigid[order[:count]] = True
            break
    return tuple("rigid" if own else "elastic" for own in rigid)
