"""Profiles, appendages and nodes as records of the model, their long rows in the array of constants.

Serves theory section 5.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import LEVI_CIVITA, FloatArray
from tisserand.multibody.displacement_field import DisplacementField
from tisserand.multibody.profiles import Profile
from tisserand.multibody.recursive.engine_model import BLOCK, LEVELS, NODE, PROFILE, TURNING
from tisserand.multibody.tree import FlexBlock, FlexNode, TreeBody

#: Order of the six components of a symmetric 3 x 3 matrix.
SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


def row(dtype: np.dtype[Any], **values: Any) -> Any:
    """One record of a table; what is not given is zero."""
    out = np.zeros((), dtype)
    for name, value in values.items():
        out[name] = value
    return out


def rows(dtype: np.dtype[Any], records: list[Any]) -> Any:
    """A table of records."""
    return np.array(records, dtype) if records else np.zeros(0, dtype)


class Packer:
    """Collects the constants; profiles are stored once."""

    def __init__(self) -> None:
        self.profiles: list[Any] = []
        self.turning: list[Any] = []
        self._parts: list[FloatArray] = [np.zeros(1)]
        self._size = 1
        self._known: dict[int, int] = {}

    def floats(self, values: ArrayLike) -> int:
        """Append values; their place."""
        place, part = self._size, np.array(values, float).ravel()
        self._parts.append(part)
        self._size += len(part)
        return place

    @property
    def constants(self) -> FloatArray:
        """All of them."""
        return np.concatenate(self._parts)

    def profile(self, profile: Profile | None) -> int:
        """Number of a profile in the table, -1 for None."""
        if profile is None:
            return -1
        if id(profile) not in self._known:
            self._known[id(profile)] = len(self.profiles)
            starts, curves = self.floats(profile.starts), self.floats(profile.pieces)
            self.profiles.append(row(PROFILE, pieces=len(profile.starts), starts=starts, curves=curves))
        return self._known[id(profile)]


def pack_block(pack: Packer, block: FlexBlock, reference: FloatArray, first: int) -> Any:
    """The record of an appendage about its body's reference point; ``first`` is its first mode."""
    integrals = block.carried.integrals_about(reference)
    stiffness, damping = np.asarray(block.mount.record.stiffness), np.asarray(block.mount.record.damping)
    out = row(
        BLOCK,
        modes=integrals.count,
        mode=first,
        level=LEVELS[block.level],
        diagonal=_is_diagonal(stiffness) and _is_diagonal(damping),
        stiffness=pack.floats(stiffness),
        damping=pack.floats(damping),
    )
    if has_second_degree(block):
        _pack_field(pack, out, block.field(reference), integrals)
        return out
    J2, J1 = integrals.inertia_second, integrals.inertia_first
    out["P"], out["H"] = pack.floats(integrals.translation.T), pack.floats(integrals.rotation.T)
    out["J1"] = pack.floats(np.stack([J1[i, j] for i, j in SIX], axis=-1))
    out["J2"] = pack.floats(np.concatenate([*(J2[i, j] for i, j in SIX), *integrals.cross], axis=1))
    return out


def _is_diagonal(matrix: FloatArray) -> bool:
    """Whether nothing but round-off stands off the diagonal."""
    scale = max(float(np.abs(matrix).max(initial=0.0)), 1e-300)
    return float(np.abs(matrix - np.diag(np.diag(matrix))).max(initial=0.0)) < 1e-14 * scale


def has_second_degree(block: FlexBlock) -> bool:
    """Whether the block's inertia changes by a second-degree field."""
    return block.level != "constant" and (len(block.bodies) > 0 or block.integrals.turns)


def padded_rows(field: DisplacementField) -> int:
    """Rows of the modal part of a field, filled up to a multiple of four."""
    return -4 * (-len(field.modal_part) // 4)


def _pack_field(pack: Packer, out: Any, field: DisplacementField, whole: ModalIntegrals) -> None:
    """Complete the record of a block that moves by a second-degree field."""
    n, part, more = field.count, field.modal_part, padded_rows(field)
    W, e, U = np.zeros((more, n)), np.zeros((more, n, n)), np.zeros((more, n))
    W[: len(part)], e[: len(part)], U[: len(part)] = part.first, part.second, part.mix.T
    N, c = field.remainder, field.second.reshape(12, n, n)
    N = 0.5 * (N + N.transpose(1, 0, 3, 2))
    forms = [0.5 * (N[i, j] + N[j, i]) for i, j in SIX]
    forms += list(np.einsum("abc,bckl->akl", LEVI_CIVITA, N))
    forms += [0.5 * (one + one.T) for one in c]
    out["second_degree"], out["more"] = 1, more
    out["root_mass"], out["first_B"] = field.root_mass, whole.mass * whole.center
    out["inertia_B"] = [whole.inertia[i, j] for i, j in SIX]
    out["place"] = np.ravel(field.place)
    out["shapes"] = pack.floats(np.concatenate([field.first.reshape(12, n), W]))
    out["forms"] = pack.floats(np.concatenate([*forms, *e], axis=1))
    out["mix"] = pack.floats(U)
    b, both = field.bodies, np.concatenate(field.bodies.psi(False), axis=1)
    out["psi"] = bool(both.any())
    out["turning"], out["first_turning"] = len(b), len(pack.turning)
    for i in range(len(b)):
        pack.turning.append(
            row(
                TURNING,
                mass=b.masses[i],
                offset=b.offsets[i],
                inertia=b.inertias[i],
                node=b.positions[i],
                translation=pack.floats(b.translation[i].T),
                rotation=pack.floats(b.rotation[i].T),
                psi=pack.floats(np.concatenate(list(both[i]), axis=1)) if out["psi"] else 0,
            )
        )


def pack_node(pack: Packer, body: TreeBody, number: int, node: FlexNode, reference: FloatArray, first: int) -> Any:
    """The record of a node of tree body ``number``; ``first`` is the first mode of its appendage."""
    squares = np.concatenate([node.translation_second, node.rotation_second])
    second = bool(squares.any())
    return row(
        NODE,
        body=number,
        modes=body.blocks[node.block].integrals.count,
        mode=first,
        second_degree=second,
        position=node.position - reference,
        translation=pack.floats(node.translation.T),
        rotation=pack.floats(node.rotation.T),
        squares=pack.floats(squares) if second else 0,
    )
