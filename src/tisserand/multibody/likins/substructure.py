"""One substructure: rigid body, rotors and appendage as seen from its nominal mass center o_k.

TR 32-1576, Eqs 46-49, 53.

Symbols: eta modal coordinates (m), c vector FROM the mass center c_k TO o_k, J inertia about o_k, everything
in {b^k}. All arrays are the modal integrals of the appendage moved to o_k; the rigid body and the locked
rotors sit in mass and inertia.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.turning_bodies import TurningBodies, no_bodies
from tisserand.arrays import LEVI_CIVITA, FloatArray, frozen, skew
from tisserand.multibody.body_integrals import carried_integrals
from tisserand.multibody.displacement_field import DisplacementField, displacement_field
from tisserand.multibody.likins.field_motion import field_motion, undeformed


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Substructure:
    """Constants of one substructure in {b^k} about o_k, m modes, q rotors.

    mass M_k kg; inertia Jbar (3, 3) kg m²; P, H (3, m); J1 (3, 3, m) and J2 (3, 3, m, m) derivatives of the
    inertia; cross Kx (3, m, m); turn_first a (3, m, m) and turn_spin (3, m, m): second-degree rotation of
    nodal bodies in P and in the relative angular momentum; modal_mass, stiffness, damping (m, m);
    rotor_inertia Js (q,) kg m² about its axis, rotor_axes b (q, 3). fields: per appendage its modes and its displacement field.
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
    fields: tuple[tuple[slice, DisplacementField], ...] = ()

    @property
    def modes(self) -> int:
        return int(self.modal_mass.shape[0])


@dataclass(frozen=True, eq=False, kw_only=True)
class Deformation:
    """A substructure at (eta, eta'), in {b^k}.

    c, c_rate (3,) m: c^k and its rate in {b^k} (Eq 46); shape (3, m): d(int u dm)/d eta, so that
    M_k c'' = -(shape eta'' + shape_bias); J (3, 3) (Eq 48); coriolis (3, 3): J°w + w x (spin eta') = coriolis w (Eq 49);
    spin (3, m): int (r + u) x du/d eta, A^k = spin eta'' + spin_bias + w x spin eta' (Eq 53); J_slope (3, 3, m): dJ/d eta;
    gyro (3, m): int u' x du/d eta, the modal Coriolis force is 2 w.gyro; modal_mass (m, m), modal_bias (m,): int Y'Y and
    int Y'psi(eta', eta') of the modal equations.
    """

    c: FloatArray
    c_rate: FloatArray
    shape: FloatArray
    shape_bias: FloatArray
    J: FloatArray
    coriolis: FloatArray
    spin: FloatArray
    spin_bias: FloatArray
    J_slope: FloatArray
    gyro: FloatArray
    modal_mass: FloatArray
    modal_bias: FloatArray


