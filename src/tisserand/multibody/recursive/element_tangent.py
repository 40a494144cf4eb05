# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Force elements at states displaced by an imaginary step; compiled when derivatives are first requested.

Serves theory sections 3.2 and 6.
"""

from __future__ import annotations

from numba import types

from tisserand.multibody.recursive.element_kernels import engine, fill_inputs
from tisserand.multibody.recursive.helper import entry
from tisserand.multibody.recursive.signatures import COMPLEX, COMPLEX_TABLE, CONSTANTS, INTS


@entry(types.int64(INTS, CONSTANTS, COMPLEX, COMPLEX_TABLE, types.float64, COMPLEX_TABLE))
def fill_displaced(M, F, W, U, t, Y):
    """Forces of the elements at displaced states Y (n, size) into their inputs U (n, m); status of the first failure."""
    for i in range(Y.shape[0]):
        status = engine(M, F, W, U[i], t, Y[i], Y[i, :0])
        if status:
            return status
        fill_inputs(M, W, U[i], Y[i])
    return 0
