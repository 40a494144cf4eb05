"""Beams of three nodes on a curve: quadratic positions, displacements and rotations, flexible in shear (CBEAM3).

Strains of the line with tangent t: u' - theta x t and theta', in axes that turn along it. Two Gauss points leave the six rigid
motions free and nothing else, and shear and stretching do not lock.

Stress states are complete: with sections that turn by exp(theta~), the second degree of the strains is u' x theta +
theta x (theta x t) / 2 and theta' x theta / 2, on which the section's force and moment work; the ends of offsets turn alike.

References: [Zienkiewicz2000]; stress states: theory section 8.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.elements._beam_mass import section_moments
from tisserand.elements._beam_section import SectionValues, section_values
from tisserand.elements._lines import refuse
from tisserand.elements._moments import directional_matrices, point_moments, rigid_matrices
from tisserand.elements.element_data import Prepared, TurningMasses, gathered
from tisserand.model.families.curved_beam import CurvedBeamBlock

_WORDS = ("axial force", "shear y", "shear z", "torque", "moment y", "moment z")


@dataclass(frozen=True, eq=False, kw_only=True)
class _Stations:
    """g points of m beams.

    functions (g, 3); weight (m, g) m; places (m, g, 3) m; axes (m, g, 3, 3) rows tangent, y, z; move, turn (m, g, 3, 18) and
    their slopes along the line.
    """

    functions: FloatArray
    weight: FloatArray
    places: FloatArray
    axes: FloatArray
    move: FloatArray
    turn: FloatArray
    move_slope: FloatArray
    turn_slope: FloatArray


def _functions(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values and slopes (g, 3) at ends A, B and the middle for x (g,) from -1 to 1."""
    return (
        np.stack([0.5 * x * (x - 1.0), 0.5 * x * (x + 1.0), 1.0 - x**2], axis=1),
        np.stack([x - 0.5, x + 0.5, -2.0 * x], axis=1),
    )


