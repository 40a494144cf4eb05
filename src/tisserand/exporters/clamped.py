"""An appendage seen from its attachment point P: base motion x_P and modal coordinates, first order in deformation.

Whatever frame the shapes live in, d = S x_P + Phi' eta with Phi' = Phi - S Z zero at P, Z = S_P^-1 Phi_P; K is unchanged
because K S = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.appendage.record.node_table import Interface
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, skew, symmetric
from tisserand.errors import InputError
from tisserand.modes.modal_basis import MEAN_AXES

#: Largest error of the lowest held mode by free modes alone that an export carries.
FREE_ERROR = 0.01


@dataclass(frozen=True, eq=False, kw_only=True)
class ClampedView:
    """Linear model about P. All arrays in body axes.

    rigid_mass (6, 6) about P; coupling A (k, 6): Phi'^T M S; modal mass, stiffness, damping (k, k);
    ports: other interfaces; transfer (c, 6, 6): x_C = tau x_P + shape eta; shapes (c, 6, k).
    """

    point: FloatArray
    attachment: str
    rigid_mass: FloatArray
    coupling: FloatArray
    mass: FloatArray
    stiffness: FloatArray
    damping: FloatArray
    ports: tuple[Interface, ...]
    transfer: FloatArray
    shapes: FloatArray

    @property
    def count(self) -> int:
        return len(self.mass)


def transport(arm: FloatArray) -> FloatArray:
    """tau (6, 6): motion of a point at ``arm`` from P out of the motion of P, [v + w x arm; w]."""
    tau = np.eye(6)
    tau[:3, 3:] = -skew(arm)
    return tau


def _refuse_free_modes(appendage: ReducedAppendage) -> None:
    """Free modes alone do not contain what a mount does to a structure; their error is stored with the record."""
    mount = appendage.reports.get("mount", {})
    if mount.get("mounting") != "free" or not mount.get("error_hz"):
        return
    hz, error = float(mount["held_hz"][0]), float(mount["error_hz"][0])
    if not error <= FREE_ERROR * hz:
        raise InputError(
            "free modes alone are too stiff where the appendage is held", where=f"appendage {appendage.name}",
            found=f"{hz + error:.4g} Hz instead of {hz:.4g} Hz in the lowest held mode",
            expected=f"within {FREE_ERROR:.0%}", advice="make the record with --mounted clamped or --mounted residual",
        )  # fmt: skip


def clamped_view(appendage: ReducedAppendage, *, carried: bool = True) -> ClampedView:
    """The view from the attachment, else from O. ``carried``: refuse records that nothing can carry, or only with wrong modes."""
    integrals, k = appendage.integrals, appendage.count
    ports = tuple(p for p in appendage.interfaces if p.name != appendage.attachment)
    if appendage.attachment is None:
        if carried and appendage.frame.name in MEAN_AXES:
            raise InputError(
                "the record floats and names no attachment, so nothing says what carries it",
                where=f"appendage {appendage.name}", found=f"frame {appendage.frame.name}",
                advice="make the record with --attachment NODE",
            )  # fmt: skip
        point, held = np.zeros(3), np.zeros((6, k))
    else:
        if carried:
            _refuse_free_modes(appendage)
        root = appendage.interface(appendage.attachment)
        point, held = np.array(root.position), np.vstack([root.translation, root.rotation])
    Z = np.linalg.solve(transport(point), held)  # rigid motion about O that each shape makes at P
    rigid_o, A_o = integrals.rigid_mass, integrals.coupling.T
    mass = symmetric(integrals.modal_mass - A_o @ Z - (A_o @ Z).T + Z.T @ rigid_o @ Z)
    A = A_o - Z.T @ rigid_o
    from_p = transport(-point)  # motion of O out of the motion of P
    transfer = np.array([transport(p.position - point) for p in ports]).reshape(-1, 6, 6)
    shapes = np.zeros((len(ports), 6, k))
    for i, p in enumerate(ports):
        shapes[i] = np.vstack([p.translation, p.rotation]) - transport(p.position) @ Z
    return ClampedView(
        point=point,
        attachment=appendage.attachment or "O",
        rigid_mass=symmetric(from_p.T @ rigid_o @ from_p),
        coupling=A @ from_p,
        mass=mass,
        stiffness=np.array(appendage.stiffness),
        damping=np.array(appendage.damping),
        ports=ports,
        transfer=transfer,
        shapes=shapes,
    )
