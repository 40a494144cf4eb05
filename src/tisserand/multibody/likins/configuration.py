"""A state of the tree with every vector in {b^0}: Eqs 43-53 evaluated once, before loads are known.

Reference: S1 Eqs 43-53.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.likins.kinematics import Rates, rates
from tisserand.multibody.likins.substructure import Deformation, deform, modal_shape
from tisserand.multibody.likins.system import LikinsState, LikinsSystem
from tisserand.multibody.likins.vectors import turned


@dataclass(frozen=True, eq=False, kw_only=True)
class Configuration:
    """The tree at a state, in {b^0}.

    rates: attitudes and rates; deformations: per body, in {b^k}; D (n + 1, n + 1, 3): D^{kr};
    c, c_rate (n + 1, 3): c^k and its rate as seen in {b^k}; J (n + 1, 3, 3): inertia about o_k;
    coriolis (n + 1, 3, 3): its rate and the relative spin; h (n + 1, 3): rotor momenta (Eq 37).
    shape, spin (n + 1, 3, K): d(int u dm)/d eta and int p x du/d eta of each body (columns of other bodies
    are zero); modal_shape, modal_spin: the same for the modal equations; shape_bias, spin_bias (n + 1, 3):
    their second-degree rates.
    """

    first_degree: bool
    rates: Rates
    deformations: tuple[Deformation, ...]
    D: FloatArray
    c: FloatArray
    c_rate: FloatArray
    J: FloatArray
    coriolis: FloatArray
    h: FloatArray
    shape: FloatArray
    spin: FloatArray
    modal_shape: FloatArray
    modal_spin: FloatArray
    shape_bias: FloatArray
    spin_bias: FloatArray

    @property
    def w(self) -> FloatArray:
        """Angular velocities (n + 1, 3), rad/s."""
        return self.rates.w


def configure(
    system: LikinsSystem, state: LikinsState, first_degree: bool, motion: Rates | None = None
) -> Configuration:
    """Evaluate Eqs 43-53 at a state; ``motion`` if the rates are known already."""
    if motion is None:
        motion = rates(system.tree, system.axes, system.nominal, state.w0, state.angles, state.angle_rates)
    C0 = motion.C0
    bodies, modes = system.tree.bodies, system.modes
    columns = np.zeros((4, bodies, 3, modes))  # shape, spin, modal shape, modal spin
    deformations, h = [], np.zeros((bodies, 3))
    for k, body in enumerate(system.substructures):
        mine = system.mode_slots[k]
        eta = state.eta[mine]
        now = deform(body, eta, state.eta_rates[mine], first_degree)
        deformations.append(now)
        if body.modes:
            for out, matrix in zip(columns, (now.shape, now.spin, *modal_shape(body, eta, now, first_degree))):
                out[k][:, mine] = C0[k] @ matrix
        if len(body.rotor_inertia):
            h[k] = (body.rotor_inertia * state.rotor_rates[system.rotor_slots[k]]) @ body.rotor_axes
    C0t = C0.transpose(0, 2, 1)

    def vectors(name: str) -> FloatArray:
        return turned(C0, np.array([getattr(d, name) for d in deformations]))

    def matrices(name: str) -> FloatArray:
        return np.asarray(C0 @ np.array([getattr(d, name) for d in deformations]) @ C0t)

    return Configuration(
        first_degree=first_degree,
        rates=motion,
        deformations=tuple(deformations),
        D=system.barycenters.D @ C0t,
        c=vectors("c"),
        c_rate=vectors("c_rate"),
        J=matrices("J"),
        coriolis=matrices("coriolis"),
        h=turned(C0, h),
        shape=columns[0],
        spin=columns[1],
        modal_shape=columns[2],
        modal_spin=columns[3],
        shape_bias=vectors("shape_bias"),
        spin_bias=vectors("spin_bias"),
    )
