"""Momenta and kinetic energy of appendages from the recovered motion of their nodes and the mass they were reduced from.

At one time the functions f = (1, r, u, u') of an appendage (r undeformed place, u displacement, u' its rate, record axes)
have the mass matrix Gamma = int f f' dm (10, 10), which the finite elements give for the nodal displacement and rate at that
time. Place y = r + u and velocity V = v + w x (r + u) + u' are linear in f, so that first moment, momentum, angular momentum
and energy are contractions of Gamma: neither modal integrals nor the engine take part.

Kinetic energy: theory section 3, before reduction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import LEVI_CIVITA, FloatArray, skew
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.tree import FlexBlock, Tree


@dataclass(frozen=True, eq=False)
class NodalBooks:
    """Over n times: mass, kg; first moment, momentum, angular momentum about the inertial origin (n, 3); kinetic (n,)."""

    mass: float
    first: FloatArray
    momentum: FloatArray
    angular_momentum: FloatArray
    kinetic: FloatArray


def nodal_books(run: Trajectory, tree: Tree, names: list[str]) -> NodalBooks:
    """Sums over the named appendages at every time of the run."""
    n = len(run)
    mass, first, p, H, T = 0.0, np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n)
    for k, body in enumerate(tree.bodies):
        for block in body.blocks:
            if block.name not in names:
                continue
            gamma = mass_of_motion(block.mount.record, run.modal[block.name], run.modal_rates[block.name])
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
    return NodalBooks(mass, first, p, H, T)


def mass_of_motion(record: ReducedAppendage, eta: FloatArray, rate: FloatArray) -> FloatArray:
    """Gamma (n, 10, 10) about O in record axes for modal coordinates and rates (n, k), through the nodes."""
    nodes, n = record.nodes, len(eta)
    shapes = np.concatenate([nodes.translation, nodes.rotation], axis=1)
    both = np.stack([eta, rate], axis=1).reshape(2 * n, -1)  # u(t_1), u'(t_1), u(t_2), ...
    motion = shapes @ both.T
    return sum(
        (_gamma(source.integrals(motion[source.rows]), n) for source in record.sources), np.zeros((n, 10, 10))
    )


def _gamma(found: ModalIntegrals, n: int) -> FloatArray:
    """Gamma of the columns u, u' of each time; finite rotation of nodal bodies and sections to second degree."""
    u, d = 2 * np.arange(n), 2 * np.arange(n) + 1
    gamma = np.zeros((n, 10, 10))
    gamma[:, 0, 0] = found.mass
    gamma[:, 0, 1:4] = found.mass * found.center
    gamma[:, 1:4, 1:4] = 0.5 * np.trace(found.inertia) * np.eye(3) - found.inertia
    gamma[:, 0, 4:7] = (found.translation[:, u] + found.turn_first[:, u, u]).T
    gamma[:, 0, 7:] = (found.translation[:, d] + 2.0 * found.turn_first[:, u, d]).T
    gamma[:, 1:4, 4:7] = (found.position_shape[:, :, u] + found.turn_second[:, :, u, u]).transpose(2, 0, 1)
    gamma[:, 1:4, 7:] = (found.position_shape[:, :, d] + 2.0 * found.turn_second[:, :, u, d]).transpose(2, 0, 1)
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
