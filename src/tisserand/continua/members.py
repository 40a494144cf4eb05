"""Uniform beams and strings as records: exact shapes, integrals by Gauss points to round-off, no finite elements.

Beams are Euler-Bernoulli beams: no shear flexibility, and rotary inertia in torsion only. Integrands are
entire functions, so that Gauss points beyond the number of waves leave only round-off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import ArrayLike

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.damping_matrix import Damping, damping_matrix
from tisserand.appendage.record.drawing_topology import Topology
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.arguments import at_most, checked_arguments
from tisserand.arrays import FloatArray, IntArray
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
    tip = _Tip(tip_mass, np.array([tip_offset, 0.0, 0.0]), np.diag(J))
    member = _Continuum(families, pair, mu, section=section, tip=tip, name=name)
    return _record(member, _Wish(count, stations, points or {}, damping))


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
    return _record(
        _Continuum(families, pair, mass_per_length, name=name), _Wish(count, stations, points or {}, damping)
    )


@dataclass(frozen=True, eq=False)
class _Tip:
    """A rigid body at the end: mass, kg; arm (3,) from the end to its mass center, m; inertia (3, 3) about that, kg m²."""

    mass: float = 0.0
    arm: FloatArray = field(default_factory=lambda: np.zeros(3))
    inertia: FloatArray = field(default_factory=lambda: np.zeros((3, 3)))


@dataclass(frozen=True, eq=False)
class _Continuum:
    """A uniform member: its families of motion, its ends, and its mass per length, kg/m, with inertia of sections (3,), kg m."""

    families: Sequence[_Family]
    ends: tuple[EndKind, EndKind]
    mass_per_length: float
    _: KW_ONLY
    section: FloatArray = field(default_factory=lambda: np.zeros(3))
    tip: _Tip = field(default_factory=_Tip)
    name: str

    @property
    def length(self) -> float:
        return self.families[0].length

    @property
    def floats(self) -> bool:
        return self.ends == ("free", "free")


@dataclass(frozen=True, eq=False)
class _Wish:
    """What is wanted of a record: number of modes, segments of the drawn line, named points (x in m), damping."""

    count: int
    stations: int
    points: Mapping[str, float]
    damping: Damping | float | None


@dataclass(frozen=True, eq=False)
class _Grid:
    """Places along the member, 0 to 1: Gauss points with their weights, ends of the drawn segments, named points."""

    gauss: FloatArray
    weights: FloatArray
    stations: int
    named: Mapping[str, float]

    @property
    def at(self) -> FloatArray:
        return np.concatenate([self.gauss, np.linspace(0.0, 1.0, self.stations + 1), list(self.named.values())])

    @property
    def drawn(self) -> slice:
        return slice(len(self.gauss), len(self.gauss) + self.stations + 1)

    @property
    def massive(self) -> IntArray:
        """Gauss points, and the end of the last segment for the tip body."""
        return np.append(np.arange(len(self.gauss)), self.drawn.stop - 1)


def _refuse(member: _Continuum, wish: _Wish) -> None:
    if not member.families or wish.count < 1 or wish.stations < 1:
        raise InputError("a continuum needs a rigidity, and at least one mode and one segment", where=member.name)
    at_most(member.name, MOST_MODES, "modes", count=wish.count)
    at_most(member.name, MOST_VALUES, "values", count=wish.count, stations=wish.stations)
    if any(family.member.rigid for family in member.families) and not member.floats:
        raise InputError(
            "these ends allow a rigid motion, which must be a joint of the vehicle, not a mode", where=member.name,
            found="-".join(member.ends), expected="one clamped end, two held ends, or two free ends",
        )  # fmt: skip
    outside = [word for word, x in wish.points.items() if not 0.0 <= x <= member.length]
    if outside:
        expected = f"x from 0 to {member.length:g} m"
        raise InputError("a point lies outside the member", where=member.name, found=outside[0], expected=expected)


def _grid(chosen: Sequence[tuple[_Family, float]], wish: _Wish, length: float) -> _Grid:
    gauss, weights = leggauss(int(40 + max(x for _, x in chosen)))
    named = {"root": 0.0, "tip": 1.0, **{word: x / length for word, x in wish.points.items()}}
    return _Grid(0.5 * (gauss + 1.0), 0.5 * weights, wish.stations, named)


def _along(x: FloatArray) -> FloatArray:
    """Points (n, 3) on the axis of the member."""
    return np.column_stack([x, np.zeros(len(x)), np.zeros(len(x))])


def _record(member: _Continuum, wish: _Wish) -> ReducedAppendage:
    _refuse(member, wish)
    L, tip, ends, stations = member.length, member.tip, member.ends, wish.stations
    chosen = _lowest(member.families, wish.count)
    grid = _grid(chosen, wish, L)
    at, rows, n, k = grid.at, grid.massive, len(grid.gauss), len(chosen)
    motions = [family.motion(x, coefficients(family.member, x), at) for family, x in chosen]
    translation, rotation = (np.stack([motion[i] for motion in motions], axis=2) for i in (0, 1))
    masses = np.append(member.mass_per_length * L * grid.weights, tip.mass)
    offsets = np.vstack([np.zeros((n, 3)), tip.arm])
    sections = (L * grid.weights)[:, None, None] * np.diag(member.section)
    inertias = np.concatenate([sections, tip.inertia[None]])
    center = (masses @ (_along(at[rows] * L) + offsets)) / masses.sum()
    origin = center if member.floats else np.zeros(3)
    places = _along(at * L) - origin

    def integrated() -> ModalIntegrals:
        turning = rotation[rows].copy()  # sections at Gauss points turn in torsion alone, the tip body fully
        turning[:n, 1:] = 0.0
        return nodal_body_integrals(places[rows], masses, offsets, inertias, translation[rows], turning)

    scale = _signs(translation, rotation, grid.drawn.stop - 1) / np.sqrt(np.diag(integrated().modal_mass))
    translation, rotation = translation * scale, rotation * scale
    integrals = integrated()
    Ke = np.diag(np.array([family.omega(x) for family, x in chosen]) ** 2)
    De, damping_report = damping_matrix(wish.damping, integrals.modal_mass, Ke, np.zeros((0, k)), None)
    shown, first = grid.drawn, grid.drawn.stop
    slopes = rotation[:n] * np.array([0.0, -1.0, 1.0])[:, None]  # dw/dx of the two planes, in columns z and y
    held = "held: " + ", ".join(ends)
    wave_numbers = [x for _, x in chosen]
    return ReducedAppendage(
        name=member.name,
        integrals=integrals,
        stiffness=Ke,
        damping=De,
        nodes=NodeTable(np.arange(1, stations + 2), places[shown], translation[shown], rotation[shown]),
        frame=FrameRecord("buckens", "free, in axes of no momentum of deformation", (0.0,) * k)
        if member.floats
        else FrameRecord("connection", held, (0.0,) * k),
        reference_point=origin,
        interfaces=tuple(
            Interface(word, stations + 2 + i, places[first + i], np.eye(3), translation[first + i], rotation[first + i])
            for i, word in enumerate(grid.named)
        ),
        attachment="root" if ends[0] == "clamped" else "tip" if ends[1] == "clamped" else None,
        mode_names=_names(chosen),
        geometric_stiffness=_axial_families(slopes, grid, member) if ends == ("clamped", "free") else {},
        topology=Topology(
            lines=np.column_stack([np.arange(stations), np.arange(1, stations + 1)]),
            bodies=np.array([stations] if tip.mass else [], np.int64),
        ),
        rigid_body_modes=6 if member.floats else 0,
        reports=plain(
            {
                "continuum": {"ends": "-".join(ends), "wave_numbers": wave_numbers, "length": L},
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


def _axial_families(slopes: FloatArray, grid: _Grid, member: _Continuum) -> dict[str, FloatArray]:
    """Kg = int N w' w' dx for unit acceleration along x, unit spin squared about y and z, and a unit force at the tip."""
    L, mu, tip, arm = member.length, member.mass_per_length, member.tip.mass, float(member.tip.arm[0])
    x, w = grid.gauss * L, grid.weights * L

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
