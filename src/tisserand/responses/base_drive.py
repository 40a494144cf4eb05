"""A delivered model on a shaker: its interface moves as a rigid body, and every recovered row follows.

q = R x + Phi eta with R the rigid motions about a point of the interface and Phi the modes with the interface held:
eta'' + 2 zeta w eta' + w² eta = -Phi'M R x''. Rows of displacement are relative to the base; loads and accelerations are
complete, because R carries the mass that no mode moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import ComplexArray, FloatArray
from tisserand.errors import InputError
from tisserand.multibody.frequency_response import frequencies
from tisserand.responses.chosen_rows import chosen_rows, require_free_dampers
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.delivery_checks import fixed_modes
from tisserand.responses.modal_system import ModalSystem, damping_law
from tisserand.responses.recovery_rows import rigid_about
from tisserand.responses.spectra import Spectrum

AXES = ("x", "y", "z", "rx", "ry", "rz")
G = 9.80665
Damping = float | tuple[tuple[float, float], ...]


@checked_arguments
def shaken(
    model: DeliveredModel, *, damping: Damping, recoveries: Sequence[str] = (), point: Sequence[float] | None = None
) -> ModalSystem:
    """The modal system from base accelerations (x, y, z in m/s², rx, ry, rz in rad/s², basic axes) to recovered rows.

    Args:
        model: with interface dofs that hold it.
        damping: ratio of all modes, or pairs (Hz, ratio); the structure's own dampers are added.
        recoveries: names of recovery matrices; none means all.
        point: about which the base turns, m; None takes the middle of the interface nodes.
    """
    if model.held:
        raise InputError(
            "the model is held by supports besides its interface, so it cannot be shaken there", where=model.name,
            found=f"{model.held} held dofs", advice="reduce it with --free",
        )  # fmt: skip
    if not len(model.physical):
        raise InputError("the model has no interface dofs to shake", where=model.name)
    hz, phi = fixed_modes(model)
    if not len(hz):
        raise InputError("the model has no modes with its interface held", where=model.name, advice="keep some modes")
    middle = model.nodes.positions.mean(axis=0) if point is None else np.asarray(point, float)
    R = rigid_about(model.rigid, middle)
    own = None
    if model.damping is not None:
        require_free_dampers(
            model, model.damping, "a damper is fixed to the ground, which the base leaves when it is shaken"
        )
        own = phi.T @ model.damping @ phi
    chosen = chosen_rows(model, recoveries)
    return ModalSystem(
        w=2.0 * np.pi * hz, zeta=damping_law(damping).at(hz), inputs=-phi.T @ (model.mass @ R),
        second=chosen.acceleration @ phi, zeroth=chosen.displacement @ phi, direct=chosen.acceleration @ R,
        first=None if chosen.velocity is None else chosen.velocity @ phi, damping=own,
        input_names=tuple(f"base {axis}" for axis in AXES), labels=chosen.labels, units=chosen.units,
    )  # fmt: skip


def drive_grid(system: ModalSystem, low_hz: float, high_hz: float, points: int = 400) -> FloatArray:
    """Frequencies, Hz: logarithmic, with more of them around every mode."""
    return frequencies(system.poles, low_hz, high_hz, points)


@dataclass(frozen=True, eq=False)
class SineResponse:
    """Rows under a base sine of given amplitude: amplitudes (f, r) and complex response per unit (f, r)."""

    hz: FloatArray
    base: FloatArray
    transfer: ComplexArray
    labels: tuple[str, ...]
    units: tuple[str, ...]

    @property
    def amplitude(self) -> FloatArray:
        return np.asarray(np.abs(self.transfer) * self.base[:, None])

    @property
    def peaks(self) -> tuple[FloatArray, FloatArray]:
        """(r,) largest amplitude and its frequency, Hz."""
        where = self.amplitude.argmax(axis=0)
        return self.amplitude[where, np.arange(len(self.labels))], self.hz[where]


def sine(system: ModalSystem, axis: str, levels: Spectrum, points: int = 400) -> SineResponse:
    """Steady response to a base acceleration of amplitude ``levels`` (m/s²) along an axis, frequency by frequency."""
    hz = drive_grid(system, float(levels.hz[0]), float(levels.hz[-1]), points)
    return SineResponse(hz, levels.at(hz), system.response(hz, AXES.index(axis)), system.labels, system.units)


@dataclass(frozen=True, eq=False)
class RandomResponse:
    """Rows under a base acceleration of power spectral density ``base`` (f,) (m/s²)²/Hz: densities (f, r), per unit (f, r)."""

    hz: FloatArray
    base: FloatArray
    transfer: ComplexArray
    labels: tuple[str, ...]
    units: tuple[str, ...]

    @property
    def density(self) -> FloatArray:
        """(f, r) power spectral density of every row, unit²/Hz."""
        return np.asarray(np.abs(self.transfer) ** 2 * self.base[:, None])

    @property
    def rms(self) -> FloatArray:
        """(r,) root mean square: trapezoids over the frequencies."""
        return np.asarray(np.sqrt(np.trapezoid(self.density, self.hz, axis=0)))

    @property
    def cumulative(self) -> FloatArray:
        """(f, r) root mean square of everything up to each frequency."""
        area = 0.5 * np.diff(self.hz)[:, None] * (self.density[1:] + self.density[:-1])
        return np.asarray(np.sqrt(np.vstack([np.zeros((1, area.shape[1])), np.cumsum(area, axis=0)])))


def random(system: ModalSystem, axis: str, density: Spectrum, points: int = 2000) -> RandomResponse:
    """Response to a stationary base acceleration of given density ((m/s²)²/Hz) along an axis."""
    hz = drive_grid(system, float(density.hz[0]), float(density.hz[-1]), points)
    hz = np.unique(np.concatenate([hz, density.hz]))
    return RandomResponse(hz, density.at(hz), system.response(hz, AXES.index(axis)), system.labels, system.units)


def miles(hz: float, zeta: float, density: float) -> float:
    """Miles' root mean square of the absolute acceleration of one mode: sqrt(pi f Q S / 2), Q = 1 / (2 zeta)."""
    return float(np.sqrt(0.5 * np.pi * hz * density / (2.0 * zeta)))


