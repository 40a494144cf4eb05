"""Modal integrals carried from appendage axes to body axes, and geometric stiffness as a second-degree displacement.

A geometric-stiffness family describes how a unit inertia load changes the stiffness. The same matrices describe the second
degree displacement u2 (foreshortening) of the mass: the energy of a frame acceleration a is ``a.int u2 dm``, so
``a_i,kl = Kg_ai,kl / 2`` and, with ``A = int r u2' dm``, ``Kg_al,a = 2 eps_abc A_bc``, ``Kg_wxx = -2 (A_yy + A_zz)``,
``Kg_wxy = 2 (A_xy + A_yx)``. Adding these to the second-degree terms a, A of the record gives every term of the motion
(stiffening, the matching inertia and the reaction on the body) from one kinetic energy, which is therefore conserved.

References: theory sections 2.3 and 8.2.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.appendage.integrals.geometric_changes import modal_families
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.reduced_appendage import GEOMETRIC_FAMILIES, ReducedAppendage
from tisserand.arrays import FloatArray, skew, symmetric


def carried_integrals(integrals: ModalIntegrals, attitude: FloatArray, origin: FloatArray) -> ModalIntegrals:
    """The same integrals in axes turned by ``attitude`` (columns = old axes) about a point from which O lies at ``origin``.

    Shift rules of theory section 2 with d = -origin: L += d P', A += d a', J by the parallel-axis terms.
    """
    R, d, m = np.asarray(attitude, float), np.asarray(origin, float), integrals.mass
    c = R @ integrals.center
    turn2 = "ai,bj,ijkl->abkl"
    P, H = R @ integrals.translation, R @ integrals.rotation
    L = np.einsum("ai,bj,ijk->abk", R, R, integrals.position_shape, optimize=True)
    N = np.einsum(turn2, R, R, integrals.shape_shape, optimize=True)
    a = np.einsum("ai,ikl->akl", R, integrals.turn_first)
    A = np.einsum(turn2, R, R, integrals.turn_second, optimize=True)
    J = R @ integrals.inertia @ R.T
    cross = skew(d) @ skew(c)
    return ModalIntegrals(
        mass=m,
        center=c + d,
        inertia=symmetric(J - m * (cross + cross.T + skew(d) @ skew(d))),
        translation=P,
        rotation=H + np.cross(d, P, axisb=0).T,
        position_shape=L + d[:, None, None] * P[None],
        shape_shape=N,
        modal_mass=integrals.modal_mass,
        turn_first=a,
        turn_second=A + d[:, None, None, None] * a[None],
        turn_shape=integrals.turn_shape,
    )


def with_geometric_stiffness(record: ReducedAppendage) -> ModalIntegrals:
    """The record's integrals with its inertia-load families folded into the second-degree terms a, A."""
    k = record.count
    zero = np.zeros((k, k))
    ax, ay, az, alx, aly, alz, xx, yy, zz, xy, yz, zx = (
        symmetric(record.geometric_stiffness.get(name, zero)) for name in GEOMETRIC_FAMILIES
    )
    a = 0.5 * np.stack([ax, ay, az])
    A = np.zeros((3, 3, k, k))
    A[0, 0], A[1, 1], A[2, 2] = (xx - yy - zz) / 4.0, (yy - zz - xx) / 4.0, (zz - xx - yy) / 4.0
    for (i, j), product, turn in (((0, 1), xy, alz), ((1, 2), yz, alx), ((2, 0), zx, aly)):
        A[i, j], A[j, i] = product / 4.0 + turn / 4.0, product / 4.0 - turn / 4.0
    own, shapes = record.integrals, modal_families(record.geometric_stiffness, k)
    B = own.second_shapes
    B = None if B is None or shapes is None else B + 0.5 * shapes
    return replace(own, turn_first=own.turn_first + a, turn_second=own.turn_second + A, turn_shape=B)


def has_geometric_stiffness(record: ReducedAppendage) -> bool:
    """Whether the record holds any inertia-load family."""
    return any(name in record.geometric_stiffness for name in GEOMETRIC_FAMILIES)
