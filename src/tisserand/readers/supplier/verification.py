"""An independent verification of a supplier's run: their modes in our stiffness and mass, and beside our own modes.

Residual of a mode x with eigenvalue lambda, for a shift sigma near it (so that neither the soft nor the stiff motions magnify the
last digits of x): ``r = |x - (lambda + sigma) (K + sigma M)^-1 M x|_M / |x|_M``. Then an eigenvalue of our model lies at most
``(lambda + sigma) r / (1 - r)`` from theirs (Parlett 1980, section 15.9, for the inverse operator); that distance over lambda is
the residual stated. Modes are paired by the inner product of our mass matrix, ``MAC = (x'M y)² / (x'M x  y'M y)``, which sees
torsion of beam lines, too.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from tisserand.appendage.comparison.pairing import clusters, match_modes
from tisserand.appendage.comparison.tolerances import Tolerances
from tisserand.appendage.frames.transformed_records import shifted
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, skew
from tisserand.linalg.factor import factorize
from tisserand.modes.modal_basis import ModalBasis
from tisserand.readers.nastran.numbers import real_of
from tisserand.readers.supplier.deck_shapes import DeckShapes
from tisserand.readers.supplier.reference import point_of
from tisserand.readers.supplier.supplier_modes import SupplierModes
from tisserand.readers.supplier.verification_limits import ModeCheck, breaches_of
from tisserand.units import UnitSystem

#: Digits of a stated total against the deck's mass.
_ROUNDED = 1e-3
#: Relative error of a number with seven printed digits; energy of such errors over that of each alone: dofs of a shell element.
_PRINTED, _COUPLED = 5e-7, 24
_WTMASS = re.compile(
    rb"^[ \t]*PARAM[ \t]*[, ][ \t]*WTMASS[ \t]*[, ][ \t]*([0-9.+\-EeDd]+)", re.MULTILINE | re.IGNORECASE
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Verification:
    """Comparison of their run with our model; ``breaches`` lists every limit that is exceeded.

    mass, center (m), inertia: differences of the deck's rigid mass from the stated one, relative to the mass, absolute, and
    relative to the trace (None: not stated); orthogonality: largest x_i'M x_j of unit modal masses (None: without shapes).

    Attributes:
        modes: one check per mode.
        limits: what was allowed.
        mac: (k, own modes) by the inner product of the mass; None without shapes.
    """

    modes: tuple[ModeCheck, ...]
    orthogonality: float | None
    mass: float | None
    center: float | None
    inertia: float | None
    limits: Tolerances
    breaches: tuple[str, ...]
    notes: tuple[str, ...]
    mac: FloatArray | None

    @property
    def passed(self) -> bool:
        return not self.breaches

    def rows(self) -> list[list[str]]:
        """One row per mode: name, their Hz, Rayleigh quotient, residual, modal mass, partner, its Hz, change, MAC."""

        def percent(value: float | None) -> str:
            return "" if value is None else f"{100 * value:+.3g} %"

        return [
            [
                m.name + (" (residual)" if m.kind == "residual" else ""), f"{m.theirs_hz:.6g}",
                "" if m.rayleigh_hz is None else f"{m.rayleigh_hz:.6g}",
                "" if m.residual is None else f"{m.residual:.1e}", percent(m.modal_mass),
                m.own_name or "none", "" if m.own_hz is None else f"{m.own_hz:.6g}", percent(m.change),
                "" if m.mac is None else f"{m.mac:.5f}",
            ]
            for m in self.modes
        ]  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return plain(  # type: ignore[no-any-return]
            {
                "passed": self.passed, "breaches": list(self.breaches), "modes": [asdict(mode) for mode in self.modes],
                "orthogonality": self.orthogonality, "mass_change": self.mass, "center_change": self.center,
                "inertia_change": self.inertia, "limits": asdict(self.limits), "notes": list(self.notes),
                "mac": self.mac,
            }
        )  # fmt: skip


def verify(
    theirs: SupplierModes,
    record: ReducedAppendage,
    ours: ReducedAppendage,
    basis: ModalBasis,
    own: ModalBasis,
    *,
    found: DeckShapes,
    raw_mass: FloatArray,
    units: UnitSystem,
    limits: Tolerances,
) -> Verification:
    """Check their modes (``record``, ``basis``) against the deck's matrices and against ours (``ours``, ``own``)."""
    partner, mac = _partners(basis, own, limits)
    rayleigh, residuals = _residuals(basis)
    stated = None if theirs.modal_masses is None else raw_mass / (theirs.modal_masses * units.mass) - 1.0
    effective, effective_note = _effective_difference(theirs, basis, ours, units)
    modes = []
    for k in range(record.count):
        mate, likeness = partner.get(k, (None, None))
        hz, own_hz = float(theirs.frequencies_hz[k]), None if mate is None else float(own.frequencies_hz[mate])
        modes.append(
            ModeCheck(
                name=record.mode_names[k],
                kind=theirs.kinds[k],
                theirs_hz=hz,
                rayleigh_hz=float(rayleigh[k]),
                residual=float(residuals[k]),
                modal_mass=None if stated is None else float(stated[k]),
                effective_mass=None if effective is None else float(effective[k]),
                ties=float(found.mismatch[k]),
                own_name=None if mate is None else own.labels[mate],
                own_hz=own_hz,
                change=None if own_hz is None else (hz - own_hz) / max(own_hz, 1e-300),
                mac=likeness,
            )
        )
    Me = record.integrals.modal_mass
    orthogonality = float(np.abs(Me - np.diag(np.diag(Me))).max(initial=0.0))
    mass, center, inertia, mass_note = rigid_difference(theirs, ours, own, units)
    lost = missing_from_file(own, theirs, {mate for mate, _ in partner.values()})
    said = (*theirs.notes, *found.notes, effective_note, mass_note, lost)
    notes = tuple(note for note in said if note)
    breaches = breaches_of(modes, orthogonality, (mass, center, inertia), ours, limits)
    return Verification(
        modes=tuple(modes), orthogonality=orthogonality, mass=mass, center=center, inertia=inertia, limits=limits,
        breaches=tuple(breaches), notes=notes, mac=mac,
    )  # fmt: skip


