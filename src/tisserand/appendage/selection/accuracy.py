"""Accuracy-driven selection: keep what a response needs up to F Hz within an error e, and show the error achieved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.response.channels import BASE, COMPONENTS, Channel
from tisserand.appendage.response.modal_response import ModalResponse, frequency_grid, modal_response, require_natural
from tisserand.appendage.selection.select_modes import Vote
from tisserand.arguments import checked_arguments
from tisserand.arrays import ComplexArray, FloatArray, IntArray
from tisserand.errors import InputError

#: Channels of the interface impedance: six base accelerations, six base forces.
IMPEDANCE = tuple(f"{BASE}:{component}" for component in COMPONENTS)


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """Relative error of a truncated response at each frequency, with and without static correction.

    The error is the largest singular value of the difference over that of the full response, after scaling
    every channel to its largest size in the band.
    """

    frequencies_hz: FloatArray
    corrected: FloatArray
    bare: FloatArray


@checked_arguments
@dataclass(frozen=True)
class ByAccuracy:
    """Keep the modes that the response from actuators to sensors needs up to ``fmax_hz`` within relative ``error``.

    By default the interface impedance (base acceleration to base force, six by six). The reference is the
    response of all modes of the appendage, which must reach beyond fmax_hz. ``static``: the error counts
    after static residual correction, and the residual matrix is reported. Undamped modes are given
    ``smallest_ratio`` for the judgment.
    """

    fmax_hz: float
    error: float = 0.05
    actuators: tuple[str | Channel, ...] = IMPEDANCE
    sensors: tuple[str | Channel, ...] = IMPEDANCE
    static: bool = True
    smallest_ratio: float = 1e-3

    def vote(self, appendage: ReducedAppendage) -> Vote:
        """Which modes of a record to keep, with reasons.

        Args:
            appendage: the record.
        """
        if not self.fmax_hz > 0.0 or not self.error > 0.0:
            raise InputError("accuracy needs a positive frequency and error", found=f"{self.fmax_hz} Hz, {self.error}")
        require_natural(appendage)
        hz_modes = appendage.frequencies_hz
        if hz_modes.max(initial=0.0) < self.fmax_hz:
            raise InputError(
                "the appendage has no mode above the requested frequency, so the error is unknown",
                where=f"appendage {appendage.name}",
                found=f"highest mode {hz_modes.max(initial=0.0):.4g} Hz",
                expected=f"above {self.fmax_hz:g} Hz",
                advice="compute more modes first",
            )
        seen = modal_response(appendage, self.actuators, self.sensors, smallest_ratio=self.smallest_ratio)
        grid = frequency_grid(seen, self.fmax_hz)
        left, right, full, size = _scaled(seen, grid)
        worth = _worth(seen, grid, left, right, size, self.static)
        ranked = np.argsort(-worth, kind="stable")
        count = _fewest(
            seen, grid, left, right=right, full=full, size=size, ranked=ranked, wanted=self.error, static=self.static
        )
        chosen = ranked[:count]
        curve = error_curve(appendage, chosen, self)
        keep = np.zeros(appendage.count, bool)
        keep[chosen] = True
        words = [
            f"changes the response by up to {100 * value:.3g} % below {self.fmax_hz:g} Hz: "
            f"{'needed' if needed else 'not needed'} for {100 * self.error:g} %"
            for value, needed in zip(worth, keep)
        ]
        numbers = {
            "worst_error": float(curve.corrected.max(initial=0.0) if self.static else curve.bare.max(initial=0.0)),
            "worst_error_without_static_residual": float(curve.bare.max(initial=0.0)),
            "frequencies_hz": curve.frequencies_hz,
            "error": curve.corrected if self.static else curve.bare,
            "static_residual": residual_flexibility(seen, chosen),
            "actuators": [channel.text for channel in seen.actuators],
            "sensors": [channel.text for channel in seen.sensors],
        }
        return Vote(keep, tuple(words), numbers)


@checked_arguments
def error_curve(appendage: ReducedAppendage, kept: Sequence[int] | IntArray, target: ByAccuracy) -> ErrorCurve:
    """Error of keeping only the given coordinates (natural modes) of the appendage, over the band of ``target``.

    Args:
        kept: modes that are kept, 0-based.
    """
    seen = modal_response(appendage, target.actuators, target.sensors, smallest_ratio=target.smallest_ratio)
    require_natural(appendage)
    place = np.asarray(kept, dtype=np.int64)
    grid = frequency_grid(seen, target.fmax_hz)
    left, right, full, size = _scaled(seen, grid)

    def error(static: bool) -> FloatArray:
        return _norm(left * (seen.response(grid, place, static=static) - full) * right) / size

    return ErrorCurve(grid, error(True), error(False))


def residual_flexibility(seen: ModalResponse, kept: IntArray) -> FloatArray:
    """(ny, nu) static response of the modes left out: sum c_k b_k / w_k² (times (i w)² for accelerations)."""
    out = np.ones(len(seen.w), bool)
    out[kept] = False
    return np.asarray(np.einsum("k,ky,ku->yu", seen.static_gains() * out, seen.outputs, seen.inputs))


def _norm(matrices: ComplexArray) -> FloatArray:
    return np.asarray(np.linalg.norm(matrices, ord=2, axis=(1, 2)))


def _scaled(seen: ModalResponse, grid: FloatArray) -> tuple[FloatArray, FloatArray, ComplexArray, FloatArray]:
    """Scales of outputs (1, ny, 1) and inputs (1, 1, nu) that bring every channel to one, the full response and its size."""
    full = seen.response(grid)
    peak = np.abs(full).max(axis=0)
    rows = np.sqrt(np.maximum(peak.max(axis=1), 1e-300))
    columns = np.maximum((peak / rows[:, None]).max(axis=0), 1e-300)
    left, right = (1.0 / rows)[None, :, None], (1.0 / columns)[None, None, :]
    return left, right, full, np.maximum(_norm(left * full * right), 1e-300)


def _worth(
    seen: ModalResponse, grid: FloatArray, left: FloatArray, right: FloatArray, size: FloatArray, static: bool
) -> FloatArray:
    """(k,) largest relative change of the response when one mode alone is left out (rank one, a product of norms)."""
    gains = seen.gains(grid) - (seen.static_gains() if static else 0.0)
    factor = np.abs(seen.factor(grid)) * left[0, :, 0]
    out = np.sqrt(np.einsum("fy,ky->fk", factor**2, seen.outputs**2))
    into = np.linalg.norm(seen.inputs * right[0, 0], axis=1)
    return np.asarray((np.abs(gains) * out * into / size[:, None]).max(axis=0))


def _fewest(
    seen: ModalResponse,
    grid: FloatArray,
    left: FloatArray,
    *,
    right: FloatArray,
    full: ComplexArray,
    size: FloatArray,
    ranked: IntArray,
    wanted: float,
    static: bool,
) -> int:
    """Smallest number of ranked modes whose error stays within ``wanted`` (bisection, then a step back if possible)."""

    def error(count: int) -> float:
        difference = seen.response(grid, ranked[:count], static=static) - full
        return float((_norm(left * difference * right) / size).max())

    low, high = 0, len(ranked)
    while low < high:
        middle = (low + high) // 2
        if error(middle) <= wanted:
            high = middle
        else:
            low = middle + 1
    return high
