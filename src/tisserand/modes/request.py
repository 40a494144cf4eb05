"""From what the user requests (a number, a frequency, a band) to a complete set of eigenpairs and its Sturm count.

Counts by Sylvester's law of inertia: [Parlett1980].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError, MissedModesError, SingularMatrixError, TooManyModesError
from tisserand.modes.eigen import Eigenproblem
from tisserand.modes.eigenpairs import Pairs
from tisserand.modes.strain_free_motions import refuse

#: Relative width of the gap in which an inertia is counted.
_GAP = 1e-5
#: Searches for modes that the inertia counts and the iteration has not returned; each finds several copies of a repeated one.
_ROUNDS = 40
#: A shift with more than so many times the wanted modes below it costs more than a second factorization.
MOST_SURPLUS = 3
#: A shift further above the lowest eigenvalues than this may cost them digits: unless they are proven to be as sharp as this, the
#: route from below is taken.
FARTHEST = 3e4
SHARP = 2e-9
#: Strain-free motions that are kept where "few" are allowed: more cost too long to list, and are a mistake of the model.
FEW = 60
#: Whether strain-free motions are kept as modes: none, up to FEW, or all.
Allowed = bool | Literal["few"]


@dataclass(frozen=True)
class Request:
    """Lowest ``count``, up to ``fmax_hz``, from ``fmin_hz``; count 20 by default."""

    count: int | None = None
    fmin_hz: float | None = None
    fmax_hz: float | None = None

    def __post_init__(self) -> None:
        if self.count is None and self.fmax_hz is None:
            object.__setattr__(self, "count", None if self.fmin_hz is None else 20)
        if self.count is not None and self.count < 1:
            raise InputError("the number of modes must be positive", found=self.count)
        low, high = self.fmin_hz or 0.0, self.fmax_hz
        if not np.isfinite(low) or low < 0.0 or (high is not None and not (np.isfinite(high) and high > low)):
            raise InputError("a frequency band needs 0 <= fmin < fmax", found=f"{self.fmin_hz} .. {self.fmax_hz} Hz")


@dataclass(frozen=True, eq=False, kw_only=True)
class Spectrum:
    """Pairs (ascending) that the inertia at ``shift`` accounts for; ``window`` are those requested.

    below: eigenvalues under the pairs (a band high up), rigid motions not included; zero: (k,) mechanisms.
    """

    pairs: Pairs
    zero: BoolArray
    shift: float
    counted: int
    below: int
    window: tuple[int, int]
    notes: tuple[str, ...] = ()


#: (pairs) to (pairs, which are mechanisms).
Apart = Callable[[Pairs], tuple[Pairs, BoolArray]]


def squared(hertz: float) -> float:
    """Eigenvalue of a frequency, rad²/s²."""
    return float((2.0 * np.pi * hertz) ** 2)


def requested_modes(
    problem: Eigenproblem, request: Request, zero_test: Apart, model: AssembledModel, allow_mechanisms: Allowed
) -> Spectrum:
    """The modes requested, with the count that proves them complete."""
    rigid = problem.rigid.shape[1]
    available = problem.pencil.size - rigid
    if problem.upper is not None:
        at_once = _one_factor(problem, problem.upper, request, zero_test, model, allow_mechanisms)
        if at_once is not None:
            return at_once
    low = 0 if not request.fmin_hz else _count(problem, squared(request.fmin_hz))[0] - rigid
    if request.fmax_hz is not None:
        counted, shift = _count(problem, squared(request.fmax_hz))
        total = counted - rigid
        wanted = total if request.count is None else min(total, low + request.count)
        if low > 60 + 3 * (wanted - low) and not problem.dense:
            return _band(problem, request, low, wanted, counted, shift)
        if total == wanted:
            pairs = _lowest(problem, wanted, zero_test, model, allow_mechanisms, mechanisms_counted=True)
            pairs, zero = zero_test(pairs.chosen(slice(wanted)))
            return Spectrum(
                pairs=pairs, zero=zero, shift=shift, counted=counted, below=0, window=(min(low, wanted), wanted)
            )
        count = wanted
    else:
        count = min(available, low + (request.count if request.count is not None else min(20, available)))
    pairs = _lowest(problem, count, zero_test, model, allow_mechanisms, mechanisms_counted=bool(low))
    return _counted_lowest(problem, pairs, count, low, zero_test)


def _one_factor(
    problem: Eigenproblem,
    shift: float,
    request: Request,
    zero_test: Apart,
    model: AssembledModel,
    allow_mechanisms: Allowed,
) -> Spectrum | None:
    """Everything below one shift, iterated and counted with the same factor; None where the shift does not fit the request."""
    found = problem.count_below(shift) - problem.rigid.shape[1]
    wanted = found if request.count is None else request.count
    if found < max(wanted, 1) or (request.count is not None and found > MOST_SURPLUS * wanted + 20):
        return None
    pairs, counted = problem.all_below(shift)
    if len(pairs.values) != found:
        return None
    pairs, zero = zero_test(pairs)
    values = pairs.values
    if (values < 0.0)[~zero].any():  # the route from below explains the instability
        return None
    far = ~zero & (FARTHEST * values < shift)
    if (pairs.bounds[far] > SHARP).any():
        return None
    mechanisms = int(zero.sum())
    if mechanisms:
        refuse_mechanisms(problem, pairs, zero, model, allow_mechanisms)
    needed = found if request.count is None else wanted + mechanisms
    if needed > found:
        return None
    return Spectrum(
        pairs=pairs, zero=zero, shift=shift, counted=counted, below=0, window=(0, needed), notes=cut(values, needed)
    )


def cut(values: FloatArray, needed: int) -> tuple[str, ...]:
    """The note on a cluster of ascending values that a request for the first ``needed`` parts."""
    last = needed
    while 0 < last < len(values) and values[last] - values[last - 1] <= _GAP * abs(values[last]):
        last += 1
    if last == needed:
        return ()
    return (f"mode {needed} belongs to a cluster of {last - needed} more that the request cuts off",)


def _count(problem: Eigenproblem, shift: float) -> tuple[int, float]:
    """Inertia just above the shift, moved a little when it hits an eigenvalue."""
    for nudge in (1e-9, 1e-7, 1e-6):
        moved = shift * (1.0 + nudge)
        try:
            return problem.count_below(moved), moved
        except SingularMatrixError:
            continue
    raise SingularMatrixError(
        "a requested frequency is an eigenfrequency to many digits",
        found=f"{np.sqrt(shift) / 2 / np.pi:.9g} Hz",
        advice="move it a little",
    )


def _lowest(
    problem: Eigenproblem,
    count: int,
    zero_test: Apart,
    model: AssembledModel,
    allow_mechanisms: Allowed,
    mechanisms_counted: bool,
) -> Pairs:
    """At least ``count`` lowest pairs (plus the mechanisms, unless they are counted already), with one or more beyond."""
    wanted = count
    available = problem.pencil.size - problem.rigid.shape[1]
    while True:
        pairs = problem.lowest(min(wanted + 1, available))
        below = int((pairs.values < problem.safe_shift()).sum())
        if below:
            raise problem.unstable(below, problem.safe_shift())
        pairs, zero = zero_test(pairs)
        mechanisms = int(zero.sum())
        if mechanisms:
            refuse_mechanisms(problem, pairs, zero, model, allow_mechanisms)
        lowest = float(pairs.values[~zero].min(initial=np.inf))
        if problem.approach(lowest):
            continue
        if lowest < 0.0:
            raise problem.unstable(int((pairs.values[~zero] < 0.0).sum()), 0.0)
        needed = count + (0 if mechanisms_counted else mechanisms)
        if len(pairs.values) >= min(needed, available) or len(pairs.values) < min(wanted + 1, available):
            break
        soft = _count(problem, abs(problem.safe_shift()))[0] - problem.rigid.shape[1]  # mechanisms that may be left
        wanted = max(needed, count + soft)
    if len(pairs.values) < min(needed, available) or (needed > available):
        raise TooManyModesError(
            "more modes are requested than have a finite frequency", most=len(pairs.values) - mechanisms,
            found=f"{count} modes", expected=f"at most {len(pairs.values) - mechanisms} (massless dofs add none)",
        )  # fmt: skip
    return pairs


def refuse_mechanisms(
    problem: Eigenproblem, pairs: Pairs, zero: BoolArray, model: AssembledModel, allowed: Allowed
) -> None:
    """Raise unless so many are allowed: the shapes found name nodes, the inertia just below the lowest mode counts them."""
    if allowed is True:
        return
    shapes = np.zeros((model.size, int(zero.sum())))
    shapes[problem.pencil.free] = pairs.vectors[:, zero]
    between, soft = abs(problem.safe_shift()), float(pairs.values[~zero].min(initial=np.inf))
    if not zero.all():
        highest = max(float(np.abs(pairs.values[zero]).max()), 1e-6 * between)
        between = float(np.sqrt(highest * soft)) if 4.0 * highest < soft else soft
    total = shapes.shape[1]
    if between < soft:  # else no shift lies between the mechanisms and what is as soft as their round-off
        total = max(total, _count(problem, between)[0] - problem.rigid.shape[1])
    if not (allowed == "few" and total <= FEW):
        raise refuse(model, shapes, "mechanisms", total=total)


def _counted_lowest(problem: Eigenproblem, pairs: Pairs, count: int, low: int, zero_test: Apart) -> Spectrum:
    """Count the inertia in the first clear gap above the last mode requested."""
    rigid = problem.rigid.shape[1]
    counted = known = 0
    searched = -1
    for _ in range(_ROUNDS):
        pairs, zero = zero_test(pairs)
        values = pairs.values
        exhausted = len(values) == searched  # the last search found nothing
        needed = count + (0 if low else int(zero.sum()))
        complete = len(values) == needed  # one more was requested, so every finite mode was found
        last = needed
        while last < len(values) and values[last] - values[last - 1] <= _GAP * abs(values[last]):
            last += 1
        if last < len(values):
            step = values[last] - values[last - 1]
            shift = values[last - 1] + min(0.3 * step, 0.1 * abs(values[last - 1]) + 1e-3 * step)
        elif problem.dense or complete or exhausted:
            shift = values[-1] * (1.0 + 1e-3)
        else:
            searched, pairs = len(values), problem.more(pairs, 4)
            continue
        counted = problem.count_below(shift)
        known = rigid + int((values[:last] < shift).sum())
        if counted > known and not problem.dense:
            if exhausted:
                break
            searched, pairs = len(values), problem.more(pairs, counted - known)
            continue
        notes: tuple[str, ...] = ()
        if last > needed:
            notes = (f"mode {needed} belongs to a cluster of {last - needed} more that the request cuts off",)
        return Spectrum(
            pairs=pairs.chosen(slice(last)),
            zero=zero[:last],
            shift=shift,
            counted=counted,
            below=0,
            window=(low, needed),
            notes=notes,
        )
    hidden = problem.count_below(problem.safe_shift())
    if hidden:
        raise problem.unstable(hidden, problem.safe_shift())
    raise MissedModesError(
        "the Sturm count keeps finding modes that the iteration does not return",
        found=f"{counted} counted, {known} known",
    )


def _band(problem: Eigenproblem, request: Request, low: int, high: int, counted: int, top: float) -> Spectrum:
    """A band far above the lowest mode: a shift inside it, and the inertia at both ends."""
    bottom = squared(request.fmin_hz or 0.0) * (1.0 + 1e-9)
    wanted = counted - problem.rigid.shape[1] - low
    middle = 0.5 * (bottom + top)

    def stop(values: FloatArray, good: BoolArray) -> bool:
        return bool((good & (values > bottom) & (values < top)).sum() >= wanted)

    for nudge in (0.0, 0.013, -0.021):
        shift = middle + nudge * (top - bottom)
        try:
            pairs = problem.nearest(shift, problem.pencil.size if wanted == 0 else wanted * 4 + 40, stop=stop)
            break
        except SingularMatrixError:
            continue
    else:
        raise SingularMatrixError("every shift tried inside the band is singular")
    pairs = pairs.chosen((pairs.values > bottom) & (pairs.values < top))
    return Spectrum(
        pairs=pairs,
        zero=np.zeros(len(pairs.values), np.bool_),
        shift=top,
        counted=counted,
        below=low,
        window=(0, min(len(pairs.values), high - low)),
    )
