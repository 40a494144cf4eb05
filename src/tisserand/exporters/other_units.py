"""A record in the numbers of another unit system, and the words for its units.

With factors to SI (length lambda, mass mu, time tau) a modal coordinate of unit modal mass is counted in e = lambda sqrt(mu), so
that modal masses keep their numbers. A quantity of dimension M^a L^b T^c per eta^n becomes x e^n / (mu^a lambda^b tau^c).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.record.turning_bodies import no_bodies
from tisserand.arrays import FloatArray
from tisserand.model import StructuralModel
from tisserand.units import SYSTEMS, UnitSystem, unit_system

#: Dimension (a, b, c, n) of every integral.
_INTEGRALS = {
    "mass": (1, 0, 0, 0), "center": (0, 1, 0, 0), "inertia": (1, 2, 0, 0), "translation": (1, 1, 0, 1), "rotation": (1, 2, 0, 1),
    "position_shape": (1, 2, 0, 1), "shape_shape": (1, 2, 0, 2), "modal_mass": (1, 2, 0, 2), "turn_first": (1, 1, 0, 2),
    "turn_second": (1, 2, 0, 2), "turn_shape": (1, 2, 0, 3),
}  # fmt: skip
#: What the units of named systems are called: length, mass, time, force, moment.
_WORDS = {
    "SI": ("m", "kg", "s", "N", "N m"),
    "mm-t-s": ("mm", "t", "s", "N", "N mm"),
    "mm-kg-ms": ("mm", "kg", "ms", "kN", "kN mm"),
    "in-lbf-s": ("in", "lbf s2/in", "s", "lbf", "lbf in"),
    "ft-slug-s": ("ft", "slug", "s", "lbf", "lbf ft"),
    "cm-g-s": ("cm", "g", "s", "dyn", "dyn cm"),
}


@dataclass(frozen=True, eq=False)
class ModelInUnits:
    """A structural model and the unit system of the file that it is written to."""

    model: StructuralModel
    units: UnitSystem


Measure = Callable[..., FloatArray]


def unit_words(appendage: ReducedAppendage) -> tuple[str, str, str, str, str]:
    """Length, mass, time, force and moment in the units of the record's numbers."""
    system = unit_system(appendage.unit_system)
    named = _WORDS.get(system.name)
    own = (f"{system.length:g} m", f"{system.mass:g} kg", f"{system.time:g} s", f"{system.force:g} N")
    return named or (*own, f"{system.moment:g} N m")


def hertz(appendage: ReducedAppendage) -> FloatArray:
    """Frequencies in Hz, whatever the unit of time."""
    return np.asarray(appendage.frequencies_hz / unit_system(appendage.unit_system).time)


def in_units(appendage: ReducedAppendage, units: str | UnitSystem) -> ReducedAppendage:
    """The record in the numbers of ``units``, which it then states.

    Records are in SI whatever the units of their source, which is what ``unit_system`` states before. In other units than SI
    recovery matrices and mass sources are left out.
    """
    system = unit_system(units)
    if (system.length, system.mass, system.time) == (1.0, 1.0, 1.0):
        return appendage if appendage.unit_system == "SI" else appendage.changed(unit_system="SI")
    eta = system.length * np.sqrt(system.mass)

    def measured(values: FloatArray | float, a: int, b: int, c: int, n: int) -> FloatArray:
        factor = eta**n / (system.mass**a * system.length**b * system.time**c)
        return np.asarray(np.asarray(values, dtype=float) * factor)

    integrals = {
        word: None if getattr(appendage.integrals, word) is None else measured(getattr(appendage.integrals, word), *powers)
        for word, powers in _INTEGRALS.items()
    }  # fmt: skip
    return appendage.changed(
        integrals=replace(appendage.integrals, **{**integrals, "mass": float(integrals["mass"])}),  # type: ignore[arg-type]
        stiffness=measured(appendage.stiffness, 1, 2, -2, 2),
        damping=measured(appendage.damping, 1, 2, -1, 2),
        reference_point=measured(appendage.reference_point, 0, 1, 0, 0),
        nodes=_nodes(appendage.nodes, measured),
        interfaces=tuple(_interface(point, measured) for point in appendage.interfaces),
        geometric_stiffness={
            name: measured(matrix, *_family(name)) for name, matrix in appendage.geometric_stiffness.items()
        },
        recovery={},
        sources=(),
        bodies=no_bodies(appendage.count),
        unit_system=system.name if system.name in SYSTEMS else f"{system.length!r},{system.mass!r},{system.time!r}",
    )


def _family(name: str) -> tuple[int, int, int, int]:
    """Dimension of a geometric-stiffness matrix per unit of what drives it."""
    if name.startswith("F:"):
        return (0, 1, 0, 2) if int(name.rsplit(":", 1)[1]) <= 3 else (0, 0, 0, 2)
    return (1, 1, 0, 2) if name in ("ax", "ay", "az") else (1, 2, 0, 2)


def _second(values: FloatArray | None, measured: Measure) -> FloatArray | None:
    """Second-degree motion (n, 3 or 6, p): translations first, then rotations."""
    if values is None:
        return None
    return np.concatenate([measured(values[:, :3], 0, 1, 0, 2), measured(values[:, 3:], 0, 0, 0, 2)], axis=1)


def _nodes(nodes: NodeTable, measured: Measure) -> NodeTable:
    return NodeTable(
        nodes.ids,
        measured(nodes.positions, 0, 1, 0, 0),
        measured(nodes.translation, 0, 1, 0, 1),
        measured(nodes.rotation, 0, 0, 0, 1),
        None if nodes.energy is None else measured(nodes.energy, 0, 2, -2, 2),
        _second(nodes.second, measured),
        _second(nodes.foreshortening, measured),
    )


def _interface(point: Interface, measured: Measure) -> Interface:
    t, r = point.second_translation, point.second_rotation
    return replace(
        point,
        position=measured(point.position, 0, 1, 0, 0),
        translation=measured(point.translation, 0, 1, 0, 1),
        rotation=measured(point.rotation, 0, 0, 0, 1),
        second_translation=None if t is None else measured(t, 0, 1, 0, 2),
        second_rotation=None if r is None else measured(r, 0, 0, 0, 2),
    )
