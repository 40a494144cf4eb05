"""Modal integrals: the canonical inertia record of a flexible body (theory of TR 32-1576, Eqs 46-53).

Symbols: r position from the reference point O, phi_k translation shape, axes a, b, c, modes k, l.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import LEVI_CIVITA, FloatArray, frozen, skew, symmetric

#: A shape with less than this part of the largest modal mass may have none but round-off.
LIGHT = 1e-10


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ModalIntegrals:
    """Inertia integrals about O in body axes, k modes.

    mass kg; center c (3,) m from O; inertia J0 (3, 3) kg m² about O;
    translation P (3, k) = int phi; rotation H (3, k) = int r x phi;
    position_shape L (3, 3, k): L_ab = int r_a phi_b; shape_shape N (3, 3, k, k): N_ab,kl = int phi_ak phi_bl;
    modal_mass Me (k, k). Moments of the second-degree displacement 1/2 psi(eta, eta) (nodal bodies, beam sections and shell
    fibers that turn, change of frame; zero for pure displacement fields), symmetric in (k, l): turn_first a (3, k, k) =
    1/2 int psi_kl dm, a(eta) = sum a_kl eta_k eta_l; turn_second A (3, 3, k, k) = 1/2 int r psi_kl' dm likewise; turn_shape B
    (k, k, k) = 1/2 int phi_m.psi_kl dm, first index m, None where it is not known (zero where nothing turns).
    """

    mass: float
    center: FloatArray
    inertia: FloatArray
    translation: FloatArray
    rotation: FloatArray
    position_shape: FloatArray
    shape_shape: FloatArray
    modal_mass: FloatArray
    turn_first: FloatArray
    turn_second: FloatArray
    turn_shape: FloatArray | None = None

    def __post_init__(self) -> None:
        k = np.asarray(self.modal_mass).shape[0]
        shapes = {
            "center": (3,),
            "inertia": (3, 3),
            "translation": (3, k),
            "rotation": (3, k),
            "position_shape": (3, 3, k),
            "shape_shape": (3, 3, k, k),
            "modal_mass": (k, k),
            "turn_first": (3, k, k),
            "turn_second": (3, 3, k, k),
        }
        for name, shape in shapes.items():
            object.__setattr__(self, name, frozen(getattr(self, name), shape=shape))
        if self.turn_shape is not None:
            object.__setattr__(self, "turn_shape", frozen(self.turn_shape, shape=(k, k, k)))

    @property
    def turns(self) -> bool:
        """True if there is a second-degree displacement."""
        return bool(self.turn_first.any() or self.turn_second.any())

    @property
    def second_shapes(self) -> FloatArray | None:
        """B (k, k, k) = 1/2 int phi_m.psi_kl dm; None where something turns and it is not known."""
        if self.turn_shape is None and not self.turns:
            return np.zeros((self.count,) * 3)
        return self.turn_shape

    @property
    def count(self) -> int:
        return int(self.modal_mass.shape[0])

    @property
    def sizes(self) -> FloatArray:
        """sqrt(Me_kk) (k,) to measure modes by; a shape next to massless (static in mean axes) is measured by the largest."""
        own = np.diag(self.modal_mass)
        most = max(float(own.max(initial=0.0)), 1e-300)
        return np.asarray(np.sqrt(np.where(own > LIGHT * most, own, most)))

    @property
    def inertia_first(self) -> FloatArray:
        """J1 (3, 3, k) = 2 tr(L) 1 - L - L': dJ/d eta_k at eta = 0."""
        L = self.position_shape
        return np.asarray(2.0 * np.eye(3)[:, :, None] * np.trace(L) - L - L.transpose(1, 0, 2))

    @property
    def inertia_second(self) -> FloatArray:
        """J2 (3, 3, k, k) = sym(tr(N) 1 - N'), symmetric in axes and modes: J(eta) = J0 + J1 eta + J2 eta eta."""
        N = self.shape_shape
        J2 = np.eye(3)[:, :, None, None] * np.trace(N) - N.transpose(1, 0, 2, 3)
        J2 = 0.5 * (J2 + J2.transpose(1, 0, 2, 3))
        return np.asarray(0.5 * (J2 + J2.transpose(0, 1, 3, 2)))

    @property
    def cross(self) -> FloatArray:
        """Kx (3, k, k): Kx_a,kl = eps_abc N_bc,kl = int phi_k x phi_l."""
        return np.asarray(np.einsum("abc,bckl->akl", LEVI_CIVITA, self.shape_shape))

    def inertia_at(self, eta: FloatArray) -> FloatArray:
        """J(eta) (3, 3) about O, with the second-degree rotation of nodal bodies:
        J0 + J1 eta + J2 eta eta + 2 tr(A) 1 - A - A'.
        """
        A = np.einsum("abkl,k,l->ab", self.turn_second, eta, eta)
        J = self.inertia + self.inertia_first @ eta + np.einsum("abkl,k,l->ab", self.inertia_second, eta, eta)
        return np.asarray(J + 2.0 * np.trace(A) * np.eye(3) - A - A.T)

    @property
    def rigid_mass(self) -> FloatArray:
        """(6, 6) rigid mass matrix about O: [m 1, -m c~; m c~, J0]."""
        arm = self.mass * skew(self.center)
        return np.block([[self.mass * np.eye(3), -arm], [arm, self.inertia]])

    @property
    def moments(self) -> FloatArray:
        """Gam (4, 4) = int xh xh' dm with xh = [1; r]."""
        first, second = self.mass * self.center, 0.5 * np.trace(self.inertia) * np.eye(3) - self.inertia
        return np.block([[np.array([[self.mass]]), first[None]], [first[:, None], second]])

    @property
    def shape_moments(self) -> FloatArray:
        """Lh (4, 3, k) = int xh phi_k' dm = [P; L]."""
        return np.concatenate([self.translation[None], self.position_shape])

    @property
    def second_moments(self) -> FloatArray:
        """A4 (4, 3, k, k) = 1/2 int xh psi_kl' dm = [a; A]."""
        return np.concatenate([self.turn_first[None], self.turn_second])

    @property
    def coupling(self) -> FloatArray:
        """(6, k) participation of base translation and rotation about O: [P; H]."""
        return np.vstack([self.translation, self.rotation])

    @property
    def residual_mass(self) -> FloatArray:
        """(6, 6) mass not carried by the modes: M_rr - A' Me^-1 A."""
        A = self.coupling.T
        if self.count == 0:
            return self.rigid_mass
        return symmetric(self.rigid_mass - A.T @ np.linalg.solve(self.modal_mass, A))

    @property
    def reach(self) -> float:
        """Length by which moments are measured, m: radius of gyration about O or distance of the center, never zero."""
        gyration = float(np.sqrt(max(np.trace(self.inertia), 0.0) / max(2.0 * self.mass, 1e-300)))
        return max(gyration, float(np.abs(self.center).max()), 1e-300)

    def field_errors(self) -> dict[str, float]:
        """Relative violation of the identities that hold for any displacement field, without the mass left over."""
        N, L, Me = self.shape_shape, self.position_shape, self.modal_mass
        scale_m = max(float(np.abs(Me).max(initial=0.0)), 1e-300)
        scale_h = max(float(np.sqrt(self.mass * scale_m)) * self.reach, 1e-300)
        curl = np.einsum("abc,bck->ak", LEVI_CIVITA, L)
        return {
            "tr N = Me": float(np.abs(np.trace(N) - Me).max(initial=0.0)) / scale_m,
            "N_ab,kl = N_ba,lk": float(np.abs(N - N.transpose(1, 0, 3, 2)).max(initial=0.0)) / scale_m,
            "eps L = H": float(np.abs(curl - self.rotation).max(initial=0.0)) / scale_h,
        }

    def identity_errors(self) -> dict[str, float]:
        """Relative violation of the identities that hold for any displacement field:
        each must be near round-off.
        """
        residual = np.linalg.eigvalsh(self.residual_mass)
        left = float(max(-residual[0], 0.0)) / max(float(np.abs(self.rigid_mass).max()), 1e-300)
        return {**self.field_errors(), "residual mass >= 0": left}

    def __repr__(self) -> str:
        return f"<ModalIntegrals: {self.mass:.6g} kg, {self.count} modes>"
