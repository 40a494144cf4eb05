"""Mass that comes from no displacement field: a nearby field calibrated so that mass, P, H and Me match.

A mass matrix alone fixes m, c, J0, P, H and Me; L and N need more. Two cases are exact all the same:
isotropic translational mass (M = M_s (x) 1) and masses that sit at single nodes. For the rest the symmetric
part of L and the traceless part of N come from the closest of three fields (the elements' consistent mass,
the rigid bodies that each node's rows of M S show, or particles), and what P, H and Me fix is taken from M.
The disagreement of that field with M before calibration is the stated mismatch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tisserand.appendage.integrals.directional_sums import integrals_of_sums, rigid_columns
from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import LEVI_CIVITA, FloatArray, symmetric

#: Negative parts below this share are round-off.
_ROUND_OFF = 1e-12


@dataclass
class LooseMass:
    """Mass known by its matrix alone, over X = [S, Phi] (n, 6, 6 + k).

    total (6 + k, 6 + k) = X'M X; rows (n, 6, 6): rows of M S at each node, S about O; near (3, 3, 6 + k, 6 +
    k): sums G of a displacement field close to it (the same elements with consistent mass), None if there is
    none.
    """

    total: FloatArray
    rows: FloatArray
    near: FloatArray | None = None

    @staticmethod
    def empty(nodes: int, columns: int, *, near: bool) -> LooseMass:
        shape = (3, 3, columns, columns)
        return LooseMass(np.zeros((columns, columns)), np.zeros((nodes, 6, 6)), np.zeros(shape) if near else None)


def isotropic_blocks(mass: FloatArray, components: int) -> FloatArray | None:
    """Scalar mass M_s (m, p, p) if every matrix (m, p c, p c) is M_s (x) 1 on translations and zero on rotations."""
    count, size = mass.shape[0], mass.shape[1]
    if components not in (3, 6) or size % components:
        return None
    nodes = size // components
    blocks = mass.reshape(count, nodes, components, nodes, components).transpose(0, 1, 3, 2, 4)
    scalar = blocks[..., 0, 0]
    wanted = np.zeros((components, components))
    wanted[:3, :3] = np.eye(3)
    scale = float(np.abs(mass).max(initial=0.0))
    if np.abs(blocks - scalar[..., None, None] * wanted).max(initial=0.0) > 1e-12 * scale:
        return None
    return np.ascontiguousarray(scalar)


def lumped_integrals(positions: FloatArray, X: FloatArray, mass: LooseMass) -> tuple[ModalIntegrals, float]:
    """Calibrated integrals, and the relative mismatch of the nodal bodies before calibration (0: exact).

    positions (n, 3) from O; X (n, 6, 6 + k) = [S, Phi].
    """
    phi = X[:, :, 6:]
    exact, _ = integrals_of_sums(_with_trace(mass.total))
    masses, offset, inertia = _bodies_of_rows(positions, mass.rows)
    candidates = []
    for arm, own in ((offset, inertia), (0.0 * offset, 0.0 * inertia)):  # rigid bodies, or particles alone
        lumped = nodal_body_integrals(positions, masses, arm, own, phi[:, :3], phi[:, 3:])
        candidates.append((_mismatch(lumped, exact, positions), lumped))
    if mass.near is not None:
        field, _ = integrals_of_sums(mass.near)
        candidates.append((_mismatch(field, exact, positions), field))
    mismatch, lumped = min(candidates, key=lambda pair: pair[0])
    L = _with_spin(lumped.position_shape, exact.rotation)
    gap = (exact.modal_mass - np.trace(lumped.shape_shape)) / 3.0
    N = lumped.shape_shape + np.eye(3)[:, :, None, None] * gap
    calibrated = ModalIntegrals(
        mass=exact.mass,
        center=exact.center,
        inertia=exact.inertia,
        translation=exact.translation,
        rotation=exact.rotation,
        position_shape=L,
        shape_shape=N,
        modal_mass=exact.modal_mass,
        turn_first=lumped.turn_first,
        turn_second=lumped.turn_second,
        turn_shape=lumped.turn_shape,
    )
    return calibrated, mismatch


def _with_spin(L: FloatArray, H: FloatArray) -> FloatArray:
    """The symmetric part of L, and the skew part that int r x phi = H gives."""
    return np.asarray(0.5 * (L + L.transpose(1, 0, 2)) + 0.5 * np.einsum("abc,ck->abk", LEVI_CIVITA, H))


def realizable(integrals: ModalIntegrals) -> ModalIntegrals:
    """The same m, c, J0, P, H, Me with L and N that some displacement field has.

    int f f' dm of f = (1, r, phi) would otherwise not be a sum of squares, and no vehicle could be built on it.
    The symmetric part of L shrinks until the modes keep mass beside the affine functions; of N what is left of the affine
    functions loses its negative part and is brought back to the trace Me by a map of the modes.
    """
    q, k = integrals, integrals.count
    if k == 0:
        return q
    size = q.sizes
    inverse = _affine_inverse(q.moments)
    whole, least = _with_spin(q.position_shape, q.rotation), _with_spin(0.0 * q.position_shape, q.rotation)

    def beside(share: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        L = least + share * (whole - least)
        first = np.concatenate([q.translation[None], L])
        affine = np.einsum("pak,pq,qbl->abkl", first, inverse, first, optimize=True)
        return L, affine, (q.modal_mass - np.trace(affine)) / np.outer(size, size)

    low, high = 0.0, 1.0
    if np.linalg.eigvalsh(beside(1.0)[2])[0] < -_ROUND_OFF:
        for _ in range(40):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if np.linalg.eigvalsh(beside(middle)[2])[0] >= 0.0 else (low, middle)
        high = low
    L, affine, wanted = beside(high)
    scaled = (q.shape_shape - affine) / np.outer(size, size)
    flat = symmetric(scaled.transpose(0, 2, 1, 3).reshape(3 * k, 3 * k))
    values, axes = np.linalg.eigh(flat)
    if values[0] >= -_ROUND_OFF and high == 1.0:
        return q
    kept = ((axes * np.maximum(values, 0.0)) @ axes.T).reshape(3, k, 3, k).transpose(0, 2, 1, 3)
    here, back = _root(np.trace(kept)), _root(np.trace(kept), inverse=True)
    T = back @ _root(here @ wanted @ here) @ back  # the map closest to 1 with T' tr(kept) T = wanted
    remainder = T.T @ kept @ T
    gap = (wanted - np.trace(remainder)) / 3.0  # modes that the clipped part does not move at all
    remainder = remainder + np.eye(3)[:, :, None, None] * gap
    N = affine + np.outer(size, size) * remainder
    return replace(q, position_shape=L, shape_shape=N)


def _root(matrix: FloatArray, *, inverse: bool = False) -> FloatArray:
    """Symmetric square root of a positive semidefinite matrix, or its pseudo-inverse."""
    values, axes = np.linalg.eigh(symmetric(matrix))
    root = np.sqrt(np.maximum(values, 0.0))
    if inverse:
        root = np.divide(1.0, root, out=np.zeros_like(root), where=root > 1e-7 * max(float(root.max()), 1e-300))
    return np.asarray((axes * root) @ axes.T)


def _affine_inverse(gamma: FloatArray) -> FloatArray:
    """Pseudo-inverse of int xh xh' dm, scaled by its diagonal."""
    size = np.sqrt(np.maximum(np.diag(gamma), 0.0))
    safe = np.where(size > 0.0, size, np.inf)
    return np.asarray(np.linalg.pinv(gamma / np.outer(safe, safe), rcond=1e-12, hermitian=True) / np.outer(safe, safe))


