"""Linear systems with names, and the same as a sampled controller sees them: inputs held between samples and delayed."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from scipy.linalg import expm

from tisserand.arguments import checked_arguments
from tisserand.arrays import ComplexArray, FloatArray, frozen
from tisserand.errors import InputError

#: Delays closer to a whole number of steps than this part of a step are whole.
_WHOLE = 1e-9


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class LinearSystem:
    """x' = A x + B u, y = C x + D u; with a step, x[k+1] = A x[k] + B u[k].

    Attributes:
        A: (n, n).
        B: (n, i).
        C: (o, n).
        D: (o, i).
        states: names.
        inputs: names.
        outputs: names.
        step: s between samples; None in continuous time.
    """

    A: FloatArray
    B: FloatArray
    C: FloatArray
    D: FloatArray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    _: KW_ONLY
    step: float | None = None

    def __post_init__(self) -> None:
        n, i, o = len(self.states), len(self.inputs), len(self.outputs)
        for word, shape in (("A", (n, n)), ("B", (n, i)), ("C", (o, n)), ("D", (o, i))):
            object.__setattr__(self, word, frozen(getattr(self, word), shape=shape))

    def __repr__(self) -> str:
        kind = "continuous" if self.step is None else f"every {self.step:g} s"
        return (
            f"<LinearSystem: {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs, {kind}>"
        )

    def response(self, hz: FloatArray) -> ComplexArray:
        """(f, o, i) frequency response.

        Args:
            hz: frequencies.
        """
        s = 2j * np.pi * np.asarray(hz, float)
        point = s if self.step is None else np.exp(s * self.step)
        eye = np.eye(len(self.A))
        return np.array([self.C @ np.linalg.solve(p * eye - self.A, self.B) + self.D for p in point])

    def sampled(self, step: float, *, delay: float = 0.0) -> LinearSystem:
        """The system between a hold of zero order and a sampler; inputs act ``delay`` later, any part of a step.

        With delay = (d + f) step, 0 <= f < 1, an input u[k] acts from (k + d + f) step on:
        x[k+1] = Phi x[k] + Phi((1-f) step) Gamma(f step) u[k-d-1] + Gamma((1-f) step) u[k-d]. Past inputs are states.

        Args:
            step: s between samples.
            delay: s.
        """
        if self.step is not None or not step > 0.0 or not (delay >= 0.0 and math.isfinite(delay)):
            raise InputError(
                "sampling needs a continuous system, a step above zero and a delay from zero on",
                found=f"step {step:g} s, delay {delay:g} s",
            )  # fmt: skip
        whole = math.floor(delay / step + _WHOLE)
        rest = delay - whole * step
        part = 0.0 if rest < _WHOLE * step else rest
        i, n = len(self.inputs), len(self.states)
        old = whole + (1 if part else 0)  # how many past inputs are kept
        late, after = _held(self.A, self.B, part), _held(self.A, self.B, step - part)
        phi = after[0] @ late[0]
        if not old:
            return LinearSystem(phi, after[1], self.C, self.D, self.states, self.inputs, self.outputs, step=step)
        A, B = np.zeros((n + old * i, n + old * i)), np.zeros((n + old * i, i))
        C, D = np.zeros((len(self.outputs), n + old * i)), np.zeros((len(self.outputs), i))
        A[:n, :n], C[:, :n] = phi, self.C

        def column(age: int) -> slice:  # u[k - age], age from 1
            return slice(n + (age - 1) * i, n + age * i)

        if part:
            A[:n, column(whole + 1)] = after[0] @ late[1]
        if whole:
            A[:n, column(whole)] += after[1]
        else:
            B[:n] = after[1]
        C[:, column(old)] = self.D  # what acts at the instant of the sample
        B[column(1)] = np.eye(i)
        for age in range(2, old + 1):
            A[column(age), column(age - 1)] = np.eye(i)
        past = tuple(f"{name} {age} steps ago" for age in range(1, old + 1) for name in self.inputs)
        return LinearSystem(A, B, C, D, (*self.states, *past), self.inputs, self.outputs, step=step)

    def to_control(self) -> Any:
        """The same as a python-control ``StateSpace`` with names (dots become underscores); needs the extra ``control``."""
        try:
            import control
        except ImportError as error:
            raise InputError("python-control is not installed", advice="pip install 'tisserand[control]'") from error

        def plain(names: tuple[str, ...]) -> list[str]:
            return [name.replace(".", "_") for name in names]

        time = () if self.step is None else (self.step,)
        return control.ss(
            self.A, self.B, self.C, self.D, *time, states=plain(self.states), inputs=plain(self.inputs),
            outputs=plain(self.outputs),
        )  # fmt: skip


def _held(A: FloatArray, B: FloatArray, time: float) -> tuple[FloatArray, FloatArray]:
    """exp(A t) and the integral of exp(A s) B over t."""
    n, i = B.shape
    whole = np.zeros((n + i, n + i))
    whole[:n, :n], whole[:n, n:] = A, B
    grown = expm(whole * time)
    return grown[:n, :n], grown[:n, n:]
