"""Motion of single nodes to second degree: u = phi eta + 1/2 psi(eta, eta), the field that forces, joints and sensors share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.errors import ModelError


@dataclass(frozen=True, eq=False)
class NodalMotion:
    """A node in record axes: position (3,) m from O; shapes phi, theta (3, k); psi of translation and rotation (3, k, k)."""

    position: FloatArray
    translation: FloatArray
    rotation: FloatArray
    second_translation: FloatArray
    second_rotation: FloatArray

    def displacement(self, eta: FloatArray) -> FloatArray:
        """u (t, 3) m at modal coordinates (t, k)."""
        return np.asarray(eta @ self.translation.T + 0.5 * _pairs(self.second_translation, eta, eta))

    def velocity(self, eta: FloatArray, rate: FloatArray) -> FloatArray:
        """u' (t, 3) m/s."""
        return np.asarray(rate @ self.translation.T + _pairs(self.second_translation, eta, rate))

    def acceleration(self, eta: FloatArray, rate: FloatArray, second: FloatArray) -> FloatArray:
        """u'' (t, 3) m/s² of modal coordinates, rates and accelerations."""
        own = second @ self.translation.T + _pairs(self.second_translation, eta, second)
        return np.asarray(own + _pairs(self.second_translation, rate, rate))

    def rotation_vector(self, eta: FloatArray) -> FloatArray:
        """b (t, 3) rad: the node turns by exp(b~)."""
        return np.asarray(eta @ self.rotation.T + 0.5 * _pairs(self.second_rotation, eta, eta))


def _pairs(psi: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("akl,tk,tl->ta", psi, left, right, optimize=True))


def nodal_motion(appendage: ReducedAppendage, node: int | str, *, families: bool = True) -> NodalMotion:
    """Motion of a node (id or interface name); ``families``: with foreshortening, where the record knows it."""
    if isinstance(node, str):
        face = appendage.interface(node)
        psi, twist = (np.array(part) for part in face.psi)
        if families:
            for i in range(3):
                psi[i] -= appendage.geometric_stiffness.get(f"F:{node}:{i + 1}", 0.0)
                twist[i] -= appendage.geometric_stiffness.get(f"F:{node}:{i + 4}", 0.0)
        return NodalMotion(face.position, face.translation, face.rotation, psi, twist)
    rows = np.flatnonzero(appendage.nodes.ids == node)
    if len(rows) == 0:
        raise ModelError("no such node", where=f"appendage {appendage.name}", found=node)
    row, nodes = int(rows[0]), appendage.nodes
    psi = nodes.psi(row, families)
    return NodalMotion(nodes.positions[row], nodes.translation[row], nodes.rotation[row], psi[:3], psi[3:])
