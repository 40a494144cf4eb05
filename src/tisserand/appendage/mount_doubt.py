"""The warning about a record whose modes do not fit its mount (theory section 9), in listings, runs and linear models."""

from __future__ import annotations

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.support_mass import held_modes

#: Motion of the attachment below this part of the largest is round-off.
_STILL = 1e-9


def moves_at_attachment(record: ReducedAppendage) -> bool:
    """True when the shapes do not vanish at the attachment (a mean-axis frame, or held elsewhere)."""
    if record.attachment is None or record.count == 0:
        return False
    held = record.interface(record.attachment)
    size = max(
        float(np.abs(record.nodes.translation).max(initial=0.0)),
        float(np.abs(record.nodes.rotation).max(initial=0.0)),
        1e-300,
    )
    return bool(max(np.abs(held.translation).max(), np.abs(held.rotation).max()) > _STILL * size)


def mount_doubt(record: ReducedAppendage) -> str | None:
    """One sentence where all modes are elastic and not held at the attachment: none bends as the force at a mount does."""
    clamped = record.reports.get("mount", {}).get("mounting") == "clamped"
    if clamped or not moves_at_attachment(record) or any(kind != "elastic" for kind in record.mode_kinds):
        return None
    lowest = float(held_modes(record)[0].min(initial=np.inf))
    return (
        f"moves at its attachment by {record.count} elastic modes alone that are not held there (held, they give a lowest "
        f"frequency of {lowest:.5g} Hz), which converge slowly and from above: use modes clamped at the attachment, or add "
        "residual vectors there"
    )