class PreparedCurvedBeams(Prepared):
    """Three-node beams over [u; beta] of their nodes, basic axes.

    Mass recipes: ``consistent`` and ``coupled`` are the whole field with rotary inertia; ``lumped`` puts the shares int N dm at
    the nodes' offset ends beside the mean mass center, ``bodies`` with the sections' rotary inertia, ``particles`` on the nodes.
    """

    block: CurvedBeamBlock

    @cached_property
    def _section(self) -> SectionValues:
        found = section_values(self.model, self.block)  # type: ignore[arg-type]
        rigid = np.asarray(~(found.shear_factors > 0.0).all(axis=1))
        if rigid.any():
            refuse(
                "curved beam", self.block.ids, rigid, "a curved beam needs shear factors above zero",
                found="K1 or K2 of 0, which means no shear flexibility", advice="state K1 and K2, or use two-node beams",
            )  # fmt: skip
        return found

    @cached_property
    def _elastic(self) -> _Stations:
        return self._stations(2)

    def _stations(self, count: int) -> _Stations:
        x, w = np.polynomial.legendre.leggauss(count)
        ends = self.block.corners(self.model.nodes.positions)
        self._check(ends)
        N, dN = _functions(x)
        along = np.einsum("gi,mia->mga", dN, ends)
        J = np.linalg.norm(along, axis=2)
        m, g = J.shape
        carry = np.zeros((m, 3, 3, 18))  # motion of the offset ends
        own = np.zeros((3, 3, 18))
        for i in range(3):
            carry[:, i, :, 6 * i : 6 * i + 3] = np.eye(3)
            carry[:, i, :, 6 * i + 3 : 6 * i + 6] = -skew(self.block.offsets[:, i])
            own[i, :, 6 * i + 3 : 6 * i + 6] = np.eye(3)
        slope = dN[None] / J[..., None]
        return _Stations(
            functions=N,
            weight=J * w,
            places=np.einsum("gi,mia->mga", N, ends),
            axes=self._axes(along / J[..., None]),
            move=np.einsum("gi,miab->mgab", N, carry),
            turn=np.broadcast_to(np.einsum("gi,iab->gab", N, own), (m, g, 3, 18)),
            move_slope=np.einsum("mgi,miab->mgab", slope, carry),
            turn_slope=np.einsum("mgi,iab->mgab", slope, own),
        )

    def _check(self, ends: FloatArray) -> None:
        chord = ends[:, 1] - ends[:, 0]
        _, dN = _functions(np.array([-1.0, 1.0]))
        forward = np.einsum("gi,mia,ma->mg", dN, ends, chord)
        bad = ~(forward > 1e-9 * (chord**2).sum(axis=1, keepdims=True)).all(axis=1) | ~(chord.any(axis=1))
        if bad.any():
            refuse(
                "curved beam", self.block.ids, bad, "the middle node of a curved beam is not between its ends",
                expected="a node in the middle half, on less than half a turn", advice="check the order of its nodes",
            )  # fmt: skip

    def _axes(self, tangent: FloatArray) -> FloatArray:
        """(m, g, 3, 3) rows: tangent, y in the plane of the orientation, z."""
        vector = self.block.orientation
        normal = np.cross(tangent, vector[:, None])
        height = np.linalg.norm(normal, axis=2)
        bad = ~(height > 1e-6 * np.linalg.norm(vector, axis=1)[:, None]).all(axis=1) | ~vector.any(axis=1)
        if bad.any():
            refuse(
                "curved beam", self.block.ids, bad, "the orientation vector is zero or parallel to the beam somewhere",
                advice="state a vector out of the plane of the curve, or toward its center",
            )  # fmt: skip
        z = normal / height[..., None]
        return np.stack([tangent, np.cross(z, tangent), z], axis=2)

    @cached_property
    def _strain(self) -> FloatArray:
        """(m, g, 6, 18): stretch, shear y, z, twist, curvature y, z of the sections."""
        at = self._elastic
        force = at.axes @ (at.move_slope + skew(at.axes[:, :, 0]) @ at.turn)
        return np.concatenate([force, at.axes @ at.turn_slope], axis=2)

    @cached_property
    def _moduli(self) -> FloatArray:
        """(m, g, 6, 6) of the sections about the line of the nodes: axial force acts at the neutral axis."""
        s = self._section
        v = s.at(0.5 * (1.0 + np.polynomial.legendre.leggauss(2)[0]))
        E, G = s.young[:, None], s.shear[:, None]
        D = np.zeros((*v["area"].shape, 6, 6))
        D[..., 1, 1], D[..., 2, 2] = (G * v["area"] * s.shear_factors[:, k, None] for k in (0, 1))
        D[..., 3, 3] = G * v["torsion_constant"]
        D[..., 4, 4], D[..., 5, 5] = E * v["i_yy"], E * v["i_zz"]
        D[..., 4, 5] = D[..., 5, 4] = -E * v["i_yz"]
        stretch = np.zeros((*v["area"].shape, 6))
        stretch[..., 0], stretch[..., 4], stretch[..., 5] = 1.0, v["neutral_z"], -v["neutral_y"]
        return np.asarray(D + (E * v["area"])[..., None, None] * stretch[..., :, None] * stretch[..., None, :])

    @cached_property
    def _stiffness(self) -> FloatArray:
        B, D, w = self._strain, self._moduli, self._elastic.weight
        K = np.einsum("mgai,mgab,mgbj,mg->mij", B, D, B, w, optimize=True)
        return np.asarray(0.5 * (K + K.swapaxes(1, 2)))

    def stiffness(self) -> FloatArray:
        return self._stiffness

    @cached_property
    def _pieces(self) -> tuple[_Stations, FloatArray]:
        """Stations of the mass and the moments (m, g, 4, 4) of the pieces there about the line, basic axes, kg, kg m, kg m²."""
        at = self._stations(3)
        fraction = 0.5 * (1.0 + np.polynomial.legendre.leggauss(3)[0])
        turn = np.zeros((*at.weight.shape, 4, 4))
        turn[..., 0, 0] = 1.0
        turn[..., 1:, 1:] = at.axes.swapaxes(-1, -2)
        own = section_moments(self._section, fraction) * at.weight[..., None, None]
        return at, np.asarray(turn @ own @ turn.swapaxes(-1, -2))

    def _at_nodes(self, recipe: str) -> FloatArray:
        """(m, 3, 4, 4) moments about the nodes of the recipes that put mass there."""
        at, pieces = self._pieces
        share = np.einsum("gi,mg->mi", at.functions, pieces[..., 0, 0])
        if (share < 0.0).any():
            refuse(
                "curved beam", self.block.ids, (share < 0.0).any(axis=1), "the lumped mass of a node would be negative",
                advice="move the middle node nearer to the middle, or use the mass model consistent",
            )  # fmt: skip
        if recipe == "particles":
            return point_moments(share, np.zeros((len(self), 3, 3)))
        total = pieces.sum(axis=1)
        mass = np.where(total[:, 0, 0] > 0.0, total[:, 0, 0], 1.0)
        center = total[:, 0, 1:] / mass[:, None]
        moments = point_moments(share, self.block.offsets + center[:, None])
        if recipe == "bodies":
            spread = total[:, 1:, 1:] / mass[:, None, None] - center[:, :, None] * center[:, None, :]
            moments[..., 1:, 1:] += share[..., None, None] * spread[:, None]
        return moments

    def mass(self, recipe: str) -> FloatArray:
        if recipe in ("consistent", "coupled"):
            at, pieces = self._pieces
            motion = np.concatenate([at.move, at.turn], axis=2)
            M = (motion.swapaxes(-1, -2) @ rigid_matrices(pieces) @ motion).sum(axis=1)
            return np.asarray(0.5 * (M + M.swapaxes(1, 2)))
        return _blocks(rigid_matrices(self._at_nodes(recipe)))

    def directional_mass(self, recipe: str) -> FloatArray:
        if recipe in ("consistent", "coupled"):
            at, pieces = self._pieces
            motion = np.concatenate([at.move, at.turn], axis=2)
            found = np.einsum("mgia,mgzij,mgjb->mzab", motion, directional_matrices(pieces), motion, optimize=True)
            return np.asarray(found)
        return _blocks(directional_matrices(self._at_nodes(recipe)))

    def turning_masses(self, recipe: str) -> TurningMasses:
        if recipe in ("consistent", "coupled"):
            at, pieces = self._pieces
            return TurningMasses(at.places, pieces, np.array(at.turn), at.move)
        turn, move = np.zeros((2, len(self), 3, 3, 18))
        for i in range(3):
            move[:, i, :, 6 * i : 6 * i + 3] = turn[:, i, :, 6 * i + 3 : 6 * i + 6] = np.eye(3)
        return TurningMasses(self.model.nodes.positions[self.block.nodes], self._at_nodes(recipe), turn, move)

    def _forces(self, displacement: FloatArray) -> FloatArray:
        """(m, g, 6) section forces and moments in section axes, on the face whose normal is the tangent."""
        moved = gathered(np.asarray(displacement)[..., None], self.nodes, self.components)[..., 0]
        return np.asarray(np.einsum("mgab,mgbi,mi->mga", self._moduli, self._strain, moved, optimize=True))

    def geometric_states(self, displacements: FloatArray) -> Iterator[FloatArray]:
        at = self._elastic
        t = at.axes[:, :, 0]
        for k in range(displacements.shape[2]):
            local = self._forces(displacements[:, :, k])
            n, moment = (np.einsum("mgab,mga->mgb", at.axes, local[..., part]) for part in (slice(3), slice(3, 6)))
            cross = -at.move_slope.swapaxes(-1, -2) @ skew(n) @ at.turn
            cross = cross - 0.5 * at.turn_slope.swapaxes(-1, -2) @ skew(moment) @ at.turn
            whole = cross + cross.swapaxes(-1, -2) + at.turn.swapaxes(-1, -2) @ _turned(n, t) @ at.turn
            total = np.einsum("mgij,mg->mij", whole, at.weight)
            moved = gathered(displacements[:, :, k : k + 1], self.nodes, self.components)
            ends = (self._stiffness @ moved).reshape(len(self), 3, 6)[..., :3]
            arms = _turned(ends, self.block.offsets)
            for i in range(3):
                total[:, 6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] += arms[:, i]
            yield total

    def resultants(self, displacement: FloatArray) -> dict[str, FloatArray]:
        """Section forces (m, 2) N and moments N m at the points 0.21 and 0.79 of the length, axes of the section there."""
        found = self._forces(displacement)
        return {word: found[..., k] for k, word in enumerate(_WORDS)}


def _turned(force: FloatArray, arm: FloatArray) -> FloatArray:
    """(..., 3, 3) second slope of force . (b x (b x arm)) / 2 over the rotation b."""
    both = force[..., :, None] * arm[..., None, :]
    return np.asarray(0.5 * (both + both.swapaxes(-1, -2)) - (force * arm).sum(axis=-1)[..., None, None] * np.eye(3))


def _blocks(per_node: FloatArray) -> FloatArray:
    """(m, 3, ..., 6, 6) to block-diagonal (m, ..., 18, 18)."""
    out = np.zeros((len(per_node), *per_node.shape[2:-2], 18, 18))
    for i in range(3):
        out[..., 6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = per_node[:, i]
    return out


PREPARED = PreparedCurvedBeams
