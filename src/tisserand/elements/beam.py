"""Beams in space: Euler-Bernoulli and Timoshenko, tapered, offset, pinned, with any recipe of mass.

References: [Przemieniecki1968]; directional mass: theory section 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, skew
from tisserand.elements._beam_field import BeamField, beam_field
from tisserand.elements._beam_geometric import beam_geometric_stiffness
from tisserand.elements._beam_mass import (
    bending_rotary_inertia,
    coupled_field,
    coupled_local,
    half_member_moments,
    lumped_end_moments,
    member_moments,
    moments_in_axes,
    section_moments,
)
from tisserand.elements._beam_section import SectionValues, section_values
from tisserand.elements._lines import axis_and_length, element_axes
from tisserand.elements._moments import directional_matrices, point_moments, rigid_matrices
from tisserand.elements.element_data import Prepared, TurningMasses
from tisserand.model import BeamBlock, StructuralModel


@dataclass(frozen=True, eq=False)
class _Beams:
    """A prepared block of beams.

    Axes (m, 3, 3) rows, length (m,), section values, the static field, end motions from nodal ones with pins released
    (m, 12, 12), and the stiffness over nodal dofs (m, 12, 12), basic axes.
    """

    axes: FloatArray
    length: FloatArray
    section: SectionValues
    field: BeamField
    ends: FloatArray
    stiffness: FloatArray


def release(stiffness: FloatArray, pinned: BoolArray) -> tuple[FloatArray, FloatArray]:
    """End motions C (m, 12, 12) when the pinned ones (m, 12) carry no force, and the stiffness C'K C that is left.

    Eliminates one end dof at a time; a dof whose stiffness is gone already (both ends of a twist released) gets
    no motion. What is left of a stiffness by cancellation is set to zero.
    """
    C = np.broadcast_to(np.eye(12), stiffness.shape).copy()
    k = stiffness.copy()
    original = np.einsum("mii->mi", stiffness)
    for i in np.flatnonzero(pinned.any(axis=0)):
        rows = np.flatnonzero(pinned[:, i])
        pivot = k[rows, i, i]
        usable = pivot > 1e-10 * original[rows, i]
        step = np.broadcast_to(np.eye(12), (len(rows), 12, 12)).copy()
        step[:, i] = -k[rows, i] * np.divide(1.0, pivot, out=np.zeros_like(pivot), where=usable)[:, None]
        step[:, i, i] = 0.0
        k[rows] = step.swapaxes(1, 2) @ k[rows] @ step
        C[rows] = C[rows] @ step
    size = np.sqrt(np.maximum(original, 0.0))
    return C, np.where(np.abs(k) > 1e-13 * size[:, :, None] * size[:, None, :], k, 0.0)


def _prepare(model: StructuralModel, block: BeamBlock) -> _Beams:
    ends = model.nodes.positions[block.nodes] + block.offsets
    along, length = axis_and_length("beam", block.ids, ends[:, 0], ends[:, 1])
    axes = element_axes("beam", block.ids, along, block.orientation)
    section = section_values(model, block)
    field = beam_field(section, length)
    m, carry = len(block), _carry(axes, block)
    stiffness, ends = field.stiffness, carry
    if block.releases.any():
        C, stiffness = release(field.stiffness, block.releases.reshape(m, 12))
        ends = C @ carry
    return _Beams(axes, length, section, field, ends, carry.swapaxes(1, 2) @ stiffness @ carry)


def _carry(axes: FloatArray, block: BeamBlock) -> FloatArray:
    """(m, 12, 12): motions of the ends in element axes from nodal ones; offsets are rigid."""
    carry = np.zeros((len(block), 12, 12))
    for end in (0, 1):
        at = slice(6 * end, 6 * end + 3)
        turn = slice(6 * end + 3, 6 * end + 6)
        carry[:, at, at] = carry[:, turn, turn] = axes
        carry[:, at, turn] = -axes @ skew(block.offsets[:, end])
    return carry


def _field_moments(beams: _Beams) -> tuple[FloatArray, FloatArray]:
    """Weighted mass moments (m, g, 4, 4) and section motion (m, g, 6, 12), both in basic axes over nodal dofs."""
    points = beams.field.points
    weight = np.outer(beams.length, points.weight)
    moments = weight[:, :, None, None] * section_moments(beams.section, points.fraction)
    moments = moments_in_axes(moments, beams.axes, np.zeros((*weight.shape, 3)))
    local = (beams.field.motion @ beams.ends[:, None]).reshape(*weight.shape, 2, 3, 12)
    motion = np.einsum("mji,mgpjb->mgpib", beams.axes, local).reshape(*weight.shape, 6, 12)
    return moments, motion


def _coupled_moments(beams: _Beams) -> tuple[FloatArray, FloatArray]:
    """The same of the coupled recipe."""
    moments, motion = coupled_field(beams.section, beams.length)
    local = (motion @ beams.ends[:, None]).reshape(*moments.shape[:2], 2, 3, 12)
    return moments, np.einsum("mji,mgpjb->mgpib", beams.axes, local).reshape(*moments.shape[:2], 6, 12)


def _end_moments(beams: _Beams, block: BeamBlock, recipe: str) -> FloatArray:
    """Moments (m, 2, 4, 4) about the nodes for the recipes that put mass at the ends."""
    if recipe == "bodies":
        return half_member_moments(beams.section, beams.length, beams.axes, block.offsets)
    if recipe == "lumped":
        return lumped_end_moments(beams.section, beams.length, beams.axes, block.offsets)[0]
    mass = member_moments(beams.section, beams.length)[:, 0, 0]
    return point_moments(np.repeat(0.5 * mass[:, None], 2, axis=1), np.zeros((len(mass), 2, 3)))


def _blocks_at_nodes(per_node: FloatArray) -> FloatArray:
    """(m, 2, ..., 6, 6) to block-diagonal (m, ..., 12, 12)."""
    m, middle = len(per_node), per_node.shape[2:-2]
    out = np.zeros((m, *middle, 12, 12))
    out[..., :6, :6], out[..., 6:, 6:] = per_node[:, 0], per_node[:, 1]
    return out


class PreparedBeams(Prepared):
    """Two-node beams over [u; beta] of both nodes, basic axes."""

    block: BeamBlock

    @cached_property
    def _beams(self) -> _Beams:
        return _prepare(self.model, self.block)

    @cached_property
    def _moments(self) -> tuple[FloatArray, FloatArray]:
        return _field_moments(self._beams)

    def stiffness(self) -> FloatArray:
        return self._beams.stiffness

    def mass(self, recipe: str) -> FloatArray:
        beams, block = self._beams, self.block
        if recipe == "consistent":
            moments, motion = self._moments
            return np.asarray((motion.swapaxes(-1, -2) @ rigid_matrices(moments) @ motion).sum(axis=1))
        if recipe == "coupled":
            local = coupled_local(beams.section, beams.length)
            return np.asarray(beams.ends.swapaxes(1, 2) @ local @ beams.ends)
        mass = _blocks_at_nodes(rigid_matrices(_end_moments(beams, block, recipe)))
        if recipe == "lumped" and block.recipe == "beam":
            polar = lumped_end_moments(beams.section, beams.length, beams.axes, block.offsets)[1]
            dyad = polar[:, None, None] * beams.axes[:, 0, :, None] * beams.axes[:, 0, None, :]
            mass[:, 3:6, 3:6] += dyad
            mass[:, 9:, 9:] += dyad
        if recipe == "lumped" and block.recipe == "rotary bar":
            rotary = bending_rotary_inertia(beams.section, beams.length, beams.axes)
            mass[:, 3:6, 3:6] += rotary
            mass[:, 9:, 9:] += rotary
        return mass

    def directional_mass(self, recipe: str) -> FloatArray | None:
        if recipe == "lumped" and self.block.recipe != "bar":
            return None
        if recipe in ("consistent", "coupled"):
            moments, motion = self._moments if recipe == "consistent" else _coupled_moments(self._beams)
            return np.asarray(
                np.einsum("mgia,mgzij,mgjb->mzab", motion, directional_matrices(moments), motion, optimize=True)
            )
        return _blocks_at_nodes(directional_matrices(_end_moments(self._beams, self.block, recipe)))

    def turning_masses(self, recipe: str) -> TurningMasses | None:
        """Cross-sections at the stations of the field, or the bodies at the ends; None without a displacement field."""
        if recipe == "coupled" or (recipe == "lumped" and self.block.recipe != "bar"):
            return None
        beams, nodes = self._beams, self.model.nodes.positions[self.block.nodes]
        if recipe == "consistent":
            moments, motion = self._moments
            along = np.outer(beams.length, beams.field.points.fraction)
            start = nodes[:, 0] + self.block.offsets[:, 0]
            positions = start[:, None] + along[:, :, None] * beams.axes[:, None, 0]
            return TurningMasses(positions, moments, motion[:, :, 3:], motion[:, :, :3])
        turn, move = np.zeros((2, len(self), 2, 3, 12))
        turn[:, 0, :, 3:6] = turn[:, 1, :, 9:] = np.eye(3)
        move[:, 0, :, :3] = move[:, 1, :, 6:9] = np.eye(3)
        return TurningMasses(nodes, _end_moments(beams, self.block, recipe), turn, move)

    def geometric_states(self, displacements: FloatArray) -> Iterator[FloatArray]:
        """(m, 12, 12) from axial and shear forces, torque and moments (``_beam_geometric``)."""
        beams, block = self._beams, self.block
        carry, arms = _carry(beams.axes, block), self.model.nodes.positions[block.nodes]
        arms = arms - arms.mean(axis=1, keepdims=True)
        for k in range(displacements.shape[2]):
            nodal = np.asarray(displacements[:, :, k])[block.nodes].reshape(len(block), 12, 1)
            moved = (beams.ends @ nodal)[..., 0]
            forces = (beams.stiffness @ nodal).reshape(len(block), 2, 6)
            yield beam_geometric_stiffness(
                beams.axes,
                beams.length,
                beams.section,
                field=beams.field,
                carry=carry,
                ends=beams.ends,
                arms=arms,
                offsets=block.offsets,
                forces=forces,
                moved=moved,
            )

    def resultants(self, displacement: FloatArray) -> dict[str, FloatArray]:
        """Section forces about the shear center, element axes, on the face with outward normal x.

        ``axial force``, ``shear y``, ``shear z`` (m,) N; ``torque`` (m,) N m; ``moment y``, ``moment z`` (m,
        2) N m at ends a and b. Tension is positive.
        """
        beams = self._beams
        nodal = displacement[self.nodes].reshape(len(self), 12)
        loads = np.einsum("mij,mjk,mk->mi", beams.field.stiffness, beams.ends, nodal, optimize=True)
        end_a, end_b = -loads[:, :6], loads[:, 6:]
        return {
            "axial force": end_b[:, 0],
            "shear y": end_b[:, 1],
            "shear z": end_b[:, 2],
            "torque": end_b[:, 3],
            "moment y": np.stack([end_a[:, 4], end_b[:, 4]], axis=1),
            "moment z": np.stack([end_a[:, 5], end_b[:, 5]], axis=1),
        }


PREPARED = PreparedBeams
