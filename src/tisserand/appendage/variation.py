"""A record varied for sensitivity studies, Monte Carlo and robust control, kept physically consistent.

Frequencies, damping, participation and mass have an argument each; everything else stays unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tisserand.appendage.frames.transformed_records import combined
from tisserand.appendage.integrals.from_mass_matrix import realizable
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.damping_matrix import Damping, damping_matrix
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.reduced_appendage import Factors, ReducedAppendage
from tisserand.appendage.support_mass import support_mass
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, symmetric
from tisserand.errors import InputError

#: Share of the rigid mass by which round-off may make the mass left by the modes negative.
_ROUND_OFF = 1e-9
#: Factors of a variation: a record beyond them describes another structure, and the squares of its numbers overflow.
LEAST_FACTOR, MOST_FACTOR = 1e-6, 1e6


@checked_arguments
def varied(
    appendage: ReducedAppendage,
    *,
    frequency_scale: Factors = 1.0,
    damping: Damping | float | Sequence[float] | None = None,
    shape_gain: Factors = 1.0,
    mass_scale: float = 1.0,
    name: str | None = None,
) -> ReducedAppendage:
    """The same appendage with other frequencies, damping, participation or mass; see ``ReducedAppendage.varied``.

    Args:
        appendage: the record to vary.
        frequency_scale: factors on the frequencies; stiffness, elastic forces and stresses follow their squares, damping ratios
            stay.
        damping: new damping (a ratio, one ratio per mode, or a ``Damping``) in place of the present one.
        shape_gain: factors on what the modes show and how they couple (shapes, P, H, L and their second-degree parts) at
            unchanged modal mass; a gain that would leave negative mass to the rigid body is refused.
        mass_scale: factor on all mass, rigid and modal; frequencies stay, so that the stiffness follows.
        name: of the new record; by default the old one's.
    """
    s = _factors(appendage, frequency_scale, "frequency_scale")
    g = _factors(appendage, shape_gain, "shape_gain")
    _refuse_wild(appendage, np.array([mass_scale]), "mass_scale")
    out = _with_gain(appendage, g) if (g != 1.0).any() else appendage
    out = _with_frequencies(out, s) if (s != 1.0).any() else out
    out = _with_mass(out, mass_scale) if mass_scale != 1.0 else out
    reports: dict[str, Any] = dict(out.reports)
    if damping is not None:
        support = "free" if (reports.get("damping") or {}).get("support") == "free" else "attachment"
        as_held = out.attachment is None or out.frame.name == "connection"
        held_by = None if as_held else out.interface(out.attachment or "")
        Me = support_mass(out.integrals, held_by, support)  # type: ignore[arg-type]
        De, reports["damping"] = damping_matrix(damping, Me, out.stiffness)
        reports["damping"]["support"] = support
        out = out.changed(damping=De)
    entry = {
        "frequency_scale": s, "shape_gain": g, "mass_scale": mass_scale,
        "damping": "kept ratios" if damping is None else reports["damping"],
    }  # fmt: skip
    history = [*appendage.provenance.get("varied", []), plain(entry)]
    return out.changed(
        name=name or appendage.name,
        reports=plain(reports),
        provenance={**appendage.provenance, "varied": history},
        sources=() if (g != 1.0).any() or mass_scale != 1.0 else out.sources,
    )


def _with_gain(appendage: ReducedAppendage, g: FloatArray) -> ReducedAppendage:
    """The displacement field times g; Me, Ke, De of the old record: modal mass that the field does not show has no direction."""
    old = appendage.integrals
    scaled = combined(appendage, np.diag(g), names=appendage.mode_names, kinds=appendage.mode_kinds)
    unseen = (old.modal_mass - scaled.integrals.modal_mass) / 3.0
    N = scaled.integrals.shape_shape + np.eye(3)[:, :, None, None] * unseen
    integrals = replace(scaled.integrals, modal_mass=old.modal_mass, shape_shape=N)
    _refuse_negative_mass(appendage, integrals)
    integrals = realizable(integrals)  # a gain above 1 takes more than the modes show
    kept = {"stiffness": appendage.stiffness, "damping": appendage.damping, "reports": appendage.reports}
    return scaled.changed(integrals=integrals, **kept)


def _refuse_negative_mass(appendage: ReducedAppendage, integrals: ModalIntegrals) -> None:
    size = np.sqrt(np.maximum(np.diag(integrals.rigid_mass), 0.0))
    scale = np.where(size > 0.0, size, 1.0)
    before = appendage.integrals.residual_mass / np.outer(scale, scale)
    left = integrals.residual_mass / np.outer(scale, scale)
    least = float(np.linalg.eigvalsh(left)[0])
    if least < min(-_ROUND_OFF, float(np.linalg.eigvalsh(before)[0]) - _ROUND_OFF):
        masses, axes = np.linalg.eigh(integrals.rigid_mass / np.outer(scale, scale))
        massive = masses > _ROUND_OFF
        unit = axes[:, massive] / np.sqrt(masses[massive])  # motions of unit rigid mass
        share = float(np.linalg.eigvalsh(unit.T @ left @ unit)[0])
        raise InputError(
            "this shape_gain would leave a negative rigid-body mass", where=_where(appendage),
            found=f"{100 * share:.3g} % of its rigid mass in one direction",
            expected="modes that carry no more than the whole mass",
            advice="lower the gain, or raise the mass with mass_scale",
        )  # fmt: skip


def _with_frequencies(appendage: ReducedAppendage, s: FloatArray) -> ReducedAppendage:
    half = np.sqrt(s)
    nodes = appendage.nodes
    return appendage.changed(
        stiffness=symmetric(s[:, None] * appendage.stiffness * s),
        damping=symmetric(half[:, None] * appendage.damping * half),
        nodes=nodes if nodes.energy is None else replace(nodes, energy=nodes.energy * s**2),
        recovery=_forces_scaled(appendage, s**2),
    )


def _with_mass(appendage: ReducedAppendage, m: float) -> ReducedAppendage:
    old, bodies = appendage.integrals, appendage.bodies
    words = (
        "inertia", "translation", "rotation", "position_shape", "shape_shape", "modal_mass", "turn_first", "turn_second",
    )  # fmt: skip
    scaled: dict[str, Any] = {word: m * getattr(old, word) for word in words}
    scaled["turn_shape"] = None if old.turn_shape is None else m * old.turn_shape
    families = {
        word: matrix if word.startswith("F:") else m * matrix for word, matrix in appendage.geometric_stiffness.items()
    }
    held = {
        word: (m * np.asarray(value)).tolist() if word.endswith("rigid_mass") and value is not None else value
        for word, value in (appendage.reports.get("held") or {}).items()
    }
    return appendage.changed(
        integrals=replace(old, mass=m * old.mass, **scaled),
        stiffness=m * appendage.stiffness,
        damping=m * appendage.damping,
        geometric_stiffness=families,
        bodies=replace(bodies, masses=m * bodies.masses, inertias=m * bodies.inertias),
        recovery=_forces_scaled(appendage, np.full(appendage.count, m)),
        reports={**appendage.reports, **({"held": held} if held else {})},
    )


def _forces_scaled(appendage: ReducedAppendage, factors: FloatArray) -> dict[str, FloatArray]:
    """Outputs that are forces or stresses follow the stiffness; displacements do not."""
    return {
        word: matrix if word.startswith("displacement:") else matrix * factors
        for word, matrix in appendage.recovery.items()
    }


def _factors(appendage: ReducedAppendage, given: Factors, word: str) -> FloatArray:
    k = appendage.count
    if isinstance(given, Mapping):
        unknown = [mode for mode in given if mode not in appendage.mode_names]
        if unknown:
            raise InputError(
                f"{word} names a mode that does not exist", where=_where(appendage), found=repr(unknown[0]),
                expected=", ".join(appendage.mode_names[:12]),
            )  # fmt: skip
        values = np.array([float(given.get(mode, 1.0)) for mode in appendage.mode_names])
    else:
        values = np.asarray(given, dtype=float)
        if values.shape not in ((), (k,)):
            raise InputError(
                f"{word} is one number or one per mode", where=_where(appendage), found=values.shape, expected=f"({k},)"
            )
        values = np.broadcast_to(values, (k,)).astype(float)
    _refuse_wild(appendage, values, word)
    return values


def _refuse_wild(appendage: ReducedAppendage, factors: FloatArray, word: str) -> None:
    fits = (factors >= LEAST_FACTOR) & (factors <= MOST_FACTOR)
    if not fits.all():
        raise InputError(
            f"{word} is out of range", where=_where(appendage), found=", ".join(f"{x:g}" for x in factors[~fits][:3]),
            expected=f"a factor from {LEAST_FACTOR:g} to {MOST_FACTOR:g}",
        )  # fmt: skip


def _where(appendage: ReducedAppendage) -> str:
    return f"appendage {appendage.name}"
