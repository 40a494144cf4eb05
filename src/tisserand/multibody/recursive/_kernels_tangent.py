# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
# ruff: noqa: F403, F405
"""The right-hand side at states displaced by an imaginary step: derivatives without subtraction (complex step).

Serves theory sections 6 and 10.
"""

from __future__ import annotations

from numba import types

from tisserand.multibody.recursive._kernels_observe import observe_bodies
from tisserand.multibody.recursive._kernels_solve import rhs
from tisserand.multibody.recursive.helper import compile_complex_versions, entry
from tisserand.multibody.recursive.layout import *
from tisserand.multibody.recursive.signatures import COMPLEX, COMPLEX_CUBE, COMPLEX_TABLE, CONSTANTS, INTS

compile_complex_versions()


@entry(
    types.int64(
        INTS,
        CONSTANTS,
        COMPLEX,
        COMPLEX_TABLE,
        types.float64,
        COMPLEX_TABLE,
        COMPLEX_TABLE,
        COMPLEX_TABLE,
        COMPLEX_CUBE,
        COMPLEX_CUBE,
        COMPLEX_CUBE,
        COMPLEX_CUBE,
    )
)
def displaced(I, F, W, U, t, Y, rates, signals, poses, accelerations, wrenches, torques):
    """Evaluate every row of Y (n, size) with held inputs U (n, m); return the status of the first failure.

    Filled: rates (n, size), signals (n, ns), and for all bodies poses (n, nb, 18), accelerations (n, nb, 6), joint wrenches
    (n, nb, 6), efforts (n, nb, 3).
    """
    for i in range(Y.shape[0]):
        status = rhs(I, F, W, U[i], t, Y[i], rates[i])
        if status:
            return status
        for j in range(I[SIGNALS]):
            signals[i, j] = W[I[SIGNAL_WORK] + j]
        observe_bodies(I, F, W, poses[i], accelerations[i], wrenches[i], torques[i])
    return 0
