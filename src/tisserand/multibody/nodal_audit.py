"""Momenta and kinetic energy of appendages from the recovered motion of their nodes and the mass they were reduced from.

At one time the functions f = (1, r, u, u') of an appendage (r undeformed place, u displacement, u' its rate, record axes)
have the mass matrix Gamma = int f f' dm (10, 10), which the finite elements give for the nodal displacement and rate at that
time. Place y = r + u and velocity V = v + w x (r + u) + u' are linear in f, so that first moment, momentum, angular momentum
and energy are contractions of Gamma: neither modal integrals nor the engine take part. Where nodes have a second
degree the engine moves the mass by a field with the same moments: energy and angular momentum then differ by terms of
third degree.

Kinetic energy: theory section 3, before reduction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.mass_source import MassSource
from tisserand.appendage.record.node_table import NodeTable
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.record.turning_bodies import Gathered, TurningBodies, nothing_gathered
from tisserand.arrays import LEVI_CIVITA, FloatArray, skew
from tisserand.multibody.body_integrals import has_geometric_stiffness
from tisserand.multibody.displacement_field import acting_bodies, orthonormal_basis
from tisserand.multibody.field_moments import finite_turn, rigid_moments
from tisserand.multibody.tree import FlexBlock, Tree
from tisserand.multibody.vehicle import MountedAppendage

if TYPE_CHECKING:
    from tisserand.multibody.trajectory import Trajectory


#: Times that are integrated over the elements together: all pairs of their motions are, of which only those of one time are used.
TOGETHER = 3


@dataclass(frozen=True, eq=False)
class NodalTotals:
    """Over n times: mass, kg; first moment, momentum, angular momentum about the inertial origin (n, 3); kinetic (n,)."""

    mass: float
    first: FloatArray
    momentum: FloatArray
    angular_momentum: FloatArray
    kinetic: FloatArray


def nodal_totals(run: Trajectory, tree: Tree, names: list[str]) -> NodalTotals:
    """Sums over the named appendages at every time of the run."""
    n = len(run)
    mass, first, p, H, T = 0.0, np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n)
    found = [(k, block) for k, body in enumerate(tree.bodies) for block in body.blocks if block.name in names]
    motions = [
        Motion(
            block.mount.record,
            run.modal[block.name],
            run.modal_rates[block.name],
            block.mount.geometric_stiffness and has_geometric_stiffness(block.mount.record),
        )
        for _, block in found
    ]
    for (k, block), gamma in zip(found, masses_of_motions(motions)):
        R, x, v, w = _frame(run, k, block)
        local_v, local_w = np.einsum("nba,nb->na", R, v), np.einsum("nba,nb->na", R, w)
        spin = skew(local_w)
        C = np.concatenate([local_v[:, :, None], spin, spin, np.tile(np.eye(3), (n, 1, 1))], axis=2)
        Y = np.zeros((3, 10))
        Y[:, 1:4] = Y[:, 4:7] = np.eye(3)
        weighted = C @ gamma  # (n, 3, 10): int V f'
        push = np.einsum("nab,nb->na", R, weighted[:, :, 0])
        turn = np.einsum("abc,bf,ncf->na", LEVI_CIVITA, Y, weighted)  # int y x V
        mass += float(gamma[0, 0, 0])
        first += gamma[0, 0, 0] * x + np.einsum("nab,bf,nf->na", R, Y, gamma[:, :, 0])
        p += push
        H += np.einsum("nab,nb->na", R, turn) + np.cross(x, push)
        T += 0.5 * np.einsum("naf,naf->n", weighted, C)
    return NodalTotals(mass, first, p, H, T)


@dataclass(frozen=True, eq=False)
class Motion:
    """Modal coordinates and rates (n, k) of an appendage; families: whether its geometric stiffness acts."""

    record: ReducedAppendage
    eta: FloatArray
    rate: FloatArray
    families: bool = False


def mass_of_motion(record: ReducedAppendage, eta: FloatArray, rate: FloatArray, families: bool = False) -> FloatArray:
    """``masses_of_motions`` of one."""
    return masses_of_motions([Motion(record, eta, rate, families)])[0]


def masses_of_motions(motions: Sequence[Motion]) -> list[FloatArray]:
    """Gamma (n, 10, 10) about O in record axes of each motion, through the nodes; elements that several share are prepared once.

    Nodes move by u = phi eta + 1/2 psi(eta, eta) with the psi that the record keeps of each (foreshortening where the families
    act, rigid arms, change of frame), turning bodies by the finite rotation of their nodes. Sections and fibers have the
    second-degree moments of the elements for the present nodal rotations, carried by an affine displacement of the mass. Nothing
    of a, A, B of the record takes part.
    """
    shared: dict[tuple[int, bool, bool], _Shared] = {}
    uses = [_uses(motion, shared) for motion in motions]
    for one in shared.values():
        one.found = one.source.several_integrals(one.columns)
    return [_gamma_of(motion, of) for motion, of in zip(motions, uses)]


@dataclass(eq=False)
class _Shared:
    """A mass source as motions use it, its turning bodies, nodal displacements of some times each, and their integrals."""

    source: MassSource
    turning: Gathered
    columns: list[FloatArray] = field(default_factory=list)
    found: list[ModalIntegrals] = field(default_factory=list)


def _uses(motion: Motion, shared: dict[tuple[int, bool, bool], _Shared]) -> list[tuple[_Shared, slice]]:
    """Put the displacements of a motion to the mass sources of its record; where their integrals will be found."""
    record, out = motion.record, []
    turning, second = bool(len(acting_bodies(record, motion.families))), record.nodes.second is not None
    place, pace = nodal_motions(record.nodes, motion.eta, motion.rate, motion.families)
    both = np.stack([place, pace], axis=1).reshape(-1, len(record.nodes), 6).transpose(1, 2, 0)  # u(t_1), u'(t_1), ...
    for source in record.sources:
        key = (id(source), turning, second)
        if key not in shared:
            used, bodies = source.without_turning() if turning else (source, nothing_gathered())
            # the nodes at the ends of arms have their second degree already
            shared[key] = _Shared(used.without_arms() if second else used, bodies)
        columns = shared[key].columns
        first = len(columns)
        columns += [both[source.rows, :, i : i + 2 * TOGETHER] for i in range(0, both.shape[2], 2 * TOGETHER)]
        out.append((shared[key], slice(first, len(columns))))
    return out


def _gamma_of(motion: Motion, uses: list[tuple[_Shared, slice]]) -> FloatArray:
    """Gamma of one motion from the integrals over its mass sources."""
    record, eta, rate, n = motion.record, motion.eta, motion.rate, len(motion.eta)
    gamma, turned = np.zeros((n, 10, 10)), np.zeros((n, 10, 10))
    bent, slope = np.zeros((n, 4, 3)), np.zeros((n, 4, 3))
    bodies = acting_bodies(record, motion.families)
    for one, places in uses:
        if len(bodies):
            turned += _turned_gamma(record, one.turning, bodies, one.source.first_row, eta, rate)
        for start, integrals in zip(range(0, n, TOGETHER), one.found[places]):
            rows = slice(start, min(start + TOGETHER, n))
            u = 2 * np.arange(rows.stop - start)
            gamma[rows] += _gamma(integrals, len(u))
            A4 = integrals.second_moments
            bent[rows] += A4[:, :, u, u].transpose(2, 0, 1)
            slope[rows] += 2.0 * A4[:, :, u, u + 1].transpose(2, 0, 1)
    basis = orthonormal_basis(gamma[0, :4, :4], record.integrals.moments)
    completion = np.tile(np.eye(10), (n, 1, 1))
    completion[:, 4:7, :4] = (basis @ basis.T @ bent).transpose(0, 2, 1)
    completion[:, 7:, :4] = (basis @ basis.T @ slope).transpose(0, 2, 1)
    return np.asarray(completion @ gamma @ completion.transpose(0, 2, 1) + turned)


def nodal_motions(nodes: NodeTable, eta: FloatArray, rate: FloatArray, families: bool) -> tuple[FloatArray, FloatArray]:
    """Translation and rotation vector of all nodes (t, n, 6) at modal coordinates (t, k), and their rates."""
    shapes = np.concatenate([nodes.translation, nodes.rotation], axis=1)
    place, pace = (np.einsum("nak,tk->tna", shapes, values, optimize=True) for values in (eta, rate))
    i, j = np.triu_indices(eta.shape[1])
    half = np.where(i == j, 0.5, 1.0)
    for values in (nodes.second, nodes.foreshortening if families else None):
        if values is not None:
            psi, rows = np.asarray(values, float), values.shape[1]
            place[..., :rows] += np.einsum("nap,tp->tna", psi, half * eta[:, i] * eta[:, j], optimize=True)
            products = half * (eta[:, i] * rate[:, j] + rate[:, i] * eta[:, j])
            pace[..., :rows] += np.einsum("nap,tp->tna", psi, products, optimize=True)
    return place, pace


def knows_nodes(mount: MountedAppendage) -> bool:
    """Whether the record keeps the mass it was reduced from, and the second degree of all nodes where there is some."""
    record = mount.record
    families = mount.geometric_stiffness and has_geometric_stiffness(record)
    lacks_frame = "frame_change" in record.reports and record.nodes.second is None
    return bool(record.sources) and not lacks_frame and not (families and record.nodes.foreshortening is None)


def _turned_gamma(
    record: ReducedAppendage, found: Gathered, bodies: TurningBodies, first_row: int, eta: FloatArray, rate: FloatArray
) -> FloatArray:
    """Gamma of the turning bodies of one source, with all of y in the place of u."""
    gamma = np.zeros((len(eta), 10, 10))
    nodes = record.nodes
    for node, m, d, Ic in zip(found.nodes, found.masses, found.offsets, found.inertias):
        row = int(node) + first_row
        (place,) = np.flatnonzero(bodies.rows == row)
        psi, twist = (part[place] for part in bodies.psi(False))
        move = eta @ nodes.translation[row].T + 0.5 * np.einsum("akl,nk,nl->na", psi, eta, eta, optimize=True)
        pace = rate @ nodes.translation[row].T + np.einsum("akl,nk,nl->na", psi, eta, rate, optimize=True)
        turn = eta @ nodes.rotation[row].T + 0.5 * np.einsum("akl,nk,nl->na", twist, eta, eta, optimize=True)
        turning = rate @ nodes.rotation[row].T + np.einsum("akl,nk,nl->na", twist, eta, rate, optimize=True)
        R, w = finite_turn(turn, turning)
        here = nodes.positions[row]
        yy, _, yv, vv, y, v, _ = rigid_moments(float(m), d, Ic, node=here, move=move, pace=pace, R=R, w=w)
        gamma[:, 0, 0] += m
        gamma[:, 0, 4:7] += y
        gamma[:, 4:7, 0] += y
        gamma[:, 0, 7:] += v
        gamma[:, 7:, 0] += v
        gamma[:, 4:7, 4:7] += yy
        gamma[:, 4:7, 7:] += yv
        gamma[:, 7:, 4:7] += yv.transpose(0, 2, 1)
        gamma[:, 7:, 7:] += (vv / 3.0)[:, None, None] * np.eye(3)  # only its trace is used
    return gamma


def _gamma(found: ModalIntegrals, n: int) -> FloatArray:
    """Gamma of the columns u, u' of each time, linear field."""
    u, d = 2 * np.arange(n), 2 * np.arange(n) + 1
    gamma = np.zeros((n, 10, 10))
    gamma[:, :4, :4] = found.moments
    gamma[:, :4, 4:7] = found.shape_moments[:, :, u].transpose(2, 0, 1)
    gamma[:, :4, 7:] = found.shape_moments[:, :, d].transpose(2, 0, 1)
    gamma[:, 4:7, 4:7] = found.shape_shape[:, :, u, u].transpose(2, 0, 1)
    gamma[:, 4:7, 7:] = found.shape_shape[:, :, u, d].transpose(2, 0, 1)
    gamma[:, 7:, 7:] = found.shape_shape[:, :, d, d].transpose(2, 0, 1)
    upper = np.triu(np.ones((10, 10)), 1)
    return np.asarray(np.where(upper.T > 0, gamma.transpose(0, 2, 1), gamma))


def _frame(run: Trajectory, k: int, block: FlexBlock) -> tuple[FloatArray, ...]:
    """Attitude (n, 3, 3) of the record's axes, place and velocity of its O, angular velocity; inertial axes."""
    R = run.rotation[:, k]
    arm = np.einsum("nab,b->na", R, block.origin)
    w = run.rate[:, k]
    return R @ block.attitude, run.origin[:, k] + arm, run.origin_velocity[:, k] + np.cross(w, arm), w
