"""Independent momentum and energy audit of a run, in numpy and without the engine.

Totals follow from poses and modal integrals at every output time, and from recovered nodal motion and the mass of the finite
elements at some output times.

Balances: theory section 5.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import IntegrationError
from tisserand.multibody.moments import mass_moments
from tisserand.multibody.nodal_audit import knows_nodes, nodal_totals
from tisserand.multibody.tree import Tree, expand
from tisserand.multibody.vehicle import Vehicle

if TYPE_CHECKING:
    from tisserand.multibody.balance_sheet import BalanceSheet
    from tisserand.multibody.trajectory import Trajectory

#: Number of output times at which totals are computed from nodal motion.
NODAL_TIMES = 9


def recompute(run: Trajectory, vehicle: Vehicle) -> dict[str, Any]:
    """Run both audits and return one table that can be written as JSON.

    Keys: ``integrals`` and ``nodes`` (largest relative differences; ``nodes`` only if some appendage keeps the mass it was
    reduced from), ``nodal_times``, ``nodal_appendages``, and ``without_nodes`` (the remaining appendages). A complete run
    whose totals are not finite numbers is an error; for a run that stopped early they are left out and named
    (``not_finite``).
    """
    known, unknown = _by_nodes(expand(vehicle))
    table: dict[str, Any] = {"integrals": audit(run, vehicle), "nodal_appendages": known, "without_nodes": unknown}
    if known and len(run):
        chosen = _spread(len(run))
        table["nodal_times"] = len(chosen)
        table["nodes"] = nodal_audit(run.sampled(chosen), vehicle)
    return _of_finite_numbers(run, table)


def _of_finite_numbers(run: Trajectory, table: dict[str, Any]) -> dict[str, Any]:
    bad = [
        f"{name} ({by})" for by in ("integrals", "nodes") for name, v in table.get(by, {}).items() if not isfinite(v)
    ]
    if not bad:
        return table
    if run.complete:
        raise IntegrationError(
            "the totals recomputed without the engine are not finite numbers",
            where=run.vehicle_name,
            found=", ".join(bad),
            advice="a record of the vehicle is damaged or its numbers are out of range; nothing of this run can be trusted",
        )
    kept: dict[str, Any] = {
        by: {k: v for k, v in table[by].items() if isfinite(v)} for by in ("integrals", "nodes") if by in table
    }
    return {**table, **kept, "not_finite": bad}


def in_words(table: Mapping[str, Any]) -> Iterator[str]:
    """Describe a table of ``recompute`` in sentences."""

    def gaps(found: Mapping[str, float]) -> str:
        return ", ".join(f"{name} {value:.1e}" for name, value in found.items())

    if "integrals" in table:
        yield f"Recomputed without the engine: {gaps(table['integrals'])}"
    if "nodes" in table:
        names = ", ".join(table["nodal_appendages"])
        where = f"the nodes and finite-element mass of {names}, {table['nodal_times']} times"
        yield f"Recomputed from {where}: {gaps(table['nodes'])}"
    if table.get("not_finite"):
        yield f"Recomputed, but not finite: {', '.join(table['not_finite'])}"
    if table.get("without_nodes"):
        yield f"No finite-element mass available for {', '.join(table['without_nodes'])}: recomputed from modal integrals only"


@checked_arguments
def audit(run: Trajectory, vehicle: Vehicle) -> dict[str, float]:
    """Largest differences between the balance sheet and totals computed from poses and modal integrals.

    Compared are mass center, momentum, angular momentum and kinetic energy (T of the complete displacement field; omitted if a
    rotor is driven by momentum). Each difference is relative to the largest value of its quantity (the center: to the size of
    the vehicle). With ``full`` inertia it is round-off; with ``linear`` or ``constant`` inertia it shows the deformation terms
    that the run leaves out.
    """
    known = run.moments if vehicle is run.vehicle else None
    again = mass_moments(run, vehicle) if known is None else known
    return _differences(run.balance, vehicle, again.center, again.momentum, again.angular_momentum, again.kinetic)


@checked_arguments
def nodal_audit(run: Trajectory, vehicle: Vehicle) -> dict[str, float]:
    """The same differences, with every appendage that keeps its mass source computed from its nodes, at every time of ``run``.

    ``run.sampled(rows)`` picks fewer times. Rigid bodies, rotors and appendages without a mass source count as in ``audit``.

    Args:
        vehicle: the vehicle.
    """
    tree = expand(vehicle)
    known, _ = _by_nodes(tree)
    rest, nodal = mass_moments(run, vehicle, without=known), nodal_totals(run, tree, known)
    center = (rest.first + nodal.first) / (rest.mass + nodal.mass)
    return _differences(
        run.balance,
        vehicle,
        center,
        rest.momentum + nodal.momentum,
        rest.angular_momentum + nodal.angular_momentum,
        rest.kinetic + nodal.kinetic,
    )


def _by_nodes(tree: Tree) -> tuple[list[str], list[str]]:
    """Names of mounted appendages whose records keep their mass and the motion of their nodes, and of the others."""
    blocks = [block for body in tree.bodies for block in body.blocks]
    return [b.name for b in blocks if knows_nodes(b.mount)], [b.name for b in blocks if not knows_nodes(b.mount)]


def _spread(count: int) -> np.ndarray:
    """At most NODAL_TIMES rows, evenly spread, first and last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, NODAL_TIMES)).round().astype(np.int64))


def _differences(
    sheet: BalanceSheet,
    vehicle: Vehicle,
    center: FloatArray,
    momentum: FloatArray,
    angular_momentum: FloatArray,
    kinetic: FloatArray,
) -> dict[str, float]:
    swing = np.sqrt(2.0 * max(float(sheet.kinetic.max(initial=0.0)), 0.0))
    size = float(np.sqrt(sheet.gyration / sheet.mass)) if sheet.mass > 0.0 else 0.0

    def differ(one: FloatArray, two: FloatArray, floor: float) -> float:
        scale = max(float(np.abs(one).max(initial=0.0)), floor, 1e-300)
        return float(np.abs(one - two).max(initial=0.0) / scale)

    found = {
        "center": differ(sheet.center, center, size),
        "momentum": differ(sheet.momentum, momentum, swing * float(np.sqrt(sheet.mass))),
        "angular momentum": differ(sheet.angular_momentum, angular_momentum, swing * float(np.sqrt(sheet.gyration))),
    }
    if all(rotor.mode != "momentum" for rotor in vehicle.rotors):
        found["kinetic energy"] = differ(sheet.kinetic, kinetic, 0.0)
    return found
