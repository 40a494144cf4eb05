"""Uniform beams and strings as records: exact shapes, integrals by Gauss points to round-off, no finite elements.

Beams are Euler-Bernoulli beams: no shear flexibility, and rotary inertia in torsion only. Integrands are
entire functions, so that Gauss points beyond the number of waves leave only round-off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import ArrayLike

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.record.damping_matrix import Damping, damping_matrix
from tisserand.appendage.record.drawing_topology import Topology
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.arguments import at_most, checked_arguments
from tisserand.arrays import FloatArray
from tisserand.continua.roots import Bending, EndBody, EndKind, Member, Waves, coefficients, roots
from tisserand.errors import InputError

_ENDS = ("clamped", "pinned", "free")
#: Modes of a member, and their number times the drawn segments.
MOST_MODES, MOST_VALUES = 200, 2_000_000
#: Displacement direction, rotation of bending about, sign of that rotation for a positive slope.
_PLANES = {"bending y": (1, 2, 1.0), "bending z": (2, 1, -1.0)}


@dataclass(frozen=True, eq=False)
class _Family:
    """One kind of motion: its member, lambda to omega, kinetic weight, and where it shows."""

    name: str
    member: Member
    stiffness: float
    inertia: float
    length: float

    def omega(self, x: float) -> float:
        power = 2 if isinstance(self.member, Bending) else 1
        return float((x / self.length) ** power * np.sqrt(self.stiffness / self.inertia))

    def motion(self, x: float, c: FloatArray, xi: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Translation and rotation (n, 3) of unscaled shapes at fractions of the length."""
        value, slope, *_ = self.member.shapes(x, xi)
        u, du = c @ value, c @ slope / self.length
        translation, rotation = np.zeros((len(xi), 3)), np.zeros((len(xi), 3))
        if self.name in _PLANES:
            across, about, sign = _PLANES[self.name]
            translation[:, across], rotation[:, about] = u, sign * du
        elif self.name == "axial":
            translation[:, 0] = u
        else:
            rotation[:, 0] = u
        return translation, rotation


@checked_arguments
def uniform_beam(
    length: float,
    mass_per_length: float,
    *,
    bending: float | tuple[float, float] | None = None,
    axial: float | None = None,
    torsion: float | None = None,
    polar_inertia: float = 0.0,
    ends: str = "clamped-free",
    count: int = 6,
    tip_mass: float = 0.0,
    tip_inertia: Sequence[float] = (0.0, 0.0, 0.0),
    tip_offset: float = 0.0,
    damping: Damping | float | None = None,
    points: Mapping[str, float] | None = None,
    stations: int = 40,
    name: str = "beam",
) -> ReducedAppendage:
    """The exact record of a uniform beam along x, from ``root`` at x = 0 to ``tip`` at x = ``length``.

    A record with a clamped end flies on a body; a free-free one flies alone, in the Buckens frame about its mass center. A beam
    clamped at the root and free at the tip has the geometric stiffness of axial force: from acceleration along it, from spin
    across it, and from a force at the tip (``F:tip:1``), which is also its foreshortening.

    Args:
        length: m.
        mass_per_length: kg/m.
        bending: EI, N m²: one value, or (along y, along z); None leaves bending out.
        axial: EA, N; None leaves axial motion out.
        torsion: GJ, N m²; None leaves torsion out.
        polar_inertia: of the sections about x per length, kg m; needed for torsion.
        ends: two of ``clamped``, ``pinned`` (no displacement, no twist, free slope) and ``free``, with a hyphen.
        count: number of modes, the lowest of all kinds of motion.
        tip_mass: rigid body on the free second end, kg.
        tip_inertia: of that body about its own mass center, about x, y, z, kg m².
        tip_offset: from the tip to its mass center, along x, m.
        damping: a ratio for all modes, or a ``Damping``.
        points: name -> x, m, of further interfaces.
        stations: number of segments of the drawn line.
        name: of the record.
    """
    pair = _ends(ends, name)
    L, mu = length, mass_per_length
    _checked(name, length=L, mass_per_length=mu)
    J = np.asarray(tip_inertia, float)
    if J.shape != (3,) or not (np.isfinite(J).all() and (J >= 0.0).all()):
        raise InputError("the inertia of the tip body is three values, zero or more", where=name, found=J.tolist())
    if (tip_mass or J.any()) and pair[1] != "free":
        raise InputError("a tip body needs a free end", where=name, found=ends, expected="ends such as clamped-free")
    if tip_mass < 0.0 or not np.isfinite([tip_mass, tip_offset]).all():
        raise InputError("the tip body's mass must be zero or more", where=name, found=tip_mass)
    families: list[_Family] = []
    if bending is not None:
        values = bending if isinstance(bending, tuple) else (bending, bending)
        for word, EI, about in (("bending y", values[0], J[2]), ("bending z", values[1], J[1])):
            _checked(name, bending=EI)
            body = EndBody(tip_mass / (mu * L), tip_offset / L, about / (mu * L**3))
            families.append(_Family(word, Bending(pair, body), EI, mu, L))
    if axial is not None:
        _checked(name, axial=axial)
        families.append(_Family("axial", Waves(pair, EndBody(tip_mass / (mu * L))), axial, mu, L))
    if torsion is not None:
        _checked(name, torsion=torsion, polar_inertia=polar_inertia)
        families.append(_Family("torsion", Waves(pair, EndBody(J[0] / (polar_inertia * L))), torsion, polar_inertia, L))
    section = np.array([polar_inertia, 0.5 * polar_inertia, 0.5 * polar_inertia])
    tip = (tip_mass, np.array([tip_offset, 0.0, 0.0]), np.diag(J))
    return _record(
        families,
        pair,
        mu=mu,
        section=section,
        tip=tip,
        count=count,
        damping=damping,
        points=points or {},
        stations=stations,
        name=name,
    )


