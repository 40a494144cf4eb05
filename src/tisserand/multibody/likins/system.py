"""Vehicle, state and loads in the terms of the report, as the equations need them.

References: S1 Defs 1-45; theory section 16.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, frozen
from tisserand.multibody.likins.barycenters import Barycenters, barycenters
from tisserand.multibody.likins.network import Network, network
from tisserand.multibody.likins.substructure import Substructure


@dataclass(frozen=True, eq=False, kw_only=True)
class LikinsSystem:
    """A tree of n + 1 substructures with line hinges, K modes and q rotors in all.

    axes (n + 1, 3): g^s in {b^s}; nominal (n + 1, 3, 3): child to parent components at zero angle; centers (n
    + 1, 3): o_k from the origin of body k; mode_slots, rotor_slots: positions of the coordinates of each body.
    """

    tree: Network
    substructures: tuple[Substructure, ...]
    barycenters: Barycenters
    axes: FloatArray
    nominal: FloatArray
    centers: FloatArray
    mode_slots: tuple[slice, ...]
    rotor_slots: tuple[slice, ...]

    @property
    def hinges(self) -> int:
        return self.tree.bodies - 1

    @property
    def modes(self) -> int:
        return int(self.mode_slots[-1].stop)

    @property
    def rotors(self) -> int:
        return int(self.rotor_slots[-1].stop)


def likins_system(
    parents: list[int],
    bodies: list[tuple[Substructure, FloatArray]],
    axes: FloatArray,
    points_parent: FloatArray,
    points_self: FloatArray,
    nominal: FloatArray,
) -> LikinsSystem:
    """Build the constants of the tree.

    parents (n + 1): -1 first; bodies: what :func:`substructure` returns; axes (n + 1, 3); points_parent,
    points_self (n + 1, 3): hinge point from the parent's and from the body's own origin, each in its own
    axes; nominal (n + 1, 3, 3).
    """
    tree = network(parents)
    substructures = tuple(body for body, _ in bodies)
    centers = np.array([center for _, center in bodies])
    outboard = np.asarray(points_parent, float) - centers[np.maximum(tree.parent, 0)]
    inboard = np.asarray(points_self, float) - centers
    masses = np.array([body.mass for body in substructures])
    return LikinsSystem(
        tree=tree,
        substructures=substructures,
        barycenters=barycenters(tree, masses, inboard, outboard),
        axes=frozen(axes, shape=(tree.bodies, 3)),
        nominal=frozen(nominal, shape=(tree.bodies, 3, 3)),
        centers=frozen(centers),
        mode_slots=_slots([body.modes for body in substructures]),
        rotor_slots=_slots([len(body.rotor_inertia) for body in substructures]),
    )


def _slots(counts: list[int]) -> tuple[slice, ...]:
    ends = np.cumsum(counts).tolist()
    return tuple(slice(end - count, end) for count, end in zip(counts, ends))


@dataclass(frozen=True, eq=False)
class LikinsState:
    """w0 (3,) rad/s in {b^0}; angles, angle_rates (n,); rotor_rates psi' (q,); eta, eta_rates (K,)."""

    w0: FloatArray
    angles: FloatArray
    angle_rates: FloatArray
    rotor_rates: FloatArray
    eta: FloatArray
    eta_rates: FloatArray


@dataclass(frozen=True, eq=False)
class AppliedLoads:
    """External and motor loads.

    forces F^k, torques T^k (n + 1, 3) in {b^k}, T^k about the mass center c_k of the deformed substructure
    (Defs 25, 26); modal (K,): generalized forces of loads on appendage nodes; hinge_torques tau (n,), springs
    and dampers included; rotor_torques (q,) on rotors that turn freely; rotor_accelerations (q,) of the
    rotors marked in rotor_driven (q,).
    """

    forces: FloatArray
    torques: FloatArray
    modal: FloatArray
    hinge_torques: FloatArray
    rotor_torques: FloatArray
    rotor_accelerations: FloatArray
    rotor_driven: BoolArray
