"""Uncertain linear models in linear fractional form: a nominal system around a diagonal of real, bounded, repeated factors.

x' = A x + B [w; u], [z; y] = C x + D [w; u], w = Delta z, Delta = diag(delta_i I_ri), |delta_i| <= 1. The factor that delta_i
stands for is middle_i + half_i * delta_i times its nominal value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import ComplexArray, FloatArray, frozen
from tisserand.errors import InputError
from tisserand.files import atomic_path
from tisserand.notebook_html import html_table
from tisserand.responses.sampled_system import LinearSystem
from tisserand.stored import write_mat


@dataclass(frozen=True)
class UncertainFactor:
    """A factor on a quantity: its name, how often it stands in Delta, its range, and what it multiplies."""

    name: str
    repeats: int
    low: float
    high: float
    meaning: str

    @property
    def middle(self) -> float:
        return 0.5 * (self.low + self.high)

    @property
    def half(self) -> float:
        return 0.5 * (self.high - self.low)

    def delta(self, factor: float) -> float:
        """The normalized value of a factor."""
        return (factor - self.middle) / self.half


def _stacked(name: str, systems: Sequence[LinearSystem]) -> dict[str, FloatArray]:
    """Matrices of systems along a last axis."""
    return {f"{name}_{word}": np.stack([getattr(item, word) for item in systems], axis=-1) for word in "ABCD"}


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class UncertainModel:
    """A linear fractional model with named factors.

    Attributes:
        A: (n, n).
        B: (n, w + i), the channels of Delta first.
        C: (w + o, n).
        D: (w + o, w + i).
        factors: in the order of Delta.
        states: names.
        inputs: names.
        outputs: names.
        input_units: of the inputs.
        output_units: of the outputs.
        notes: what was left out, and why.
    """

    A: FloatArray
    B: FloatArray
    C: FloatArray
    D: FloatArray
    factors: tuple[UncertainFactor, ...]
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    input_units: tuple[str, ...] = ()
    output_units: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n, w = len(self.states), sum(factor.repeats for factor in self.factors)
        i, o = w + len(self.inputs), w + len(self.outputs)
        for word, shape in (("A", (n, n)), ("B", (n, i)), ("C", (o, n)), ("D", (o, i))):
            object.__setattr__(self, word, frozen(getattr(self, word), shape=shape))

    @property
    def channels(self) -> int:
        """Size of Delta."""
        return sum(factor.repeats for factor in self.factors)

    def deltas(self, values: Mapping[str, float] | None = None) -> FloatArray:
        """(p,) normalized values of factors stated by name; the others have the nominal factor 1.

        Args:
            values: factors by name.
        """
        given = dict(values or {})
        known = {factor.name for factor in self.factors}
        for name in given:
            if name not in known:
                raise InputError("unknown uncertain factor", found=repr(name), expected=", ".join(sorted(known)[:8]))
        out = np.array([factor.delta(given.get(factor.name, 1.0)) for factor in self.factors])
        for factor, delta in zip(self.factors, out):
            if abs(delta) > 1.0 + 1e-12:
                raise InputError(
                    "a factor is outside its range", where=factor.name, found=given.get(factor.name, 1.0),
                    expected=f"{factor.low:g} to {factor.high:g}",
                )  # fmt: skip
        return out

    def closed(self, deltas: FloatArray) -> LinearSystem:
        """The system of normalized values (p,).

        Args:
            deltas: from -1 to 1, in the order of ``factors``.
        """
        values = np.asarray(deltas, float)
        if values.shape != (len(self.factors),):
            raise InputError(
                "one value per factor is needed", found=f"{values.shape}", expected=f"({len(self.factors)},)"
            )
        w = self.channels
        delta = np.repeat(values, [factor.repeats for factor in self.factors])
        loop = np.eye(w) - self.D[:w, :w] * delta  # z = Cz x + Dzw Delta z + Dzu u
        z = np.linalg.solve(loop, np.hstack([self.C[:w], self.D[:w, w:]])) if w else np.zeros((0, 0))
        A, B, C, D = self.A, self.B[:, w:], self.C[w:], self.D[w:, w:]
        if w:
            n = len(self.states)
            fed_x, fed_y = self.B[:, :w] * delta, self.D[w:, :w] * delta
            A, B, C, D = A + fed_x @ z[:, :n], B + fed_x @ z[:, n:], C + fed_y @ z[:, :n], D + fed_y @ z[:, n:]
        return LinearSystem(A, B, C, D, self.states, self.inputs, self.outputs)

    def sample(self, values: Mapping[str, float] | None = None) -> LinearSystem:
        """The system with factors stated by name; the others are nominal.

        Args:
            values: factors by name.
        """
        return self.closed(self.deltas(values))

    @property
    def nominal(self) -> LinearSystem:
        """The system with all factors 1."""
        return self.sample()

    def family(self, count: int, *, seed: int = 0) -> tuple[FloatArray, tuple[LinearSystem, ...]]:
        """Normalized values (count, p), uniform in their ranges, and the systems of them; the same for the same seed.

        Args:
            count: number of systems.
            seed: of the generator.
        """
        deltas = np.random.default_rng(seed).uniform(-1.0, 1.0, (count, len(self.factors)))
        return deltas, tuple(self.closed(row) for row in deltas)

    def to_control(self) -> Any:
        """The system around Delta as a python-control ``StateSpace``: inputs w, then u; outputs z, then y."""
        w = [f"{factor.name} {k + 1}" for factor in self.factors for k in range(factor.repeats)]
        whole = LinearSystem(
            self.A, self.B, self.C, self.D, self.states, (*(f"w {name}" for name in w), *self.inputs),
            (*(f"z {name}" for name in w), *self.outputs),
        )  # fmt: skip
        return whole.to_control()

    def save(
        self, path: str | Path, family: int = 0, *, seed: int = 0, step: float | None = None, delay: float = 0.0
    ) -> Path:
        """Write the matrices, the block structure and, if wanted, a family of systems, as .mat or .npz.

        Args:
            path: its ending is the format.
            family: number of systems drawn from the ranges.
            seed: of the draw.
            step: s; the nominal system and the family are added as sampled systems, inputs held.
            delay: s, of the inputs of sampled systems.
        """
        path = Path(path)
        if path.suffix not in (".mat", ".npz"):
            raise InputError("unsupported file extension", found=path.suffix or path.name, expected=".npz or .mat")
        values: dict[str, Any] = {word: getattr(self, word) for word in "ABCD"}
        repeats = np.array([factor.repeats for factor in self.factors], float)
        values["blk"] = np.column_stack(
            [-repeats, np.zeros(len(repeats))]
        )  # repeated real scalars, as mu toolboxes state them
        for word in ("low", "high"):
            values[f"factor_{word}"] = np.array([getattr(factor, word) for factor in self.factors])
        values["deltas_nominal"] = self.deltas()
        names = {"factors": [factor.name for factor in self.factors], "states": self.states, "inputs": self.inputs}
        names |= {"outputs": self.outputs, "input_units": self.input_units, "output_units": self.output_units}
        if family:
            deltas, systems = self.family(family, seed=seed)
            values["family_deltas"] = deltas
            values |= _stacked("family", systems)
            if step is not None:
                values |= _stacked("family_sampled", [item.sampled(step, delay=delay) for item in systems])
        if step is not None:
            held = self.nominal.sampled(step, delay=delay)
            values |= {"step": step, "delay": delay, **{f"sampled_{word}": getattr(held, word) for word in "ABCD"}}
            names["sampled_states"] = held.states
        with atomic_path(path) as temporary:
            if path.suffix == ".mat":
                words = {k: np.array(v, dtype=object).reshape(-1, 1) for k, v in names.items()}
                write_mat(temporary, {**values, **words})
            else:
                with open(temporary, "wb") as stream:
                    everything: dict[str, Any] = {**values, **{k: np.array(v, np.str_) for k, v in names.items()}}
                    np.savez(stream, **everything)
        return path

    def response(self, hz: FloatArray, deltas: FloatArray) -> ComplexArray:
        """(f, o, i) frequency response of the system of normalized values.

        Args:
            hz: frequencies.
            deltas: normalized values.
        """
        return self.closed(deltas).response(hz)

    def _repr_html_(self) -> str:
        rows = [(f.name, f.repeats, f"{f.low:g} to {f.high:g}", f.meaning) for f in self.factors]
        return html_table(repr(self)[1:-1], ("factor", "repeats", "range", "meaning"), rows)

    def __repr__(self) -> str:
        counts = f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
        return f"<UncertainModel: {counts}, {len(self.factors)} factors, Delta of {self.channels}>"