@checked_arguments
def uniform_string(
    length: float,
    mass_per_length: float,
    tension: float,
    *,
    ends: str = "pinned-pinned",
    count: int = 6,
    planes: str = "yz",
    damping: Damping | float | None = None,
    points: Mapping[str, float] | None = None,
    stations: int = 40,
    name: str = "string",
) -> ReducedAppendage:
    """The exact record of a taut string along x, from ``root`` at x = 0 to ``tip`` at x = ``length``.

    Args:
        length: m.
        mass_per_length: kg/m.
        tension: N, constant along the string.
        ends: ``pinned-pinned``, or ``pinned-free`` for an end that slides across the string.
        count: number of modes, the lowest of both planes.
        planes: directions of motion: ``y``, ``z`` or ``yz``.
        damping: a ratio for all modes, or a ``Damping``.
        points: name -> x, m, of further interfaces.
        stations: number of segments of the drawn line.
        name: of the record.
    """
    pair = _ends(ends, name)
    _checked(name, length=length, mass_per_length=mass_per_length, tension=tension)
    if pair[0] == "free" or not planes or set(planes) - set("yz"):
        raise InputError(
            "a string is held at its first end and moves along y, z or both", where=name, found=(ends, planes)
        )
    families = [
        _Family(f"bending {plane}", Waves(pair, EndBody()), tension, mass_per_length, length)
        for plane in sorted(set(planes))
    ]
    nothing = (0.0, np.zeros(3), np.zeros((3, 3)))
    return _record(
        families,
        pair,
        mu=mass_per_length,
        section=np.zeros(3),
        tip=nothing,
        count=count,
        damping=damping,
        points=points or {},
        stations=stations,
        name=name,
    )


