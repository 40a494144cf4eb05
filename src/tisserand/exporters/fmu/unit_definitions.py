"""Units of variables with their exponents of the base units."""

from __future__ import annotations

import re

from tisserand.exporters.fmu.unit import Unit

_BASE = {"kg": {"kg": 1}, "m": {"m": 1}, "s": {"s": 1}, "rad": {"rad": 1}, "N": {"kg": 1, "m": 1, "s": -2}}


def exponents(unit: str) -> dict[str, int]:
    """Powers of kg, m, s and rad in a unit such as ``N.m/s2``."""
    found: dict[str, int] = {}
    over, _, under = unit.partition("/")
    for part, sign in ((over, 1), (under, -1)):
        for word, power in re.findall(r"([a-zA-Z]+)(-?\d*)", part):
            for base, own in _BASE.get(word, {}).items():
                found[base] = found.get(base, 0) + sign * own * int(power or 1)
    return {base: power for base, power in found.items() if power}


def definitions(unit: Unit) -> str:
    """One entry per unit that is used; the unit of time always."""
    used = sorted({variable.unit for variable in unit.variables if variable.unit} | {"s"})
    rows = []
    for name in used:
        powers = "".join(f' {base}="{power}"' for base, power in exponents(name).items())
        rows.append(f'<Unit name="{name}"><BaseUnit{powers}/></Unit>')
    return "".join(rows)