@dataclass(frozen=True, eq=False)
class Flexible:
    """An appendage on a body.

    Integrals about its O, which sits at ``origin`` (3,) m from the body's origin; ``axes`` (3, 3) maps appendage to body
    components; stiffness, damping (m, m); bodies: those that turn exactly, in appendage axes about O.
    """

    integrals: ModalIntegrals
    stiffness: FloatArray
    damping: FloatArray
    origin: FloatArray
    axes: FloatArray
    bodies: TurningBodies | None = None

    def field(self, o: FloatArray) -> DisplacementField:
        """Its displacement field in body axes about o (3,) m from the body's origin."""
        here = carried_integrals(self.integrals, self.axes, self.origin - o)
        bodies = no_bodies(self.integrals.count) if self.bodies is None else self.bodies
        return displacement_field(here, bodies.carried(self.axes, self.origin - o))

    @property
    def center(self) -> FloatArray:
        """Mass center from the body's origin, (3,) m, body axes."""
        return np.asarray(self.origin + self.axes @ self.integrals.center)

    @property
    def inertia(self) -> FloatArray:
        """About its mass center, (3, 3) kg m², body axes."""
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
    """Constants about o_k, and o_k (3,) m from the body's origin; several appendages are merged into one.

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
            mass=float(total),
            inertia=frozen(J),
            P=row("P", (3,)),
            H=row("H", (3,)),
            J1=row("J1", (3, 3)),
            J2=block((3, 3), [part["J2"] for part in moved]),
            cross=block((3,), [part["cross"] for part in moved]),
            turn_first=block((3,), [part["first"] for part in moved]),
            turn_spin=block((3,), [part["turn"] for part in moved]),
            modal_mass=block((), [a.integrals.modal_mass for a in appendages]),
            stiffness=block((), [a.stiffness for a in appendages]),
            damping=block((), [a.damping for a in appendages]),
            rotor_inertia=frozen(np.zeros(0) if rotor_inertia is None else rotor_inertia, shape=(-1,)),
            rotor_axes=frozen(np.zeros((0, 3)) if rotor_axes is None else rotor_axes, shape=(-1, 3)),
            fields=tuple(
                zip(_slots([a.integrals.count for a in appendages]), (a.field(np.asarray(o)) for a in appendages))
            ),
        ),
        frozen(o),
    )


def _slots(counts: Sequence[int]) -> list[slice]:
    ends = np.cumsum(counts).tolist()
    return [slice(end - count, end) for count, end in zip(counts, ends)]


def _moved(record: ModalIntegrals, Q: FloatArray, shift: FloatArray) -> dict[str, FloatArray]:
    """Integrals turned into body axes by Q and taken about o_k, from which O lies at ``shift`` (3,) m."""
    eye = np.eye(3)
    P = Q @ record.translation
    L = np.einsum("ai,bj,ijk->abk", Q, Q, record.position_shape) + shift[:, None, None] * P
    N = np.einsum("ai,bj,ijkl->abkl", Q, Q, record.shape_shape, optimize=True)
    first = np.einsum("ai,ikl->akl", Q, record.turn_first)
    A = np.einsum("ai,bj,ijkl->abkl", Q, Q, record.turn_second, optimize=True) + shift[:, None, None, None] * first
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


def _rigid(body: Substructure) -> Deformation:
    """A substructure without modes."""
    return Deformation(
        c=_ZERO,
        c_rate=_ZERO,
        shape=body.P,
        shape_bias=_ZERO,
        J=body.inertia,
        coriolis=_ZERO_MATRIX,
        spin=body.H,
        spin_bias=_ZERO,
        J_slope=body.J1,
        gyro=body.P,
        modal_mass=body.modal_mass,
        modal_bias=body.P[0],
    )


def deform(body: Substructure, eta: FloatArray, rate: FloatArray, first_degree: bool) -> Deformation:
    """Mass properties of the deformed substructure: of first degree as Eqs 46-53, or of its complete displacement fields.

    The first-degree form leaves out u x u' in A^k, the quadratic part of J and of c; the modal equation keeps
    the slope of the quadratic part, since a slope of a second-degree term is of first degree.
    """
    modes = body.modes
    if modes == 0:
        return _rigid(body)
    M = body.mass if body.mass > 0.0 else 1.0
    if first_degree:
        slope = body.J1 + 2.0 * np.einsum("abkl,k->abl", body.J2, eta)
        gyro = np.einsum("akl,k->al", body.cross, rate)
        P, zero = body.P, np.zeros(3)
        return Deformation(
            c=-P @ eta / M,
            c_rate=-P @ rate / M,
            shape=P,
            shape_bias=zero,
            J=body.inertia + body.J1 @ eta,
            coriolis=body.J1 @ rate - skew(body.H @ rate),
            spin=body.H,
            spin_bias=zero,
            J_slope=slope,
            gyro=gyro,
            modal_mass=body.modal_mass,
            modal_bias=np.zeros(modes),
        )
    c, c_rate, shape_bias, spin_bias = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    J, coriolis = np.array(body.inertia), np.zeros((3, 3))
    shape, spin, gyro, slope = np.zeros((3, modes)), np.zeros((3, modes)), np.zeros((3, modes)), np.zeros((3, 3, modes))
    modal_mass, modal_bias = np.zeros((modes, modes)), np.zeros(modes)
    for mine, field in body.fields:
        now = field_motion(field, eta[mine], rate[mine])
        rest = undeformed(field)
        c -= (now.first - rest[0]) / M
        c_rate -= now.drift / M
        J += now.J - rest[1]
        shape[:, mine], spin[:, mine], gyro[:, mine], slope[:, :, mine] = now.shape, now.spin, now.gyro, now.slope
        shape_bias += now.shape_bias
        spin_bias += now.spin_bias
        coriolis += now.coriolis
        modal_mass[mine, mine], modal_bias[mine] = now.modal_mass, now.modal_bias
    return Deformation(
        c=c,
        c_rate=c_rate,
        shape=shape,
        shape_bias=shape_bias,
        J=J,
        coriolis=coriolis,
        spin=spin,
        spin_bias=spin_bias,
        J_slope=slope,
        gyro=gyro,
        modal_mass=modal_mass,
        modal_bias=modal_bias,
    )


def modal_shape(
    body: Substructure, eta: FloatArray, now: Deformation, first_degree: bool
) -> tuple[FloatArray, FloatArray]:
    """(shape, spin), (3, m) each, as the modal equation uses them: Eq 42 keeps their first degree there only."""
    if not first_degree:
        return now.shape, now.spin
    shape = body.P + 2.0 * np.einsum("akl,k->al", body.turn_first, eta)
    spin = body.H + np.einsum("akl,k->al", body.cross + 2.0 * body.turn_spin, eta)
    return shape, spin
