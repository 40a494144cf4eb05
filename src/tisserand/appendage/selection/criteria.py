"""Criteria of mode selection that look at one mode at a time:
frequency, effective mass, completeness, cost, balance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.response.channels import Channel
from tisserand.appendage.response.modal_response import modal_response, require_natural
from tisserand.appendage.selection.mode_table import DIRECTIONS, mode_table
from tisserand.appendage.selection.select_modes import Vote
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import InputError


@checked_arguments
@dataclass(frozen=True)
class ByFrequency:
    """Keep modes from fmin_hz to fmax_hz."""

    fmax_hz: float
    fmin_hz: float = 0.0

    def vote(self, appendage: ReducedAppendage) -> Vote:
        """Which modes of a record to keep, with reasons.

        Args:
            appendage: the record.
        """
        hz = appendage.frequencies_hz
        keep = (hz >= self.fmin_hz) & (hz <= self.fmax_hz)
        words = [
            f"{f:.5g} Hz is {'inside' if k else 'outside'} {self.fmin_hz:g} to {self.fmax_hz:g} Hz"
            for f, k in zip(hz, keep)
        ]
        return Vote(keep, tuple(words))


def _fractions(appendage: ReducedAppendage, directions: Sequence[str]) -> FloatArray:
    """(k, len(directions)) effective mass over what modes can reach; zero where nothing can be reached."""
    unknown = [word for word in directions if word not in DIRECTIONS]
    if unknown:
        raise InputError("unknown direction", found=", ".join(unknown), expected=", ".join(DIRECTIONS))
    table = mode_table(appendage)
    dead = np.isnan(table.running_fraction).all(axis=0) if len(table) else np.zeros(6, bool)
    safe = np.where(dead | (table.reachable == 0.0), 1.0, table.reachable)
    share = np.where(dead, 0.0, table.effective_mass / safe)
    return np.asarray(share[:, [DIRECTIONS.index(word) for word in directions]])


@checked_arguments
@dataclass(frozen=True)
class ByEffectiveMass:
    """Keep modes whose effective mass or inertia reaches ``threshold`` of the rigid value in some direction.

    Attributes:
        directions: which of T1, T2, T3, R1, R2, R3 count.
    """

    threshold: float = 0.01
    directions: tuple[str, ...] = DIRECTIONS

    def vote(self, appendage: ReducedAppendage) -> Vote:
        """Which modes of a record to keep, with reasons.

        Args:
            appendage: the record.
        """
        share = _fractions(appendage, self.directions)
        best = share.argmax(axis=1) if len(share) else np.zeros(0, int)
        top = share[np.arange(len(share)), best]
        keep = top >= self.threshold
        words = [
            f"effective mass {100 * value:.3g} % in {self.directions[b]} is "
            f"{'at least' if k else 'below'} {100 * self.threshold:g} %"
            for value, b, k in zip(top, best, keep)
        ]
        return Vote(keep, tuple(words))


@checked_arguments
@dataclass(frozen=True)
class ByCompleteness:
    """Keep the fewest modes, largest contribution first, until every direction reaches ``target`` of the rigid body.

    Attributes:
        directions: which of T1, T2, T3, R1, R2, R3 count.
    """

    target: float = 0.95
    directions: tuple[str, ...] = DIRECTIONS

    def vote(self, appendage: ReducedAppendage) -> Vote:
        """Which modes of a record to keep, with reasons.

        Args:
            appendage: the record.
        """
        share = _fractions(appendage, self.directions)
        goal = np.where(share.sum(axis=0) > 0.0, self.target, 0.0)
        keep, reached = np.zeros(len(share), bool), np.zeros(len(self.directions))
        words = [""] * len(share)
        while (reached < goal).any() and not keep.all():
            useful = np.minimum(share, np.maximum(goal - reached, 0.0)).sum(axis=1)
            useful[keep] = -1.0
            mode = int(useful.argmax())
            if useful[mode] <= 1e-12:
                break
            keep[mode] = True
            reached += share[mode]
            best = int(share[mode].argmax())
            gain = f"{100 * share[mode, best]:.3g} % in {self.directions[best]}"
            words[mode] = f"adds {gain} toward {100 * self.target:g} %"
        for left in np.flatnonzero(~keep):
            words[left] = f"not needed: completeness {100 * self.target:g} % is met or cannot be raised by it"
        short = [d for d, r, g in zip(self.directions, reached, goal) if r < g]
        numbers = {"reached": dict(zip(self.directions, reached.tolist())), "short_of_target": short}
        return Vote(keep, tuple(words), numbers)


@checked_arguments
@dataclass(frozen=True)
class ByModalCost:
    """Keep the modes that carry ``fraction`` of the modal cost of the outputs for unit white noise at the inputs.

    V_k = |b_k|² (|c_v|² + |c_d|² / w_k²) / (4 zeta_k w_k) (Hughes and Skelton); accelerations are refused
    (infinite cost). Modes must be natural and damped; ratios below ``smallest_ratio`` are raised to it.

    Attributes:
        actuators: input channels, such as ``tip:z`` or ``base:x``.
        sensors: output channels, such as ``tip:z rate``.
    """

    actuators: tuple[str | Channel, ...]
    sensors: tuple[str | Channel, ...]
    fraction: float = 0.99
    smallest_ratio: float = 1e-4

    def vote(self, appendage: ReducedAppendage) -> Vote:
        """Which modes of a record to keep, with reasons.

        Args:
            appendage: the record.
        """
        value = modal_cost(appendage, self.actuators, self.sensors, smallest_ratio=self.smallest_ratio)
        return _cumulative(value, self.fraction, "modal cost")


@checked_arguments
@dataclass(frozen=True)
class ByBalancedValue:
    """Keep the modes whose approximate balanced singular value reaches ``threshold`` of the largest one.

    sigma_k = |b_k| sqrt(|c_v|² + |c_d|² / w_k²) / (4 zeta_k w_k) (Gregory), for light damping and separate
    frequencies.

    Attributes:
        actuators: input channels, such as ``tip:z`` or ``base:x``.
        sensors: output channels, such as ``tip:z rate``.
        smallest_ratio: damping ratios below it are raised to it.
    """

    actuators: tuple[str | Channel, ...]
    sensors: tuple[str | Channel, ...]
    threshold: float = 0.01
    smallest_ratio: float = 1e-4

    def vote(self, appendage: ReducedAppendage) -> Vote:
        """Which modes of a record to keep, with reasons.

        Args:
            appendage: the record.
        """
        value = balanced_values(appendage, self.actuators, self.sensors, smallest_ratio=self.smallest_ratio)
        top = max(float(value.max(initial=0.0)), 1e-300)
        keep = value >= self.threshold * top
        words = [
            f"balanced singular value {v / top:.3g} of the largest is {'at least' if k else 'below'} {self.threshold:g}"
            for v, k in zip(value, keep)
        ]
        return Vote(keep, tuple(words), {"values": value})


@checked_arguments
def modal_cost(
    appendage: ReducedAppendage,
    actuators: Sequence[str | Channel],
    sensors: Sequence[str | Channel],
    *,
    smallest_ratio: float = 0.0,
) -> FloatArray:
    """(k,) cost of each mode, |b|² (|c_v|² + |c_d|²/w²) / (4 zeta w).

    Args:
        appendage: the record.
        actuators: input channels, such as ``tip:z`` or ``base:x``.
        sensors: output channels, such as ``tip:z rate``.
        smallest_ratio: damping ratios below it are raised to it.
    """
    b, c, rate = _strengths(appendage, actuators, sensors, smallest_ratio)
    return np.asarray(b**2 * c**2 / rate)


@checked_arguments
def balanced_values(
    appendage: ReducedAppendage,
    actuators: Sequence[str | Channel],
    sensors: Sequence[str | Channel],
    *,
    smallest_ratio: float = 0.0,
) -> FloatArray:
    """(k,) approximate balanced (Hankel) singular value of each mode, |b| sqrt(|c_v|² + |c_d|²/w²) / (4 zeta w).

    Args:
        appendage: the record.
        actuators: input channels, such as ``tip:z`` or ``base:x``.
        sensors: output channels, such as ``tip:z rate``.
        smallest_ratio: damping ratios below it are raised to it.
    """
    b, c, rate = _strengths(appendage, actuators, sensors, smallest_ratio)
    return np.asarray(b * c / rate)


def _strengths(
    appendage: ReducedAppendage,
    actuators: Sequence[str | Channel],
    sensors: Sequence[str | Channel],
    smallest_ratio: float,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """|b_k|, sqrt(|c_v|² + |c_d|²/w²) and 4 zeta w: natural modes in the order of the appendage's coordinates."""
    require_natural(appendage)
    seen = modal_response(appendage, actuators, sensors, smallest_ratio=smallest_ratio)
    if any(channel.kind == "acceleration" for channel in seen.sensors) or (seen.power == 2).any():
        raise InputError("modal cost is infinite for acceleration outputs", advice="use displacement or rate sensors")
    rate = 4.0 * seen.zeta * seen.w
    if not (rate > 0.0).all():
        raise InputError("modal cost needs damped elastic modes", where=f"appendage {appendage.name}")
    squares = seen.outputs**2
    c = np.sqrt((squares * np.where(seen.power == 0, 1.0 / seen.w[:, None] ** 2, 1.0)).sum(axis=1))
    return np.linalg.norm(seen.inputs, axis=1), c, rate


def _cumulative(value: FloatArray, fraction: float, what: str) -> Vote:
    total = max(float(value.sum()), 1e-300)
    order = np.argsort(-value, kind="stable")
    before = np.concatenate([[0.0], np.cumsum(value[order])[:-1]]) / total
    keep = np.zeros(len(value), bool)
    keep[order] = (before < fraction) & (value[order] > 0.0)
    words = [
        f"{what} {100 * v / total:.3g} % of the total is {'within' if k else 'beyond'} the first {100 * fraction:g} %"
        for v, k in zip(value, keep)
    ]
    return Vote(keep, tuple(words), {"values": value})