def _record(
    families: Sequence[_Family],
    ends: tuple[EndKind, EndKind],
    *,
    mu: float,
    section: FloatArray,
    tip: tuple[float, FloatArray, FloatArray],
    count: int,
    damping: Damping | float | None,
    points: Mapping[str, float],
    stations: int,
    name: str,
) -> ReducedAppendage:
    if not families or count < 1 or stations < 1:
        raise InputError("a continuum needs a rigidity, and at least one mode and one segment", where=name)
    at_most(name, MOST_MODES, "modes", count=count)
    at_most(name, MOST_VALUES, "values", count=count, stations=stations)
    L = families[0].length
    if any(family.member.rigid for family in families) and ends != ("free", "free"):
        raise InputError(
            "these ends allow a rigid motion, which must be a joint of the vehicle, not a mode", where=name,
            found="-".join(ends), expected="one clamped end, two held ends, or two free ends",
        )  # fmt: skip
    chosen = _lowest(families, count)
    outside = [word for word, x in points.items() if not 0.0 <= x <= L]
    if outside:
        raise InputError(
            "a point lies outside the member", where=name, found=outside[0], expected=f"x from 0 to {L:g} m"
        )
    gauss, weights = leggauss(int(40 + max(x for _, x in chosen)))
    xi, w = 0.5 * (gauss + 1.0), 0.5 * weights
    named = {"root": 0.0, "tip": 1.0, **{word: x / L for word, x in points.items()}}
    drawn = np.linspace(0.0, 1.0, stations + 1)
    at = np.concatenate([xi, drawn, list(named.values())])
    motions = [family.motion(x, coefficients(family.member, x), at) for family, x in chosen]
    translation = np.stack([t for t, _ in motions], axis=2)
    rotation = np.stack([r for _, r in motions], axis=2)
    tip_mass, tip_arm, tip_inertia = tip
    # mass points: Gauss points whose sections turn in torsion alone, and the tip body, which turns fully
    n, end = len(xi), len(xi) + stations
    rows = np.append(np.arange(n), end)
    turning = rotation[rows].copy()
    turning[:n, 1:] = 0.0
    masses = np.append(mu * L * w, tip_mass)
    offsets = np.vstack([np.zeros((n, 3)), tip_arm])
    inertias = np.concatenate([(L * w)[:, None, None] * np.diag(section), tip_inertia[None]])
    x_mass = np.column_stack([at[rows] * L, np.zeros(n + 1), np.zeros(n + 1)])
    center = (masses @ (x_mass + offsets)) / masses.sum()
    floating = ends == ("free", "free")
    origin = center if floating else np.zeros(3)
    raw = nodal_body_integrals(x_mass - origin, masses, offsets, inertias, translation[rows], turning)
    scale = _signs(translation, rotation, end) / np.sqrt(np.diag(raw.modal_mass))
    translation, rotation, turning = translation * scale, rotation * scale, turning * scale
    integrals = nodal_body_integrals(x_mass - origin, masses, offsets, inertias, translation[rows], turning)
    k = len(chosen)
    omega = np.array([family.omega(x) for family, x in chosen])
    Ke = np.diag(omega**2)
    De, damping_report = damping_matrix(damping, integrals.modal_mass, Ke, np.zeros((0, k)), None)
    places = np.column_stack([at * L, np.zeros(len(at)), np.zeros(len(at))]) - origin
    shown = slice(n, n + stations + 1)
    table = NodeTable(np.arange(1, stations + 2), places[shown], translation[shown], rotation[shown])
    first = n + stations + 1
    interfaces = tuple(
        Interface(word, stations + 2 + i, places[first + i], np.eye(3), translation[first + i], rotation[first + i])
        for i, word in enumerate(named)
    )
    slopes = rotation[:n] * np.array([0.0, -1.0, 1.0])[:, None]  # dw/dx of the two planes, in columns z and y
    axial = (
        {}
        if ends != ("clamped", "free")
        else _axial_families(slopes, xi * L, w * L, mu, L, tip_mass, float(tip_arm[0]))
    )
    attachment = "root" if ends[0] == "clamped" else "tip" if ends[1] == "clamped" else None
    words = "free, in axes of no momentum of deformation" if floating else "held: " + ", ".join(ends)
    lines = np.column_stack([np.arange(stations), np.arange(1, stations + 1)])
    return ReducedAppendage(
        name=name,
        integrals=integrals,
        stiffness=Ke,
        damping=De,
        nodes=table,
        frame=FrameRecord("buckens" if floating else "connection", words, (0.0,) * k),
        reference_point=origin,
        interfaces=interfaces,
        attachment=attachment,
        mode_names=_names(chosen),
        geometric_stiffness=axial,
        topology=Topology(lines=lines, bodies=np.array([stations] if tip_mass else [], np.int64)),
        rigid_body_modes=6 if floating else 0,
        reports=plain(
            {
                "continuum": {"ends": "-".join(ends), "wave_numbers": [x for _, x in chosen], "length": L},
                "damping": damping_report,
            }
        ),
        provenance={"made_by": "closed form of a uniform member"},
    )


def _lowest(families: Sequence[_Family], count: int) -> list[tuple[_Family, float]]:
    """The lowest modes of all families together, ascending."""
    every = [(family, float(x)) for family in families for x in roots(family.member, count)]
    return sorted(every, key=lambda pair: pair[0].omega(pair[1]))[:count]


def _names(chosen: Sequence[tuple[_Family, float]]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    out = []
    for family, _ in chosen:
        seen[family.name] = seen.get(family.name, 0) + 1
        out.append(f"{family.name} {seen[family.name]}")
    return tuple(out)


def _signs(translation: FloatArray, rotation: FloatArray, tip: int) -> FloatArray:
    """Shapes are positive at the tip, or where they are largest if the tip is held."""
    size = translation.sum(axis=1) + rotation[:, 0]
    largest = size[np.abs(size).argmax(axis=0), np.arange(size.shape[1])]
    at_tip = size[tip]
    return np.asarray(np.where(np.abs(at_tip) > 1e-6 * np.abs(largest), np.sign(at_tip), np.sign(largest)))


def _axial_families(
    slopes: FloatArray, x: FloatArray, w: FloatArray, mu: float, L: float, tip: float, arm: float
) -> dict[str, FloatArray]:
    """Kg = int N w' w' dx for unit acceleration along x, unit spin squared about y and z, and a unit force at the tip."""

    def stiffness(force: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("n,nak,nal->kl", w * force, slopes, slopes))

    pull = mu * (L - x) + tip
    spin = 0.5 * mu * (L**2 - x**2) + tip * (L + arm)
    return {
        "ax": -stiffness(pull),
        "wyy": stiffness(spin),
        "wzz": stiffness(spin),
        "F:tip:1": stiffness(np.ones_like(x)),
    }


def _ends(text: str, name: str) -> tuple[EndKind, EndKind]:
    words = text.split("-")
    if len(words) != 2 or any(word not in _ENDS for word in words):
        raise InputError(
            "unknown ends", where=name, found=repr(text), expected="two of clamped, pinned, free with a hyphen"
        )
    return words[0], words[1]  # type: ignore[return-value]


def _checked(name: str, **values: ArrayLike) -> None:
    for word, value in values.items():
        if not (np.isfinite(value) and float(value) > 0.0):  # type: ignore[arg-type]
            raise InputError(f"{word} must be a positive number", where=name, found=value)
