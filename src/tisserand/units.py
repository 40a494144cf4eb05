"""Unit systems. Everything inside the package is SI; units are converted on input.

A system is three factors to SI (length, mass, time); all others follow from them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tisserand.errors import UnitsError


@dataclass(frozen=True)
class UnitSystem:
    """Factors that turn a deck's numbers into SI: ``value_si = value * factor``."""

    name: str
    length: float
    mass: float
    time: float

    @property
    def force(self) -> float:
        return self.mass * self.length / self.time**2

    @property
    def pressure(self) -> float:
        return self.force / self.length**2

    @property
    def density(self) -> float:
        return self.mass / self.length**3

    @property
    def inertia(self) -> float:
        return self.mass * self.length**2

    @property
    def moment(self) -> float:
        return self.force * self.length

    @property
    def area(self) -> float:
        return self.length**2

    @property
    def second_moment(self) -> float:
        """Second moment of area, length to the fourth."""
        return self.length**4

    @property
    def linear_stiffness(self) -> float:
        return self.force / self.length

    @property
    def linear_damping(self) -> float:
        return self.force * self.time / self.length

    @property
    def rotational_damping(self) -> float:
        return self.moment * self.time

    @property
    def areal_density(self) -> float:
        return self.mass / self.length**2

    @property
    def line_density(self) -> float:
        return self.mass / self.length


_INCH, _FOOT, _POUND_FORCE = 0.0254, 0.3048, 4.4482216152605

#: ``consistent`` takes a deck's numbers as they are: frequencies are right, lengths have no known unit.
SYSTEMS: dict[str, UnitSystem] = {
    system.name: system
    for system in (
        UnitSystem("SI", 1.0, 1.0, 1.0),
        UnitSystem("mm-t-s", 1e-3, 1e3, 1.0),
        UnitSystem("mm-kg-ms", 1e-3, 1.0, 1e-3),
        UnitSystem("in-lbf-s", _INCH, _POUND_FORCE / _INCH, 1.0),
        UnitSystem("ft-slug-s", _FOOT, _POUND_FORCE / _FOOT, 1.0),
        UnitSystem("cm-g-s", 1e-2, 1e-3, 1.0),
        UnitSystem("consistent", 1.0, 1.0, 1.0),
    )
}


_FACTOR = r"\s*\+?(?=[^,eE]*[1-9])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*"
#: Three positive factors ``length,mass,time``, as they are written.
FACTORS = f"{_FACTOR},{_FACTOR},{_FACTOR}"


def unit_system(name: str | Sequence[float] | UnitSystem | None, *, where: str | None = None) -> UnitSystem:
    """The system of that name, or explicit factors written ``length,mass,time`` such as ``0.001,1000,1``.

    where: the file that needs them, for the error's sentence.
    """
    if isinstance(name, UnitSystem):
        return name
    known = ", ".join(SYSTEMS)
    if isinstance(name, tuple | list):
        name = ",".join(map(str, name))
    if name is not None and not isinstance(name, str):
        raise UnitsError(
            "unknown unit system", where=where, found=repr(name), expected=f"one of {known}, or three factors"
        )
    if name is None:
        raise UnitsError(
            "this format does not state its units, and none were given",
            where=where,
            expected=f"one of {known}, or length,mass,time factors to SI",
            advice="state them with --units or the case's units key",
        )
    for system in SYSTEMS.values():
        if system.name.lower() == name.strip().lower():
            return system
    if re.fullmatch(FACTORS, name):
        length, mass, time = (float(part) for part in name.split(","))
        if min(length, mass, time) > 0.0 and max(length, mass, time) < float("inf"):
            return UnitSystem(f"{length:g} m, {mass:g} kg, {time:g} s", length, mass, time)
    raise UnitsError(
        "unknown unit system", found=repr(name), expected=f"one of {known}, or three positive factors length,mass,time"
    )


@dataclass(frozen=True)
class Implausibility:
    """One quantity that fits no known solid, with the likely cause in words."""

    quantity: str
    value: float
    low: float
    high: float
    message: str


#: Gravity in inches, over which a weight density is too heavy as a mass density.
_INCH_GRAVITY = 386.09
#: Ranges in SI that hold for every structural solid, foams and honeycomb cores included.
_DENSITY = (5.0, 25_000.0)
_MODULUS = (1e4, 1.3e12)
_SIZE = (1e-3, 5e3)
#: Densities and moduli of a millimeter-tonne deck are small numbers and its lengths large ones; an SI deck has the opposite.
_SMALL_NUMBERS = "millimeters taken as meters?"
_LARGE_NUMBERS = "meters taken as millimeters?"


def implausibilities(
    *, density: float | None = None, young: float | None = None, size: float | None = None, what: str = "this material"
) -> list[Implausibility]:
    """What does not fit together, SI in; an empty list when all is plausible. Zero density is allowed (massless)."""
    found: list[Implausibility] = []

    def judge(quantity: str, value: float | None, bounds: tuple[float, float], low: str, high: str) -> None:
        if value is None or value == 0.0 or bounds[0] <= value <= bounds[1]:
            return
        times = bounds[0] / value if value < bounds[0] else value / bounds[1]
        adjective, guess = (low, _SMALL_NUMBERS) if value < bounds[0] else (high, _LARGE_NUMBERS)
        magnitude = f"{times:.0f}" if times < 1000.0 else f"{times:.0e}".replace("e+0", "e").replace("e+", "e")
        if quantity == "density" and value > bounds[1] and value / _INCH_GRAVITY <= bounds[1]:
            guess = "a weight density in inches without PARAM,WTMASS,.00259?"
        found.append(
            Implausibility(
                quantity,
                value,
                *bounds,
                f"{what} is {magnitude} times too {adjective} for any solid "
                f"({quantity} {value:.3g} in SI): are the units right ({guess})",
            )
        )

    judge("density", density, _DENSITY, "light", "heavy")
    judge("Young's modulus", young, _MODULUS, "soft", "stiff")
    if size is not None and size > 0.0 and not _SIZE[0] <= size <= _SIZE[1]:
        word, guess = ("small", _LARGE_NUMBERS) if size < _SIZE[0] else ("large", _SMALL_NUMBERS)
        found.append(
            Implausibility(
                "size",
                size,
                *_SIZE,
                f"the model is {size:.3g} m across, too {word} for an appendage: are the units right ({guess})",
            )
        )
    return found
