"""Momenta of nodal bodies that move with recovered nodes and finite rotations: sums over bodies, no modal integrals."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.multibody import Trajectory, Vehicle
from tisserand.multibody.tree import expand


@dataclass(frozen=True, eq=False)
class NodalBodies:
    """Masses (n,), offsets (n, 3) node to mass center, inertias (n, 3, 3) about it, in the order of the record's node table."""

    masses: FloatArray
    offsets: FloatArray
    inertias: FloatArray


def recovered_momenta(run: Trajectory, vehicle: Vehicle, nodal: Mapping[str, NodalBodies]) -> dict[str, FloatArray]:
    """Momentum, angular momentum (about the inertial origin) and kinetic energy of appendages from their nodes' motion.

    Every nodal body moves with its recovered displacement and finite rotation exp(theta eta): sums over bodies, no modal
    integrals. Exact for particles; for nodal bodies the engine is right to second degree of the rotation.
    """
    from scipy.spatial.transform import Rotation

    tree = expand(vehicle)
    n = len(run)
    p, H, T = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n)
    for k, body in enumerate(tree.bodies):
        for block in body.blocks:
            if block.name not in nodal:
                continue
            nodes, given, Q = block.mount.record.nodes, nodal[block.name], block.attitude
            R = run.rotation[:, k] @ Q
            origin = run.origin[:, k] + run.rotation[:, k] @ block.origin
            w = run.rate[:, k]
            v = run.origin_velocity[:, k] + np.cross(w, origin - run.origin[:, k])
            eta, rate = run.modal[block.name], run.modal_rates[block.name]
            for i, m in enumerate(np.asarray(given.masses)):
                u, ud = eta @ nodes.translation[i].T, rate @ nodes.translation[i].T
                b, bd = eta @ nodes.rotation[i].T, rate @ nodes.rotation[i].T
                turn = R @ Rotation.from_rotvec(b).as_matrix()
                wn = w + np.einsum("nab,nb->na", R, _left_jacobian(b, bd))
                arm = np.einsum("nab,nb->na", R, nodes.positions[i] + u)
                vn = v + np.cross(w, arm) + np.einsum("nab,nb->na", R, ud)
                off = turn @ np.asarray(given.offsets)[i]
                place, speed = origin + arm + off, vn + np.cross(wn, off)
                spin = np.einsum("nab,bc,ndc,nd->na", turn, np.asarray(given.inertias)[i], turn, wn, optimize=True)
                p += m * speed
                H += np.cross(place, m * speed) + spin
                T += 0.5 * m * np.sum(speed**2, axis=1) + 0.5 * np.sum(wn * spin, axis=1)
    return {"momentum": p, "angular_momentum": H, "kinetic": T}


def _left_jacobian(b: FloatArray, bd: FloatArray) -> FloatArray:
    t = np.sum(b * b, axis=1)
    a = np.sqrt(t)
    small = t < 1e-6
    safe = np.where(small, 1.0, a)
    c1 = np.where(small, 0.5 - t / 24.0, (1.0 - np.cos(safe)) / safe**2)
    c2 = np.where(small, 1.0 / 6.0 - t / 120.0, (safe - np.sin(safe)) / safe**3)
    B = skew(b)
    return np.asarray(
        bd + c1[:, None] * np.einsum("nab,nb->na", B, bd) + c2[:, None] * np.einsum("nab,nbc,nc->na", B, B, bd)
    )
