"""Warnings about the parts of a vehicle in any state, given by runs and linear models alike.

Serves theory section 9.1 (modes that must fit their mount) and theory section 5.4 (checks of every run).
"""

from __future__ import annotations

from tisserand.appendage.mount_doubt import mount_doubt
from tisserand.multibody.inertia import triangle_excess
from tisserand.multibody.likely_mistakes import vehicle_mistakes
from tisserand.multibody.vehicle import Vehicle

#: Violation of the triangle inequality that is no round-off, as a part of the largest principal inertia.
_ROUNDED = 1e-9


def vehicle_doubts(vehicle: Vehicle) -> tuple[str, ...]:
    """One sentence per doubt: units, inertia accepted as rounded, modes that do not fit their mount, likely mistakes."""
    return (*unit_doubts(vehicle), *_inertia_doubts(vehicle), *_mount_doubts(vehicle), *vehicle_mistakes(vehicle))


def unit_doubts(vehicle: Vehicle) -> tuple[str, ...]:
    """What was doubtful about the units of a record when it was made, one sentence per appendage."""
    found = ((item.name, item.record.reports.get("units_doubt")) for item in vehicle.appendages)
    return tuple(f"appendage {name}: {'; '.join(doubts)}" for name, doubts in found if doubts)


def _inertia_doubts(vehicle: Vehicle) -> tuple[str, ...]:
    """Bodies whose inertia was accepted as rounded although no mass distribution has it."""
    excess = {b.name: triangle_excess(b.inertia) for b in vehicle.bodies}
    return tuple(
        f"body {name}: the two smaller principal inertias fall short of the largest by {100.0 * x:.2g} %, taken as rounding"
        for name, x in excess.items()
        if x > _ROUNDED
    )


def _mount_doubts(vehicle: Vehicle) -> tuple[str, ...]:
    found = ((mount.name, mount_doubt(mount.record)) for mount in vehicle.appendages)
    return tuple(f"{name} {doubt}" for name, doubt in found if doubt)
