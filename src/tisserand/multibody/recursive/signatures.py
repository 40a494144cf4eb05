"""Types of the compiled entries. Kernels reach each other through these signatures, so none is compiled twice.

Serves theory section 5.2.
"""

from __future__ import annotations

from numba import types
from numba.np.numpy_support import from_dtype

from tisserand.multibody.recursive import stepping

INTS = types.Array(types.int64, 1, "C", readonly=True)
FLOATS = types.float64[::1]
COMPLEX = types.complex128[::1]  # states displaced by an imaginary step: the same kernels give exact derivatives
CONSTANTS = FLOATS  # never written by kernels; one type, so that helpers are compiled once
TABLE = types.float64[:, ::1]
CUBE = types.float64[:, :, ::1]
COMPLEX_TABLE = types.complex128[:, ::1]
COMPLEX_CUBE = types.complex128[:, :, ::1]
INDICES = types.int64[::1]
STATISTICS = types.Array(from_dtype(stepping.STATISTICS), 1, "C")

RHS = types.int64(INTS, CONSTANTS, FLOATS, FLOATS, types.float64, FLOATS, FLOATS)
RHS_COMPLEX = types.int64(INTS, CONSTANTS, COMPLEX, COMPLEX, types.float64, COMPLEX, COMPLEX)
