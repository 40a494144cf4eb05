"""Appendages as tuned masses: every held mode becomes a mass on a spring, or an inertia on a torsion spring, in its body.

A mode of unit modal mass with participations P, H about the attachment acts on its body like the mass m = |P|² at
p = attachment + d x H / |P| that slides along d = P / |P| on the spring m w², if P.H = 0. Of a screw mode (P.H not zero) the
inertia (H.d)² about d is lost (theory section 7). A mode without P becomes the inertia |H|² that turns about H. What moves
is taken out of the rigid mass, which must stay that of a body: its matrix [[S, s], [s', m]], S = int r r' dm, positive definite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.linalg import eigh

from tisserand.arrays import FloatArray
from tisserand.exporters.clamped import clamped_view
from tisserand.multibody.inertia import point_inertia
from tisserand.multibody.vehicle import MountedAppendage, Vehicle

#: Inertia of a sliding mass over its mass, m²: programs want one above zero.
SMALL = 1e-9
#: Participation below this share of the rigid mass or inertia moves nothing; a mode with less of P than this is a rotation.
_NOTHING, _TURNING = 1e-12, 1e-6


@dataclass(frozen=True, eq=False)
class RigidPart:
    """Mass kg, first moment (3,) kg m and inertia (3, 3) kg m² about the origin of a body."""

    mass: float
    first: FloatArray
    inertia: FloatArray

    def without(self, mass: float, point: FloatArray, own: FloatArray) -> RigidPart:
        """Less a body of inertia ``own`` about its mass center at ``point``."""
        return RigidPart(
            self.mass - mass, self.first - mass * point, self.inertia - point_inertia(mass, point) - own
        )  # fmt: skip

    @property
    def real(self) -> bool:
        """Whether a body can have it."""
        second = 0.5 * np.trace(self.inertia) * np.eye(3) - self.inertia
        whole = np.block([[second, self.first[:, None]], [self.first[None], np.array([[self.mass]])]])
        return bool(self.mass > 0.0 and np.linalg.eigvalsh(whole)[0] > 0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class TunedMass:
    """One mode as a slider (mass kg) or hinge (inertia kg m²) at a point along an axis of its body.

    stiffness, damping: of the joint, N/m and N s/m or N m/rad and N m s/rad; row (k,): its value is row @ eta; lost: share of
    the mode's effective inertia that a slider leaves out.
    """

    name: str
    mode: int
    kind: Literal["slide", "hinge"]
    size: float
    point: FloatArray
    axis: FloatArray
    stiffness: float
    damping: float
    row: FloatArray
    lost: float

    @property
    def mass(self) -> float:
        """kg."""
        return self.size if self.kind == "slide" else SMALL * self.size

    @property
    def inertia(self) -> FloatArray:
        """(3, 3) about its own mass center, axes of the body."""
        if self.kind == "slide":
            return SMALL * self.size * np.eye(3)
        along = np.outer(self.axis, self.axis)
        return np.asarray(self.size * (along + 0.5 * (np.eye(3) - along)))


def tuned_modes(mount: MountedAppendage) -> list[TunedMass]:
    """Every mode that moves the body, in axes and about the origin of the body, by rising frequency."""
    view = clamped_view(mount.record)
    values, Q = eigh(view.stiffness, view.mass)
    A = Q.T @ view.coupling
    P, H = A[:, :3] @ mount.attitude.T, A[:, 3:] @ mount.attitude.T
    mass, turn = view.rigid_mass[0, 0], np.linalg.eigvalsh(view.rigid_mass[3:, 3:])[-1]
    rates, drag = Q.T @ view.mass, np.einsum("kl,km,ml->l", Q, view.damping, Q)
    found = []
    for l in range(view.count):
        p, h = P[l] @ P[l], H[l] @ H[l]
        if p < _NOTHING * mass and h < _NOTHING * turn:
            continue
        slides = p > _TURNING * mass
        size = float(p if slides else h)
        axis = (P[l] if slides else H[l]) / np.sqrt(size)
        arm = np.cross(axis, H[l]) / np.sqrt(size) if slides else np.zeros(3)
        found.append(
            TunedMass(
                name=f"{mount.name}:mode{l + 1}", mode=l + 1, kind="slide" if slides else "hinge", size=size,
                point=mount.position + arm, axis=axis, stiffness=size * float(values[l]), damping=size * float(drag[l]),
                row=rates[l] / np.sqrt(size), lost=float((H[l] @ axis) ** 2 / max(h, 1e-300)) if slides else 0.0,
            )
        )  # fmt: skip
    return found


def tuned(
    vehicle: Vehicle, whole: dict[str, RigidPart], kinds: tuple[str, ...] = ("slide", "hinge")
) -> tuple[dict[str, RigidPart], dict[str, list[TunedMass]], list[str]]:
    """What is left of every body, the tuned masses in it, and sentences about what is lost.

    Args:
        vehicle: the vehicle.
        whole: bodies with their locked appendages, by name.
        kinds: joints that the other program has.
    """
    rest, made, lost = dict(whole), {body.name: [] for body in vehicle.bodies}, []  # type: ignore[var-annotated]
    for mount in vehicle.appendages:
        dropped, screws = [], []
        for one in tuned_modes(mount):
            left = rest[mount.body].without(one.mass, one.point, one.inertia)
            if one.kind not in kinds or not left.real:
                dropped.append(str(one.mode))
                continue
            rest[mount.body] = left
            made[mount.body].append(one)
            if one.lost > 1e-9:
                screws.append(f"{one.mode} ({100.0 * one.lost:.2g} %)")
        words = f"appendage {mount.name} is linear, each mode a tuned mass: frequencies, damping ratios and effective masses"
        if screws:
            words += f"; of the effective inertia of screw modes is lost: {', '.join(screws)}"
        if dropped:
            words += f"; rigid in modes that no mass of the body can follow: {', '.join(dropped)}"
        lost.append(words)
    return rest, made, lost
