"""One substructure: rigid body, rotors and appendage as seen from its nominal mass centre o_k (TR 32-1576,
Eqs 46-49, 53).

Symbols: eta modal coordinates (m), c vector FROM the mass centre c_k TO o_k, J inertia about o_k, everything
in {b^k}. All arrays are the modal integrals of the appendage moved to o_k; the rigid body and the locked
rotors sit in mass and inertia.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import LEVI_CIVITA, FloatArray, frozen, skew


@dataclass(frozen=True, eq=False, repr=False)
class Substructure:
    """Constants of one substructure in {b^k} about o_k, m modes, q rotors.

    mass M_k kg; inertia Jbar (3, 3) kg m²; P, H (3, m); J1 (3, 3, m) and J2 (3, 3, m, m) derivatives of the
    inertia; cross Kx (3, m, m); turn_first a (3, m, m) and turn_spin (3, m, m): second-degree rotation of
    nodal bodies in P and in the relative angular momentum; modal_mass, stiffness, damping (m, m);
    rotor_inertia Js (q,) kg m² about its axis, rotor_axes b (q, 3).
    """

    mass: float
    inertia: FloatArray
    P: FloatArray
    H: FloatArray
    J1: FloatArray
    J2: FloatArray
    cross: FloatArray
    turn_first: FloatArray
    turn_spin: FloatArray
    modal_mass: FloatArray
    stiffness: FloatArray
    damping: FloatArray
    rotor_inertia: FloatArray
    rotor_axes: FloatArray

    @property
    def modes(self) -> int:
        return int(self.modal_mass.shape[0])


@dataclass(frozen=True, eq=False)
class Deformation:
    """A substructure at (eta, eta'), in {b^k}.

    c, c_rate (3,) m: c^k and its rate in {b^k} (Eq 46); shape (3, m): d(int u dm)/d eta, so that
    M_k c'' = -(shape eta'' + shape_bias); J, J_rate (3, 3) (Eqs 48, 49); spin (3, m): int (r + u) x du/d eta,
    A^k = spin eta'' + spin_bias + w x spin eta' (Eq 53); J_slope (3, 3, m): dJ/d eta; gyro (3, m):
    sum_k Kx_kl eta'_k, the modal Coriolis force is 2 w.gyro.
    """

    c: FloatArray
    c_rate: FloatArray
    shape: FloatArray
    shape_bias: FloatArray
    J: FloatArray
    J_rate: FloatArray
    spin: FloatArray
    spin_bias: FloatArray
    J_slope: FloatArray
    gyro: FloatArray


@dataclass(frozen=True, eq=False)
class Flexible:
    """An appendage on a body: integrals about its O, which sits at ``origin`` (3,) m from the body's origin;
    ``axes`` (3, 3) turns appendage into body components; stiffness, damping (m, m)."""

    integrals: ModalIntegrals
    stiffness: FloatArray
    damping: FloatArray
    origin: FloatArray
    axes: FloatArray

    @property
    def center(self) -> FloatArray:
        """Mass centre from the body's origin, (3,) m, body axes."""
        return np.asarray(self.origin + self.axes @ self.integrals.center)

    @property
    def inertia(self) -> FloatArray:
        """About its mass centre, (3, 3) kg m², body axes."""
        record = self.integrals
        return np.asarray(self.axes @ (record.inertia - parallel(record.mass, record.center)) @ self.axes.T)


def substructure(
    mass: float,
    center: FloatArray,
    inertia: FloatArray,
    appendages: Sequence[Flexible] = (),
    rotor_inertia: FloatArray | None = None,
    rotor_axes: FloatArray | None = None,
) -> tuple[Substructure, FloatArray]:
    """Constants about o_k, and o_k (3,) m from the body's origin; several appendages become one (requirement
    of the report).

    mass kg, center (3,) m from the body's origin, inertia (3, 3) kg m² about ``center``: the rigid body WITH
    its locked rotors and without the appendages.
    """
    parts = [(mass, np.asarray(center, float), np.asarray(inertia, float))]
    parts += [(a.integrals.mass, a.center, a.inertia) for a in appendages]
    total = sum(part[0] for part in parts)
    o = sum(part[0] * part[1] for part in parts) / total if total > 0.0 else parts[0][1]
    J = sum(part[2] + parallel(part[0], part[1] - o) for part in parts)
    moved = [_moved(a.integrals, a.axes, a.origin - o) for a in appendages]
    m = sum(a.integrals.count for a in appendages)

    def row(name: str, lead: tuple[int, ...]) -> FloatArray:
        return frozen(np.concatenate([np.zeros((*lead, 0)), *(part[name] for part in moved)], axis=-1))

    def block(lead: tuple[int, ...], matrices: Sequence[FloatArray]) -> FloatArray:
        out, start = np.zeros((*lead, m, m)), 0
        for matrix in matrices:
            stop = start + matrix.shape[-1]
            out[..., start:stop, start:stop] = matrix
            start = stop
        return frozen(out)

    return (
        Substructure(
            float(total),
            frozen(J),
            row("P", (3,)),
            row("H", (3,)),
            row("J1", (3, 3)),
            block((3, 3), [part["J2"] for part in moved]),
            block((3,), [part["cross"] for part in moved]),
            block((3,), [part["first"] for part in moved]),
            block((3,), [part["turn"] for part in moved]),
            block((), [a.integrals.modal_mass for a in appendages]),
            block((), [a.stiffness for a in appendages]),
            block((), [a.damping for a in appendages]),
            frozen(np.zeros(0) if rotor_inertia is None else rotor_inertia, shape=(-1,)),
            frozen(np.zeros((0, 3)) if rotor_axes is None else rotor_axes, shape=(-1, 3)),
        ),
        frozen(o),
    )


def _moved(record: ModalIntegrals, Q: FloatArray, shift: FloatArray) -> dict[str, FloatArray]:
    """Integrals turned into body axes by Q and taken about o_k, from which O lies at ``shift`` (3,) m."""
    eye = np.eye(3)
    P = Q @ record.translation
    L = np.einsum("ai,bj,ijk->abk", Q, Q, record.position_shape) + shift[:, None, None] * P
    N = np.einsum("ai,bj,ijkl->abkl", Q, Q, record.shape_shape, optimize=True)
    first = np.einsum("ai,ikl->akl", Q, record.turn_first)
    A = (
        np.einsum("ai,bj,ijkl->abkl", Q, Q, record.turn_second, optimize=True)
        + shift[:, None, None, None] * first
    )
    J2 = np.trace(N) * eye[:, :, None, None] - N.transpose(1, 0, 2, 3)
    J2 = 0.25 * (J2 + J2.transpose(1, 0, 2, 3) + J2.transpose(0, 1, 3, 2) + J2.transpose(1, 0, 3, 2))
    return {
        "P": P,
        "H": np.einsum("abc,bck->ak", LEVI_CIVITA, L),
        "J1": 2.0 * np.trace(L) * eye[:, :, None] - L - L.transpose(1, 0, 2),
        "J2": J2 + 2.0 * np.trace(A) * eye[:, :, None, None] - A - A.transpose(1, 0, 2, 3),
        "cross": np.einsum("abc,bckl->akl", LEVI_CIVITA, N),
        "first": first,
        "turn": np.einsum("abc,bckl->akl", LEVI_CIVITA, A),
    }


_ZERO, _ZERO_MATRIX = frozen(np.zeros(3)), frozen(np.zeros((3, 3)))


def parallel(mass: float, arm: FloatArray) -> FloatArray:
    """Inertia (3, 3) kg m² of a particle of that mass at ``arm`` (3,) m."""
    tilde = skew(arm)
    return np.asarray(-mass * tilde @ tilde)


def deform(body: Substructure, eta: FloatArray, rate: FloatArray, first_degree: bool) -> Deformation:
    """Mass properties of the deformed substructure: of first degree as Eqs 46-53, or complete.

    The first-degree form leaves out u x u' in A^k, the quadratic part of J and of c; the modal equation keeps
    the slope of the quadratic part, since a slope of a second-degree term is of first degree.
    """
    if body.modes == 0:
        return Deformation(
            _ZERO, _ZERO, body.P, _ZERO, body.inertia, _ZERO_MATRIX, body.H, _ZERO, body.J1, body.P
        )
    M = body.mass if body.mass > 0.0 else 1.0
    slope = body.J1 + 2.0 * np.einsum("abkl,k->abl", body.J2, eta)
    gyro = np.einsum("akl,k->al", body.cross, rate)
    if first_degree:
        P, zero = body.P, np.zeros(3)
        return Deformation(
            -P @ eta / M,
            -P @ rate / M,
            P,
            zero,
            body.inertia + body.J1 @ eta,
            body.J1 @ rate,
            body.H,
            zero,
            slope,
            gyro,
        )
    turning = 2.0 * np.einsum("akl,k->al", body.turn_first, eta)
    spin_slope = body.cross + 2.0 * body.turn_spin
    first_moment = body.P @ eta + 0.5 * turning @ eta
    return Deformation(
        -first_moment / M,
        -(body.P + turning) @ rate / M,
        body.P + turning,
        2.0 * np.einsum("akl,k,l->a", body.turn_first, rate, rate),
        body.inertia + body.J1 @ eta + np.einsum("abkl,k,l->ab", body.J2, eta, eta),
        slope @ rate,
        body.H + np.einsum("akl,k->al", spin_slope, eta),
        np.einsum("akl,k,l->a", spin_slope, rate, rate),
        slope,
        gyro,
    )


def modal_shape(body: Substructure, eta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(shape, spin), (3, m) each, as the modal equation uses them: complete to first degree in eta for either
    form."""
    shape = body.P + 2.0 * np.einsum("akl,k->al", body.turn_first, eta)
    spin = body.H + np.einsum("akl,k->al", body.cross + 2.0 * body.turn_spin, eta)
    return shape, spin
