"""Stiffness forces of a motion, element by element, with the digits that the assembled sum loses.

A stiff body on a soft root moves almost rigidly: in the assembled matrix the stiffness of the root is lost in the last
digits of the body's. Element by element nothing is lost: the rigid motion of each element is removed before its
stiffness acts,
f = P'K_e P u, so that round-off in a stiff element leaves forces in equilibrium, which move nothing that is soft.

Rigid vectors of an element: theory section 1.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array, vstack

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assemble import chunks
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.axes import to_basic
from tisserand.elements.element_data import Prepared
from tisserand.elements.registry import prepare
from tisserand.model import DirectMatrix, ElementBlock, Nodes, StructuralModel

#: A motion is rigid for an element whose forces stay below this part of |K_e||r|.
_RIGID = 1e-10
#: Forces that differ from the assembled ones by more than this part of |K||x| come from other matrices (prestress, reductions).
_SAME = 1e-9
#: A direct matrix of more dofs than this is treated as a separate model.
_DIRECT = 2000
#: Element matrices up to this size are kept, larger sets are made anew for every product.
_KEEP_BYTES = 1 << 29
#: Strain below this part of an element's largest is round-off of the motion.
UNSTRAINED = 1e-8


@dataclass(frozen=True, eq=False)
class _Part:
    """Matrices and rigid motions of m elements.

    rows (m, nd) into the motions of ``ElementForces``; length (m,) m, by which rotations are multiplied, where
    ``turns`` (nd,); stiffness (m, nd, nd) over these; rigid (m, nd, r) orthonormal motions that K_e does not resist;
    ids (m,), zero for direct terms.
    """

    rows: IntArray
    turns: BoolArray
    length: FloatArray
    stiffness: FloatArray
    rigid: FloatArray
    ids: IntArray

    @property
    def scale(self) -> FloatArray:
        """(m, nd) 1, or the length at rotations."""
        return np.where(self.turns, self.length[:, None], 1.0)

    def deformation(self, motion: FloatArray) -> FloatArray:
        """(m, nd, k) motion of every element less its rigid part."""
        return self.without_rigid(motion[self.rows] * self.scale[:, :, None])

    def without_rigid(self, columns: FloatArray) -> FloatArray:
        """(m, nd, k) columns less their parts along the rigid motions, to the last digit."""
        for _ in range(2):
            columns = columns - self.rigid @ (self.rigid.swapaxes(1, 2) @ columns)
        return columns


class ElementForces:
    """K x of a model with known elements, from the elements: ``forces(x)`` over its independent dofs.

    blocks: of the structure, where not all of its elements are meant.
    """

    def __init__(
        self, model: AssembledModel, structure: StructuralModel, blocks: tuple[ElementBlock, ...] | None = None
    ) -> None:
        self._structure, self._count = structure, len(model.nodes)
        self._blocks = structure.elements if blocks is None else blocks
        every = np.arange(6 * self._count)
        turn = to_basic(model.nodes, every // 6, every % 6)
        ground = csr_array((1, model.size))
        self._reach = float(np.ptp(model.nodes.positions, axis=0).max()) or 1.0
        # motions in basic axes, in node axes, and that of the ground
        self._recovery = csr_array(vstack([model.recovery, turn.T @ model.recovery, ground]))

    def forces(self, shapes: FloatArray) -> FloatArray:
        """(d, k) stiffness forces of shapes (d, k)."""
        motion = self._recovery @ shapes
        out = np.zeros_like(motion)
        for part in self._parts():
            f = part.without_rigid(part.stiffness @ part.deformation(motion))
            np.add.at(out, part.rows, f * part.scale[:, :, None])
        return np.asarray(self._recovery.T @ out)

    def sum_of(self, shapes: FloatArray) -> FloatArray:
        """(d, k) the same forces with the round-off of a plain sum."""
        motion = self._recovery @ shapes
        out = np.zeros_like(motion)
        for part in self._parts():
            scale = part.scale[:, :, None]
            np.add.at(out, part.rows, scale * (part.stiffness @ (scale * motion[part.rows])))
        return np.asarray(self._recovery.T @ out)

    def digits(self, shapes: FloatArray) -> FloatArray:
        """(k,) change of x'K x when every term of every element is rounded in its last place, N m."""
        motion = self._recovery @ shapes
        total = np.zeros(shapes.shape[1])
        for part in self._parts():
            squares = part.deformation(motion) ** 2
            largest = np.abs(part.stiffness).max(axis=(1, 2), initial=0.0)  # squares of N/m must not overflow
            terms = (part.stiffness / np.where(largest > 0.0, largest, 1.0)[:, None, None]) ** 2
            total += np.einsum("m,mik,mik->k", largest**2, squares, terms @ squares)
        return np.asarray(0.5 * np.finfo(float).eps * np.sqrt(total))

    def unstrained(self, shapes: FloatArray) -> FloatArray:
        """(k, s) combinations of the shapes (d, k) that strain no element but by round-off.

        The forces in an element are measured against those that the largest motion of the shape could cause there.
        """
        motion = self._recovery @ shapes
        turning = np.arange(len(motion)) % 6 >= 3
        units = np.where(turning, self._reach, 1.0)
        size = np.abs(units[:, None] * motion).max(axis=0)
        motion = motion / np.where(size > 0.0, size, 1.0)
        largest = [float(np.abs(motion[mask]).max(initial=0.0)) for mask in (~turning, turning)]
        triangle = np.zeros((0, shapes.shape[1]))
        for part in self._parts():
            f = part.stiffness @ part.deformation(motion)
            stiff = np.sqrt(np.maximum(np.einsum("mii->mi", part.stiffness), 0.0))
            most = np.linalg.norm(stiff * np.where(turning[part.rows], largest[1], largest[0]) * part.scale, axis=1)
            possible = stiff * most[:, None]
            strain = np.divide(f, possible[:, :, None], out=np.zeros_like(f), where=possible[:, :, None] > 0.0)
            triangle = np.asarray(np.linalg.qr(np.vstack([triangle, strain.reshape(-1, shapes.shape[1])]), mode="r"))
        _, values, right = np.linalg.svd(triangle, full_matrices=True)
        strained = np.zeros(shapes.shape[1], np.bool_)
        strained[: len(values)] = values > UNSTRAINED
        return np.asarray(right[~strained].T / np.where(size > 0.0, size, 1.0)[:, None])

    def strained(self, shapes: FloatArray) -> tuple[int, ...]:
        """Ids of the elements that take a share above UNSTRAINED of the strain energy of one of the shapes (d, k)."""
        motion = self._recovery @ shapes
        ids, energies = [], []
        for part in self._parts():
            d = part.deformation(motion)
            ids.append(part.ids)
            energies.append(np.abs(np.einsum("mik,mik->mk", d, part.stiffness @ d)))
        if not ids:
            return ()
        energy = np.concatenate(energies)
        takes = (energy > UNSTRAINED * energy.sum(axis=0)).any(axis=1)
        return tuple(np.unique(np.concatenate(ids)[takes]).tolist())

    # -- the elements ----------------------------------------------------------------------------------------------
    def _parts(self) -> Iterator[_Part]:
        if self._kept is not None:
            yield from self._kept
            return
        yield from self._made()

    @cached_property
    def _kept(self) -> list[_Part] | None:
        out, size = [], 0
        for part in self._made():
            size += part.stiffness.nbytes + part.rigid.nbytes
            if size > _KEEP_BYTES:
                return None
            out.append(part)
        return out

    def _made(self) -> Iterator[_Part]:
        structure = self._structure
        for block in cast(tuple[Any, ...], self._blocks):
            if block.facts.one_matrix:
                if block.kind == "stiffness" and len(block):
                    yield self._direct(block)
                continue
            for part in chunks(structure, block):
                stiffness = part.stiffness()
                if stiffness is not None:
                    yield self._part(part, stiffness, structure.nodes)

    def _part(self, elements: Prepared, stiffness: FloatArray, nodes: Nodes) -> _Part:
        at, ground, ids = elements.nodes, 12 * self._count, np.asarray(elements.block.ids)
        m, k = at.shape
        if elements.named is not None:
            rows = np.where(at >= 0, 6 * (self._count + at) + elements.named, ground)
            rigid = np.full((m, k, 1), k**-0.5)
            return _part_of(_Part(rows, np.zeros(k, np.bool_), np.ones(m), stiffness, rigid, ids))
        parts = np.array(elements.components)
        rows = np.where((at >= 0)[:, :, None], 6 * at[:, :, None] + parts, ground).reshape(m, -1)
        x = nodes.positions[np.maximum(at, 0)]
        arm = x - x.mean(axis=1, keepdims=True)
        length = np.linalg.norm(arm, axis=2).max(axis=1)
        length = np.where(length > 0.0, length, 1.0)
        turns = np.tile(parts >= 3, k)
        rigid = np.zeros((m, k, 6, 6))
        rigid[:, :, :3, :3] = rigid[:, :, 3:, 3:] = np.eye(3)
        a = arm / length[:, None, None]
        for c, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):  # e_c . (theta x arm)
            rigid[:, :, c, 3 + i], rigid[:, :, c, 3 + j] = a[:, :, j], -a[:, :, i]
        rigid = rigid[:, :, parts].reshape(m, -1, 6)
        scale = np.where(turns, length[:, None], 1.0)
        scaled = stiffness / scale[:, :, None] / scale[:, None, :]
        return _part_of(_Part(rows, turns, length, scaled, _orthonormal(rigid), ids))

    def _direct(self, block: DirectMatrix) -> _Part:
        """Terms given directly, as one element that resists every motion."""
        places, where = np.unique(6 * (self._count + block.nodes) + block.components, return_inverse=True)
        stiffness = np.zeros((1, len(places), len(places)))
        where = where.reshape(-1, 2)
        np.add.at(stiffness[0], (where[:, 0], where[:, 1]), block.value)
        none = np.zeros((1, len(places), 0))
        return _Part(places[None], np.zeros(len(places), np.bool_), np.ones(1), stiffness, none, np.zeros(1, np.int64))


