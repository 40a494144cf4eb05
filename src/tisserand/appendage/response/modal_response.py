"""Frequency responses of a reduced appendage, mode by mode, with the static part of what is left out.

For natural modes (w_k, zeta_k, unit modal mass) the response to force-like inputs b and displacement-like
outputs c is sum_k c_k b_k / (w_k² - w² + 2 i zeta_k w_k w); rates and accelerations multiply by (i w) and (i
w)². The base sensor sees the force needed to shake the base: D(w) = M_rr + w² sum_k A_k A_k' / (w_k² - w² + 2
i zeta_k w_k w).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.appendage.record.damping_matrix import natural_modes
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.response.channels import BASE, Channel, channels, rows_of
from tisserand.arguments import checked_arguments
from tisserand.arrays import ComplexArray, FloatArray, IntArray
from tisserand.errors import InputError

_POWER = {"displacement": 0, "rate": 1, "acceleration": 2}


@dataclass(frozen=True, eq=False, kw_only=True)
class ModalResponse:
    """Natural modes seen through channels: w (k,) rad/s, zeta (k,), inputs (k, nu), outputs (k, ny).

    power (ny,): times i w; rigid (ny, nu): response without deformation (base force per base acceleration).
    """

    w: FloatArray
    zeta: FloatArray
    inputs: FloatArray
    outputs: FloatArray
    power: FloatArray
    rigid: FloatArray
    actuators: tuple[Channel, ...]
    sensors: tuple[Channel, ...]

    def factor(self, hz: FloatArray) -> ComplexArray:
        """(f, ny) multiplier of every output row at each frequency."""
        s = 2j * np.pi * np.asarray(hz, dtype=float)
        return np.asarray(s[:, None] ** self.power[None])

    def gains(self, hz: FloatArray) -> ComplexArray:
        """(f, k) dynamic flexibility 1 / (w_k² - w² + 2 i zeta_k w_k w) of every natural mode."""
        w = 2.0 * np.pi * np.asarray(hz, dtype=float)[:, None]
        return np.asarray(1.0 / (self.w**2 - w**2 + 2j * self.zeta * self.w * w))

    def static_gains(self) -> FloatArray:
        """(k,) 1 / w_k²; zero for rigid coordinates."""
        return np.divide(1.0, self.w**2, out=np.zeros_like(self.w), where=self.w > 0.0)

    def response(
        self, hz: FloatArray, modes: Sequence[int] | IntArray | None = None, *, static: bool = False
    ) -> ComplexArray:
        """(f, ny, nu) response of the chosen modes (default all); ``static`` adds the static part of the others."""
        hz = np.asarray(hz, dtype=float)
        gains = self.gains(hz)
        if modes is not None:
            kept = np.zeros(len(self.w), bool)
            kept[np.asarray(modes, dtype=np.int64)] = True
            gains = np.where(kept, gains, self.static_gains() if static else 0.0)
        elastic = np.einsum("fk,ky,ku->fyu", gains, self.outputs, self.inputs, optimize=True)
        return np.asarray(self.factor(hz)[:, :, None] * elastic + self.rigid)


def is_natural(appendage: ReducedAppendage) -> bool:
    """True if the coordinates are natural modes: Me and Ke diagonal to 1e-6."""
    off = ~np.eye(appendage.count, dtype=bool)
    if appendage.massless.any():
        return False
    for matrix in (appendage.integrals.modal_mass, appendage.stiffness):
        size = np.sqrt(np.maximum(np.outer(np.diag(matrix), np.diag(matrix)), 1e-300))
        if (np.abs(matrix / size)[off] > 1e-6).any():
            return False
    return True


def require_natural(appendage: ReducedAppendage) -> None:
    """Refuse coordinates that are not natural modes."""
    if not is_natural(appendage):
        raise InputError(
            "modes can be ranked one by one only if they are natural modes",
            where=f"appendage {appendage.name}",
            advice="use natural(appendage) first",
        )


@checked_arguments
def modal_response(
    appendage: ReducedAppendage,
    actuators: Sequence[str | Channel],
    sensors: Sequence[str | Channel],
    *,
    smallest_ratio: float = 0.0,
) -> ModalResponse:
    """Channels of an appendage in natural modes; ratios below ``smallest_ratio`` are raised to it.

    The damping between natural modes (De not diagonal there) is left out.

    Args:
        actuators: input channels, such as ``tip:z`` or ``base:x``.
        sensors: output channels, such as ``tip:z rate``.
    """
    into, out = channels(actuators), channels(sensors)
    Me, Ke = appendage.integrals.modal_mass, appendage.stiffness
    if is_natural(appendage):  # keep the order of the coordinates, and repeated frequencies as they are
        w, X = np.sqrt(np.maximum(appendage.eigenvalues, 0.0)), np.diag(1.0 / np.sqrt(np.diag(Me)))
    else:
        w, X = natural_modes(Me, Ke)
    De = np.einsum("ki,kl,li->i", X, appendage.damping, X)
    zeta = np.divide(De, 2.0 * w, out=np.zeros_like(w), where=w > 0.0)
    rigid = np.zeros((len(out), len(into)))
    for i, sensor in enumerate(out):
        for j, actuator in enumerate(into):
            if sensor.interface == BASE and actuator.interface == BASE:
                rigid[i, j] = appendage.integrals.rigid_mass[sensor.component, actuator.component]
    outputs = rows_of(appendage, out) @ X
    power = np.array([2 if sensor.interface == BASE else _POWER[sensor.kind] for sensor in out])
    for i, sensor in enumerate(out):
        if sensor.interface == BASE:
            outputs[i] = -outputs[i]  # the base feels + A eta''
    return ModalResponse(
        w=w,
        zeta=np.maximum(zeta, smallest_ratio),
        inputs=(rows_of(appendage, into) @ X).T,
        outputs=outputs.T,
        power=power,
        rigid=rigid,
        actuators=into,
        sensors=out,
    )


def frequency_grid(response: ModalResponse, fmax_hz: float, points: int = 300) -> FloatArray:
    """Logarithmic grid from fmax/1000 to fmax that includes every natural frequency and its half-power points."""
    grid = np.geomspace(fmax_hz / 1000.0, fmax_hz, points)
    peaks = response.w / (2.0 * np.pi)
    shifted = [peaks * (1.0 + side * response.zeta) for side in (-1.0, -0.3, 0.0, 0.3, 1.0)]
    every = np.concatenate([grid, *shifted])
    return np.unique(every[(every > 0.0) & (every <= fmax_hz)])
