# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""The right-hand side at states displaced by an imaginary step: derivatives without subtraction (complex step).

Serves theory sections 6 and 10.
"""

from __future__ import annotations

from functools import partial

from numba import types

from tisserand.multibody.recursive._kernels_observe import observe_bodies
from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive._kernels_solve import rhs
from tisserand.multibody.recursive.helper import compile_complex_versions, translated_entry
from tisserand.multibody.recursive.signatures import COMPLEX, COMPLEX_CUBE, COMPLEX_TABLE, CONSTANTS, INTS, RHS_COMPLEX

compile_complex_versions()


@translated_entry(
    types.int64(
        types.FunctionType(RHS_COMPLEX),
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
def all_displaced(rhs, M, F, W, U, t, Y, rates, signals, poses, accelerations, wrenches, efforts):
    """Evaluate every row of Y (n, size) with held inputs U (n, m); return the status of the first failure.

    Filled: rates (n, size), signals (n, ns), and for all bodies poses (n, nb, 18), accelerations (n, nb, 6), joint wrenches
    (n, nb, 6), efforts (n, nb, 3).
    """
    model = open_model(M)
    h = model.head[0]
    work = open_workspace(h, W)
    for i in range(Y.shape[0]):
        status = rhs(M, F, W, U[i], t, Y[i], rates[i])
        if status:
            return status
        for j in range(h.signals):
            signals[i, j] = work.signals[j]
        observe_bodies(h, model, work, poses[i], accelerations[i], wrenches[i], efforts[i])
    return 0


displaced = partial(all_displaced, rhs)