def _mismatch(lumped: ModalIntegrals, exact: ModalIntegrals, positions: FloatArray) -> float:
    """Largest disagreement in Me, P and H relative to their bounds."""
    scale_m = max(float(np.abs(exact.modal_mass).max(initial=0.0)), 1e-300)
    scale_p = max(float(np.sqrt(max(exact.mass, 0.0) * scale_m)), 1e-300)
    reach = max(float(np.abs(positions).max(initial=0.0)), 1e-300)
    return max(
        float(np.abs(lumped.modal_mass - exact.modal_mass).max(initial=0.0)) / scale_m,
        float(np.abs(lumped.translation - exact.translation).max(initial=0.0)) / scale_p,
        float(np.abs(lumped.rotation - exact.rotation).max(initial=0.0)) / max(scale_p * reach, 1e-300),
    )


def _with_trace(total: FloatArray) -> FloatArray:
    """A G whose trace over the axes is ``total`` (its L and N are meaningless)."""
    return np.asarray(np.eye(3)[:, :, None, None] * total / 3.0)


def _bodies_of_rows(positions: FloatArray, rows: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mass, offset and central inertia of the rigid body that the rows of M S about O show at each node.

    Rows about the node itself: (M S) T with T = [1, x~; 0, 1], since rotation about the node is rotation
    about O plus a translation.
    """
    T = rigid_columns(-positions)
    own = rows @ T
    mass = np.trace(own[:, :3, :3], axis1=1, axis2=2) / 3.0
    coupling = 0.5 * (own[:, 3:, :3] - own[:, 3:, :3].transpose(0, 2, 1))  # s~
    first = np.stack([coupling[:, 2, 1], coupling[:, 0, 2], coupling[:, 1, 0]], axis=1)
    about_node = symmetric(own[:, 3:, 3:])
    safe = np.where(np.abs(mass) > 1e-14 * max(float(np.abs(mass).max(initial=0.0)), 1e-300), mass, np.inf)
    offset = first / safe[:, None]
    square = np.einsum("na,na->n", offset, offset)
    parallel = mass[:, None, None] * (square[:, None, None] * np.eye(3) - np.einsum("na,nb->nab", offset, offset))
    return mass, offset, about_node - parallel
