"""Continuous laws as compiled functions of time and signals, called inside the step.

Serves the torques of theory section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, frozen
from tisserand.errors import VehicleError
from tisserand.multibody.loads import Load
from tisserand.multibody.signals import Signal


@checked_arguments
@dataclass(frozen=True, eq=False)
class CompiledLaw:
    """``law(time, signals) -> commands``, compiled by numba and evaluated in every stage of every step.

    ``signals`` is a float array, one value per input; the law returns one number, or a tuple or an array with one per output. It
    must be a function of its arguments alone, and smooth where the integrator is to take long steps.

    Attributes:
        name: of the controller.
        inputs: signals it reads.
        outputs: loads it commands.
        law: a plain Python function that numba can compile, or one that is compiled already.
        limits: lowest and highest command per output; none by default.
    """

    name: str
    inputs: tuple[Signal, ...]
    outputs: tuple[Load, ...]
    law: Callable[..., Any]
    limits: FloatArray | None = None

    def __post_init__(self) -> None:
        if not self.outputs:
            raise VehicleError("a law needs an output", where=f"controller {self.name}")
        m = len(self.outputs)
        limits = np.tile([-np.inf, np.inf], (m, 1)) if self.limits is None else np.asarray(self.limits, float)
        if limits.shape != (m, 2) or np.any(limits[:, 0] > limits[:, 1]):
            raise VehicleError(
                "limits need (low, high) per output", where=f"controller {self.name}", found=limits.shape
            )
        object.__setattr__(self, "limits", frozen(limits))
        self._tried()

    @cached_property
    def compiled(self) -> Any:
        """``f(time, signals, out)``: fills the commands; 0. A mistake in the law is one sentence."""
        import numba
        from numba import types

        if numba.config.DISABLE_JIT:
            return _filling(self.law, len(self.outputs))
        law = self.law if hasattr(self.law, "inspect_types") else numba.njit(error_model="numpy")(self.law)
        try:
            made = numba.njit(nogil=True, error_model="numpy")(_filling(law, len(self.outputs)))
            made.compile(types.int64(types.float64, types.float64[::1], types.float64[::1]))
        except Exception as error:  # numba raises many kinds
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            told = next((line for line in lines if "error" in line.lower() or "undefined" in line.lower()), lines[0])
            raise VehicleError(
                "the law cannot be compiled",
                where=f"controller {self.name}",
                found=told[:300],
                expected="a function (time, signals) -> numbers that numba compiles",
                advice="or use SampledController, which calls any Python function",
            ) from error
        return made

    def commands(self, time: float, values: FloatArray) -> FloatArray:
        """The commands without their limits.

        Args:
            time: s.
            values: of the inputs.
        """
        out = np.full(len(self.outputs), np.nan)
        self.compiled(float(time), np.ascontiguousarray(values, dtype=float), out)
        return out

    def _tried(self) -> None:
        """The number of commands of the law is that of its outputs."""
        import numba

        law = self.law if numba.config.DISABLE_JIT else getattr(self.law, "py_func", self.law)
        try:
            with np.errstate(all="ignore"):
                given = np.ravel(np.asarray(law(0.0, np.zeros(len(self.inputs))), float))
        except ZeroDivisionError:
            return
        except Exception as error:
            raise VehicleError(
                "the law fails where all signals are zero", where=f"controller {self.name}", found=str(error)[:200]
            ) from error
        if len(given) != len(self.outputs):
            raise VehicleError(
                "the law returns the wrong number of commands",
                where=f"controller {self.name}",
                found=len(given),
                expected=len(self.outputs),
            )


def _filling(law: Any, count: int) -> Callable[..., int]:
    """``f(time, signals, out)`` around a law that returns a number, a tuple or an array."""
    if count == 1:

        def fill_one(time, signals, out):  # type: ignore[no-untyped-def]
            out[0] = np.asarray(law(time, signals)).ravel()[0]
            return 0

        return fill_one

    def fill(time, signals, out):  # type: ignore[no-untyped-def]
        values = law(time, signals)
        for i in range(count):
            out[i] = values[i]
        return 0

    return fill
