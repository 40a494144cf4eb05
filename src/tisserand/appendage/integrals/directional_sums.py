"""Sums of directional mass over a set of columns, and the modal integrals that follow from them.

Symbols: X = [S_t, S_r, Phi] (n, 6, 6 + k) nodal motions in basic axes, S about O; G^{ab} = X' M^{ab} X (6 +
k, 6 + k).
"""

from __future__ import annotations

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import FloatArray, skew


def rigid_columns(positions: FloatArray) -> FloatArray:
    """Unit translations and rotations about O at nodes given from O:
    (n, 3) to (n, 6, 6), rows u then beta.
    """
    S = np.zeros((len(positions), 6, 6))
    S[:, :3, :3] = np.eye(3)
    S[:, :3, 3:] = -skew(positions)
    S[:, 3:, 3:] = np.eye(3)
    return S


def integrals_of_sums(G: FloatArray) -> tuple[ModalIntegrals, float]:
    """Integrals from G (3, 3, 6 + k, 6 + k), and the relative disagreement of the two ways to compute L.

    L_ad,k = eps_bca S_r[:, c]' M^{bd} Phi_k for one b != a (no sum): both b must agree for a displacement
    field.
    """
    total = np.trace(G)
    M_rr, A, Me = total[:6, :6], total[:6, 6:], total[6:, 6:]
    k = Me.shape[0]
    mass = float(np.trace(M_rr[:3, :3]) / 3.0)
    arm = 0.5 * (M_rr[3:, :3] - M_rr[3:, :3].T)  # m c~
    center = np.array([arm[2, 1], arm[0, 2], arm[1, 0]]) / mass if mass > 0.0 else np.zeros(3)
    L, other = np.empty((3, 3, k)), np.empty((3, 3, k))
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        L[a] = G[b, :, 3 + c, 6:]
        other[a] = -G[c, :, 3 + b, 6:]
    bound = np.sqrt(np.diag(M_rr)[3:].max(initial=0.0) * np.diag(Me).max(initial=0.0))  # |L| never exceeds it
    spread = float(np.abs(L - other).max(initial=0.0)) / max(float(bound), 1e-300)
    N = np.ascontiguousarray(G[:, :, 6:, 6:])
    J0 = 0.5 * (M_rr[3:, 3:] + M_rr[3:, 3:].T)
    integrals = ModalIntegrals(
        mass=mass,
        center=center,
        inertia=J0,
        translation=A[:3],
        rotation=A[3:],
        position_shape=0.5 * (L + other),
        shape_shape=N,
        modal_mass=Me,
        turn_first=np.zeros((3, k, k)),
        turn_second=np.zeros((3, 3, k, k)),
    )
    return integrals, spread if k else 0.0


def added(parts: list[ModalIntegrals]) -> ModalIntegrals:
    """Sum of integrals of separate masses about the same O and over the same modes."""
    mass = sum(part.mass for part in parts)
    first = sum((part.mass * part.center for part in parts), np.zeros(3))
    words = (
        "inertia",
        "translation",
        "rotation",
        "position_shape",
        "shape_shape",
        "modal_mass",
        "turn_first",
        "turn_second",
    )
    shapes = [part.second_shapes for part in parts]
    known = None if any(one is None for one in shapes) else np.sum([one for one in shapes if one is not None], axis=0)
    totals: dict[str, FloatArray] = {word: sum(getattr(part, word) for part in parts) for word in words}  # type: ignore[misc]
    return ModalIntegrals(mass=mass, center=first / mass if mass > 0.0 else first, turn_shape=known, **totals)