def _partners(
    basis: ModalBasis, own: ModalBasis, limits: Tolerances
) -> tuple[dict[int, tuple[int, float]], FloatArray]:
    """Partner among ours and MAC (worst squared cosine of a cluster) per mode of theirs, and the MAC matrix (k, own modes).

    Inner products of the mass become those of columns F with F'F = [X Y]'M[X Y].
    """
    k, both = len(basis), np.hstack([basis.shapes, own.shapes])
    gram = both.T @ np.asarray(own.model.mass @ both)
    values, vectors = np.linalg.eigh(0.5 * (gram + gram.T))
    F = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    matches, _ = match_modes(F[:, k:], F[:, :k], clusters(own.frequencies_hz, limits.cluster))
    partner: dict[int, tuple[int, float]] = {}
    for match in matches:
        theirs = match.modes_b[np.argsort(basis.eigenvalues[match.modes_b], kind="stable")]
        likeness = match.mac
        if len(match.modes_b) < len(match.modes_a):  # the list of theirs ends inside a cluster of ours
            likeness = _held_by(F[:, k + match.modes_a], F[:, theirs])
        partner.update({int(b): (int(a), likeness) for a, b in zip(match.modes_a, theirs)})
    size = np.maximum(np.diag(gram), 1e-300)
    return partner, np.asarray(gram[:k, k:] ** 2 / np.outer(size[:k], size[k:]))


def _held_by(ours: FloatArray, theirs: FloatArray) -> float:
    """Smallest part of any combination of their columns that the span of ours holds: squared cosine of the largest angle."""
    if not theirs.shape[1]:
        return 0.0
    cosines = np.linalg.svd(np.linalg.qr(ours)[0].T @ np.linalg.qr(theirs)[0], compute_uv=False)
    return float(cosines.min(initial=1.0) ** 2)


def missing_from_file(own: ModalBasis, theirs: SupplierModes, paired: set[int]) -> str | None:
    """That the file lists higher modes, but none like some of ours; paired: those of ours that have a partner."""
    top = float(theirs.frequencies_hz[[kind != "residual" for kind in theirs.kinds]].max(initial=0.0))
    lost = [i for i, hz in enumerate(own.frequencies_hz) if hz < 0.99 * top and i not in paired]
    if not lost:
        return None
    words = ", ".join(f"{own.frequencies_hz[i]:.5g} Hz" for i in lost[:4])
    return f"{len(lost)} of our modes have no partner in the file, although it lists higher ones: {words}"


def _residuals(basis: ModalBasis) -> tuple[FloatArray, FloatArray]:
    """Rayleigh frequencies (k,) Hz, and the distance (k,) to an eigenvalue of ours relative to each of theirs.

    The distance follows from motion with mass. Dofs without mass (rotations, over lumped masses) are seen by the Rayleigh
    quotient alone, so the larger of the two counts; what rounding of the shapes can do to that quotient is taken off.
    """
    model, free = basis.model, np.flatnonzero(~basis.fixed)
    K, M = (csr_array(matrix[free][:, free]) for matrix in (model.stiffness, model.mass))
    X, values = basis.shapes[free], np.maximum(basis.eigenvalues, 1e-300)
    MX = np.asarray(M @ X)
    modal = np.maximum(np.einsum("ik,ik->k", X, MX), 1e-300)
    rayleigh = np.einsum("ik,ik->k", X, np.asarray(K @ X)) / modal
    residual = np.empty(len(values))
    rest = np.argsort(values, kind="stable")
    while len(rest):  # one factorization serves all eigenvalues up to four times the first
        low = values[rest[0]]
        own, rest = rest[values[rest] <= 4.0 * low], rest[values[rest] > 4.0 * low]
        sigma = 2.0 * low
        left = X[:, own] - (values[own] + sigma) * factorize(csr_array(K + sigma * M)).solve(MX[:, own])
        r = np.sqrt(np.maximum(np.einsum("ik,ik->k", left, np.asarray(M @ left)), 0.0) / modal[own])
        residual[own] = (1.0 + sigma / values[own]) * r / np.maximum(1.0 - r, 1e-6)
    rounding = _COUPLED * _PRINTED**2 * (K.diagonal() @ X**2) / (values * modal)
    apart = np.abs(rayleigh / values - 1.0) - rounding
    return np.sqrt(np.maximum(rayleigh, 0.0)) / (2.0 * np.pi), np.maximum(residual, apart)


