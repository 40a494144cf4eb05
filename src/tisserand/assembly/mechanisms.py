"""Motions without strain energy beyond the rigid body: found by inverse iteration, named by the nodes that
move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.singular import loose_dofs
from tisserand.assembly.types import AssembledModel
from tisserand.linalg import factorise

#: Small stiffness added to every dof for the factorisation, as a share of its own.
_SHIFT = 1e-9
#: A strain energy below this many units of round-off in x'K x is zero.
_ROUNDING = 2e3 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class Mechanisms:
    """shapes (d, k): strain-free motions apart from the rigid ones; complete: False when there are more than
    k.
    """

    shapes: FloatArray
    complete: bool

    def __len__(self) -> int:
        return int(self.shapes.shape[1])

    def moving_nodes(self, model: AssembledModel, most: int = 10) -> IntArray:
        """Ids of the nodes that move most, strongest first."""
        reach = float(np.ptp(model.nodes.positions, axis=0).max()) or 1.0
        size = np.abs(self.shapes) * np.where(model.dofs.component >= 3, reach, 1.0)[:, None]
        size = (size / np.maximum(size.max(axis=0), 1e-300)).max(axis=1)
        share = np.zeros(len(model.nodes))
        np.maximum.at(share, model.dofs.node, size)
        rows = np.argsort(-share, kind="stable")[:most]
        return np.asarray(model.nodes.ids[rows[share[rows] > 0.1]])


def find_mechanisms(model: AssembledModel, held: BoolArray, most: int = 24) -> Mechanisms:
    """Strain-free motions with the given dofs held, rigid-body motion aside.

    K, scaled to unit diagonal, is factorised with a small shift; a block iterated with its inverse, kept
    orthogonal to the rigid motions, turns into the softest shapes. Those whose strain energy is round-off are
    mechanisms.
    """
    free = np.flatnonzero(~held)
    if not len(free):
        return Mechanisms(np.zeros((model.size, 0)), True)
    K = csr_array(model.stiffness[free][:, free])
    diagonal = K.diagonal()
    size = np.sqrt(np.where(diagonal > 0.0, diagonal, max(float(diagonal.max(initial=0.0)), 1.0)))
    scaled = csr_array(diags_array(1.0 / size) @ K @ diags_array(1.0 / size))
    scaled.sort_indices()
    rigid = _allowed_rigid(model, held, scaled, size)
    width = min(max(len(free) - rigid.shape[1], 0), most)
    if width == 0:
        return Mechanisms(np.zeros((model.size, 0)), True)
    factor = factorise(
        csr_array(scaled + diags_array(np.full(len(free), _SHIFT))), groups=model.dofs.node[free]
    )
    block = np.random.default_rng(0).standard_normal((len(free), width))
    for _ in range(4):
        block -= rigid @ (rigid.T @ block)
        block = np.linalg.qr(factor.solve(np.linalg.qr(block)[0]))[0]
    block -= rigid @ (rigid.T @ block)
    block = np.linalg.qr(block)[0]
    _, turn = np.linalg.eigh(np.asarray(block.T @ (scaled @ block)))
    block = block @ turn
    null = strain_free(scaled, block)
    shapes = np.zeros((model.size, int(null.sum())))
    shapes[free] = block[:, null] / size[:, None]
    return Mechanisms(shapes, not null.all() or width == len(free) - rigid.shape[1])


def strain_free(matrix: csr_array, vectors: FloatArray) -> BoolArray:
    """(k,) True where x'K x is round-off: |x'K x| <= c eps |x|'|K||x|."""
    absolute = csr_array((np.abs(matrix.data), matrix.indices, matrix.indptr), shape=matrix.shape)
    noise = np.einsum("ik,ik->k", np.abs(vectors), absolute @ np.abs(vectors))
    energy = np.abs(np.einsum("ik,ik->k", vectors, matrix @ vectors))
    return np.asarray(energy <= _ROUNDING * noise)


def _allowed_rigid(model: AssembledModel, held: BoolArray, scaled: csr_array, size: FloatArray) -> FloatArray:
    """Orthonormal rigid motions that the held dofs and the stiffness allow, in scaled dofs.

    A held dof without stiffness at its node binds no motion.
    """
    reach = float(np.ptp(model.nodes.positions, axis=0).max()) or 1.0
    loose = loose_dofs(model.stiffness, model.dofs, reach)
    binding = held & ~loose[model.dofs.node, model.dofs.component]
    center = model.nodes.positions.mean(axis=0)
    S = np.array(model.rigid_body_vectors)
    x, y, z = center
    T = S[:, :3].copy()
    S[:, 3] += T[:, 1] * z - T[:, 2] * y
    S[:, 4] += T[:, 2] * x - T[:, 0] * z
    S[:, 5] += T[:, 0] * y - T[:, 1] * x
    S[:, 3:] /= reach
    allowed = np.eye(6)
    if binding.any():
        _, values, rows = np.linalg.svd(S[binding], full_matrices=True)
        rank = int((values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)).sum())
        allowed = rows[rank:].T
    motion = size[:, None] * (S @ allowed)[~held]
    left, values, _ = np.linalg.svd(motion, full_matrices=False)
    left = left[:, values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)]
    left = left @ np.linalg.eigh(left.T @ (scaled @ left))[1]  # springs to ground may resist a combination
    return np.asarray(left[:, strain_free(scaled, left)])
