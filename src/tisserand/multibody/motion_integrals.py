"""Energies, momenta and mass center of single states, from the compiled vehicle.

Balances: theory section 5.4.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.kernels import kernels


def kinetic_energies(compiled: CompiledVehicle, time: float, Y: FloatArray, U: FloatArray) -> FloatArray:
    """Kinetic energy, J, of many states (n, size) at one time."""
    return np.asarray(integrals_of_motion(compiled, time, Y, U)[:, 0])


def center_motion(
    compiled: CompiledVehicle, y: FloatArray, U: FloatArray, time: float
) -> tuple[FloatArray, FloatArray]:
    """Position (3,) m and velocity (3,) m/s of the vehicle's mass center, inertial axes."""
    found = integrals_of_motion(compiled, time, y[None], U)[0]
    return found[8:11], found[2:5] / sum(float(body["mass"]) for body in compiled.model.bodies)


def integrals_of_motion(compiled: CompiledVehicle, time: float, Y: FloatArray, U: FloatArray) -> FloatArray:
    """Energies, momentum, angular momentum and mass center (n, 11) of many states (n, size) at one time, as ``observe``."""
    observe, rhs = kernels().observe, compiled.rhs
    c, n, nb = compiled, len(Y), len(compiled.tree.bodies)
    motion = np.zeros((n, 11))
    signals = np.zeros((n, int(c.head["signals"]) + int(c.head["commands"])))
    observe(
        rhs,
        c.M,
        c.F,
        c.workspace(),
        np.tile(U, (n, 1)),
        np.full(n, time),
        np.ascontiguousarray(Y),
        np.zeros_like(Y),
        motion,
        np.zeros((n, nb, 18)),
        signals,
        np.zeros((n, nb, 6)),
        np.zeros((n, nb, 6)),
        np.zeros((n, nb, 3)),
        np.zeros((n, int(c.head["loads"]))),
    )
    return motion