def _weight_factor(basis: ModalBasis) -> float:
    """PARAM,WTMASS of the deck: a weight table is printed in the units before it."""
    structure = basis.model.structure
    for source in () if structure is None else structure.sources:
        path = Path(source)
        if path.is_file() and (match := _WTMASS.search(path.read_bytes())) and (value := real_of(match[1])):
            return value
    return 1.0


def rigid_difference(
    theirs: SupplierModes, ours: ReducedAppendage, own: ModalBasis, units: UnitSystem
) -> tuple[float | None, float | None, float | None, str | None]:
    """Differences of mass (relative), center (m) and inertia (of its trace) from the stated table."""
    if theirs.mass is None:
        return None, None, None, "no mass table is in the file: mass is not verified"
    if not theirs.mass.whole:
        return None, None, None, "only the rigid mass of the free dofs is in the file: the whole mass is not verified"
    point = _place(theirs, own, theirs.mass.reference_id, units)
    if point is None:
        return None, None, None, f"the mass table refers to node {theirs.mass.reference_id}, whose place is unknown"
    stated = theirs.mass
    weight = _weight_factor(own) if theirs.wtmass is None else theirs.wtmass
    mass = stated.mass * units.mass * weight
    here = shifted(ours, point + stated.center * units.length).integrals
    inertia = stated.inertia * units.inertia * weight
    turn = np.abs(here.inertia - here.mass * _parallel(here.center) - inertia).max() / max(np.trace(inertia), 1e-300)
    return here.mass / mass - 1.0, float(np.linalg.norm(here.center)), float(turn), None


def _place(theirs: SupplierModes, own: ModalBasis, grid: int, units: UnitSystem) -> FloatArray | None:
    """Place (3,) of a reference point, m: by the file, else by the deck."""
    point = point_of(theirs, grid, units)
    (rows,) = np.nonzero(own.model.nodes.ids == grid)
    return np.asarray(own.model.nodes.positions[rows[0]]) if point is None and len(rows) else point


def _parallel(c: FloatArray) -> FloatArray:
    return np.asarray(float(c @ c) * np.eye(3) - np.outer(c, c))


def _effective_difference(
    theirs: SupplierModes, basis: ModalBasis, ours: ReducedAppendage, units: UnitSystem
) -> tuple[FloatArray | None, str | None]:
    """(k,) largest difference of effective masses, part of the rigid body's value, about the stated point."""
    facts, note = effective_masses_about(theirs, basis, ours, units)
    if facts is None:
        return None, note
    stated, found, floor = facts
    return np.asarray((np.abs(found - stated) / floor).max(axis=1)), None


def effective_masses_about(
    theirs: SupplierModes, basis: ModalBasis, ours: ReducedAppendage, units: UnitSystem
) -> tuple[tuple[FloatArray, FloatArray, FloatArray] | None, str | None]:
    """Stated effective masses (k, 6), those of ``basis`` (its modes, 6) about the stated point, and the rigid body's (6,), SI.

    Three columns instead of six where those of rotations are not about that point.

    Programs print those of the free dofs, (x_f' M_ff S_f)² / x_f' M_ff x_f: mass that free and held dofs share is left out.
    """
    if theirs.effective is None or theirs.effective.masses is None:
        return None, None
    point = _place(theirs, basis, theirs.effective.reference_id, units)
    if point is None:
        return None, "the reference point of the effective masses is unknown: they are not verified"
    total = theirs.effective.total
    if total is not None and total[:3].max() * units.mass > (1.0 + _ROUNDED) * ours.integrals.mass:
        return None, (
            f"the stated effective masses are parts of {total[:3].max() * units.mass:.5g} kg, more than the deck's "
            f"{ours.integrals.mass:.5g} kg: they are not judged (CalculiX counts nodes of expanded shells and beams repeatedly)"
        )
    stated = theirs.effective.masses.T * np.repeat([units.mass, units.inertia], 3)
    turn = np.eye(6)
    turn[:3, 3:] = skew(point)
    free = (~basis.fixed)[:, None]
    S, X = np.where(free, basis.model.rigid_body_vectors @ turn, 0.0), np.where(free, basis.shapes, 0.0)
    MX = np.asarray(basis.model.mass @ X)
    found = (MX.T @ S) ** 2 / np.maximum(np.einsum("ik,ik->k", X, MX), 1e-300)[:, None]
    rigid = np.diag(shifted(ours, point).integrals.rigid_mass)
    floor = np.repeat([rigid[:3].max(), rigid[3:].max()], 3)
    used = slice(6 if theirs.effective.rotations else 3)
    return (stated[:, used], np.asarray(found[:, used]), floor[used]), None
