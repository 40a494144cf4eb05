"""How a vehicle is run, declared once: keywords of ``simulate``, keys of ``[simulation]``, options of ``tisserand simulate``.

Serves the engines of theory section 5.2.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.declarations import Declared, check, option, problem
from tisserand.errors import VehicleError

#: Longest run, s (30,000 years), and most output times or checkpoints of one: beyond them a file requests the impossible.
LONGEST, MOST_TIMES = 1e12, 10_000_000
Method = Literal["auto", "dop853", "esdirk", "rk4", "Radau", "BDF", "LSODA"]
EngineName = Literal["recursive", "likins"]
OnLimit = Literal["stop", "record"]


class IntegrationOptions(Declared):
    """How the equations of motion are integrated."""

    raises = VehicleError

    method: Method = option(
        "auto",
        "auto: dop853 until its steps are bound by stability, then esdirk or Radau if that is cheaper; "
        "dop853: explicit, order 8; esdirk: implicit in modes and joint springs, order 4; rk4: fixed step; "
        "Radau, BDF, LSODA: implicit in everything",
    )
    rtol: float = option(1e-9, "relative tolerance of the adaptive methods", above=0.0, below=1.0)
    atol: float | None = option(
        None,
        "absolute tolerance of the adaptive methods, SI; default: 1e-12 or less, by the size of the motion",
        above=0.0,
    )
    step: float | None = option(
        None, "step of rk4; default: a fortieth of the shortest modal period, at most 10 ms", unit="s", above=0.0
    )
    on_limit: OnLimit = option("stop", "at the limit of a joint: stop the run, or record an event and go on")
    engine: EngineName = option("recursive", "equations of motion: recursive, or likins (the readable reference, slow)")
    max_steps: int = option(10_000_000, "largest number of steps; the run stops there", at_least=1)

    @property
    def integration(self) -> dict[str, Any]:
        """The keywords of ``Simulation``."""
        return {name: getattr(self, name) for name in IntegrationOptions.model_fields}

    @check
    def _engine_has_method(self) -> None:
        if self.engine == "likins" and self.method in ("rk4", "esdirk"):
            kind = "fixed-step" if self.method == "rk4" else "linearly implicit"
            raise problem(
                "method", f"the likins engine has no {kind} method", found=self.method,
                expected="auto, dop853, Radau, BDF or LSODA",
            )  # fmt: skip


class RunOptions(IntegrationOptions):
    """Duration and output of a run."""

    duration: float = option(..., "simulated time", unit="s", above=0.0, at_most=LONGEST)
    output_step: float | None = option(
        None, "interval between stored samples; default: given by 'samples'", unit="s", above=0.0
    )
    samples: int = option(1001, "stored samples when no output_step is stated", at_least=2, at_most=MOST_TIMES)
    segment: float | None = option(
        None, "simulated time between checkpoints; default: a fortieth of the duration", unit="s", above=0.0
    )

    @check
    def _can_be_counted(self) -> None:
        """Output times and checkpoints are counted before memory is taken for them."""
        for key in ("output_step", "segment"):
            step = getattr(self, key)
            if step is not None and self.duration > step * MOST_TIMES:
                least = f"at least {self.duration / MOST_TIMES:.3g} s"
                raise problem(key, "is too short for the duration", found=step, expected=least)
        if self.method == "rk4" and self.step is not None and self.duration > self.step * self.max_steps:
            least = f"at least {self.duration / self.max_steps:.3g} s, or more max_steps"
            raise problem("step", "is too short for the duration", found=self.step, expected=least)

    @property
    def output_times(self) -> FloatArray:
        """Times of the stored samples from zero to the duration, s."""
        if self.output_step is None:
            return np.linspace(0.0, self.duration, self.samples)
        return np.linspace(0.0, self.duration, max(round(self.duration / self.output_step), 1) + 1)