def _part_of(part: _Part) -> _Part:
    """The rigid motions stay where the element resists none of them (springs to ground resist, and those across a distance)."""
    stiffness, rigid = part.stiffness, part.rigid
    force = np.abs(stiffness @ rigid).max(axis=2)
    resists = (force > _RIGID * (np.abs(stiffness) @ np.abs(rigid)).max(axis=2).max(axis=1)[:, None]).any(axis=1)
    return replace(part, rigid=np.where(resists[:, None, None], 0.0, rigid))


def _orthonormal(rigid: FloatArray) -> FloatArray:
    """(m, nd, 6) orthonormal columns of the same span, zero where the motions depend on one another (rods, coincident nodes)."""
    left, values, _ = np.linalg.svd(rigid, full_matrices=False)
    full = np.zeros_like(rigid)
    full[:, :, : left.shape[2]] = np.where((values > 1e-9 * values[:, :1])[:, None, :], left, 0.0)
    return full


def large_terms(block: Any) -> bool:
    """Whether direct terms are a model of their own, too large to be treated as one element."""
    return block.facts.one_matrix and block.kind == "stiffness" and len(np.unique(block.nodes)) > _DIRECT // 6


def element_forces(model: AssembledModel) -> ElementForces | None:
    """The elements of a model whose stiffness is their sum; None for bare matrices, prestressed and reduced models."""
    if model.structure is None or any(large_terms(block) for block in model.structure.elements):
        return None
    found = ElementForces(model, model.structure)
    K = model.stiffness
    probe = np.cos(1.0 + np.arange(model.size) * 2.399963229728653)[:, None]
    absolute = csr_array((np.abs(K.data), K.indices, K.indptr), shape=K.shape)
    if (np.abs(found.sum_of(probe) - K @ probe) > _SAME * (absolute @ np.abs(probe))).any():
        return None
    return found


def largest_stiffness(structure: StructuralModel) -> float:
    """Largest diagonal term of any element, N/m or N m/rad."""
    matrices = (prepare(structure, block).stiffness() for block in structure.elements)
    return max(
        (float(np.abs(np.einsum("mii->mi", K)).max(initial=0.0)) for K in matrices if K is not None), default=0.0
    )
