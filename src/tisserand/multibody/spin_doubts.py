"""The warning about an appendage that spins without geometric stiffness, in runs and linear models (theory section 6)."""

from __future__ import annotations

import numpy as np

from tisserand.appendage.support_mass import held_modes
from tisserand.multibody.body_integrals import has_geometric_stiffness
from tisserand.multibody.vehicle import MountedAppendage

#: Spin above this fraction of the lowest frequency needs geometric stiffness (softening of a percent).
SPIN_FRACTION = 0.1


def lowest_rate(mount: MountedAppendage) -> float:
    """Lowest natural frequency with the attachment held, rad/s, whatever the frame; 0 with a mechanism, infinite without any."""
    hz = held_modes(mount.record)[0]
    return 2.0 * np.pi * float(hz.min(initial=np.inf))


def is_stiffened(mount: MountedAppendage) -> bool:
    """Whether the centrifugal stress of the appendage acts on it."""
    return mount.geometric_stiffness and mount.inertia != "constant" and has_geometric_stiffness(mount.record)


def spin_doubt(mount: MountedAppendage, spin: float, when: str = "") -> str | None:
    """One sentence if a body spins (rad/s) too fast for an appendage without geometric stiffness; None if all is well."""
    if not mount.record.count or is_stiffened(mount) or not spin > SPIN_FRACTION * (lowest := lowest_rate(mount)):
        return None
    share = f", {spin / lowest:.0%} of its lowest frequency," if lowest > 0.0 else ""
    return (
        f"{mount.name} spins at {spin:.3g} rad/s{share} without geometric stiffness{when}: centrifugal softening alone is worse "
        "than neither and depends on the frame of the record; make the record with '--geometric'"
    )
