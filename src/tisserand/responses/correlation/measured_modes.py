"""Modes that were measured: frequencies and shapes at the points and directions of sensors, in SI units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen
from tisserand.errors import FileError, InputError
from tisserand.readers.supplier.supplier_modes import SupplierModes
from tisserand.units import UnitSystem


@checked_arguments
@dataclass(frozen=True, eq=False)
class MeasuredModes:
    """Modes of a test at n points.

    Attributes:
        name: of the test.
        hz: (k,) frequencies, Hz.
        ids: (n,) of the points.
        positions: (n, 3) m, in the axes of the test.
        axes: (n, 3, 3) rows are the directions of each sensor in the axes of the test.
        shapes: (n, 3, k) along these directions, of any scale.
        measured: (n, 3) directions that were measured.
    """

    name: str
    hz: FloatArray
    ids: IntArray
    positions: FloatArray
    axes: FloatArray
    shapes: FloatArray
    measured: BoolArray

    def __post_init__(self) -> None:
        n, k = len(self.ids), len(self.hz)
        object.__setattr__(self, "ids", frozen(self.ids, np.int64, (-1,)))
        object.__setattr__(self, "measured", frozen(self.measured, bool, (n, 3)))
        for word, shape in (("hz", (k,)), ("positions", (n, 3)), ("axes", (n, 3, 3)), ("shapes", (n, 3, k))):
            object.__setattr__(self, word, frozen(getattr(self, word), shape=shape))
        if not k or not self.measured.any():
            raise InputError("a test needs modes and measured directions", where=self.name, found=f"{k} modes")

    def __repr__(self) -> str:
        where = f"{int(self.measured.sum())} directions at {len(self.ids)} points"
        return f"<MeasuredModes {self.name!r}: {len(self.hz)} modes, {where}>"


def is_universal(modes: SupplierModes) -> bool:
    """Whether modes come from data sets of a universal file."""
    return bool(modes.parts) and all(part.startswith("data set ") for part in modes.parts)


def measured_modes(modes: SupplierModes, units: UnitSystem) -> MeasuredModes:
    """The modes of a file of test shapes; directions that are zero in every mode were not measured.

    units: of the positions in the file.
    """
    if modes.geometry is None:
        raise FileError(
            modes.path, "states no places of its points", expected="data set 15 or 2411 in the same file as the shapes"
        )
    rows = modes.geometry.rows_of(modes.node_ids)
    known = rows >= 0
    if not known.any():
        raise FileError(modes.path, "states no place of any point with a shape", found=f"{len(known)} points")
    kept = np.flatnonzero([kind == "elastic" for kind in modes.kinds])
    shapes = modes.shapes[known][:, :3, :][:, :, kept]
    largest = np.abs(shapes).max(axis=(0, 1), initial=0.0)
    if not len(kept) or not (largest > 0.0).all():
        raise FileError(modes.path, "a measured mode is zero everywhere, or there is none")
    used = (np.abs(shapes) > 1e-12 * largest).any(axis=2) & modes.given[known][:, :3]
    axes = modes.geometry.axes
    count = int(known.sum())
    own = np.broadcast_to(np.eye(3), (count, 3, 3)) if axes is None else axes[rows[known]]
    return MeasuredModes(
        modes.path.stem, modes.frequencies_hz[kept], modes.node_ids[known],
        units.length * modes.geometry.positions[rows[known]], own, shapes, used,
    )  # fmt: skip
