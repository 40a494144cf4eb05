"""Comparison of two appendages: a release gate for structural models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tisserand.appendage.comparison.pairing import Match, NodePairs, clusters, mac_matrix, match_modes, pair_nodes
from tisserand.appendage.comparison.tolerances import Tolerances
from tisserand.appendage.frames.frame_change import in_frame
from tisserand.appendage.frames.transformed_records import natural, shifted
from tisserand.appendage.integrals.effective_masses import effective_masses
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, frozen
from tisserand.errors import InputError
from tisserand.notebook_html import html_table

#: Modes whose MAC is below this have nothing to do with each other.
_STRANGERS = 0.25
#: Stands for the frequency of a shape without mass in its mean axes.
_STATIC_HZ = 1e12
#: A mode this close below the last frequency of the other model may have its partner just beyond it.
_EDGE = 0.1
#: Arm by which rotations count beside translations, part of the size.
_ARM = 1e-3
_DIRECTIONS = ("T1", "T2", "T3", "R1", "R2", "R3")


@dataclass(frozen=True, kw_only=True)
class ModePair:
    """Modes that correspond to each other (clusters of equal frequency as one), and how they differ.

    frequency: mean Hz of the cluster; change: relative; effective_mass_change (6,): fraction of the rigid
    body's value.
    """

    modes_a: tuple[int, ...]
    modes_b: tuple[int, ...]
    name_a: str
    name_b: str
    frequency_a: float
    frequency_b: float
    change: float
    mac: float
    effective_mass_change: tuple[float, ...]
    damping_change: float
    breaches: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.breaches


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Comparison:
    """Result of ``compare``: pairs, the MAC matrix (ka, kb), mass-property changes, and every breach in words.

    Attributes:
        name_a: of the first record.
        name_b: of the second.
        unpaired_a: modes of the first without a partner.
        unpaired_b: modes of the second without one.
        mac: MAC matrix (ka, kb).
        mass_change: relative.
        center_change: m.
        inertia_change: relative.
        node_rule: how nodes were paired.
        node_count: number of paired nodes.
        node_distance: largest distance of a pair, m.
        tolerances: what was allowed.
        breaches: every one in words.
        boundary: what holds the modes that are compared: ``attachment``, or ``own frame`` of each record.
    """

    name_a: str
    name_b: str
    pairs: tuple[ModePair, ...]
    unpaired_a: tuple[int, ...]
    unpaired_b: tuple[int, ...]
    mac: FloatArray
    mass_change: float
    center_change: float
    inertia_change: float
    node_rule: str
    node_count: int
    node_distance: float
    tolerances: Tolerances
    breaches: tuple[str, ...]
    boundary: str = "own frame"

    def __post_init__(self) -> None:
        object.__setattr__(self, "mac", frozen(self.mac))

    @property
    def passed(self) -> bool:
        return not self.breaches

    def rows(self) -> list[list[object]]:
        """One row per pair: A, Hz, B, Hz, change, MAC, largest change of an effective mass over the rigid one, verdict."""
        return [
            [
                p.name_a, f"{p.frequency_a:.6g}", p.name_b, f"{p.frequency_b:.6g}",
                f"{100 * p.change:+.3f} %", f"{p.mac:.4f}",
                f"{100 * max(p.effective_mass_change, key=abs):+.3f} %", "same" if p.passed else "; ".join(p.breaches),
            ]
            for p in self.pairs
        ]  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "a": self.name_a,
            "b": self.name_b,
            "passed": self.passed,
            "boundary": self.boundary,
            "breaches": list(self.breaches),
            "pairs": [plain(asdict(pair)) for pair in self.pairs],
            "unpaired_a": list(self.unpaired_a),
            "unpaired_b": list(self.unpaired_b),
            "mac": plain(self.mac),
            "mass_change": self.mass_change,
            "center_change": self.center_change,
            "inertia_change": self.inertia_change,
            "nodes": {"rule": self.node_rule, "count": self.node_count, "largest_distance": self.node_distance},
            "tolerances": asdict(self.tolerances),
        }

    def _repr_html_(self) -> str:
        title = f"{self.name_a} and {self.name_b}: {'same' if self.passed else 'different'}"
        return html_table(title, ("A", "Hz", "B", "Hz", "change", "MAC", "verdict"), self.rows())

    def __repr__(self) -> str:
        verdict = "same within tolerances" if self.passed else f"{len(self.breaches)} breaches"
        lines = [f"<Comparison {self.name_a!r} with {self.name_b!r}: {verdict}>"]
        return "\n".join([*lines, *(f"  {breach}" for breach in self.breaches)])


@checked_arguments
def compare(
    a: ReducedAppendage, b: ReducedAppendage, tolerances: Tolerances | Mapping[str, Any] | None = None
) -> Comparison:
    """Compare record ``b`` with the reference ``a``.

    Compared are modes (by MAC and subspaces), frequencies, effective masses and mass properties. Records in mean axes with an
    attachment are compared as held there: with the modes that ``mode_table`` and ``tisserand modes`` list.

    Nodes are paired by id, or by place where the meshes differ or were renumbered.

    Args:
        tolerances: limits of the comparison; None takes the defaults.
    """
    if not isinstance(tolerances, Tolerances):
        tolerances = Tolerances.from_dict(tolerances or {})
    if "consistent" in (a.unit_system, b.unit_system) and a.unit_system != b.unit_system:
        raise InputError("the units of one of the models are unknown", found=f"{a.unit_system} and {b.unit_system}")
    frames = (a.frame.name, b.frame.name)
    at_attachment = frames != ("connection", "connection") and _can_be_held(a) and _can_be_held(b)
    if at_attachment:
        a, b = _held(a), _held(b)
    size = max(float(np.ptp(a.nodes.positions, axis=0).max(initial=0.0)), 1e-300)
    nodes = pair_nodes(a, b, reach=tolerances.distance * size)
    left, right = _motions(a, b, nodes, size)
    matches, extra = match_modes(left, right, clusters(_hz(a), tolerances.cluster))
    b_at_a = shifted(b, a.reference_point)
    strangers = [m for m in matches if len(m.modes_a) == len(m.modes_b) and m.mac < _STRANGERS]
    matches = [m for m in matches if m not in strangers]
    pairs = tuple(_pair(match, a, b_at_a, tolerances) for match in matches if len(match.modes_b))
    properties = _property_changes(a, b_at_a, size)
    unpaired = [int(m) for match in matches for m in match.modes_a[len(match.modes_b) :]]
    unpaired = sorted(unpaired + [int(m) for match in strangers for m in match.modes_a])
    extra = np.sort(np.concatenate([extra, *(match.modes_b for match in strangers)]))
    breaches = [] if frames[0] == frames[1] else [f"the frames differ: {frames[0]} and {frames[1]}"]
    breaches += _model_breaches(a, b, properties, unpaired, tolerances)
    breaches += [f"{p.name_a} ({p.frequency_a:.5g} Hz): {text}" for p in pairs for text in p.breaches]
    return Comparison(
        name_a=a.name,
        name_b=b.name,
        pairs=pairs,
        unpaired_a=tuple(unpaired),
        unpaired_b=tuple(int(m) for m in extra),
        mac=mac_matrix(left, right),
        mass_change=properties[0],
        center_change=properties[1],
        inertia_change=properties[2],
        node_rule=nodes.rule,
        node_count=len(nodes.rows_a),
        node_distance=nodes.distance,
        tolerances=tolerances,
        breaches=tuple(breaches),
        boundary="attachment" if at_attachment else "own frame",
    )


def _can_be_held(record: ReducedAppendage) -> bool:
    """Whether the modes of a record held at its attachment follow from it."""
    return record.frame.name == "connection" or (record.attachment is not None and not record.reports.get("grounded"))


def _held(record: ReducedAppendage) -> ReducedAppendage:
    return record if record.frame.name == "connection" else natural(in_frame(record, "connection"))


def _motions(a: ReducedAppendage, b: ReducedAppendage, nodes: NodePairs, size: float) -> tuple[FloatArray, FloatArray]:
    """Motions of the paired nodes as columns: translations, then rotations where both models have them.

    Rotations count with an arm of 1e-3 of the size, so that modes that only turn (torsion of a line of beams) are seen and the
    MAC of all others keeps six digits.
    """
    left, right = a.nodes.translation[nodes.rows_a], b.nodes.translation[nodes.rows_b]
    turn_a, turn_b = a.nodes.rotation[nodes.rows_a], b.nodes.rotation[nodes.rows_b]
    if turn_a.any() and turn_b.any():
        left = np.concatenate([left, _ARM * size * turn_a], axis=1)
        right = np.concatenate([right, _ARM * size * turn_b], axis=1)
    return left.reshape(-1, a.count), right.reshape(-1, b.count)


def _pair(match: Match, a: ReducedAppendage, b: ReducedAppendage, tolerances: Tolerances) -> ModePair:
    hz_a = float(_hz(a)[match.modes_a].mean())
    hz_b = float(_hz(b)[match.modes_b].mean())
    change = (hz_b - hz_a) / max(hz_a, 1e-300)
    rigid = np.diag(a.integrals.rigid_mass)
    floor = 1e-9 * np.repeat([rigid[:3].max(), max(rigid[3:].max(), 1e-300)], 3)
    effective_a = effective_masses(a.integrals)[match.modes_a].sum(axis=0)
    effective_b = effective_masses(b.integrals)[match.modes_b].sum(axis=0)
    moved = (effective_b - effective_a) / np.maximum(rigid, floor)
    damping = float(b.damping_ratios[match.modes_b].mean() - a.damping_ratios[match.modes_a].mean())
    breaches = []
    if len(match.modes_a) != len(match.modes_b):
        breaches.append(f"{len(match.modes_a)} modes of one frequency have {len(match.modes_b)} partners")
    if tolerances.frequency is not None and abs(change) > tolerances.frequency:
        breaches.append(f"frequency {100 * change:+.3g} % (allowed {100 * tolerances.frequency:g} %)")
    if tolerances.mac is not None and match.mac < tolerances.mac and len(match.modes_a) == len(match.modes_b):
        breaches.append(f"MAC {match.mac:.6g} (at least {tolerances.mac:g})")
    if tolerances.effective_mass is not None and np.abs(moved).max() > tolerances.effective_mass:
        worst = int(np.abs(moved).argmax())
        breaches.append(
            f"effective mass {_DIRECTIONS[worst]} {100 * moved[worst]:+.3g} % of the rigid body's "
            f"(allowed {100 * tolerances.effective_mass:g} %)"
        )
    if tolerances.damping is not None and abs(damping) > tolerances.damping:
        breaches.append(f"damping ratio {damping:+.3g} (allowed {tolerances.damping:g})")
    return ModePair(
        modes_a=tuple(int(m) for m in match.modes_a),
        modes_b=tuple(int(m) for m in match.modes_b),
        name_a=" + ".join(a.mode_names[m] for m in match.modes_a),
        name_b=" + ".join(b.mode_names[m] for m in match.modes_b),
        frequency_a=hz_a,
        frequency_b=hz_b,
        change=change,
        mac=match.mac,
        effective_mass_change=tuple(float(v) for v in moved),
        damping_change=damping,
        breaches=tuple(breaches),
    )


def _property_changes(a: ReducedAppendage, b: ReducedAppendage, size: float) -> tuple[float, float, float]:
    """Relative mass change, shift of the mass center over the size, inertia change over its trace (same O)."""
    mass = (b.mass - a.mass) / max(a.mass, 1e-300)
    center = float(np.linalg.norm(b.integrals.center - a.integrals.center)) / size
    inertia = np.abs(b.integrals.inertia - a.integrals.inertia).max() / max(np.trace(a.integrals.inertia), 1e-300)
    return float(mass), center, float(inertia)


def _model_breaches(
    a: ReducedAppendage,
    b: ReducedAppendage,
    properties: tuple[float, float, float],
    unpaired: list[int],
    tolerances: Tolerances,
) -> list[str]:
    mass, center, inertia = properties
    found = []
    if tolerances.mass is not None and abs(mass) > tolerances.mass:
        found.append(f"mass {100 * mass:+.3f} % (allowed {100 * tolerances.mass:g} %)")
    if tolerances.center is not None and center > tolerances.center:
        found.append(f"mass center moved by {100 * center:.3f} % of the size (allowed {100 * tolerances.center:g} %)")
    if tolerances.inertia is not None and inertia > tolerances.inertia:
        found.append(f"inertia changed by {100 * inertia:.3f} % of its trace (allowed {100 * tolerances.inertia:g} %)")
    if not tolerances.unpaired:
        top = float(_hz(b).max(initial=0.0)) / (1.0 + _EDGE)
        lost = [m for m in unpaired if _hz(a)[m] <= top]
        found += [f"{a.mode_names[m]} ({_hz(a)[m]:.5g} Hz) has no partner" for m in lost]
    return found


def _hz(appendage: ReducedAppendage) -> FloatArray:
    """Frequencies, with those of static shapes far above any other."""
    return np.minimum(appendage.frequencies_hz, _STATIC_HZ)
