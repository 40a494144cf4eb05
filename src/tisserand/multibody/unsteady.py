"""Whether a linear model is about an equilibrium or steady motion, or only about a transient state.

Steady motions of S0 Eqs 112-117.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.vehicle import Vehicle

if TYPE_CHECKING:
    from tisserand.multibody.linear import LinearModel

#: Distance from equilibrium that is worth a word: rad, m of a slider, or part of an appendage's size.
SIGNIFICANT = 0.01
#: A stiffness below this part of the largest, per inertia, may be round-off.
RESISTS = 1e-9


def distances(vehicle: Vehicle, model: LinearModel) -> FloatArray:
    """(n,) about how far each coordinate is from where its residual acceleration would vanish: a_i / (K_ii / M_ii).

    Turns in rad, sliders in m, modes as displacement over the appendage's size or nodal rotation in rad, whichever is more.
    What nothing resists is judged by the softest coordinate that something does (1 rad/s without any). Translation of a free
    base (free fall, an origin circling in a steady spin) and rotors speeding up are not departures: they count as zero.
    """
    inertia = np.diag(model.mass)
    rates = np.abs(np.diag(model.stiffness)) / np.maximum(inertia, 1e-300)
    resists = rates > RESISTS * rates.max(initial=0.0)
    softest = float(rates[resists].min()) if resists.any() else 1.0
    away = np.abs(model.residual) / np.where(resists, rates, softest)
    rotors = {rotor.name for rotor in vehicle.rotors}
    carried = {*rotors, *(f"base.{axis}" for axis in "xyz" if vehicle.base_motion == "free")}
    sizes = np.array([0.0 if name in carried else 1.0 for name in model.coordinates])
    for mount in vehicle.appendages:
        nodes = mount.record.nodes
        length = float(np.linalg.norm(np.ptp(nodes.positions, axis=0))) if len(nodes) else 0.0
        moved = np.abs(nodes.translation).max(axis=(0, 1), initial=0.0) / (length or 1.0)
        turned = np.abs(nodes.rotation).max(axis=(0, 1), initial=0.0)
        for k in range(mount.record.count):
            name = f"{mount.name}.eta{k + 1}"
            if name in model.coordinates:  # loops may have left it out
                sizes[model.coordinates.index(name)] = max(moved[k], turned[k])
    return np.asarray(away * sizes)


def unsteadiness(vehicle: Vehicle, model: LinearModel) -> tuple[str, ...]:
    """One sentence per field that was frozen, and one when the model's state is not an equilibrium (inputs at zero)."""
    away = distances(vehicle, model)
    if not np.any(away > SIGNIFICANT):
        return model.notes
    worst = int(away.argmax())
    far = f"about {away[worst]:.2g} (rad, or of the size)" if away[worst] < 1.0 else "far"
    return (
        *model.notes,
        f"the state is not an equilibrium: {model.coordinates[worst]} accelerates by {abs(model.residual[worst]):.3g} with all "
        f"inputs at zero, {far} away from rest, so poles and modes describe only a momentary state: start from an "
        "equilibrium (initial.equilibrium = true, steady_state in Python), a steady spin, or where the control laws point",
    )
