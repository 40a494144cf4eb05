"""Packing of profiles, appendages and nodes into the flat float array.

Serves theory section 5.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import LEVI_CIVITA, FloatArray
from tisserand.multibody.profiles import Profile
from tisserand.multibody.recursive import layout as at
from tisserand.multibody.tree import FlexBlock, FlexNode, TreeBody

#: Order of the six components of a symmetric 3 x 3 matrix.
SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


class Packer:
    """Grows the float array; profiles are stored once."""

    def __init__(self) -> None:
        self.data: list[float] = []
        self.profile_rows: list[list[int]] = []
        self._known: dict[int, int] = {}

    def floats(self, values: ArrayLike) -> int:
        """Append values; their offset."""
        place = len(self.data)
        self.data.extend(np.asarray(values, float).ravel().tolist())
        return place

    def profile(self, profile: Profile | None) -> int:
        """Number of a profile in the table, -1 for None."""
        if profile is None:
            return -1
        if id(profile) not in self._known:
            self._known[id(profile)] = len(self.profile_rows)
            f = self.floats(profile.starts)
            self.floats(profile.pieces)
            self.profile_rows.append([len(profile.starts), f])
        return self._known[id(profile)]


def pack_block(pack: Packer, block: FlexBlock, integrals: ModalIntegrals, first: int, local: int) -> list[int]:
    """One row of the block table; floats P, H (n, 3), J1 (n, 6), rows of J2 (6), Kx (3), and e, a (3 + 3) if they exist.

    J2 holds the second-degree turn too: J2 + 2 tr(A) 1 - A - A'; e_a = eps_abc A_bc.
    """
    n = integrals.count
    A, a = integrals.turn_second, integrals.turn_first
    turn = bool(np.any(A) or np.any(a))
    J2 = integrals.inertia_second + 2.0 * np.eye(3)[:, :, None, None] * np.trace(A) - A - A.transpose(1, 0, 2, 3)
    J1 = integrals.inertia_first
    parts = [J2[i, j] for i, j in SIX] + list(integrals.cross)
    if turn:
        parts += list(np.einsum("abc,bckl->akl", LEVI_CIVITA, A)) + list(a)
    f = pack.floats(integrals.translation.T)
    pack.floats(integrals.rotation.T)
    pack.floats(np.stack([J1[i, j] for i, j in SIX], axis=-1))
    pack.floats(np.concatenate(parts, axis=1))
    stiffness, damping = np.asarray(block.mount.record.stiffness), np.asarray(block.mount.record.damping)
    scale = max(float(np.abs(stiffness).max(initial=0.0)), 1e-300)
    scale_d = max(float(np.abs(damping).max(initial=0.0)), 1e-300)
    off = max(
        float(np.abs(stiffness - np.diag(np.diag(stiffness))).max(initial=0.0)) / scale,
        float(np.abs(damping - np.diag(np.diag(damping))).max(initial=0.0)) / scale_d,
    )
    fs = pack.floats(stiffness)
    pack.floats(damping)
    return [n, first, local, at.LEVELS[block.level], int(turn), f, fs, int(off < 1e-14)]


def pack_node(
    pack: Packer, body: TreeBody, k: int, node: object, reference: FloatArray, eta: dict[str, slice]
) -> list[int]:
    """One row of the node table; floats: position, phi (n, 3), theta (n, 3), second-degree columns (6, n, n) if any."""
    assert isinstance(node, FlexNode)
    block = body.blocks[node.block]
    local = sum(b.integrals.count for b in body.blocks[: node.block])
    second = bool(np.any(node.translation_second) or np.any(node.rotation_second))
    f = pack.floats(node.position - reference)
    pack.floats(node.translation.T)
    pack.floats(node.rotation.T)
    if second:
        pack.floats(node.translation_second)
        pack.floats(node.rotation_second)
    return [k, block.integrals.count, eta[block.name].start, local, f, int(second), 0]