@dataclass(frozen=True, eq=False)
class ShockResponse:
    """Peaks of rows by modal superposition of a shock spectrum: modal (m, r), rest (r,), and three combinations (r,)."""

    hz: FloatArray
    modal: FloatArray
    rest: FloatArray
    labels: tuple[str, ...]
    units: tuple[str, ...]

    @property
    def absolute(self) -> FloatArray:
        """Sum of magnitudes: an upper bound."""
        return np.asarray(self.modal.sum(axis=0) + self.rest)

    @property
    def srss(self) -> FloatArray:
        """Root of the sum of squares."""
        return np.asarray(np.sqrt((self.modal**2).sum(axis=0) + self.rest**2))

    @property
    def nrl(self) -> FloatArray:
        """The largest mode, and the root of the squares of the others."""
        every = np.vstack([self.modal, self.rest])
        largest = every.max(axis=0)
        return np.asarray(largest + np.sqrt(np.maximum((every**2).sum(axis=0) - largest**2, 0.0)))


def shock(system: ModalSystem, axis: str, spectrum: Spectrum) -> ShockResponse:
    """Peaks under a base shock that is given by its spectrum of absolute acceleration (m/s²).

    A mode peaks at w² |eta| = |Phi'M R| S(f); what no mode moves follows the base with the level at the highest frequency stated.
    Modes outside the spectrum take its nearest end.
    """
    column = AXES.index(axis)
    hz = system.w / (2.0 * np.pi)
    level = spectrum.at(np.clip(hz, spectrum.hz[0], spectrum.hz[-1]))
    gain = np.abs(system.inputs[:, column]) * level
    modal = np.abs(system.zeroth / system.w**2 - system.second) * gain
    rigid = system.direct[:, column] + system.second @ system.inputs[:, column]
    return ShockResponse(hz, modal.T, np.abs(rigid) * float(spectrum.levels[-1]), system.labels, system.units)
