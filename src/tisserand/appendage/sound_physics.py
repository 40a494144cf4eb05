"""What mechanics requires of every record: integrals that some mass can have, stiffness and damping that create no energy.

Each check returns what is wrong, in words, with facts; limits are those of numbers printed with four digits, since records
are also made from tables of suppliers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray

#: Relative violation that rounded tables may cause.
PRINTED = 1e-3
#: Round-off of eigenvalues of stiffness and damping, relative to the largest entry.
ROUND_OFF = 1e-8

Fault = tuple[str, dict[str, Any]]


def lowest(matrix: FloatArray) -> float:
    """Smallest eigenvalue of a symmetric matrix; 0 for an empty one."""
    return float(np.linalg.eigvalsh(matrix)[0]) if matrix.size else 0.0


def impossible_physics(record: ReducedAppendage) -> Iterator[Fault]:
    """Everything that no structure can have, the most basic first."""
    yield from _impossible_mass(record.integrals)
    for name, matrix in (("stiffness", record.stiffness), ("damping", record.damping)):
        part = 0.5 * (matrix + matrix.T)
        size = float(np.abs(part).max(initial=0.0))
        if lowest(part) < -ROUND_OFF * size:
            yield f"{name} has a negative value", {"found": f"{lowest(part):.4g}", "expected": "none below zero"}
    yield from _impossible_bodies(record)
    yield from _impossible_sources(record)


def _impossible_mass(integrals: ModalIntegrals) -> Iterator[Fault]:
    """Gam = int xh xh' dm and the mass of rigid and modal motion together are moments of one mass: neither is negative."""
    heavy = np.sqrt(integrals.mass)
    far = heavy * (integrals.reach if integrals.reach > 1e-200 else 1.0)
    A = integrals.coupling
    joint = np.block([[integrals.rigid_mass, A], [A.T, integrals.modal_mass]])
    rigid = np.repeat([heavy, far], 3)
    for name, meaning, matrix, size in (
        ("mass, center and inertia", "no distribution of mass has them", integrals.moments, np.r_[heavy, rigid[3:]]),
        ("mass, inertia, translation, rotation and modal_mass", "the modes carry more than the whole mass", joint,
         np.r_[rigid, integrals.sizes]),
    ):  # fmt: skip
        least = lowest(matrix / np.outer(size, size))
        if least < -PRINTED:
            found = f"{least:.3g} of the whole"
            yield f"{name} contradict each other, {meaning}", {"found": found, "expected": "none below zero"}
    for identity, error in integrals.field_errors().items():
        if not error <= PRINTED:
            yield f"its integrals (translation, rotation, position_shape, shape_shape, modal_mass) violate {identity}", {
                "found": f"{error:.2e}", "expected": "equality",
            }  # fmt: skip


def _impossible_bodies(record: ReducedAppendage) -> Iterator[Fault]:
    bodies, nodes = record.bodies, record.nodes
    if not len(bodies):
        return
    if (bodies.masses < 0.0).any():
        yield "bodies/masses has a negative value", {"found": f"{bodies.masses.min():.4g}"}
    own = np.linalg.eigvalsh(0.5 * (bodies.inertias + bodies.inertias.transpose(0, 2, 1)))
    if own.min() < -PRINTED * max(float(np.abs(own).max()), 1e-300):
        yield "bodies/inertias has a negative value", {"found": f"{own.min():.4g}"}
    for name in ("positions", "translation", "rotation"):
        here, there = getattr(bodies, name), getattr(nodes, name)[bodies.rows]
        if _differ(here, there, getattr(nodes, name)):
            yield f"bodies/{name} is not that of the bodies' nodes", {}


def _impossible_sources(record: ReducedAppendage) -> Iterator[Fault]:
    first, nodes = 0, record.nodes.positions
    for number, source in enumerate(record.sources):
        where = f"sources/{number}"
        if source.first_row != first:
            yield f"{where} begins at another node", {"found": f"row {source.first_row}", "expected": f"row {first}"}
            return
        first += len(source)
        if np.abs(source.axes @ source.axes.T - np.eye(3)).max() > PRINTED:
            yield f"{where}/axes are not perpendicular unit vectors", {}
        if _differ((source.positions - source.origin) @ source.axes.T, nodes[source.rows], nodes):
            yield f"{where}/positions, origin and axes do not give the positions of the nodes", {}


def _differ(here: FloatArray, there: FloatArray, all_of_it: FloatArray) -> bool:
    size = max(float(np.abs(all_of_it).max(initial=0.0)), float(np.abs(here).max(initial=0.0)))
    return float(np.abs(here - there).max(initial=0.0)) > PRINTED * size
