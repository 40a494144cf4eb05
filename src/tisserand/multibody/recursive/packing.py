"""Packing of profiles, appendages and nodes into the flat float array.

Serves theory section 5.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import LEVI_CIVITA, FloatArray
from tisserand.multibody.body_integrals import carried_integrals
from tisserand.multibody.displacement_field import DisplacementField
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


def pack_block(pack: Packer, block: FlexBlock, reference: FloatArray, first: int, local: int) -> list[int]:
    """One row of the block table, about the body's reference point.

    Floats of a plain block: P, H (n, 3), J1 (n, 6), rows of J2 (6) and Kx (3); of a second-degree field see the layout.
    """
    integrals = carried_integrals(block.integrals, np.eye(3), -reference)
    n = integrals.count
    field = block.field(reference)
    turn = has_second_degree(block)
    bodies, psi, more = len(field.bodies), False, 0
    if turn:
        f, more = _pack_field(pack, field, integrals)
        psi = any(part.any() for part in field.bodies.psi(False))
        body = _pack_bodies(pack, field, psi)
    else:
        J2, J1 = integrals.inertia_second, integrals.inertia_first
        f = pack.floats(integrals.translation.T)
        pack.floats(integrals.rotation.T)
        pack.floats(np.stack([J1[i, j] for i, j in SIX], axis=-1))
        pack.floats(np.concatenate([*(J2[i, j] for i, j in SIX), *integrals.cross], axis=1))
        body, bodies = 0, 0
    stiffness, damping = np.asarray(block.mount.record.stiffness), np.asarray(block.mount.record.damping)
    scale = max(float(np.abs(stiffness).max(initial=0.0)), 1e-300)
    scale_d = max(float(np.abs(damping).max(initial=0.0)), 1e-300)
    off = max(
        float(np.abs(stiffness - np.diag(np.diag(stiffness))).max(initial=0.0)) / scale,
        float(np.abs(damping - np.diag(np.diag(damping))).max(initial=0.0)) / scale_d,
    )
    fs = pack.floats(stiffness)
    pack.floats(damping)
    level = at.LEVELS[block.level]
    return [n, first, local, level, int(turn), f, fs, int(off < 1e-14), bodies, int(psi), body, more]


def has_second_degree(block: FlexBlock) -> bool:
    """Whether the block's inertia changes by a second-degree field."""
    return block.level != "constant" and (len(block.bodies) > 0 or block.integrals.turns)


def padded_rows(field: DisplacementField) -> int:
    """Rows of the modal part of a field, filled up to a multiple of four."""
    return -4 * (-len(field.modal_part) // 4)


def _pack_field(pack: Packer, field: DisplacementField, whole: ModalIntegrals) -> tuple[int, int]:
    """Floats of the completed field of a block (see the layout), and the rows of its modal part."""
    n, part, more = field.count, field.modal_part, padded_rows(field)
    W, e, U = np.zeros((more, n)), np.zeros((more, n, n)), np.zeros((more, n))
    W[: len(part)], e[: len(part)], U[: len(part)] = part.first, part.second, part.mix.T
    N, c = field.remainder, field.second.reshape(12, n, n)
    N = 0.5 * (N + N.transpose(1, 0, 3, 2))
    f = pack.floats([field.root_mass])
    pack.floats(whole.mass * whole.center)
    pack.floats([whole.inertia[i, j] for i, j in SIX])
    pack.floats(field.place)
    pack.floats(field.first.reshape(12, n))
    pack.floats(W)
    rows = [0.5 * (N[i, j] + N[j, i]) for i, j in SIX]
    rows += list(np.einsum("abc,bckl->akl", LEVI_CIVITA, N))
    pack.floats(np.concatenate([*rows, *(0.5 * (one + one.T) for one in c), *e], axis=1))
    pack.floats(U)
    return f, more


def _pack_bodies(pack: Packer, field: DisplacementField, psi: bool) -> int:
    """Floats of the turning bodies of a block, one after the other: see the layout."""
    b = field.bodies
    f = pack.floats([])
    both = np.concatenate(b.psi(False), axis=1)
    for i in range(len(b)):
        pack.floats([b.masses[i], *b.offsets[i], *b.inertias[i].ravel(), *b.positions[i]])
        pack.floats(b.translation[i].T)
        pack.floats(b.rotation[i].T)
        if psi:
            pack.floats(np.concatenate(list(both[i]), axis=1))
    return f


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
