"""Kinetic energy and momenta of the tree about its mass center, in {b^0}.

TR 32-1576, Eqs 4-6, 19, 21; TR 32-1593, Eqs 43, 76.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.likins.configuration import Configuration, configure
from tisserand.multibody.likins.system import LikinsState, LikinsSystem
from tisserand.multibody.likins.vectors import cross, turned


@dataclass(frozen=True, eq=False)
class Momenta:
    """Kinetic energy and angular momentum of the tree, in {b^0}.

    kinetic J: motion relative to the mass center of the tree (add M X'.X'/2); angular (3,) N m s about that center; rho, rho_rate
    (n + 1, 3): c_k from that center and its inertial rate (Eq 19).
    """

    kinetic: float
    angular: FloatArray
    rho: FloatArray
    rho_rate: FloatArray
    o: FloatArray
    o_rate: FloatArray
    at: Configuration


def momenta(system: LikinsSystem, state: LikinsState) -> Momenta:
    """Energy and angular momentum with all degrees kept, whatever form of the equations moves the state."""
    at = configure(system, state, first_degree=False)
    M, total = system.barycenters.masses, system.barycenters.total
    w = at.rates.w
    c_dot = cross(w, at.c) - at.shape @ state.eta_rates / np.where(M > 0.0, M, 1.0)[:, None]
    o = at.D.sum(axis=0) + M @ at.c / total  # rho^r + c^r, Eq 19
    o_rate = cross(w[:, None], at.D).sum(axis=0) + M @ c_dot / total
    rho, rho_rate = o - at.c, o_rate - c_dot
    relative = at.spin @ state.eta_rates
    about_o = turned(at.J, w) + relative + at.h
    about_c = about_o - M[:, None] * cross(at.c, c_dot)
    angular = (M[:, None] * cross(rho, rho_rate) + about_c).sum(axis=0)
    kinetic = 0.5 * float(np.sum(M[:, None] * (rho_rate**2 - c_dot**2)))
    kinetic += 0.5 * float(np.sum(w * turned(at.J, w))) + float(np.sum(w * (relative + at.h)))
    for k, body in enumerate(system.substructures):
        rate, psi = state.eta_rates[system.mode_slots[k]], state.rotor_rates[system.rotor_slots[k]]
        kinetic += 0.5 * float(rate @ at.deformations[k].modal_mass @ rate) + 0.5 * float(body.rotor_inertia @ psi**2)
    return Momenta(kinetic, angular, rho, rho_rate, o, o_rate, at)
