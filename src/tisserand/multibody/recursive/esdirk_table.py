"""Numbers of the implicit method: the implicit part of ARK4(3)6L[2]SA [KennedyCarpenter2003].

Six stages, the first explicit, order 4 with an embedded method of order 3, L-stable; the last stage is the first of the next
step.
Reference: theory section 13.
"""

from __future__ import annotations

from fractions import Fraction as Ratio
from functools import cache

import numpy as np

from tisserand.arrays import FloatArray

STAGES = 6
_QUARTER = Ratio(1, 4)
#: Stages: y_i = y + h sum_j A_ij k_j; the last row has the weights of the step.
A = (
    (),
    (_QUARTER, _QUARTER),
    (Ratio(8611, 62500), Ratio(-1743, 31250), _QUARTER),
    (Ratio(5012029, 34652500), Ratio(-654441, 2922500), Ratio(174375, 388108), _QUARTER),
    (
        Ratio(15267082809, 155376265600),
        Ratio(-71443401, 120774400),
        Ratio(730878875, 902184768),
        Ratio(2285395, 8070912),
        _QUARTER,
    ),
    (Ratio(82889, 524892), Ratio(0), Ratio(15625, 83664), Ratio(69875, 102672), Ratio(-2260, 8211), _QUARTER),
)
#: Weights of the embedded method of order 3.
EMBEDDED = (
    Ratio(4586570599, 29645900160),
    Ratio(0),
    Ratio(178811875, 945068544),
    Ratio(814220225, 1159782912),
    Ratio(-3700637, 11593932),
    Ratio(61727, 225920),
)
#: Rows of the table: A, nodes, weights of the error, guesses of a stage from those before, then the split of the loss.
NODES, ERROR, GUESS, LOSS, PARTS, ROWS = 6, 7, 8, 14, 15, 21


@cache
def method_table() -> FloatArray:
    """(ROWS, 6) numbers of the method.

    A guess is the polynomial of degree two (or less) through the latest rates. A quadratic form S changes in a step by
    ``2 h sum b_i y_i'S k_i - h² sum m_ij k_i'S k_j`` with ``m_ij = b_i A_ij + b_j A_ji - b_i b_j``; row LOSS has the
    eigenvalues of m, rows PARTS its eigenvectors.
    """
    out = np.zeros((ROWS, STAGES))
    for i, row in enumerate(A):
        out[i, : len(row)] = [float(v) for v in row]
    c, b = out[:STAGES].sum(axis=1), out[5].copy()
    out[NODES] = c
    out[ERROR] = [float(x - y) for x, y in zip(A[5], EMBEDDED)]
    for i in range(1, STAGES):
        known = sorted(range(i), key=lambda j: abs(c[j] - c[i]))[:3]
        for j in known:
            out[GUESS + i, j] = np.prod([(c[i] - c[k]) / (c[j] - c[k]) for k in known if k != j])
    m = b[:, None] * out[:STAGES] + (b[:, None] * out[:STAGES]).T - np.outer(b, b)
    out[LOSS], vectors = np.linalg.eigh(m)
    out[PARTS:] = vectors.T
    return out
