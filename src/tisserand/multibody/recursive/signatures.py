"""Types of the compiled entries. Kernels reach each other through these signatures, so none is compiled twice.

Serves theory section 5.2.
"""

from __future__ import annotations

from numba import types

INTS = types.Array(types.int64, 1, "C", readonly=True)
FLOATS = types.float64[::1]
CONSTANTS = FLOATS  # never written by kernels; one type, so that helpers are compiled once
TABLE = types.float64[:, ::1]
CUBE = types.float64[:, :, ::1]
INDICES = types.int64[::1]

FORWARD = types.void(INTS, CONSTANTS, FLOATS, FLOATS, types.float64, FLOATS)
RHS = types.int64(INTS, CONSTANTS, FLOATS, FLOATS, types.float64, FLOATS, FLOATS)
