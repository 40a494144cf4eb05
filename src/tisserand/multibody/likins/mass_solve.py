"""Accelerations, and the loads inside the hinges afterwards.

TR 32-1576, Eqs 10, 11, 15, 36, 38a, 44, 54; Defs 40, 41.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from tisserand.arrays import FloatArray
from tisserand.errors import SingularMatrixError
from tisserand.multibody.likins.configuration import Configuration, configure
from tisserand.multibody.likins.equations import Assembled, assemble
from tisserand.multibody.likins.system import AppliedLoads, LikinsState, LikinsSystem
from tisserand.multibody.likins.vectors import cross, turned


@dataclass(frozen=True, eq=False, kw_only=True)
class LikinsSolution:
    """Accelerations of the tree.

    base (3,) m/s²: of the mass center of the tree, in {b^0} (Eq 38a: F/M); a (n + 1, 3) rad/s² and o (n + 1,
    3) m/s²: angular acceleration of body k and acceleration of o_k (Eq 54 without its second bracket), in
    {b^0}; angles gamma'' (n,); rotors psi'' (q,); eta (K,) eta''. W (n + 1, 3) in {b^0} N m; c_dd, rho_dd (n
    + 1, 3) m/s²: inertial second derivatives of c^k, rho^k, in {b^0}.
    """

    base: FloatArray
    a: FloatArray
    o: FloatArray
    angles: FloatArray
    rotors: FloatArray
    eta: FloatArray
    W: FloatArray
    c_dd: FloatArray
    rho_dd: FloatArray
    at: Configuration


@dataclass(frozen=True, eq=False)
class HingeLoads:
    """What body s receives from its inboard body through hinge s = 1..n, row s - 1, in {b^0}.

    force f^{s N_s} (n, 3) N (Eq 11); torque T^{s N_s} (n, 3) N m about the hinge point (Eq 15); constraint
    t^{s N_s} (n, 3): the part across the axis (Def 41); axial tau_s (n,): the part along it, equal to the
    applied torque for a hinge that is free.
    """

    force: FloatArray
    torque: FloatArray
    constraint: FloatArray
    axial: FloatArray


def solve(
    system: LikinsSystem,
    state: LikinsState,
    loads: AppliedLoads,
    first_degree: bool = False,
    held: FloatArray | None = None,
    at: Configuration | None = None,
) -> LikinsSolution:
    """Solve (40), (41) and the modal equations for all accelerations.

    held (n,): gamma''_s of hinges whose motion is prescribed, NaN for the others: their row of (41) is
    dropped and the torque that the motion needs comes out of :func:`hinge_loads` (footnote 1 of the report).
    """
    if at is None:
        at = configure(system, state, first_degree)
    linear = assemble(system, state, loads, at)
    y = _solved(linear, system, first_degree, held)
    n = system.tree.bodies
    a0_and_angles, eta = y[: 2 + n], y[2 + n :]
    a = at.rates.partial @ a0_and_angles + at.rates.bias
    W = linear.W(a, eta)

    masses, total = system.barycenters.masses, system.barycenters.total
    base = turned(at.rates.C0, loads.forces).sum(axis=0) / total
    safe = np.where(masses > 0.0, masses, 1.0)[:, None]
    c_dd = linear.bias.c + cross(a, at.c) - at.shape @ eta / safe
    D_dd = cross(a[:, None], at.D) + linear.bias.D  # [s, r]
    o_relative = D_dd.sum(axis=0) + masses @ c_dd / total
    rotors = np.empty(system.rotors)
    for k, body in enumerate(system.substructures):
        if not len(body.rotor_inertia):
            continue
        mine = system.rotor_slots[k]
        free = loads.rotor_torques[mine] / body.rotor_inertia - body.rotor_axes @ (at.rates.C0[k].T @ a[k])
        rotors[mine] = np.where(loads.rotor_driven[mine], loads.rotor_accelerations[mine], free)
    return LikinsSolution(
        base=base,
        a=a,
        o=base + o_relative,
        angles=a0_and_angles[3:],
        rotors=rotors,
        eta=eta,
        W=W,
        c_dd=c_dd,
        rho_dd=o_relative - c_dd,
        at=at,
    )


def _solved(linear: Assembled, system: LikinsSystem, first_degree: bool, held: FloatArray | None) -> FloatArray:
    mass, right = linear.mass, linear.right
    y = np.full(len(right), np.nan)
    if held is not None:
        y[3 : 3 + system.hinges] = held
    given = ~np.isnan(y)
    y[~given] = 0.0
    free = np.flatnonzero(~given)
    rest = right[free] - mass[np.ix_(free, np.flatnonzero(given))] @ y[given]
    block = mass[np.ix_(free, free)]
    try:
        y[free] = np.linalg.solve(block, rest) if first_degree else cho_solve(cho_factor(block), rest)
    except (LinAlgError, np.linalg.LinAlgError) as error:
        raise SingularMatrixError(
            "the generalized mass matrix is singular or not positive definite",
            advice="check for massless bodies that carry nothing and for deformations far beyond the linear range",
        ) from error
    return y


def hinge_loads(system: LikinsSystem, loads: AppliedLoads, solution: LikinsSolution) -> HingeLoads:
    """Interaction force and torque at every hinge, from the accelerations.

    f^{s N_s} is minus the sum of F^r - M_r (F/M + rho''^r) over the branch beyond hinge s (Eq 11, and
    by Eq 10 all forces on the tree balance); T^{s N_s} = - sum_k eps_sk W^k (Eq 15).
    """
    at = solution.at
    F = turned(at.rates.C0, loads.forces)
    need = system.barycenters.masses[:, None] * (solution.base + solution.rho_dd) - F
    eps = system.tree.path[1:].astype(float)
    torque = -eps @ solution.W
    g = at.rates.g[1:]
    axial = np.einsum("sa,sa->s", torque, g)
    return HingeLoads(eps @ need, torque, torque - axial[:, None] * g, axial)
