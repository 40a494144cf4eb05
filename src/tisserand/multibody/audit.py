"""A second look at the books of a run: momenta recomputed in numpy from poses and modal coordinates, without the engine."""

from __future__ import annotations

import numpy as np

from tisserand.multibody.moments import mass_moments
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import Vehicle


def audit(run: Trajectory, vehicle: Vehicle) -> dict[str, float]:
    """Largest difference between the balance sheet and the recomputed mass centre, momentum, angular momentum and kinetic
    energy (T of the complete displacement field; left out where a rotor is driven by momentum).

    Relative to the largest size of each (to the vehicle's own size for the centre). Round-off for ``full`` inertia; for
    ``linear`` and ``constant`` inertia it shows the terms of the deformation that the run leaves out.
    """
    books, again = run.balance, mass_moments(run, vehicle)
    swing = np.sqrt(2.0 * max(float(books.kinetic.max(initial=0.0)), 0.0))
    size = float(np.sqrt(books.gyration / books.mass)) if books.mass > 0.0 else 0.0

    def differ(one: np.ndarray, two: np.ndarray, floor: float) -> float:
        scale = max(float(np.abs(one).max(initial=0.0)), floor, 1e-300)
        return float(np.abs(one - two).max(initial=0.0) / scale)

    found = {
        "center": differ(books.center, again.center, size),
        "momentum": differ(books.momentum, again.momentum, swing * float(np.sqrt(books.mass))),
        "angular momentum": differ(
            books.angular_momentum, again.angular_momentum, swing * float(np.sqrt(books.gyration))
        ),
    }
    if all(rotor.mode != "momentum" for rotor in vehicle.rotors):
        found["kinetic energy"] = differ(books.kinetic, again.kinetic, 0.0)
    return found
