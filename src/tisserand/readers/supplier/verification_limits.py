"""What one of a supplier's modes shows in our model, and which limits it exceeds, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.appendage.comparison.tolerances import Tolerances
from tisserand.appendage.record.reduced_appendage import ReducedAppendage


@dataclass(frozen=True, kw_only=True)
class ModeCheck:
    """One of their modes in our model; one of kind ``residual`` (a vector that the run added) has no eigenvalue to meet.

    Its residual, frequency and MAC are listed, not judged: it may lie near a mode of ours or near none. The kind is known where
    the file tells: see the readers of F06 and OP2.
    rayleigh_hz: sqrt(x'Kx / x'Mx) / 2 pi; residual: bound on the relative distance of an eigenvalue of ours; modal_mass: relative
    difference of x'Mx from the stated one (None: not stated); effective_mass: largest difference from the stated ones, part of
    the rigid mass (None: not stated); ties: difference of motion where ties or supports carry the node.
    Without shapes rayleigh_hz, residual, modal_mass, ties and mac are None, and the partner is that of the frequency.
    """

    name: str
    kind: str
    theirs_hz: float
    rayleigh_hz: float | None
    residual: float | None
    modal_mass: float | None
    effective_mass: float | None
    ties: float | None
    own_name: str | None
    own_hz: float | None
    change: float | None
    mac: float | None


def breaches_of(
    modes: Sequence[ModeCheck],
    orthogonality: float | None,
    rigid: tuple[float | None, float | None, float | None],
    ours: ReducedAppendage,
    limits: Tolerances,
) -> list[str]:
    """Every limit that is exceeded. rigid: differences of mass (relative), center (m) and inertia (of its trace)."""
    size = max(float(np.ptp(ours.nodes.positions, axis=0).max(initial=0.0)), 1e-300)
    mass, center, inertia = rigid
    relative = None if center is None else center / size
    found = [
        *_beyond(
            mass, limits.mass, "mass of the deck differs from the stated one by {0:+.3g} % (allowed {1:g} %)", 100.0
        ),
        *_beyond(
            relative, limits.center, "mass center {0:.3g} % of the size from the stated one (allowed {1:g} %)", 100.0
        ),
        *_beyond(
            inertia, limits.inertia, "inertia {0:.3g} % of its trace from the stated one (allowed {1:g} %)", 100.0
        ),
        *_beyond(
            orthogonality, limits.orthogonality, "their modes are not orthogonal over our mass: {0:.3g} (allowed {1:g})"
        ),
    ]
    for mode in modes:
        found += [f"{mode.name} ({mode.theirs_hz:.5g} Hz): {text}" for text in _of_mode(mode, limits)]
    return found


def _of_mode(mode: ModeCheck, limits: Tolerances) -> list[str]:
    found = [
        *_beyond(mode.modal_mass, limits.modal_mass, "modal mass {0:+.3g} % from the stated one (allowed {1:g} %)", 100.0),
        *_beyond(
            mode.effective_mass, limits.effective_mass,
            "effective mass differs from the stated one by {0:.3g} % of the body's (allowed {1:g} %)", 100.0,
        ),
        *_beyond(mode.ties, limits.ties, "nodes on ties or supports move differently by {0:.3g} of the largest motion"),
    ]  # fmt: skip
    if mode.kind == "residual":
        return found
    found += [
        *_beyond(mode.residual, limits.residual, "residual {0:.3g} in the deck's K and M (allowed {1:g})"),
        *_beyond(mode.change, limits.frequency, "frequency {0:+.3g} % from ours (allowed {1:g} %)", 100.0),
    ]
    if mode.own_name is None:
        found += [] if limits.unpaired else ["none of our modes is like it"]
    elif limits.mac is not None and mode.mac is not None and not mode.mac >= limits.mac:
        found.append(f"MAC {mode.mac:.4f} (at least {limits.mac:g})")
    return found


def _beyond(value: float | None, limit: float | None, words: str, factor: float = 1.0) -> list[str]:
    """The sentence, with value and limit, if the value exceeds the limit; so does a value that is not a number."""
    if value is None or limit is None or abs(value) <= limit:
        return []
    return [words.format(factor * value, factor * limit)]
