"""Where the reference point of a printed table lies."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.readers.supplier.supplier_modes import SupplierModes
from tisserand.units import UnitSystem


def point_of(theirs: SupplierModes, grid: int, units: UnitSystem) -> FloatArray | None:
    """Place (3,) of a grid point in basic axes, m; the origin for 0, None where the file has no such node or names none."""
    if grid == 0:
        return np.zeros(3)
    if grid < 0 or theirs.geometry is None:
        return None
    (row,) = theirs.geometry.rows_of(np.array([grid]))
    return None if row < 0 else np.asarray(theirs.geometry.positions[row] * units.length)
